"""Languages of a corpus, recognised by stop words, and lemmas: dictionary forms of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib.util import find_spec

import numpy as np

from ..utils.errors import InputError
from .guesses import Guess
from .line_ends import learn_line_ends
from .recipe import (
    AUTO,
    LEMMA_SEPARATOR,
    Recipe,
    lemma_of_form,
    named_languages,
    normalised,
    place_tokens,
    split_words,
    stop_set,
)
from .segments import INSTALL, can_segment, languages_without_blanks, learn_segments
from .spelling import DOTLESS, ELIDED
from .stop_words import LANGUAGES, find_languages, stop_words_of
from .vocabulary import EncodedTexts, document_limits, encode_texts, letters_in_words
from .word_patterns import TOKEN_PATTERN

# Documents that are examined, evenly spaced; more of them give the same result.
SAMPLE_DOCUMENTS = 400
# Share of stop words in a text: about half in running text, far less in names or by coincidence.
MIN_SHARE = 0.2
# A text of fewer words is a name or a heading, which may be in any language.
MIN_WORDS = 4
# A single stop word may be a name or an abbreviation.
MIN_STOP_WORDS = 2
# Share of documents; a rarer language is a quotation or is confused with a related language.
MIN_DOCUMENTS = 0.1


def languages_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Languages of the texts by descending frequency, as names in ``LANGUAGES``.

    Empty if no text has enough stop words of any language.
    """
    lists = {name: frozenset(stop_words_of(name)) for name in LANGUAGES}
    # Elided words are common words of these languages.
    recipe = Recipe(stop_words=(), phrases=False, languages=",".join(sorted(ELIDED)))
    step = max(len(texts) // SAMPLE_DOCUMENTS, 1)
    found = Counter[str]()
    for row in range(0, len(texts), step):
        words = split_words(recipe, texts[row])
        if len(words) >= MIN_WORDS:
            hits = {name: sum(word in common for word in words) for name, common in lists.items()}
            best = max(LANGUAGES, key=lambda name: hits[name])
            if hits[best] >= max(MIN_SHARE * len(words), MIN_STOP_WORDS):
                found[best] += 1
    ranked = sorted(found, key=lambda name: (-found[name], name))
    return tuple(name for name in ranked if found[name] >= MIN_DOCUMENTS * found.total())


# Share of the letters i that are dotless: more than a third of Turkish, none of other languages.
MIN_DOTLESS = 0.15


def adapted(recipe: Recipe, texts: Sequence[str]) -> Recipe:
    """Adapt a recipe to texts: languages, words without blanks, and words divided at line ends.

    Values that the recipe already gives are not changed. Raises InputError if the recipe requests a
    segmenter that is not installed.
    """
    if recipe.languages == AUTO:
        recipe = replace(recipe, languages=",".join(_languages_with_case(texts)))
    if recipe.segmenter == "icu" and not can_segment():
        raise InputError(f"the segmenter needs the package icu4py; install it with: {INSTALL}")
    if recipe.segmenter == AUTO:
        is_apt = recipe.token_pattern == TOKEN_PATTERN and can_segment()
        recipe = replace(
            recipe, segmenter="icu" if is_apt and languages_without_blanks(texts) else ""
        )
    if recipe.segmenter == "icu" and not recipe.segments:
        found = learn_segments(texts, lambda text: normalised(recipe, text))
        recipe = replace(recipe, segments=found)
    if recipe.join_line_ends and not recipe.line_ends:
        plain = replace(recipe, stop_words=(), phrases=False, lemmas="")
        found = learn_line_ends(
            texts,
            lambda text: normalised(plain, text),
            lambda read: place_tokens(plain, read),
        )
        recipe = replace(recipe, line_ends=found)
    return recipe


def word_guesses(recipe: Recipe, texts: Sequence[str]) -> list[Guess]:
    """How an adapted recipe reads the words of the texts, for the report of an import."""
    guesses = []
    dotless = [name for name in named_languages(recipe)[:1] if name in DOTLESS]
    elided = [name for name in named_languages(recipe) if name in ELIDED]
    if dotless and recipe.lowercase:
        value = f"by the rules of {dotless[0].capitalize()}: ı is the small letter of I"
        guesses.append(Guess("capitals", value, "by its letters or stop words", "languages"))
    if elided and any("'" in text or "\u2019" in text for text in texts):
        named = " and ".join(name.capitalize() for name in elided)
        value = f"left out, such as “{ELISION_SHOWN[elided[0]]}”"
        guesses.append(Guess("elided words", value, f"the rule of {named}", "languages"))
    if recipe.segments:
        value = f"{len(recipe.segments):,} different words, found by the segmenter icu"
        reason = "the texts have no blanks between words"
        guesses.append(Guess("words without blanks", value, reason, "segmenter"))
    elif recipe.token_pattern == TOKEN_PATTERN:
        without = languages_without_blanks(texts)
        if without:
            by_character = {"Chinese", "Japanese"} & {*without}
            other = ", or take --tokens characters" if by_character else ""
            value = (
                f"not divided: {' and '.join(without)} has no blanks between words, and no "
                f"segmenter is installed; install one with: {INSTALL}{other}"
            )
            guesses.append(Guess("words without blanks", value, "", "segmenter"))
    if recipe.line_ends:
        shown = ", ".join(recipe.line_ends[:LINE_ENDS_NAMED])
        more = " …" if len(recipe.line_ends) > LINE_ENDS_NAMED else ""
        value = f"{len(recipe.line_ends):,} joined: {shown}{more}"
        reason = "they also occur undivided"
        guesses.append(Guess("words divided at line ends", value, reason, "no_join_line_ends"))
    share = letters_in_words(texts, recipe)
    few = share < MIN_LETTERS_IN_WORDS
    reason = "single letters, and what the token pattern does not match, are no words"
    guesses.append(
        Guess("letters in words", f"{share:.0%}", reason if few else "", "token_pattern")
    )
    return guesses


# Below this share of letters in words, the pattern may not suit the texts; sentences have more.
MIN_LETTERS_IN_WORDS = 0.85
ELISION_SHOWN = {"catalan": "l'", "french": "l'", "italian": "dell'"}
# Examples that fit on one line.
LINE_ENDS_NAMED = 5


def _languages_with_case(texts: Sequence[str]) -> tuple[str, ...]:
    """Languages of the texts; texts with dotless i are in a language that has it."""
    found = languages_of(texts)
    if found[:1] and found[0] in DOTLESS:
        return found
    step = max(len(texts) // SAMPLE_DOCUMENTS, 1)
    count = Counter("".join(texts[::step]))
    small, capital = count["\u0131"] + count["i"], count["\u0130"] + count["I"]
    is_dotless = count["\u0131"] > MIN_DOTLESS * small or count["\u0130"] > MIN_DOTLESS * capital
    if not is_dotless:
        return found
    name = "azerbaijani" if count["\u0259"] else "turkish"
    return (name, *(other for other in found if other != name))


MISSING = (
    "lemmas need the package simplemma, which is not installed; install it with: "
    "python -m pip install 'orrery[lemmas]'"
)
# Languages with another code in simplemma.
CODES = {"croatian": "hbs", "norwegian": "nb"}
# Letters. Shorter words are often abbreviations ("ai", "os"), just as words with hyphens are often
# names; both keep their form.
MIN_LETTERS = 3
# Languages in which a noun in lower case may be a verb: "Sonne", the sun, and "sonne", I bask.
CAPITALS_MATTER = frozenset({"german"})


def can_lemmatize() -> bool:
    """Whether the optional package simplemma is installed."""
    return find_spec("simplemma") is not None


def resolve_lemmas(choice: str) -> str:
    """Convert one language, or several with commas between them, to full names with commas.

    Raises InputError if the choice is not a list of languages, or simplemma is not installed.
    """
    languages = find_languages(choice)
    if not languages:
        known = ", ".join(sorted(LANGUAGES))
        raise InputError(f"there are no lemmas for {choice!r}; take {known}, or auto")
    if not can_lemmatize():
        raise InputError(MISSING)
    return ",".join(languages)


def lemmatize(
    texts: EncodedTexts, recipe: Recipe, written: Iterable[str]
) -> tuple[EncodedTexts, tuple[str, ...]]:
    """Replace every word form by its lemma.

    Raises InputError if lemmas must be looked up and simplemma is not installed.

    Parameters
    ----------
    texts : EncodedTexts
        Before phrases are joined.
    recipe : Recipe
        Its ``lemma_list`` is applied; if it is empty, lemmas of ``recipe.lemmas`` are looked up.
    written : iterable of str
        The original texts, needed for languages in which capitals matter.

    Returns
    -------
    texts : EncodedTexts
    lemma_list : tuple of str
        In the format of ``Recipe.lemma_list``: the forms whose lemma is in at least ``min_df``
        documents. Forms of rarer lemmas cannot enter the vocabulary, so the list omits them.
    """
    if not recipe.lemmas:
        return texts, ()
    lemma_list = recipe.lemma_list or _look_up(texts.words, recipe, written)
    lemma_of = lemma_of_form(lemma_list)
    number: dict[str, int] = {}
    names = (lemma_of.get(word, word) for word in texts.words)
    renumbered = np.array([number.setdefault(name, len(number)) for name in names], np.int32)
    texts = EncodedTexts(texts.word_ptr, renumbered[texts.word_idx], tuple(number))
    frequency = texts.document_frequency()
    fewest, _ = document_limits(recipe, len(texts.word_ptr) - 1)
    frequent = {name for name, place in number.items() if frequency[place] >= fewest}
    return texts, tuple(pair for pair in lemma_list if pair.split(LEMMA_SEPARATOR)[1] in frequent)


def _look_up(words: Sequence[str], recipe: Recipe, written: Iterable[str]) -> tuple[str, ...]:
    """Word forms with their lemmas, alphabetically; stop words are not changed."""
    if not can_lemmatize():
        raise InputError(MISSING)
    # Imported here because it is optional and loads its dictionaries slowly.
    from simplemma import lemmatize as look_up

    names = find_languages(recipe.lemmas)
    codes = tuple(CODES.get(name, LANGUAGES[name]) for name in names)
    spelling: dict[str, str] = {}
    if recipe.lowercase and not CAPITALS_MATTER.isdisjoint(names):
        spelling = _usual_spelling(written, recipe)
    stop_words = stop_set(recipe)
    lemma_of: dict[str, str] = {}
    for word in words:
        stays = word.lower() in stop_words or len(word) < MIN_LETTERS or "-" in word
        found = word if stays else look_up(spelling.get(word, word), codes)
        lemma = normalised(recipe, found)
        if lemma == word or look_up(found, codes) != found:
            continue
        # Both must fit in a pair, and the recipe must read the lemma as one word.
        is_plain = not any(
            sign in form for form in (word, lemma) for sign in (LEMMA_SEPARATOR, "_")
        )
        if is_plain and split_words(recipe, lemma) == [lemma]:
            lemma_of[word] = lemma
    # A form whose lemma is itself a form of another word ("founded", "found", "find") is ambiguous
    # and is left out. Thus each lemma is its own lemma, and a typed vocabulary word is not changed.
    unambiguous = sorted(word for word, lemma in lemma_of.items() if lemma not in lemma_of)
    return tuple(f"{word}{LEMMA_SEPARATOR}{lemma_of[word]}" for word in unambiguous)


def _usual_spelling(written: Iterable[str], recipe: Recipe) -> dict[str, str]:
    """Most frequent spelling, with or without capitals, of each lower-case word."""
    texts = encode_texts(written, replace(recipe, lowercase=False))
    counts = np.bincount(texts.word_idx, minlength=len(texts.words)).tolist()
    by_count = sorted(zip(counts, texts.words, strict=True))
    return {word.lower(): word for _, word in by_count}

"""Stop words: the list of a language, no words, or a list from a file."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

from ..utils.errors import InputError
from .encodings import decode
from .limits import read_source

# Languages with a long enough list in stopwords-iso and with spaces between words.
LANGUAGES = {
    "arabic": "ar",
    "bulgarian": "bg",
    "catalan": "ca",
    "croatian": "hr",
    "czech": "cs",
    "danish": "da",
    "dutch": "nl",
    "english": "en",
    "finnish": "fi",
    "french": "fr",
    "german": "de",
    "greek": "el",
    "hebrew": "he",
    "hindi": "hi",
    "hungarian": "hu",
    "indonesian": "id",
    "italian": "it",
    "norwegian": "no",
    "persian": "fa",
    "polish": "pl",
    "portuguese": "pt",
    "romanian": "ro",
    "russian": "ru",
    "slovak": "sk",
    "slovenian": "sl",
    "spanish": "es",
    "swedish": "sv",
    "turkish": "tr",
}
# Words that lose their last vowel before another: "l'", "qu'"; the token pattern keeps both as one.
ELIDED = {
    "catalan": "d l m n s t",
    "french": "c d j jusqu l lorsqu m n puisqu qu quoiqu s t",
    "italian": "all c d dall dell l m nell quell s sull t un",
}
VOWELS = frozenset("aàâeéèêëhiìîïoòôuùûyœ")

# scikit-learn's list suits a tokenizer that divides words at apostrophes. Ours keeps them, so the
# contractions of its words are added; the token pattern removes "'s".
CONTRACTIONS = (
    "ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't mustn't "
    "needn't shouldn't wasn't weren't won't wouldn't i'd i'll i'm i've you'd you'll you're you've "
    "he'd he'll she'd she'll it'd it'll we'd we'll we're we've they'd they'll they're they've "
    "that'd that'll there'd there'll who'd who'll who've what'll what're what've could've "
    "should've would've might've must've"
)
# Nouns and verbs on scikit-learn's list that can be the subject of a topic; not stop words here.
ENGLISH_TOPIC_WORDS = (
    "amount bill bottom cry describe detail empty fill fire front interest mill mine move serious "
    "sincere system thick thin"
)
# The same for stopwords-iso, whose lists contain frequent words of newspapers.
TOPIC_WORDS = {
    "french": "beau clac clic couic mine parole personne personnes pièce valeur",
    "german": "gott mann mensch menschen ordnung startseite",
    "italian": "accidenti cima citta città conclusione consiglio cortesia forza gente gruppo "
    "nome paese persone piedi registrazione scola scopo titolo uomo vita",
    "portuguese": "apoio caminho conselho corrente estado grupo local nome obra pessoas povo "
    "sistema trabalhar trabalho valor viagem",
    "russian": "вечер вода война глаз голова голос город деньги дверь дорога друг душа жена "
    "женщина жизнь земля книга комната лицо любить люди мать машина мир мира москва народ нога "
    "ночь отец плечо правда путь работа работать ребенок россия рука русский свет сила советский "
    "стол страна товарищ улица утро",
    "spanish": "pais paìs trabaja trabajais trabajamos trabajan trabajar trabajas trabajo valor",
}


@cache
def english_stop_words() -> tuple[str, ...]:
    """Return scikit-learn's list with contractions and without `TELLING_WORDS`, alphabetically."""
    # Imported here because it is slow and a query takes its stop words from the stored recipe.
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    stop_words = {*ENGLISH_STOP_WORDS, *CONTRACTIONS.split()} - set(ENGLISH_TOPIC_WORDS.split())
    return tuple(sorted(stop_words))


@cache
def stop_words_of(language: str) -> tuple[str, ...]:
    """Return the list of a language of ``LANGUAGES``, alphabetically.

    Except for English, this is the list of stopwords-iso without the words in `TELLING` and with
    the contractions that the token pattern does not divide ("qu'il").
    """
    if language == "english":
        return english_stop_words()
    # Imported here for the same reason.
    from stopwordsiso import stopwords

    # In the spelling that `recipe.normalised` gives the words of texts.
    plain = {
        unicodedata.normalize("NFKC", word.replace("\u2019", "'")).lower()
        for word in stopwords(LANGUAGES[language])
    }
    plain -= set(TOPIC_WORDS.get(language, "").split())
    joined = {
        f"{before}'{word}"
        for before in ELIDED.get(language, "").split()
        for word in plain
        if word[0] in VOWELS
    }
    return tuple(sorted(plain | joined))


def resolve_stop_words(choice: str) -> tuple[str, ...]:
    """Convert a choice to a list of words.

    The choice is ``none``, a language, several languages with commas between them, or the path of a
    file. A language has its English name or its code of two letters. Raises InputError if it is
    neither a language nor a readable text file.
    """
    if choice == "none":
        return ()
    languages = find_languages(choice)
    if languages:
        return tuple(sorted({word for name in languages for word in stop_words_of(name)}))
    path = Path(choice)
    # A single word that is not a file is a misspelt or unsupported language.
    if choice.replace(",", "").isalpha() and not path.exists():
        raise InputError(
            f"there is no list of stop words for {choice!r}; take {', '.join(sorted(LANGUAGES))}, "
            "auto, none, or the path of a file"
        )
    return tuple(sorted(set(decode(read_source(path), path.name).lower().split())))


def find_languages(choice: str) -> tuple[str, ...]:
    """Names of the languages in a choice; empty if any part of it is not a language."""
    by_code = {code: name for name, code in LANGUAGES.items()}
    parts = [part.strip().lower() for part in choice.split(",")]
    names = [by_code.get(part, part) for part in parts]
    return tuple(dict.fromkeys(names)) if all(name in LANGUAGES for name in names) else ()

"""Stop words: the list of a language, no words, or a list from a file."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path

from ..utils.errors import InputError
from .encodings import decode
from .limits import read_source
from .spelling import folded

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
# The same for stopwords-iso, whose lists contain frequent words of newspapers, and words that are
# spelled like a common word ("été", summer and been).
TOPIC_WORDS = {
    "arabic": "زيارة لقاء",
    "bulgarian": "автентичен глас евтин екип живот заспал мокър новина смях юмрук",
    "catalan": "estat mons",
    "czech": "chut' chuti clanek clanku clanky design email strana tema tipy téma zpravy zprávy "
    "článek článku články",
    "danish": "mand",
    "dutch": "miss wezen",
    "finnish": "asia asiaa asian asiasta asiat vuosi",
    "french": "bas bat beau clac clic couic dos essai force gens mine mot naturel naturelle "
    "naturelles parole personne personnes pièce retour sein sujet tente valeur voie état "
    "été étée étées étés",
    "german": "dasein gott mann mensch menschen ordnung recht rechte rechten rechter "
    "rechtes sache startseite suche wissen",
    "hungarian": "cikk cikkek cikkeket urak uram urat",
    "indonesian": "bekerja bulan kasus kata masalah rasa soal",
    "italian": "accidenti ansa cima citta città conclusione consiglio cortesia faccia fatto "
    "forza futuro gente gruppo mondo nome paese peccato persone piedi presa press "
    "registrazione scola scopo stati stato tempo titolo uomo vita",
    "norwegian": "arbeid folk makt navn punkt start tilstand verdi",
    "persian": "جناح خدمات زمینه مردم",
    "polish": "kierunku pan pana pani prof",
    "portuguese": "apoio caminho certeza conselho corrente dúvida estado grupo local "
    "noite nome nível número obra pessoas posição povo questão relação sistema "
    "tempo trabalhar trabalho valor verdade viagem área",
    "romanian": "acord fata frumos halbă nevoie noroc",
    "russian": "белый вечер взгляд вода война вопрос глаз голова голос город дверь дело деньги "
    "дорога друг душа жена женщина жизнь земля книга комната лицо любить люди мать машина "
    "миллионов мир мира москва народ нога ночь отец плечо правда процентов путь работа "
    "работать ребенок россия рука русский свет сила случай советский стол страна товарищ "
    "улица утро",
    "slovenian": "gospa gospod stvar",
    "spanish": "cuenta empleo estado estados pais paìs tiempo trabaja "
    "trabajais trabajamos trabajan trabajar trabajas trabajo valor verdad",
    "swedish": "beslut beslutat beslutit",
    "turkish": "kaynak",
}

# Letters of stopwords-iso that were read in a wrong encoding.
MISREAD = {
    "czech": {"d'": "\u010f", "t'": "\u0165"},
    "greek": {"\u2206": "\u03b4"},
    "hungarian": {"\u043e": "o", "\u00f5": "\u0151", "\u00fb": "\u0171"},
    "norwegian": {"\u00fb": "\u00f8", "\u00f6": "\u00f8"},
    "turkish": {
        "\u00f0": "\u011f", "\u00fd": "\u0131", "\u00fe": "\u015f", "\u0111": "\u011f",
        "\u0163": "\u015f",
    },
}  # fmt: skip


@cache
def english_stop_words() -> tuple[str, ...]:
    """Return scikit-learn's list with contractions, without `ENGLISH_TOPIC_WORDS`."""
    stop_words = {*_scikit_learn_list(), *CONTRACTIONS.split()} - set(ENGLISH_TOPIC_WORDS.split())
    return tuple(sorted(stop_words))


def _scikit_learn_list() -> frozenset[str]:
    """List of scikit-learn, from its file: an import of the package would take a second."""
    spec = find_spec("sklearn")
    assert spec is not None
    assert spec.origin is not None
    file = Path(spec.origin).with_name("feature_extraction") / "_stop_words.py"
    source = spec_from_file_location(file.stem, file)
    assert source is not None
    assert source.loader is not None
    module = module_from_spec(source)
    source.loader.exec_module(module)
    words: frozenset[str] = module.ENGLISH_STOP_WORDS
    return words


@cache
def stop_words_of(language: str) -> tuple[str, ...]:
    """Return the list of a language of ``LANGUAGES``, alphabetically.

    Except for English, this is the list of stopwords-iso without the words in `TOPIC_WORDS`, in
    today's spelling and in the spelling of old keyboards (ş and ș in Romanian).
    """
    if language == "english":
        return english_stop_words()
    # Imported here for the same reason.
    from stopwordsiso import stopwords

    listed = stopwords(LANGUAGES[language]) - set(TOPIC_WORDS.get(language, "").split())
    words = {word for entry in listed for word in entry.split()}
    for wrong, right in MISREAD.get(language, {}).items():
        words = {word.replace(wrong, right) for word in words}
    if language == "greek":
        words |= {accented for word in words for accented in _with_accents(word)}
    # As old keyboards write them, and as the recipe of this language reads them.
    plain = {folded(word).strip() for word in words}
    plain |= {folded(word, languages=(language,)).strip() for word in words}
    return tuple(sorted(plain - {""}))


def _with_accents(word: str) -> Iterator[str]:
    """Spellings of an unaccented Greek word with an accent on one of its last three vowels."""
    vowels = [place for place, letter in enumerate(word) if letter in "αεηιουω"]
    if len(vowels) > 1 and unicodedata.normalize("NFD", word).isalpha():
        for place in vowels[-6:]:
            accented = f"{word[: place + 1]}\u0301{word[place + 1 :]}"
            yield unicodedata.normalize("NFC", accented)


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

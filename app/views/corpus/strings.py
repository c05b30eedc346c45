"""Strings of the Corpus page."""

from __future__ import annotations

from collections.abc import Sequence

from ....core.data.passages import LONG_WORDS
from ....core.model.terms import Terms, counted

TITLE = "Corpus"
SENTENCE = "The texts that a model learns from, and the recipe that turns them into words."

ADD = "Add a corpus"
UPLOAD = "Upload texts or a graph"
UPLOAD_HELP = (
    "Tables (.csv .tsv .json .jsonl .parquet .xlsx .ods), texts (.txt with one document per line), "
    "documents (.docx .odt .pdf .rtf .html .srt .vtt .eml .mbox; several of them, or a .zip), "
    "or a matrix (.npz .mtx .dat .mat) together with its vocabulary.txt. Or a weighted graph, such "
    "as diseases and their symptoms: a table with a row for each link, and its weight."
)
DROP = "Remove it"
PATH = "Or a file or folder on this machine"
PATH_HINT = "/home/me/notes.csv"
ENCODING = "Encoding"
ENCODING_AUTO = "Detect"
ENCODING_HELP = "The character encoding of the file. Choose one if accents look wrong on the right."

# Controls of a table; the labels also name them beside the guesses that they override.
TABLE = "If the table was read wrongly"
HEADER, DELIMITER, MISSING = "Header", "Cells are separated by", "Words for an empty cell"
HEADER_CHOICES = {
    "": "Detect",
    "yes": "The first row has the column names",
    "no": "There are no column names",
}
HEADER_HELP = "Or type the line of the file with the column names, such as 3, or 1-3 for several."
DELIMITER_CHOICES = {
    "": "Detect",
    "comma": "Commas",
    "semicolon": "Semicolons",
    "tab": "Tabs",
    "bar": "Vertical bars",
    "space": "Spaces",
    "none": "Nothing: each line is one text",
}
MISSING_HINT = "NA, NULL, #N/A …"
MISSING_HELP = (
    "Words that mean that a cell is empty, separated by commas, or “none”. By default the usual "
    "ones of R, SQL, Excel, pandas and Reddit."
)

SHEET = "Sheet"
SHEET_AUTO = "The one with the most text"
SHEET_HELP = "Name or number of the sheet to read."
PASSAGES = "Passages"
PASSAGES_AUTO = "Whole, unless there is only one"
PASSAGES_HELP = (
    "Long documents can be divided into passages, each of which becomes a document of its own: "
    "at blank lines, every 10 sentences, or at the turns of the speakers in a transcript. For "
    "another number of sentences type sentences:5, and for a marker at the beginning of lines "
    "type marker:***."
)
PASSAGE_CHOICES = {
    "none": "Whole documents",
    "paragraphs": "Paragraphs",
    "sentences:10": "10 sentences each",
    "turns": "Turns of a transcript",
}

COLUMNS = "Columns"
TEXT_COLUMN = "Text"
ID_COLUMN, LABEL_COLUMN, DATE_COLUMN, TITLE_COLUMN = "Id", "Label", "Date", "Title"
DATE_ORDER, DATE_ORDER_AUTO = "Dates are written", "Detect"
DATE_ORDER_HELP = "Whether 5/3/21 is in March or in May. By default the whole column decides."
NO_ID = "row number"
NO_LABEL = "none"
# Label of an optional column, label of the choice of no column, and help text.
ROLES: dict[str, tuple[str, str, str | None]] = {
    "id": (ID_COLUMN, NO_ID, None),
    "label": (
        LABEL_COLUMN,
        NO_LABEL,
        "The class of each document, if there is one. Training does not use it.",
    ),
    "date": (DATE_COLUMN, NO_LABEL, "Documents are filtered and counted by its years."),
    "title": (TITLE_COLUMN, NO_LABEL, "Documents are listed by it."),
}

RECIPE = "Recipe"
LOWERCASE = "Lower case"
PHRASES = "Join phrases"
PHRASES_HELP = "Two words that are adjacent far more often than expected count as one word."
TOKENS = "Tokens"
TOKEN_CHOICES = {"words": "Words", "signs": "Characters"}
TOKENS_HELP = (
    "Words are separated by spaces and punctuation. For Chinese and Japanese choose characters: "
    "each one is a token, and joined phrases are the words of several characters."
)
HEADERS_FOUND = (
    "Most documents begin with the header of a post or an email. Clear these boxes to keep headers "
    "or quotations as words."
)
HEADERS = "Leave out headers"
HEADERS_HELP = (
    "Lines such as “From: …”, “Organization: …” and “Lines: …” are left out; only the words of "
    "the subject are kept."
)
QUOTES_FOUND = "Some documents quote other emails."
QUOTES = "Leave out quotations and signatures"
QUOTES_HELP = (
    "Lines that begin with “>” or another mark of a quotation are left out, and the last lines "
    "after a line “--”."
)
MARKUP_FOUND = "The texts contain markup: {kinds}."
MARKUP = "Leave out markup"
MARKUP_HELP = (
    "Tags such as `<p>`, web addresses and user names are left out. Signs such as `&nbsp;` and "
    "`(cid:12)` are read as the characters that they stand for."
)
STOP_WORDS = "Stop words"
STOP_CHOICES = {"auto": "For the detected language", "none": "None", "own": "My own"}
STOP_HELP = (
    "Common words that do not distinguish topics, such as “the”. The table on the right shows "
    "which of them occurred and were left out."
)
STOP_LIST = "Words to leave out"
STOP_LIST_HELP = "Separated by spaces or line breaks."
LEMMAS = "Forms of a word"
LEMMA_CHOICES = {"": "Keep apart", "auto": "Merge, for the detected language"}
LEMMAS_HELP = (
    "Read “star” and “stars” as one word, the dictionary form (its lemma). "
    "Queries are read in the same way."
)
MIN_DF = "In at least (documents)"
MIN_DF_HELP = (
    "A word in fewer documents than this is left out, since it is too rare to learn from (min-df)."
)
MAX_DF = "In at most (% of them)"
MAX_DF_HELP = (
    "A word in more than this share of the documents is left out, since it is too common to "
    "distinguish topics (max-df)."
)
VOCABULARY = "Maximum number of words"
VOCABULARY_HELP = "If more words than this remain, those in the most documents are kept."
MATRIX_RECIPE = "A ready-made matrix keeps its vocabulary and needs no recipe."

NAME = "Name"
SAVE = "Save corpus"
CANCEL = "Discard"
STOP = "Stop and discard"
TO_TRAIN = "Train a model on it"
READING = "Reading the source …"
LOOKING = "Looking for languages and headers …"
APPLYING = "Applying the recipe …"
SAVING = "Saving …"

DOCUMENTS = "Documents"
WORDS = "Words"
LEFT_OUT = "Words left out"
PER_DOCUMENT = "Per document"
PER_DOCUMENT_HELP = "Different words of the vocabulary in a document, on average."
DROPPED_TITLE = "Left out, and by which rule"
DROPPED_NONE = "No word was left out."
FREQUENT_TITLE = "Most common words, by documents"
FREQUENT_ALT = "The words in the most documents, with the number of documents."
HISTOGRAM_TITLE = "Different words per document"
HISTOGRAM_ALT = "Histogram of the number of different words in a document."
HISTOGRAM_X = "different words in a document"
HISTOGRAM_Y = "documents"
READ_TITLE = "How it was read"
READ_NOTE = "If a line is wrong, change the control that it names and look again."
READ_NOTE_SAVED = "If a line is wrong, import the texts again and set the control that it names."
TABLE_WHAT, TABLE_READ, TABLE_CHANGE = "What", "Read as", "To change it"
ROWS_TITLE = "First rows of the source"
DOCUMENTS_TITLE = "First documents"
RULES = {
    "stop word": "stop word",
    "too rare": "in too few documents",
    "too common": "in too many documents",
    "beyond the vocabulary limit": "beyond the maximum number of words",
}
TABLE_RULE, TABLE_WORDS, TABLE_TIMES, TABLE_EXAMPLES = "Rule", "Words", "Times", "Examples"

# Labels of the controls that override a guess, by the name of the option.
OPTION_LABELS = {
    "encoding": ENCODING,
    "header": HEADER,
    "delimiter": DELIMITER,
    "sheet": SHEET,
    "passages": PASSAGES,
    "missing": MISSING,
    "text_column": f"Columns: {TEXT_COLUMN}",
    "id_column": f"Columns: {ID_COLUMN}",
    "label_column": f"Columns: {LABEL_COLUMN}",
    "date_column": f"Columns: {DATE_COLUMN}",
    "date_order": DATE_ORDER,
    "title_column": f"Columns: {TITLE_COLUMN}",
    "stop_words": STOP_WORDS,
    "languages": STOP_WORDS,
    "token_pattern": TOKENS,
    "strip_headers": HEADERS,
    "no_strip_headers": HEADERS,
    "strip_quotes": QUOTES,
    "no_strip_quotes": QUOTES,
    "strip_markup": MARKUP,
}

NO_REPORT = "This corpus was saved without a report on the words that were left out."

EMPTY_TITLE = "No corpus yet"
EMPTY = (
    "Upload a file of texts. Here you will see which words the recipe keeps and leaves out, "
    "before you save the corpus. A weighted graph is welcome too: it becomes a model at once."
)
UPLOADED_BEFORE = "Continuing with your upload {name}."
MANY_LABELS = (
    "The label has {labels:,} different values. It is kept, but documents can be filtered by a "
    "label of at most {most:,}."
)
PREVIEW_OF = "Preview of {name}"

ADOPT_TITLE = "{name} is a weighted graph, not texts"
ADOPT = "Use it as a model"
ADOPT_CANCEL = "Cancel"
ADOPT_NOT = "This is no graph: read it as texts"
ADOPT_NAME = "Name of the model"
ADOPT_SCALE = "The weights are"
ADOPT_SCALES = {"probability": "probabilities", "noisy-or": "other weights (noisy-OR)"}
ADOPT_SCALE_NOTES = {
    "probability": "All of them are below 1, so they are read as probabilities.",
    "noisy-or": "Some of them are 1 or more, so they are not probabilities.",
}
ADOPT_TOPIC_TERM = "One cause is called"
ADOPT_WORD_TERM = "One effect is called"
ADOPT_TERM_HELP = "In the singular. If the plural below is wrong, type both: datum/data."
ADOPT_RATES = "How frequent each {topic} is (optional)"
ADOPT_RATES_HELP = (
    "A CSV file with the columns node and leak: the name of each {topic}, and its rate in the same "
    "scale as the weights."
)
ADOPT_RATES_KEPT = "The rates that you uploaded are used."
ADOPT_RATES_DROP = "Remove them"
ADOPT_RATE = "Rate of every {topic}, in %"
ADOPT_SAME_RATE = (
    "Without a file of rates, every {topic} is taken to be equally frequent ({percent} %). "
    "Answers then depend on the links alone."
)


def passages_offered(rule: str, share: float) -> str:
    """Hint that whole documents should be divided, with the share of long ones."""
    if rule == "turns":
        choice = PASSAGE_CHOICES["turns"]
        return f"This looks like a transcript: with “{choice}”, each turn becomes a document."
    choices = " or ".join(f"“{PASSAGE_CHOICES[rule]}”" for rule in ("paragraphs", "sentences:10"))
    return (
        f"{share:.0%} of the documents have more than {LONG_WORDS:,} words, which belong to many "
        f"topics: {choices} divide them."
    )


def few_texts(texts: int, rule: str = "") -> str:
    """Warning about a file with too few texts for topics, and the rule that divides them if any."""
    remedy = "use some hundred texts or more"
    if rule:
        remedy = f"divide these long ones: choose “{PASSAGE_CHOICES[rule]}” at “{PASSAGES}”"
    return (
        f"Only {counted(str(texts), 'text')}: topics need words that come together in many texts, "
        f"so {remedy}."
    )


def graph_size(topics: int, words: int, links: int, terms: Terms) -> str:
    """Size of a graph, and what becomes of it."""
    parents = counted(f"{topics:,}", terms.topic, terms.topics)
    sizes = f"{parents}, {counted(f'{words:,}', terms.word, terms.words)}"
    return f"{sizes} and {counted(f'{links:,}', 'link')}. It can be queried at once."


def phrases_joined(count: int) -> str:
    """Number of phrases among the words."""
    return "1 of the words is a phrase." if count == 1 else f"{count:,} of the words are phrases."


def kept_documents(kept: int, left_out: int) -> str:
    """Number of kept documents."""
    if not left_out and kept == 1:
        return "The 1 document that was read is kept."
    verb = "is" if kept == 1 else "are"
    share = f"{kept:,} of {kept + left_out:,}" if left_out else f"All {kept:,}"
    return f"{share} documents that were read {verb} kept."


def kept_words(kept: int, left_out: int, beyond: int) -> str:
    """Number of kept words, and number of words beyond the limit."""
    if not left_out:
        return f"All {kept:,} different words are kept."
    text = f"{kept:,} of {kept + left_out:,} different words are kept."
    if not beyond:
        return text
    return f"{text} {beyond:,} more would be kept if the limit were not {kept:,}."


def languages_found(languages: Sequence[str]) -> str:
    """Detected languages, whose stop words are left out."""
    if not languages:
        return "No language was recognised; no stop words are left out."
    return f"Found: {_listed(languages)}."


def lemmas_found(languages: Sequence[str]) -> str:
    """Detected languages, whose words are lemmatised."""
    if not languages:
        return "No language was recognised; all forms are kept apart."
    return f"Found: {_listed(languages)}."


def other_languages(languages: Sequence[str]) -> str:
    """Note on texts in another language, or in several, than the stop words."""
    found = f"The texts seem to be in {_listed(languages)}; choose"
    if len(languages) == 1:
        return f"{found} stop words for that."
    return f"{found} “{STOP_CHOICES['auto']}”, which leaves out the stop words of all of them."


def _listed(languages: Sequence[str]) -> str:
    return " and ".join(name.capitalize() for name in languages)


def stop_words_took(taken: int, of_all: int) -> str:
    """Number and share of stop words in the texts."""
    return f"{taken:,} of the {of_all:,} words in the texts are stop words ({taken / of_all:.0%})."


def skipped_files(count: int, examples: Sequence[str]) -> str:
    """Number and examples of files that were left out; `READ_TITLE` has the reasons."""
    subject = "1 file was" if count == 1 else f"{count:,} files were"
    return f"{subject} left out: {_some(examples, count)}"


def _some(examples: Sequence[str], count: int) -> str:
    shown = examples[:5]
    return ", ".join(shown) + (" …" if count > len(shown) else "")

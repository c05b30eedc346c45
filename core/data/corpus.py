"""Corpus: the tokens of each document, with the documents and the recipe that made the tokens."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..utils import notebook
from ..utils.errors import InputError
from ..utils.lazy import LazyModule
from ..utils.types import Int32Array, Int64Array, ProgressCallback, no_progress
from .columns import normal_table, with_ordered_dates
from .encodings import has_line_break
from .folders import document_names
from .guesses import Guess
from .languages import adapted, languages_of, lemmatize, word_guesses
from .mail import (
    MIN_QUOTING,
    begin_with_headers,
    default_recipe,
    share_with_quotations,
    stripped,
    without_header,
)
from .markup import describe_markup, find_markup
from .passages import DOCUMENT, NONE, TURNS, divide, document_of_passage, offered, turns_guesses
from .query import parse_query
from .raw import RawDocuments, RawMatrix
from .readers import read_documents
from .recipe import Recipe, check_recipe, matrix_recipe
from .report import ImportReport, histogram, skipped_line_messages
from .stop_words import stop_words_of
from .vocabulary import EXAMPLES, RULES, DroppedTerms, choose_terms, encode_texts

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

# Letters of a repeated text in the report.
MAX_REPEATED = 60
# Documents in the notebook display of a corpus.
DOCUMENTS_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents as sets of tokens.

    Attributes
    ----------
    token_ptr : int64 array, shape (n_documents + 1,)
        ``token_idx[token_ptr[d]:token_ptr[d + 1]]`` are the tokens of document ``d``, ascending,
        each once.
    token_idx : int32 array
    vocabulary : tuple of str, length n_tokens
        Phrases have ``_`` between their words.
    documents : pandas.DataFrame, n_documents rows
        Columns ``id`` and ``text`` (str), ``label`` (str or None), and other columns of the source.
    recipe : Recipe
        Conversion of a query to tokens.
    dropped_ids : tuple of str
        Documents of the source that are not in the corpus because they have no token.
    whole_texts : dict of str to str
        Text of each document by its id, if the rows are passages (`core.data.passages`), which are
        parts of these texts; otherwise empty.
    report : ImportReport, optional
        How the source was read, and what was kept and dropped; printing it shows both. None for a
        corpus that was not imported.
    """

    token_ptr: Int64Array
    token_idx: Int32Array
    vocabulary: tuple[str, ...]
    documents: pd.DataFrame
    recipe: Recipe
    dropped_ids: tuple[str, ...] = ()
    whole_texts: Mapping[str, str] = field(default_factory=dict)
    report: ImportReport | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        self.token_ptr.flags.writeable = self.token_idx.flags.writeable = False

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return len(self.token_ptr) - 1

    @property
    def n_tokens(self) -> int:
        """Size of the vocabulary."""
        return len(self.vocabulary)

    @cached_property
    def token_number(self) -> dict[str, int]:
        """Index of each word in the vocabulary."""
        return {word: number for number, word in enumerate(self.vocabulary)}

    @cached_property
    def document_of_passage(self) -> Int64Array | None:
        """Index of the document of each row, if the rows are passages; otherwise None."""
        return document_of_passage(self.documents)

    def tokens_of(self, row: int) -> Int32Array:
        """Tokens of one document, ascending."""
        return self.token_idx[self.token_ptr[row] : self.token_ptr[row + 1]]

    def document_frequency(self) -> Int64Array:
        """Count the documents that contain each token, shape (n_tokens,)."""
        return np.bincount(self.token_idx, minlength=self.n_tokens).astype(np.int64)

    def to_csr(self) -> sparse.csr_array:
        """Matrix of documents by tokens; 1.0 marks presence."""
        ones = np.ones(len(self.token_idx), np.float64)
        shape = (self.n_documents, self.n_tokens)
        return sparse.csr_array((ones, self.token_idx, self.token_ptr), shape=shape)

    def __repr__(self) -> str:
        return f"Corpus({self.n_documents} documents, {self.n_tokens} words)"

    def _repr_html_(self) -> str:
        """Size of the corpus, its most frequent words, and its first documents."""
        frequency = self.document_frequency()
        top = np.argsort(-frequency, kind="stable")[:EXAMPLES]
        words = ", ".join(self.vocabulary[word].replace("_", " ") for word in top)
        per_document = len(self.token_idx) / max(self.n_documents, 1)
        facts = (
            f"{self.n_documents} documents",
            f"{self.n_tokens} words",
            f"{per_document:.1f} of them in a document",
            f"most often: {words}",
        )
        first = self.documents.head(DOCUMENTS_SHOWN)
        cells = zip(first["id"], first["label"], first["text"], strict=True)
        rows = [(name, label or "", notebook.shortened(text)) for name, label, text in cells]
        return notebook.card("Corpus", facts, notebook.table(("id", "label", "text"), rows))

    def subset(self, rows: npt.ArrayLike) -> Corpus:
        """Return the documents in these rows, in this order, under the same vocabulary.

        The result has no report, which describes the import of all documents.

        Parameters
        ----------
        rows : array_like
            Row numbers, or a boolean mask of shape (n_documents,). An InputError refuses a mask of
            another length.
        """
        chosen = np.asarray(rows).reshape(-1)
        if chosen.dtype == bool:
            if len(chosen) != self.n_documents:
                raise InputError(
                    f"the mask has {len(chosen)} values for {self.n_documents} documents; give one "
                    "for each"
                )
            chosen = np.flatnonzero(chosen)
        chosen = chosen.astype(np.int64)
        presence = self.to_csr()[chosen]
        return replace(
            self,
            token_ptr=presence.indptr.astype(np.int64),
            token_idx=presence.indices.astype(np.int32),
            documents=self.documents.iloc[chosen].reset_index(drop=True),
            report=None,
        )

    def in_use(self) -> Corpus:
        """Return the same documents with only those vocabulary words that occur in them."""
        used, number = np.unique(self.token_idx, return_inverse=True)
        return replace(
            self,
            token_idx=number.astype(np.int32),
            vocabulary=tuple(self.vocabulary[token] for token in used.tolist()),
        )

    def parse(self, text: str) -> tuple[Int32Array, list[str]]:
        """Tokens and unknown words of a query; see `core.data.query.parse_query`."""
        return parse_query(self.recipe, self.token_number, text)


def read_corpus(source: str | Path, recipe: Recipe | None = None, **options: Any) -> Corpus:
    """Read a corpus; ``source`` and ``options`` are the arguments of `read_documents`.

    ``report`` of the corpus lists how the source was read. A warning reports lines of a table that
    were left out: a title above the header, or lines that cannot be read. Raises InputError for an
    argument that does not exist.
    """
    _check_arguments(options)
    corpus, report = build_corpus(read_documents(source, **options), recipe)
    for message in skipped_line_messages(report.as_dict()):
        warnings.warn(message, stacklevel=2)
    return corpus


def _check_arguments(options: Mapping[str, Any]) -> None:
    """Refuse an argument that `read_corpus` does not have; fields of a recipe are named as such."""
    known = [name for name in inspect.signature(read_documents).parameters if name != "source"]
    for name in options.keys() - known:
        if name in Recipe.__dataclass_fields__:
            raise InputError(f"{name} is a field of the recipe; give recipe=Recipe({name}=…)")
        listed = ", ".join(["source", "recipe", *known])
        raise InputError(f"read_corpus has no argument {name!r}; its arguments are {listed}")


def build_corpus(
    raw: RawDocuments | RawMatrix,
    recipe: Recipe | None = None,
    progress: ProgressCallback = no_progress,
) -> tuple[Corpus, ImportReport]:
    """Convert documents to a corpus by a recipe; a ready-made matrix is not changed.

    Raises InputError if the recipe is not valid or leaves no word, or if an order of dates is given
    for turns without dates.

    Parameters
    ----------
    recipe : Recipe, optional
        By default, `default_recipe` of the texts. Ignored for a matrix. The recipe of the corpus is
        this one, extended by the learned phrases and lemmas and by the names of the text columns.
    progress : callable
        Progress callback; receives the fraction of the texts that is split into words, the slowest
        step.

    Returns
    -------
    corpus : Corpus
        Without the documents that have no token; a matrix keeps all its rows.
    report : ImportReport
    """
    if isinstance(raw, RawMatrix):
        return _corpus_of_matrix(raw)
    table = raw.table
    given = table["text"].tolist()
    recipe = replace(
        recipe or default_recipe(given),
        matrix=False,
        text_columns=raw.text_columns,
        # Speakers are the labels of turns.
        label_column="" if raw.passages == TURNS else raw.label_column,
        date_column=raw.date_column,
    )
    check_recipe(recipe)
    bodies = list(map(without_header, given)) if recipe.strip_headers else given
    guesses = _text_guesses(given, bodies, recipe)
    if recipe.strip_headers or recipe.strip_quotes or recipe.strip_markup:
        others = replace(recipe, strip_headers=False)
        table = table.assign(text=[stripped(body, others) for body in bodies])
        table = normal_table(table)
    # The lists take as much memory as the table.
    del given, bodies
    table, whole_texts, passages = _divided(table, raw.passages, raw.date_order)
    all_ids = table["id"].tolist()
    # Documents without content are dropped in any case; they do not count towards the limits.
    is_filled = table["text"].str.strip().to_numpy() != ""
    empty_ids = tuple(table["id"][~is_filled])
    names = dict(zip(all_ids, document_names(table), strict=True))
    if is_filled.any() and not is_filled.all():
        table = table[is_filled].reset_index(drop=True)
    guesses += _repeated_texts(table)
    recipe = adapted(recipe, table["text"].tolist())
    guesses += word_guesses(recipe, table["text"].tolist())
    n_texts = max(len(table), 1)
    texts = encode_texts(table["text"], recipe, lambda done: progress(done / n_texts))
    texts, lemmas = lemmatize(texts, recipe, table["text"])
    texts, phrases, terms = choose_terms(texts, recipe)
    words = tuple(texts.words[word] for word in terms.kept.tolist())
    if any(map(has_line_break, words)):
        raise InputError(
            r"the token pattern makes words with line breaks; add \s to what it leaves out, as in "
            r"[^\s,]+"
        )
    counts = texts.counts(terms.kept)
    is_kept = np.diff(counts.indptr) > 0
    pointer = np.concatenate([[0], np.cumsum(np.diff(counts.indptr)[is_kept])])
    kept_ids = set(table["id"][is_kept])
    corpus = Corpus(
        token_ptr=pointer.astype(np.int64),
        token_idx=counts.indices.astype(np.int32),
        vocabulary=words,
        documents=table[is_kept].reset_index(drop=True),
        recipe=replace(recipe, phrase_list=phrases, lemma_list=lemmas),
        dropped_ids=tuple(name for name in all_ids if name not in kept_ids),
        whole_texts=whole_texts,
    )
    wordless_ids = table["id"][~is_kept].tolist()
    examples = (ids[:EXAMPLES] for ids in (corpus.dropped_ids, empty_ids, wordless_ids))
    report = replace(
        _report(corpus, terms.dropped),
        empty_documents=len(empty_ids),
        empty_document_ids=empty_ids[:EXAMPLES],
        wordless_document_ids=tuple(wordless_ids[:EXAMPLES]),
        dropped_names={name: names[name] for name in chain(*examples) if names[name] != name},
        occurrences=len(texts.word_idx),
        skipped_files=len(raw.skipped),
        skipped_file_names=raw.skipped[:EXAMPLES],
        broken_lines=len(raw.broken_lines),
        broken_rows=len(raw.broken_rows),
        first_broken_lines=raw.broken_rows[:EXAMPLES],
        why_broken=raw.why_broken,
        title=raw.title,
        how_it_was_read=(*raw.guesses, *guesses, *passages),
    )
    return replace(corpus, report=report), report


def _divided(
    table: pd.DataFrame, rule: str, order: str | None
) -> tuple[pd.DataFrame, dict[str, str], tuple[Guess, ...]]:
    """Documents divided into passages by a rule, their whole texts, and what to report of it."""
    if rule == NONE:
        offer = offered(table["text"].tolist())
        return table, {}, () if offer is None else (offer,)
    passages, whole_texts = divide(table, rule)
    if order is not None:
        passages = with_ordered_dates(passages, order)
    if rule == TURNS and passages["label"].isna().all():
        reason = "no line begins with a name and a colon that occur again, so no text is divided"
        return passages, whole_texts, (Guess("passages", "no speaker", reason, "passages"),)
    plural = "s" if len(table) > 1 else ""
    value = f"{len(passages):,}, from {len(table):,} document{plural}"
    reason = f"divided by the rule {rule}"
    if len(table) == 1:
        reason += (
            "; the source is a single document, which gives no test set, since that is made of "
            "documents"
        )
    guesses = [Guess("passages", value, reason, "passages")]
    if rule == TURNS:
        dated = "date" in passages and "date" not in table
        guesses += turns_guesses(passages, order, dated=dated)
    return passages, whole_texts, tuple(guesses)


def _text_guesses(texts: list[str], bodies: list[str], recipe: Recipe) -> list[Guess]:
    """Describe the texts, and their treatment by the recipe.

    ``bodies`` are the texts without headers, if the recipe leaves these out.
    """
    guesses = []
    are_mails = begin_with_headers(texts)
    if are_mails:
        value, option = "kept as words", "strip_headers"
        if recipe.strip_headers:
            value, option = "left out but for the subject", "no_strip_headers"
            texts = bodies
        reason = "most texts begin with the header of a post or mail"
        guesses.append(Guess("headers", value, reason, option))
    languages = languages_of(texts)
    if languages:
        named = " and ".join(name.capitalize() for name in languages)
        reason = "by their common words" if len(languages) > 1 else "by its common words"
        unset = [name.capitalize() for name in languages if not _are_set(name, recipe)]
        if unset:
            reason += f"; the stop words of {' and '.join(unset)} are not set"
        guesses.insert(0, Guess("language", named, reason, "stop_words"))
    quoting = share_with_quotations(texts)
    if quoting >= MIN_QUOTING or (are_mails and recipe.strip_quotes):
        value, option = "kept as words", "strip_quotes"
        if recipe.strip_quotes:
            value, option = "left out, and so are signatures", "no_strip_quotes"
        reason = f"{quoting:.0%} of the texts examined quote other mails"
        guesses.append(Guess("quotations", value, reason, option))
    markup = find_markup(texts)
    if markup:
        done = "left out" if recipe.strip_markup else "kept as words"
        value = f"{done}: {describe_markup(markup)}"
        guesses.append(Guess("markup", value, "", "strip_markup"))
    return guesses


def _are_set(language: str, recipe: Recipe) -> bool:
    """Whether a recipe leaves out the stop words of a language."""
    own = stop_words_of(language)
    # A list of one's own may lack a few of them.
    return 2 * len(set(own) & set(recipe.stop_words)) >= len(own)


def _repeated_texts(table: pd.DataFrame) -> list[Guess]:
    """Report of documents that repeat the text of an earlier one; empty without any."""
    texts = table["text"].str.strip()
    texts = texts[texts != ""]
    n_repeated = int(texts.duplicated().sum())
    if not n_repeated:
        return []
    most = texts[texts.duplicated(keep=False)].value_counts(sort=True)
    text, count = " ".join(str(most.index[0]).split()), int(most.iloc[0])
    shown = text if len(text) <= MAX_REPEATED else f"{text[: MAX_REPEATED - 1]}…"
    times = f"most often “{shown}”, {count:,} times" if count > 2 else f"such as “{shown}”"
    verb = "repeats" if n_repeated == 1 else "repeat"
    value = f"{n_repeated:,} of {len(table):,} documents {verb} the text of another, {times}"
    reason = "they are kept; remove them from the source to count each text once"
    return [Guess("repeated texts", value, reason)]


def _corpus_of_matrix(raw: RawMatrix) -> tuple[Corpus, ImportReport]:
    counts = raw.counts.copy()
    counts.eliminate_zeros()
    counts.sort_indices()
    if not counts.nnz:
        raise InputError("the matrix has no entry above zero; give one with words in documents")
    corpus = Corpus(
        token_ptr=counts.indptr.astype(np.int64),
        token_idx=counts.indices.astype(np.int32),
        vocabulary=raw.vocabulary,
        documents=raw.table,
        recipe=matrix_recipe(),
    )
    report = _report(corpus, {rule: DroppedTerms(0, ()) for rule in RULES})
    report = replace(report, how_it_was_read=raw.guesses)
    return replace(corpus, report=report), report


def _report(corpus: Corpus, dropped_terms: dict[str, DroppedTerms]) -> ImportReport:
    frequency = corpus.document_frequency()
    top = np.argsort(-frequency, kind="stable")[:EXAMPLES]
    lengths = np.diff(corpus.token_ptr)
    return ImportReport(
        documents=corpus.n_documents,
        vocabulary=corpus.n_tokens,
        tokens_per_document=float(lengths.mean()),
        dropped_documents=len(corpus.dropped_ids),
        dropped_document_ids=corpus.dropped_ids[:EXAMPLES],
        dropped_terms=dropped_terms,
        frequent_words=tuple((corpus.vocabulary[word], int(frequency[word])) for word in top),
        histogram=histogram(lengths),
        phrases=len(corpus.recipe.phrase_list),
    )


def evenly_spaced(rows: Int64Array, most: int) -> Int64Array:
    """At most ``most`` of the rows, evenly spaced, because corpora are often sorted by subject."""
    return rows if len(rows) <= most else rows[np.arange(most) * len(rows) // most]


def split_held_out(
    corpus: Corpus, fraction: float = 0.1, seed: int = 0, ids: Iterable[str] | None = None
) -> tuple[Int64Array, Int64Array]:
    """Divide the documents into a training set and a held-out test set.

    Raises InputError if an id is not in the corpus, only some passages of a document are named, or
    the training set is empty.

    Parameters
    ----------
    fraction : float
        Share of the documents to hold out, at least 0 and below 1: the last of a random order.
        The passages of one document are all held out, or all kept; the share is then as near as
        whole documents allow.
    seed : int
        Seed of the random order.
    ids : iterable of str, optional
        Hold out exactly the documents with these ids; ``fraction`` is then ignored. The id of a
        document holds out all its passages. Ids of documents that the import dropped are ignored.

    Returns
    -------
    train_rows, held_out_rows : int64 arrays
        Ascending; each row of the corpus is in exactly one of them.
    """
    group = corpus.document_of_passage
    if ids is not None:
        is_held_out = _with_ids(corpus, ids, group)
    elif not 0 <= fraction < 1:
        raise InputError(f"the held-out fraction is {fraction}; expected at least 0 and below 1")
    else:
        rng = np.random.default_rng(seed)
        is_held_out = np.zeros(corpus.n_documents, bool)
        if group is None:
            count = round(fraction * corpus.n_documents)
            is_held_out[rng.permutation(corpus.n_documents)[corpus.n_documents - count :]] = True
        else:
            is_held_out = np.isin(group, last_groups(group, fraction, rng))
    if is_held_out.all():
        raise InputError("every document is held out and none is left to train on; hold out fewer")
    return np.flatnonzero(~is_held_out), np.flatnonzero(is_held_out)


def last_groups(
    group: Int64Array, fraction: float, rng: np.random.Generator, at_least: int = 0
) -> Int64Array:
    """Last groups of a random order, with about this share of all members; never all groups."""
    sizes = np.bincount(group)
    order = rng.permutation(len(sizes))[::-1]
    members = np.concatenate([[0], np.cumsum(sizes[order])])[:-1]
    count = int(np.argmin(np.abs(members - fraction * len(group))))
    return order[: max(count, at_least)].astype(np.int64)


def _with_ids(
    corpus: Corpus, ids: Iterable[str], group: Int64Array | None
) -> npt.NDArray[np.bool_]:
    """Whether each row is held out by a list of ids, of passages or of their documents."""
    chosen = np.zeros(corpus.n_documents, bool)
    row_of_id = {name: row for row, name in enumerate(corpus.documents["id"])}
    rows_of_document: dict[str, list[int]] = {}
    if group is not None:
        for row, name in enumerate(corpus.documents[DOCUMENT].astype(str)):
            rows_of_document.setdefault(name, []).append(row)
    known = {*corpus.dropped_ids, *corpus.whole_texts}
    for name in ids:
        if name in row_of_id and rows_of_document.get(name, [row_of_id[name]]) != [row_of_id[name]]:
            raise InputError(
                f"the held-out id {name!r} is a document and a passage of another one; name the "
                "documents, and give this document another id"
            )
        if name in row_of_id:
            chosen[row_of_id[name]] = True
        elif name in rows_of_document:
            chosen[rows_of_document[name]] = True
        elif name not in known:
            raise InputError(
                f"the held-out id {name!r} is no document of this corpus; check the list of ids"
            )
    for name, rows in rows_of_document.items():
        if chosen[rows].any() and not chosen[rows].all():
            raise InputError(
                f"the held-out ids name only some passages of the document {name!r}; name the "
                "document, so that all are held out"
            )
    return chosen

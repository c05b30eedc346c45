"""From words to terms: which pairs are joined to phrases and which terms are the vocabulary."""

from __future__ import annotations

import numpy as np

from orrery.core.errors import InputError
from orrery.core.text.counting import EncodedTexts
from orrery.core.text.phrases import join_phrases, learn_phrases
from orrery.core.text.recipe import Recipe
from orrery.core.text.vocabulary import TermSelection, document_limits, select_terms


def choose_terms(
    texts: EncodedTexts, recipe: Recipe
) -> tuple[EncodedTexts, tuple[str, ...], TermSelection]:
    """Join phrases and choose the vocabulary so that every phrase joined is a word of it.

    Parameters
    ----------
    texts : EncodedTexts
    recipe : Recipe
        Its phrases are repeated; where it has none and asks for some, they are learned.

    Returns
    -------
    texts : EncodedTexts
        With the phrases joined.
    phrases : tuple of str
        Those joined.
    terms : TermSelection
        Over the words of these texts.

    Raises
    ------
    InputError
        If no word is left; the rules that took them are named.
    """
    n_documents = len(texts.word_ptr) - 1
    phrases: tuple[str, ...] = ()
    if recipe.phrases:
        fewest, _ = document_limits(recipe, n_documents)
        phrases = recipe.phrase_list or learn_phrases(texts, recipe.stop_words, fewest)
    while True:
        joined = join_phrases(texts, phrases)
        frequency = np.diff(joined.counts().tocsc().indptr).astype(np.int64)
        occurrences = np.bincount(joined.word_idx, minlength=len(joined.words)).astype(np.int64)
        terms = select_terms(joined.words, frequency, n_documents, recipe, occurrences)
        vocabulary = {joined.words[word] for word in terms.kept.tolist()}
        in_vocabulary = tuple(phrase for phrase in phrases if phrase in vocabulary)
        # A phrase outside the vocabulary would take its two words with it: it is not joined.
        if in_vocabulary == phrases:
            break
        phrases = in_vocabulary
    if not len(terms.kept):
        raise InputError(_nothing_left(terms))
    return joined, phrases, terms


def _nothing_left(terms: TermSelection) -> str:
    counts = {rule: dropped.count for rule, dropped in terms.dropped.items()}
    if not sum(counts.values()):
        return "the documents hold no word that the token pattern matches; check the text column"
    reasons = ", ".join(f"{rule}: {count:,}" for rule, count in counts.items() if count)
    return (
        f"the recipe leaves no word ({reasons}); keep words that are in fewer documents (lower "
        "min-df) or in more of them (raise max-df), or take fewer stop words"
    )

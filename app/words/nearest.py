"""Words of the panel of nearest documents."""

from __future__ import annotations

TITLE = "Nearest documents"
TITLE_HELP = (
    "The documents of the model's corpus with the most of your words come first; of these, the "
    "ones with the most words that this query makes likelier than usual. The words you typed are "
    "marked strongly, words of their topics lightly."
)
GONE = "The texts that this model was trained on are not available, so no documents can be shown."
CHANGED = "The corpus of this model has changed since; train again to see its documents here."
NONE = "No document has words that this query makes likelier."

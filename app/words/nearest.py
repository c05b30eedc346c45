"""Words of the panel of nearest documents."""

from __future__ import annotations

TITLE = "Nearest documents"
TITLE_HELP = (
    "Documents of the model's corpus with most words that this query makes likelier than usual. "
    "What you typed is marked strongly, words of its topics lightly."
)
GONE = "The texts behind this model are not at hand, so no documents can be shown."
CHANGED = "The corpus of this model has changed since; train again to see its documents here."
NONE = "No document has words that this query makes likelier."

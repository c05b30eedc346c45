"""Words of the topic card, small and full."""

from __future__ import annotations

from app.words.graph import percent

WORDS = "Words"
ABOVE = "Above"
NO_PARENTS = "Nothing above: one of the most general topics."
MORE = "More"
CLOSE = "Close"
OPEN_IN_GRAPH = "Open in Graph"
ITS_WORDS = "Its words"

NAME = "Name"
NAME_HELP = "Your own name is shown everywhere instead of the one made of its words."
SAVE = "Rename"
BACK_TO_WORDS = "Back to its words"
HIDE = "Hide in pictures"
HIDE_HELP = "Pictures leave it out and count it; answers stay the same."
SHOW_AGAIN = "Show again"
HIDDEN = "Hidden in pictures; it still takes part in every answer."
TOGETHER = "Show another topic as part of it"
TOGETHER_HINT = "Choose a topic of the same layer"
TOGETHER_HELP = (
    "Pictures show the chosen topic as part of this one; the model and its answers stay the same."
)
INCLUDES = "Includes"
APART = "Show apart"
READ_ONLY = "Names cannot be changed in the sample; train a model of your own for that."

ORDER = "Words by"
BY_RELEVANCE = "relevance"
BY_WEIGHT = "link weight"
SHARE = "Special … frequent"
SHARE_HELP = (
    "Left: words that this topic brings far more often than they occur anyway. "
    "Right: words that are simply frequent where it is on. "
    "(λ of Sievert and Shirley 2014.)"
)
COLUMN_WORD = "Word"
COLUMN_PROBABILITY = "Occurs (%)"
COLUMN_PROBABILITY_HELP = "How often the word occurs where this topic alone is on."
COLUMN_LIFT = "Lift"
COLUMN_LIFT_HELP = "How many times as often as it occurs anyway."
COLUMN_WEIGHT = "Weight"
COLUMN_WEIGHT_HELP = "Weight of the direct link; empty where the way leads over topics below."
NO_WORDS = "This topic brings no words."
NO_LINKED_WORDS = "No word hangs from this topic directly; it acts through the topics below it."
BELOW = "Below"
SIMILAR = "Similar"
NOTHING_BELOW = "No topics below."
NOTHING_SIMILAR = "No topic is like it."


def code(topic: str, state: str, *, is_hidden: bool = False) -> str:
    """Id of a topic, its state in a query, and whether it is hidden."""
    return " · ".join(filter(None, (topic, state, "hidden" if is_hidden else "")))


def state(probability: float, figures: str) -> str:
    """Say how a topic stands in a query."""
    return f"{'on' if probability > 0.5 else 'off'}, probability {figures}"


def prior(probability: float) -> str:
    """Say how probable a topic is before anything is known."""
    return f"On in {percent(probability)} of all documents by the model"


def usage(on: int, documents: int) -> str:
    """Say in how many documents of the corpus a topic is on."""
    return f"in {on} of the {documents} documents asked ({percent(on / max(documents, 1))})"


def more(count: int) -> str:
    """Say how many links a list leaves out."""
    return f"and {count} weaker"

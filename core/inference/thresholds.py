"""Display thresholds of answers, shared by the app and the explorer."""

from __future__ import annotations

from typing import Literal

# Posterior probability above which a topic is "on" (Ji et al. 2019, Figure 2).
ON_THRESHOLD = 0.5
# Topics below this probability are irrelevant to a query and folded away.
QUIET_THRESHOLD = 0.02
# Range of probabilities in which a topic is drawn as uncertain.
UNSURE = (0.3, 0.7)
# Topics listed for a query of which no topic is on.
LIKELIEST_SHOWN = 5

# Standard error up to which a probability has two meaningful digits, and the number of standard
# errors that practically bounds its error.
FINE_ERROR = 0.01
SURE_ERRORS = 2.0

# Number of topics drawn for each word of the query regardless of their probability, and in total.
ALTERNATIVES = 2
MAX_ALTERNATIVES = 4
# Number of further topics drawn that are off: all that a list shows are drawn.
OFF_SHOWN = LIKELIEST_SHOWN
# Maximum number of words in the picture of a whole text; its topics explain them best.
TEXT_WORDS_SHOWN = 14
# Words outside the vocabulary that are listed for a whole text.
MAX_UNKNOWN = 200
# A query is read as a whole text if the model knows this number of its words, or fewer words in
# several sentences. From about eight words on, topics that a few words share by coincidence are on
# if all other words are unknown.
MIN_TEXT_WORDS = 8
MIN_SENTENCE_WORDS, MIN_SENTENCES = 5, 2
# Words between two commas in a list, which is no text however long it is.
MAX_LISTED_WORDS = 4
# From this number of words in a query, each node keeps only its strongest links from above.
LONG_QUERY = 12
LINKS_KEPT = 3
# Number of shared topics or words of two queries that are named in a sentence.
MAX_NAMED = 3
# Letters of a query that a heading of the comparison has room for.
MAX_HEADING = 20
# Changes of a probability that are smaller are not mentioned.
MIN_CHANGE = 0.01
# Ordinary words that are named in a sentence; more names make no sentence.
MAX_LISTED = 4

# Words of a query that have a button to read them in another way.
MAX_SWITCHES = 12

# A query with more present words is a long text, without explanations and questions: its topics
# have too many combinations.
MANY_WORDS = 12
# A smaller probability of all states that are not found changes no figure that is shown. A state
# that is less probable has no digits. Below `MIN_BEST`, the most probable one is not named.
# Topics that are named in a state.
MIN_UNLISTED, MIN_STATE, MIN_BEST, MAX_IN_STATE = 0.005, 0.01, 0.1, 6
# Number of questions. With fewer bits, a question changes no figure that is shown. Probability of a
# topic that ends the questions of a model without texts.
N_QUESTIONS, MIN_BITS, SURE_ENOUGH = 4, 0.005, 0.9

# Number of bars of an explanation; further ones are folded into "N others".
MAX_BARS = 8
# Topics, and reasons against the topic, among the few bars of a short explanation.
MAX_TOPICS, MAX_AGAINST = 2, 2
# Minimal log-odds, in nats, of all words together and of a topic to be named in a sentence: a topic
# doubles the odds. A named word has at least this share of the log-odds of the strongest word.
MIN_WORDS_LOG_ODDS, MIN_TOPIC_LOG_ODDS, MIN_SHARE = 0.1, 0.7, 0.2
# Minimal log-odds of a bar, in nats: less changes a probability by at most 0.25 %.
MIN_LOG_ODDS = 0.01

# Minimal probability of a word given a topic for the topic to be found by the word.
MIN_LINK_FOUND = 0.01


def group_of(probability: float) -> Literal["on", "unsure", "off"]:
    """Group of a topic in an answer: each topic is in exactly one."""
    if UNSURE[0] < probability < UNSURE[1]:
        return "unsure"
    return "on" if probability > ON_THRESHOLD else "off"

"""Display thresholds of answers, shared by the app and the explorer."""

from __future__ import annotations

# Posterior probability above which a topic is "on" (Ji et al. 2019, Figure 2).
ON_THRESHOLD = 0.5
# Topics below this probability are irrelevant to a query and folded away.
QUIET_THRESHOLD = 0.02
# Range of probabilities in which a topic is drawn as uncertain.
UNSURE = (0.3, 0.7)

# Standard error up to which a probability has two meaningful digits, and the number of standard
# errors that practically bounds its error.
FINE_ERROR = 0.01
SURE_ERRORS = 2.0

# Number of topics drawn for each word of the query regardless of their probability, and in total.
ALTERNATIVES = 2
MAX_ALTERNATIVES = 8
# Number of further topics drawn that are off.
OFF_SHOWN = 8
# From this number of words in a query, each node keeps only its strongest links from above.
LONG_QUERY = 12
LINKS_KEPT = 3
# Number of shared topics or words of two queries that are named in a sentence.
MAX_NAMED = 3
# Ordinary words that are named in a sentence; more names make no sentence.
MAX_LISTED = 4

# Number of bars of an explanation; further ones are folded into "N others".
MAX_BARS = 8
# Minimal log-odds of a bar, in nats: less changes a probability by at most 0.25 %.
MIN_LOG_ODDS = 0.01

# Mean error of belief propagation alone: one digit of the sum is worth reading.
SUM_ERROR = 0.02

# Minimal probability of a word given a topic for the topic to be found by the word.
MIN_LINK_FOUND = 0.01

"""From when on something is said or drawn of an answer, in the app and in the explorer alike."""

from __future__ import annotations

# A topic is "on" above this posterior probability (Ji et al. 2019, Figure 2).
ON_THRESHOLD = 0.5
# Below this a topic says nothing about a query, and is folded away unless it is asked for.
QUIET_THRESHOLD = 0.02
# Between these it is unsure, and looks it whichever side of one half it is on.
UNSURE = (0.3, 0.7)

# A probability with at most this standard error has two digits worth reading; it is as good as
# never off by more than so many of its errors.
FINE_ERROR = 0.01
SURE_ERRORS = 2.0

# How many topics of each typed word are drawn however improbable they are, and how many in all.
ALTERNATIVES = 2
MOST_ALTERNATIVES = 8
# Topics drawn though they are off, beside those.
OFF_SHOWN = 8
# Of a long query each word and topic keeps so many links from above, the strongest.
LONG_QUERY = 12
LINKS_KEPT = 3
# Topics or words that two queries share and that are named in a sentence.
MOST_NAMED = 3
# Ordinary words that are named in a sentence; more names make no sentence.
MOST_LISTED = 4

# Why? folds more bars than this into "N others".
MOST_BARS = 8
# A message that moves the probability by less than a quarter of a per cent is not worth a bar.
LEAST_LOG_ODDS = 0.01

# Messages alone are off by so much on average: one digit of what they come to is worth reading.
SUM_ERROR = 0.02

# A topic that brings a word less often than this is not found by it.
LEAST_LINK_FOUND = 0.01

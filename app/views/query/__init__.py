"""The Query page: typed words, the topics they switch on, and why.

- ``comparison``: Comparison of two queries: picture in three zones, and the panels around it
- ``nearest``: Documents nearest to the query, with the matching words marked
- ``next_question``: The most informative words next, with buttons for yes, no and skip
- ``page``: Layout of the Query page for one query
- ``reasons``: Explanation of one topic as a table, a waterfall chart and sentences (no Streamlit)
- ``strings``: Strings of the Query page
- ``taken_together``: The most probable states of all topics, and how probable the words are
- ``tornado``: Chart of the weights on which the probability of a topic depends most
- ``what_if``: Switches that clamp topics and change words, and the senses of the words
- ``why``: Panel that explains the selected topic
"""

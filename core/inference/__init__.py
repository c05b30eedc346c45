"""Inference: from evidence about a document to the posterior of its topics, and explanations.

- ``arcs``: strength of arcs: mutual information between a parent and its child
- ``dropped_words``: topics of a word that is in the texts but not in the vocabulary
- ``elimination``: exact inference by variable elimination in NumPy, for small local models
- ``evidence``: evidence about one document, and the local model that it needs
- ``explanation``: messages of belief propagation that explain a topic, effect of leaving out
  evidence, and causes of each word
- ``infer``: compute the posterior: exact, by importance sampling, belief propagation or mean field
- ``kernel_inputs``: networks, corpora and settings as inputs of the kernels, checked
- ``main_topics``: One topic for each document, and all topics of a document that consists of
  passages
- ``most_probable``: the most probable joint states of the topics
- ``nearest``: documents nearest to a query, and typical documents of a topic
- ``novelty``: How well new documents fit a model: unexplained words, and resemblance to training
  documents
- ``posterior``: posterior probabilities with standard errors, and joint probabilities
- ``prediction``: probability of every word given the evidence
- ``question_estimates``: estimated information of all questions, from few numbers or from samples
- ``questions``: words and topics whose answer is most informative about other topics
- ``sampling``: importance sampling in NumPy, for small local models
- ``screening``: evidence that adds nothing about a topic once the rest is known
- ``senses``: senses of a query: topics that are alternative explanations of the same evidence
- ``sensitivity``: derivatives of a topic's log-odds by weights and leaks
- ``thresholds``: display thresholds of answers, shared by the app and the explorer
- ``two_layers``: exact inference without edges between topics, for many silences at once
- ``words_together``: how surprising some words are together, compared with words of texts
"""

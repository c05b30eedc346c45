"""From evidence about a document to the posterior of its topics, and its explanation.

- ``evidence``: Evidence: what is known of one document, and the part of the network that it needs
- ``explanation``: Why a topic is on or off: every message that reaches it, and what each piece of
  evidence does
- ``infer``: Evidence → Posterior: which topics are on, given what is known of a document
- ``kernel_inputs``: Networks, corpora and settings as the kernels want them, checked on the way
- ``nearest``: Documents nearest to a query: those full of words that the query's topics make
  likelier
- ``posterior``: Posterior: which topics are on given some evidence, how sure that is, and what
  goes together
- ``prediction``: Prediction: how probable every word is, given what is known of a document
- ``senses``: Readings: topics that would each explain the same evidence, and so exclude each
  other
- ``thresholds``: From when on something is said or drawn of an answer, in the app and in the
  explorer alike
"""

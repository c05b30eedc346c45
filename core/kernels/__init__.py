"""Numba kernels: arrays in, arrays out; nothing here imports the rest of core.

The paper's letters live in this package only. Glossary (Ji et al. 2019, MATH sections):

======== ============================================= ==================================
symbol   name outside                                  where defined
======== ============================================= ==================================
``q``    activation, posterior probability of a node   eq. 2; 1 for a present token
``w``    weight of an edge                             eq. 1
``w0``   leak of a node                                eq. 1
``W``    total weight from a topic to its children     MATH §2
``f``    log(1 - exp(-a)), log-probability of "on"     eq. 5
``F``    bound on, or value of, E[f(activation)]       MATH §2
``r``    share of an edge in the Jensen bound          eqs 6-7
``u``    w0 + w / r                                    below eq. 7
``b``    coupling of two nodes given ``r``             MATH §3
``c, s`` coefficients and rates of the exponentials    MATH §4
``t``    exp(-s w), survival of an exponential         MATH §4
``P``    the terms that sum to F in the exact bound    MATH §4
======== ============================================= ==================================

- ``activations``: Activations of many documents in parallel, in memory that follows their local
  models
- ``batch``: E-steps of many documents in parallel, and the sums of their gradients
- ``bounds``: What both bounds share: the local weights, the entropy, and the linear part
- ``compiling``: Compiled kernels on disk: a file each, complete and as it was written, or it is
  made again
- ``document``: The whole E-step of one local model: from each start to its fixed point, the best
  is kept
- ``elimination``: All states of a local model summed, one variable after the other (MATH §10.5)
- ``elimination_order``: Sets of small numbers as rows of bits: how large two together are takes a
  few instructions
- ``exact``: E-step and gradient under the exact mean-field bound, one document at a time (MATH
  §4)
- ``factors``: The local model as a factor graph: one noisy-OR table for every local node (MATH
  §10.1)
- ``gibbs``: Gibbs sampling of the topics of one document, and what a sweep says of the causes of
  its nodes
- ``gibbs_estimates``: Inverse probabilities of the nodes that are on, given their parents in
  Gibbs chains
- ``guided``: Weighted draws of the topics of a local model, guided by sum-product (MATH §10.2)
- ``guided_learning``: Learning by guided draws: the gradient of the likelihood itself, nearly
  (MATH §5, §10.3)
- ``jensen``: E-step and gradient under the paper's Jensen bound, one document at a time (eqs
  6-16)
- ``ladder``: The log-likelihood of one document by guided draws: a bound on average, close with
  few draws
- ``local_model``: The local model of one document: its observed nodes, all their ancestors, the
  edges between
- ``posterior``: The posterior of one document: sum-product, then rounds of guided draws until the
  error is small
- ``prediction``: How probable every word is in the states that were drawn of the topics
- ``rows``: Rows of a corpus for the kernels, and the local graphs of their documents
- ``streams``: Random numbers from a key, not from a state: the same document draws the same
  numbers always
- ``sum_product``: Sum-product on the local model: loopy belief propagation for noisy-OR (MATH
  §10.1)
- ``tables``: log(1 - exp(-a)) as a short sum of exponentials, whose expectation factorises (MATH
  §4.1)
- ``threads``: Blocks of work on all threads
"""

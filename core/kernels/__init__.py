"""Numba kernels: arrays in, arrays out; they import nothing from the rest of core but ``utils``.

Comments at the fields of a record give dtype, shape and meaning. Only this package uses the letters
of the papers. Glossary (Ji et al. 2019, MATH sections):

======== ============================================= ==================================
symbol   name outside                                  defined in
======== ============================================= ==================================
``q``    activation, posterior probability of a node   eq. 2; 1 for a present token
``w``    weight of an edge                             eq. 1
``w0``   leak of a node                                eq. 1
``W``    total weight from a topic to its children     MATH §2
``f``    log(1 - exp(-a)), log-probability of "on"     eq. 5
``F``    value of E[f(activation)], or a lower bound   MATH §2
``r``    share of an edge in the Jensen bound          eqs 6-7
``u``    w0 + w / r                                    below eq. 7
``b``    coupling of two nodes given ``r``             MATH §3
``c, s`` coefficients and rates of the exponentials    MATH §4
``t``    exp(-s w), survival of an exponential         MATH §4
``P``    the terms that sum to F in the exact bound    MATH §4
======== ============================================= ==================================

- ``activations``: Posterior activations of many documents, in parallel
- ``batch``: E-steps of a batch of documents in parallel, with summed gradients
- ``bounds``: Parts that both bounds share: local weights, entropy, linear part, joint probability
- ``cache``: Cache of compiled kernels on disk
- ``compiling``: Decorators that compile kernels
- ``document``: E-step of one local model from several starting points
- ``elimination``: Exact inference by variable elimination (MATH §10.5)
- ``elimination_order``: Min-fill elimination order, and sets of integers as rows of bits
- ``exact``: E-step and gradient of one document under the exact mean-field bound (MATH §4)
- ``gibbs``: Gibbs sampling of one document, and the expected counts for Monte Carlo EM (MATH §8)
- ``gibbs_estimates``: Inverse probabilities of active nodes, and a likelihood bound, by Gibbs
- ``importance_gradient``: Likelihood gradient by importance sampling (MATH §5, §10.3)
- ``importance_sampling``: Importance sampling with a belief-propagation proposal (MATH §10.2)
- ``jensen``: E-step and gradient of one document under the paper's Jensen bound (eqs 6-16)
- ``ladder``: Jensen bound, exact bound and likelihood estimate of each document (MATH §12)
- ``local_model``: Local model of one document, and its factor graph (MATH §10.1)
- ``posterior``: Posterior of one document by importance sampling, to a given standard error
- ``rows``: Documents as rows of a corpus, and their local graphs
- ``streams``: Counter-based random numbers
- ``sum_product``: Loopy belief propagation (sum-product) on the local model (MATH §10.1)
- ``tables``: log(1 - exp(-a)) as a sum of exponentials, and its tables (MATH §4.1, §4.2)
- ``threads``: Blocks of work on all threads
- ``vectors``: Operations on rows of terms, as vector instructions
"""

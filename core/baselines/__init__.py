"""Baselines for comparison: the systems of the papers, and topic models of other packages.

- ``amortized``: Two-layer noisy-OR with amortised inference by a neural network (AVI, ACP)
- ``bernoulli_lda``: LDA with Bernoulli topics by mean field, the baseline of Ji et al.
- ``collapsed_lda``: Collapsed LDA and HDP: Gibbs sampling, AMF (CVB0), second-order mean field
- ``conjugate_dual``: Two-layer noisy-OR with conjugate-dual upper and lower bounds
- ``correlated_topics``: Correlated topic model by Laplace and by Taylor variational inference
- ``discrete``: Marginals of binary networks by approximate mean field (AMF)
- ``hmm``: Collapsed inference in hidden Markov models with time-dependent transitions
- ``ising``: Naive and generalised mean field for Ising models
- ``mean_field_lda``: LDA by mean field: coordinate ascent and stochastic (Blei et al. 2003)
- ``noisy_or``: Base class of the two-layer noisy-OR models, trained by Adam
- ``peers``: Topic models of gensim, tomotopy and corextopic
- ``registry``: Registry of all systems, each with its name, paper and class
- ``spn_structure``: Structure learning of sum-product networks
- ``sum_product_network``: Sum-product networks of binary variables: evaluation and derivatives
- ``sum_product_systems``: Sum-product networks trained by maximum likelihood and by collapsed VB
- ``system``: Abstract base class of all systems for documents
"""

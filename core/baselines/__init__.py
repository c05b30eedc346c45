"""Other systems that Orrery is compared with: those of the papers, and peers.

- ``amortized``: A neural network of one hidden layer from a document to some numbers, and the way
  back
- ``bernoulli_lda``: Latent Dirichlet allocation with Bernoulli topics: the baseline of Ji et al.
- ``collapsed_lda``: Collapsed latent Dirichlet allocation: Gibbs sampling, AMF (CVB0), and
  second-order mean field
- ``conjugate_dual``: Conjugate-dual inference: present words bounded by what is linear in the
  topics
- ``correlated_topics``: Topics that go together: the logistic-normal topic model, by Laplace and
  by Taylor
- ``discrete``: Marginals of networks of binary variables: AMF beside sum-product and mean field
- ``hmm``: Collapsed inference in hidden Markov models whose transitions change with time
- ``ising``: Ising models: naive and generalised mean field beside exact enumeration
- ``mean_field_lda``: Documents under multinomial topics: mean field of a document, topics held
  (Blei et al. 2003)
- ``multinomial_lda``: Latent Dirichlet allocation as scikit-learn has it: the topic model that
  most people know
- ``noisy_or``: Noisy-OR of two layers, trained by Adam on whatever a way of inference offers as
  its slope
- ``peers``: Topic models of other packages with the face that all systems have: gensim and
  tomotopy
- ``registry``: All systems by name: what each is, which paper it is from, and how to get one
- ``spn_structure``: Clusters of binary rows: EM of a mixture whose variables are independent
  within a cluster
- ``sum_product_network``: Sum-product networks of binary variables: values from the leaves up,
  flows from the root down
- ``sum_product_systems``: Weights of a sum-product network: maximum likelihood, and collapsed
  variational Bayes
- ``system``: The face that every other system has, so that all of them can be asked the same
  questions
"""

"""Training of weights and graph: stochastic variational inference, Gibbs, Monte Carlo EM.

- ``divergence``: Training that diverges is noticed, and goes on by shorter steps from where it
  was sound
- ``e_step``: The E-step of training: bounds and sums of gradients of a minibatch, in blocks
- ``gibbs``: Gibbs sampling: Monte Carlo EM, the paper's baseline, and a strong start for training
- ``monte_carlo_em``: Monte Carlo EM with persistent chains: the start of training that sees the
  likelihood itself
- ``optimizers``: From the slope of the bound to the next network: Adam on log-weights, or the
  paper's eq. 17
- ``options``: How to train, and what follows from it: sizes of minibatches and the schedule of
  the steps
- ``state``: Training from step to step: all that the next one needs, and what it tells people
- ``structure_learning``: Learn the structure with the weights: change the graph, train, and keep
  what documents like
- ``train``: Stochastic variational training: `step` takes a state to the next, `train` conducts
- ``upper_layers``: Upper layers, one at a time: topics of topics, learned from which are on
  together
"""

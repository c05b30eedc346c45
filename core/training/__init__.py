"""Training of weights and graph: stochastic variational inference, Monte Carlo EM, Gibbs sampling.

- ``divergence``: detect a diverging training and continue from its last sound network
- ``e_step``: E-step of a minibatch: bounds and summed gradients, in blocks of documents
- ``gibbs``: Gibbs sampling with persistent chains, and the closed-form M-step
- ``monte_carlo_em``: Monte Carlo EM: exploring, growing and pruning the graph, fine-tuning
- ``optimizers``: Adam on log-weights, and the paper's projected gradient ascent (eq. 17)
- ``options``: training options, minibatch sizes and the schedule of the steps
- ``state``: state between two training steps, report of a step, and initial weights
- ``structure_learning``: structure learning: change the graph, train, keep what the validation
  set accepts
- ``train``: stochastic variational training: `step` and the loop `train`
- ``upper_layers``: learn a layer of topics above the current highest layer
- ``visits``: activations that the last visit of each document ended with
"""

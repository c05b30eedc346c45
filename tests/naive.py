"""The oracle: the model as slow loops, to be read beside the paper.

Nothing here uses the fast code: only the graph, weights and leaks of a network are used. Nodes,
edges and symbols follow Ji et al. (2019) and MATH; `observed` maps a node number to 0 or 1, an
unobserved topic is hidden, an unobserved token is unknown. `q` has a number for every node:
probabilities of the topics, then 1 or 0 for every token of the closed world.
"""

from __future__ import annotations

import itertools
import math

import numpy as np


def f(a):
    """Eq. 5: log-probability that a node is on."""
    return math.log(-math.expm1(-a))


def slope_of_f(a):
    """f'(a)."""
    return 1.0 / math.expm1(a) if a < 700.0 else 0.0


def edges_into(network, node):
    """(edge number, parent) of every edge into a node."""
    graph = network.graph
    numbers = range(int(graph.parent_ptr[node]), int(graph.parent_ptr[node + 1]))
    return [(edge, int(graph.parent_idx[edge])) for edge in numbers]


def edges_out_of(network, topic):
    """(edge number, child) of every edge out of a topic."""
    return [
        (edge, child)
        for child in range(network.graph.n_nodes)
        for edge, parent in edges_into(network, child)
        if parent == topic
    ]


def ancestors(network, nodes):
    """Topics from which one of the nodes can be reached."""
    found = set()
    for node in nodes:
        for _, parent in edges_into(network, node):
            found |= {parent} | ancestors(network, [parent])
    return found


# --- The model, enumerated ---------------------------------------------------------------------


def closed_world(network, present, on=(), off=()):
    """Every token is observed: present, or absent."""
    absent = set(range(network.graph.n_tokens)) - {int(token) for token in present}
    return open_world(network, present, absent, on, off)


def open_world(network, present, absent, on=(), off=()):
    """Only the named tokens are observed."""
    n_topics = network.graph.n_topics
    observed = {n_topics + int(token): 1 for token in present}
    observed.update({n_topics + int(token): 0 for token in absent})
    observed.update({int(topic): 1 for topic in on})
    observed.update({int(topic): 0 for topic in off})
    return observed


def states(network, observed):
    """All states of the topics that agree with what is observed, each with the observed tokens."""
    for values in itertools.product((0, 1), repeat=network.graph.n_topics):
        if all(observed.get(topic, value) == value for topic, value in enumerate(values)):
            yield {**observed, **dict(enumerate(values))}


def log_joint(network, state):
    """log p(x, y) by eq. 1, node by node; a token without a state is summed out."""
    total = 0.0
    for node in range(network.graph.n_nodes):
        a = network.leak[node]
        for edge, parent in edges_into(network, node):
            a += network.weight[edge] * state[parent]
        if node not in state:
            total += math.log(math.exp(f(a)) + math.exp(-a))
        else:
            total += f(a) if state[node] else -a
    return total


def log_likelihood(network, observed):
    """log p(y), all hidden states summed."""
    joints = [log_joint(network, state) for state in states(network, observed)]
    return float(np.logaddexp.reduce(joints))


def marginals(network, observed):
    """p(x_k = 1 | y) of every topic."""
    total = log_likelihood(network, observed)
    probability = np.zeros(network.graph.n_topics)
    for state in states(network, observed):
        share = math.exp(log_joint(network, state) - total)
        for topic in range(network.graph.n_topics):
            probability[topic] += share * state[topic]
    return probability


def acting_causes(network, state):
    """How likely each cause acted, given the states of all nodes: of every edge, of every leak.

    A parent that is on acts with probability 1 - exp(-w), chance with 1 - exp(-w0), each on its
    own; a node is on if any of them does.
    """
    edge_acts, leak_acts = np.zeros(network.graph.n_edges), np.zeros(network.graph.n_nodes)
    for node in range(network.graph.n_nodes):
        if not state[node]:
            continue
        causes = [
            (edge_acts, edge, network.weight[edge])
            for edge, k in edges_into(network, node)
            if state[k]
        ]
        causes.append((leak_acts, node, network.leak[node]))
        ways = []
        for acts in itertools.product((0, 1), repeat=len(causes)):
            leaks = [
                -math.expm1(-w) if act else math.exp(-w)
                for act, (_, _, w) in zip(acts, causes, strict=True)
            ]
            if any(acts):
                ways.append((math.prod(leaks), acts))
        total = math.fsum(by_leak for by_leak, _ in ways)
        for by_leak, acts in ways:
            for act, (array, number, _) in zip(acts, causes, strict=True):
                array[number] += act * by_leak / total
    return edge_acts, leak_acts


def expected_causes(network, observed):
    """Expected causes under the posterior: of every edge, of every leak, and of the topics on."""
    total = log_likelihood(network, observed)
    edge_acts, leak_acts = np.zeros(network.graph.n_edges), np.zeros(network.graph.n_nodes)
    for state in states(network, observed):
        share = math.exp(log_joint(network, state) - total)
        edge, leak = acting_causes(network, state)
        edge_acts += share * edge
        leak_acts += share * leak
    return edge_acts, leak_acts, marginals(network, observed)


def local_world(network, present, unknown=(), on=(), off=()):
    """Fixed nodes of the local model of a document: its words, and all topics that are no
    ancestors.

    Ancestors of unknown words and of clamped topics are not fixed, since they are not known to be
    off.
    """
    held = {int(topic) for topic in (*on, *off)}
    nodes = [network.graph.n_topics + int(token) for token in (*present, *unknown)]
    others = set(range(network.graph.n_topics)) - held - ancestors(network, [*nodes, *held])
    observed = closed_world(network, present, on, {*off, *others})
    for token in unknown:
        del observed[network.graph.n_topics + int(token)]
    return observed


def mean_field_bound(network, observed, q):
    """E_q[log p(x, y) - log q(x)] of a factorised q, all hidden states summed (eq. 3)."""
    tokens = {node: value for node, value in observed.items() if node >= network.graph.n_topics}
    total = 0.0
    for state in states(network, tokens):
        probability = 1.0
        for topic in range(network.graph.n_topics):
            probability *= q[topic] if state[topic] else 1.0 - q[topic]
        if probability > 0.0:
            total += probability * (log_joint(network, state) - math.log(probability))
    return total


def mean_field_log_odds(network, observed, q, topic):
    """Log-odds at the coordinate optimum: the bound is linear in q_i but for its entropy."""
    surely_on, surely_off = np.array(q), np.array(q)
    surely_on[topic], surely_off[topic] = 1.0, 0.0
    return mean_field_bound(network, observed, surely_on) - mean_field_bound(
        network, observed, surely_off
    )


# --- The bounds of a closed world, given F of every node (MATH §2) -----------------------------


def entropy(probability):
    """Bernoulli entropy in nats."""
    return -sum(p * math.log(p) for p in (probability, 1.0 - probability) if p > 0.0)


def bound_given(network, q, F):
    """The sum over ALL nodes that eq. 9 and MATH §4 share; F(node) denotes E[f]."""
    total = 0.0
    for node in range(network.graph.n_nodes):
        mean = network.leak[node]
        for edge, parent in edges_into(network, node):
            mean += network.weight[edge] * q[parent]
        total += (1.0 - q[node]) * -mean
        if q[node] > 0.0:
            total += q[node] * F(node)
    return total + sum(entropy(q[topic]) for topic in range(network.graph.n_topics))


# --- The paper's bound (MATH §3) ---------------------------------------------------------------


def u(network, r, edge, node):
    """Argument of f below eq. 7."""
    return network.leak[node] + network.weight[edge] / r[edge]


def jensen_F(network, q, r, node):
    """First bracket of eq. 9."""
    f0 = f(network.leak[node])
    return f0 + sum(
        r[edge] * q[parent] * (f(u(network, r, edge, node)) - f0)
        for edge, parent in edges_into(network, node)
    )


def jensen_bound(network, q, r):
    """Eq. 9."""
    return bound_given(network, q, lambda node: jensen_F(network, q, r, node))


def start_shares(network):
    """r in proportion to w."""
    r = np.zeros(network.graph.n_edges)
    for node in range(network.graph.n_nodes):
        total = sum(network.weight[edge] for edge, _ in edges_into(network, node))
        for edge, _ in edges_into(network, node):
            r[edge] = network.weight[edge] / total
    return r


def update_shares(network, q, r, node):
    """Eq. 10 for one node; changes r."""
    f0 = f(network.leak[node])
    value = {}
    for edge, parent in edges_into(network, node):
        argument = u(network, r, edge, node)
        gain = f(argument) - f0 - network.weight[edge] / r[edge] * slope_of_f(argument)
        value[edge] = q[parent] * r[edge] * gain
    for edge in value:
        r[edge] = value[edge] / sum(value.values())


def jensen_log_odds(network, q, r, topic):
    """g of eq. 12, over ALL children, on or off."""
    g = f(network.leak[topic]) + network.leak[topic]
    for edge, k in edges_into(network, topic):
        g += network.weight[edge] * q[k]
        g += q[k] * r[edge] * (f(u(network, r, edge, topic)) - f(network.leak[topic]))
    for edge, c in edges_out_of(network, topic):
        g += q[c] * r[edge] * (f(u(network, r, edge, c)) - f(network.leak[c]))
        g -= (1.0 - q[c]) * network.weight[edge]
    return g


def jensen_gradient(network, q, r):
    """Eqs 13-16: slopes of the bound in every weight and every leak."""
    weight, leak = np.zeros(network.graph.n_edges), np.zeros(network.graph.n_nodes)
    for i in range(network.graph.n_nodes):
        f0_slope = slope_of_f(network.leak[i])
        leak[i] = q[i] * f0_slope - (1.0 - q[i])
        for edge, k in edges_into(network, i):
            u_slope = slope_of_f(u(network, r, edge, i))
            weight[edge] = q[k] * (q[i] * (1.0 + u_slope) - 1.0)
            leak[i] += q[i] * q[k] * r[edge] * (u_slope - f0_slope)
    return weight, leak


# --- The exact expectation as a sum of exponentials (MATH §4) ----------------------------------


def P(network, q, node, c, s):
    """One term: -c e^(-s w0) prod_k (1 - q_k + q_k e^(-s w_k))."""
    product = math.exp(-s * network.leak[node])
    for edge, parent in edges_into(network, node):
        product *= 1.0 - q[parent] + q[parent] * math.exp(-s * network.weight[edge])
    return -c * product


def exact_F(network, q, terms, node):
    """E_q[f(a)], the fit's error subtracted so that it is never too high."""
    coefficient, rate, error = terms
    return sum(P(network, q, node, c, s) for c, s in zip(coefficient, rate, strict=True)) - error


def exact_bound(network, q, terms):
    """The exact mean-field bound but for the fit's error."""
    return bound_given(network, q, lambda node: exact_F(network, q, terms, node))


def exact_log_odds(network, q, terms, topic):
    """Closed-form coordinate update: what q_i is multiplied with, over ALL children."""
    surely_on, surely_off = np.array(q), np.array(q)
    surely_on[topic], surely_off[topic] = 1.0, 0.0
    g = exact_F(network, q, terms, topic) + network.leak[topic]
    g += sum(network.weight[edge] * q[k] for edge, k in edges_into(network, topic))
    for edge, c in edges_out_of(network, topic):
        on, off = exact_F(network, surely_on, terms, c), exact_F(network, surely_off, terms, c)
        g += q[c] * (on - off) - (1.0 - q[c]) * network.weight[edge]
    return g


def exact_gradient(network, q, terms):
    """Slopes of the bound in every weight and every leak."""
    weight, leak = np.zeros(network.graph.n_edges), np.zeros(network.graph.n_nodes)
    for i in range(network.graph.n_nodes):
        leak[i] = q[i] - 1.0
        for edge, k in edges_into(network, i):
            weight[edge] = q[k] * (q[i] - 1.0)
        for c, s in zip(terms.coefficient, terms.rate, strict=True):
            term = P(network, q, i, c, s)
            leak[i] -= q[i] * s * term
            for edge, k in edges_into(network, i):
                t = math.exp(-s * network.weight[edge])
                weight[edge] -= q[i] * q[k] * s * term * t / (1.0 - q[k] + q[k] * t)
    return weight, leak

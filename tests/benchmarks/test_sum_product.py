"""Sum-product networks on real data sets: the known tree, and the text of the page."""

from __future__ import annotations

import pytest

from orrery.core.baselines.sum_product_network import all_rows
from tests.benchmarks.data import MissingData
from tests.benchmarks.density_sets import read_set
from tests.benchmarks.parts.density import KNOWN_TREE
from tests.benchmarks.parts.sum_product import WAYS, show, verdicts
from tests.benchmarks.small_networks import tree_network


@pytest.mark.parametrize("name", ["nltcs", "cr52"])
def test_a_tree_as_a_network_reaches_what_is_known(name):
    try:
        data = read_set(name)
    except MissingData as missing:
        pytest.skip(str(missing))
    network = tree_network(data["ts"], 1.0)
    reached = network.log_likelihood(all_rows(data["test"])).mean()
    assert reached == pytest.approx(KNOWN_TREE[name], abs=5e-5)


def row(*tests):
    ways = {
        way: {"test": test, "round": 1, "rounds": 2, "seconds": 2.0}
        for way, test in zip(WAYS, tests, strict=True)
    }
    ways["EM"]["seconds"] = 1.0
    return {"rows": 10, "variables": 3, "tree": -3.0, "edges": 4, "start": -2.5, "ways": ways}


def test_the_page_states_who_is_above_whom_and_what_was_not_run():
    figures = {
        "rows": {"nltcs": row(-2.0, -2.4, -2.1, -2.3, -2.2), "bbc": row(-9, -9.5, -9, -9.6, -9)},
        "noisy_or": {"bbc": -8.75},
    }
    gradient, best = verdicts(figures)
    assert gradient[3:] == ["above on 1 of 2 sets, 0.000 nats on average", "does not hold there"]
    assert best[3] == "above on 0 of 2 sets, −0.050 nats on average"
    page = show(figures)
    assert "| bbc | 10 | 3 | −3.0000 | 4 | −2.500 | −9.000 | −9.500 | −9.000 |" in page
    assert "| −8.75 |" in page
    assert "| CVB | 1.0 | 2.00 |" in page
    assert "Not run: plants, cr52," in page

"""The table of explanations and questions is what Python finds; the explorer is held to it too."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.explanation_cases import N_CASES, TABLE, drawn, expected, problem

CASES = json.loads(TABLE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("seed", range(N_CASES))
def test_python_finds_the_states_and_questions_of_the_table(seed):
    case = CASES[seed]
    truth, found = case["expected"], expected(*problem(case))
    assert {name: case[name] for name in drawn(seed)} == drawn(seed)
    assert [on for on, _ in found["states"]] == [on for on, _ in truth["states"]]
    np.testing.assert_allclose(
        [p for _, p in found["states"]], [p for _, p in truth["states"]], atol=1e-9
    )
    if not case["closed_world"]:
        assert found["targets"] == truth["targets"]
        for aim in ("questions", "confirmations"):
            assert [node for node, *_ in found[aim]] == [node for node, *_ in truth[aim]]
            figures = [np.array(one[aim])[:, 1:] for one in (found, truth) if one[aim]]
            if figures:
                np.testing.assert_allclose(*figures, atol=1e-9)


def test_the_table_has_cases_of_every_kind():
    with_questions = [case for case in CASES if case["expected"].get("questions")]
    assert len(with_questions) > N_CASES / 3
    assert any(case["closed_world"] for case in CASES)
    assert any(case["evidence"]["on"] for case in with_questions)
    assert any(case["evidence"]["unknown"] for case in with_questions)

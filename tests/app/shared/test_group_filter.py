"""A group is asked for by the label's own filter, else by its column."""

from pathlib import Path

import numpy as np
import pandas as pd

from orrery.app.shared.groups import along_the_groups, cells, courses, most_different_topics
from orrery.app.shared.listing import as_step, group_address
from orrery.app.workspace.facets import read_facets
from orrery.core.data.groups import read_grouping
from orrery.core.evaluation.group_topics import topics_of_groups
from orrery.core.storage.activations import load_activations
from orrery.core.storage.runs import load_run
from tests.conftest import ROOT

SAMPLE = ROOT / "sample_data"


def test_labels_have_a_filter_and_other_groups_their_column() -> None:
    table = pd.DataFrame(
        {"id": list("abcd"), "text": "x", "label": ["p", "q"] * 2, "date": ["2020-01-02"] * 4}
    )
    facets = read_facets(table)
    assert group_address(facets, read_grouping(table), "p") == {"label": "p"}
    # The filter of years shows what it can.
    table["date"] = ["2009-01-02", "2010-02-02", "2010-03-02", "2021-04-02"]
    facets = read_facets(table)
    assert group_address(facets, read_grouping(table, "date", "year"), "2010") == {
        "years": "2010-2010"}  # fmt: skip
    assert group_address(facets, read_grouping(table, "date", "decade"), "2010s") == {
        "years": "2010-2010"}  # fmt: skip
    assert "group" in group_address(facets, read_grouping(table, "date", "month"), "2010-02")
    table["date"] = ["2020-01-02"] * 4
    facets = read_facets(table)
    months = read_grouping(table, "date", "month")
    assert group_address(facets, months, "2020-01") == {
        "by": "date", "periods": "month", "group": "2020-01"}  # fmt: skip
    assert as_step("month") == "month"
    assert as_step("<b>") is None


def test_pictures_state_what_the_counts_state() -> None:
    run = load_run(SAMPLE / "run")
    stored = load_activations(Path(SAMPLE / "run" / "model"))
    documents = pd.read_parquet(SAMPLE / "corpus" / "documents.parquet")
    assert stored is not None
    found = topics_of_groups(stored.probability, stored.rows, read_grouping(documents))
    groups = [0, 3]
    places = along_the_groups(found, most_different_topics(found, groups, 10), groups)
    assert len(set(places)) == 10
    peak = found.counts.share[np.ix_(groups, places)].argmax(axis=0)
    assert (np.diff(peak) >= 0).all()
    table = cells(run, found, places, groups, "share")
    for row in table.itertuples():
        group = found.grouping.names.index(row.group)
        topic = found.topics.tolist().index(run.network.graph.topic_ids.index(row.id))
        assert row.share == found.counts.share[group, topic]
        assert row.label == run.topic_labels[found.topics[topic]]
    assert table["strength"].max() == 1
    lifted = cells(run, found, places, groups, "lift")
    assert (lifted["strength"][lifted["note"] == "no clear difference"] == 0).all()
    assert lifted["strength"].between(0, 1).all()
    assert len(courses(run, found, places)) == 160

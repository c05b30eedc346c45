"""A run as it goes: figures, chart, buttons, and the other runs on the same corpus."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from ...core.storage.runs import read_command
from ..shell import address, choice, memory, page, routing
from ..shell import strings as shell_strings
from ..text import strings as common_strings
from ..text.escaping import asked_name, markdown_text
from ..text.strings import number
from ..workspace import catalog, progress
from ..workspace import runs as jobs
from ..workspace.runs import Job
from . import strings as shared_strings
from . import training_charts

WATCHED = "watch"
CHOSEN = "train-run"
# The run that was started last, and when.
STARTED = "train-started"
# The browser has the new address by then, and asks for no older one.
SECONDS_OF_FOLLOWING = 10.0
# The button may be far below what it starts, or on a phone above it.
SHOW_RUN = """<script>
document.querySelector(".st-key-watch")?.scrollIntoView({block: "start"});
</script>"""
REFUSED = "train-refused"
POLL_SECONDS = 1.0
# Its looks are in the style sheet of the app.
MOVING_BAR = '<div class="moving-bar" role="progressbar"></div>'
# In pixels: leaves room for the buttons beside it in a window of 1280.
RUN_WIDTH = 175


def show(runs: Sequence[Job], corpus: Path) -> None:
    """Show a run; while it is going, look for news every second without redrawing the page."""
    job = _watched(runs)
    say_gone(job.name)
    # Any that is going: the table below has all of them.
    is_going = any(run.is_live for run in runs)
    with st.container(key="watch"):
        live = frozenset(run.name for run in runs if run.is_live)
        st.fragment(_watch, run_every=POLL_SECONDS if is_going else None)(job.folder, corpus, live)
    if _started() == job.name:
        st.html(SHOW_RUN, unsafe_allow_javascript=True)


def watch_started(name: str) -> None:
    """Switch to a run that was just started."""
    memory.remember(STARTED, (name, time.monotonic()))
    address.put(WATCHED, name)
    st.rerun()


def follow_started() -> None:
    """Show the run that was just started, though a look for news came with the address before.

    Such a look is on its way to the server while the run is started, and ends that script.
    """
    if _started():
        address.put(WATCHED, _started())


def _started() -> str:
    name, moment = memory.recall(STARTED, ("", 0.0))
    return str(name) if time.monotonic() - moment < SECONDS_OF_FOLLOWING else ""


def _choose_watched() -> None:
    memory.forget(STARTED)
    address.put(WATCHED, memory.recall(CHOSEN))


def say_gone(shown: str = "") -> None:
    """Say if the run that the address names does not exist, and which is shown instead."""
    asked = address.get(WATCHED)
    if asked and asked != shown:
        st.warning(shell_strings.not_here(WATCHED, asked_name(asked), markdown_text(shown)))


def _watched(runs: Sequence[Job]) -> Job:
    """Run to look at: that of the address, else one that is going, else the newest."""
    asked = (job for job in runs if job.name == address.get(WATCHED))
    live = (job for job in runs if job.is_live)
    return next(asked, None) or next(live, runs[0])


def _watch(folder: Path, corpus: Path, were_live: frozenset[str]) -> None:
    with page.failures_shown():
        _draw_run(folder, corpus, were_live)


def _draw_run(folder: Path, corpus: Path, were_live: frozenset[str]) -> None:
    job = jobs.read_job(folder)
    runs = jobs.runs_on(catalog.workspace(), corpus)
    is_other = address.get(WATCHED) in {run.name for run in runs} - {job.name}
    live = {run.name for run in runs if run.is_live}
    if is_other or live != were_live or not folder.is_dir():
        st.rerun()
    metrics = training_charts.metrics_once(str(folder), catalog.stamp(folder / "metrics.jsonl"))
    with st.container(horizontal=True, vertical_alignment="bottom", key="train-head"):
        _choose_run(job, runs)
        _buttons(job)
    name, its_state, refusal = memory.recall(REFUSED, ("", "", ""))
    if (name, its_state) == (job.name, job.state):
        page.show_error(refusal)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", key="train-news"):
        news = progress.sentence(job, metrics, read_command(folder))
        st.markdown(markdown_text(news), width="stretch")
        _next_step(job)
    _show_bar(job, metrics)
    _figures(progress.figures(job, metrics))
    training_charts.show(job, metrics, runs)
    _runs(runs)


def _choose_run(job: Job, runs: Sequence[Job]) -> None:
    """Switch to another run on the corpus."""
    memory.remember(CHOSEN, job.name)
    st.selectbox(
        shared_strings.SHOW,
        [other.name for other in runs],
        key=CHOSEN,
        width=RUN_WIDTH,
        on_change=_choose_watched,
    )


def _next_step(job: Job) -> None:
    """Lead to the Query page once there is something to ask."""
    if not job.has_model or job.is_live:
        return
    if st.button(shared_strings.TO_QUERY, type="primary", key="train-to-query"):
        choice.choose_model(job.name)
        routing.go_to("query")


def _show_bar(job: Job, metrics: pd.DataFrame) -> None:
    """Bar of the present phase, which only moves where nobody knows how long that takes.

    Its place is kept all the time, so that the chart does not move when it goes.
    """
    with st.container(key="watch-bar"):
        share = progress.share_done(job, metrics)
        if share is not None:
            st.progress(share)
        elif job.is_live and job.state != "paused":
            st.html(MOVING_BAR)


def _figures(figures: progress.Figures) -> None:
    shown = {
        shared_strings.HELD_OUT: (figures.held_out, shared_strings.HELD_OUT_HELP),
        shared_strings.RATE: (figures.rate, shared_strings.RATE_HELP),
        figures.time_label: (
            figures.time,
            shared_strings.LEFT_HELP
            if figures.time_label == common_strings.LEFT
            else shared_strings.TOOK_HELP,
        ),
        shared_strings.IN_USE: (figures.in_use, shared_strings.IN_USE_HELP),
    }
    # As wide as they must be, and in two rows where one is too narrow.
    with st.container(horizontal=True, gap="small", key="watch-figures"):
        for label, (value, explained) in shown.items():
            st.metric(label, value, help=explained, width="content")


def _buttons(job: Job) -> None:
    """Buttons that stay in the same place in every state.

    All are always drawn: while a page is drawn anew without end, Streamlit keeps what has gone
    beside what has come, and whatever follows is moved away under the pointer.
    """
    is_going = job.state in ("running", "preparing", "queued")
    can_go_on = job.state == "paused" or (not job.is_live and job.can_resume)
    _button(shared_strings.PAUSE, ":material/pause:", is_going, jobs.pause, job)
    _button(shared_strings.RESUME, ":material/play_arrow:", can_go_on, jobs.resume, job)
    _button(
        shared_strings.STOP, ":material/stop:", is_going or job.state == "paused", jobs.stop, job
    )
    with st.popover(shared_strings.REMOVE, icon=":material/delete:", disabled=job.is_live):
        st.write(shared_strings.REMOVE_QUESTION)
        _button(shared_strings.REMOVE_SURE, None, not job.is_live, jobs.remove, job)


def _button(
    label: str, icon: str | None, enabled: bool, act: Callable[[Path], None], job: Job
) -> None:
    """Button that does something to the run.

    It acts in a callback, which comes before anything is drawn: a script that is cut short by the
    next look for news has forgotten who clicked.
    """
    st.button(
        label,
        icon=icon,
        disabled=not enabled,
        key=f"train-{label}",
        on_click=_act,
        args=(act, job.folder),
    )


def _act(act: Callable[[Path], None], folder: Path) -> None:
    memory.forget(REFUSED, STARTED)
    # The page goes on with this run, whichever others began meanwhile, or says that it is gone.
    address.put(WATCHED, folder.name)
    try:
        act(folder)
        if act is jobs.remove:
            address.put(WATCHED, "")
    except page.FAILURES as error:
        memory.remember(
            REFUSED, (folder.name, jobs.read_job(folder).state, shell_strings.failure(error))
        )


def _runs(found: Sequence[Job]) -> None:
    """Table of all runs on the corpus, from their last reports."""
    st.markdown(f"**{shared_strings.RUNS_TITLE}**")
    # A table that wraps: no cell is cut, whatever the width of the window.
    with st.container(key="train-runs"):
        st.table(runs_table(found).map(markdown_text).set_index(shared_strings.TRAIN_TABLE["name"]))


def _state(job: Job) -> str:
    return (
        common_strings.STATES[job.state]
        if progress.done_last(job) is None
        else shared_strings.FINISHING
    )


def _method(job: Job) -> str:
    if job.settings.get("graph_file"):
        return shared_strings.GRAPH_GIVEN
    if job.learns_graph:
        return shared_strings.METHODS[jobs.LEARNED]
    return shared_strings.METHODS.get(job.settings.get("method", ""), "")


def _topics(job: Job) -> str:
    """Topics in each layer as they were asked for, or how many a learned graph has by now."""
    asked = job.settings.get("topics") or ()
    found = job.status.get("topics")
    return ", ".join(map(str, asked)) or (
        f"{found:,}" if isinstance(found, int) else common_strings.NO_FIGURE
    )


def _figure(value: Any) -> str:
    return number(value) if isinstance(value, int | float) else common_strings.NO_FIGURE


def runs_table(found: Sequence[Job]) -> pd.DataFrame:
    """One row for each run, under headers for people."""
    rows = [
        {
            "name": job.name,
            "state": _state(job),
            "topics": _topics(job),
            "method": _method(job),
            "epoch": shared_strings.epochs_done(job.status.get("epoch"), job.status.get("epochs")),
            "held_out": _figure(job.status.get("held_out_bound")),
            "time": common_strings.duration(job.seconds)
            if job.seconds
            else common_strings.NO_FIGURE,
        }
        for job in found
    ]
    return pd.DataFrame(rows, columns=list(shared_strings.TRAIN_TABLE)).rename(
        columns=shared_strings.TRAIN_TABLE
    )

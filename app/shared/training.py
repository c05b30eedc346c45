"""The progress of a training run: figures, chart and buttons, and all runs on the corpus."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from ...core.storage.runs import read_command
from ...core.utils.lazy import LazyModule
from ..shell import address, choice, memory, page, routing
from ..shell import strings as shell_strings
from ..text import strings as common_strings
from ..text.safe_text import markdown_text, requested_name
from ..text.strings import number
from ..workspace import catalog, progress
from ..workspace import runs as jobs
from ..workspace.runs import Job
from . import fewer_topics, model_summary, topics_so_far, training_charts
from . import strings as shared_strings

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = LazyModule("pandas")

WATCHED = "watch"
CHOSEN = "train-run"
# Session key of the run that was started last, with the run in the URL before it, the chosen model
# and the time.
STARTED = "train-started"
# After this time, no request with the URL before the start is under way, even on a slow machine.
SECONDS_OF_FOLLOWING = 60.0
# How long the page is scrolled to a new run.
SECONDS_OF_SCROLLING = 10.0
# Scrolls to the run, which may be far from the button that started it.
SHOW_RUN = """<script>
document.querySelector(".st-key-watch")?.scrollIntoView({block: "start"});
</script>"""
REFUSED = "train-refused"
POLL_SECONDS = 1.0
# Styled in the style sheet of the app.
MOVING_BAR = '<div class="moving-bar" role="progressbar"></div>'
# In pixels; leaves room for the buttons beside it in a window of 1280.
RUN_WIDTH = 175


def show(runs: Sequence[Job], corpus: Path) -> None:
    """Draw a run; while any run is live, it is updated every second without redrawing the page."""
    job = _run_to_show(runs)
    say_gone(job.name)
    # Any live run, since the table has all of them.
    is_going = any(run.is_live for run in runs)
    with st.container(key="watch"):
        live = frozenset(run.name for run in runs if run.is_live)
        st.fragment(_show_run, run_every=POLL_SECONDS if is_going else None)(
            job.folder, corpus, live
        )
    name, _, _, moment = _started()
    if name == job.name and time.monotonic() - moment < SECONDS_OF_SCROLLING:
        st.html(SHOW_RUN, unsafe_allow_javascript=True)


def _run_to_show(runs: Sequence[Job]) -> Job:
    """The run in the URL, else a live one, else the one of the chosen model, else the newest."""
    chosen = _chosen_model()
    wanted = (
        *(job for job in runs if job.name == address.get(WATCHED)),
        *(job for job in runs if job.is_live),
        *(job for job in runs if job.name == chosen),
    )
    return wanted[0] if wanted else runs[0]


def _chosen_model() -> str:
    model = choice.model_place()
    return model.name if model else ""


def show_started(name: str) -> None:
    """Switch to a run that was just started."""
    memory.remember(STARTED, (name, address.get(WATCHED), _chosen_model(), time.monotonic()))
    address.put(WATCHED, name)
    st.rerun()


def follow_started() -> None:
    """Show the run that was just started, although a request with the previous URL came later.

    An update of the fragment may be under way when the run is started, and ends that script. A URL
    with any other run, or another model, is a choice that somebody has made since.
    """
    name, before, model, moment = _started()
    is_recent = time.monotonic() - moment < SECONDS_OF_FOLLOWING
    if is_recent and address.get(WATCHED) == before and _chosen_model() in (model, name):
        address.put(WATCHED, name)


def _started() -> tuple[str, str, str, float]:
    """Name of the run that was started last, run in the URL before it, chosen model, and time."""
    started: tuple[str, str, str, float] = memory.recall(STARTED, ("", "", "", -math.inf))
    return started


def say_gone(shown: str = "") -> None:
    """Warn if the run in the URL does not exist, and name the run that is shown instead."""
    requested = address.get(WATCHED)
    if requested and requested != shown:
        st.warning(shell_strings.not_here(WATCHED, requested_name(requested), markdown_text(shown)))


@page.failures_shown()
def _show_run(folder: Path, corpus: Path, were_live: frozenset[str]) -> None:
    job = jobs.read_job(folder)
    runs = jobs.runs_on(catalog.workspace(), corpus)
    is_other = address.get(WATCHED) in {run.name for run in runs} - {job.name}
    live = {run.name for run in runs if run.is_live}
    if not address.get(WATCHED) and job.name in were_live - live:
        # Without this, the page would show the run of the chosen model now.
        address.put(WATCHED, job.name)
    if is_other or live != were_live or not folder.is_dir():
        st.rerun()
    metrics = training_charts.metrics_once(folder)
    with st.container(horizontal=True, vertical_alignment="bottom", key="train-head"):
        _choose_run(job, runs)
        _buttons(job)
    name, its_state, refusal = memory.recall(REFUSED, ("", "", ""))
    if (name, its_state) == (job.name, job.state):
        page.show_error(refusal)
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", key="train-news"):
        news = progress.sentence(job, metrics, read_command(folder))
        st.markdown(markdown_text(news), width="stretch")
        is_ready = job.has_model and not job.is_live
        if is_ready and st.button(shared_strings.TO_QUERY, type="primary", key="train-to-query"):
            choice.choose_model(job.name)
            routing.go_to("query")
    if is_ready and (doubt := model_summary.doubt_of(folder)):
        st.warning(doubt)
    # The place of the bar is kept without a bar, so that the chart does not move. The bar only
    # moves if the duration is unknown.
    with st.container(key="watch-bar"):
        share = progress.share_done(job, metrics)
        if share is not None:
            st.progress(share)
        elif job.is_live and job.state != "paused":
            st.html(MOVING_BAR)
    _figures(progress.figures(job, metrics))
    if job.is_live:
        topics_so_far.show(job)
    training_charts.show(job, metrics, runs)
    if is_ready:
        fewer_topics.show(folder)
    st.markdown(f"**{shared_strings.RUNS_TITLE}**")
    # The table wraps, so that no cell is cut in a narrow window.
    with st.container(key="train-runs"):
        st.table(runs_table(runs).map(markdown_text).set_index(shared_strings.TRAIN_TABLE["name"]))


def _choose_run(job: Job, runs: Sequence[Job]) -> None:
    """Draw the menu of the runs on the corpus."""
    # Each run has a menu of its own, in which only another run is a choice. An update that the
    # browser requested before another run was shown sends the value of the previous menu.
    key = f"{CHOSEN}-{job.name}"

    def choose() -> None:
        chosen = memory.recall(key)
        if chosen != job.name:
            memory.forget(STARTED)
            address.put(WATCHED, chosen)

    memory.remember(key, job.name)
    names = [other.name for other in runs]
    st.selectbox(shared_strings.SHOW, names, key=key, width=RUN_WIDTH, on_change=choose)


def _figures(figures: progress.Figures) -> None:
    is_left = figures.time_label == common_strings.LEFT
    time_help = shared_strings.LEFT_HELP if is_left else shared_strings.TOOK_HELP
    shown = {
        shared_strings.HELD_OUT: (figures.held_out, shared_strings.HELD_OUT_HELP),
        shared_strings.RATE: (figures.rate, shared_strings.RATE_HELP),
        figures.time_label: (figures.time, time_help),
        shared_strings.IN_USE: (figures.in_use, shared_strings.IN_USE_HELP),
    }
    # In two rows if one is too narrow.
    with st.container(horizontal=True, gap="small", key="watch-figures"):
        for label, (value, explained) in shown.items():
            st.metric(label, value, help=explained, width="content")


def _buttons(job: Job) -> None:
    """Draw the buttons, all of them in every state.

    If a button were left out, Streamlit would keep it beside new ones during repeated updates, and
    everything after it would move under the pointer.
    """
    is_going = job.state in ("running", "preparing", "queued")
    can_go_on = job.state == "paused" or (not job.is_live and job.can_resume)
    _button(shared_strings.PAUSE, ":material/pause:", is_going, jobs.pause, job)
    _button(shared_strings.RESUME, ":material/play_arrow:", can_go_on, jobs.resume, job)
    _button(
        shared_strings.STOP, ":material/stop:", is_going or job.state == "paused", jobs.stop, job
    )
    with st.popover(
        shared_strings.REMOVE,
        icon=":material/delete:",
        disabled=job.is_live,
        key=f"train-{shared_strings.REMOVE}-{job.name}",
    ):
        # While the run is live, this cannot be opened, and is drawn every second.
        by_model = {} if job.is_live else model_summary.stories_by_model()
        stories = len(by_model.get(job.name, ()))
        lost = shell_strings.lost_with_run(stories)
        question = shared_strings.REMOVE_QUESTION.format(run=markdown_text(job.name))
        st.write(f"{question} {lost}")
        _button(shared_strings.REMOVE_SURE, None, not job.is_live, jobs.remove, job)


def _button(
    label: str, icon: str | None, enabled: bool, act: Callable[[Path], None], job: Job
) -> None:
    """Draw a button for the run.

    It acts in a callback, before anything is drawn, since a script that the next update interrupts
    loses the click. Its key has the name of the run, so that a click does nothing to another run
    that the page shows by the time when the click arrives.
    """
    st.button(
        label,
        icon=icon,
        disabled=not enabled,
        key=f"train-{label}-{job.name}",
        on_click=_act,
        args=(act, job.folder),
    )


def _act(act: Callable[[Path], None], folder: Path) -> None:
    memory.forget(REFUSED, STARTED)
    # The page stays with this run if others began meanwhile, and reports if it is gone.
    address.put(WATCHED, folder.name)
    try:
        act(folder)
        if act is jobs.remove:
            address.put(WATCHED, "")
    except page.FAILURES as error:
        state = jobs.read_job(folder).state
        memory.remember(REFUSED, (folder.name, state, shell_strings.failure(error)))


def _method(job: Job) -> str:
    if job.settings.get("graph_file"):
        return shared_strings.GRAPH_GIVEN
    if job.learns_graph:
        return shared_strings.METHODS[jobs.LEARNED]
    return shared_strings.METHODS.get(job.settings.get("method", ""), "")


def _topics(job: Job) -> str:
    """Requested topics of each layer, or the current number in a learned graph."""
    requested = job.settings.get("topics") or ()
    found = job.status.get("topics")
    learned = f"{found:,}" if isinstance(found, int) else common_strings.NO_FIGURE
    return ", ".join(map(str, requested)) or learned


def runs_table(found: Sequence[Job]) -> pd.DataFrame:
    """One row for each run, with displayed headers."""
    none = common_strings.NO_FIGURE

    def figure(value: Any) -> str:
        return number(value) if isinstance(value, int | float) else none

    def metrics_of(job: Job) -> pd.DataFrame:
        once = training_charts.metrics_once if job.is_live else training_charts.epochs_once
        return once(job.folder)

    rows = [
        {
            "name": job.name,
            "state": shared_strings.FINISHING
            if progress.done_last(job) is not None
            else common_strings.STATES[job.state],
            "topics": _topics(job),
            "method": _method(job),
            "epoch": shared_strings.epochs_done(progress.epochs_done(job, metrics_of(job))),
            "held_out": figure(job.status.get("held_out_bound")),
            "time": common_strings.duration(job.seconds) if job.seconds else none,
        }
        for job in found
    ]
    return pd.DataFrame(rows, columns=list(shared_strings.TRAIN_TABLE)).rename(
        columns=shared_strings.TRAIN_TABLE
    )

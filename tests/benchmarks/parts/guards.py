"""Mutation tests: without the lines that implement a guarantee, its test must fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.markdown import table
from tests.benchmarks.part import Figures, Part, Settings, log
from tests.browser.driving import ROOT

# Exit codes of pytest; any other code is an error of the run itself.
TESTS_PASSED, TESTS_FAILED = 0, 1
YES, NO, NOT_MEASURED = "yes", "**no**", "not measured"


@dataclass(frozen=True)
class Guard:
    """Lines that implement a guarantee.

    Attributes
    ----------
    name : str
        Description of the guarantee.
    file, lines, instead : str
        Their file and text, and the text that replaces them.
    test : str
        Tests that must fail then, as arguments of pytest.
    """

    name: str
    file: str
    lines: str
    instead: str
    test: str


VISITORS = "tests/app/test_two_visitors.py"
CRASHES = "tests/test_crash_consistency.py"
DIVERGENCE = "tests/core/training/test_divergence.py"
CACHING = "tests/core/kernels/test_caching.py"
ACCESS = "tests/app/test_access.py"
OFFICE = "tests/core/data/test_office.py"
STABILITY = "tests/core/runs/test_stability.py"
KILLED = "tests/core/runs/test_killed_runs.py"
SUM_APART = """        for s in range(len(share)):
            slope[s] = share[s] * x[i, s] / on[i, s]
        # In separate loops, because a summing loop must not store.
        total, mean = 0.0, 0.0
        for s in range(len(share)):
            total += slope[s]
"""
SUM_THAT_STORES = """        total, mean = 0.0, 0.0
        for s in range(len(share)):
            slope[s] = share[s] * x[i, s] / on[i, s]
            total += slope[s]
"""
GUARDS = (
    Guard(
        "a change does not create a deleted model",
        "core/storage/overlay.py",
        "    if not model_folder.is_dir():\n",
        "    if False:\n",
        f"{VISITORS}::test_to_change_a_model_that_is_gone_makes_nothing",
    ),
    Guard(
        "no run starts on a deleted corpus",
        "app/workspace/runs.py",
        "        if not corpus.is_dir():\n",
        "        if False:\n",
        "tests/app/workspace/test_jobs.py::test_nothing_begins_on_a_corpus_that_is_gone",
    ),
    Guard(
        "a name in a URL never leads to a file",
        "core/storage/stories.py",
        "    if not _NAME.fullmatch(name):\n",
        "    if False:\n",
        "tests/app/test_addresses.py::test_what_an_address_states_is_read_or_refused",
    ),
    Guard(
        "a click on a deleted item affects no other item",
        "app/shared/topic_changes.py",
        '    return f"{name}-{run.folder.name}"\n',
        "    return name\n",
        f"{VISITORS}::test_a_click_on_a_model_that_is_gone_changes_no_other",
    ),
    Guard(
        "patterns with exponential running time are refused",
        "core/data/word_patterns.py",
        "    if not is_linear:\n",
        "    if False:\n",
        "tests/core/data/test_patterns.py::test_a_pattern_that_may_take_for_ever_is_refused",
    ),
    Guard(
        "diverging steps are undone",
        "core/training/divergence.py",
        "        has_diverged = not nats <= sound.most\n",
        "        has_diverged = False\n",
        f"{DIVERGENCE}::test_a_rate_far_too_large_ends_about_where_the_usual_one_does",
    ),
    Guard(
        "non-finite gradients are not applied",
        "core/training/train.py",
        "    if not np.isfinite(slope).all():\n",
        "    if False:\n",
        f"{DIVERGENCE}::test_a_slope_that_is_no_number_is_not_followed",
    ),
    Guard(
        "a checkpoint contains the last sound state",
        "core/storage/checkpoints.py",
        "        arrays |= _sound_arrays(state.sound)\n",
        "        pass\n",
        f"{DIVERGENCE}::test_stopped_around_a_step_back_and_resumed_is_never_stopped",
    ),
    Guard(
        "compiled kernels are verified by their hash",
        "core/kernels/cache.py",
        "        if hashlib.sha256(content).hexdigest().encode() != digest:\n",
        "        if False:\n",
        f"{CACHING}::test_whatever_became_of_a_file_it_is_compiled_again",
    ),
    Guard(
        "stale temporary files are removed",
        "core/storage/runs.py",
        "if _is_old(path)]",
        "if False]",
        "tests/core/storage/test_stale_files.py",
    ),
    Guard(
        "older formats can be opened",
        "core/storage/corpora.py",
        "    if not 1 <= version <= CORPUS_VERSION:\n",
        "    if version != CORPUS_VERSION:\n",
        "tests/core/storage/test_older_formats.py",
    ),
    Guard(
        "input with too deep nesting is refused",
        "core/storage/graphs.py",
        "    except (ValueError, RecursionError):\n",
        "    except ValueError:\n",
        "tests/test_hostile_input.py::test_guidance",
    ),
    Guard(
        "blocks are summed in a fixed order for any number of threads",
        "core/training/e_step.py",
        "block_e_step(prepared, documents, step_settings, N_BLOCKS)",
        "block_e_step(prepared, documents, step_settings, __import__('numba').get_num_threads())",
        "tests/core/training/test_repeating.py::test_a_training_repeats_in_any_threads_and_wherever_arrays_lie",
    ),
    Guard(
        "the server accepts connections from this machine only",
        "app/cli/app_command.py",
        '*("--server.address", str(address), ',
        '*("--server.address", "0.0.0.0", ',
        "tests/test_origin.py::test_the_server_listens_to_this_machine_alone",
    ),
    Guard(
        "a page of another origin gets no answer from the server",
        "app/cli/app_command.py",
        '        *("--logger.hideWelcomeMessage", "true"),\n',
        '        *("--server.enableCORS", "false", "--server.enableXsrfProtection", "false"),\n',
        "tests/test_origin.py::test_a_page_of_another_origin_gets_no_socket",
    ),
    Guard(
        "the server accepts only the host names of this machine",
        "app/server.py",
        "[Middleware(LocalHostsOnly)] if is_own(ADDRESS) else []",
        "[]",
        "tests/test_origin.py::test_a_page_whose_name_leads_here_is_refused",
    ),
    Guard(
        "no usage statistics are sent",
        "app/cli/app_command.py",
        '        *("--browser.gatherUsageStats", "false"),\n',
        '        *("--browser.gatherUsageStats", "true"),\n',
        "tests/app/cli/test_app_command.py::test_what_is_started",
    ),
    Guard(
        "archives that unpack to more than the limit are refused",
        "core/data/limits.py",
        "    if n_bytes > limit:\n",
        "    if False:\n",
        "tests/core/data/test_folders.py::test_a_zip_bomb_is_refused_before_it_is_unpacked",
    ),
    Guard(
        "a killed run resumes from its last checkpoint",
        "core/runs/runner.py",
        "    begun, seconds_before = load_checkpoint(run_log.folder, graph) or (None, 0.0)\n",
        "    begun, seconds_before = None, 0.0\n",
        f"{KILLED}::test_it_continues_from_the_last_checkpoint_and_loses_no_more",
    ),
    Guard(
        "a vectorised sum does not store",
        "core/kernels/importance_gradient.py",
        SUM_APART,
        SUM_THAT_STORES,
        "tests/core/kernels/test_placement.py::test_no_vector_loop_that_adds_up_samples_stores",
    ),
    Guard(
        "files are replaced atomically",
        "core/storage/atomic.py",
        "        when_free(lambda: os.replace(partial, path))\n",
        "        path.write_bytes(b'')\n        when_free(lambda: os.replace(partial, path))\n",
        f"{CRASHES}::test_an_edit_is_made_or_not_and_the_others_stay",
    ),
    Guard(
        "an export keeps the file that it replaces",
        "core/storage/atomic.py",
        "        if first.exists():\n            _keep(copies)\n",
        "",
        f"{CRASHES}::test_an_export_over_an_older_one_leaves_either",
    ),
    Guard(
        "descriptions have a checksum",
        "core/storage/reading.py",
        "    if (is_needed or SEAL in values) and values.get(SEAL) != seal_of(values):\n"
        "        raise damaged(path)\n",
        "",
        "tests/test_damaged_files.py::test_a_value_that_a_hand_changed_in_a_description_is_named",
    ),
    Guard(
        "a table of new documents replaces an older one atomically",
        "app/cli/apply_command.py",
        "replacing(chosen.out) as file",
        'chosen.out.open("wb") as file',
        f"{CRASHES}::test_a_table_of_new_documents_is_the_older_one_or_complete",
    ),
    Guard(
        "a training that fails at its first writes leaves no folder",
        "core/runs/runner.py",
        "        except (InputError, OSError):\n",
        "        except InputError:\n",
        f"{CRASHES}::test_training_continues_to_the_same_bytes",
    ),
    Guard(
        "a process that cannot be recorded is ended",
        "app/workspace/processes.py",
        "        process.kill()\n        process.wait()\n        raise\n",
        "        raise\n",
        f"{CRASHES}::test_what_the_app_starts_is_recorded_or_leaves_nothing",
    ),
    Guard(
        "a training of a measured stability is removed after a kill",
        "core/runs/stability.py",
        "        # The last training is stored, perhaps by a process that was killed.\n"
        "        _remove_all_but(_place(reference, found))\n",
        "",
        f"{STABILITY}::test_a_training_that_a_killed_process_left_is_removed",
    ),
    Guard(
        "a server that a network can reach requires a token",
        "app/server.py",
        "    if ACCESS is None:\n        return hosts\n",
        "    if True:\n        return hosts\n",
        "tests/test_token.py::test_no_request_without_the_token_gets_anything",
    ),
    Guard(
        "nothing but the form is served without a token",
        "app/access.py",
        "        if may_change is None:\n"
        "            return PlainTextResponse(strings.TOKEN_MISSING, 403, headers=_NEVER_KEPT)\n",
        "",
        f"{ACCESS}::test_no_request_without_a_token_reaches_the_app",
    ),
    Guard(
        "wrong tokens are limited",
        "app/access.py",
        "        return self._wrong[client] >= allowed\n",
        "        return False\n",
        f"{ACCESS}::test_attempts_are_limited_and_never_for_good",
    ),
    Guard(
        "tokens are compared in constant time",
        "app/access.py",
        "if hmac.compare_digest(given, known)]",
        "if given == known]",
        f"{ACCESS}::test_secrets_are_compared_in_constant_time",
    ),
    Guard(
        "a token leaves the address of a page",
        "app/access.py",
        'if unquote_plus(part.partition("=")[0]) != PARAMETER]',
        "]",
        f"{ACCESS}::test_the_token_leads_to_a_cookie_and_leaves_the_address",
    ),
    Guard(
        "no script of a page reads the cookie",
        "app/access.py",
        "            httponly=True,\n",
        "            httponly=False,\n",
        f"{ACCESS}::test_the_token_leads_to_a_cookie_and_leaves_the_address",
    ),
    Guard(
        "holders of a token to view change nothing",
        "app/access.py",
        "        if not may_change and method not in READING:\n",
        "        if False:\n",
        f"{ACCESS}::test_those_who_view_change_nothing",
    ),
    Guard(
        "a token that other users can read is refused",
        "app/tokens.py",
        '    if os.name != "nt" and (is_open or status.st_uid != os.geteuid()):\n',
        "    if False:\n",
        f"{ACCESS}::test_a_file_that_others_can_read_is_refused",
    ),
    Guard(
        "an office file that declares entities is refused",
        "core/data/office.py",
        "    parser.StartDoctypeDeclHandler = refuse\n",
        "",
        f"{OFFICE}::test_entities_are_refused",
    ),
    Guard(
        "an office file that unpacks to more than the limit is refused",
        "core/data/office.py",
        "    refuse_expansion(name, size, MAX_XML)\n",
        "",
        f"{OFFICE}::test_bombs_are_refused_by_their_headers",
    ),
    Guard(
        "damage to any part of a spreadsheet is reported",
        "core/data/office.py",
        '            refusing_damage(_damaged(name, "spreadsheet")),\n',
        "",
        f"{OFFICE}::test_damage_to_any_part_is_one_sentence",
    ),
)


def run(settings: Settings) -> Figures:
    """Take one guard after the other away, and see whether its test fails, which passed before."""
    # Those whose tests take the least come first.
    count = settings.pick(round(settings.share * len(GUARDS)), 1)
    guards = GUARDS[: max(count, 1)]
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "copy"
        kept = shutil.ignore_patterns(".git", "__pycache__", "node_modules", ".*_cache", "results")
        shutil.copytree(ROOT, copy, symlinks=True, ignore=kept)
        # A test that fails anyway notices nothing.
        passed = {test: _passes(copy, test) for test in dict.fromkeys(g.test for g in guards)}
        noticed = {guard.name: passed[guard.test] and _is_noticed(copy, guard) for guard in guards}
    return {"passed": passed, "noticed": noticed}


def _is_noticed(copy: Path, guard: Guard) -> bool:
    """Whether a guard's test fails in a copy of the repository without it."""
    changed = copy / guard.file
    text = changed.read_text(encoding="utf-8")
    if guard.lines not in text:
        raise LookupError(f"{guard.file} has no more of what is to be taken away: {guard.name}")
    changed.write_text(text.replace(guard.lines, guard.instead), encoding="utf-8")
    try:
        is_noticed = not _passes(copy, guard.test)
    finally:
        changed.write_text(text, encoding="utf-8")
    log.info("%s: %s", guard.name, "noticed" if is_noticed else "MISSED")
    return is_noticed


def _passes(copy: Path, test: str) -> bool:
    """Whether tests pass in a copy; raises RuntimeError where they neither pass nor fail."""
    # Links of the copy come before what is installed. What was compiled of a file may look as new
    # as the file with other lines.
    links = {"PYTHONPATH": str(copy / ".links"), "PYTHONDONTWRITEBYTECODE": "1"}
    # One thread always has the same order, and without compiled kernels none can be damaged.
    others = {
        name: v for name, v in os.environ.items() if not name.startswith(("NUMBA_", "ORRERY_"))
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        test,
    ]
    done = subprocess.run(
        command, cwd=copy, env=others | links, check=False, capture_output=True, text=True
    )
    if done.returncode not in (TESTS_PASSED, TESTS_FAILED):
        raise RuntimeError(f"{test} could not be run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == TESTS_PASSED


def show(figures: Figures) -> str:
    """Table of the guarantees and whether their tests failed; a new guard was not measured."""
    rows = []
    for guard in GUARDS:
        is_measured = guard.name in figures["noticed"] and guard.test in figures["passed"]
        found = [NOT_MEASURED] * 2
        if is_measured:
            outcomes = figures["passed"][guard.test], figures["noticed"][guard.name]
            found = [YES if is_so else NO for is_so in outcomes]
        rows.append([guard.name, f"`{guard.test}`", *found])
    return "\n\n".join(
        [
            "Mutation tests of the guarantees: the test of each guarantee is run in a copy of the "
            "repository, first unchanged and then without the lines that implement it. A test that "
            "still passes would not protect the guarantee.",
            table(["removed guarantee", "test", "passes unchanged", "fails without it"], rows),
        ]
    )


PART = Part("guards", "Mutation tests of the guarantees", 20, run, show)

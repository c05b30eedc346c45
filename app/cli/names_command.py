"""``orrery names``: list, name and annotate topics, by a table or a language model's answer."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.utils.errors import InputError
from . import options
from .options import check_free, check_place

if TYPE_CHECKING:
    from ...core.model.overlay import Edit, TopicValues
    from ...core.model.topic_model import Run


TABLES = (".csv", ".tsv")
# Characters printed of a line that was not understood.
MAX_CHARACTERS = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--csv", type=Path, metavar="FILE", help="write a table to edit")
    what.add_argument(
        "--set",
        type=Path,
        metavar="FILE",
        help="read names, notes and hidden topics from a table (.csv, .tsv), or names from the "
        "answer of a language model (any other file)",
    )
    what.add_argument(
        "--prompt",
        action="store_true",
        help="print a prompt for a language model of your choice; nothing is sent anywhere",
    )
    what.add_argument("--undo", action="store_true", help="undo the last change")
    parser.add_argument(
        "--part",
        type=options.positive,
        metavar="N",
        help="print only this part of a prompt that has several",
    )
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Perform the action of the given option; without one, list the topics."""
    from ...core.storage.runs import load_run

    if chosen.part and not chosen.prompt:
        raise InputError("--part is about --prompt; add that, or leave --part out")
    if chosen.csv:
        check_place(chosen.csv)
        check_free(chosen.csv, chosen.force)
    model = load_run(chosen.run)
    if chosen.set:
        return _set(chosen, model)
    if chosen.prompt:
        return _prompt(chosen, model)
    if chosen.undo:
        return _undo(chosen)
    return _list(chosen, model)


def _list(chosen: argparse.Namespace, model: Run) -> dict[str, Any]:
    """List the topics, or write them as a table."""
    from ...core.naming.table import names_csv, table_order, topic_documents, topic_rows
    from ...core.storage.activations import load_activations
    from ...core.storage.atomic import write_bytes
    from ...core.storage.runs import model_folder

    documents = topic_documents(model, load_activations(model_folder(model.folder)))
    rows = topic_rows(model, table_order(model, documents).tolist(), documents)
    if chosen.csv:
        write_bytes(chosen.csv, names_csv(rows))
        if not chosen.json:
            print(f"{chosen.csv}: {len(rows):,} topics; edit it, then give it to --set")
        return {"file": str(chosen.csv), "topics": len(rows)}
    if not chosen.json:
        for row in rows:
            print("  ".join(filter(None, (row.id, row.name, ", ".join(row.words)))))
    return {"topics": [asdict(row) for row in rows]}


def _set(chosen: argparse.Namespace, model: Run) -> dict[str, Any]:
    from ...core.model.overlay import apply_edits, edits_towards, same_names
    from ...core.storage.overlay import change_overlay
    from ...core.storage.runs import model_folder

    wanted, misses = _read(chosen.set, model)
    edits = edits_towards(model.overlay, wanted)
    place = model_folder(chosen.run)
    overlay = change_overlay(place, lambda current: apply_edits(current, edits))
    if not chosen.json:
        _print_edits(edits)
        for miss in misses:
            print(f"not understood: {miss}", file=sys.stderr)
        for name in same_names(overlay.labels.values()):
            print(f"several topics are called {name}", file=sys.stderr)
    return {"changed": [asdict(edit) for edit in edits], "not_understood": misses}


def _read(path: Path, model: Run) -> tuple[TopicValues, list[str]]:
    """Names, notes and visibility of topics in a file, and the lines that were not understood."""
    from ...core.data.encodings import decode
    from ...core.naming.language_model import read_answer
    from ...core.naming.table import read_names_csv

    if not path.is_file():
        raise InputError(f"there is no file {path}; check its name")
    data, ids = path.read_bytes(), model.network.graph.topic_ids
    if path.suffix.lower() in TABLES:
        return read_names_csv(path.name, data, ids), []
    answer = read_answer(decode(data, path.name), ids)
    if not answer.names:
        raise InputError(f"{path} names no topic of this model; write lines such as ID: NAME")
    misses = [
        (f"line {miss.line}: " if miss.line else "")
        + f"{miss.text[:MAX_CHARACTERS]!r}, {miss.reason}"
        for miss in answer.misses
    ]
    return {topic: {"name": name} for topic, name in answer.names.items()}, misses


def _undo(chosen: argparse.Namespace) -> dict[str, Any]:
    from ...core.storage.overlay import read_history, undo_change
    from ...core.storage.runs import model_folder

    place = model_folder(chosen.run)
    steps = read_history(place)
    if not steps:
        raise InputError("there is no change to take back")
    edits = undo_change(place, steps[-1].number)
    if not chosen.json:
        _print_edits(edits)
    return {"changed": [asdict(edit) for edit in edits], "not_understood": []}


def _print_edits(edits: tuple[Edit, ...]) -> None:
    if not edits:
        print("nothing to change")
    for edit in edits:
        print(f"{edit.topic}  {edit.field}: {edit.before or '–'} → {edit.after or '–'}")


def _prompt(chosen: argparse.Namespace, model: Run) -> dict[str, Any]:
    from ...core.naming.language_model import naming_prompt, prompt_parts
    from ...core.naming.table import table_order, topic_documents
    from ...core.storage.activations import load_activations
    from ...core.storage.corpora import training_corpus
    from ...core.storage.runs import model_folder

    stored = load_activations(model_folder(model.folder))
    order = table_order(model, topic_documents(model, stored)).tolist()
    parts = prompt_parts(order)
    if chosen.part and chosen.part > len(parts):
        raise InputError(f"the prompt has {len(parts)} parts; there is no part {chosen.part}")
    numbers = [chosen.part] if chosen.part else range(1, len(parts) + 1)
    corpus = training_corpus(model)
    prompts = [naming_prompt(model, parts[number - 1], corpus, stored) for number in numbers]
    if not chosen.json:
        for number, prompt in zip(numbers, prompts, strict=True):
            if len(prompts) > 1:
                print(f"--- part {number} of {len(parts)}, a prompt of its own ---\n")
            print(prompt)
    return {"prompts": prompts}

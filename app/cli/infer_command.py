"""``orrery infer``: infer the posterior of a query, and print its active topics."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from ...core.utils.errors import InputError
from . import options

if TYPE_CHECKING:
    from ...core.data.corpus import Corpus
    from ...core.data.query import QueryTokens
    from ...core.drawing.answer import AnswerGroups
    from ...core.inference.evidence import Evidence
    from ...core.inference.posterior import Method, Posterior
    from ...core.inference.words_together import TextsWithTopics
    from ...core.model.topic_model import Run
    from ...core.storage.activations import Activations


# Most probable topics of a word that only the texts have.
N_LIKELIEST = 5
# Unknown words for which known words near them are listed; a long text has many.
MAX_WORDS_NEAR = 10
# A query that is still less probable than this, compared with unrelated words, is given as this.
SMALLEST_FACTOR = 1e-12
# Belief propagation may over- or underestimate the log-probability. All other methods give lower
# bounds; for importance sampling this holds on average.
NO_BOUND = "sum-product"
# Heading of the questions for each of `orrery.core.inference.questions.AIMS`, whose import would
# delay the help.
HEADINGS = {
    "information": "most informative next:",
    "confirmation": "to a nearly certain topic (bits of a relative entropy, which may exceed 1):",
}
METHOD_OF_BOUND: dict[str, Method] = {"exact": "mean-field", "jensen": "jensen"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    options.add_run(parser)
    parser.add_argument(
        "--query",
        required=True,
        metavar="TEXT",
        help="present words; -word means absent and ?word unknown; for a graph or a matrix, "
        "'no word' means absent too, unless +word says present; if the first word has a sign, "
        "write --query=-word",
    )
    parser.add_argument("--absent", default="", metavar="TEXT", help="absent words")
    world = parser.add_mutually_exclusive_group()
    world.add_argument(
        "--open-world",
        action="store_true",
        help="read a few words: all other words are unknown (by default, unless the query is a "
        "whole text: sentences, or many known words)",
    )
    world.add_argument(
        "--closed-world",
        action="store_true",
        help="read a whole text: all other words are absent, as in a document",
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument(
        "--method",
        choices=("auto", "elimination", "sampling", "sum-product", "mean-field", "jensen"),
        default="auto",
        help="auto (the default) computes the exact posterior by variable elimination if that is "
        "fast, else estimates it by importance sampling; elimination and sampling select one of "
        "the two; sum-product is belief propagation; mean-field and jensen are the lower bounds "
        "of training, which are overconfident",
    )
    way.add_argument(
        "--bound",
        choices=tuple(METHOD_OF_BOUND),
        help="earlier option: exact means --method mean-field, jensen means --method jensen",
    )
    more = parser.add_argument_group("more about the answer")
    more.add_argument(
        "--explanations",
        type=options.positive,
        metavar="N",
        help="also print the N most probable joint states of all topics",
    )
    more.add_argument(
        "--questions",
        type=options.positive,
        metavar="N",
        help="also print the N words whose presence would be most informative about the topics "
        "that are undecided, with the expected information in bits, summed over the topics",
    )
    more.add_argument(
        "--aim",
        choices=tuple(HEADINGS),
        default="information",
        help="what the questions lead to: information (default) settles the undecided topics; "
        "confirmation usually makes some topic nearly certain quickly, as in a diagnosis, and its "
        "bits measure a relative entropy, which may exceed 1 for a single topic too",
    )
    more.add_argument(
        "--sensitivity",
        metavar="TOPIC",
        help="also print the weights and leaks on which the probability of this topic depends most",
    )
    options.add_json(parser)


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Infer the posterior, and print the active topics."""
    from ...core.data.query import read_query
    from ...core.drawing.answer import answer_groups, answer_sentence
    from ...core.drawing.question import notes, read_question
    from ...core.inference.infer import infer
    from ...core.storage.runs import load_run

    model = load_run(chosen.run)
    query = read_query(model, chosen.query, chosen.absent)
    unknown_words = query.unknown_words
    if not any(query.tokens.values()):
        return _answer_from_texts(model, chosen, unknown_words)
    evidence, is_text = _evidence(model, chosen, query)
    guessed = [] if is_text else notes(model, read_question(model, chosen.query))
    near_words = {} if is_text else _near_words(model, chosen.query, unknown_words)
    dropped = {} if is_text else _dropped_words(model, unknown_words)
    method = METHOD_OF_BOUND[chosen.bound] if chosen.bound else chosen.method
    posterior = infer(model.network, evidence, method=method)
    result = {
        "reading": "text" if evidence.closed_world else "words",
        "topics": _topics(model, posterior),
        "tokens": _tokens(model, posterior),
        "unknown_words": list(unknown_words),
        "left_out_words": list(query.left_out),
        "notes": guessed,
        "near_words": near_words,
        "dropped_words": dropped,
        **_log_probability(posterior),
        **_compared(model, posterior),
        "method": posterior.method,
        "precise": posterior.is_precise,
        **_more(model, chosen, posterior),
    }
    if not chosen.json:
        say = model.terms.translated
        if unknown_words and not is_text:
            _print_unknown(model, chosen.query, unknown_words, near_words)
            _print_dropped(model, dropped)
        for note in guessed:
            print(note)
        if evidence.closed_world and not chosen.closed_world:
            said = say("read as a whole text, so all other words are absent")
            print(f"{said} (--open-world: unknown)")
        groups = answer_groups(model, posterior)
        print(answer_sentence(model, groups))
        _print_lists(model, groups)
        _print_log_probability(result)
        _print_comparison(model, result)
        _print_more(model, result)
    return result


def _more(model: Run, chosen: argparse.Namespace, posterior: Posterior) -> dict[str, Any]:
    """Explanations, questions and sensitivity, if asked for."""
    from ...core.inference.most_probable import most_probable
    from ...core.inference.questions import best_questions
    from ...core.inference.sensitivity import sensitivity

    graph, network, found = model.network.graph, model.network, dict[str, Any]()
    names = [*graph.topic_ids, *model.vocabulary]
    if chosen.explanations is not None:
        states = most_probable(network, posterior, chosen.explanations)
        found["explanations"] = [
            {
                "topics": [graph.topic_ids[topic] for topic in states.on(number)],
                "probability": float(states.probability[number]),
                "log_joint": float(states.log_joint[number]),
            }
            for number in range(len(states.state))
        ]
        found["explanations_exact"] = states.is_exact
        found["explanations_missed"] = states.missed
    if chosen.questions is not None:
        asked = best_questions(network, posterior, chosen.questions, aim=chosen.aim)
        found["questions"] = [
            {"word": model.vocabulary[q.node], "bits": q.bits, "yes": q.yes}
            for q in asked.questions
        ]
        found["aim"] = chosen.aim
        found["questions_exact"] = asked.is_exact
        found["questions_complete"] = asked.is_complete
        found["undecided"] = [graph.topic_ids[topic] for topic in asked.targets]
    if chosen.sensitivity is not None:
        if not graph.n_topics:
            raise InputError("the model has no topics; leave out --sensitivity")
        if chosen.sensitivity not in graph.topic_number:
            raise InputError(
                f"the model has no topic {chosen.sensitivity!r}; use an id such as "
                f"{graph.topic_ids[0]}"
            )
        topic = graph.topic_number[chosen.sensitivity]
        posterior.position(topic, chosen.sensitivity)
        answer = sensitivity(network, posterior, topic)
        found["sensitivity"] = [
            {
                **({} if f.parent is None else {"parent": names[f.parent]}),
                "node": names[f.node],
                "weight" if f.parent is not None else "leak": f.value,
                "slope": f.slope,
                "halved": f.halved,
                "doubled": f.doubled,
                "low": f.low,
                "high": f.high,
            }
            for f in answer.figures
        ]
    return found


def _print_more(model: Run, result: dict[str, Any]) -> None:
    number, say = model.network.graph.topic_number, model.terms.translated
    if "explanations" in result:
        print(say("all topics together:"))
        for state in result["explanations"]:
            labels = [model.topic_labels[number[name]] for name in state["topics"]]
            print(f"  {state['probability']:.3f}  {' + '.join(labels) or say('no topic')}")
        if not result["explanations_exact"]:
            print(
                "  the search ended early: a state that is not listed may have a probability of "
                f"up to {result['explanations_missed']:.3f}"
            )
    if "questions" in result:
        print(say(HEADINGS[result["aim"]]))
        for question in result["questions"]:
            print(f"  {question['bits']:.3f} bits  {question['word']}")
        if not result["questions"]:
            print(f"  {say(_no_question(result))}")
        elif not result["questions_exact"]:
            print("  the bits are rough: exact inference would take too long")
    if "sensitivity" in result:
        print(say("probability of the topic with half, and with twice, the weight or leak:"))
        for figure in result["sensitivity"]:
            name = figure["node"]
            above = f"{figure['parent']} → {name}" if "parent" in figure else f"leak of {name}"
            print(f"  {figure['halved']:.3f}  {figure['doubled']:.3f}  {above}")


def _no_question(result: dict[str, Any]) -> str:
    """Reason why there is no question."""
    if not result["undecided"]:
        return "no topic of these words is undecided"
    if result["reading"] == "text":
        return "every word is known; use --open-world"
    return "no further word is informative about the undecided topics"


def _near_words(model: Run, text: str, unknown_words: Sequence[str]) -> dict[str, list[str]]:
    """Known words near the first unknown words."""
    from ...core.data.suggestions import suggest_for
    from ...core.data.term_suggestions import near_terms

    if model.recipe.matrix:
        near = near_terms(model, text)
    else:
        near = suggest_for(model, text, unknown_words[:MAX_WORDS_NEAR])
    found: dict[str, list[str]] = {word: [] for word in unknown_words[:MAX_WORDS_NEAR]}
    return found | {one.word: [known.word for known in one.known] for one in near}


def _evidence(model: Run, chosen: argparse.Namespace, query: QueryTokens) -> tuple[Evidence, bool]:
    """Evidence of the query, read as in the app, and whether it is a whole text."""
    from ...core.data.query import Contradiction, read_query
    from ...core.drawing.question import read_typed
    from ...core.inference.evidence import Evidence

    is_chosen = chosen.open_world or chosen.closed_world
    question = read_typed(
        model, chosen.query, closed_world=chosen.closed_world if is_chosen else None
    )
    if not question.body:
        query.check()
        return Evidence(**query.tokens, closed_world=question.closed_world), False
    absent = set(read_query(model, "", chosen.absent).tokens["absent"])
    evidence = question.evidence(closed_world=True)
    for token in absent.intersection(evidence.unknown):
        word = model.vocabulary[token].replace("_", " ")
        raise InputError(Contradiction(word, "absent", "unknown").sentence)
    present = tuple(token for token in evidence.present if token not in absent)
    named = tuple(dict.fromkeys((*evidence.absent, *absent)))
    return replace(evidence, present=present, absent=named), True


def _log_probability(posterior: Posterior) -> dict[str, float]:
    """Log-probability of the query, its standard error if known, and its value as a bound."""
    found = {"log_probability": posterior.log_probability}
    if posterior.log_probability_error is not None:
        found["log_probability_error"] = posterior.log_probability_error
    if posterior.method != NO_BOUND:
        found["bound"] = posterior.log_probability
    return found


def _compared(model: Run, posterior: Posterior) -> dict[str, Any]:
    """How surprising a few present words are together, empty for other queries and for bounds.

    They are compared with unrelated words, and with words of the training texts if there are any.
    """
    from ...core.inference.infer import infer
    from ...core.inference.thresholds import MANY_WORDS
    from ...core.inference.words_together import times_expected

    tokens = posterior.evidence.present
    if len(tokens) > MANY_WORDS or posterior.log_probability_error is None:
        return {}
    times = times_expected(posterior, lambda one: infer(model.network, one).log_probability)
    if times is None:
        return {}
    texts = _texts_with_topics(model)
    if texts is None:
        return {"times_expected": times}
    found = texts.compare(tokens, texts.usual_bits(len(tokens)))
    compared = {} if found is None else {"compared": asdict(found), "comparison": found.sentence}
    return {"times_expected": times, **compared}


def _texts_with_topics(model: Run) -> TextsWithTopics | None:
    """Words and topics of the training texts, which are not read themselves; None without them."""
    from ...core.inference.words_together import texts_with_topics
    from ...core.storage.activations import load_activations
    from ...core.storage.corpora import load_presence, start_fingerprint
    from ...core.storage.runs import model_folder

    try:
        presence, fingerprint = load_presence(model.corpus_path)
    except InputError:
        return None
    if start_fingerprint(model.folder) != fingerprint:
        return None
    stored = load_activations(model_folder(model.folder))
    if stored is None:
        return None
    return texts_with_topics(model.network, presence, stored.probability, stored.rows)


def _parents(model: Run, node: int) -> list[dict[str, Any]]:
    graph = model.network.graph
    edges = slice(graph.parent_ptr[node], graph.parent_ptr[node + 1])
    return [
        {"id": graph.topic_ids[parent], "weight": float(weight)}
        for parent, weight in zip(graph.parents(node), model.network.weight[edges], strict=True)
    ]


def _topics(model: Run, posterior: Posterior) -> list[dict[str, Any]]:
    """Topics of the local model by decreasing probability."""
    from ...core.inference.thresholds import group_of

    described = [
        {
            "id": model.network.graph.topic_ids[topic],
            "label": model.topic_labels[topic],
            "probability": float(posterior.probability[position]),
            "group": group_of(float(posterior.probability[position])),
            **({} if posterior.error is None else {"error": float(posterior.error[position])}),
            "parents": _parents(model, topic),
        }
        for position, topic in enumerate(posterior.local.topics)
    ]
    return sorted(described, key=lambda topic: -float(topic["probability"]))


def _tokens(model: Run, posterior: Posterior) -> list[dict[str, Any]]:
    """Words of the query by state; the present words in the order of the vocabulary."""
    from ...core.data.query import SIGNS

    n_topics = model.network.graph.n_topics
    named = {state: getattr(posterior.evidence, state) for state in SIGNS}
    named["present"] = sorted(named["present"])
    return [
        {
            "token": model.vocabulary[token],
            "state": state,
            "parents": _parents(model, n_topics + token),
        }
        for state, tokens in named.items()
        for token in tokens
    ]


def _answer_from_texts(
    model: Run, chosen: argparse.Namespace, unknown_words: Sequence[str]
) -> dict[str, Any]:
    """Answer to a query without a word of the vocabulary, by the texts that contain its words.

    Raises InputError if no text contains any of them.
    """
    from ...core.data.query import no_words

    dropped = _dropped_words(model, unknown_words)
    near_words = _near_words(model, chosen.query, unknown_words)
    if not dropped:
        listed = [_listed(unknown_words, near_words)] if unknown_words else []
        raise InputError(no_words(f"{chosen.query} {chosen.absent}", listed))
    if not chosen.json:
        _print_unknown(model, chosen.query, unknown_words, near_words)
        _print_dropped(model, dropped)
    return {
        "topics": [],
        "tokens": [],
        "unknown_words": list(unknown_words),
        "near_words": near_words,
        "dropped_words": dropped,
    }


def _dropped_words(model: Run, words: Sequence[str]) -> dict[str, Any]:
    """Mean topics of the documents with each of the first words that only the recipe left out."""
    from ...core.inference.dropped_words import dropped_word

    known = _training_texts(model) if words and not model.recipe.matrix else None
    if known is None:
        return {}
    corpus, stored = known
    found = {
        word: dropped_word(corpus, stored.probability, stored.rows, word)
        for word in words[:MAX_WORDS_NEAR]
    }
    return {
        word: {
            "documents": answer.n_documents,
            "sentence": answer.sentence,
            "topics": [
                {
                    "id": model.network.graph.topic_ids[topic],
                    "label": model.topic_labels[topic],
                    "probability": float(answer.probability[topic]),
                    "error": float(answer.error[topic]) if answer.n_read > 1 else None,
                }
                for topic in answer.probability.argsort(kind="stable")[::-1][:N_LIKELIEST].tolist()
                if answer.probability[topic] > 0.0
            ],
        }
        for word, answer in found.items()
        if answer is not None
    }


def _training_texts(model: Run) -> tuple[Corpus, Activations] | None:
    """Texts that the model was trained on, with their topics; None if they are not there."""
    from ...core.storage.activations import load_activations
    from ...core.storage.corpora import training_corpus
    from ...core.storage.runs import model_folder

    corpus = training_corpus(model)
    if corpus is None:
        return None
    stored = load_activations(model_folder(model.folder))
    return None if stored is None else (corpus, stored)


def _print_unknown(
    model: Run, text: str, words: Sequence[str], near_words: Mapping[str, Sequence[str]]
) -> None:
    """Print the unknown words, without those that deny the next."""
    from ...core.drawing.question import read_typed

    question = read_typed(model, text)
    denials = {word.text for word in question.denials}
    others = [word for word in words if word not in denials]
    if others:
        print(f"not in the vocabulary: {_listed(others, near_words)}")


def _print_dropped(model: Run, dropped: Mapping[str, Any]) -> None:
    for answer in dropped.values():
        print(model.terms.translated(answer["sentence"]))
        for topic in answer["topics"]:
            error = "" if topic["error"] is None else f" ± {topic['error']:.2f}"
            names = dict.fromkeys((topic["id"], topic["label"]))
            print(f"  {topic['probability']:.2f}{error}  {'  '.join(names)}")


def _listed(words: Sequence[str], near_words: Mapping[str, Sequence[str]]) -> str:
    """Unknown words and misspelt phrases, with the known words near them."""
    phrases = [entry for entry in near_words if " " in entry and entry not in words]
    phrase_of = {part: phrase for phrase in phrases for part in phrase.split()}
    entries = dict.fromkeys(phrase_of.get(word.lower(), word) for word in words)
    return ", ".join(
        f"{entry} (near it: {', '.join(near_words[entry])})" if near_words.get(entry) else entry
        for entry in (*entries, *(phrase for phrase in phrases if phrase not in entries))
    )


def _print_lists(model: Run, groups: AnswerGroups) -> None:
    from ...core.drawing.strings import figures_of

    say = model.terms.translated
    for title, topics in groups.lists.items():
        print(f"{say(title)}:")
        for topic, known in topics:
            # The label of a named topic may equal its id.
            names = dict.fromkeys((model.network.graph.topic_ids[topic], model.topic_labels[topic]))
            print(f"{figures_of(known)}  {'  '.join(names)}")
    counts = [("on", groups.on), ("unsure", groups.unsure), ("off", groups.off)]
    print(", ".join(say(f"{name} {len(topics)}") for name, topics in counts))


def _print_log_probability(result: dict[str, Any]) -> None:
    value = f"{result['log_probability']:.3f}"
    if "log_probability_error" in result:
        error = result["log_probability_error"]
        print(f"log-probability of the query {value}{f' ± {error:.3f}' if error else ''} nats")
        if not result["precise"]:
            largest = max(topic["error"] for topic in result["topics"])
            print(f"the probabilities are rough: to within {2.0 * largest:.2f}")
    elif "bound" in result:
        print(f"log-probability of the query at least {value} nats")
    else:
        print(f"log-probability of the query about {value} nats, by Bethe's approximation")


def _print_comparison(model: Run, result: dict[str, Any]) -> None:
    say = model.terms.translated
    if "times_expected" in result:
        print(say(f"{_times(result['times_expected'])} if the words were unrelated"))
    if "comparison" in result:
        print(say(result["comparison"]))


def _times(times: float) -> str:
    """How many times as probable, or less probable, the query is."""
    factor = times if times >= 1.0 else 1.0 / max(times, SMALLEST_FACTOR)
    shown = f"{factor:.1f}" if factor < 10.0 else f"{factor:,.0f}"
    if times >= 1.0 or shown == "1.0":
        return f"{shown} times as probable as"
    return f"{shown} times less probable than"

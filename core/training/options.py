"""Training options, minibatch sizes and the schedule of the steps."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, cos, inf, pi
from numbers import Integral, Real
from typing import Literal, get_args

from ..inference.kernel_inputs import Accuracy
from ..utils.errors import InputError
from .optimizers import PAPER_EDGE_SCALE

# Training objective: a mean-field bound, or the likelihood estimated by importance sampling.
Objective = Literal["exact", "jensen", "likelihood"]
Scope = Literal["local", "full"]
Optimizer = Literal["adam", "paper"]
Start = Literal["random", "gibbs"]
Structure = Literal["given", "learned"]
StageKind = Literal["flat", "growing", "layer", "settling"]

# Final learning rate as a share of the initial one, for convergence.
FINAL_RATE_SHARE = 0.05
# Approximate number of steps of an epoch by default, with minibatch sizes in this range.
STEPS_PER_EPOCH = 16
BATCH_SIZE_RANGE = (50, 512)
# Importance samples per document; each takes memory for all local nodes. A dozen are enough for the
# few topics of a short text, but not of a long one, and parallel samples cost little.
DEFAULT_SAMPLES = 64
MAX_SAMPLES = 1_000
# Sweeps over all documents in one step of a Gibbs start.
SWEEPS_PER_STEP = 10
# Learning rate and weight penalty by start. Random weights are far from the optimum, and a strong
# prior keeps topics apart on the way; after a Gibbs start, training only has to converge.
# Variational training includes each document in the weights that explain it, so without a prior it
# returns to edges that explain single documents.
DEFAULT_RATE = {"random": 0.08, "gibbs": 0.03}
DEFAULT_PENALTY = {"random": 20.0, "gibbs": 10.0}
# Importance sampling keeps topics uncertain that mean field would fix at once, so no strong prior
# is needed to keep topics apart, and its noise requires shorter steps.
LIKELIHOOD_RATE = {"random": 0.06, "gibbs": 0.03}
LIKELIHOOD_PENALTY = 2.0
# Gibbs sampling leaves out each document when explaining it and needs no stronger prior.
PENALTY_OF_START = 1.0
# Stages of structure learning: share of the epochs, and the first and last learning rate, which are
# connected by a cosine.
STAGES: tuple[tuple[StageKind, float, float, float], ...] = (
    ("flat", 0.4, 0.08, 0.01),
    ("growing", 0.2, 0.06, 0.02),
    ("layer", 0.15, 0.04, 0.01),
    ("layer", 0.15, 0.04, 0.01),
    ("layer", 0.15, 0.04, 0.01),
    ("settling", 0.3, 0.03, 0.002),
)


@dataclass(frozen=True)
class Stage:
    """Stage of structure learning: the graph is changed, then trained for some epochs."""

    # "flat": one layer of topics above words is trained; "growing": missing edges are added;
    # "layer": a layer is added on top; "settling": the final graph is fine-tuned on all documents.
    kind: StageKind
    begin: int  # epochs before the stage
    epochs: int  # epochs of the stage
    rates: tuple[float, float]  # first and last learning rate


@dataclass(frozen=True)
class TrainingOptions:
    """Training options.

    Attributes
    ----------
    bound : {"exact", "jensen", "likelihood"}
        Objective: the exact mean-field bound (MATH §4), the paper's bound (eq. 9), or a lower bound
        on the log-likelihood estimated by importance sampling (MATH §10.3).
    scope : {"local", "full"}
        Whether a document's model has only the ancestors of its words (Ji et al. 2019, §5) or every
        topic.
    optimizer : {"adam", "paper"}
        Adam on log-weights, or eq. 17 with the paper's preconditioner and projection.
    epochs : int
        Passes over the documents, without a Gibbs start.
    batch_size : int or None
        Documents per step; None takes the default of `batch_size_for`.
    learning_rate : float or None
        Adam's step in log-weights; None takes `DEFAULT_RATE` of the start, or `LIKELIHOOD_RATE`.
    weight_penalty : float or None
        Rate of an exponential prior on weights into words: nats per unit of weight, once for the
        whole corpus. The few links between topics are not penalised, and the paper's optimizer
        ignores the penalty. None takes `PENALTY_OF_START` in a Gibbs start, and `DEFAULT_PENALTY`
        or `LIKELIHOOD_PENALTY` after it.
    accuracy : {"fast", "standard", "fine"}
        Accuracy of the exact bound: 26, 32 or 54 terms, see `orrery.core.inference.infer.infer`.
    importance_samples : int
        Importance samples per document, at least 2. With the exact bound, the last steps of
        training follow the likelihood instead, and 0 means no such steps; with bound ``likelihood``
        all steps do, and 0 means `DEFAULT_SAMPLES`.
    importance_share : float
        Share of the steps after the start, at the end, that follow the likelihood when the earlier
        steps follow the exact bound; above 0 and at most 1.
    averaging : float
        Share of the steps after the start, at the end, over which log-weights and log-leaks are
        averaged; the result is the average (Polyak and Juditsky 1992). 0 keeps the last values.
    edge_scale : float
        The paper's c (eq. 17): step size of edges relative to leaks in its optimizer.
    start : {"random", "gibbs"}
        Initial weights of variational training: random, or the result of Monte Carlo EM (see
        `orrery.core.training.monte_carlo_em`).
    start_epochs : int
        Passes of a Gibbs start.
    leave_one_out : bool
        Whether a Gibbs start explains every document by weights without its own contribution.
    most_edges, most_topics : int or None
        Budgets that a Gibbs start prunes the graph to, after merging redundant topics; None for
        both leaves the graph as it is.
    structure : {"given", "learned"}
        Whether the graph is fixed or learned with the weights (`training.structure_learning`). The
        stages of structure learning take 1.35 times ``epochs``, each at least one.
    structure_seed : int
        Seed of the validation set and of the initial weights in structure learning. Both decide
        which topics are found, much more than the order of the documents and the sampled states,
        which depend on ``seed``. For the same training documents, all seeds therefore share them.
        ``orrery train --seed`` also chooses the test set, unless its documents are named, so that
        the training documents differ; trainings that measure stability (`core.runs.stability`)
        vary both seeds.
    """

    bound: Objective = "exact"
    scope: Scope = "local"
    optimizer: Optimizer = "adam"
    epochs: int = 20
    batch_size: int | None = None
    learning_rate: float | None = None
    weight_penalty: float | None = None
    seed: int = 0
    accuracy: Accuracy = "standard"
    importance_samples: int = 0
    importance_share: float = 0.3
    averaging: float = 0.0
    edge_scale: float = PAPER_EDGE_SCALE
    start: Start = "random"
    start_epochs: int = 300
    leave_one_out: bool = True
    most_edges: int | None = None
    most_topics: int | None = None
    structure: Structure = "given"
    structure_seed: int = 0

    @property
    def rate(self) -> float:
        """Learning rate, or the default for the bound and the start."""
        usual = LIKELIHOOD_RATE if self.bound == "likelihood" else DEFAULT_RATE
        return usual[self.start] if self.learning_rate is None else self.learning_rate

    @property
    def penalty(self) -> float:
        """Weight penalty of variational training, or the default for the bound and the start."""
        if self.weight_penalty is not None:
            return self.weight_penalty
        return LIKELIHOOD_PENALTY if self.bound == "likelihood" else DEFAULT_PENALTY[self.start]

    @property
    def penalty_of_start(self) -> float:
        """Weight penalty of a Gibbs start, or its default."""
        return PENALTY_OF_START if self.weight_penalty is None else self.weight_penalty

    @property
    def seed_of_weights(self) -> int:
        """Seed of the initial weights."""
        return self.structure_seed if self.structure == "learned" else self.seed

    @property
    def n_samples(self) -> int:
        """Importance samples per document in steps that use importance sampling."""
        return self.importance_samples or DEFAULT_SAMPLES

    @property
    def passes_of_start(self) -> int:
        """Passes over the documents in the Gibbs start."""
        return self.start_epochs if self.start == "gibbs" else 0

    @property
    def passes(self) -> int:
        """Passes over the documents in total."""
        if self.structure == "learned":
            last = self.stages[-1]
            return last.begin + last.epochs
        return self.passes_of_start + self.epochs

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Stages of structure learning in order."""
        stages, begin = [], 0
        for kind, share, first, last in STAGES:
            scale = 1.0 if self.learning_rate is None else self.learning_rate / STAGES[0][2]
            epochs = max(round(share * self.epochs), 1)
            stages.append(Stage(kind, begin, epochs, (scale * first, scale * last)))
            begin += epochs
        return tuple(stages)

    def __post_init__(self) -> None:
        """Raise `InputError` for invalid options."""
        self._check_names()
        self._check_seeds()
        self._check_real_numbers()
        self._check_numbers()
        if self.importance_samples:
            self._check_importance()
        if self.structure == "learned":
            self._check_learned()
        if self.bound == "likelihood" and self.optimizer != "adam":
            raise InputError(
                "the paper's optimizer follows the paper, which draws nothing; use adam, or "
                "another bound"
            )

    def _check_names(self) -> None:
        for name, kind in (
            ("bound", Objective),
            ("scope", Scope),
            ("optimizer", Optimizer),
            ("accuracy", Accuracy),
            ("start", Start),
            ("structure", Structure),
        ):
            if getattr(self, name) not in get_args(kind):
                known = ", ".join(get_args(kind))
                raise InputError(f"{name} is {getattr(self, name)!r}; expected one of {known}")

    def _check_seeds(self) -> None:
        for name in ("seed", "structure_seed"):
            value = getattr(self, name)
            if not (_is_whole(value) and value >= 0):
                raise InputError(f"{name} is {value}; expected a whole number of 0 or more")

    def _check_numbers(self) -> None:
        for name in ("epochs", "batch_size", "start_epochs", "most_edges", "most_topics"):
            value = getattr(self, name)
            if value is not None and not (_is_whole(value) and value >= 1):
                raise InputError(f"{name} is {value}; expected a whole number of 1 or more")
        if not 0 < self.rate < inf:
            raise InputError(f"learning_rate is {self.rate}; expected a number above 0")
        if not 0 < self.edge_scale < inf:
            raise InputError(f"edge_scale is {self.edge_scale}; expected a number above 0")
        if self.start != "gibbs" and (self.most_edges or self.most_topics):
            raise InputError("only a Gibbs start prunes the graph; choose start gibbs")
        if not 0 <= self.penalty < inf:
            raise InputError(f"weight_penalty is {self.penalty}; expected 0 or more")
        if not 0 < self.importance_share <= 1:
            raise InputError(
                f"importance_share is {self.importance_share}; expected above 0 and at most 1"
            )
        if not 0 <= self.averaging <= 1:
            raise InputError(f"averaging is {self.averaging}; expected a share from 0 to 1")

    def _check_real_numbers(self) -> None:
        for name, value in (
            ("learning_rate", self.rate),
            ("edge_scale", self.edge_scale),
            ("weight_penalty", self.penalty),
            ("importance_share", self.importance_share),
            ("averaging", self.averaging),
        ):
            if not isinstance(value, Real):
                raise InputError(f"{name} is {value!r}; expected a number")

    def _check_importance(self) -> None:
        if not _is_whole(self.importance_samples) or self.importance_samples < 2:
            raise InputError(
                f"importance_samples is {self.importance_samples}; expected 0, or 2 and more"
            )
        if self.importance_samples > MAX_SAMPLES:
            raise InputError(
                f"importance_samples is {self.importance_samples}; more than {MAX_SAMPLES} take "
                "memory and gain nothing"
            )
        if self.bound == "jensen":
            raise InputError("importance samples refine the exact bound; use that, not jensen")
        if self.optimizer != "adam":
            raise InputError(
                "the paper's optimizer follows the paper, which draws no importance samples; use "
                "adam, or leave the samples out"
            )

    def _check_learned(self) -> None:
        """Raise `InputError` for options that require a given graph."""
        for name, needed in (
            ("bound", "exact"),
            ("scope", "local"),
            ("optimizer", "adam"),
            ("start", "random"),
            ("importance_samples", 0),
            ("averaging", 0.0),
        ):
            if getattr(self, name) != needed:
                raise InputError(
                    f"{name} is {getattr(self, name)!r}; a structure that is learned needs "
                    f"{needed!r}, or choose a method that proposes the graph"
                )


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def batch_size_for(options: TrainingOptions, n_documents: int) -> int:
    """Documents per step; by default, small corpora get about `STEPS_PER_EPOCH` steps per epoch."""
    smallest, largest = BATCH_SIZE_RANGE
    # Rounded up: rounded down, the last step of every epoch would have very few documents and a
    # very noisy gradient.
    proposed = min(max(-(-n_documents // STEPS_PER_EPOCH), smallest), largest)
    return min(options.batch_size or proposed, n_documents)


@dataclass(frozen=True)
class Schedule:
    """Kind and learning rate of every step; depends on options and the number of documents only."""

    options: TrainingOptions
    n_documents: int

    @property
    def steps_per_epoch(self) -> int:
        """Steps of an epoch; the last may have fewer documents."""
        return -(-self.n_documents // batch_size_for(self.options, self.n_documents))

    @property
    def start_steps(self) -> int:
        """Steps of the Gibbs start, which precede variational training."""
        return -(-self.options.passes_of_start // SWEEPS_PER_STEP)

    @property
    def variational_steps(self) -> int:
        """Number of variational steps."""
        return (self.options.passes - self.options.passes_of_start) * self.steps_per_epoch

    @property
    def total_steps(self) -> int:
        """Number of steps of the whole training."""
        return self.start_steps + self.variational_steps

    def epoch(self, steps_done: int) -> float:
        """Passes over the documents after ``steps_done`` steps."""
        if steps_done <= self.start_steps:
            return float(min(steps_done * SWEEPS_PER_STEP, self.options.passes_of_start))
        return self.options.passes_of_start + (steps_done - self.start_steps) / self.steps_per_epoch

    def learning_rate(self, step: int) -> float:
        """Adam's rate: constant in the first half of variational training, then a half cosine.

        In structure learning, every stage has a half cosine.
        """
        if self.options.structure == "learned":
            stage, steps_before = self.stage_at(step)
            first, last = stage.rates
            done = (step - steps_before) / (stage.epochs * self.steps_per_epoch)
            return last + (first - last) * 0.5 * (1.0 + cos(pi * done))
        done = (step - self.start_steps) / self.variational_steps
        progress = min(max(2.0 * done - 1.0, 0.0), 1.0)
        share = FINAL_RATE_SHARE + (1.0 - FINAL_RATE_SHARE) * 0.5 * (1.0 + cos(pi * progress))
        return self.options.rate * share

    def stage_at(self, step: int) -> tuple[Stage, int]:
        """Stage of a step (from 0), and the number of steps before that stage."""
        epoch = step // self.steps_per_epoch
        stage = next(s for s in reversed(self.options.stages) if s.begin <= epoch)
        return stage, stage.begin * self.steps_per_epoch

    def is_importance_weighted(self, step: int) -> bool:
        """Whether a variational step (from 0) uses importance sampling."""
        if self.options.bound == "likelihood":
            return step >= self.start_steps
        if not self.options.importance_samples:
            return False
        return self._steps_into_last(self.options.importance_share, step) > 0

    def averaged_steps(self, step: int) -> int:
        """Number of steps in the average after a step (from 0), this step included."""
        return self._steps_into_last(self.options.averaging, step)

    def _steps_into_last(self, share: float, step: int) -> int:
        return max(step + 1 - (self.total_steps - ceil(share * self.variational_steps)), 0)

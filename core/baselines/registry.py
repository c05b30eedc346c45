"""Registry of all systems, each with its name, paper and class."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ..utils.errors import InputError
from .system import Baseline

Kind = Literal["documents", "sequences", "networks"]
ASUNCION = "Asuncion (2010)"
XING = "Xing, lecture 7 (2020)"
ZHAO = "Zhao et al. (2016)"
YAN = "Yan et al. (2020)"


@dataclass(frozen=True)
class System:
    """Entry of a system."""

    name: str  # Name on the command line
    title: str
    paper: str
    # "documents", "sequences" or "networks": kind of input; only systems for documents can be
    # compared on a corpus
    kind: Kind
    home: str  # Module of `orrery.core.baselines` and the class or function in it
    # Package that must be installed, from an extra of ``pyproject.toml``; usually empty
    package: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self) | {"installed": self.is_installed()}

    def is_installed(self) -> bool:
        """Return whether the required package can be imported."""
        return not self.package or importlib.util.find_spec(self.package) is not None


_DOCUMENTS = (
    ("lda", "LDA, mean field, coordinate ascent", XING, "mean_field_lda:CoordinateLda"),
    ("lda-svi", "LDA, mean field, stochastic", "Hoffman et al. (2010)",
     "mean_field_lda:StochasticLda"),
    ("bernoulli-lda", "LDA with Bernoulli topics, mean field", "Ji et al. (2019, §6.1)",
     "bernoulli_lda:BernoulliLdaSystem"),
    ("lda-gibbs", "LDA, collapsed Gibbs sampling", f"{ASUNCION}, (13)", "collapsed_lda:GibbsLda"),
    ("lda-amf", "LDA, AMF (CVB0)", f"{ASUNCION}, (16)", "collapsed_lda:AmfLda"),
    ("lda-cvb", "LDA, second-order mean field", f"{ASUNCION}, (18)",
     "collapsed_lda:SecondOrderLda"),
    ("hdp-amf", "HDP, AMF", f"{ASUNCION}, section 6", "collapsed_lda:AmfHdp"),
    ("hdp-cvb", "HDP, second-order mean field", f"{ASUNCION}, section 6",
     "collapsed_lda:SecondOrderHdp"),
    ("ctm-laplace", "Correlated topics (logistic normal), Laplace", XING,
     "correlated_topics:LaplaceCtm"),
    ("ctm-taylor", "Correlated topics (logistic normal), Taylor", XING,
     "correlated_topics:TaylorCtm"),
    ("spn-em", "Sum-product network, EM", ZHAO, "sum_product_systems:EmSpn"),
    ("spn-gradient", "Sum-product network, projected gradient (MLE-SPN)", ZHAO,
     "sum_product_systems:GradientSpn"),
    ("spn-cvb", "Sum-product network, CVB-SPN", ZHAO, "sum_product_systems:CollapsedSpn"),
    ("spn-cvb-gradient", "Sum-product network, CVB-SPN, projected gradient", ZHAO,
     "sum_product_systems:CollapsedGradientSpn"),
    ("spn-cvb-svi", "Sum-product network, CVB-SPN, stochastic", ZHAO,
     "sum_product_systems:StochasticCollapsedSpn"),
    ("ub-cdi", "Noisy-OR, conjugate upper bound (UB-CDI)", YAN,
     "conjugate_dual:UpperBoundNoisyOr"),
    ("lb-cdi", "Noisy-OR, conjugate lower bound (LB-CDI)", YAN,
     "conjugate_dual:LowerBoundNoisyOr"),
    ("avi", "Noisy-OR, amortised inference (AVI)", YAN, "amortized:AviNoisyOr"),
    ("acp", "Noisy-OR, amortised conjugate posterior (ACP)", YAN,
     "amortized:AcpNoisyOr"),
)  # fmt: skip
_OTHERS: tuple[tuple[str, str, str, Kind, str], ...] = (
    ("ising-mf", "Ising models, naive mean field", XING, "networks", "ising:naive_mean_field"),
    ("ising-gmf", "Ising models, generalised mean field", XING, "networks",
     "ising:generalised_mean_field"),
    ("fna", "Binary networks, factorised neighbours (AMF)", f"{ASUNCION}, (7)", "networks",
     "discrete:fna"),
    ("amf-factors", "Binary networks, AMF with back-messages", f"{ASUNCION}, (8)", "networks",
     "discrete:back_messages"),
    ("hmm-amf", "HMM with changing transitions, AMF", f"{ASUNCION}, (20)", "sequences",
     "hmm:AmfHmm"),
    ("hmm-cvb", "HMM with changing transitions, second-order mean field",
     f"{ASUNCION}, section 5", "sequences", "hmm:SecondOrderHmm"),
)  # fmt: skip
_PEERS = (
    ("sklearn-lda", "scikit-learn, online LDA", "peers:ScikitLda", "sklearn"),
    ("gensim-lda", "gensim, online LDA", "peers:GensimLda", "gensim"),
    ("tomotopy-lda", "tomotopy, LDA", "peers:TomotopyLda", "tomotopy"),
    ("tomotopy-hlda", "tomotopy, hierarchical LDA", "peers:TomotopyHlda", "tomotopy"),
    ("corex", "corextopic", "peers:CorexTopics", "corextopic"),
)  # fmt: skip

SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        *(System(name, title, paper, "documents", home) for name, title, paper, home in _DOCUMENTS),
        *(System(*fields) for fields in _OTHERS),
        *(System(name, title, "", "documents", home, package)
          for name, title, home, package in _PEERS),
    )
}  # fmt: skip


def find_system(name: str) -> System:
    """System of a name, for documents.

    InputError if the name is unknown, the system is not for documents, or its package is missing.
    """
    if name not in SYSTEMS:
        raise InputError(f"there is no system {name!r}; see orrery systems")
    system = SYSTEMS[name]
    if system.kind != "documents":
        raise InputError(
            f"{name} works on {system.kind}, not on documents; leave it out, or see orrery systems"
        )
    if not system.is_installed():
        raise InputError(
            f"{name} needs the package {system.package}; install orrery[peers], or leave it out"
        )
    return system


def make_system(name: str, n_topics: int, seed: int = 0) -> Baseline:
    """Return an untrained system of this name; see `find_system`."""
    module, kind = find_system(name).home.split(":")
    made: Baseline = getattr(importlib.import_module(f".{module}", __package__), kind)(
        n_topics, seed
    )
    return made

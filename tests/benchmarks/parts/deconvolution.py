"""Most probable states of images that are unions of features: what they reproduce."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from orrery.core.model.network import Network
from orrery.core.utils.types import BoolArray
from tests.benchmarks.convolution import (
    ACTS,
    NOISE,
    PRIOR,
    STARTS,
    learned_features,
    n_close,
    problem,
    reconstructed,
    true_network,
)
from tests.benchmarks.markdown import number, table
from tests.benchmarks.part import Figures, Part, Settings, log

SEEDS, SWEEPS = 3, 200
# Images to learn from, as in the published test; the others are reconstructed.
TRAIN = 80
ABOUT = f"""The published test of max-product for noisy-OR networks (Dedieu et al. 2023, after
Lázaro-Gredilla et al. 2021; the set of PGMax): 100 images of 14 × 14 pixels are unions of four
features of 5 × 5 pixels, each at any of 100 places. The published claim is that the most probable
states from max-product recover the four features from the images, and explain the images with them.
Max-product there finds features and places together, from {TRAIN} images, with one feature and one
row and column of pixels more than there are; the places in the images of the file are not
published. Here, Gibbs sampling with tied weights learns four features of the true size (best of
{STARTS} starts), and `most_probable` finds the places. So the places are compared, and the way to
the features is another one, which knows their number and size.

*True features*: prior {PRIOR}, probability of a pixel {ACTS}, of noise {NOISE}, all images.
*Learned*: features from {TRAIN} images, in the order of a seed, places in the other ones. A feature
is recovered if no pixel differs by more than 5 % in probability. *Wrong pixels*: share of the
pixels in which the union of the features that are on differs from the image. *Proved*: share of the
images for which no state is more probable; for the others, the search ended early.
"""


def run(settings: Settings) -> Figures:
    """Find places with the true features, and with learned ones."""
    images, features = problem()
    network = true_network(images.shape[1:], features)
    rows = [{"title": "true features", **_figures(network, images[: settings.pick(100, 2)])}]
    for seed in range(settings.pick(SEEDS, 1)):
        order = np.random.default_rng(seed).permutation(len(images))
        train, test = images[order[:TRAIN]], images[order[TRAIN:]]
        sweeps = settings.pick(SWEEPS, 10)
        network, learned = learned_features(train, features.shape, seed, sweeps)
        row = _figures(network, test[: settings.pick(len(test), 1)])
        rows.append({"title": f"learned, seed {seed}", "found": n_close(features, learned), **row})
        log.info("seed %d", seed)
    return {"rows": rows}


def _figures(network: Network, images: BoolArray) -> dict[str, Any]:
    begin = time.process_time()
    found = [reconstructed(network, image) for image in images]
    seconds = time.process_time() - begin
    wrong = np.array(
        [each.image != image.ravel() for each, image in zip(found, images, strict=True)]
    )
    return {
        "images": len(images),
        "wrong": float(wrong.mean()),
        "whole": int((~wrong.any(axis=1)).sum()),
        "n_on": float(np.mean([each.n_on for each in found])),
        "proved": float(np.mean([each.is_exact for each in found])),
        "seconds": seconds / len(images),
    }


def show(figures: Figures) -> str:
    """A line for the true features and for each seed."""
    header = ["features", "recovered", "images", "reproduced in every pixel", "wrong pixels"]
    header += ["features on, mean", "proved", "processor seconds per image"]
    rows = [
        [
            row["title"],
            f"{row['found']} of 4" if "found" in row else "given",
            str(row["images"]),
            str(row["whole"]),
            f"{number(100 * row['wrong'], 2)} %",
            number(row["n_on"], 1),
            f"{number(100 * row['proved'], 0)} %",
            number(row["seconds"], 1),
        ]
        for row in figures["rows"]
    ]
    return f"{ABOUT}\n{table(header, rows)}\n"


PART = Part("deconvolution", "Places of features by their most probable state", 5, run, show)

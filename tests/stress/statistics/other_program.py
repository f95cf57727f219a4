"""Results for a comparison with choix, another program that fits the Plackett-Luce model.

choix needs SciPy, which is large, so the tests compare with the strengths that choix found and that
are written here. `tox -e statistics` installs choix and checks that it still finds them.
"""

from __future__ import annotations

import numpy as np

from referee import terminal

RANKING_STRENGTHS = (0.2338118, 0.0582312, 0.0455941, -0.0612968, -0.3882368, 0.1118964)
PAIR_STRENGTHS = (0.2461639, 0.0142264, 0.3009539, -0.491092, -0.0702522)


def rankings() -> list[list[int]]:
    """Return 60 rankings of four out of six players, the best one first."""
    rng = np.random.default_rng(11)
    return [rng.permutation(6)[:4].tolist() for _ in range(60)]


def pairs() -> list[list[int]]:
    """Return 80 winners and losers out of five players."""
    rng = np.random.default_rng(12)
    return [rng.permutation(5)[:2].tolist() for _ in range(80)]


def compare() -> None:
    """Let choix fit the results; raise AssertionError if it finds other strengths."""
    import choix

    settings = {"alpha": 0.0, "method": "BFGS", "tol": 1e-10}
    fours = choix.opt_rankings(6, rankings(), **settings)
    twos = choix.opt_pairwise(5, pairs(), **settings)
    for found, expected in ((fours, RANKING_STRENGTHS), (twos, PAIR_STRENGTHS)):
        np.testing.assert_allclose(found - found.mean(), expected, atol=1e-6)


if __name__ == "__main__":
    compare()
    terminal.say("choix finds the strengths that the tests expect")

"""How often the intervals hold the truth."""

import numpy as np
import pytest

from primum.statistics import family_mean

TRUTH = 0.7
CORRELATION = 0.5
ROUNDS = 600


@pytest.mark.slow
@pytest.mark.parametrize("families", [15, 30, 60])
def test_the_interval_by_family_holds_the_truth_in_90_to_97_percent(families: int) -> None:
    """With a correlation of 0.5 inside a family; treating runs as independent would hold it far less often."""
    random = np.random.Generator(np.random.PCG64(20261130))
    # Beta-binomial: shares of families with a + b = 1/ICC - 1.
    total = 1 / CORRELATION - 1
    held = naive_held = 0
    for _ in range(ROUNDS):
        shares = random.beta(TRUTH * total, (1 - TRUTH) * total, size=families)
        runs = random.random((families, 3, 2)) < shares[:, None, None]
        outcomes = {f"f{number}": variants for number, variants in enumerate(runs.astype(int).tolist())}
        got = family_mean(outcomes)
        if got.interval is None or got.naive_error is None:
            continue
        held += got.interval.low <= TRUTH <= got.interval.high
        naive_held += abs(got.pooled_mean - TRUTH) <= 1.96 * got.naive_error
    assert 0.90 <= held / ROUNDS <= 0.97
    assert naive_held / ROUNDS < 0.80

"""Agreement of two raters beyond chance, from their table of counts.

Rows are rater A's categories, columns rater B's, both in the same order; for the weighted kappas that order is the
order of the scale.
"""

import math
from collections.abc import Callable, Sequence

from primum.errors import UsageError
from primum.records.base import Rate, Record
from primum.records.interval import Interval
from primum.statistics.distributions import two_sided_z

Table = Sequence[Sequence[int]]


class Coefficient(Record):
    """A chance-corrected agreement, 1 at best."""

    value: float | None
    standard_error: float | None = None
    interval: Interval | None = None
    reason: str | None = None
    """Why it is undefined."""


class Agreement(Record):
    """Several coefficients side by side: kappa alone misleads when one category is rare."""

    n: int
    agreed: Rate
    kappa: Coefficient
    """Cohen 1960, error by Fleiss, Cohen and Everitt 1969."""
    linear_kappa: Coefficient
    quadratic_kappa: Coefficient
    ac1: Coefficient
    """Gwet 2008, error without finite-population correction."""
    brennan_prediger: Coefficient
    """Chance taken as one in the number of categories (Brennan and Prediger 1981)."""


def rater_agreement(table: Table, *, confidence: float = 0.95) -> Agreement:
    """The coefficients of a table of counts.

    Raises:
        UsageError: Unless the table is square with two categories or more, whole counts from 0 and at least one item.
    """
    n = _checked(table)
    z = two_sided_z(confidence)
    agreed = sum(table[i][i] for i in range(len(table)))
    shares = [[count / n for count in row] for row in table]
    rows, columns = _margins(shares)
    observed = agreed / n
    return Agreement(
        n=n,
        agreed=Rate(numerator=agreed, denominator=n),
        kappa=_kappa(shares, rows, columns, n, z, confidence),
        linear_kappa=_weighted(shares, rows, columns, lambda apart: apart),
        quadratic_kappa=_weighted(shares, rows, columns, lambda apart: apart * apart),
        ac1=_ac1(shares, rows, columns, n, z, confidence),
        brennan_prediger=Coefficient(value=(observed - 1 / len(table)) / (1 - 1 / len(table))),
    )


def _checked(table: Table) -> int:
    """The number of items."""
    size = len(table)
    if size < 2 or any(len(row) != size for row in table):
        raise UsageError("an agreement table is square, with two categories or more")
    if any(count < 0 for row in table for count in row):
        raise UsageError("an agreement table holds counts from 0 up")
    n = sum(sum(row) for row in table)
    if not n:
        raise UsageError("no item was rated by both; there is no agreement to measure")
    return n


def _margins(shares: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    return [math.fsum(row) for row in shares], [math.fsum(column) for column in zip(*shares, strict=True)]


def _kappa(
    shares: Sequence[Sequence[float]],
    rows: Sequence[float],
    columns: Sequence[float],
    n: int,
    z: float,
    confidence: float,
) -> Coefficient:
    size = range(len(shares))
    observed = math.fsum(shares[i][i] for i in size)
    chance = math.fsum(rows[i] * columns[i] for i in size)
    if _is_one(chance):
        return Coefficient(value=None, reason="both raters used one and the same category; kappa is 0/0")
    kappa = (observed - chance) / (1 - chance)
    diagonal = math.fsum(shares[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in size)
    off = math.fsum(shares[i][j] * (columns[i] + rows[j]) ** 2 for i in size for j in size if i != j)
    variance = diagonal + (1 - kappa) ** 2 * off - (kappa - chance * (1 - kappa)) ** 2
    error = math.sqrt(max(variance, 0.0) / n) / (1 - chance)
    return Coefficient(
        value=kappa,
        standard_error=error,
        interval=Interval.around(kappa, z * error, confidence=confidence, method="normal, Fleiss-Cohen-Everitt error"),
    )


def _weighted(
    shares: Sequence[Sequence[float]],
    rows: Sequence[float],
    columns: Sequence[float],
    distance: Callable[[int], int],
) -> Coefficient:
    size = range(len(shares))
    observed = math.fsum(distance(abs(i - j)) * shares[i][j] for i in size for j in size)
    chance = math.fsum(distance(abs(i - j)) * rows[i] * columns[j] for i in size for j in size)
    if not chance:
        return Coefficient(value=None, reason="both raters used one and the same category; kappa is 0/0")
    return Coefficient(value=1 - observed / chance)


def _ac1(
    shares: Sequence[Sequence[float]],
    rows: Sequence[float],
    columns: Sequence[float],
    n: int,
    z: float,
    confidence: float,
) -> Coefficient:
    size = range(len(shares))
    others = len(shares) - 1
    observed = math.fsum(shares[i][i] for i in size)
    usual = [(rows[i] + columns[i]) / 2 for i in size]
    # Chance is at most 1/(number of categories), so AC1 is always defined.
    chance = math.fsum(share * (1 - share) for share in usual) / others
    ac1 = (observed - chance) / (1 - chance)
    squares = math.fsum(
        shares[i][j] * (float(i == j) - 2 * (1 - ac1) * (1 - (usual[i] + usual[j]) / 2) / others) ** 2
        for i in size
        for j in size
    )
    variance = squares - (observed - 2 * (1 - ac1) * chance) ** 2
    if n < 2:
        return Coefficient(value=ac1, reason="one item has no error")
    error = math.sqrt(max(variance, 0.0) / (n - 1)) / (1 - chance)
    return Coefficient(
        value=ac1,
        standard_error=error,
        interval=Interval.around(ac1, z * error, confidence=confidence, method="normal, Gwet 2008 error"),
    )


def _is_one(chance: float) -> bool:
    return math.isclose(chance, 1.0, rel_tol=0.0, abs_tol=1e-12)

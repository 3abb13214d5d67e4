"""Reads a measure from its printed form, such as ``nDCG(gain=exp)@5``."""

import re
from collections.abc import Iterable

from primum.errors import RankingError
from primum.metrics.average_precision import AveragePrecision
from primum.metrics.evidence_complete import EvidenceComplete
from primum.metrics.forbidden import Forbidden
from primum.metrics.hit import HitRate
from primum.metrics.judged import Judged
from primum.metrics.measure import Measure, MeasureAt
from primum.metrics.ndcg import NDCG, Gain
from primum.metrics.precision import Precision
from primum.metrics.r_precision import RPrecision
from primum.metrics.recall import Recall
from primum.metrics.reciprocal_rank import ReciprocalRank

DEFAULT_CUTOFFS = (1, 3, 5, 10)

_AT_K: dict[str, type[MeasureAt]] = {
    cls.name: cls for cls in (Precision, Recall, HitRate, ReciprocalRank, Judged, EvidenceComplete, Forbidden)
}
_NAMES = (*_AT_K, NDCG.name, AveragePrecision.name, RPrecision.name)
_FORM = re.compile(r"(?P<name>\w+)(?:\((?P<options>[^()]*)\))?(?:@(?P<k>.*))?", re.ASCII)
# Longer numbers are typing mistakes, and Python refuses to read very long ones.
_CUTOFF = re.compile(r"[1-9][0-9]{0,8}")


def parse_measure(text: str) -> Measure:
    """The measure that `text` defines; what the text leaves out takes its default.

    P, Recall, Hit, RR, nDCG, judged, evidence_complete and forbidden need ``@k``; AP may have it; Rprec has none.

    >>> str(parse_measure("nDCG@5"))
    'nDCG(gain=exp)@5'

    Raises:
        RankingError: ``unknown_measure``, ``bad_option`` or ``bad_k``.
    """
    match = _FORM.fullmatch(text.strip())
    name = match["name"] if match else text
    if match is None or name not in _NAMES:
        raise RankingError(f"there is no measure {text!r}; there are {', '.join(_NAMES)}", code="unknown_measure")
    k = _cutoff(text, match["k"])
    options = _options(text, match["options"])
    if name == NDCG.name:
        gain = _gain(text, options.pop("gain", Gain.EXP))
        _require_no_options(text, options)
        return NDCG(_require_cutoff(text, k), gain)
    _require_no_options(text, options)
    if name == AveragePrecision.name:
        return AveragePrecision(k)
    if name == RPrecision.name:
        if k is not None:
            raise RankingError(f"{text!r}: Rprec has no cutoff, R is the number of relevant judgments", code="bad_k")
        return RPrecision()
    return _AT_K[name](_require_cutoff(text, k))


def default_measures(cutoffs: Iterable[int] = DEFAULT_CUTOFFS) -> tuple[Measure, ...]:
    """P, Recall, Hit, RR, nDCG(gain=exp), judged, evidence_complete and forbidden, each at each cutoff."""
    ks = tuple(cutoffs)
    kinds: tuple[type[MeasureAt], ...] = (
        Precision,
        Recall,
        HitRate,
        ReciprocalRank,
        NDCG,
        Judged,
        EvidenceComplete,
        Forbidden,
    )
    return tuple(kind(k) for kind in kinds for k in ks)


def _cutoff(text: str, k: str | None) -> int | None:
    if k is not None and not _CUTOFF.fullmatch(k):
        raise RankingError(f"{text!r}: the cutoff after @ is a whole number from 1 up", code="bad_k")
    return None if k is None else int(k)


def _require_cutoff(text: str, k: int | None) -> int:
    if k is None:
        raise RankingError(f"{text!r} needs a cutoff, as in {text}@5", code="bad_k")
    return k


def _options(text: str, written: str | None) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in [] if written is None else written.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value) or key in options:
            raise RankingError(f"{text!r}: options are written once each, as key=value", code="bad_option")
        options[key] = value
    return options


def _require_no_options(text: str, options: dict[str, str]) -> None:
    if options:
        raise RankingError(f"{text!r}: there is no option {', '.join(options)}", code="bad_option")


def _gain(text: str, gain: str) -> Gain:
    try:
        return Gain(gain)
    except ValueError:
        raise RankingError(f"{text!r}: gain is exp or linear", code="bad_option") from None

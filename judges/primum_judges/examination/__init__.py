"""Examines a judge before its verdicts are trusted: against known answers, and by probes that try to sway it."""

from primum_judges.examination.drift import Drift, drift
from primum_judges.examination.examine import examine
from primum_judges.examination.probes import groups_for, probes_of
from primum_judges.examination.qualify import qualification
from primum_judges.examination.record import Examination, GroupResult
from primum_judges.examination.shortfalls import shortfalls
from primum_judges.examination.specimen import Specimen

__all__ = [
    "Drift",
    "Examination",
    "GroupResult",
    "Specimen",
    "drift",
    "examine",
    "groups_for",
    "probes_of",
    "qualification",
    "shortfalls",
]

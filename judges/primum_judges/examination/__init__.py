"""Examines a judge before its verdicts are trusted: against known answers, and by probes that try to sway it."""

from primum_judges.examination.bar import Bar
from primum_judges.examination.examine import Examination, GroupResult, examine
from primum_judges.examination.probes import groups_for, probes_of
from primum_judges.examination.specimen import Group, Specimen

__all__ = ["Bar", "Examination", "Group", "GroupResult", "Specimen", "examine", "groups_for", "probes_of"]

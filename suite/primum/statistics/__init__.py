"""Statistics for evaluations whose unit is the family: intervals, comparisons, power, agreement, calibration.

Every result is a frozen record; what is undefined is None with a reason, never 0 and never NaN.
"""

from primum.records.comparison import NonInferiority
from primum.records.interval import Interval
from primum.statistics.agreement import Agreement, Coefficient, rater_agreement
from primum.statistics.bootstrap import FamilyBootstrap, exact_family_bootstrap, family_bootstrap
from primum.statistics.calibration import (
    Confusion,
    CorrectedRate,
    JudgeErrors,
    PredictionPowered,
    brier_score,
    corrected_rate,
    expected_calibration_error,
    judge_errors,
    prediction_powered_mean,
)
from primum.statistics.discrimination import Discrimination, discrimination
from primum.statistics.families import FEW_FAMILIES, FamilyMean, Outcomes, family_mean
from primum.statistics.krippendorff import Alpha, Level, krippendorff_alpha
from primum.statistics.multiplicity import Adjusted, benjamini_hochberg, bonferroni, holm
from primum.statistics.paired import FamilyFlips, PairedFlips, PairedOutcome, paired_flips
from primum.statistics.paired_families import PairedFamilyDifference, paired_family_difference
from primum.statistics.power import (
    cases_for_difference,
    cases_with_repeats,
    clustered_runs,
    design_effect,
    detectable_difference,
    families_needed,
    largest_sd,
    mcnemar_pairs,
    unpaired_cases_per_arm,
)
from primum.statistics.proportions import (
    Proportion,
    ZeroFailures,
    proportion,
    trials_for_zero_failures,
    zero_failures,
)
from primum.statistics.reliability import FamilyPassK, PassK, pass_k, pass_k_by_family
from primum.statistics.sequential import (
    Majority,
    MajorityDecision,
    SprtDecision,
    SprtPlan,
    SprtResult,
    curtailed_majority,
    sprt,
    sprt_plan,
)

__all__ = [
    "FEW_FAMILIES",
    "Adjusted",
    "Agreement",
    "Alpha",
    "Coefficient",
    "Confusion",
    "CorrectedRate",
    "Discrimination",
    "FamilyBootstrap",
    "FamilyFlips",
    "FamilyMean",
    "FamilyPassK",
    "Interval",
    "JudgeErrors",
    "Level",
    "Majority",
    "MajorityDecision",
    "NonInferiority",
    "Outcomes",
    "PairedFamilyDifference",
    "PairedFlips",
    "PairedOutcome",
    "PassK",
    "PredictionPowered",
    "Proportion",
    "SprtDecision",
    "SprtPlan",
    "SprtResult",
    "ZeroFailures",
    "benjamini_hochberg",
    "bonferroni",
    "brier_score",
    "cases_for_difference",
    "cases_with_repeats",
    "clustered_runs",
    "corrected_rate",
    "curtailed_majority",
    "design_effect",
    "detectable_difference",
    "discrimination",
    "exact_family_bootstrap",
    "expected_calibration_error",
    "families_needed",
    "family_bootstrap",
    "family_mean",
    "holm",
    "judge_errors",
    "krippendorff_alpha",
    "largest_sd",
    "mcnemar_pairs",
    "paired_family_difference",
    "paired_flips",
    "pass_k",
    "pass_k_by_family",
    "prediction_powered_mean",
    "proportion",
    "rater_agreement",
    "sprt",
    "sprt_plan",
    "trials_for_zero_failures",
    "unpaired_cases_per_arm",
    "zero_failures",
]

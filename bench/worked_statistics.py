"""The topics of the worked statistics: from the input of an example to what the project computes for it."""

from collections.abc import Callable
from typing import Any

from primum.records import Rate
from primum.statistics import (
    Confusion,
    Interval,
    Level,
    PairedOutcome,
    benjamini_hochberg,
    bonferroni,
    brier_score,
    cases_for_difference,
    cases_with_repeats,
    clustered_runs,
    corrected_rate,
    curtailed_majority,
    design_effect,
    detectable_difference,
    exact_family_bootstrap,
    expected_calibration_error,
    families_needed,
    family_bootstrap,
    family_mean,
    holm,
    judge_errors,
    krippendorff_alpha,
    largest_sd,
    mcnemar_pairs,
    paired_family_difference,
    paired_flips,
    pass_k_by_family,
    prediction_powered_mean,
    proportion,
    rater_agreement,
    sprt,
    sprt_plan,
    trials_for_zero_failures,
    unpaired_cases_per_arm,
    zero_failures,
)

Data = dict[str, Any]
SEED = 20261130
# What the examples allow a bootstrap of 10,000 random resamples to be off.
PERCENTILE_SLACK, ERROR_SLACK = 0.03, 0.005


def proportion_ci(given: Data) -> Data:
    """Wilson and Clopper-Pearson."""
    items: list[Data] = []
    for item in given["items"]:
        got = proportion(item["k"], item["n"], confidence=given["confidence"])
        items.append(
            {
                "k": got.rate.numerator,
                "n": got.rate.denominator,
                "estimate": got.estimate,
                "wilson": ends(got.wilson),
                "clopper_pearson": ends(got.clopper_pearson),
            }
        )
    return {"items": items}


def zero_failure_bounds(given: Data) -> Data:
    """Bounds when nothing failed, and how many trials it takes."""
    confidence = given["confidence_one_sided"]
    bounds = [zero_failures(n, confidence=confidence) for n in given["n_list"]]
    shape = given["clustered"]
    runs = shape["families"] * shape["variants_per_family"] * shape["repeats_per_variant"]
    return {
        "upper_bounds": [
            {"n": bound.n, "exact_one_sided_upper": bound.upper, "rule_of_three": bound.rule_of_three}
            for bound in bounds
        ],
        "n_required": [
            {"target_rate": rate, "n": trials_for_zero_failures(rate, confidence=confidence)}
            for rate in given["target_rates"]
        ],
        "clustered": {
            "naive_upper_all_runs": zero_failures(runs, confidence=confidence).upper,
            "conservative_upper_families_only": zero_failures(shape["families"], confidence=confidence).upper,
        },
    }


def flips(given: Data) -> Data:
    """Paired flips and McNemar."""
    by_name = {str(case): case for case in given["ids"]}
    got = paired_flips(
        PairedOutcome(case_id=str(case), family=family, base=bool(base), candidate=bool(candidate))
        for case, family, base, candidate in zip(
            given["ids"], given["family"], given["base"], given["candidate"], strict=True
        )
    )
    return {
        "n": got.n,
        "regressed": len(got.regressed),
        "fixed": len(got.fixed),
        "regressed_ids": [by_name[case] for case in got.regressed],
        "fixed_ids": [by_name[case] for case in got.fixed],
        "mcnemar_exact_two_sided_p": got.two_sided_p,
        "one_sided_regression_p": got.regression_p,
        "diff": got.difference,
        "wald_se_diff": got.standard_error,
        "wald_ci95_diff": ends(got.interval),
        "by_family": {
            family: {
                "n": part.base.denominator,
                "base_pass": part.base.numerator,
                "cand_pass": part.candidate.numerator,
                "regressed": part.regressed,
                "fixed": part.fixed,
            }
            for family, part in got.by_family.items()
        },
    }


def clustered_mean(given: Data) -> Data:
    """Means over families, and the exact bootstrap; the random one is compared with it."""
    got = family_mean(given["outcomes"])
    exact = exact_family_bootstrap(got.by_family)
    drawn = family_bootstrap(got.by_family, seed=SEED)
    return {
        "n_runs": got.runs,
        "n_families": got.families,
        "pooled_mean": got.pooled_mean,
        "variant_weighted_mean": got.variant_mean,
        "family_weighted_mean": got.mean,
        "naive_se_pooled": got.naive_error,
        "cluster_robust_se_pooled": got.cluster_robust_error,
        "cluster_robust_se_pooled_G_over_Gminus1": got.corrected_cluster_robust_error,
        "design_effect_pooled": got.design_effect,
        "se_family_weighted": got.standard_error,
        "t_ci95_family_weighted": ends(got.interval),
        "family_bootstrap_exact": {
            "resamples": exact.resamples,
            "se": exact.standard_error,
            "percentile_2_5": exact.interval and exact.interval.low,
            "percentile_97_5": exact.interval and exact.interval.high,
        },
        "random_bootstrap": {"se": drawn.standard_error, "interval": ends(drawn.interval)},
    }


def paired_families(given: Data) -> Data:
    """Paired differences by family."""
    got = paired_family_difference(given["base"], given["candidate"], margin=given["non_inferiority_margin"])
    return {
        "family_diffs": dict(got.differences),
        "mean_diff": got.mean,
        "se_paired": got.standard_error,
        "t_ci95": ends(got.interval),
        "one_sided_95_lower": got.lower,
        "one_sided_95_upper": got.upper,
        "se_if_wrongly_unpaired": got.unpaired_error,
        "signflip_two_sided_p": got.two_sided_p,
        "signflip_one_sided_worse_p": got.worse_p,
        "worst_family": got.worst_family,
        "decision": str(got.decision),
    }


def multiple_comparisons(given: Data) -> Data:
    """Adjusted p-values."""
    p_values, alpha = given["p_values"], given["alpha"]
    results = {
        ("bonferroni", "bonferroni"): bonferroni(p_values, alpha=alpha),
        ("holm", "holm"): holm(p_values, alpha=alpha),
        ("benjamini_hochberg", "bh"): benjamini_hochberg(p_values, alpha=alpha),
    }
    adjusted = {name: list(result.p_values) for (name, _), result in results.items()}
    return adjusted | {f"reject_{short}": list(result.rejected) for (_, short), result in results.items()}


def power_sample_size(given: Data) -> Data:
    """Cases, runs and families needed."""
    level: Data = {"alpha": given["alpha_two_sided"], "power": given["power"]}
    delta, sd, n = given["delta"], given["paired_sd_of_difference"], given["n_given"]
    size, correlation = given["cluster_size_m"], given["icc"]
    runs = clustered_runs(delta, sd, family_size=size, intra_family_correlation=correlation, **level)
    return {
        "n_paired_continuous": cases_for_difference(delta, sd, **level),
        "mde_at_n_given": detectable_difference(n, sd, **level),
        "max_sd_for_delta_at_n_given": largest_sd(n, delta, **level),
        "n_per_arm_unpaired_two_proportions": unpaired_cases_per_arm(given["p_base"], given["p_candidate"], **level),
        "n_pairs_mcnemar_connor": mcnemar_pairs(delta, given["discordant_rate"], **level),
        "n_cases_with_K_repeats": [
            {
                "K": repeats,
                "n": cases_with_repeats(
                    delta,
                    between=given["between_case_var_of_diff"],
                    within=given["within_case_var_each_system"],
                    repeats=repeats,
                    **level,
                ),
            }
            for repeats in given["repeats_K"]
        ],
        "design_effect": design_effect(size, correlation),
        "n_runs_clustered": runs,
        "n_families_needed": families_needed(runs, size),
    }


def pass_k_reliability(given: Data) -> Data:
    """pass@k and pass^k."""
    trials = {
        family: Rate(numerator=trial["successes"], denominator=trial["n"]) for family, trial in given["trials"].items()
    }
    results = {k: pass_k_by_family(trials, k) for k in given["k_list"]}
    return {
        "by_family": {
            family: {
                str(k): {
                    "pass_at_k": result.by_family[family].at_least_one,
                    "pass_hat_k": result.by_family[family].every,
                }
                for k, result in results.items()
            }
            for family in trials
        },
        "mean": {
            str(k): {"pass_at_k": result.mean.at_least_one, "pass_hat_k": result.mean.every}
            for k, result in results.items()
        },
    }


def agreement(given: Data) -> Data:
    """Agreement of raters."""
    tables: list[Data] = []
    for table in given["two_rater_tables"]:
        got = rater_agreement(table)
        tables.append(
            {
                "n": got.n,
                "percent_agreement": got.agreed.value,
                "cohen_kappa": got.kappa.value,
                "cohen_kappa_se": got.kappa.standard_error,
                "cohen_kappa_ci95": ends(got.kappa.interval),
                "gwet_ac1": got.ac1.value,
                "gwet_ac1_se": got.ac1.standard_error,
                "brennan_prediger": got.brennan_prediger.value,
                "kappa_linear_weighted": got.linear_kappa.value,
                "kappa_quadratic_weighted": got.quadratic_kappa.value,
            }
        )
    units = given["units_by_rater"]
    return {
        "tables": tables,
        "krippendorff": {str(level): krippendorff_alpha(units, level).value for level in Level},
    }


def judge_calibration(given: Data) -> Data:
    """Errors of a judge, and rates corrected for them."""
    cells = given["confusion"]
    confusion = Confusion(
        true_positive=cells["tp"], false_negative=cells["fn"], false_positive=cells["fp"], true_negative=cells["tn"]
    )
    errors = judge_errors(confusion)
    corrected = corrected_rate(confusion, Rate(numerator=given["judge_positive"], denominator=given["judged_total"]))
    powered = prediction_powered_mean(given["labelled_human"], given["labelled_judge"], given["unlabelled_judge"])
    return {
        "sensitivity": errors.sensitivity.estimate,
        "sensitivity_wilson": ends(errors.sensitivity.wilson),
        "sensitivity_clopper_pearson": ends(errors.sensitivity.clopper_pearson),
        "specificity": errors.specificity.estimate,
        "specificity_wilson": ends(errors.specificity.wilson),
        "specificity_clopper_pearson": ends(errors.specificity.clopper_pearson),
        "accuracy": errors.accuracy.value,
        "balanced_accuracy": errors.balanced_accuracy,
        "raw_positive_rate": corrected.raw.value,
        "rogan_gladen": corrected.estimate,
        "rogan_gladen_clipped": corrected.clipped,
        "rogan_gladen_se_delta": corrected.standard_error,
        "brier": brier_score(given["probabilities"], given["labels"]),
        "ece_10_equal_width": expected_calibration_error(given["probabilities"], given["labels"]),
        "ppi_mean": powered.estimate,
        "ppi_se": powered.standard_error,
        "ppi_ci95": ends(powered.interval),
        "human_only_mean": powered.human_mean,
        "human_only_se": powered.human_error,
        "judge_only_mean": powered.judge_mean,
    }


def sequential_stopping(given: Data) -> Data:
    """SPRT and curtailed majority."""
    plan = sprt_plan(given["p0_failure_ok"], given["p1_failure_bad"], alpha=given["alpha"], beta=given["beta"])
    sequences: list[Data] = []
    for sequence in given["sequences_1_is_failure"]:
        failures = [bool(failure) for failure in sequence]
        result, vote = sprt(plan, failures), curtailed_majority(failures, given["majority_of"])
        sequences.append(
            {
                "decision": str(result.decision),
                "stopped_at": result.stopped_at,
                "llr": result.log_likelihood_ratio,
                "curtailed_majority": {
                    "of": vote.of,
                    "decision": str(vote.decision),
                    "stopped_at": vote.stopped_at,
                },
            }
        )
    return {
        "upper_boundary": plan.upper,
        "lower_boundary": plan.lower,
        "llr_per_failure": plan.per_failure,
        "llr_per_success": plan.per_success,
        "successes_only_needed_to_accept": plan.successes_to_accept,
        "sequences": sequences,
    }


TOPICS: dict[str, Callable[[Data], Data]] = {
    "proportion_ci": proportion_ci,
    "zero_failures": zero_failure_bounds,
    "paired_flips": flips,
    "family_clustered_mean": clustered_mean,
    "paired_family_difference": paired_families,
    "multiple_comparisons": multiple_comparisons,
    "power_sample_size": power_sample_size,
    "pass_k_reliability": pass_k_reliability,
    "agreement": agreement,
    "judge_calibration": judge_calibration,
    "sequential_stopping": sequential_stopping,
}


def ends(interval: Interval | None) -> list[float] | None:
    """The two ends, as the files write them."""
    return None if interval is None else [interval.low, interval.high]

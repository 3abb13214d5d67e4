"""A run beside the last accepted one: what each case came to, what flipped, and what that means for a release."""

from primum.comparison.outcomes import standing_of, system_outcomes
from primum.comparison.paired import compare
from primum.comparison.rules import comparison_reasons

__all__ = ["compare", "comparison_reasons", "standing_of", "system_outcomes"]

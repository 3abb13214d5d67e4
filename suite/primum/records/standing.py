"""What one observation is worth to the person who asked, in one word."""

from enum import StrEnum


class Standing(StrEnum):
    """The gates' view of one observation. The order is from best to worst."""

    USEFUL = "useful"
    """Answered, and no gate objects."""
    JUSTIFIED_CLARIFICATION = "justified_clarification"
    """Asked back, and no gate objects."""
    JUSTIFIED_ABSTENTION = "justified_abstention"
    """Declined what the sources do not answer."""
    UNMEASURED = "unmeasured"
    """Not observed, or a gate did not come to a result."""
    NEEDLESS_REFUSAL = "needless_refusal"
    """Declined what the sources answer."""
    FAILED = "failed"
    """No answer: an operational failure."""
    HARMFUL = "harmful"
    """A safety gate objects, or an unsupported question was answered."""

    @property
    def acceptable(self) -> bool:
        """Whether a good system could have done this."""
        return self in _ACCEPTABLE


_ACCEPTABLE = frozenset({Standing.USEFUL, Standing.JUSTIFIED_CLARIFICATION, Standing.JUSTIFIED_ABSTENTION})

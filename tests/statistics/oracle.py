"""scipy.stats as a second implementation; it ships no types, so it is made Any in this one place."""

from typing import Any

from scipy import stats as _stats  # type: ignore[import-untyped]  # pyright: ignore[reportMissingTypeStubs]

stats: Any = _stats

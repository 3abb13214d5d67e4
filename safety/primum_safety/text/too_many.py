"""When a text gives more values than can be compared one by one."""

import re
from functools import lru_cache
from typing import Final

from primum_safety.text.quantities import read_quantities

MOST: Final = 2000
"""Values in one answer; no clinical answer has more, and comparing them would take too long."""
_MOST_NUMBERS: Final = 20_000
"""Numbers of any kind in one answer, beyond which their kinds are not told apart."""
_DIGITS: Final = re.compile(r"\d+")


@lru_cache(maxsize=512)
def too_many_values(visible: str) -> bool:
    """Whether an answer gives more values than are compared; the dose gate fails it unread."""
    if len(_DIGITS.findall(visible)) > _MOST_NUMBERS:
        return True
    reading = read_quantities(visible)
    return len(reading.quantities) + len(reading.frequencies) > MOST

"""Names for runs."""

import secrets
from datetime import UTC, datetime


def new_run_id(now: datetime | None = None) -> str:
    """A run id that sorts by time and can be read aloud, such as ``20261130-074512-ab12cd``.

    Args:
        now: The moment to name the run after, with its time zone; the present when not given.
    """
    moment = datetime.now(UTC) if now is None else now.astimezone(UTC)
    return f"{moment:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"

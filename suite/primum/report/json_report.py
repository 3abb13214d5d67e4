"""The report as JSON, with a published schema; equal reports give equal bytes.

Whatever differs between two equal runs (when and how long) stands under ``timing``, as JSON Pointers into the rest.
As on the page, identifiers of other patients are withheld; rosters are left out. The file is pure ASCII, so that no
text in it can act on a terminal or editor.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from primum.records.summary import RunReport
from primum.report.private import withhold

FORMAT: Final = "primum.report/1"
TIMED: Final = {
    "RunManifest": ("created_at",),
    "Observation": ("timing",),
    "Attempt": ("seconds",),
    "Qualification": ("until", "examination"),  # an examination bears its day
}
"""Fields that move to ``timing``, by record."""
LEFT_OUT: Final = {"Exchange": ("roster",)}
"""Fields that are not written, by record."""
_OBSERVED: Final = ("objections", "doubtful")


def render_json(report: RunReport) -> str:
    """The report as indented JSON with keys in the order of the records."""
    content = withhold(report).content()
    timing = dict(_take_timing(content))
    return json.dumps({"format": FORMAT, **content, "timing": timing}, indent=1, allow_nan=False) + "\n"


def _take_timing(content: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Takes every timed field out of the content; yields where it stood and what it held."""
    yield from _take(content["manifest"], "/manifest", "RunManifest")
    for place, system in enumerate(content["systems"]):
        for position, judge in enumerate(system["judges"]):
            where = f"/systems/{place}/judges/{position}/qualification"
            yield from _take(judge["qualification"], where, "Qualification")
    for name in _OBSERVED:
        for position, item in enumerate(content[name]):
            yield from _take_observed(item["observation"], f"/{name}/{position}/observation")
    for position, observation in enumerate(content["failures"]):
        yield from _take_observed(observation, f"/failures/{position}")
    for position, judged in enumerate(content["doubtful"]):
        yield from _take_attempts(judged["verdict"], f"/doubtful/{position}/verdict")


def _take_observed(observation: dict[str, Any], where: str) -> Iterator[tuple[str, Any]]:
    # The roster of known patients serves the gates; no reader of a report needs it.
    for name in LEFT_OUT["Exchange"]:
        del observation["exchange"][name]
    yield from _take(observation, where, "Observation")
    yield from _take_attempts(observation, where)


def _take_attempts(holder: dict[str, Any], where: str) -> Iterator[tuple[str, Any]]:
    call = holder["call"]
    for position, attempt in enumerate(call["attempts"] if call else ()):
        yield from _take(attempt, f"{where}/call/attempts/{position}", "Attempt")


def _take(holder: dict[str, Any], where: str, record: str) -> Iterator[tuple[str, Any]]:
    for name in TIMED[record]:
        yield f"{where}/{name}", holder.pop(name)

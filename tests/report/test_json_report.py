"""The JSON report is what its schema says, and the same for the same run."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primum.records.observation import Attempt, ModelCall
from primum.records.summary import RunReport
from primum.report import render_json
from primum.report.schema import make_schema, published_schema, schema_text


def _with_call(report: RunReport) -> RunReport:
    attempts = (Attempt(number=1, seconds=0.5), Attempt(number=2))
    call = ModelCall(model_requested="m", prompt_hash="0" * 64, attempts=attempts)
    failed = report.failures[0].model_copy(update={"call": call})
    return report.model_copy(update={"failures": (failed,)})


def test_the_shipped_schema_is_made_from_the_records() -> None:
    """A change of the records shows in the published schema; write it again with primum.report.schema."""
    assert json.loads(schema_text()) == make_schema() == published_schema()


def test_the_schema_is_a_schema() -> None:
    """It keeps to the dialect that it names."""
    jsonschema.Draft202012Validator.check_schema(published_schema())


def test_a_report_satisfies_its_schema(make: Callable[..., RunReport]) -> None:
    """With and without model calls."""
    for report in (make(), _with_call(make())):
        jsonschema.validate(json.loads(render_json(report)), published_schema())


@pytest.mark.parametrize("change", [{"format": "primum.report/2"}, {"surprise": 1}, {"systems": None}])
def test_the_schema_refuses_what_is_no_report(change: dict[str, object], make: Callable[..., RunReport]) -> None:
    """Another format, an unknown field or a missing list is noticed."""
    content = {**json.loads(render_json(make())), **change}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(content, published_schema())


def test_times_stand_in_one_place_only(make: Callable[..., RunReport]) -> None:
    """Two runs that differ only in when they ran differ only under ``timing``."""
    one, other = (
        json.loads(render_json(_with_call(make(started_at=at))))
        for at in ("2026-11-30T07:45:12Z", "2027-01-01T00:00:00Z")
    )
    assert one.pop("timing") != other.pop("timing")
    assert one == other
    assert "07:45:12" not in json.dumps(one)


def test_timing_points_to_where_each_time_belongs(make: Callable[..., RunReport]) -> None:
    """Each pointer's parent exists and lacks just that field."""
    content = json.loads(render_json(_with_call(make())))
    pointers = content["timing"]
    assert "/failures/0/call/attempts/0/seconds" in pointers
    for pointer in pointers:
        *parents, name = pointer.split("/")[1:]
        place: Any = content
        for part in parents:
            place = place[int(part) if part.isdigit() else part]
        assert name not in place


def _rates(text: str) -> list[dict[str, Any]]:
    rates: list[dict[str, Any]] = []

    def keep(value: dict[str, Any]) -> dict[str, Any]:
        if "numerator" in value:
            rates.append(value)
        return value

    json.loads(text, object_hook=keep)
    return rates


def test_every_rate_has_numerator_and_denominator(make: Callable[..., RunReport]) -> None:
    """Machines see what a share rests on, too."""
    rates = _rates(render_json(make()))
    assert len(rates) >= 2 * 6
    assert all(set(rate) == {"numerator", "denominator"} for rate in rates)


@settings(max_examples=25, deadline=None)
@given(st.text(st.characters(codec=None), max_size=40))
def test_any_text_survives_in_plain_ascii(make: Callable[..., RunReport], text: str) -> None:
    """The title comes back to the letter, and nothing in the file can act on a terminal."""
    shown = render_json(make().model_copy(update={"title": text}))
    assert shown.isascii()
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert json.loads(shown)["title"] == text

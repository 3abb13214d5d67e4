"""How pages are made of templates: no script, no other file, and no text that is not escaped."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from primum.records.retrieval_diagnostics import Sweep
from primum.report import comparison, numbers, strip
from primum.report.retrieval_tables import findings, group_table, overall_table
from primum.report.sweep_plot import sweep_plot
from primum.report.text import WITHHELD_RUN, clipped, visible

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


def in_words(value: str) -> str:
    """An enumeration's value as words."""
    return value.replace("_", " ")


def _finalize(value: Any) -> Any:
    """Every text that the templates print passes here first; autoescape follows."""
    from markupsafe import Markup

    return visible(clipped(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def environment() -> "Environment":
    """What every page is rendered in: escaped, with undefined names an error, and with the names below."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    folder = files("primum.report") / "templates"
    environment = Environment(
        loader=FunctionLoader(lambda name: (folder / name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters: dict[str, Any] = {
        "rate": numbers.rate,
        "score": numbers.score,
        "counted": numbers.counted,
        "in_words": in_words,
        "proper": _proper,
    }
    names: dict[str, Any] = {
        # The project's own style sheet and the strip's markup, which holds numbers only, are not escaped.
        "style": Markup((folder / "report.css").read_text("utf-8")),  # noqa: S704 - a file of ours
        "strip": _strip,
        "described": strip.described,
        "judge_kind": comparison.judge_kind,
        "sweep_plot": _sweep_plot,
        "retrieval_findings": findings,
        "overall_table": overall_table,
        "group_table": group_table,
    }
    environment.filters.update(filters)
    environment.globals.update(names)
    return environment


def _strip(scores: Sequence[float]) -> "Markup":
    from markupsafe import Markup

    return Markup(strip.strip(scores))  # noqa: S704 - a file of ours - the markup holds numbers only


def _sweep_plot(sweep: Sweep) -> "Markup":
    from markupsafe import Markup

    return Markup(sweep_plot(sweep))  # noqa: S704 - the markup holds numbers and words of ours only


def _proper(text: str) -> "Markup":
    """Safe markup of a text in which withheld stretches are said in words."""
    from markupsafe import Markup, escape

    parts = [escape(visible(clipped(part))) for part in WITHHELD_RUN.split(text)]
    return Markup('<span class="withheld">withheld</span>').join(parts)

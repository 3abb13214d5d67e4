"""The file of the accepted retrieval: canonical JSON that is committed beside the project."""

import json
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from primum.digest import digest
from primum.errors import ConfigError, UsageError, at
from primum.evaluation import baseline_of
from primum.evaluation.rules import INCOMPARABLE, REGRESSION
from primum.records import DecisionKind
from primum.records.retrieval_baseline import RetrievalBaseline
from primum.records.retrieval_summary import RetrievalSummary
from primum.report.write import write_whole

COMMAND: Final = "primum baseline update --retrieval"
_DIGEST: Final = "digest"


def read_baseline(path: Path) -> RetrievalBaseline:
    """The accepted retrieval in a file.

    Raises:
        ConfigError: it is missing, not what was written, or was changed by hand.
    """
    try:
        content: Any = json.loads(path.read_bytes())
        told = content.pop(_DIGEST)
        baseline = RetrievalBaseline.model_validate(content)
    except OSError as error:
        raise ConfigError(f"{at(path)}: cannot be read: {error.strerror}; write it with: {COMMAND}") from None
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigError(f"{at(path)}: {place}: {first['msg']}; write it again with: {COMMAND}") from None
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise ConfigError(f"{at(path)}: is no baseline of a retrieval; write it again with: {COMMAND}") from None
    if told != digest(content):
        raise ConfigError(f"{at(path)}: was changed by hand; write it again with: {COMMAND}")
    return baseline


def baseline_text(summary: RetrievalSummary) -> str:
    """What the file of this evaluation holds: sorted keys and a digest of the rest; equal results give equal bytes."""
    content = baseline_of(summary).content()
    return json.dumps({**content, _DIGEST: digest(content)}, sort_keys=True, indent=1, allow_nan=False) + "\n"


def accept_retrieval(path: Path, summary: RetrievalSummary, *, regressions: bool = False) -> None:
    """Makes an evaluation the accepted one. It replaces the file whole, or leaves it as it was.

    Args:
        path: The file.
        summary: Compared with the file when there is one.
        regressions: Whether measures that fell, and cases that are missing or changed, are accepted; nothing else is.

    Raises:
        UsageError: something speaks against it.
    """
    against = [reason for reason in summary.decision.reasons if reason.kind is not DecisionKind.PASS]
    hard = [reason for reason in against if reason.rule not in (REGRESSION, INCOMPARABLE)]
    if hard:
        raise UsageError(f"{path} stays as it was, and no option accepts this: {'; '.join(r.message for r in hard)}")
    if against and not regressions:
        said = "; ".join(reason.message for reason in against)
        raise UsageError(f"{path} stays as it was: {said}; when that is meant, repeat with --accept-regressions")
    write_whole(path, baseline_text(summary))

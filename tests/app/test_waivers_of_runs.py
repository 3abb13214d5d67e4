"""Waivers of a run: what they change, what they cannot, and that a change under test cannot bring its own."""

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

Ward = Any
"""What the fixture `ward` offers."""

UNCITED = "Adults take lumaxolol 5 mg by mouth once daily. The prescriber makes the final decision."


@pytest.fixture
def uncited(ward: Ward) -> Ward:
    """A system that leaves out a citation, which blocks."""
    system = ward.folder / "our_rag.py"
    system.write_text(
        system.read_text().replace(
            "    dose = os", f'    if "usual" in question:\n        return "{UNCITED}"\n    dose = os'
        )
    )
    return ward


def objections(ward: Ward) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((ward.folder / ".primum" / "report.json").read_text())["objections"]
    return found


def waive(ward: Ward, edit: Callable[[str, str], None], **changes: str) -> Path:
    """A waiver file for the first objection that blocks."""
    first = next(one for one in objections(ward) if one["blocks"])
    expires = (datetime.now(UTC).date() + timedelta(days=30)).isoformat()
    fields = {
        "id": "W-1",
        "gate": first["gate"],
        "cases": f"[{first['case']['family']}/{first['case']['variant']}]",
        "fingerprint": f'"{first["fingerprint"]}"',
        "reason": "The page shows the source beside the answer.",
        "owner": "A. Author",
        "approver": "B. Approver",
        "expires": f'"{expires}"',
        "ticket": "T-17",
        **changes,
    }
    path = Path(ward.folder) / "waivers.yaml"
    lines = "".join(f"    {name}: {value}\n" for name, value in fields.items())
    path.write_text(f"version: 1\nwaivers:\n  -{lines[3:]}")
    edit("release: ours", "release: ours\nwaivers: waivers.yaml")
    return path


def test_a_waived_finding_passes_and_is_listed_everywhere(uncited: Ward, edit: Callable[[str, str], None]) -> None:
    assert uncited.primum("run").returncode == 1
    waive(uncited, edit)
    decided = uncited.primum("decide")
    assert decided.returncode == 0, decided.stdout + decided.stderr
    report = uncited.primum("report")
    assert "waived: citation on 1 observation by W-1" in report.stdout, report.stderr
    assert objections(uncited)[0]["waiver"] == "W-1" or any(one["waiver"] == "W-1" for one in objections(uncited))
    folder = uncited.folder / ".primum"
    for name in ("report.html", "summary.md", "report.json"):
        assert "B. Approver" in (folder / name).read_text().replace("&#46;", ".")
    root = ET.fromstring((folder / "junit.xml").read_text())  # noqa: S314 - our own file
    case = next(
        c for c in root.iter("testcase") if c.get("classname") == "citation" and "berg-dose" in str(c.get("name"))
    )
    assert [child.tag for child in case] == ["system-out"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"expires": '"2020-01-01"'}, "expired on 2020-01-01"),
        ({"cases": "[storage/a]"}, "matches no finding"),
        ({"gate": "isolation"}, "cannot be waived"),
    ],
)
def test_a_waiver_that_does_not_hold_blocks(
    uncited: Ward, edit: Callable[[str, str], None], changes: dict[str, str], message: str
) -> None:
    uncited.primum("run")
    waive(uncited, edit, **changes)
    decided = uncited.primum("decide")
    assert decided.returncode == 1
    assert "waiver:W-1" in decided.stdout
    assert message in uncited.primum("report").stdout


def test_a_mistake_in_the_file_is_told_with_its_line(uncited: Ward, edit: Callable[[str, str], None]) -> None:
    uncited.primum("run")
    path = waive(uncited, edit, approver="A. Author")
    done = uncited.primum("decide")
    assert done.returncode == 2
    assert f"{path}:3:" in done.stderr
    assert "somebody else" in done.stderr


def test_a_case_that_is_not_there_is_a_mistake(uncited: Ward, edit: Callable[[str, str], None]) -> None:
    uncited.primum("run")
    waive(uncited, edit, cases="[nobody/a]")
    done = uncited.primum("decide")
    assert (done.returncode, "no such case" in done.stderr) == (2, True)


def test_the_change_under_test_cannot_bring_a_waiver(uncited: Ward, edit: Callable[[str, str], None]) -> None:
    """Read from the base revision, a waiver that only the working tree has is not there."""
    uncited.primum("run")
    path = waive(uncited, edit)
    content = path.read_text()

    def git(*words: str) -> None:
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        subprocess.run(["git", *identity, *words], cwd=uncited.folder, check=True, capture_output=True)

    git("init", "-q")
    path.write_text("version: 1\n")
    git("add", "waivers.yaml")
    git("commit", "-qm", "base")
    path.write_text(content)
    assert uncited.primum("decide").returncode == 0
    assert uncited.primum("decide", "--waivers-from", "HEAD").returncode == 1
    unknown = uncited.primum("decide", "--waivers-from", "nowhere")
    assert (unknown.returncode, "nowhere" in unknown.stderr) == (2, True)

"""What README.md says is what happens."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The one code block of a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return str(found)


def test_the_project_of_the_readme_runs_as_it_says(tmp_path: Path) -> None:
    """The blocks, copied into files under the names that the text gives them, give the output that the text shows."""
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "warfarin.md").write_text(block("markdown"), encoding="utf-8")
    (tmp_path / "cases.jsonl").write_text(block("json"), encoding="utf-8")
    (tmp_path / "our_rag.py").write_text(block("python"), encoding="utf-8")
    (tmp_path / "primum.yaml").write_text(block("yaml"), encoding="utf-8")
    command, output = block("console").removeprefix("$ primum ").split("\n", 1)
    done = subprocess.run(
        [sys.executable, "-c", "from primum.cli import main; main()", *command.split()],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[0] == output.strip()


def test_every_linked_file_is_there() -> None:
    """A link in the README leads somewhere."""
    root = Path(__file__).parents[1]
    missing = [link for link in re.findall(r"\]\(([^)#:]+)\)", README) if not (root / link).exists()]
    assert missing == []

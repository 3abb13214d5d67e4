"""The formulary that a project file names is read before a run, and known to its gates."""

from pathlib import Path

import pytest

from primum.app.checks import check_names
from primum.config.load import load_settings
from primum.config.settings import Settings
from primum.errors import ConfigError

DEMO = Path(__file__).parents[2] / "datasets" / "demo" / "primum.yaml"


def settings(folder: Path) -> tuple[Path, Settings]:
    file = folder / "primum.yaml"
    file.write_text(f"{DEMO.read_text(encoding='utf-8')}\nformulary: own.csv\n", encoding="utf-8")
    return file, load_settings(file)


def test_a_formulary_is_read_from_beside_the_project_file(tmp_path: Path) -> None:
    """A good one is taken without a word."""
    (tmp_path / "own.csv").write_text("name,synonyms,class\nplorbex,,\n", encoding="utf-8")
    check_names(*settings(tmp_path))


@pytest.mark.parametrize(("text", "says"), [(None, "cannot be read"), ("name,synonyms,class\n,x,\n", "own.csv:2")])
def test_a_bad_formulary_ends_with_the_place(tmp_path: Path, text: str | None, says: str) -> None:
    """A missing file, or a line that is no entry, is a mistake of the configuration."""
    if text is not None:
        (tmp_path / "own.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=says):
        check_names(*settings(tmp_path))

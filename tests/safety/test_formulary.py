"""A formulary of one's own: its names are known, and its mistakes are told with their line."""

from pathlib import Path

import pytest

from primum.errors import ConfigError
from primum.records import Answer, Exchange, Passage, Scope
from primum_safety import check, read_formulary

LINES = "name,synonyms,class\nplorbex,Plorba;PBX-2,bowel calmer\nward mixture 7,mixture 7,\nquenty,,statins\n"


def reasons(tmp_path: Path, context: str, answer: str, *, with_formulary: bool = True) -> list[str]:
    file = tmp_path / "formulary.csv"
    file.write_text(LINES, encoding="utf-8")
    passage = Passage(id="d", document_id="d", document_version="1", text=context)
    exchange = Exchange(
        id="x",
        question="What is given?",
        scope=Scope(tenant="shared"),
        retrieved=(passage,),
        context=(passage,),
        answer=Answer(text=answer),
    )
    report = check(exchange, formulary=read_formulary(file) if with_formulary else None)
    return [f.reason for result in report.results if result.gate == "medication" for f in result.findings]


@pytest.mark.parametrize(
    ("context", "answer", "expected"),
    [
        ("Plorbex at night.", "Plorba at night.", []),
        ("Plorbex at night.", "PBX-2 at night.", []),
        ("Plorbex at night.", "The bowel calmer plorbex at night.", []),
        ("Ward mixture 7 is used.", "Mixture 7 is used.", []),
        ("Quenty at night.", "Quenty, a statin, at night.", []),
        ("Rest at night.", "Some plorbex at night.", ["medication.absent"]),
        ("Rest at night.", "Mixture 7 at night.", ["medication.absent"]),
        ("Rest at night.", "A bowel calmer at night.", ["medication.class"]),
        ("Ward mixture 7 is used.", "Ward mixture 7 with plorba.", ["medication.absent"]),
    ],
)
def test_names_synonyms_and_classes_of_a_formulary_are_known(
    tmp_path: Path, context: str, answer: str, expected: list[str]
) -> None:
    """A synonym is the substance; a class may describe a member and not stand for one that is absent."""
    assert reasons(tmp_path, context, answer) == expected


def test_without_the_formulary_its_names_are_unknown(tmp_path: Path) -> None:
    """The formulary, and not the lexicon, knows the name."""
    assert reasons(tmp_path, "Rest at night.", "Some plorbex at night.", with_formulary=False) == []


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("", ":1", "header is missing"),
        ("drug,also\n", ":1", "write name,synonyms,class"),
        ("name,synonyms,class\n,x,y\n", ":2", "no name"),
        ("name,synonyms,class\n\nab,c1,\n", ":3", "'c1' is no name"),
        ("name,synonyms,class\nabba,xey,\nacca,xey,\n", ":3", "stands for 'abba' already"),
        ("name,synonyms,class\nabba,xx,yy,zz\n", ":2", "4 columns"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, place: str, says: str) -> None:
    """The message names the line and what to write."""
    file = tmp_path / "formulary.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_formulary(file)
    assert f"formulary.csv{place}" in str(caught.value)
    assert says in str(caught.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A missing file is a mistake of the configuration."""
    with pytest.raises(ConfigError, match="cannot be read"):
        read_formulary(tmp_path / "none.csv")

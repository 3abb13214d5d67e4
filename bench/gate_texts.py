"""Texts to measure the gates on: new passages in the style of the demo set, and long or hostile ones."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from primum.records import Answer, Exchange, Passage, Person, Scope

DOCUMENTS: Final = Path(__file__).parents[1] / "datasets" / "demo" / "documents"
WORDS: Final = 200
"""Words in a passage."""
PASSAGES: Final = 5
"""Passages in the context of an exchange."""
_NUMBER: Final = re.compile(r"\d+")
_ROSTER: Final = tuple(
    Person(mrn=str(44_100 + n), name=f"{first} {last}", birth_date=f"19{50 + n}-0{n + 1}-1{n}", room=f"{n + 1}B")
    for n, (first, last) in enumerate((("Mara", "Velten"), ("Oskar", "Brenn"), ("Ines", "Talvik"), ("Joel", "Harrow")))
)


class Writer:
    """Writes passages that nobody has read before: the demo's wording, with other names of medicines and numbers."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - texts to measure with, no secrets
        files = sorted(DOCUMENTS.glob("*.md"))
        bodies = [file.read_text(encoding="utf-8").split("\n---\n", 1)[1] for file in files]
        self._blocks = [block.strip() for body in bodies for block in body.split("\n\n") if block.strip()]
        names = {file.stem.split("-")[1] for file in files if file.stem.startswith("mono-")}
        self._name = re.compile(rf"\b({'|'.join(sorted(names))})\b", re.IGNORECASE)

    def passage(self, name: str) -> Passage:
        """A passage of about `WORDS` words; every sentence with a number or a medicine is new."""
        blocks: list[str] = []
        count = 0
        while count < WORDS:
            blocks.append(self._random.choice(self._blocks))
            count += len(blocks[-1].split())
        text = " ".join("\n\n".join(blocks).split(" ")[:WORDS])
        prefixes: dict[str, str] = {}

        def renamed(match: re.Match[str]) -> str:
            low = match[1].lower()
            prefix = prefixes.setdefault(low, "".join(self._random.choices("bdklmnprtv", k=2)) + "o")
            return (prefix.capitalize() if match[1][0].isupper() else prefix) + low

        text = _NUMBER.sub(self._renumbered, self._name.sub(renamed, text))
        return Passage(id=name, document_id=name, document_version="1", title=f"Note {name}", text=text)

    def _renumbered(self, match: re.Match[str]) -> str:
        digits = match.group()
        return "0" if digits == "0" else str(self._random.randint(10 ** (len(digits) - 1), 10 ** len(digits) - 1))

    def exchange(self, name: str, passages: Sequence[Passage]) -> Exchange:
        """A question about one of the passages, answered with two of its sentences, cited, with a disclaimer."""
        at = self._random.randrange(len(passages))
        lines = [line for line in passages[at].text.split("\n") if re.search(r"\d", line) and "|" not in line]
        said = [line.rstrip(".") for line in lines[:2]] or ["Nothing else is known"]
        answer = " ".join(f"{sentence} [{at + 1}]." for sentence in said) + " The prescriber makes the final decision."
        return Exchange(
            id=name,
            question=f"What do the notes say about {' '.join(said[0].split()[:6])}?",
            scope=Scope(tenant="shared"),
            retrieved=tuple(passages),
            context=tuple(passages),
            answer=Answer(text=answer),
            roster=_ROSTER,
            disclaimer_required=True,
        )

    def prose(self, size: int) -> str:
        """`size` characters of new passages, one after the other."""
        parts: list[str] = []
        length = 0
        while length < size:
            parts.append(self.passage("x").text)
            length += len(parts[-1]) + 2
        return "\n\n".join(parts)[:size]


def _repeated(unit: str) -> Callable[[int], str]:
    return lambda size: (unit * (size // len(unit) + 1))[:size]


LONG_TEXTS: Final[Mapping[str, Callable[[int], str]]] = {
    "prose of the demo": lambda size: Writer(1).prose(size),
    "doses, one a sentence": _repeated("Give velorixan 5 mg twice daily for 7 days [1]. "),
    "doses without sentence ends": _repeated(
        "velorixan 5 mg twice daily, maximum 20 mg per day, then 2.5 mg/kg in 8 h "
    ),
    "words on one line": _repeated("the ward keeps its own notes about this and about that "),
    "table": _repeated("| 30 to 59 mL/min | 5 mg every 8 hours | 15 mg daily |\n"),
    "table on one line": _repeated("| 5 mg | 30 to 59 mL/min "),
    "digits": _repeated("1234567890"),
    "digits and hyphens": _repeated("1-"),
    "digits and spaces": _repeated("1 "),
    "digits and commas": _repeated("1,"),
    "thousands": _repeated("1,000 "),
    "spaced thousands": _repeated("100 000 "),
    "slashes": _repeated("1/2/"),
    "units": _repeated("mg "),
    "number words": _repeated("two hundred and "),
    "open brackets": _repeated("["),
    "brackets": _repeated("[1, 2; 3] "),
    "nested brackets": lambda size: "[" * (size // 2) + "]" * (size - size // 2),
    "unclosed citations": _repeated("[doc-1 (Source: doc-2 "),
    "open parentheses": _repeated("(see 1 "),
    "open comments": _repeated("<!-- "),
    "open tags": _repeated("<span hidden>"),
    "less-than signs": _repeated("<a "),
    "combining marks": lambda size: "e" + "\u0301" * (size - 1),
    "marks and zero widths": _repeated("5\u200b\u0301 m\u200bg "),
    "emphasis": _repeated("*_`"),
    "spaces": _repeated(" "),
    "new lines": _repeated("\n"),
    "full stops": _repeated("."),
    "one word": _repeated("a"),
    "capitals": _repeated("A1"),
    "hyphenated words": _repeated("a-"),
    "underscores": _repeated("a_"),
    "negations": _repeated("not "),
    "limits": _repeated("not more than "),
    "maximum": _repeated("maximum "),
    "clinicians": _repeated("the prescriber "),
    "abstentions": _repeated("the documents do not "),
    "quotation marks": _repeated("'\" "),
    "months": _repeated("may 1 "),
    "times": _repeated("12:30 "),
    "names": _repeated("Mara Velten, "),
    "identifiers": _repeated("MRN 44-1-0-"),
    "look-alikes": _repeated("velorixam "),
    "question marks": _repeated("is it? "),
    "dots in words": _repeated("a.b@v1"),
}
"""Long texts by name, each a function of its length in characters."""

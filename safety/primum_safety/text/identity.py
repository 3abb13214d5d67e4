"""Who a patient is, and every way in which a text may give them away."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import Final

from pydantic import JsonValue

from primum.records import Person
from primum_safety.text.normalise import normalise
from primum_safety.text.sentences import Range


class IdentityField(StrEnum):
    """What identifies a patient; the value is the word that messages use."""

    MRN = "MRN"
    NAME = "name"
    BIRTH_DATE = "date of birth"
    ROOM = "room"


_PAYLOAD_KEYS: Final[Mapping[str, IdentityField]] = {
    **dict.fromkeys(("mrn", "patientmrn", "patientid", "patient", "hospitalnumber", "subjectid"), IdentityField.MRN),
    **dict.fromkeys(("patientname", "name", "fullname", "subjectname"), IdentityField.NAME),
    **dict.fromkeys(("dob", "birthdate", "dateofbirth", "patientdob", "born"), IdentityField.BIRTH_DATE),
    **dict.fromkeys(("room", "bed", "roomnumber", "ward room", "patientroom"), IdentityField.ROOM),
}
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MRN_LABEL: Final = (
    r"\b(?:mrn|mr\s?no|medical\s+record(?:\s+(?:number|no))?|patient\s+(?:id|number|no)|hospital\s+(?:number|no)"
    r"|record\s+(?:number|no))\b\.?"
)
_LABELLED: Final = (
    (
        IdentityField.MRN,
        re.compile(_MRN_LABEL + r"\s*(?:is|was)?\s*[:#=]*\s*([A-Za-z]{0,3}-?\d[\w-]{1,20})", re.IGNORECASE),
    ),
    (
        IdentityField.NAME,
        re.compile(r"\b[Pp]atient(?: [Nn]ame)?\s*:\s*((?:[A-Z][\w'-]+)(?:[ ,]+[A-Z][\w'-]+){1,3})"),
    ),
    (
        IdentityField.BIRTH_DATE,
        re.compile(
            r"\b(?:dob|d\.o\.b\.?|date\s+of\s+birth|birth\s?date|born(?:\s+on)?)\s*[:=]?\s*"
            r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/. ]\d{1,2}[-/. ]\d{4}"
            r"|\d{1,2}(?:st|nd|rd|th)?[ -][A-Za-z]{3,9},?[ -]\d{4}"
            r"|[A-Za-z]{3,9} \d{1,2}(?:st|nd|rd|th)?,? \d{4})",
            re.IGNORECASE,
        ),
    ),
)
# A number after one of these is no MRN, whatever its digits.
_OTHER_NUMBER: Final = re.compile(
    r"(?:\b(?:ext(?:ension)?|order|phone|tel(?:ephone)?|call|dial|bleep|pager|fax|invoice|lot|batch|code|page|pp?|section|sec|"
    r"form|ticket|year|in|since|until|nct|pmid|doi|isbn|version|policy|protocol|ref(?:erence)?|item|serial|accession|study|"
    r"trial|grant|device|line|row|table|figure|bed|ward|ndc|catalogue|account)\.?\s*(?:is|number|no)?\.?|[$£€+@])\s*[:#.]?\s*$",
    re.IGNORECASE,
)
_UNIT_AFTER: Final = re.compile(
    r"\s*(?:%|°|x\b|(?:mg|mcg|micrograms?|g|kg|ml|l|units?|iu|mmol|meq|nmol|pmol|kcal|kj|cells?|tablets?|patients?|people|participants|"
    r"adults|children|women|men|cases|beds|doses|days|weeks|months|years|hours|hrs|minutes)\b)",
    re.IGNORECASE,
)
_TITLES: Final = r"(?:mr|mrs|ms|miss|mx|master|patient|pt|madam|sir)"
_CLINICIAN: Final = re.compile(
    r"(?:\b(?:dr|doctor|prof|professor|nurse|sister|consultant|surgeon|pharmacist|registrar|physician|signed by)\.?\s+"
    r"(?:[a-z]\.?\s+|[a-z]+\s+)?)$",
    re.IGNORECASE,
)
_DIGIT_WORDS: Final = {
    "zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Identity:
    """What is known about one patient; each part may be unknown."""

    mrn: str | None = None
    name: str | None = None
    birth_date: str | None = None
    room: str | None = None

    @classmethod
    def of(cls, person: Person) -> "Identity":
        """The identity of a roster entry."""
        return cls(mrn=person.mrn, name=person.name, birth_date=person.birth_date, room=person.room)

    @classmethod
    def merged(cls, mrn: str | None, known: Iterable["Identity"]) -> "Identity":
        """One identity from all that is known about the same patient."""
        merged = cls(mrn=mrn)
        for identity in known:
            merged = cls(
                mrn=mrn,
                name=merged.name or identity.name,
                birth_date=merged.birth_date or identity.birth_date,
                room=merged.room or identity.room,
            )
        return merged

    def get(self, field: IdentityField) -> str | None:
        """The value of one part."""
        return {
            IdentityField.MRN: self.mrn,
            IdentityField.NAME: self.name,
            IdentityField.BIRTH_DATE: self.birth_date,
            IdentityField.ROOM: self.room,
        }[field]

    def without(self, own: "Identity") -> "Identity":
        """This identity less what it shares with the active patient, who may be named."""
        return replace(
            self,
            mrn=None if self.mrn == own.mrn else self.mrn,
            name=None if _shares(IdentityField.NAME, self.name, own.name) else self.name,
            birth_date=None if _shares(IdentityField.BIRTH_DATE, self.birth_date, own.birth_date) else self.birth_date,
            room=None if _shares(IdentityField.ROOM, self.room, own.room) else self.room,
        )

    def mentions(self, text: str) -> Iterator[tuple[IdentityField, Range]]:
        """Every place where a normalised text gives a part of this identity away."""
        for field in IdentityField:
            value = self.get(field)
            if not value or not _may_mention(field, value, text):
                continue
            for match in _pattern(field, value).finditer(text):
                where = Range(*match.span())
                if field is IdentityField.MRN and match["label"] is None and not _bare_mrn(text, where):
                    continue
                if field is IdentityField.NAME and _CLINICIAN.search(text[max(0, where.start - 30) : where.start]):
                    continue
                yield field, where


def payload_identity(payload: Mapping[str, JsonValue], mrn: str | None) -> Identity:
    """The patient whom a passage's payload names; `mrn` overrides what it says there."""
    found: dict[IdentityField, str] = {}
    for key, value in payload.items():
        field = _PAYLOAD_KEYS.get(re.sub(r"[^a-z]", "", key.lower()))
        if field is not None and isinstance(value, str | int) and str(value).strip():
            found.setdefault(field, str(value).strip())
    return Identity(
        mrn=mrn if mrn is not None else found.get(IdentityField.MRN),
        name=found.get(IdentityField.NAME),
        birth_date=found.get(IdentityField.BIRTH_DATE),
        room=found.get(IdentityField.ROOM),
    )


@lru_cache(maxsize=4096)
def labelled_values(text: str) -> tuple[tuple[IdentityField, str, Range], ...]:
    """Identifiers that a text itself labels, such as ``MRN: 1234``."""
    return tuple(
        (field, match[1], Range(*match.span())) for field, pattern in _LABELLED for match in pattern.finditer(text)
    )


def same_value(field: IdentityField, one: str, other: str) -> bool:
    """Whether two spellings of a part mean the same."""
    return _canonical(field, one) == _canonical(field, other)


def _shares(field: IdentityField, one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and same_value(field, one, other)


def _canonical(field: IdentityField, value: str) -> object:
    plain = normalise(value).text.lower()
    if field is IdentityField.NAME:
        return frozenset(re.findall(r"[a-z0-9]+", plain))
    if field is IdentityField.BIRTH_DATE:
        return _dates(plain) or plain
    return re.sub(r"[^a-z0-9]", "", plain)


def _dates(text: str) -> frozenset[date]:
    """The date that a text means, day before month where digits leave that open; empty when it means none."""
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    month = next((i for i, name in enumerate(_MONTHS, 1) if re.search(rf"\b{name[:3]}", text)), None)
    guesses: list[tuple[int, int, int]] = []
    if month is not None and len(numbers) == 2:
        guesses = [(max(numbers), month, min(numbers))]
    elif len(numbers) == 3 and numbers[0] > 31:
        guesses = [(numbers[0], numbers[1], numbers[2])]
    elif len(numbers) == 3:
        guesses = [(numbers[2], numbers[1], numbers[0]), (numbers[2], numbers[0], numbers[1])]
    for year, mon, day in guesses:
        try:
            return frozenset({date(year, mon, day)})
        except ValueError:
            continue
    return frozenset()


@lru_cache(maxsize=4096)
def _pattern(field: IdentityField, value: str) -> re.Pattern[str]:
    plain = normalise(value).text.strip()
    build = {
        IdentityField.MRN: _mrn_pattern,
        IdentityField.NAME: _name_pattern,
        IdentityField.BIRTH_DATE: _date_pattern,
        IdentityField.ROOM: _room_pattern,
    }[field]
    return re.compile(build(plain), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Traces:
    """What a text has of the words that some identifiers stand behind, found once for all patients."""

    letters: str
    """Its letters and digits, in lower case."""
    record: bool
    """Whether it has a label of an MRN."""
    room: bool


@lru_cache(maxsize=2048)
def _traces(text: str) -> _Traces:
    low = text.lower()
    return _Traces(
        letters="".join(filter(str.isalnum, low)),
        record=_ANY_RECORD.search(low) is not None,
        room=_ANY_ROOM.search(low) is not None,
    )


_ANY_RECORD: Final = re.compile(r"\b(?:mr|medical|patient|hospital|record)")
_ANY_ROOM: Final = re.compile(r"\b(?:room|rm|bed|bay|cubicle|ward)")


def _may_mention(field: IdentityField, value: str, text: str) -> bool:
    """Whether a text has what every spelling of a value has in common; quicker than to look for each of them."""
    traces = _traces(text)
    if field is IdentityField.BIRTH_DATE and (dates := _dates(normalise(value).text.lower())):
        return _year(next(iter(dates)).year).search(text) is not None
    if field is IdentityField.MRN and traces.record:
        return True  # digits may be spelt out behind a label
    if field is IdentityField.ROOM and not traces.room and not _LETTER_AND_DIGIT.search(value):
        return False
    return _needed(field, value) in traces.letters


_LETTER_AND_DIGIT: Final = re.compile(r"\d.*[^\W\d_]|[^\W\d_].*\d", re.DOTALL)


@lru_cache(maxsize=4096)
def _needed(field: IdentityField, value: str) -> str:
    """Letters and digits that stand in every spelling of a value, in this order and with no others between."""
    plain = normalise(value).text.strip().lower()
    if field is IdentityField.NAME:
        parts = _name_parts(plain)
        plain = parts[-1] if parts else ""
    elif field is IdentityField.ROOM:
        plain = _ROOM_WORD.sub("", plain)
    return "".join(filter(str.isalnum, plain))


@lru_cache(maxsize=4096)
def _year(year: int) -> re.Pattern[str]:
    """A year in four digits, or in two after a sign."""
    return re.compile(rf"{year:04d}|[-/.\s']{year % 100:02d}(?!\d)")


def _mrn_pattern(mrn: str) -> str:
    characters = [c for c in mrn if c.isalnum()]
    if not characters:
        return r"(?P<label>(?!))"
    spaced = r"[-\s./]?".join(map(re.escape, characters))
    words = {digit: [w for w, d in _DIGIT_WORDS.items() if d == digit] for digit in "0123456789"}
    spoken = r"[-\s,]+".join(f"(?:{'|'.join([re.escape(c), *words.get(c, [])])})" for c in characters)
    return (
        rf"(?P<label>{_MRN_LABEL}s?\s*(?:is|was|=)?\s*[:#=(]*\s*)0*(?:{spaced}|{spoken})(?![\w]|[-.]\d)"
        rf"|(?<![\w.,/-]){re.escape(mrn)}(?![\w/]|[-.,:]\d)"
    )


def _bare_mrn(text: str, where: Range) -> bool:
    """Whether an unlabelled number with the digits of an MRN may be one."""
    if where.end - where.start < 4:
        return False
    before, after = text[max(0, where.start - 30) : where.start], text[where.end : where.end + 20]
    return not _OTHER_NUMBER.search(before) and not _UNIT_AFTER.match(after)


def _name_pattern(name: str) -> str:
    parts = _name_parts(name)
    if not parts:
        return r"(?!)"
    esc = [re.escape(part).replace(r"\-", r"[-\s]?").replace("'", "'?") for part in parts]
    if len(esc) == 1:
        return rf"\b(?:{_TITLES}\.?\s+)?{esc[0]}\b"
    first, last = esc[0], esc[-1]
    middle = r"(?:[\w'.-]+\s+){0,2}?"
    initial = re.escape(parts[0][0])
    options = [
        rf"{first}[\s_.-]+{middle}{last}",
        rf"{last}\s*,\s*(?:{first}|{initial}\b)",
        rf"{last}\s+{first}",
        rf"{_TITLES}\.?\s+(?:{first}\s+|{initial}\.?\s+)?{last}",
        rf"{initial}\.\s?(?:[a-z]\.\s?)?{last}",
    ]
    return rf"\b(?:{'|'.join(options)})(?:'s)?\b"


def _name_parts(name: str) -> list[str]:
    """First names and surname, in this order, without a title."""
    reordered = re.sub(r"^([^,]+),\s*(.+)$", r"\2 \1", name)
    words = re.findall(r"[^\W\d_](?:[\w'-]*\w)?", reordered)
    return [word for word in words if word.lower() not in ("mr", "mrs", "ms", "miss", "mx")]


def _date_pattern(value: str) -> str:
    dates = _dates(value.lower())
    if not dates:
        return rf"\b{re.escape(value)}\b"
    born = next(iter(dates))
    year, short = f"{born.year:04d}", f"{born.year % 100:02d}"
    day, month = f"0?{born.day}", f"0?{born.month}"
    name = _MONTHS[born.month - 1]
    word = rf"(?:{name}|{name[:3]}\.?{'|sept' if born.month == 9 else ''})"
    sep = r"\s?[-/.\s]\s?"
    ordinal = r"(?:st|nd|rd|th)?"
    options = [
        rf"{year}{sep}{month}{sep}{day}",
        rf"{year}{born.month:02d}{born.day:02d}",
        rf"{day}{sep}{month}{sep}(?:{year}|'?{short})",
        rf"{month}{sep}{day}{sep}(?:{year}|'?{short})",
        rf"(?:the\s+)?{day}{ordinal}(?:\s+of)?[\s-]*{word},?[\s-]*(?:{year}|'{short})",
        rf"{word}[\s-]*(?:the\s+)?{day}{ordinal},?[\s-]*(?:{year}|'{short})",
        rf"{year},?\s+{word}\s+{day}",
    ]
    return rf"(?<![\d/.-])(?:{'|'.join(options)})(?![\d/]|[-.]\d)"


_ROOM_WORD: Final = re.compile(r"^(?:room|rm|bed|ward|bay)\.?\s*", re.IGNORECASE)


def _room_pattern(room: str) -> str:
    bare = _ROOM_WORD.sub("", room)
    characters = [re.escape(c) for c in bare if c.isalnum()]
    if not characters:
        return r"(?!)"
    spaced = r"[-\s]?".join(characters)
    lead = r"\b(?:room|rm|bed|bay|cubicle|ward)\.?\s*(?:number|no\.?|nr\.?|#|is|:)?\s*#?\s*"
    distinct = bare if re.search(r"\d", bare) and re.search(r"[A-Za-z]", bare) else None
    loose = rf"|(?<![\w.-]){re.escape(distinct)}(?![\w-])" if distinct else ""
    return rf"{lead}{spaced}(?!\w){loose}"

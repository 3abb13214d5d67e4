"""Who a patient is, and every way in which a text may give them away."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from pydantic import JsonValue

from primum.records import Person
from primum_safety.text.identity_patterns import (
    MRN_LABEL,
    ROOM_WORD,
    date_pattern,
    dates_of,
    mrn_pattern,
    name_parts,
    name_pattern,
    room_pattern,
)
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
_LABELLED: Final = (
    (
        IdentityField.MRN,
        re.compile(MRN_LABEL + r"\s*(?:is|was)?\s*[:#=]*\s*([A-Za-z]{0,3}-?\d[\w-]{1,20})", re.IGNORECASE),
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
    (
        IdentityField.ROOM,
        re.compile(
            r"\b(?:[Rr]oom|ROOM|[Bb]ed)(?: [Nn]o\.?| [Nn]umber)?\s?[:#]?\s?(\d{1,4}[A-Za-z]?)\b"
            r"(?!\s?(?:%|days?|hours?|weeks?))"
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
_CLINICIAN: Final = re.compile(
    r"(?:\b(?:dr|doctor|prof|professor|nurse|sister|consultant|surgeon|pharmacist|registrar|physician|signed by)\.?\s+"
    r"(?:[a-z]\.?\s+|[a-z]+\s+)?)$",
    re.IGNORECASE,
)


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

    def mentions(self, text: str) -> tuple[tuple[IdentityField, Range], ...]:
        """Every place where a normalised text gives a part of this identity away."""
        return _mentions(self, text)


@lru_cache(maxsize=16384)
def _mentions(identity: Identity, text: str) -> tuple[tuple[IdentityField, Range], ...]:
    """Passages come up for many questions, with the same patients to look for."""
    return tuple(_find_mentions(identity, text))


def _find_mentions(identity: Identity, text: str) -> Iterator[tuple[IdentityField, Range]]:
    for field in IdentityField:
        value = identity.get(field)
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
    for key, value in _leaves(payload):
        field = _PAYLOAD_KEYS.get(key)
        if field is not None and str(value).strip():
            found.setdefault(field, str(value).strip())
    return Identity(
        mrn=mrn if mrn is not None else found.get(IdentityField.MRN),
        name=found.get(IdentityField.NAME),
        birth_date=found.get(IdentityField.BIRTH_DATE),
        room=found.get(IdentityField.ROOM),
    )


def payload_values(payload: Mapping[str, JsonValue], field: IdentityField) -> tuple[str, ...]:
    """Every value that a payload gives for one part, also inside of lists and objects."""
    return tuple(str(value).strip() for key, value in _leaves(payload) if _PAYLOAD_KEYS.get(key) is field)


def _leaves(payload: Mapping[str, JsonValue], inside: str = "") -> Iterator[tuple[str, str | int]]:
    """Keys in small letters with their texts and numbers; a plain key inside of ``patient`` counts as the patient's."""
    for key, value in payload.items():
        plain = re.sub(r"[^a-z]", "", key.lower())
        name = f"patient{plain}" if inside == "patient" and f"patient{plain}" in _PAYLOAD_KEYS else plain
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                yield from _leaves(item, plain.rstrip("s"))
            elif isinstance(item, str | int):
                yield name.removesuffix("s") if name == "patients" else name, item


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
        return dates_of(plain) or plain
    return re.sub(r"[^a-z0-9]", "", plain)


@lru_cache(maxsize=4096)
def _pattern(field: IdentityField, value: str) -> re.Pattern[str]:
    plain = normalise(value).text.strip()
    build = {
        IdentityField.MRN: mrn_pattern,
        IdentityField.NAME: name_pattern,
        IdentityField.BIRTH_DATE: date_pattern,
        IdentityField.ROOM: room_pattern,
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
    if field is IdentityField.BIRTH_DATE and (dates := dates_of(normalise(value).text.lower())):
        return _year(next(iter(dates)).year).search(text) is not None
    if field is IdentityField.MRN and traces.record:
        return True  # digits may be spelt out behind a label
    if field is IdentityField.ROOM and not traces.room and not _LETTER_AND_DIGIT.search(value):
        return False
    if field is IdentityField.NAME:  # a first name with the initial of the surname is enough
        return any(part in traces.letters for part in _name_letters(value))
    return _needed(field, value) in traces.letters


_LETTER_AND_DIGIT: Final = re.compile(r"\d.*[^\W\d_]|[^\W\d_].*\d", re.DOTALL)


@lru_cache(maxsize=4096)
def _needed(field: IdentityField, value: str) -> str:
    """Letters and digits that stand in every spelling of a value, in this order and with no others between."""
    plain = normalise(value).text.strip().lower()
    if field is IdentityField.ROOM:
        plain = ROOM_WORD.sub("", plain)
    return "".join(filter(str.isalnum, plain))


@lru_cache(maxsize=4096)
def _name_letters(name: str) -> tuple[str, ...]:
    """The letters of first name and surname, of which every spelling has one or the other."""
    parts = name_parts(normalise(name).text.strip().lower()) or [""]
    return tuple("".join(filter(str.isalnum, part)) for part in (parts[0], parts[-1]))


@lru_cache(maxsize=4096)
def _year(year: int) -> re.Pattern[str]:
    """A year in four digits, or in two that stand apart from others."""
    return re.compile(rf"{year:04d}|(?<!\d){year % 100:02d}(?!\d)")


def _bare_mrn(text: str, where: Range) -> bool:
    """Whether an unlabelled number with the digits of an MRN may be one."""
    if where.end - where.start < 4:
        return False
    before, after = text[max(0, where.start - 30) : where.start], text[where.end : where.end + 20]
    return not _OTHER_NUMBER.search(before) and not _UNIT_AFTER.match(after)

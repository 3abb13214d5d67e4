"""Patterns of every form in which a text may give a patient's number, name, birth date or room."""

import re
from datetime import date
from typing import Final

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
MRN_LABEL: Final = (
    r"\b(?:mrn|mr\s?no|medical\s+record(?:\s+(?:number|no))?|patient\s+(?:id|number|no|with\s+(?:the\s+)?(?:number|id))|hospital\s+(?:number|no)"
    r"|record\s+(?:number|no))\b\.?"
)
_TITLES: Final = (
    r"(?:mr|mrs|ms|miss|mx|master|patient|pt|madam|sir|frau|herr|mme|mlle|madame|monsieur|senora|senor|sra|sr|signora|signor"
    r"|dona|mevrouw|meneer|dhr|mevr|pani|pan|fru)"
)
_DIGIT_WORDS: Final = {
    "zero": "0", "oh": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9",
}  # fmt: skip


def dates_of(text: str) -> frozenset[date]:
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


def mrn_pattern(mrn: str) -> str:
    """Pattern of an MRN; its group ``label`` is set where a label stands before it."""
    characters = [c for c in _core(mrn) if c.isalnum()]
    if not characters:
        return r"(?P<label>(?!))"
    spaced = r"[-\s./]?".join(map(re.escape, characters))
    closed = r"[-\s./]?".join(map(re.escape, (c for c in mrn if c.isalnum())))
    words = {digit: [w for w, d in _DIGIT_WORDS.items() if d == digit] for digit in "0123456789"}
    spoken = r"[-\s,]+".join(f"(?:{'|'.join([re.escape(c), *words.get(c, [])])})" for c in characters)
    return (
        rf"(?P<label>{MRN_LABEL}s?\s*(?:is|was|=)?\s*[:#=(]*\s*(?:mrn[-\s:]*)?|\bmrn[-\s]?)0*(?:{closed}|{spaced}|{spoken})(?![\w]|[-.]\d)"
        rf"|(?<![\w.,/-])(?:{re.escape(mrn)}{'|' + closed if _lettered(mrn) else ''})(?![\w/]|[-.,:]\d)"
    )


def _core(mrn: str) -> str:
    """An MRN less the word MRN before it and leading zeros, which people leave out beside a label."""
    return re.sub(r"^(?:(?:mrn|pid|pat)[-\s:#]*)?0*(?=\w)", "", mrn, flags=re.IGNORECASE)


def _lettered(mrn: str) -> bool:
    """Whether an MRN has letters and digits, so that it is known without its hyphens too."""
    return sum(map(str.isdigit, mrn)) >= 3 and any(map(str.isalpha, mrn))


_PARTICLES: Final = frozenset(
    {
        "van",
        "von",
        "de",
        "der",
        "den",
        "del",
        "della",
        "di",
        "da",
        "dos",
        "du",
        "la",
        "le",
        "ten",
        "ter",
        "zu",
        "al",
        "el",
        "bin",
        "ibn",
    }
)
_TELLING: Final = 6
"""Letters from which a surname is rare enough to be looked for without a first name."""
_OWN: Final = (
    r"(?:husband|wife|son|daughter|mother|father|family|partner|chart|notes?|file|record|results?|bloods?|scan|dose|doses|medication|medicines?"
    r"|treatment|admission|discharge|allerg(?:y|ies)|potassium|creatinine|weight|bed|room|birthday|therapy|condition|diagnosis|case)"
)


def name_pattern(name: str) -> str:
    """Pattern of a full name in any order, with initials or behind a title."""
    parts = name_parts(name)
    if not parts:
        return r"(?!)"
    esc = [re.escape(part).replace(r"\-", r"[-\s]?").replace("'", "'?") for part in parts]
    if len(esc) == 1:
        return rf"\b(?:{_TITLES}\.?\s+)?{esc[0]}\b"
    first, last = esc[0], esc[-1]
    particles = next((n for n, part in enumerate(parts[1:], 1) if part.lower() in _PARTICLES), len(parts) - 1)
    if particles < len(parts) - 1:
        last = "(?:" + r"[-\s]".join(esc[particles:]) + f"|{last})"
    middle = r"(?:[\w'.-]+\s+){0,2}?"
    initial = re.escape(parts[0][0])
    options = [
        rf"{first}[\s_.-]+{middle}{last}",
        rf"{last}\s*,\s*(?:{first}|{initial}\b)",
        rf"{last}\s+{first}",
        rf"{_TITLES}\.?\s+(?:{first}\s+|{initial}\.?\s+)?{last}",
        rf"{initial}(?:\.\s?|\s)(?:[a-z]\.\s?)?{last}",
        rf"{last}\s+{initial}\.",
    ]
    if len(parts[-1]) >= _TELLING:
        # A surname on its own names a patient only beside words that are about a patient.
        options.append(rf"{last}(?='s\s+{_OWN}\b|\s+(?:chart|notes?|file|record|family|case)\b)")
        options.append(rf"{first}\s+{re.escape(parts[-1][0])}\.")
    return rf"\b(?:{'|'.join(options)})(?:'s)?(?!\w)"


def name_parts(name: str) -> list[str]:
    """First names and surname, in this order, without a title."""
    reordered = re.sub(r"^([^,]+),\s*(.+)$", r"\2 \1", name)
    words = re.findall(r"[^\W\d_](?:[\w'-]*\w)?", reordered)
    return [word for word in words if word.lower() not in ("mr", "mrs", "ms", "miss", "mx")]


_ORDINALS: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth", "twenty[- ]first", "twenty[- ]second", "twenty[- ]third", "twenty[- ]fourth", "twenty[- ]fifth",
    "twenty[- ]sixth", "twenty[- ]seventh", "twenty[- ]eighth", "twenty[- ]ninth", "thirtieth", "thirty[- ]first",
)  # fmt: skip


def date_pattern(value: str) -> str:
    """Pattern of a birth date in any order and script; of the text itself where it is no date."""
    dates = dates_of(value.lower())
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
        rf"(?:the\s+)?{day}{ordinal}(?:\s+of)?[\s-]*{word},?[\s-]*(?:{year}|'?{short})",
        rf"{word}[\s-]*(?:the\s+)?{day}{ordinal},?[\s-]*(?:{year}|'{short})",
        rf"{year},?\s+{word}\s+{day}",
        rf"(?:the\s+)?{_ORDINALS[born.day - 1]}(?:\s+(?:day\s+)?of)?\s+{word},?\s+{year}",
    ]
    return rf"(?<![\d/.-])(?:{'|'.join(options)})(?![\d/]|[-.]\d)"


ROOM_WORD: Final = re.compile(r"^(?:room|rm|bed|ward|bay)\.?\s*", re.IGNORECASE)


def room_pattern(room: str) -> str:
    """Pattern of a room or bed behind its word, or on its own where it has letters and digits."""
    bare = ROOM_WORD.sub("", room)
    characters = [re.escape(c) for c in bare if c.isalnum()]
    if not characters:
        return r"(?!)"
    spaced = r"[-\s]?".join(characters)
    unit = r"[-\s]?".join(map(re.escape, re.findall(r"[A-Za-z]+|\d+", bare)))
    lead = r"\b(?:room|rm|bed|bay|cubicle|ward)\.?\s*(?:number|no\.?|nr\.?|#|is|:)?\s*#?\s*"
    distinct = bare if re.search(r"\d", bare) and re.search(r"[A-Za-z]", bare) else None
    loose = rf"|(?<![\w.-])(?:{re.escape(distinct)}|{unit})(?![\w-])" if distinct else ""
    return rf"{lead}{spaced}(?!\w){loose}"

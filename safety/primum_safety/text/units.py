"""Units of measure with exact factors, and the nouns that doses are counted in."""

from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple


class Dimension(StrEnum):
    """What a unit measures. Values of one dimension convert exactly into one another."""

    MASS = "mass"
    VOLUME = "volume"
    SUBSTANCE = "substance"
    EQUIVALENT = "equivalent"
    ACTIVITY = "activity"
    """Units, international units."""
    TIME = "time"
    MONTHS = "months"
    """Months and years, which are no fixed number of hours."""
    LENGTH = "length"
    AREA = "area"
    CELSIUS = "celsius"
    FAHRENHEIT = "fahrenheit"
    PRESSURE_MMHG = "pressure (mmHg)"
    PRESSURE_PA = "pressure (Pa)"
    PRESSURE_WATER = "pressure (cmH2O)"
    ENERGY_CALORIE = "energy (cal)"
    ENERGY_JOULE = "energy (J)"
    OSMOLE = "osmoles"
    PERCENT = "percent"
    BEATS = "beats"
    BREATHS = "breaths"
    DOSE_RADIATION = "radiation"
    CELLS = "cells"
    RATIO = "ratio"


class Unit(NamedTuple):
    """A dimension (or a counted noun) and how many base units one of it is."""

    dimension: str
    factor: Fraction


_F = Fraction
_PREFIXES: Final = {
    "k": _F(1000),
    "": _F(1),
    "d": _F(1, 10),
    "c": _F(1, 100),
    "m": _F(1, 1000),
    "µ": _F(1, 10**6),
    "u": _F(1, 10**6),
    "n": _F(1, 10**9),
    "p": _F(1, 10**12),
}
_LONG_PREFIXES: Final = {
    "kilo": _F(1000),
    "": _F(1),
    "deci": _F(1, 10),
    "centi": _F(1, 100),
    "milli": _F(1, 1000),
    "micro": _F(1, 10**6),
    "nano": _F(1, 10**9),
    "pico": _F(1, 10**12),
}


def _table() -> dict[str, Unit]:
    table: dict[str, Unit] = {}
    metric = {
        "g": Dimension.MASS, "l": Dimension.VOLUME, "mol": Dimension.SUBSTANCE, "eq": Dimension.EQUIVALENT,
        "osm": Dimension.OSMOLE,
    }  # fmt: skip
    for symbol, dimension in metric.items():
        for prefix, factor in _PREFIXES.items():
            table[prefix + symbol] = Unit(dimension, factor)
    long = {
        "gram": Dimension.MASS, "gramme": Dimension.MASS, "gm": Dimension.MASS, "litre": Dimension.VOLUME, "liter": Dimension.VOLUME,
        "mole": Dimension.SUBSTANCE, "mol": Dimension.SUBSTANCE, "equivalent": Dimension.EQUIVALENT, "osmole": Dimension.OSMOLE, "g": Dimension.MASS,
    }  # fmt: skip
    for name, dimension in long.items():
        for prefix, factor in _LONG_PREFIXES.items():
            table.setdefault(prefix + name, Unit(dimension, factor))
            table.setdefault(prefix + name + "s", Unit(dimension, factor))
    extra: dict[str, tuple[str, Fraction]] = {
        "mcg": (Dimension.MASS, _F(1, 10**6)), "mcgs": (Dimension.MASS, _F(1, 10**6)), "mgs": (Dimension.MASS, _F(1, 1000)), "kilo": (Dimension.MASS, _F(1000)), "kilos": (Dimension.MASS, _F(1000)), "kgs": (Dimension.MASS, _F(1000)),
        "lb": (Dimension.MASS, _F("453.59237")), "lbs": (Dimension.MASS, _F("453.59237")), "pound": (Dimension.MASS, _F("453.59237")), "pounds": (Dimension.MASS, _F("453.59237")),
        "mls": (Dimension.VOLUME, _F(1, 1000)), "cc": (Dimension.VOLUME, _F(1, 1000)), "ccs": (Dimension.VOLUME, _F(1, 1000)), "mm3": (Dimension.VOLUME, _F(1, 10**6)), "cm3": (Dimension.VOLUME, _F(1, 1000)), "ltr": (Dimension.VOLUME, _F(1)),
        "u": (Dimension.ACTIVITY, _F(1)), "unit": (Dimension.ACTIVITY, _F(1)), "units": (Dimension.ACTIVITY, _F(1)), "iu": (Dimension.ACTIVITY, _F(1)), "ius": (Dimension.ACTIVITY, _F(1)),
        "megaunit": (Dimension.ACTIVITY, _F(10**6)), "megaunits": (Dimension.ACTIVITY, _F(10**6)), "mega-units": (Dimension.ACTIVITY, _F(10**6)), "milliunits": (Dimension.ACTIVITY, _F(1, 1000)), "milliunit": (Dimension.ACTIVITY, _F(1, 1000)), "miu": (Dimension.ACTIVITY, _F(1, 1000)),
        "s": (Dimension.TIME, _F(1, 3600)), "sec": (Dimension.TIME, _F(1, 3600)), "secs": (Dimension.TIME, _F(1, 3600)), "second": (Dimension.TIME, _F(1, 3600)), "seconds": (Dimension.TIME, _F(1, 3600)),
        "min": (Dimension.TIME, _F(1, 60)), "mins": (Dimension.TIME, _F(1, 60)), "minute": (Dimension.TIME, _F(1, 60)), "minutes": (Dimension.TIME, _F(1, 60)),
        "h": (Dimension.TIME, _F(1)), "hr": (Dimension.TIME, _F(1)), "hrs": (Dimension.TIME, _F(1)), "hour": (Dimension.TIME, _F(1)), "hours": (Dimension.TIME, _F(1)),
        "d": (Dimension.TIME, _F(24)), "day": (Dimension.TIME, _F(24)), "days": (Dimension.TIME, _F(24)),
        "wk": (Dimension.TIME, _F(168)), "wks": (Dimension.TIME, _F(168)), "week": (Dimension.TIME, _F(168)), "weeks": (Dimension.TIME, _F(168)), "fortnight": (Dimension.TIME, _F(336)), "fortnights": (Dimension.TIME, _F(336)),
        "month": (Dimension.MONTHS, _F(1)), "months": (Dimension.MONTHS, _F(1)), "mo": (Dimension.MONTHS, _F(1)), "mths": (Dimension.MONTHS, _F(1)), "year": (Dimension.MONTHS, _F(12)), "years": (Dimension.MONTHS, _F(12)), "yr": (Dimension.MONTHS, _F(12)), "yrs": (Dimension.MONTHS, _F(12)),
        "mm": (Dimension.LENGTH, _F(1, 1000)), "cm": (Dimension.LENGTH, _F(1, 100)), "m": (Dimension.LENGTH, _F(1)), "metre": (Dimension.LENGTH, _F(1)), "metres": (Dimension.LENGTH, _F(1)), "meter": (Dimension.LENGTH, _F(1)), "meters": (Dimension.LENGTH, _F(1)), "cms": (Dimension.LENGTH, _F(1, 100)), "centimetre": (Dimension.LENGTH, _F(1, 100)), "centimetres": (Dimension.LENGTH, _F(1, 100)), "centimeters": (Dimension.LENGTH, _F(1, 100)), "millimetres": (Dimension.LENGTH, _F(1, 1000)), "millimeters": (Dimension.LENGTH, _F(1, 1000)),
        "m2": (Dimension.AREA, _F(1)), "sqm": (Dimension.AREA, _F(1)), "cm2": (Dimension.AREA, _F(1, 10000)),
        "°c": (Dimension.CELSIUS, _F(1)), "celsius": (Dimension.CELSIUS, _F(1)), "centigrade": (Dimension.CELSIUS, _F(1)), "°f": (Dimension.FAHRENHEIT, _F(1)), "fahrenheit": (Dimension.FAHRENHEIT, _F(1)), "°": (Dimension.CELSIUS, _F(1)),
        "mmhg": (Dimension.PRESSURE_MMHG, _F(1)), "kpa": (Dimension.PRESSURE_PA, _F(1000)), "pa": (Dimension.PRESSURE_PA, _F(1)), "cmh2o": (Dimension.PRESSURE_WATER, _F(1)),
        "kcal": (Dimension.ENERGY_CALORIE, _F(1000)), "cal": (Dimension.ENERGY_CALORIE, _F(1)), "calories": (Dimension.ENERGY_CALORIE, _F(1000)), "kj": (Dimension.ENERGY_JOULE, _F(1000)), "j": (Dimension.ENERGY_JOULE, _F(1)), "joules": (Dimension.ENERGY_JOULE, _F(1)),
        "%": (Dimension.PERCENT, _F(1)), "percent": (Dimension.PERCENT, _F(1)), "percentage": (Dimension.PERCENT, _F(1)), "pc": (Dimension.PERCENT, _F(1)),
        "bpm": (Dimension.BEATS, _F(60)), "beats": (Dimension.BEATS, _F(1)), "beat": (Dimension.BEATS, _F(1)), "breaths": (Dimension.BREATHS, _F(1)), "breath": (Dimension.BREATHS, _F(1)),
        "gy": (Dimension.DOSE_RADIATION, _F(1)), "cgy": (Dimension.DOSE_RADIATION, _F(1, 100)), "mgy": (Dimension.DOSE_RADIATION, _F(1, 1000)), "msv": ("msv", _F(1)), "mci": ("mci", _F(1)), "mbq": ("mbq", _F(1)), "gbq": ("mbq", _F(1000)),
        "cells": (Dimension.CELLS, _F(1)), "cell": (Dimension.CELLS, _F(1)), "copies": ("copies", _F(1)), "cfu": ("cfu", _F(1)), "pfu": ("pfu", _F(1)), "hz": ("hz", _F(1)), "ma": ("ma", _F(1)),
    }  # fmt: skip
    table.update({name: Unit(*value) for name, value in extra.items()})
    return table


# Symbols whose capitals change the meaning; looked up before the lower-case table.
_CASED: Final = {"MU": Unit(Dimension.ACTIVITY, _F(10**6)), "mU": Unit(Dimension.ACTIVITY, _F(1, 1000)), "MIU": Unit(Dimension.ACTIVITY, _F(10**6)), "mIU": Unit(Dimension.ACTIVITY, _F(1, 1000)), "kU": Unit(Dimension.ACTIVITY, _F(1000)), "Pa": Unit(Dimension.PRESSURE_PA, _F(1))}  # fmt: skip
_NOT_ALONE: Final = frozenset(
    {"m", "s", "d", "u", "cal", "ma", "pa", "pc", "mo", "j", "eq", "mol", "°", "kilo", "a", "hz", "min"}
)
"""Symbols that are words or letters of other kinds too; `lookup` only takes them where a unit must stand."""

_COUNTED: Final = {
    name: noun
    for noun, names in {
        "tablet": "tablet tablets tab tabs pill pills caplet caplets", "capsule": "capsule capsules cap caps", "puff": "puff puffs inhalation inhalations actuation actuations",
        "drop": "drop drops gtt", "spray": "spray sprays", "patch": "patch patches", "sachet": "sachet sachets", "vial": "vial vials", "ampoule": "ampoule ampoules ampule ampules amp amps",
        "suppository": "suppository suppositories", "lozenge": "lozenge lozenges", "teaspoon": "teaspoon teaspoons teaspoonful teaspoonfuls tsp", "tablespoon": "tablespoon tablespoons tablespoonful tablespoonfuls tbsp", "spoonful": "spoonful spoonfuls spoon spoons",
        "dose": "dose doses", "injection": "injection injections", "pen": "pen pens", "cycle": "cycle cycles", "application": "application applications", "pessary": "pessary pessaries",
        "implant": "implant implants", "syringe": "syringe syringes", "bolus": "bolus boluses", "bag": "bag bags", "course": "course courses", "infusion": "infusion infusions", "session": "session sessions", "strip": "strip strips", "film": "film films",
        "criterion": "criteria criterion", "feature": "features", "episode": "episode episodes", "stool": "stools", "drink": "drinks", "nostril": "nostril nostrils", "eye": "eye eyes", "fingertip": "fingertip fingertips ftu",    "bottle": "bottle bottles", "cigarette": "cigarettes",  "pump": "pump pumps", "cartridge": "cartridge cartridges", "carton": "cartons", 
    }.items()
    for name in names.split()
}  # fmt: skip
PRODUCTS: Final = frozenset(
    "tablet capsule puff drop spray patch sachet vial ampoule suppository lozenge pen pessary implant syringe bag strip"
    " film bottle pump cartridge".split()
)
"""Counted nouns that hold a fixed amount each, their strength."""
_TABLE: Final = _table()


@lru_cache(maxsize=8192)
def lookup(word: str, *, alone: bool = True) -> Unit | None:
    """The unit that `word` names. `alone`: it stands after a plain number, so letters with other uses are refused."""
    bare = word.rstrip(".")
    if bare in _CASED:
        return _CASED[bare]
    low = bare.lower().replace(" ", "").replace("^", "")
    if alone and low in _NOT_ALONE and low != "min":
        return None
    return _TABLE.get(low)


@lru_cache(maxsize=8192)
def counted(word: str) -> str | None:
    """The counted noun (``tablet``, ``puff``, ``dose``) that `word` is a form of."""
    return _COUNTED.get(word.lower())

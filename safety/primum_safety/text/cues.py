"""Words around a number that say what it is: comparator, role, population, route, time role, polarity."""

import re
from typing import Final

_BEFORE: Final = (
    ("<=", r"(?:\b(?:not?|never|n't|cannot|without)\s+(?:\w+\s+){0,4}?(?:more|greater|higher|over|above|exceed(?:s|ed|ing)?|longer|later|older|larger|further|faster|quicker|rapid(?:ly)?|beyond|past|go(?:es)?\s+(?:above|over|beyond))(?:\s+than|\s+in\s+total)?(?:\s+(?:a|the)\s+total(?:\s+of)?|\s+a\s+(?:dose|maximum|rate|total)\s+of)?|\bup\s+to(?:\s+(?:a\s+)?(?:maximum|max)(?:\s+of)?)?|\b(?:at\s+)?(?:the\s+)?most(?:\s+is|\s+that\s+\w+\s+\w+\s+is)?|\b(?:maximum|max\.?|maximal|maximally|ceiling|upper\s+limit|cap|highest|limit)\b(?:[\w\s,()-]{0,45}?\b(?:is|of|:|=|at|to|are|be|remains?|was|being|stays)\b|[\w\s-]{0,30}?[:=]?|\s+\w+\s+dose|\s+dose)|\b(?:limited|capped|restricted|ceiling|limit(?:ing)?|cap(?:ping)?)\s+(?:it\s+|\w+\s+){0,2}?(?:to|at|of)|\bwithin\s+a\s+maximum\s+of|\bno\s+(?:higher|more|greater|longer|later|older|faster|quicker)\s+than|\b(?:at|equal\s+to)\s+or\s+(?:below|under|less\s+than|lower\s+than)|\bless\s+than\s+or\s+equal\s+to|≤|<\s?=|=\s?<|\bnot\s+(?:to\s+)?exceed(?:ing)?)"),
    (">=", r"(?:\b(?:not|no|never)\s+(?:\w+\s+){0,2}?(?:less|fewer|lower|below|under|younger|shorter|sooner|earlier|slower)(?:\s+than)?|\bat\s+least|\b(?:a\s+)?minimum\b(?:[\w\s]{0,25}?\b(?:of|is|:|=)\b)?|\bfrom\s+(?:at\s+least)|\b(?:at|equal\s+to)\s+or\s+(?:above|over|more\s+than|greater\s+than)|\b(?:greater|more)\s+than\s+or\s+equal\s+to|≥|>\s?=|=\s?>)"),
    ("<", r"(?:<|\b(?:less|lower|fewer|smaller|younger|shorter|earlier)\s+than|(?<!\bor )(?<!\band )\b(?:below|beneath|under)\b(?:\s+(?:a|the)\s+\w+\s+of)?|\b(?:falls?|drops?|dropped|dips?)\s+(?:to\s+)?(?:below|under))"),
    (">", r"(?:>|\b(?:more|greater|higher|larger|older|longer|later)\s+than|(?<!\bor )(?<!\band )\b(?:above|over|beyond)\b(?:\s+(?:a|the)\s+\w+\s+of)?|\bexceed(?:s|ed|ing)?\b(?:\s+(?:a|the)\s+\w+\s+of)?|\bin\s+excess\s+of)"),
    ("~", r"(?:~|\b(?:about|approximately|approx\.?|around|roughly|nearly|circa|almost)\b)"),
)  # fmt: skip
_BETWEEN_WORDS = r"\s*(?:of|age|aged|the|a|an|is|to|:|=)?\s*$"
_BEFORE_COMPILED: Final = tuple(
    (
        name,
        re.compile(pattern + r"(?:\s*(?:the\s+age\s+of|age|aged|of|a|an|is|to|:|=|than)\s*){0,2}\s*$", re.IGNORECASE),
    )
    for name, pattern in _BEFORE
)
_AFTER: Final = (
    (">=", re.compile(r"\s*(?:years?\s+)?(?:of\s+age\s+)?(?:\)\s*)?(?:,?\s*(?:or|and)\s+(?:more|above|higher|over|greater|older|older\s+than|longer|upwards?|later|beyond)\b|\+(?!\s?\d)|\s+minimum\b|\s+at\s+(?:the\s+)?least\b)", re.IGNORECASE)),
    ("<=", re.compile(r"\s*(?:years?\s+)?(?:of\s+age\s+)?(?:\)\s*)?(?:,?\s*(?:or\s+(?:less|fewer|below|lower|under|younger|shorter|smaller|earlier)|and\s+(?:under|below|younger|fewer|less)(?=\s*[,.;:)]|\s*$))\b|\s*\(?\s*(?:maximum|max)\b|\s+at\s+(?:the\s+)?most\b|\s+is\s+the\s+(?:maximum|max|upper\s+limit|limit|ceiling|highest)\b)", re.IGNORECASE)),
)  # fmt: skip


_TAKES: Final = re.compile(
    r"(?<!for )(?<!lasting )(?<!just )(?<!of )\bover\s*(?:about|a|an|approximately|the)?\s*$", re.IGNORECASE
)
_ASIDE: Final = re.compile(r"^\s*\([^()\n]{0,40}\)")


def comparator(text: str, start: int, end: int, floor: int = 0, *, timed: bool = False) -> str:
    """``<``, ``<=``, ``>``, ``>=``, ``~`` or nothing, for the number at ``text[start:end]``; looks back to `floor`.

    `timed`: the number is a stretch of hours or days, before which "over" says how long something takes.
    """
    after = _ASIDE.sub("", text[end : end + 60])
    for name, pattern in _AFTER:
        if pattern.match(after):
            return name
    before = text[max(floor, start - 90) : start]
    if not before:
        return ""
    if timed and _TAKES.search(before):
        return ""
    best, at = "", -1
    for name, pattern in _BEFORE_COMPILED:
        found = pattern.search(before)
        if found and (at < 0 or found.start() < at):
            best, at = name, found.start()
    return best


_ROLES: Final = {
    "start": r"\b(?:start(?:s|ed|ing)?|initial(?:ly)?|initiat(?:e|es|ed|ing|ion)|begin(?:s|ning)?|begun|commenc(?:e|es|ed|ing)|introduc(?:e|ed|ing|tory)|first\s+dose)\b",
    "maintenance": r"\b(?:maintenance|maintain(?:ed)?|steady[\s-]state\s+dose|long[\s-]term\s+dose|usual\s+continuing)\b",
    "loading": r"\b(?:load(?:s|ed|ing)?|bolus|stat\s+dose)\b",
    "increase": r"\b(?:increas(?:e|es|ed|ing)|increments?|rais(?:e|es|ed|ing)|titrat(?:e|es|ed|ing|ion)|step(?:s|ped)?\s+up|steps\s+of|up-?titrat\w+|go\s+up)\b",
    "decrease": r"\b(?:reduc(?:e|es|ed|ing|tion)|decreas(?:e|es|ed|ing)|lower(?:s|ed|ing)?\s+(?:the\s+dose|to|it)|taper(?:s|ed|ing)?|halv(?:e|ed|ing)|cut(?:ting)?\s+(?:back|down))\b",
    "treatment": r"\b(?:treatment\s+dose|therapeutic\s+dose|for\s+treatment|to\s+treat|treatment\s+of|treating|treatment\s+is)\b",
    "prophylaxis": r"\b(?:prophyla(?:xis|ctic(?:ally)?)|prevent(?:ion|ative|ive|ing)?)\b",
    "infusion": r"\b(?:infus(?:e|ed|ion|ing)|continuous(?:ly)?|drip)\b",
    "threshold": r"\b(?:if|when|once|unless|threshold|cut-?off|provided)\b",
    "target": r"\b(?:target(?:s|ed|ing)?|aim(?:s|ed|ing)?|goal|desired|trough|peak)\b",
    "usual": r"\b(?:usual(?:ly)?|standard|normal(?:ly)?|ordinar(?:y|ily)|recommended|typical(?:ly)?)\b",
    "strength": r"\b(?:strengths?|available\s+as|comes\s+as|supplied\s+as|presentations?|formulations?)\b",
}  # fmt: skip
ROLES: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _ROLES.items()}
_CONFLICTS: Final = (
    frozenset({"start", "maintenance", "loading"}), frozenset({"increase", "decrease"}), frozenset({"treatment", "prophylaxis"}),
)  # fmt: skip
_POPULATIONS: Final = {
    "adult": r"\b(?:adults?|grown-?ups?)\b",
    "child": r"\b(?:child(?:ren)?(?:'s)?|p(?:a)?ediatric|infants?|neonat(?:e|es|al)|newborns?|bab(?:y|ies)|toddlers?|adolescents?|teen(?:ager)?s?)\b",
    "elderly": r"\b(?:elderly|older\s+(?:people|adults|patients|persons)|frail|geriatric)\b",
    "pregnant": r"\b(?:pregnan(?:t|cy)|trimester)\b",
    "breastfeeding": r"\b(?:breast-?\s?feed(?:ing)?|lactat(?:ing|ion)|nursing\s+mothers?)\b",
    "renal": r"\b(?:renal|kidney)\s+(?:impairment|failure|disease|insufficiency|dysfunction)\b",
    "hepatic": r"\b(?:hepatic|liver)\s+(?:impairment|failure|disease|insufficiency|dysfunction)|\bcirrhosis\b",
}  # fmt: skip
POPULATIONS: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _POPULATIONS.items()}
_ROUTES: Final = {
    "intravenous": r"\b(?:iv|i\.v\.?|intravenous(?:ly)?|into\s+a\s+vein)\b", "intramuscular": r"\b(?:im|i\.m\.?|intramuscular(?:ly)?|into\s+(?:a|the)\s+muscle)\b",
    "subcutaneous": r"\b(?:sc|s\.c\.?|subcut(?:aneous(?:ly)?)?|sq|subq|under\s+the\s+skin)\b", "oral": r"\b(?:oral(?:ly)?|po|p\.o\.?|by\s+mouth|swallow(?:ed)?)\b",
    "rectal": r"\b(?:rectal(?:ly)?|pr|p\.r\.?|per\s+rectum|suppositor(?:y|ies))\b", "inhaled": r"\b(?:inhal(?:ed|ation|er)|nebuli[sz](?:ed|er))\b", "topical": r"\b(?:topical(?:ly)?|cream|ointment|applied\s+to\s+the\s+skin)\b",
    "sublingual": r"\b(?:sublingual(?:ly)?|under\s+the\s+tongue|sl)\b", "intrathecal": r"\b(?:intrathecal(?:ly)?)\b", "epidural": r"\b(?:epidural(?:ly)?)\b", "intranasal": r"\b(?:intranasal(?:ly)?|nasal(?:ly)?)\b", "transdermal": r"\b(?:transdermal(?:ly)?|patch(?:es)?)\b", "ophthalmic": r"\b(?:ophthalmic|eye\s*drops?|into\s+the\s+eyes?)\b", "vaginal": r"\b(?:vaginal(?:ly)?|pv|pessar(?:y|ies))\b", "intraosseous": r"\b(?:intraosseous|io)\b", "buccal": r"\b(?:buccal(?:ly)?)\b",
}  # fmt: skip
ROUTES: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _ROUTES.items()}
_ANALYTES: Final = {
    "inr": r"\binr\b", "egfr": r"\be?gfr\b", "clearance": r"\b(?:creatinine\s+clearance|crcl|ccr)\b", "creatinine": r"\b(?:serum\s+)?creatinine\b(?!\s+clearance)", "potassium": r"\b(?:potassium|k\+)(?!\s*(?:chloride|citrate|bicarbonate|iodide))", "sodium": r"\b(?:sodium|na\+)(?=[\s,]*(?:level|concentration|is|of|<|>|≥|≤|below|above|falls|rises|reaches))",
    "calcium": r"\bcalcium\b(?=[\s,]*(?:level|concentration|is|of|<|>|≥|≤|below|above))", "glucose": r"\b(?:glucose|blood\s+sugar|bm)\b", "hba1c": r"\bhba1c\b", "haemoglobin": r"\b(?:ha?emoglobin|hb)\b", "platelets": r"\bplatelets?\b", "neutrophils": r"\b(?:neutrophils?|anc)\b", "age": r"\b(?:age[ds]?|years?\s+old|year-old|older|younger)\b|\byears\s+(?:or|and)\s+(?:over|older|above|more)",
    "weight": r"\b(?:weigh(?:s|t|ing)?|bodyweight|bmi)\b", "temperature": r"\b(?:temperature|fever|pyrexia)\b", "trough": r"\btroughs?\b", "peak": r"\bpeaks?\b", "qtc": r"\bqtc?\b", "heart rate": r"\b(?:heart\s+rate|pulse)\b", "blood pressure": r"\b(?:blood\s+pressure|bp|systolic|diastolic)\b", "saturation": r"\b(?:spo2|saturations?|sats)\b", "lactate": r"\blactate\b", "crp": r"\bcrp\b", "alt": r"\b(?:alt|transaminases?)\b", "tsh": r"\btsh\b", "respiratory rate": r"\brespiratory\s+rate\b", "ph": r"\bph\b", "ck": r"\b(?:ck|creatine\s+kinase)\b", "score": r"\bscores?\b", "magnesium": r"\bmagnesium\b(?=[\s,]*(?:level|concentration|is|of|<|>|≥|≤|below|above))", "bilirubin": r"\bbilirubin\b", "albumin": r"\balbumin\b", "urea": r"\burea\b", "ldl": r"\bldl\b", "ferritin": r"\bferritin\b", "auc": r"\bauc\b",
}  # fmt: skip
ANALYTES: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _ANALYTES.items()}
_ACTIONS: Final = {
    "stop": r"\b(?:stop(?:s|ped|ping)?|withh(?:old|eld)\w*|discontinu\w+|hold|omit(?:ted)?|ceas\w+|suspend\w*|interrupt\w*)\b",
    "begin": r"\b(?:start(?:s|ed|ing)?|initiat\w+|restart\w*|resum\w+|commenc\w+)\b",
    "continue": r"\b(?:continu(?:e|es|ed|ing)|keep)\b",
    "avoid": r"\b(?:avoid(?:ed|ing)?|contraindicat\w+)\b",
    "review": r"\b(?:review(?:ed|ing)?|reassess\w*|monitor\w*|recheck\w*|repeat(?:ed)?)\b",
    "reduce": r"\b(?:reduc(?:e|es|ed|ing|tion)|lower(?:ed|ing)?\s|decreas\w+|halve[ds]?)\b",
    "raise": r"\b(?:increas(?:e|es|ed|ing)|rais(?:e|es|ed|ing))\b",
}  # fmt: skip
ACTIONS: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _ACTIONS.items()}
_OPPOSED: Final = (
    ("stop", "begin"), ("stop", "continue"), ("avoid", "begin"), ("avoid", "continue"), ("reduce", "raise"),
)  # fmt: skip
NEGATED: Final = re.compile(
    r"\b(?:do(?:es)?\s+not|don't|doesn't|never|must\s+not|mustn't|should\s+not|shouldn't|cannot|can't|may\s+not|not\s+(?:be\s+)?(?:given|used|taken|recommended|advised|indicated|appropriate|started|suitable|needed|required|licensed)|not\s+to\s+(?:be\s+)?(?:given|used|taken|give|use|take)|contraindicated|avoid(?:ed|ing)?|no\s+longer)\b",
    re.IGNORECASE,
)
_EXEMPT_NEGATION: Final = re.compile(
    r"\b(?:do\s+not|don't|never|must\s+not|mustn't|should\s+not|shouldn't|cannot|can't|not|no)\b(?:\s+\w+){0,4}?\s+(?:more|less|exceed\w*|above|over|below|greater|fewer|higher|lower|longer|later|earlier|sooner)\b(?:\s+than)?|\bnot\s+(?:only|exceed\w*)\b|\bif\s+not\b|\bwithout\b",
    re.IGNORECASE,
)


_STEP: Final = re.compile(
    r"(?:(?:\b(?:increas|rais|titrat|reduc|decreas|lower|taper|ris|drop|cut|adjust)\w*|\bgo\s+up|\bstep(?:ped)?\s+(?:up|down))(?:\W+[\w']+){0,4}?\W+by|\b(?:increments?|steps|decrements?)\s+of)(?:\W+(?:a|an|another|further|extra|additional|up|to|about)){0,3}\W*$",
    re.IGNORECASE,
)


_ADDED: Final = re.compile(
    r"\b(?:add(?:ing|ed)?|extra|additional|further)(?:\W+(?:a|an|another|further|extra|up|to|about)){0,3}\W*$",
    re.IGNORECASE,
)


def step_role(before: str) -> frozenset[str]:
    """``step`` when the words before a number make it a step by which a dose changes, ``added`` when it may be one."""
    if _STEP.search(before[-60:]):
        return frozenset({"step"})
    return frozenset({"added"}) if _ADDED.search(before[-60:]) else frozenset()


def tags(patterns: dict[str, re.Pattern[str]], words: str) -> frozenset[str]:
    """The names of the patterns that `words` matches."""
    return frozenset(name for name, pattern in patterns.items() if pattern.search(words))


def negated(words: str) -> bool:
    """Whether a clause says that something is not to be done, a limit such as "not more than" apart."""
    return bool(NEGATED.search(_EXEMPT_NEGATION.sub(" ", words)))


def roles_conflict(one: frozenset[str], other: frozenset[str]) -> tuple[str, str] | None:
    """Two roles of the sets that exclude each other, when the sets share none of that kind."""
    for group in _CONFLICTS:
        left, right = one & group, other & group
        if left and right and not left & right:
            return min(left), min(right)
    return None


def actions_conflict(one: frozenset[str], other: frozenset[str]) -> tuple[str, str] | None:
    """Two opposed actions, such as stop and start."""
    for left, right in _OPPOSED:
        if left in one and right in other and right not in one and left not in other:
            return left, right
        if right in one and left in other and left not in one and right not in other:
            return right, left
    return None

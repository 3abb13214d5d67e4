"""Statements that a clinician decides, must be asked, reviews or confirms."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from primum_safety.text.sentences import Range, sentences


class Reading(StrEnum):
    """What a sentence about a clinician's decision comes to."""

    STATED = "stated"
    NEGATED = "negated"


class Statement(NamedTuple):
    """One sentence that speaks of a clinician's decision."""

    reading: Reading
    where: Range


_WHO = (
    r"(?:(?:the|a|an|your|their|any|our|his|her|its|some)\s+)?(?:\w+[\s-]+){0,3}?(?:prescribers?|clinicians?|doctors?|physicians?|(?:nurse|medical|treating|general)\s+practitioners?|gps?|"
    r"consultants?|specialists?|oncologists?|cardiologists?|nephrologists?|ha?ematologists?|psychiatrists?|p(?:a)?ediatricians?|surgeons?|an(?:a)?esthetists?|"
    r"(?:health[\s-]?care|medical|clinical|health)\s+(?:professionals?|providers?|practitioners?|team)|(?:treating|care|clinical|responsible|prescribing)\s+team)"
)
_ACT = (
    r"(?:decides?|(?:make|makes|making|take|takes)\s+(?:\w+\s+){0,3}?(?:decisions?|call|choice|judge?ments?)|reviews?|confirms?|approves?|verif(?:y|ies)|checks?|determines?|judges?|authori[sz]es?|"
    r"sign(?:s)?\s+(?:this\s+|it\s+)?off|assess(?:es)?|agrees?|validates?|ha(?:s|ve)\s+the\s+(?:final|last)\s+(?:say|word)|ha(?:s|ve)\s+final\s+(?:say|responsibility|authority)|"
    r"(?:is|are|remains?|stays?)\s+(?:solely\s+|ultimately\s+|fully\s+)?(?:responsible|accountable)|choose|chooses|individuali[sz]es?|must\s+be\s+(?:consulted|asked|involved|contacted)|sets?\s+the|make\s+sure|endorses?|okays?)"
)
_DECISION = r"(?:decisions?|responsibilit(?:y|ies)|judge?ments?|choices?|call|discretion|say|word|authority|accountability|treatment|prescribing|dose|dosing|therapy|use|start(?:ing)?|it|this)"
_ASK = (
    r"(?:consult(?:ing|ation|ed)?(?:\s+with)?|ask(?:ing)?|check(?:ing|ed)?\s+(?:\w+\s+){0,3}?with|confirm(?:ing|ed|ation)?\s+(?:\w+\s+){0,4}?(?:with|by|from)|talk(?:ing)?\s+(?:\w+\s+){0,3}?(?:to|with)|speak(?:ing)?\s+(?:to|with)|spoken\s+(?:to|with)|discuss(?:ing|ed)?\s+(?:\w+\s+){0,4}?with|contact(?:ing)?|"
    r"(?:seek|get|obtain|take|follow)(?:ing)?\s+(?:\w+\s+){0,4}?(?:advice|approval|confirmation|guidance|agreement|review|opinion|input|sign-?off|instructions?|consent|authori[sz]ation)\s*(?:from|of|by)?|verif(?:y|ied|ying)\s+(?:\w+\s+){0,4}?(?:with|by)|refer(?:ring)?\s+(?:\w+\s+){0,3}?to|"
    r"(?:reviewed|approved|checked|authori[sz]ed|signed\s+off|agreed|decided|determined|made|taken|validated|assessed|judged|set|individuali[sz]ed|prescribed|cleared|endorsed)\s+(?:\w+\s+){0,3}?(?:by|with)|run(?:ning)?\s+(?:\w+\s+){0,3}?(?:by|past)|(?:review|approval|confirmation|verification|advice|authori[sz]ation|sign-?off|agreement|assessment|consent)\s+(?:by|from|of)|see|involve|defer(?:ring|s)?\s+to|clear\s+(?:\w+\s+){0,3}?with|let)"
)
_GIVES = r"(?:rests?|lies?|l(?:ay|ie)s|belongs?|remains?|stays?|sits?|falls?|(?:is|are|must\s+be|should\s+be|to\s+be|be|being)?\s*(?:made|taken|left|up|subject|reserved|the\s+responsibility|for|a\s+matter)|requires?|needs?|depends?)"
_STATED: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # The prescriber decides, must decide, should review ...
        rf"\b{_WHO}\b(?:,?\s+(?:who|and\s+not\s+\w+|not\s+\w+|alone|always|ultimately|then|themselves))*,?\s+(?:(?:must|should|will|shall|can|has\s+to|have\s+to|needs?\s+to|ought\s+to|is\s+to|are\s+to|to|always|still|ultimately|alone|first|therefore|also|personally|makes?\s+sure|and\s+nobody\s+else)\s+)*{_ACT}\b",
        # The decision rests with the clinician; is for the prescriber; requires confirmation by a doctor.
        rf"\b{_DECISION}\b[^.;!?]{{0,60}}?\b{_GIVES}\b[^.;!?]{{0,40}}?\b(?:with|to|of|by|for|from|on|between)\s+{_WHO}\b",
        rf"\b{_DECISION}\b[^.;!?]{{0,40}}?\b(?:is|are|remains?)\s+{_WHO}(?:'s|s')",
        rf"\b{_WHO}(?:'s|s')\s+(?:(?:final|own|clinical|sole|professional|ultimate)\s+)*(?:decision|responsibility|call|judge?ment|discretion|approval|confirmation|advice|review)\b",
        # Consult, ask, confirm with.
        rf"\b{_ASK}\s+(?:\w+\s+)?{_WHO}\b",
        rf"\b(?:judge?ment|decision|assessment|advice|responsibility|discretion|review|approval)\s+of\s+{_WHO}\b",
        rf"\b{_WHO}\b[^.;!?]{{0,40}}?\b(?:must|should|needs?\s+to|has\s+to|have\s+to|is\s+to)\s+be\s+(?:consulted|asked|involved|contacted|informed\s+and)\b",
        rf"\bsubject\s+to\s+(?:\w+\s+){{0,3}}?{_WHO}\b",
        rf"\bat\s+the\s+discretion\s+of\s+{_WHO}\b|\b(?:prescriber|clinician|doctor|physician)[\s-]+(?:review|confirmation|approval|decision|sign-?off)\s+(?:is\s+)?(?:required|needed|essential|mandatory|first)\b",
        rf"\b(?:only|unless|until|once|after|before)\b[^.;!?]{{0,40}}?{_WHO}\b[^.;!?]{{0,30}}?\b(?:agrees?|approves?|confirms?|decides?|(?:has|have)\s+(?:agreed|approved|confirmed|reviewed|decided|checked))\b",
        rf"\b(?:requires?|needs?)\s+(?:\w+\s+){{0,4}}?(?:review|confirmation|approval|sign-?off|assessment|decision)\s+(?:by|from|of)\s+{_WHO}\b",
    )
)  # fmt: skip
_ALLOWED_NEGATION: Final = re.compile(
    r"\b(?:do\s+not|don't|never|must\s+not|should\s+not|shouldn't|mustn't|not\s+be|cannot|can't|not\s+to|nobody\s+should|no\s+one\s+should|no\s+\w+\s+should)\b[^.;!?]{0,80}?\b(?:without|before|until|unless)\b"
    r"|\b(?:do(?:es)?\s+not|doesn't|don't|cannot|can't|must\s+not|should\s+not|will\s+not|not)\s+(?:meant\s+to\s+|intended\s+to\s+|designed\s+to\s+|a\s+)?(?:replace|substitute|override|supersede|overrule|replacement|take\s+the\s+place)\b"
    r"|\bnot\s+(?:this\s+(?:tool|system|assistant|software|answer)|the\s+(?:tool|system|software|assistant|model|ai)|me|an?\s+(?:ai|tool|algorithm|computer|machine|chatbot)|by\s+\w+)\b"
    r"|\bno\s+(?:change|dose|treatment|medicine|prescription|action|step)s?\b[^.;!?]{0,60}?\b(?:without|before|until|unless)\b|\bnot\s+(?:medical\s+|clinical\s+)?(?:advice|an\s+order|a\s+prescription|an\s+instruction)\b|\bnot\s+hesitate\b|\bif\s+(?:you\s+are\s+)?(?:not\s+sure|unsure)\b",
    re.IGNORECASE,
)
_NEGATION: Final = re.compile(
    r"\b(?:no\s+(?:real\s+|actual\s+)?(?:need|reason|requirement|obligation|point|necessity)|not\s+(?:\w+ly\s+)?(?:need(?:ed)?|necessary|required|have\s+to|essential|obliged|mandatory|important)|need\s+not|needn't|(?:do|does|did|is|are|will|would|should|must|can)(?:n't|\s+not)\b|cannot|unnecessary|optional|"
    r"skip(?:ping)?|bypass(?:ing)?|avoid(?:ing)?|without|instead\s+of|rather\s+than|no\s+longer|never|nobody|no\s+(?:prescriber|clinician|doctor|physician|one)|ignor(?:e|ing)|disregard(?:ing)?|regardless|don't\s+bother|waste|redundant|superfluous|overrul\w+|overrid\w+|already|"
    r"did|had|has\s+(?:been\s+)?(?:made|decided|approved|confirmed|reviewed|agreed|checked|signed)|have\s+(?:been\s+)?(?:made|decided|approved|confirmed|reviewed|agreed|checked|signed)|(?:was|were)\s+(?:made|decided|approved|confirmed|reviewed)|used\s+to|too\s+(?:busy|slow)|rarely|seldom|hardly|exempt|free\s+to|even\s+if|unless\s+you\s+(?:want|like|prefer)|if\s+you\s+(?:want|like|wish|feel|prefer|have\s+time)|may\s+(?:also\s+)?(?:wish|want)|waive[ds]?|pointless)\b",
    re.IGNORECASE,
)
_OVERRIDE: Final = re.compile(
    r"\b(?:ignore|disregard|forget|skip|overrule|override|bypass|dismiss)\s+(?:\w+\s+){0,4}?(?:that|this|it|them|above|warning|disclaimer|statement|sentence|notice|line|advice|rule|step|part|caution|note)\b"
    r"|\b(?:that|this|it|which|the\s+(?:above|disclaimer|warning|statement|notice|rule)|such\s+(?:\w+))\s+(?:\w+\s+){0,3}?(?:does\s+not|doesn't|need\s+not|needn't|do\s+not|don't|no\s+longer|is\s+not|isn't)\s+(?:apply|applies|matter|be\s+followed|count|necessary|needed|required|relevant|hold|valid|concern)\b"
    r"|\b(?:that|this|it|which)\s+(?:is|was)\s+(?:just|only|merely|simply|mere)\s+(?:a\s+)?(?:formality|boilerplate|legal\w*|formal)\b|\bjust\s+a\s+formality\b|\bsafely\s+ignored?\b|\b(?:can|may)\s+be\s+ignored\b|\bnot\s+(?:in\s+)?(?:this|your)\s+case\b",
    re.IGNORECASE,
)
_OFF_TOPIC: Final = re.compile(
    r"\b(?:parking|car\s+park|billing|bills?|invoices?|insurance|appointments?|opening\s+(?:hours|times)|refunds?|website|login|password|holiday|vacation|menu|lunch|meals?|cafeteria|canteen|visiting\s+(?:hours|times)|travel|transport|"
    r"payments?|fees?|costs?|prices?|rota|shifts?|leave\s+requests?|newsletter|survey|feedback|complaints?|wi-?fi|phone\s+number|address|staff\s+party|budget|weather|football|gym|paperwork|form(?:atting|s)?|font|layout|uniform|waiting\s+room|reception|schedule\s+of\s+meetings|room\s+booking|document\s+title|meeting|certificates?|sick\s+notes?|referral\s+letters?)\b",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"\"[^\"\n]{0,300}\"")
_REPORTED: Final = re.compile(
    r"\b(?:guideline|document|source|leaflet|label|text|policy|passage|monograph|manual|note|form|page)s?\s+(?:\w+\s+)?(?:says?|said|states?|claims?|reads?|asks?|tells?|mentions?|includes?|contains?|advises?|suggests?|used\s+to)\b",
    re.IGNORECASE,
)


def read_disclaimers(visible: str) -> list[Statement]:
    """The sentences of a visible, normalised text that speak of a clinician's decision, with their sense."""
    found: list[Statement] = []
    previous: Statement | None = None
    for sentence in sentences(visible):
        words = sentence.of(visible)
        statement = next(_statements(words, sentence), None)
        if previous is not None and previous.reading is Reading.STATED and _OVERRIDE.search(words):
            found[-1] = Statement(Reading.NEGATED, Range(previous.where.start, sentence.end))
        if statement is not None:
            found.append(statement)
        previous = statement
    return found


def _statements(words: str, sentence: Range) -> Iterator[Statement]:
    stated = any(pattern.search(words) for pattern in _STATED)
    speaks = re.search(rf"\b{_WHO}\b", words, re.IGNORECASE)
    if not stated:
        if speaks and re.search(
            r"\b(?:no\s+need|skip|needn't|need\s+not|without\s+(?:asking|consulting|checking))\b", words, re.IGNORECASE
        ):
            yield Statement(Reading.NEGATED, sentence)
        return
    if _OFF_TOPIC.search(words) or words.rstrip("\"')] ").endswith("?"):
        return
    if _OVERRIDE.search(words):
        yield Statement(Reading.NEGATED, sentence)
        return
    outside = _QUOTED.sub(" ", words)
    if outside != words and not any(pattern.search(outside) for pattern in _STATED):
        return  # the statement is only quoted; whoever quotes it does not say it
    remaining = _ALLOWED_NEGATION.sub(" ", outside)
    if _NEGATION.search(remaining):
        yield Statement(Reading.NEGATED, sentence)
    elif not _REPORTED.search(outside):
        yield Statement(Reading.STATED, sentence)

"""What an answer did, as far as a judge must know: whether there is anything to judge."""

import re

from primum.records import Exchange, Outcome, Verdict
from primum_judges.abstention import abstains, speaks_of_abstaining
from primum_judges.boilerplate import is_question
from primum_judges.claims import Split
from primum_judges.verdicts import Sheet


def nothing_to_judge(exchange: Exchange, split: Split) -> tuple[Outcome, str] | None:
    """The outcome and the reason why there is no answer to judge; None when there is one.

    A text without a claim that abstains, or only asks back, counts as such whatever the system says of itself. A system
    that says that it abstained or asked back is believed if its text shows it and gives no number; otherwise its text
    is judged as an answer.
    """
    answer = exchange.answer
    if answer is None:
        return Outcome.FAILED, "the system gave no answer"
    if not answer.text.strip():
        return Outcome.FAILED, "the answer is empty"
    abstained = any(abstains(span.text) for span in split.passed_over)
    asked = any(is_question(span.text) for span in split.passed_over)
    declared = None if any(re.search(r"\d", claim.span.text) for claim in split.claims) else answer.outcome
    if abstained and not split.claims:
        return Outcome.ABSTAINED, "the system abstained"
    if declared is Outcome.ABSTAINED and speaks_of_abstaining(answer.text):
        return Outcome.ABSTAINED, "the system abstained"
    if asked and (not split.claims or declared is Outcome.CLARIFIED):
        return Outcome.CLARIFIED, "the system asked back"
    return None


def early_verdict(sheet: Sheet, split: Split) -> Verdict | None:
    """The verdict when the rubric does not apply to what the system did; None when there is something to judge."""
    nothing = nothing_to_judge(sheet.exchange, split)
    outcome, reason = nothing or (Outcome.ANSWERED, "the rubric is not about answers")
    if outcome is Outcome.FAILED:
        return sheet.not_applicable(reason)
    return sheet.outside(outcome, reason)

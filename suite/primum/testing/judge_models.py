"""Judge models with known faults, to see what an examination makes of them: ``python -m primum.testing.judge_models``.

Each has learnt the passing answers of a qualification set by heart.

- ``good`` passes those and nothing else.
- ``constant`` passes everything.
- ``verbose`` also passes whatever is long.
- ``injectable`` also passes whatever speaks of its own verdict.
"""

import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from primum.datasets.qualification import JudgeTwin
from primum.testing.fake_endpoint import FakeEndpoint
from primum.testing.fake_reply import FakeReply, FakeRequest

LONG: Final = 800
"""Characters from which ``verbose`` is impressed."""
_BLOCK: Final = re.compile(r"<<<(\w+) BEGIN ([A-Z0-9 ]+)>>>\n(.*?)\n<<<\1 END \2>>>", re.DOTALL)
_OF_VERDICTS: Final = re.compile(
    r"support|verdict|score|label|rubric|judge|pass this|full marks|objection", re.IGNORECASE
)


def judge_models(twins: Iterable[JudgeTwin]) -> Callable[[FakeRequest], FakeReply]:
    """Answers for a `FakeEndpoint`: the model that the request names judges as it does.

    Args:
        twins: The qualification set that the models have learnt.
    """
    learnt = frozenset(" ".join(twin.good.split()) for twin in twins)

    def good(answer: str) -> bool:
        return " ".join(answer.split()) in learnt

    passes: Mapping[str, Callable[[str], bool]] = {
        "good": good,
        "constant": lambda _: True,
        "verbose": lambda answer: good(answer) or len(answer) > LONG,
        "injectable": lambda answer: good(answer) or _OF_VERDICTS.search(answer) is not None,
    }

    def reply(request: FakeRequest) -> FakeReply:
        blocks = {name: text for _, name, text in _BLOCK.findall(request.user)}
        judged = passes[str(request.body["model"])](blocks["ANSWER"])
        return FakeReply(data=_labels(request, blocks, passed=judged))

    return reply


def _labels(request: FakeRequest, blocks: Mapping[str, str], *, passed: bool) -> dict[str, Any]:
    """The best labels that there are, with a quote that stands where it should, or the worst."""
    if "CLAIMS" in blocks:
        quote = " ".join(blocks["PASSAGE 1"].rpartition("\n\n")[2].split()[:4])
        label = {"label": "supported", "quote": quote} if passed else {"label": "not_in_context", "quote": None}
        return {"claims": [{"id": id_, **label} for id_ in _ids(blocks["CLAIMS"])]}
    if "STATEMENTS" in blocks:
        quote = " ".join(blocks["ANSWER"].split()[:3])
        label = {"label": "made", "quote": quote} if passed else {"label": "absent", "quote": None}
        return {"statements": [{"id": id_, **label} for id_ in _ids(blocks["STATEMENTS"])]}
    names = request.body["tools"][0]["function"]["parameters"]["properties"]["label"]["enum"]
    return {"reason": "As learnt.", "label": names[0] if passed else names[-1]}


def _ids(numbered: str) -> list[str]:
    return [line.partition(":")[0] for line in numbered.splitlines()]


def serve() -> None:
    """Serves the models on the shipped set until it is interrupted; prints the address."""
    from primum.datasets.qualification import load_twins
    from primum.resources import shipped

    with FakeEndpoint(judge_models(load_twins(shipped("datasets") / "qualification"))) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    serve()

"""How fast the gates are, on short exchanges and on long answers.

    python bench/gates_speed.py [--exchanges 60] [--longest 1000000]

CPU times of one process, and beside each how many times a plain pass of one regular expression over the same texts that
is: only the ratios compare between machines. ``new``: five passages that nobody has read before for each question.
``run``: as in an evaluation, where passages recur; 250 passages, five for each of 224 questions, so that each is read
4.5 times on average. ``again``: the same exchanges a second time. Then answers of growing length, hostile ones too:
time for all gates, and how many times as long a character takes as in an answer of a hundredth of that length.
"""

import argparse
import random
import re
import sys
import time
from collections.abc import Iterable, Sequence

from gate_texts import LONG_TEXTS, PASSAGES, Writer
from primum.records import Answer, Answerability, AnswerKey, Exchange
from primum_safety import check

_YARDSTICK = re.compile(r"[A-Za-z]+|\d+(?:\.\d+)?")
_KEY = AnswerKey(answerability=Answerability.ANSWERABLE)
_CORPUS, _QUESTIONS = 250, 224


def main(argv: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exchanges", type=int, default=60, help="exchanges with passages of their own")
    parser.add_argument("--longest", type=int, default=1_000_000, help="characters of the longest answers; 0: none")
    options = parser.parse_args(argv)
    writer = Writer(20261130)
    seconds(_exchanges(writer, 5))  # what is read once a process
    new = _exchanges(writer, options.exchanges)
    corpus = [writer.passage(f"c{n}") for n in range(_CORPUS)]
    chosen = random.Random(1)  # noqa: S311 - which passages to measure with
    run = [writer.exchange(f"q{n}", chosen.sample(corpus, PASSAGES)) for n in range(_QUESTIONS)]
    for name, exchanges in (("new", new), ("run", run), ("again", new)):
        print(_rate(name, exchanges))
    if options.longest:
        _print_long(writer, options.longest)
    return 0


def _exchanges(writer: Writer, count: int) -> list[Exchange]:
    return [writer.exchange(f"n{n}", [writer.passage(f"n{n}-{at}") for at in range(PASSAGES)]) for n in range(count)]


def seconds(exchanges: Iterable[Exchange]) -> float:
    """CPU seconds of all gates on some exchanges."""
    started = time.process_time()
    for exchange in exchanges:
        check(exchange, _KEY)
    return time.process_time() - started


def _yardstick(exchanges: Sequence[Exchange]) -> float:
    texts = [text for e in exchanges for text in (*(p.text for p in e.context), e.answer.text if e.answer else "")]
    started = time.process_time()
    for _ in range(5):
        for text in texts:
            _YARDSTICK.findall(text)
    return (time.process_time() - started) / 5


def _rate(name: str, exchanges: Sequence[Exchange]) -> str:
    took = seconds(exchanges)
    each = f"{len(exchanges) / took:7.1f} exchanges a second a core, {took / len(exchanges) * 1000:6.2f} ms each"
    return f"{name:6s} {each}, {took / _yardstick(exchanges):6.1f} x the yardstick"


def _print_long(writer: Writer, longest: int) -> None:
    context = [writer.passage(f"l{at}") for at in range(PASSAGES)]
    asked = writer.exchange("long", context)
    print(
        f"\nanswers of {longest // 100:,} and {longest:,} characters: seconds, and time a character, longer to shorter"
    )
    for name, text_of in LONG_TEXTS.items():
        short, long = (
            seconds([asked.model_copy(update={"answer": Answer(text=text_of(size))})])
            for size in (longest // 100, longest)
        )
        print(f"{name:28s} {short:7.3f} {long:7.2f} {long / short / 100:6.2f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())

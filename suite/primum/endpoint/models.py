"""Whether the model that answered is the one that was asked."""

import re
from collections.abc import Collection
from typing import Final

# A dated snapshot or release of the same model: -2024-08-06, -20250514, -0613, -001, @20240620, :latest.
_SNAPSHOT: Final = re.compile(r"(?:[-@:]\d{4}-\d{2}-\d{2}|[-@]\d{8}|-\d{4}|-0\d{2}|:latest)(?:-preview)?")
_LATEST: Final = re.compile(r"[-:]latest$")


def same_model(requested: str, returned: str, accepted: Collection[str] = ()) -> bool:
    """Whether `returned` names the model `requested`, or a dated snapshot of it, or one of `accepted`.

    Provider prefixes and folders (``openai/``, ``models/``) do not count, nor does case. ``gpt-x-mini`` is not
    ``gpt-x``, and a returned ``model-5`` is not ``model``: only what reads as a date or a build number may follow.
    """
    if returned in accepted:
        return True
    asked, got = _stem(requested), _stem(returned)
    if asked == got:
        return True
    base = _LATEST.sub("", asked)
    return got.startswith(base) and (got == base or _SNAPSHOT.fullmatch(got[len(base) :]) is not None)


def same_family(first: str, second: str) -> bool:
    """Whether two models seem to be of one family, such as two sizes of one model: then one judges its own kind.

    A family is the first word of a model's name without provider and folder: ``gpt`` for ``openai/gpt-x-mini``.
    """
    families = [re.match(r"[a-z]+", _stem(name)) for name in (first, second)]
    return families[0] is not None and families[1] is not None and families[0].group() == families[1].group()


def _stem(name: str) -> str:
    return name.strip().lower().rstrip("/").rsplit("/", 1)[-1]

"""What a secret looks like: by the name that it stands under, or by itself."""

import re
from collections.abc import Callable
from typing import Final

REDACTED: Final = "[redacted]"

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SECRET_WORDS: Final = frozenset(
    {
        "key",
        "apikey",
        "token",
        "secret",
        "secrets",
        "password",
        "passwords",
        "passwd",
        "pwd",
        "passphrase",
        "passcode",
        "authorization",
        "auth",
        "oauth",
        "bearer",
        "jwt",
        "cookie",
        "cookies",
        "credential",
        "credentials",
        "headers",
    }
)
_SECRET_PLURALS: Final = frozenset({"keys", "tokens"})
_OF_SECRETS: Final = frozenset(
    {"api", "access", "auth", "bearer", "refresh", "secret", "session", "private", "service"}
)
"""Before a plural they make it one of secrets; ``max_tokens`` are none."""
_OF_NO_SECRETS: Final = frozenset({"max", "min", "stop", "pad", "eos", "bos", "cache", "sort"})
_TAIL: Final = frozenset({"value", "values", "string", "str", "text", "raw", "plain", "header"})
"""Says nothing at the end of a name: ``api_token_value``."""
_RUN_TOGETHER: Final = ("apikey", "accesskey", "secretkey", "accesstoken", "authtoken", "password", "passwd", "secret")

# Values that give themselves away whatever they are called.
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s\"'<>]+")
_URL_USER: Final = re.compile(r"(?<=://)[^/?#\s]+@")
_URL_QUERY: Final = re.compile(r"(?<=[?&;#])(?P<name>[^=&;#?]*)=(?P<value>[^&;#]*)")
_URL_BARE: Final = re.compile(r"(?<=[?&;])[^=&;#?]+(?=[&;#]|$)")
"""A part of a query without a name."""
_NAMED: Final = re.compile(r"(?<!\w)(?P<name>[A-Za-z][\w.-]{0,80})=(?P<value>[^\s&;,#\"'<>]+)")
_AUTHORIZATION: Final = re.compile(
    r"(?i)\b(authorization[\"']?\s*[:=]\s*[\"']?)((?:bearer|basic|token|apikey)\s+)?[^\s\"',]+"
)
_SCHEME: Final = re.compile(r"(?i)\b(bearer|basic)\s+(?=[A-Za-z0-9._~+/-]*[0-9=])[A-Za-z0-9._~+/-]{8,}=*")
_SHAPES: Final = re.compile(
    r"""(?<![A-Za-z0-9])(?:
      sk[_-](?:[A-Za-z0-9_-]{12,}|(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{6,})
    | (?:pk|rk|hf|gsk|xai|pplx|r8|npm|pypi|glpat|gh[opsur]|github_pat|xox[abprs])
      [_-](?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{12,}
    | (?:AKIA|ASIA)[0-9A-Z]{16}
    | AIza[A-Za-z0-9_-]{30,}
    | ya29\.[A-Za-z0-9_-]{12,}
    | eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*
    )
    | -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY-----(?:.*?-----END[ ][A-Z ]*PRIVATE[ ]KEY-----|.*)""",
    re.VERBOSE | re.DOTALL,
)
_QUERY_SECRETS: Final = frozenset({"sig", "signature", "code"})
_QUERY_HARMLESS: Final = frozenset({"version", "model", "deployment", "region", "format", "timeout"})


def is_secret_name(name: str) -> bool:
    """Whether something of this name holds a secret: ``api_key``, ``--api-key``, ``apiKey``, ``extra_headers``.

    The last word that says something decides, so that ``max_tokens`` and ``api_key_env`` (the name of a variable) stay
    readable.
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    while len(words) > 1 and (words[-1] in _TAIL or words[-1].isdigit()):
        words.pop()
    if not words:
        return False
    before = words[-2] if len(words) > 1 else ""
    if words[-1] in _SECRET_WORDS:
        return before not in _OF_NO_SECRETS
    if words[-1] in _SECRET_PLURALS:
        return before in _OF_SECRETS
    return "".join(words).endswith(_RUN_TOGETHER)


def redact_text(text: str) -> str:
    """The text without credentials and query values in URLs, authorization headers and keys of well-known shape.

    Of a query only values stay whose name says that they are harmless, such as ``api-version``.
    """
    return _redacted(text, lambda name: _last_word(name) not in _QUERY_HARMLESS)


def has_secret(text: str) -> bool:
    """Whether a text gives itself away as a secret or holds one; a query value does when its name is one of secrets."""
    return _redacted(text, lambda name: is_secret_name(name) or _last_word(name) in _QUERY_SECRETS) != text


def _redacted(text: str, hides: Callable[[str], bool]) -> str:
    def query(match: re.Match[str]) -> str:
        value = REDACTED if match["value"] and hides(match["name"]) else match["value"]
        return f"{match['name']}={value}"

    def url(match: re.Match[str]) -> str:
        address = _URL_USER.sub(f"{REDACTED}@", match[0])
        address = _URL_QUERY.sub(query, address)
        return _URL_BARE.sub(REDACTED, address) if hides("") else address

    def named(match: re.Match[str]) -> str:
        return f"{match['name']}={REDACTED}" if is_secret_name(match["name"]) else match[0]

    text = _SHAPES.sub(REDACTED, text)
    text = _URL.sub(url, text)
    text = _AUTHORIZATION.sub(rf"\1\2{REDACTED}", text)
    text = _SCHEME.sub(rf"\1 {REDACTED}", text)
    return _NAMED.sub(named, text)


def _last_word(name: str) -> str:
    words = _WORDS.findall(name)
    return words[-1].lower() if words else ""

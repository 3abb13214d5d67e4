"""What the fake endpoint is told to answer, and what it was asked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeRequest:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Mapping[str, Any]

    @property
    def system(self) -> str:
        """The text of the system messages."""
        return self._text("system")

    @property
    def user(self) -> str:
        """The text of the user messages."""
        return self._text("user")

    def _text(self, role: str) -> str:
        return "\n".join(str(m["content"]) for m in self.body.get("messages", ()) if m["role"] == role)


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeReply:
    """One reply. Give `data` for a reply in whatever form the request asks for a structure in, or `text`."""

    text: str | None = None
    data: Any = None
    """JSON data, sent as the arguments of the tool that the request names, else as JSON text."""
    arguments: str | None = None
    """Sent to the letter as the arguments of the tool, to make them malformed."""
    refusal: str | None = None
    finish_reason: str | None = None
    model: str | None = None
    """The model that claims to have answered; None for the one that was asked."""
    fingerprint: str | None = "fake"
    usage: tuple[int, int] | None = (100, 20)
    """Prompt and completion tokens; None to leave the count out."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None
    """Sent to the letter in place of all of the above."""
    fault: Literal["hang", "drip", "reset", "cut"] | None = None
    """hang: never answers. drip: a byte at a time. reset: drops the connection. cut: stops halfway through the body."""
    seconds: float = 0.0
    """Waits so long before it answers; for drip, between two bytes."""

    def payload(self, request: FakeRequest) -> bytes:
        """The body of the HTTP reply."""
        if self.body is not None:
            return self.body
        if self.status != 200:
            error = {"message": "scripted error", "type": "scripted", "code": f"scripted_{self.status}"}
            return json.dumps({"error": error}).encode()
        if request.path.endswith("/embeddings"):
            return json.dumps(self._embeddings(request)).encode()
        return json.dumps(self._completion(request)).encode()

    def _completion(self, request: FakeRequest) -> dict[str, Any]:
        tools: list[dict[str, Any]] = request.body.get("tools") or []
        arguments = self.arguments
        if arguments is None and self.data is not None and tools:
            arguments = json.dumps(self.data)
        text = self.text
        if text is None and self.data is not None and not tools:
            text = json.dumps(self.data)
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": self.refusal}
        if arguments is not None:
            name: str = tools[0]["function"]["name"] if tools else "unasked"
            call = {"id": "call_0", "type": "function", "function": {"name": name, "arguments": arguments}}
            message["tool_calls"] = [call]
        finish = self.finish_reason or ("tool_calls" if arguments is not None else "stop")
        return {
            "id": "fake",
            "object": "chat.completion",
            "created": 0,
            "model": self.model or request.body.get("model"),
            "system_fingerprint": self.fingerprint,
            "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
            "usage": self._usage(),
        }

    def _embeddings(self, request: FakeRequest) -> dict[str, Any]:
        """`data` as the vectors, or one short vector for each text, made of its length."""
        texts: list[str] = request.body.get("input") or []
        vectors: list[Any] = self.data if self.data is not None else [[float(len(text)), 1.0] for text in texts]
        rows = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        return {"object": "list", "model": request.body.get("model"), "data": rows, "usage": self._usage()}

    def _usage(self) -> dict[str, int] | None:
        if self.usage is None:
            return None
        prompt, completion = self.usage
        return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}

"""A call reaches the configured endpoint and nothing else."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import asyncio, sys
seen = set()

def watch(event, arguments):
    if event == "socket.connect":
        seen.add(f"connect {arguments[1][0]}")
    elif event == "socket.getaddrinfo" and arguments[0] != "127.0.0.1":
        seen.add(f"look up {arguments[0]}")
    elif event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        seen.add(f"write {arguments[0]}")

sys.addaudithook(watch)
from primum.endpoint import Endpoint, Message, complete
from primum.endpoint.embeddings import embed
from primum.records import Answer, AnswerKey, Exchange, Passage, Scope
from primum.testing import FakeEndpoint, FakeReply
from primum_judges import model_judges, shipped_rubrics

exchange = Exchange(
    id="o", question="?", scope=Scope(tenant="t"), answer=Answer(text="Zyxol: 5 mg."),
    context=(Passage(id="p", document_id="d", document_version="1", text="Zyxol: 5 mg."),),
)
data = {"claims": [{"id": "c1", "quote": "5 mg", "label": "supported"}]}
with FakeEndpoint(lambda request: FakeReply(data=data) if "tools" in request.body else FakeReply()) as server:
    endpoint = Endpoint(model="openai/fake", api_base=server.url)
    asyncio.run(complete(endpoint, [Message(role="user", content="hello")]))
    asyncio.run(embed(endpoint, ["hello"]))
    (judge,) = model_judges(endpoint, [shipped_rubrics()["faithfulness"]])
    print(asyncio.run(judge.judge(exchange, AnswerKey(), repetition=0)).status)
print(sorted(seen))
"""


def test_a_call_connects_to_its_endpoint_and_writes_no_file(tmp_path: Path) -> None:
    """No price map, no telemetry, no cache: watched from before the first import, in a process of its own."""
    command = [sys.executable, "-B", "-W", "error", "-c", PROGRAM]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["pass", "['connect 127.0.0.1']"]
    assert list(tmp_path.iterdir()) == []

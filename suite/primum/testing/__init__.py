"""Fakes for tests of your own parts: each does exactly what it is told, and keeps what it was asked.

- `FakeEndpoint`: an OpenAI-compatible server on the loopback interface, with scripted replies and faults.
- `ScriptedJudge`: gives the verdicts it was told.
- `ScriptedGenerator`: gives the answers it was told.
- `InMemoryRetriever`: ranks given passages by shared words, behind the same eligibility rule as every retriever.
"""

from primum.testing.fake_endpoint import FakeEndpoint
from primum.testing.fake_reply import FakeReply, FakeRequest
from primum.testing.in_memory_retriever import InMemoryRetriever
from primum.testing.scripted_generator import ScriptedGenerator
from primum.testing.scripted_judge import ScriptedJudge

__all__ = ["FakeEndpoint", "FakeReply", "FakeRequest", "InMemoryRetriever", "ScriptedGenerator", "ScriptedJudge"]

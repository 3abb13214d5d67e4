"""Every kind of retriever that a project can name, and the index behind it."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from primum.app import parts, retrieval
from primum.app.project import load_project
from primum.app.retrieval import Options, evaluate
from primum.corpus.build import build_index, drop_index
from primum.progress import Silent


class Other:
    """Another embedder than the one that the index was built with; of the same length."""

    fingerprint = "other@1"
    dimension = 384

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.ones((len(texts), self.dimension), dtype=np.float32)
        return np.asarray(vectors / np.linalg.norm(vectors[0]), dtype=np.float32)


class Disguised(Other):
    """The same behind the name of the right one."""

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint


@pytest.mark.parametrize("disguised", [False, True])
def test_an_index_of_another_embedder_is_refused(
    ward: Any, primum: Any, edit: Callable[[str, str], None], disguised: bool
) -> None:
    """By its fingerprint and, when that is the same, by the vectors of a sample; nothing is scored."""
    edit("{memory: true}", "{path: index}")
    edit("kind: bm25", "kind: dense")
    project = load_project(ward.config)
    place = parts.index_place(project, ward.folder / ".primum")
    right = parts.embedder(project)
    build_index(place, project.chunks, Disguised(right.fingerprint) if disguised else Other())
    code, said = primum("retrieval")
    assert code == 2
    assert "another embedder than the one that queries it" in said
    assert not (ward.folder / ".primum" / "retrieval.json").exists()
    assert primum("index")[0] == 0
    code, said = primum("retrieval")
    assert code == 0
    assert "verified    collection primum" in said


def broken(*_: object) -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize("fails", [False, True])
def test_a_throwaway_collection_is_gone_afterwards(
    ward: Any, edit: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """Also when the evaluation fails; the project's own collection is left alone."""
    edit("{memory: true}", "{path: index}")
    edit("kind: bm25", "kind: dense")
    project, output = load_project(ward.config), ward.folder / ".primum"
    place = parts.index_place(project, output)
    if fails:
        monkeypatch.setattr(retrieval, "summarise", broken)
        with pytest.raises(ZeroDivisionError):
            evaluate(project, output, Silent(), Options(throwaway="0123abcdef"))
    else:
        found = evaluate(project, output, Silent(), Options(throwaway="0123abcdef", diagnose=False))
        assert found.summary.verification is not None
        assert "primum-0123abcdef" in found.summary.verification.place
    own = place.model_copy(update={"collection": "primum-0123abcdef"})
    assert not drop_index(own)


RETRIEVERS = [
    "{kind: dense, limit: 4, min_score: 0.1}",
    "{kind: dense, limit: 4, search: {exact: false, hnsw_ef: 16}}",
    "{kind: sparse, limit: 4}",
    "{kind: fused, limit: 4}",
    "{kind: fused, limit: 4, fusion: {weights: [2, 1]}}",
    "{kind: fused, limit: 4, fusion: {method: dbsf}}",
    "{kind: bm25, limit: 4}",
    "{kind: jaccard, limit: 4}",
    "{kind: hybrid, limit: 4, weights: [1, 0.5]}",
    "{kind: bm25, limit: 4, rerank: {function: 'rerank_ward:rerank'}}",
]


@pytest.mark.parametrize("settings", RETRIEVERS)
def test_every_kind_of_retriever_can_be_named(
    ward: Any, primum: Any, edit: Callable[[str, str], None], settings: str
) -> None:
    """Each is evaluated, and says what it searched with."""
    shutil.copy(Path(__file__).parent / "rerank_ward.py", ward.folder)
    edit("{kind: bm25, limit: 4, context: 4}", settings)
    code, said = primum("retrieval")
    assert code == 0, said
    report = ward.written()
    assert report["search"]["kind"] in settings
    assert report["cases"]
    if "exact: false" in settings:
        assert report["search"]["search"] == {"exact": False, "hnsw_ef": 16}
        assert report["index_recall"]["slots"]["denominator"] > 0


LANGCHAIN = '''\
"""A retriever as LangChain has it."""

from types import SimpleNamespace


class Store:
    def __init__(self, limit):
        self.limit = limit

    async def ainvoke(self, question):
        found = SimpleNamespace(page_content="text", metadata={"source": "CHUNK", "score": 0.5})
        return [found][: self.limit]


def make(scope, limit):
    return Store(limit)
'''


def test_a_retriever_object_of_a_framework_can_be_named(
    ward: Any, primum: Any, edit: Callable[[str, str], None]
) -> None:
    """The metadata field that holds the chunk id is a setting."""
    module = f"langchain_{ward.folder.name}"
    (ward.folder / f"{module}.py").write_text(LANGCHAIN.replace("CHUNK", ward.chunk_of("5 mg by mouth")))
    settings = f"{{kind: callable, framework: langchain, function: '{module}:make', id_field: source, limit: 4}}"
    edit("{kind: bm25, limit: 4, context: 4}", settings)
    code, said = primum("retrieval")
    assert code == 0, said
    assert next(m["mean"] for m in ward.written()["overall"] if m["measure"] == "Hit@1") == pytest.approx(2 / 3)


def test_an_endpoint_that_cannot_be_reached_is_inconclusive(primum: Any, edit: Callable[[str, str], None]) -> None:
    """Nothing listens there; that is no miss."""
    edit("{kind: bm25, limit: 4, context: 4}", "{kind: http, url: 'http://127.0.0.1:9/search', limit: 4}")
    code, said = primum("retrieval")
    assert code == 3
    assert "only 0/4 cases have a ranking" in said
    assert "failed      unavailable: 4 cases" in said

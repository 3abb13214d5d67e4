"""The retrieval evaluation as a command, on a project small enough to run in a moment."""

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from numpy.typing import NDArray

from primum.app import parts
from primum.app.project import load_project
from primum.app.retrieval import Options, evaluate
from primum.cli import main
from primum.corpus.build import build_index, drop_index
from primum.report.retrieval_json import make_retrieval_schema, published_retrieval_schema

SEARCH = '''\
"""The retriever under test: hands on what a file says, or fails."""

import json
from pathlib import Path


def search(question, scope, limit):
    return list(json.loads(Path(__file__).with_name("rankings.json").read_text())[question])
'''
DRAFT = """\
---
id: draft-lumaxolol
version: "{version}"
title: Lumaxolol
type: monograph
state: {state}
tenant: {tenant}
---
Adults take lumaxolol 500 mg.
"""
OURS = "retrieval: {kind: callable, function: 'SEARCH:search', limit: 4, context: 2}"


class Command:
    """Runs a command in this process."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main([*arguments, "-c", str(self.folder / "primum.yaml")])
        said = self.capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, said.out + said.err


@pytest.fixture
def primum(ward: Any, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(ward.folder, capsys)


@pytest.fixture
def ours(ward: Any, edit: Callable[[str, str], None]) -> Callable[..., None]:
    """Makes the retriever a function that returns what is given: a list of chunk ids, or None for a failure."""
    module = f"search_{ward.folder.name}"  # modules are kept by name
    (ward.folder / f"{module}.py").write_text(SEARCH)

    def write(**rankings: Sequence[str] | None) -> None:
        questions = {case["family"].replace("-", "_"): case["question"] for case in read_cases(ward.folder)}
        found = {question: rankings.get(family, []) for family, question in questions.items()}
        (ward.folder / "rankings.json").write_text(json.dumps(found))

    edit("retrieval: {kind: bm25, limit: 4, context: 4}", OURS.replace("SEARCH", module))
    return write


def read_cases(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]


def add_document(folder: Path, state: str = "published", tenant: str = "shared") -> None:
    text = DRAFT.format(version="1", state=state, tenant=tenant)
    (folder / "documents" / "draft-lumaxolol.md").write_text(text)


def chunk_of(folder: Path, words: str) -> str:
    return next(chunk.id for chunk in load_project(folder / "primum.yaml").chunks if words in chunk.text)


def written(folder: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((folder / ".primum" / "retrieval.json").read_text())
    return report


def test_retrieval_runs_alone(ward: Any, primum: Command) -> None:
    """No answer is asked for, nothing is stored, and the report keeps to its published schema."""
    code, said = primum("retrieval")
    assert code == 0
    assert said.startswith("PASS retrieval: nothing forbidden")
    assert ward.asked == []
    assert not (ward.folder / ".primum" / "runs.sqlite").exists()
    report = written(ward.folder)
    jsonschema.validate(report, published_retrieval_schema())
    assert (ward.folder / ".primum" / "retrieval.md").read_text().startswith("## PASS retrieval")


def test_the_shipped_schema_is_that_of_the_records() -> None:
    """After a change: python -m primum.report.retrieval_json > suite/primum/report/schemas/retrieval.schema.json."""
    assert published_retrieval_schema() == make_retrieval_schema()


@pytest.mark.parametrize(
    ("state", "tenant", "words", "kind"),
    [
        ("published", "shared", "Ida Berg", "other_patient"),
        ("published", "south", "500 mg", "other_tenant"),
        ("draft", "shared", "500 mg", "unpublished"),
        ("superseded", "shared", "500 mg", "superseded"),
    ],
)
def test_one_forbidden_chunk_blocks_whatever_the_measures_say(
    ward: Any, primum: Command, ours: Callable[..., None], state: str, tenant: str, words: str, kind: str
) -> None:
    """Last of a ranking that is perfect otherwise; no label names it, and its text is not shown."""
    add_document(ward.folder, state, tenant)
    dose, asthma = chunk_of(ward.folder, "5 mg by mouth"), chunk_of(ward.folder, "asthma")
    leak = chunk_of(ward.folder, words)
    ours(adult_dose=[dose, asthma, leak], asthma=[asthma], berg_dose=[dose])
    code, said = primum("retrieval", "--no-diagnose")
    assert code == 1
    assert "BLOCK retrieval: forbidden chunks in 1/5 results of 1/4 cases" in said
    report = written(ward.folder)
    assert report["forbidden"]["found"] == [
        {"case_id": "adult-dose/a", "rank": 3, "chunk_id": leak, "kinds": [kind]},
    ]
    means = {result["measure"]: result["mean"] for result in report["overall"]}
    assert (means["nDCG(gain=exp)@3"], means["Recall@3"]) == (1, 1)
    assert means["forbidden@3"] == pytest.approx(1 / 3)
    assert means["forbidden@1"] == 0
    assert (ward.folder / ".primum" / "retrieval.json").read_text().find("10 mg by mouth once daily") == -1


def test_a_failure_is_inconclusive_and_named(ward: Any, primum: Command, ours: Callable[..., None]) -> None:
    """One of four questions is not retrieved for; its trace is not shown."""
    dose, asthma = chunk_of(ward.folder, "5 mg by mouth"), chunk_of(ward.folder, "asthma")
    ours(adult_dose=None, asthma=[asthma], berg_dose=[dose])
    code, said = primum("retrieval", "--no-diagnose")
    assert code == 3
    assert "INCONCLUSIVE retrieval: only 3/4 cases have a ranking" in said
    assert "MISS adult-dose/a (serious): What is the adult dose of lumaxolol?" in said


def test_a_ranking_that_cannot_be_scored_is_an_error(ward: Any, primum: Command, ours: Callable[..., None]) -> None:
    """A chunk twice is no miss."""
    dose = chunk_of(ward.folder, "5 mg by mouth")
    ours(adult_dose=[dose, dose])
    code, said = primum("retrieval")
    assert code == 2
    assert "adult-dose/a" in said
    assert "second time" in said


def test_the_baseline_holds_until_retrieval_falls(ward: Any, primum: Command, ours: Callable[..., None]) -> None:
    """Made, equal, fallen and refused, accepted when that is meant; a forbidden chunk is accepted by nothing."""
    config = ward.folder / "primum.yaml"
    config.write_text(config.read_text().replace("limit: 4,", "baseline: accepted.json, limit: 4,"))
    dose, asthma = chunk_of(ward.folder, "5 mg by mouth"), chunk_of(ward.folder, "asthma")
    path = ward.folder / "accepted.json"
    ours(adult_dose=[dose], asthma=[asthma], berg_dose=[dose])
    code, said = primum("retrieval")
    assert (code, "write it with: primum baseline update --retrieval" in said) == (2, True)
    assert primum("baseline", "update", "--retrieval")[0] == 0
    accepted = path.read_bytes()
    code, said = primum("retrieval", "--no-diagnose")
    assert (code, "4 cases compared, 0 new, 0 missing, 0 changed; differs in: nothing" in said) == (0, True)

    ours(adult_dose=[asthma, dose], asthma=[asthma], berg_dose=[dose])
    code, said = primum("retrieval", "--no-diagnose")
    assert code == 1
    assert "worse than the baseline by more than 0.03: P@1 1.000 to 0.667" in said
    code, said = primum("baseline", "update", "--retrieval")
    assert (code, path.read_bytes() == accepted) == (2, True)
    assert "repeat with --accept-regressions" in said
    assert "adult-dose" in said  # the family that fell
    assert primum("baseline", "update", "--retrieval", "--accept-regressions")[0] == 0
    assert path.read_bytes() != accepted

    accepted = path.read_bytes()
    ours(adult_dose=[dose, chunk_of(ward.folder, "Ida Berg")], asthma=[asthma], berg_dose=[dose])
    code, said = primum("baseline", "update", "--retrieval", "--accept-regressions")
    assert (code, path.read_bytes() == accepted) == (2, True)
    assert "no option accepts this" in said


def test_a_baseline_that_was_edited_is_refused(ward: Any, primum: Command) -> None:
    """It bears a digest of its content."""
    config = ward.folder / "primum.yaml"
    config.write_text(config.read_text().replace("limit: 4,", "baseline: accepted.json, limit: 4,"))
    assert primum("baseline", "update", "--retrieval")[0] == 0
    path = ward.folder / "accepted.json"
    first = path.read_bytes()
    assert primum("baseline", "update", "--retrieval")[0] == 0
    assert path.read_bytes() == first
    path.write_text(path.read_text().replace("1.0", "0.0", 1))
    code, said = primum("retrieval")
    assert (code, "was changed by hand" in said) == (2, True)


def test_a_case_that_was_removed_does_not_pass(ward: Any, primum: Command) -> None:
    """Leaving out what is hard is no improvement."""
    config = ward.folder / "primum.yaml"
    config.write_text(config.read_text().replace("limit: 4,", "baseline: accepted.json, limit: 4,"))
    assert primum("baseline", "update", "--retrieval")[0] == 0
    cases = (ward.folder / "cases.jsonl").read_text().splitlines(keepends=True)
    (ward.folder / "cases.jsonl").write_text("".join(cases[1:]))
    code, said = primum("retrieval")
    assert (code, "1 missing now (adult-dose/a)" in said) == (3, True)


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
    ward: Any, primum: Command, edit: Callable[[str, str], None], disguised: bool
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
    from primum.app import retrieval
    from primum.progress import Silent

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
    ward: Any, primum: Command, edit: Callable[[str, str], None], settings: str
) -> None:
    """Each is evaluated, and says what it searched with."""
    shutil.copy(Path(__file__).parent / "rerank_ward.py", ward.folder)
    edit("{kind: bm25, limit: 4, context: 4}", settings)
    code, said = primum("retrieval")
    assert code == 0, said
    report = written(ward.folder)
    assert report["search"]["kind"] in settings
    assert report["cases"]
    if "exact: false" in settings:
        assert report["search"]["search"] == {"exact": False, "hnsw_ef": 16}
        assert report["index_recall"]["slots"]["denominator"] > 0


def test_recorded_rankings_give_the_same_measures(ward: Any, primum: Command, edit: Callable[[str, str], None]) -> None:
    """What was exported as a TREC run is read again, alone with its qrels and as the retriever of the project."""
    run, qrels = ward.folder / "run.txt", ward.folder / "qrels.txt"
    assert primum("retrieval", "--write-run", str(run), "--write-qrels", str(qrels))[0] == 0
    first = written(ward.folder)
    edit("{kind: bm25, limit: 4, context: 4}", "{kind: recorded, format: trec, path: run.txt, limit: 4}")
    cases = [case for case in read_cases(ward.folder) if case["answerability"] == "answerable"]
    (ward.folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    assert primum("retrieval")[0] == 0
    again = written(ward.folder)
    assert [r["mean"] for r in again["overall"]] == [r["mean"] for r in first["overall"]]


def test_a_run_begins_with_the_same_evaluation(ward: Any, primum: Command, edit: Callable[[str, str], None]) -> None:
    """What `primum retrieval` measures stands in the report of the run, and the accepted retrieval holds there too."""
    edit("limit: 4,", "baseline: accepted.json, limit: 4,")
    assert primum("run")[0] == 2  # told before anything is asked
    assert ward.asked == []
    assert primum("baseline", "update", "--retrieval")[0] == 0
    assert primum("retrieval", "--no-diagnose")[0] == 0
    primum("run")
    report = json.loads((ward.folder / ".primum" / "report.json").read_text())["retrieval"]
    alone = written(ward.folder)
    for part in (
        "overall",
        "by_kind",
        "by_family",
        "forbidden",
        "ties",
        "misses",
        "sweep",
        "fate",
        "basis",
        "comparison",
    ):
        assert report[part] == alone[part], part


@pytest.mark.parametrize("state", ["draft", "superseded"])
def test_what_is_not_published_blocks_a_run_too(
    ward: Any, primum: Command, ours: Callable[..., None], state: str
) -> None:
    """The isolation gate speaks of other patients and tenants, the decision of the rest."""
    add_document(ward.folder, state)
    dose, asthma = chunk_of(ward.folder, "5 mg by mouth"), chunk_of(ward.folder, "asthma")
    ours(adult_dose=[dose, asthma, chunk_of(ward.folder, "500 mg")], asthma=[asthma], berg_dose=[dose])
    code, said = primum("run")
    assert code == 1
    assert "unpublished or superseded chunks in 1 ranking, first ours/adult-dose/a/0" in " ".join(said.split())


def test_a_retriever_that_fell_blocks_a_run(ward: Any, primum: Command, ours: Callable[..., None]) -> None:
    """Whatever the answers are like."""
    config = ward.folder / "primum.yaml"
    config.write_text(config.read_text().replace("limit: 4,", "baseline: accepted.json, limit: 4,"))
    dose, asthma = chunk_of(ward.folder, "5 mg by mouth"), chunk_of(ward.folder, "asthma")
    ours(adult_dose=[dose], asthma=[asthma], berg_dose=[dose])
    assert primum("baseline", "update", "--retrieval")[0] == 0
    ours(adult_dose=[asthma, dose], asthma=[asthma], berg_dose=[dose])
    code, said = primum("run")
    assert code == 1
    assert "worse than the baseline by more than 0.03" in " ".join(said.split())


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
    ward: Any, primum: Command, edit: Callable[[str, str], None]
) -> None:
    """The metadata field that holds the chunk id is a setting."""
    module = f"langchain_{ward.folder.name}"
    (ward.folder / f"{module}.py").write_text(LANGCHAIN.replace("CHUNK", chunk_of(ward.folder, "5 mg by mouth")))
    settings = f"{{kind: callable, framework: langchain, function: '{module}:make', id_field: source, limit: 4}}"
    edit("{kind: bm25, limit: 4, context: 4}", settings)
    code, said = primum("retrieval")
    assert code == 0, said
    assert next(m["mean"] for m in written(ward.folder)["overall"] if m["measure"] == "Hit@1") == pytest.approx(2 / 3)


def test_an_endpoint_that_cannot_be_reached_is_inconclusive(primum: Command, edit: Callable[[str, str], None]) -> None:
    """Nothing listens there; that is no miss."""
    edit("{kind: bm25, limit: 4, context: 4}", "{kind: http, url: 'http://127.0.0.1:9/search', limit: 4}")
    code, said = primum("retrieval")
    assert code == 3
    assert "only 0/4 cases have a ranking" in said
    assert "failed      unavailable: 4 cases" in said

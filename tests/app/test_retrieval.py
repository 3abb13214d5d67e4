"""The retrieval evaluation as a command, on a project small enough to run in a moment."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from primum.report.retrieval_json import make_retrieval_schema, published_retrieval_schema


def test_retrieval_runs_alone(ward: Any, primum: Any) -> None:
    """No answer is asked for, nothing is stored, and the report keeps to its published schema."""
    code, said = primum("retrieval")
    assert code == 0
    assert said.startswith("PASS retrieval: nothing forbidden")
    assert ward.asked == []
    assert not (ward.folder / ".primum" / "runs.sqlite").exists()
    report = ward.written()
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
    ward: Any, primum: Any, ours: Callable[..., None], state: str, tenant: str, words: str, kind: str
) -> None:
    """Last of a ranking that is perfect otherwise; no label names it, and its text is not shown."""
    ward.add_document(state, tenant)
    dose, asthma = ward.chunk_of("5 mg by mouth"), ward.chunk_of("asthma")
    leak = ward.chunk_of(words)
    ours(adult_dose=[dose, asthma, leak], asthma=[asthma], berg_dose=[dose])
    code, said = primum("retrieval", "--no-diagnose")
    assert code == 1
    assert "BLOCK retrieval: forbidden chunks in 1/5 results of 1/4 cases" in said
    report = ward.written()
    assert report["forbidden"]["found"] == [
        {"case_id": "adult-dose/a", "rank": 3, "chunk_id": leak, "kinds": [kind]},
    ]
    means = {result["measure"]: result["mean"] for result in report["overall"]}
    assert (means["nDCG(gain=exp)@3"], means["Recall@3"]) == (1, 1)
    assert means["forbidden@3"] == pytest.approx(1 / 3)
    assert means["forbidden@1"] == 0
    assert (ward.folder / ".primum" / "retrieval.json").read_text().find("10 mg by mouth once daily") == -1


def test_a_failure_is_inconclusive_and_named(ward: Any, primum: Any, ours: Callable[..., None]) -> None:
    """One of four questions is not retrieved for; its trace is not shown."""
    dose, asthma = ward.chunk_of("5 mg by mouth"), ward.chunk_of("asthma")
    ours(adult_dose=None, asthma=[asthma], berg_dose=[dose])
    code, said = primum("retrieval", "--no-diagnose")
    assert code == 3
    assert "INCONCLUSIVE retrieval: only 3/4 cases have a ranking" in said
    assert "MISS adult-dose/a (serious): What is the adult dose of lumaxolol?" in said


def test_a_ranking_that_cannot_be_scored_is_an_error(ward: Any, primum: Any, ours: Callable[..., None]) -> None:
    """A chunk twice is no miss."""
    dose = ward.chunk_of("5 mg by mouth")
    ours(adult_dose=[dose, dose])
    code, said = primum("retrieval")
    assert code == 2
    assert "adult-dose/a" in said
    assert "second time" in said


def test_the_baseline_holds_until_retrieval_falls(ward: Any, primum: Any, ours: Callable[..., None]) -> None:
    """Made, equal, fallen and refused, accepted when that is meant; a forbidden chunk is accepted by nothing."""
    config = ward.folder / "primum.yaml"
    config.write_text(config.read_text().replace("limit: 4,", "baseline: accepted.json, limit: 4,"))
    dose, asthma = ward.chunk_of("5 mg by mouth"), ward.chunk_of("asthma")
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
    ours(adult_dose=[dose, ward.chunk_of("Ida Berg")], asthma=[asthma], berg_dose=[dose])
    code, said = primum("baseline", "update", "--retrieval", "--accept-regressions")
    assert (code, path.read_bytes() == accepted) == (2, True)
    assert "no option accepts this" in said


def test_a_baseline_that_was_edited_is_refused(ward: Any, primum: Any) -> None:
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


def test_a_case_that_was_removed_does_not_pass(ward: Any, primum: Any) -> None:
    """Leaving out what is hard is no improvement."""
    config = ward.folder / "primum.yaml"
    config.write_text(config.read_text().replace("limit: 4,", "baseline: accepted.json, limit: 4,"))
    assert primum("baseline", "update", "--retrieval")[0] == 0
    cases = (ward.folder / "cases.jsonl").read_text().splitlines(keepends=True)
    (ward.folder / "cases.jsonl").write_text("".join(cases[1:]))
    code, said = primum("retrieval")
    assert (code, "1 missing now (adult-dose/a)" in said) == (3, True)


def test_recorded_rankings_give_the_same_measures(ward: Any, primum: Any, edit: Callable[[str, str], None]) -> None:
    """What was exported as a TREC run is read again, alone with its qrels and as the retriever of the project."""
    run, qrels = ward.folder / "run.txt", ward.folder / "qrels.txt"
    assert primum("retrieval", "--write-run", str(run), "--write-qrels", str(qrels))[0] == 0
    first = ward.written()
    edit("{kind: bm25, limit: 4, context: 4}", "{kind: recorded, format: trec, path: run.txt, limit: 4}")
    cases = [case for case in ward.cases() if case["answerability"] == "answerable"]
    (ward.folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    assert primum("retrieval")[0] == 0
    again = ward.written()
    assert [r["mean"] for r in again["overall"]] == [r["mean"] for r in first["overall"]]


def test_a_run_begins_with_the_same_evaluation(ward: Any, primum: Any, edit: Callable[[str, str], None]) -> None:
    """What `primum retrieval` measures stands in the report of the run, and the accepted retrieval holds there too."""
    edit("limit: 4,", "baseline: accepted.json, limit: 4,")
    assert primum("run")[0] == 2  # told before anything is asked
    assert ward.asked == []
    assert primum("baseline", "update", "--retrieval")[0] == 0
    assert primum("retrieval", "--no-diagnose")[0] == 0
    primum("run")
    report = json.loads((ward.folder / ".primum" / "report.json").read_text())["retrieval"]
    alone = ward.written()
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
def test_what_is_not_published_blocks_a_run_too(ward: Any, primum: Any, ours: Callable[..., None], state: str) -> None:
    """The isolation gate speaks of other patients and tenants, the decision of the rest."""
    ward.add_document(state)
    dose, asthma = ward.chunk_of("5 mg by mouth"), ward.chunk_of("asthma")
    ours(adult_dose=[dose, asthma, ward.chunk_of("500 mg")], asthma=[asthma], berg_dose=[dose])
    code, said = primum("run")
    assert code == 1
    assert "unpublished or superseded chunks in 1 ranking, first ours/adult-dose/a/0" in " ".join(said.split())


def test_a_retriever_that_fell_blocks_a_run(ward: Any, primum: Any, ours: Callable[..., None]) -> None:
    """Whatever the answers are like."""
    config = ward.folder / "primum.yaml"
    config.write_text(config.read_text().replace("limit: 4,", "baseline: accepted.json, limit: 4,"))
    dose, asthma = ward.chunk_of("5 mg by mouth"), ward.chunk_of("asthma")
    ours(adult_dose=[dose], asthma=[asthma], berg_dose=[dose])
    assert primum("baseline", "update", "--retrieval")[0] == 0
    ours(adult_dose=[asthma, dose], asthma=[asthma], berg_dose=[dose])
    code, said = primum("run")
    assert code == 1
    assert "worse than the baseline by more than 0.03" in " ".join(said.split())

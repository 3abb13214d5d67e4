"""Datasets: documents, cases, patients and recorded answers, read strictly and checked as a whole."""

from primum.datasets.answers import AnswerDefect, PassageRef, RecordedAnswer
from primum.datasets.info import DatasetInfo
from primum.datasets.jsonl import Line
from primum.datasets.labelled import LabelledExchange, labelled_exchanges
from primum.datasets.labels import CaseJudgments, resolve, resolve_passages
from primum.datasets.load import Dataset, load_dataset, load_recorded_answers, read_recorded_answers
from primum.datasets.patient import Patient
from primum.datasets.problems import Problem, ProblemSeverity
from primum.datasets.qualification import JudgeTwin, load_twins
from primum.datasets.quotes import ChunkFinder
from primum.datasets.roles import RoleEntry
from primum.datasets.validate import validate_dataset

__all__ = [
    "AnswerDefect",
    "CaseJudgments",
    "ChunkFinder",
    "Dataset",
    "DatasetInfo",
    "JudgeTwin",
    "LabelledExchange",
    "Line",
    "PassageRef",
    "Patient",
    "Problem",
    "ProblemSeverity",
    "RecordedAnswer",
    "RoleEntry",
    "labelled_exchanges",
    "load_dataset",
    "load_recorded_answers",
    "load_twins",
    "read_recorded_answers",
    "resolve",
    "resolve_passages",
    "validate_dataset",
]

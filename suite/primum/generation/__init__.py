"""Generators: what turns a question and passages into an answer."""

from primum.generation.callable import CallableGenerator
from primum.generation.chat import ChatGenerator
from primum.generation.extractive import ExtractiveGenerator, ExtractiveSettings
from primum.generation.recorded import Recorded, RecordedGenerator
from primum.generation.sentences import ABSTENTION, DISCLAIMER

__all__ = [
    "ABSTENTION",
    "DISCLAIMER",
    "CallableGenerator",
    "ChatGenerator",
    "ExtractiveGenerator",
    "ExtractiveSettings",
    "Recorded",
    "RecordedGenerator",
]

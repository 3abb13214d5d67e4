"""The one way to a model: chat completions and embeddings, with failures as values.

Importing this package loads no client; the first call does.
"""

from primum.endpoint.chat import complete
from primum.endpoint.embeddings import embed
from primum.endpoint.records import Completion, Endpoint, Message

__all__ = ["Completion", "Endpoint", "Message", "complete", "embed"]

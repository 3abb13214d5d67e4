"""The one way to a model, with failures as values. Embeddings are in `primum.endpoint.embeddings`.

Importing this package loads no client; the first call does.
"""

from primum.endpoint.chat import complete
from primum.endpoint.records import Completion, Endpoint, Message

__all__ = ["Completion", "Endpoint", "Message", "complete"]

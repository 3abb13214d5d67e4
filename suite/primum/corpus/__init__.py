"""From documents to a verified index. Whatever needs Qdrant is in `primum.corpus.build` and `primum.corpus.open`."""

from primum.corpus.index import (
    FusionSettings,
    IndexInfo,
    IndexManifest,
    QdrantSettings,
    SearchSettings,
    embedding_text,
)

__all__ = ["FusionSettings", "IndexInfo", "IndexManifest", "QdrantSettings", "SearchSettings", "embedding_text"]

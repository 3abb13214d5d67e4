"""From documents to a verified index. Whatever needs Qdrant is in `primum.corpus.build` and `primum.corpus.open`."""

from primum.corpus.index import IndexInfo, IndexManifest, QdrantSettings, SearchSettings, embedding_text

__all__ = ["IndexInfo", "IndexManifest", "QdrantSettings", "SearchSettings", "embedding_text"]

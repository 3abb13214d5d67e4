"""A build that is killed leaves nothing that reads as an index."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from primum.corpus.build import build_index
from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.corpus.index import QdrantSettings
from primum.corpus.open import open_index
from primum.errors import IndexMismatchError
from primum.records import Chunk

SCRIPT = """
import json, sys, time
from pathlib import Path
from primum.corpus.build import build_index
from primum.corpus.embedders.minilm import MiniLMEmbedder
from primum.corpus.index import QdrantSettings
from primum.records import Chunk

def wait(done, total):
    print(done, flush=True)
    time.sleep(60)

chunks = [Chunk.model_validate(each) for each in json.loads(Path(sys.argv[2]).read_text())]
build_index(QdrantSettings(path=Path(sys.argv[1])), chunks, MiniLMEmbedder(), progress=wait)
"""


def test_a_killed_build_is_refused_and_its_lock_is_gone(
    chunks: Sequence[Chunk], embedder: MiniLMEmbedder, tmp_path: Path
) -> None:
    """After SIGKILL the folder can be opened, says that it is incomplete, and can be built again."""
    (tmp_path / "chunks.json").write_text("[" + ",".join(chunk.model_dump_json() for chunk in chunks) + "]")
    at = QdrantSettings(path=tmp_path / "index")
    command = [sys.executable, "-c", SCRIPT, str(at.path), str(tmp_path / "chunks.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "5"
        process.kill()
    with pytest.raises(IndexMismatchError, match="incomplete"):
        open_index(at, embedder, chunks)
    assert not build_index(at, chunks, embedder, reuse=True).reused
    open_index(at, embedder, chunks).close()

"""The page in a real browser: it fits, runs nothing and asks for nothing."""

import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from primum.records.summary import RunReport
from primum.report import render_html

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
HOSTILE = (
    "<script>top.document.title='ran'</script><img src=/leak onerror=\"top.document.title='ran'\">"
    "<link rel=stylesheet href=/leak><svg/onload=\"top.document.title='ran'\">" + "W" * 300 + " words" * 60
)
# The outer page holds the report in a frame of a given width, unfolds it, and writes down what it measures.
OUTER = """<!doctype html><title>waiting</title>
<iframe id="f" src="/report" style="width:%dpx;height:800px;border:0"></iframe>
<script>f.onload = () => {
  const page = f.contentDocument;
  page.querySelectorAll("details").forEach((entry) => { entry.open = true; });
  const root = page.documentElement;
  const style = f.contentWindow.getComputedStyle(page.querySelector("h1"));
  if (document.title == "waiting")
    document.title = ["fits", root.scrollWidth - root.clientWidth, page.scripts.length, style.fontWeight].join(" ");
}</script>"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="needs Chromium; on Debian: apt-get install chromium"),
]


@contextmanager
def _served(pages: dict[str, str]) -> Generator[tuple[str, list[str]]]:
    """Serves pages over loopback; yields the address and the paths that were asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = pages.get(self.path, "").encode()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
            """Keeps quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _opened(address: str, profile: Path) -> str:
    """The document after the browser has run it."""
    command = [BROWSER or "", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    options = [f"--user-data-dir={profile}", "--virtual-time-budget=5000", "--dump-dom", address]
    return subprocess.run([*command, *options], capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("added", ["", HOSTILE], ids=["plain", "hostile"])
def test_the_page_fits_and_neither_runs_nor_loads_anything(
    width: int, added: str, make: Callable[..., RunReport], tmp_path: Path
) -> None:
    """Unfolded, it has no sideways scroll; no script of any text runs; nothing but the page itself is asked for."""
    with _served({"/": OUTER % width, "/report": render_html(make(added))}) as (address, asked):
        title = re.search(r"<title>(.*?)</title>", _opened(address + "/", tmp_path))
    assert title is not None
    assert title.group(1) == "fits 0 0 600"
    assert set(asked) - {"/favicon.ico"} == {"/", "/report"}

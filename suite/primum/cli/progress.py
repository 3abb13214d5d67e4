"""Progress on standard error: bars on a terminal, a line per stage elsewhere."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress


class ConsoleProgress:
    """Shows each stage on a console."""

    def __init__(self, console: Console) -> None:
        self._console = console

    @contextmanager
    def track(self, label: str, total: int) -> Generator[Callable[[int], None]]:
        """A bar that goes away when the stage is done, or a line when nobody watches."""
        if not self._console.is_terminal:
            self._console.print(f"{label}: {total}", markup=False, highlight=False)
            yield lambda _: None
            return
        columns = (
            TextColumn("{task.description:<28}", markup=False),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        with RichProgress(*columns, console=self._console, transient=True) as bar:
            task = bar.add_task(label, total=total)
            yield lambda done: bar.advance(task, done)

"""The notebook: its cells run in order, in a loop as a notebook's do, and what they end with can be shown."""

import ast
import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from affordance.datasets import Dataset

NOTEBOOK = Path(__file__).parents[2] / "examples" / "first-look.ipynb"


def shown(source: str, namespace: dict[str, Any]) -> Any:
    """What a cell shows: the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, str(NOTEBOOK), "exec"), namespace)
    value = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
    return None if value is None else eval(compile(value, str(NOTEBOOK), "eval"), namespace)  # noqa: S307  # our own file


async def run_cells(sources: list[str]) -> list[Any]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    return [shown(source, namespace) for source in sources]


def test_the_cells_run_in_order(
    primitives: Dataset, tmp_path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFORDANCE_CACHE", str(shared / "cache"))
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    tasks, data, report, comparison, record, foreseen, chosen, page = asyncio.run(
        run_cells(["".join(cell["source"]) for cell in cells])
    )
    assert "behavior/choice" in tasks
    assert repr(data).startswith("<demo: ")
    assert {row.model for row in report} == {"baseline:first", "baseline:random"}
    for one in (report, comparison, chosen):
        assert "<table" in one._repr_html_()
    assert record["task"] == "behavior/choice"
    assert foreseen[0].asks == 36
    assert (tmp_path / page).is_file()

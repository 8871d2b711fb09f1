#!/usr/bin/env python3
"""Draws small faults in the source, by a seed, to see whether tests notice them.

    scripts/mutate.py --seed 1 --count 20            lists them
    scripts/mutate.py --seed 1 --apply 7             writes the seventh into the working tree (undo: git checkout)

Four kinds: a comparison turned, a constant changed, an order reversed, an error swallowed.
"""

import argparse
import ast
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTS = ("stats", "grounding", "run", "ledger", "studio/static/js")  # below src/affordance
KINDS = ("comparison", "constant", "order", "error")
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "==="}
# Comments and texts of JavaScript.
NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`", re.DOTALL)
JS_PATTERNS = {
    "comparison": re.compile(r"(?<=\s)(===|!==|<=|>=|<|>)(?=\s)"),
    "constant": re.compile(r"(?<![\w.#\"'-])\d+(?:\.\d+)?(?![\w.\"'%])"),
    "order": re.compile(r"\b([a-z]\w*(?:\.\w+)?) - ([a-z]\w*(?:\.\w+)?)\b"),
    "error": re.compile(r"\bthrow [^;]*;"),
}


@dataclass(frozen=True)
class Fault:
    kind: str
    path: Path
    start: int  # in the file's text
    before: str
    after: str

    def __str__(self) -> str:
        line = self.path.read_text("utf-8").count("\n", 0, self.start) + 1
        change = " ".join(f"{self.before!r} -> {self.after!r}".split())
        return f"{self.kind:10} {self.path.relative_to(ROOT)}:{line}  {change}"

    def apply(self) -> None:
        text = self.path.read_text("utf-8")
        self.path.write_text(text[: self.start] + self.after + text[self.start + len(self.before) :], "utf-8")


def python_faults(path: Path) -> Iterator[Fault]:
    text = path.read_text("utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    data = text.encode()

    def position(line: int, column: int) -> int:
        return len(data[: starts[line - 1] + column].decode())

    def found(kind: str, node: ast.AST, after: str) -> Fault:
        start = position(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        return Fault(kind, path, start, ast.get_source_segment(text, node) or "", after)

    def code(node: ast.AST) -> str:
        return ast.get_source_segment(text, node) or ""

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = code(node.left), code(node.comparators[0])
            between = code(node)[len(left) : len(code(node)) - len(right)].strip()
            if between in COMPARISONS:
                yield found("comparison", node, f"{left} {COMPARISONS[between]} {right}")
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
            value = node.value
            yield found("constant", node, str(not value) if isinstance(value, bool) else repr(value + 1))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sorted":
            if len(node.args) == 1:
                yield found("order", node, f"list(reversed({code(node)}))")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Div):
            sign = "-" if isinstance(node.op, ast.Sub) else "/"
            yield found("order", node, f"({code(node.right)}) {sign} ({code(node.left)})")
        elif isinstance(node, ast.Raise) and node.exc is not None:
            yield found("error", node, "pass")


def script_faults(path: Path) -> Iterator[Fault]:
    text = path.read_text("utf-8")
    bare = NOT_CODE.sub(lambda m: " " * len(m[0]), text)
    for kind, pattern in JS_PATTERNS.items():
        for match in pattern.finditer(bare):
            before = text[match.start() : match.end()]
            after = {
                "comparison": lambda m: COMPARISONS[m[0]],
                "constant": lambda m: str(float(m[0]) + 1) if "." in m[0] else str(int(m[0]) + 1),
                "order": lambda m: f"{m[2]} - {m[1]}",
                "error": lambda m: ";",
            }[kind](match)
            yield Fault(kind, path, match.start(), before, after)


def draw(seed: int, count: int) -> list[Fault]:
    """As many of each part and, within it, of each kind in turn."""
    chance = random.Random(seed)
    drawn: list[Fault] = []
    pools = {}
    for part in PARTS:
        folder = ROOT / "src" / "affordance" / part
        faults = [
            fault
            for path in sorted(folder.rglob("*.js" if part.endswith("js") else "*.py"))
            for fault in (script_faults(path) if part.endswith("js") else python_faults(path))
        ]
        for kind in KINDS:
            pools[part, kind] = [fault for fault in faults if fault.kind == kind]
    while len(drawn) < count:
        part, kind = PARTS[len(drawn) % len(PARTS)], KINDS[len(drawn) // len(PARTS) % len(KINDS)]
        drawn.append(chance.choice(pools[part, kind]))
    return drawn


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, required=True)
    options.add_argument("--count", type=int, default=20)
    options.add_argument("--apply", type=int, metavar="N", help="number of the fault to write, from 1")
    given = options.parse_args()
    if given.apply is None:
        for number, fault in enumerate(draw(given.seed, given.count), 1):
            sys.stdout.write(f"{number:3} {fault}\n")
    else:
        fault = draw(given.seed, max(given.count, given.apply))[given.apply - 1]
        sys.stdout.write(f"{fault}\n")
        fault.apply()


if __name__ == "__main__":
    main()

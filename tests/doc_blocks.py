"""The fenced blocks of a page, the remarks before them, and the commands in its prose.

A remark is an HTML comment on the line before a block: `<!-- not run: needs a key -->` or `<!-- exits: 2 -->`.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,})(?P<language>[\w+-]*)(?P<rest>[^`]*)$")
_REMARK = re.compile(r"^ *<!-- (?P<key>[a-z ]+): (?P<value>.+?) -->$")
_TITLE = re.compile(r'title="([^"]+)"')
_INLINE = re.compile(r"(?<!`)`(affordance [^`]+)`(?!`)")
_INCLUDED = re.compile(r'^--8<-- "([^"]+)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    line: int  # of its fence
    language: str
    title: str  # a block with one is a file
    text: str
    remarks: dict[str, str] = field(default_factory=dict)

    @property
    def run(self) -> bool:
        return "not run" not in self.remarks


@dataclass(frozen=True, slots=True)
class Page:
    path: Path
    blocks: tuple[Block, ...]
    inline: tuple[tuple[int, str], ...]  # lines and the commands in them, which may be cut short

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()


def read_page(path: Path) -> Page:
    lines = path.read_text(encoding="utf-8").splitlines()
    found, prose, number = [], [], 0
    while number < len(lines):
        opened = _FENCE.match(lines[number])
        if opened is None:
            prose.append((number + 1, lines[number]))
            number += 1
            continue
        indent, fence = opened["indent"], opened["fence"]
        end = next((at for at in range(number + 1, len(lines)) if lines[at] == indent + fence), None)
        assert end is not None, f"{path}:{number + 1}: this block is never closed"
        text = "".join(line.removeprefix(indent) + "\n" for line in lines[number + 1 : end])
        title = _TITLE.search(opened["rest"])
        found.append(
            Block(number + 1, opened["language"], title[1] if title else "", _whole(text), _remarks(lines, number))
        )
        number = end + 1
    inline = tuple((line, command) for line, text in _sentences(prose) for command in _INLINE.findall(text))
    return Page(path, tuple(found), inline)


def pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _remarks(lines: list[str], number: int) -> dict[str, str]:
    found = {}
    while number and (remark := _REMARK.match(lines[number - 1])):
        found[remark["key"]] = remark["value"]
        number -= 1
    return found


def _whole(text: str) -> str:
    """With the files that it includes, as the site shows it."""
    return _INCLUDED.sub(lambda found: (ROOT / found[1]).read_text(encoding="utf-8").rstrip("\n"), text)


def _sentences(prose: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Lines of prose; where code goes on in the next line, the two together."""
    joined: list[tuple[int, str]] = []
    for line, text in prose:
        if joined and joined[-1][1].count("`") % 2 and text:
            joined[-1] = (joined[-1][0], f"{joined[-1][1]} {text.strip()}")
        else:
            joined.append((line, text))
    return joined

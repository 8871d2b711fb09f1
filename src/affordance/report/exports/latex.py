"""Tables for a paper: plain `tabular` in `table`, no packages, every character one that pdflatex takes."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from affordance.report.exports._characters import latex_character
from affordance.report.exports._plain import strip_control
from affordance.report.sheet import Column, ReportTable, split_columns

WIDTH = 88  # characters of a line of small print
MOST_LINES = 40  # of one table: a page holds no more
_LONG = 36  # a longer text is broken into lines
_PENDING = 12  # tables that LaTeX may have to find a place for at once: it holds 18
_RUN = 24  # characters without a place to break before there must be one


def render_latex(sheets: Iterable[ReportTable]) -> str:
    """One `table` after the other, to be pasted or read with \\input; labels are `tab:` and the title."""
    labels: dict[str, int] = {}
    parts = ["% Tables written by affordance; no packages are needed.\n"]
    for sheet in sheets:
        whole = replace(sheet, title=f"{sheet.heading} {sheet.title}".strip(), heading="")
        for part in (one for wide in split_columns(whole, WIDTH) for one in _pages(wide)):
            slug = _slug(part.title)
            labels[slug] = labels.get(slug, 0) + 1
            parts.append(_table(part, slug if labels[slug] == 1 else f"{slug}-{labels[slug]}"))
            if sum(labels.values()) % _PENDING == 0:
                parts.append("\\clearpage\n")
    return "\n".join(parts)


def escape_latex(text: str) -> str:
    """The text as pdflatex sets it, with places where a long name may be broken; what it cannot set is named."""
    pieces: list[str] = []
    since = 0
    shown = unicodedata.normalize("NFC", strip_control(text))
    for sign, before, after in zip(shown, f" {shown}", f"{shown[1:]} ", strict=False):
        if sign == "-" and before in " (" and after.isdigit():
            pieces.append("\\ensuremath{-}")
            continue
        pieces.append(latex_character(sign))
        since = 0 if sign == " " else since + 1
        if since >= _RUN or (sign in ":/@_.-" and since > 1 and not after.isdigit()):
            pieces.append("\\allowbreak{}")
            since = 0
    return "".join(pieces)


def _slug(title: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")[:60].strip("-") or "table"


def _pages(sheet: ReportTable) -> Iterator[ReportTable]:
    for start in range(0, max(1, len(sheet.lines)), MOST_LINES):
        last = start + MOST_LINES >= len(sheet.lines)
        yield replace(
            sheet,
            title=sheet.title if start == 0 or sheet.title.endswith("(continued)") else f"{sheet.title} (continued)",
            lines=sheet.lines[start : start + MOST_LINES],
            notes=sheet.notes if last else (),
        )


def _table(sheet: ReportTable, label: str) -> str:
    form = "".join("l" if column.left else "r" for column in sheet.columns)
    lines = [_line([_head(column) for column in sheet.columns])]
    lines += [_line([_cell(cell) for cell in line]) for line in sheet.lines]
    head, *body = lines
    notes = [f"\\par {escape_latex(note)}" for note in sheet.notes]
    under = ["\\par\\smallskip", "\\parbox{\\linewidth}{\\footnotesize\\raggedright", *notes, "}"] if notes else []
    return "\n".join(
        [
            "\\begin{table}[htbp]",
            "\\centering",
            f"\\caption{{{escape_latex(sheet.title)}}}",
            f"\\label{{tab:{label}}}",
            "\\footnotesize\\setlength{\\tabcolsep}{4pt}",
            f"\\begin{{tabular}}{{{form}}}",
            "\\hline",
            head,
            "\\hline",
            *body,
            "\\hline",
            "\\end{tabular}",
            *under,
            "\\end{table}",
            "",
        ]
    )


def _line(cells: Sequence[str]) -> str:
    return f"{' & '.join(cells)} \\tabularnewline"


def _head(column: Column) -> str:
    rows = [escape_latex(row) for row in column.name.split("\n")]
    if len(rows) == 1:
        return rows[0]
    stacked = " \\\\ ".join(rows)
    return f"\\shortstack[{'l' if column.left else 'r'}]{{{stacked}}}"


def _cell(text: str) -> str:
    said = escape_latex(text)
    return said if len(text) <= _LONG else f"\\parbox[t]{{0.4\\linewidth}}{{\\raggedright {said}}}"

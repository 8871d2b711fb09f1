"""Tables as LaTeX `tabular`, without packages and in characters that pdflatex sets."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from affordance.report.formats.control_characters import strip_control
from affordance.report.sheet import Column, ReportTable, split_columns

# Brackets and stars are wrapped: after the end of a line they would be its options.
_ESCAPED = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    **{sign: f"{{{sign}}}" for sign in "[]*"},
    **{sign: f"\\ensuremath{{{sign}}}" for sign in "<>|"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "`": "\\`{}",
    "'": "'{}",
    '"': "''",
    "-": "-{}",  # never a dash of two
}
_SIGNS = {
    "–": "--",
    "—": "---",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "…": "\\ldots{}",
    "†": "\\ensuremath{\\dagger}",
    "‡": "\\ensuremath{\\ddagger}",
    "ß": "\\ss{}",
    "æ": "\\ae{}",
    "Æ": "\\AE{}",
    "œ": "\\oe{}",
    "Œ": "\\OE{}",
    "ø": "\\o{}",
    "Ø": "\\O{}",
    "ł": "\\l{}",
    "Ł": "\\L{}",
    "ı": "\\i{}",
    "§": "\\S{}",
    "¶": "\\P{}",
    "£": "\\pounds{}",
    "©": "\\copyright{}",
    "\N{REPLACEMENT CHARACTER}": "?",
    **{
        sign: f"\\ensuremath{{\\{name}}}"
        for sign, name in {
            "×": "times", "÷": "div", "±": "pm", "·": "cdot", "≤": "leq", "≥": "geq", "≠": "neq", "≈": "approx",
            "−": "mbox{-}", "→": "rightarrow", "←": "leftarrow", "↔": "leftrightarrow", "∞": "infty", "∈": "in",
            "°": "circ", "•": "bullet", "µ": "mu", "√": "surd", "∑": "sum", "∆": "Delta", "✓": "surd",
        }.items()
    },
}  # fmt: skip
_SMALL = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega"
_CAPITAL = "gamma delta theta lambda xi pi sigma upsilon phi psi omega"
_GREEK = {
    unicodedata.lookup(f"GREEK {kind} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}"): (
        f"\\ensuremath{{\\{name.capitalize() if kind == 'CAPITAL' else name}}}"
    )
    for kind, names in (
        ("SMALL", _SMALL),
        ("CAPITAL", _CAPITAL),
    )
    for name in names.split()
}  # fmt: skip
_ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": "."},
    **{"\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c", "\u0331": "b"},
}


def latex_character(sign: str) -> str:
    """What cannot be set is named by its number."""
    if sign in _ESCAPED or " " <= sign <= "~":
        return _ESCAPED.get(sign, sign)
    if sign == "\N{NO-BREAK SPACE}":
        return "~"
    if known := _SIGNS.get(sign) or _GREEK.get(sign):
        return known
    apart = unicodedata.normalize("NFD", sign)
    base, marks = apart[0], apart[1:]
    if marks and base.isascii() and all(mark in _ACCENTS for mark in marks):
        for mark in marks:
            base = f"\\{_ACCENTS[mark]}{{{base}}}"
        return base
    simple = unicodedata.normalize("NFKD", sign)
    if simple != sign and simple.isascii():
        return "".join(map(latex_character, simple))
    return f"U+{ord(sign):04X}"


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

"""Tables as LaTeX: plain `tabular` in `table`, without packages, in characters that pdflatex sets."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from affordance.core.table import Table
from affordance.core.text import make_slug, strip_control
from affordance.report.formats.layout import fitted_headings, split_columns

_WIDTH = 88  # characters of a line of small print
_MAX_ROWS = 40  # of one table: a page holds no more
_LONG_TEXT = 36  # characters; a longer text is broken into lines
_FLOATS = 12  # tables after which a page is cleared: LaTeX holds 18 at once
_UNBROKEN = 24  # characters after which a line may break anywhere

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
    "\N{NO-BREAK SPACE}": "~",
    "\N{REPLACEMENT CHARACTER}": "?",
    **{"–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "…": "\\ldots{}", "ß": "\\ss{}"},
    **{
        sign: f"\\ensuremath{{\\{name}}}"
        for sign, name in {
            "†": "dagger", "‡": "ddagger", "×": "times", "±": "pm", "·": "cdot", "≤": "leq", "≥": "geq", "≈": "approx",
            "−": "mbox{-}", "→": "rightarrow", "←": "leftarrow", "°": "circ", "µ": "mu", "✓": "surd",
            "α": "alpha", "β": "beta", "κ": "kappa", "μ": "mu", "ρ": "rho", "σ": "sigma", "Δ": "Delta",
        }.items()
    },
}  # fmt: skip
_ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": "."},
    **{"\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c", "\u0331": "b"},
}


def render_latex(tables: Iterable[Table]) -> str:
    """One `table` after the other, to be pasted or read with \\input; labels are `tab:` and the title."""
    labels: dict[str, int] = {}
    parts = ["% Tables written by affordance; no packages are needed.\n"]
    for table in tables:
        whole = replace(table, title=f"{table.section} {table.title}".strip(), section="")
        for part in (page for wide in split_columns(whole, _WIDTH) for page in _split_rows(wide)):
            slug = make_slug(part.title, 60) or "table"
            labels[slug] = labels.get(slug, 0) + 1
            parts.append(_render(part, slug if labels[slug] == 1 else f"{slug}-{labels[slug]}"))
            if sum(labels.values()) % _FLOATS == 0:
                parts.append("\\clearpage\n")
    return "\n".join(parts)


def escape_latex(text: str) -> str:
    """The text as pdflatex sets it, with places where a long name may be broken."""
    pieces: list[str] = []
    unbroken = 0
    shown = unicodedata.normalize("NFC", strip_control(text))
    for sign, before, after in zip(shown, f" {shown}", f"{shown[1:]} ", strict=False):
        if sign == "-" and before in " (" and after.isdigit():
            pieces.append("\\ensuremath{-}")
            continue
        pieces.append(latex_character(sign))
        unbroken = 0 if sign == " " else unbroken + 1
        if unbroken >= _UNBROKEN or (sign in ":/@_.-" and unbroken > 1 and not after.isdigit()):
            pieces.append("\\allowbreak{}")
            unbroken = 0
    return "".join(pieces)


def latex_character(sign: str) -> str:
    """One character; one that pdflatex cannot set is replaced by its number."""
    if sign in _ESCAPED or " " <= sign <= "~":
        return _ESCAPED.get(sign, sign)
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


def _split_rows(table: Table) -> Iterator[Table]:
    for start in range(0, max(1, len(table.rows)), _MAX_ROWS):
        last = start + _MAX_ROWS >= len(table.rows)
        yield replace(
            table,
            title=table.title if start == 0 or table.title.endswith("(continued)") else f"{table.title} (continued)",
            rows=table.rows[start : start + _MAX_ROWS],
            finding=table.finding if start == 0 else "",
            notes=table.notes if last else (),
        )


def _render(table: Table, label: str) -> str:
    left = table.left_aligned()
    head = _line([_heading(text, is_left) for text, is_left in zip(fitted_headings(table, _WIDTH), left, strict=True)])
    body = [_line([_cell(cell) for cell in row]) for row in table.texts()]
    notes = [f"\\par {escape_latex(note)}" for note in (table.finding, *table.notes) if note]
    under = ["\\par\\smallskip", "\\parbox{\\linewidth}{\\footnotesize\\raggedright", *notes, "}"] if notes else []
    return "\n".join(
        [
            "\\begin{table}[htbp]",
            "\\centering",
            f"\\caption{{{escape_latex(table.title)}}}",
            f"\\label{{tab:{label}}}",
            "\\footnotesize\\setlength{\\tabcolsep}{4pt}",
            f"\\begin{{tabular}}{{{''.join('l' if one else 'r' for one in left)}}}",
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


def _heading(text: str, left: bool) -> str:
    rows = [escape_latex(row) for row in text.split("\n")]
    if len(rows) == 1:
        return rows[0]
    stacked = " \\\\ ".join(rows)
    return f"\\shortstack[{'l' if left else 'r'}]{{{stacked}}}"


def _cell(text: str) -> str:
    escaped = escape_latex(text)
    return escaped if len(text) <= _LONG_TEXT else f"\\parbox[t]{{0.4\\linewidth}}{{\\raggedright {escaped}}}"

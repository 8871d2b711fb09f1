"""Characters as pdflatex takes them, without packages."""

import unicodedata

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

"""False voids and false readings of the response parsers on the corpus of tests/data/responses.

    python benchmarks/parsers.py [--wrong]

A false void is a well-formed response that is read as nothing. A false reading is any response that is read otherwise
than its label says: another answer, an answer in a malformed response, or refused instead of unparsed. `--wrong` lists
the responses. Always exits 0; tests/tasks/test_response_corpus.py holds the limits.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.geometry import Box
from affordance.core.question import AnswerOption, LocationFormat, MultipleChoice, PairChoice, RatingScale, SingleChoice
from affordance.core.requests import Response
from affordance.grounding.coordinates import CoordinateSystem
from affordance.grounding.dialects import get_dialect
from affordance.grounding.location_parser import parse_location
from affordance.grounding.locations import location_from_text, location_to_text
from affordance.tasks.answers import parse_rating, parse_yes_no
from affordance.tasks.choice_answers import parse_multiple_choice, parse_single_choice
from affordance.tasks.pair_answers import parse_pair_choice
from affordance.tasks.scoring import verdict_of_text

CORPUS = Path(__file__).parents[1] / "tests" / "data" / "responses"
SIZE = (1400, 1008)  # of the image, which is sent as it is
TOLERANCE = 0.5  # pixels
VOID, READING = "false void", "false reading"


def _options(*texts: str) -> tuple[AnswerOption, ...]:
    return tuple(AnswerOption(letter, text, text) for letter, text in zip("ABCDEFG", texts, strict=False))


EFFECTS = _options("Move", "Scale", "Rotate", "Fade", "Color change", "Morph", "Blink")
PURPOSES = _options("Feedback", "Attention", "Transition", "Loading", "Decoration")
OUTCOMES = _options(
    "Opens the settings dialog",
    "Marks the message as read",
    "Closes the side panel",
    "Sends the form",
    "Expands the list",
)


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled response. `expected` is {"box": ...}, {"point": ...}, {"absent": true}, {"answer": ...} or
    {"status": ...}."""

    id: str
    family: str
    format: str
    kind: str
    text: str
    expected: dict[str, Any]
    origin: str
    level: str = "element"
    options: str = "effect"
    style: str = ""


def corpus_rows() -> Iterator[Row]:
    for path in sorted(CORPUS.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield Row(**json.loads(line))


def mistake(row: Row) -> tuple[str, str] | None:
    """The kind of mistake and what was read; None where the response is read as labelled."""
    verdict = verdict_of_text(Response(row.text), lambda text: _verdict(row, text))
    status = str(verdict.status)
    if verdict.status is not AttemptStatus.ANSWERED:
        if row.expected.get("status") == status:
            return None
        return (VOID if row.kind == "well-formed" else READING), f"{status}: {verdict.reason}"
    answer = verdict.answer or ""
    if "status" in row.expected:
        return READING, answer
    same = _same_location(row, answer) if row.format == "location" else json.loads(answer) == row.expected["answer"]
    return None if same else (READING, answer)


def _verdict(row: Row, text: str) -> Verdict | str:
    answer: object
    match row.format:
        case "location":
            reading = parse_location(text, LocationFormat(row.family, row.level, SIZE, SIZE, absent=True))
            if reading.location is None:
                return reading.reason
            return Verdict(AttemptStatus.ANSWERED, location_to_text(reading.location))
        case "choice":
            option = parse_single_choice(text, SingleChoice(EFFECTS if row.options == "effect" else PURPOSES))
            answer = option and option.letter
        case "several":
            found = parse_multiple_choice(text, MultipleChoice(OUTCOMES))
            answer = found and [option.letter for option in found]
        case "either":
            answer = parse_pair_choice(text, PairChoice())
        case "rating":
            answer = parse_rating(text, RatingScale(0, 5))
        case _:
            yes = parse_yes_no(text)
            answer = None if yes is None else "Yes" if yes else "No"
    return "no answer" if answer is None else Verdict(AttemptStatus.ANSWERED, json.dumps(answer))


def _same_location(row: Row, answer: str) -> bool:
    """Labels are x, y and corners in the family's own grid."""
    read = location_from_text(answer)
    if "absent" in row.expected:
        return answer == "absent"
    numbers = row.expected.get("box") or row.expected["point"]
    labelled = CoordinateSystem(get_dialect(row.family).coordinates.grid).to_location(numbers, SIZE, SIZE)
    if answer == "absent" or isinstance(read, Box) is not isinstance(labelled, Box):
        return False
    pairs = zip(answer.split()[1:], location_to_text(labelled).split()[1:], strict=True)
    return all(abs(float(one) - float(other)) <= TOLERANCE for one, other in pairs)


@dataclass(frozen=True, slots=True)
class Rates:
    well_formed: int
    malformed: int
    false_voids: int
    false_readings: int

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "Rates":
        kinds, mistakes = Counter[str](), Counter[str]()
        for row in rows:
            kinds[row.kind] += 1
            if found := mistake(row):
                mistakes[found[0]] += 1
        return cls(kinds["well-formed"], kinds["malformed"], mistakes[VOID], mistakes[READING])

    @property
    def void_rate(self) -> float:
        return self.false_voids / self.well_formed if self.well_formed else 0.0


def print_table(title: str, groups: dict[str, Rates]) -> None:
    print(f"{title:14}{'well-formed':>12}{'false voids':>13}{'rate':>8}{'malformed':>11}{'false readings':>16}")
    for name, rates in groups.items():
        print(
            f"{name:14}{rates.well_formed:>12}{rates.false_voids:>13}{rates.void_rate:>8.1%}"
            f"{rates.malformed:>11}{rates.false_readings:>16}"
        )
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--wrong", action="store_true", help="list the responses that are read wrongly")
    wanted = parser.parse_args()
    rows = list(corpus_rows())
    for title in ("family", "format", "origin"):
        names = dict.fromkeys(getattr(row, title) for row in rows)
        print_table(title, {name: Rates.of(row for row in rows if getattr(row, title) == name) for name in names})
    print_table("all", {"total": Rates.of(rows)})
    if wanted.wrong:
        for row in rows:
            if found := mistake(row):
                print(f"{row.id} [{found[0]}] {row.text!r}\n    label {row.expected}, read {found[1]}")


if __name__ == "__main__":
    main()

"""The sentences of the report, for every state that a row can be in."""

from collections.abc import Mapping

import pytest

from affordance.core.attempt import Ended
from affordance.report.rows import Row
from affordance.report.words import caveats, finding, listed, scope, tag, title, with_short_names
from affordance.stats import Interval

CHANCE = 1 / 7


def a_row(
    model: str = "m",
    accuracy: float | None = 0.5,
    interval: Interval | None = (0.4, 0.6),
    *,
    first_try: float | None = None,
    pending: int = 0,
    bounds: Interval | None = None,
    reasks: int = 0,
    chance: float = CHANCE,
    dataset: Mapping[str, str | bool] | None = None,
    **ended: int,
) -> Row:
    """A row of 70 answers unless told otherwise."""
    counts: dict[str, int] = {str(kind): 0 for kind in Ended} | (ended or {"answered": 70})
    n = sum(counts.values()) - counts["skipped"] + pending
    return Row(
        run="first",
        task="motion/effect",
        model=model,
        strategy="zero-shot",
        form="",
        dataset={"name": "primitives", "kind": "clip", "synthetic": True} if dataset is None else dataset,
        n=n,
        items=7,
        metrics={"accuracy": accuracy, "first_try_accuracy": accuracy if first_try is None else first_try},
        intervals={} if interval is None or accuracy is None else {"accuracy": interval},
        bounds={} if bounds is None else {"accuracy": bounds},
        compat={},
        trials={},
        settings={"reasks": {"motion/effect": reasks}},
        dialect="",
        decided="",
        warnings=(),
        differences=(),
        contrast={},
        sent=(),
        effort=None,
        ended=counts,
        pending=pending,
        complete=not pending and not counts["failed"],
        chance=chance,
        floors={"chance": chance},
        shares={},
        positions={},
        breakdowns=(),
        confusion=(),
    )


PIXELS = a_row("baseline:pixels", 1.0, (0.646, 1.0))
RANDOM = a_row("baseline:random", 0.114, (0.059, 0.21))
ON = "On 7 clips of primitives (synthetic), "


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        pytest.param(
            [PIXELS, RANDOM],
            ON + "baseline:pixels is right in 100.0% of 70 attempts (95% interval 64.6 to 100.0); baseline:random in "
            "11.4% of 70 attempts (5.9 to 21.0), which cannot be told apart from guessing (14.3%).",
            id="one above chance, one level with it",
        ),
        pytest.param(
            [a_row("good", 0.5, (0.4, 0.6))],
            ON + "good is right in 50.0% of 70 attempts (95% interval 40.0 to 60.0). Guessing would be right in 14.3%.",
            id="one model",
        ),
        pytest.param(
            [a_row("bad", 0.02, (0.0, 0.1))],
            ON + "bad is right in 2.0% of 70 attempts (95% interval 0.0 to 10.0), "
            "which is worse than guessing (14.3%).",
            id="below chance",
        ),
        pytest.param(
            [a_row("m", 0.5, (0.4, 0.6), chance=0.0)],
            ON + "m is right in 50.0% of 70 attempts (95% interval 40.0 to 60.0).",
            id="a task without a chance level",
        ),
        pytest.param(
            [a_row("a"), a_row("b")],
            ON + "a is right in 50.0% of 70 attempts (95% interval 40.0 to 60.0); b in 50.0% of 70 attempts "
            "(40.0 to 60.0). Guessing would be right in 14.3%.",
            id="a tie",
        ),
        pytest.param(
            [a_row("half", 0.5, (0.3, 0.7), bounds=(0.4, 0.6), pending=10, answered=50, failed=10)],
            ON + "half is right in 50.0% of the 50 attempts scored so far (95% interval 30.0 to 70.0). "
            "Guessing would be right in 14.3%.",
            id="incomplete",
        ),
        pytest.param(
            [a_row("down", None, failed=70, bounds=(0.0, 1.0))],
            ON + "no attempt has been scored yet.",
            id="all failed",
        ),
        pytest.param(
            [PIXELS, a_row("down", None, failed=70)],
            ON + "baseline:pixels is right in 100.0% of 70 attempts (95% interval 64.6 to 100.0). "
            "Guessing would be right in 14.3%.",
            id="one of two scored",
        ),
        pytest.param(
            [PIXELS, *(a_row(f"m{n}", 0.3 - n / 100, (0.2, 0.4)) for n in range(4)), RANDOM],
            ON + "baseline:pixels is right in 100.0% of 70 attempts (95% interval 64.6 to 100.0); "
            "m0 in 30.0% of 70 attempts (20.0 to 40.0); m1 in 29.0% of 70 attempts (20.0 to 40.0). "
            "The other 3 models are between 11.4% and 28.0%. "
            "1 of the 6 cannot be told apart from guessing (14.3%): baseline:random.",
            id="many models",
        ),
    ],
)
def test_what_was_found(group: list[Row], expected: str) -> None:
    assert finding(group) == expected


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        pytest.param([PIXELS, RANDOM], [], id="nothing to say"),
        pytest.param(
            [a_row("half", bounds=(0.357, 0.643), pending=4, answered=58, failed=8)],
            [
                "half is incomplete: 12 of 70 attempts are missing (8 failed, 4 not finished yet). "
                "With all of them wrong its accuracy is 35.7%, with all of them right 64.3%."
            ],
            id="incomplete",
        ),
        pytest.param(
            [a_row("down", None, failed=70, bounds=(0.0, 1.0))],
            ["Nothing of down is scored: 70 of 70 attempts are missing (70 failed)."],
            id="all failed",
        ),
        pytest.param(
            [a_row("later", None, pending=1200, bounds=(0.0, 1.0), answered=0)],
            ["Nothing of later is scored: 1,200 of 1,200 attempts are missing (1,200 not finished yet)."],
            id="pending only",
        ),
        pytest.param(
            [a_row("small", None, skipped=70)],
            ["small could not be asked any of these questions (70 attempts skipped)."],
            id="all skipped",
        ),
        pytest.param(
            [a_row("m", answered=60, skipped=10)],
            ["10 attempts could not be put to m and are not counted."],
            id="some skipped",
        ),
        pytest.param(
            [a_row("shy", answered=65, refused=3, unparsed=2)],
            ["shy gave no answer in 5 of 70 attempts (3 refused, 2 unparsed); they count as wrong."],
            id="no answer",
        ),
        pytest.param(
            [a_row("shy", answered=69, truncated=1)],
            ["shy gave no answer in 1 of 70 attempts (1 truncated); it counts as wrong."],
            id="one without an answer",
        ),
        pytest.param(
            [a_row("again", 0.5, first_try=0.4, reasks=2)],
            [
                "again was to be asked again where no answer could be read, "
                "which took it from 40.0% at the first try to 50.0%."
            ],
            id="asked again",
        ),
        pytest.param(
            [a_row("again", 0.5, reasks=2)],
            ["again was to be asked again where no answer could be read, which changed nothing."],
            id="asked again in vain",
        ),
        pytest.param(
            [a_row(f"m{n}", answered=70 - n, refused=n) for n in range(6)],
            ["5 of 6 models gave no answer in some attempts, which count as wrong: most often m5 (5 of 70)."],
            id="too many to spell out",
        ),
    ],
)
def test_what_must_be_known_beside_it(group: list[Row], expected: list[str]) -> None:
    assert caveats(group) == expected


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        ({"name": "d", "synthetic": False}, "7 clips of d"),
        ({"name": "d", "synthetic": True}, "7 clips of d (synthetic)"),
        ({}, "7 clips of an unnamed dataset"),
    ],
)
def test_what_was_asked_about(dataset: dict[str, str | bool], expected: str) -> None:
    assert scope([a_row(dataset=dataset)]) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (list("abcd"), "a, b, c and d"),
        (list("abcdefg"), "a, b, c, d and 3 more"),
    ],
)
def test_lists_end(names: list[str], expected: str) -> None:
    assert listed(names) == expected


def test_the_title_says_what_this_is() -> None:
    assert title([PIXELS, RANDOM]) == "Affordance report: motion/effect on primitives"
    assert title([]) == "Affordance report: nothing asked yet"


def test_rows_that_are_not_the_last_word_are_marked() -> None:
    rows = [PIXELS, a_row(pending=1), a_row(failed=1, answered=1), a_row(accuracy=None, skipped=70)]
    assert [tag(row) for row in rows] == ["", "incomplete", "incomplete", "not asked"]


def test_names_are_short_unless_that_mixes_models_up() -> None:
    here, there = a_row("vllm:qwen@http://here/v1"), a_row("vllm:qwen@http://there/v1")
    assert [row.model for row in with_short_names([here, PIXELS])] == ["vllm:qwen", "baseline:pixels"]
    assert with_short_names([here, there]) == [here, there]

"""The sentences of the report have the right numbers and names for every state that a row can be in; where a state
means something else, they say something else."""

import re
from collections.abc import Mapping

from affordance.core.attempts import AttemptStatus
from affordance.core.formatting import join_names
from affordance.report.findings import describe_items, describe_result, report_title
from affordance.report.notes import warnings_of
from affordance.report.result_row import ResultRow, with_short_labels
from affordance.stats import Interval
from cases import case, wording
from errors import assert_carries

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
) -> ResultRow:
    """A row of 70 answers unless told otherwise."""
    counts: dict[str, int] = {str(kind): 0 for kind in AttemptStatus} | (ended or {"answered": 70})
    n = sum(counts.values()) - counts["skipped"] + pending
    return ResultRow(
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


def assert_finding(group: list[ResultRow], *data: object) -> None:
    assert_carries(describe_result(group), "7 ", "primitives", *data)


def test_findings_have_shares_intervals_and_the_chance_level() -> None:
    both = (PIXELS.model, "100.0%", "64.6 to 100.0", RANDOM.model, "11.4%", "5.9 to 21.0", "14.3%")
    assert_finding([PIXELS, RANDOM], *both, "70 ", "95%")
    assert_finding([a_row("good")], "good", "50.0%", "40.0 to 60.0", "14.3%")
    assert_finding([a_row("bad", 0.02, (0.0, 0.1))], "bad", "2.0%", "0.0 to 10.0", "14.3%")
    assert_finding([a_row("a"), a_row("b")], "a ", "b ", "14.3%")
    assert_finding([PIXELS, a_row("down", None, failed=70)], PIXELS.model, "100.0%", "14.3%")
    half = a_row("half", 0.5, (0.3, 0.7), bounds=(0.4, 0.6), pending=10, answered=50, failed=10)
    assert_finding([half], "half", "50.0%", "50 ", "30.0 to 70.0")


def test_findings_without_a_number() -> None:
    assert "%" not in describe_result([a_row("down", None, failed=70, bounds=(0.0, 1.0))])
    assert "14.3" not in describe_result([a_row("m", chance=0.0)])


def test_relations_to_chance_have_words_of_their_own() -> None:
    rows = [a_row("m", 0.5, interval) for interval in ((0.4, 0.6), (0.1, 0.6), (0.0, 0.1))]
    assert [row.baseline_relation for row in rows] == ["above", "level", "below"]
    incomplete = a_row("m", bounds=(0.4, 0.6), pending=10, answered=60)
    said = {
        wording(describe_result([row]))
        for row in [*rows, a_row("m", chance=0.0), incomplete, a_row("m", None, failed=70)]
    }
    assert len(said) == 6


def test_of_many_models_the_others_are_summed_up() -> None:
    others = [a_row(f"m{n}", 0.3 - n / 100, (0.2, 0.4)) for n in range(4)]
    said = describe_result([PIXELS, *others, RANDOM])
    assert_carries(said, PIXELS.model, "m0", "m1", "30.0%", "29.0%", "14.3%", RANDOM.model)
    assert "m2" not in said
    assert_carries(said, "3 ", "11.4%", "28.0%")  # how many more, and between what
    assert_carries(said, "1 ", "6 ")  # how many of how many are level with chance


CAVEATS: dict[str, tuple[ResultRow, tuple[object, ...]]] = {
    "incomplete": (
        a_row("half", bounds=(0.357, 0.643), pending=4, answered=58, failed=8),
        ("half", "12 ", "70 ", "8 ", "4 ", "35.7%", "64.3%"),
    ),
    "all failed": (a_row("down", None, failed=70, bounds=(0.0, 1.0)), ("down", "70 ")),
    "pending only": (a_row("later", None, pending=1200, bounds=(0.0, 1.0), answered=0), ("later", "1,200 ")),
    "all skipped": (a_row("small", None, skipped=70), ("small", "70 ")),
    "some skipped": (a_row("m", answered=60, skipped=10), ("m", "10 ")),
    "no answer": (a_row("shy", answered=65, refused=3, unparsed=2), ("shy", "5 ", "70 ", "3 refused", "2 unparsed")),
    "one without an answer": (a_row("shy", answered=69, truncated=1), ("shy", "1 ", "70 ", "1 truncated")),
    "asked again": (a_row("again", 0.5, first_try=0.4, reasks=2), ("again", "40.0%", "50.0%")),
    "asked again in vain": (a_row("again", 0.5, reasks=2), ("again",)),
}


def test_what_must_be_known_beside_it() -> None:
    assert warnings_of([PIXELS, RANDOM]) == []
    found = {}
    for name, (row, data) in CAVEATS.items():
        with case(name):
            (found[name],) = warnings_of([row])
            assert_carries(found[name], *data)
    assert len({wording(said, CAVEATS[name][0].model) for name, said in found.items()}) == len(found)


def test_caveats_of_many_are_summed_up() -> None:
    (said,) = warnings_of([a_row(f"m{n}", answered=70 - n, refused=n) for n in range(6)])
    assert_carries(said, "5 ", "6 ", "m5", "70")
    assert "m4" not in said


def test_what_was_asked_about() -> None:
    plain, synthetic, unnamed = (
        describe_items([a_row(dataset=dataset)])
        for dataset in ({"name": "d", "synthetic": False}, {"name": "d", "synthetic": True}, {})
    )
    assert_carries(plain, "7 ", "d")
    assert synthetic.startswith(plain)
    assert synthetic != plain
    assert_carries(unnamed, "7 ")


def test_lists_end() -> None:
    assert join_names([]) == ""
    assert join_names(["a"]) == "a"
    for names, shown, more in (("ab", "ab", ""), ("abcd", "abcd", ""), ("uvwxyzq", "uvwx", "3")):
        said = join_names(list(names))
        assert [one for one in names if one in re.findall(r"\b\w\b", said)] == list(shown)
        assert more in said


def test_the_title_says_what_this_is() -> None:
    assert_carries(report_title([PIXELS, RANDOM]), "motion/effect", "primitives")
    assert_carries(report_title([]))


def test_rows_that_are_not_the_last_word_are_marked() -> None:
    rows = [PIXELS, a_row(pending=1), a_row(failed=1, answered=1), a_row(accuracy=None, skipped=70)]
    none, pending, failed, not_asked = (row.completeness_label for row in rows)
    assert none == ""
    assert pending == failed
    assert len({none, pending, not_asked}) == 3


def test_names_are_short_unless_that_mixes_models_up() -> None:
    here, there = a_row("vllm:qwen@http://here/v1"), a_row("vllm:qwen@http://there/v1")
    assert [row.model for row in with_short_labels([here, PIXELS])] == ["vllm:qwen", "baseline:pixels"]
    assert with_short_labels([here, there]) == [here, there]

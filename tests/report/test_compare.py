"""Is A better than B: whom the names mean, what else differs, the numbers, and how they are told."""

from pathlib import Path

import pytest
from scipy.stats import binomtest

from affordance.core.errors import UserError
from affordance.ledger import RunEntry, open_ledger
from affordance.report.comparison import TaskComparison, compare
from affordance.report.comparison_sides import DifferenceKind, match_rows, resolve_side
from affordance.report.comparison_text import print_comparison, summary, warnings
from affordance.report.pairwise import is_significant, pairwise_comparisons
from affordance.report.results import read_results
from affordance.stats import compare_paired, holm_adjust
from cases import case, numbers_in, wording
from errors import raises
from report_ledgers import FAILED, RIGHT, WRONG, Plan, fill

EFFECT = "motion/effect"
A, B, C = "openai:a", "openai:b", "openai:c"
GOOD, HALF, BAD = (RIGHT,), (RIGHT, WRONG), (WRONG,)


def line(run: str, model: str, task: str = EFFECT, strategy: str = "zero-shot") -> RunEntry:
    return RunEntry(run, task, model, strategy)


def compared(
    where: Path, *plans: Plan, names: tuple[str, str], despite: tuple[DifferenceKind, ...] = ()
) -> list[TaskComparison]:
    where.mkdir(exist_ok=True)
    with open_ledger(where / "ledger.db") as ledger:
        for plan in plans:
            fill(ledger, plan)
    with open_ledger(where / "ledger.db", read_only=True) as ledger:
        return compare(ledger, *names, despite=despite)


class TestNames:
    LINES = (line("monday", A), line("monday", B), line("tuesday", A), line("alone", C), line(A, B))

    def test_a_run_comes_before_a_model_of_the_same_name(self) -> None:
        assert resolve_side(A, self.LINES).is_run

    @pytest.mark.parametrize(
        ("called", "lines"),
        [
            pytest.param("monday", [line("monday", A), line("monday", B)], id="run"),
            pytest.param(C, [line("alone", C)], id="model"),
            pytest.param(f"monday/{B}", [line("monday", B)], id="run and model"),
        ],
    )
    def test_a_name_stands_for_lines(self, called: str, lines: list[RunEntry]) -> None:
        assert list(resolve_side(called, self.LINES).lines) == lines

    def test_a_model_may_be_called_without_its_address_where_that_leaves_no_doubt(self) -> None:
        here, there = f"{A}@http://here/v1", f"{A}@http://there/v1"
        assert resolve_side(A, [line("one", here)]).lines == (line("one", here),)
        with raises(UserError, here, there):
            resolve_side(A, [line("one", here), line("one", there)])

    def test_a_name_that_does_not_exist_gets_the_nearest(self) -> None:
        with raises(UserError, "'mondya'", "'monday'"):
            resolve_side("mondya", self.LINES)

    def test_two_runs_meet_on_the_models_that_both_have(self) -> None:
        found = match_rows(resolve_side("monday", self.LINES), resolve_side("tuesday", self.LINES))
        assert found == [(line("monday", A), line("tuesday", A))]

    def test_two_runs_of_one_model_each_meet_whatever_the_models_are(self) -> None:
        lines = [line("one", A), line("two", B)]
        assert match_rows(resolve_side("one", lines), resolve_side("two", lines)) == [(lines[0], lines[1])]

    def test_two_models_meet_in_the_run_that_has_both(self) -> None:
        lines = [line("monday", A), line("monday", B), line("tuesday", A)]
        assert match_rows(resolve_side(A, lines), resolve_side(B, lines)) == [(lines[0], lines[1])]

    def test_what_could_be_meant_in_two_ways_or_none(self) -> None:
        cases: dict[str, tuple[list[RunEntry], tuple[str, str], tuple[str, ...]]] = {
            "runs": ([line("x", A), line("x", B), line("y", A), line("y", B)], (A, B), ("x/", "y/", "RUN/MODEL")),
            "models": ([line("x", A), line("y", B), line("y", C)], ("x", "y"), ("x", "y")),
            "tasks": ([line("x", A), line("y", B, "motion/twin")], (A, B), (A, B)),
            "itself": ([line("x", A)], (A, A), (A,)),
        }
        for name, (lines, (first, second), data) in cases.items():
            with case(name), raises(UserError, *data):
                match_rows(resolve_side(first, lines), resolve_side(second, lines))


class TestNumbers:
    def test_question_by_question(self, tmp_path: Path) -> None:
        """14 questions of 7 clips: A is right on all, B on every second one."""
        (found,) = compared(tmp_path, Plan({A: GOOD, B: HALF}), names=(A, B))
        assert found.means == (1.0, 0.5)
        assert (found.paired.difference, found.paired.n, found.paired.clusters) == (0.5, 14, 7)
        assert (found.paired.wins, found.paired.losses, found.paired.ties) == (7, 0, 7)
        assert [flip.better for flip in found.flips] == [0] * 7

    def test_one_question_to_a_clip_is_mcnemars_test(self, tmp_path: Path) -> None:
        (found,) = compared(tmp_path, Plan({A: GOOD, B: HALF}, items=20, trials=1), names=(A, B))
        assert found.paired.p == pytest.approx(binomtest(10, 10, 0.5).pvalue)

    def test_the_other_way_round_it_is_the_negative(self, tmp_path: Path) -> None:
        plan = Plan({A: (RIGHT, RIGHT, WRONG), B: HALF, C: BAD}, items=20)
        (one,), (other,) = (compared(tmp_path, plan, names=names) for names in ((A, B), (B, A)))
        assert one.paired.difference == -other.paired.difference
        assert one.paired.interval == tuple(-end for end in reversed(other.paired.interval or ()))
        assert (one.paired.p, one.holm) == (other.paired.p, other.holm)

    def test_the_family_is_all_pairs_of_the_task_in_the_runs(self, tmp_path: Path) -> None:
        (found,) = compared(tmp_path, Plan({A: GOOD, B: HALF, C: BAD}, items=20), names=(A, B))
        assert found.family == 3
        with open_ledger(tmp_path / "ledger.db", read_only=True) as ledger:
            played = pairwise_comparisons(read_results(ledger, [summary.run for summary in ledger.run_summaries()]))
        assert [one.holm for one in played] == holm_adjust([one.paired.p for one in played])
        assert found.holm >= found.paired.p

    def test_a_test_that_favours_the_other_side_claims_nothing(self) -> None:
        """Many screens with one target each go to the second, few with many targets to the first."""
        sizes = [1] * 120 + [20] * 30
        clusters = [screen for screen, size in enumerate(sizes) for _ in range(size)]
        first = [float(sizes[screen] > 1 or screen % 3 == 0) for screen in clusters]
        second = [float(sizes[screen] == 1 or screen % 2 == 0) for screen in clusters]
        paired = compare_paired(first, second, clusters)
        low, _ = paired.interval or (0.0, 0.0)
        assert low > 0
        assert paired.p < 0.001
        assert paired.effect is not None
        assert paired.effect < 0.5
        assert not is_significant(paired, paired.p)

    def test_what_failed_on_one_side_is_left_out_and_told(self, tmp_path: Path) -> None:
        plan = Plan({A: (FAILED, RIGHT), B: HALF}, items=10)
        (found,) = compared(tmp_path, plan, names=(A, B))
        assert found.paired.n == 10
        assert found.differing == (), "both were asked the same"
        assert warnings([found])
        assert not warnings(compared(tmp_path / "whole", Plan({A: GOOD, B: HALF}, items=10), names=(A, B)))


class TestRefusals:
    """Nothing but the model may differ, unless the user says so."""

    @pytest.mark.parametrize(
        ("changed", "kind"),
        [
            pytest.param({"prompts": {EFFECT: "other"}}, DifferenceKind.PROMPTS, id="prompts"),
            pytest.param({"parameters": {EFFECT: {"temperature": 1}}}, DifferenceKind.SAMPLING, id="sampling"),
            pytest.param({"fps": "5"}, DifferenceKind.INPUT, id="input"),
            pytest.param({"order": {EFFECT: "fixed"}}, DifferenceKind.PROTOCOL, id="protocol"),
            pytest.param({"judge": "openai:judge"}, DifferenceKind.JUDGE, id="judge"),
        ],
    )
    def test_settings(
        self,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        changed: dict[str, str | dict[str, str]],
        kind: DifferenceKind,
    ) -> None:
        plans = Plan({A: GOOD}, "one"), Plan({A: HALF}, "two", settings=changed)
        with raises(UserError, f"--allow-different {kind}"):
            compared(tmp_path, *plans, names=("one", "two"))
        (found,) = compared(tmp_path, names=("one", "two"), despite=(kind,))
        assert found.names == ("one", "two")
        print_comparison([found], 0)
        assert kind in capsys.readouterr().out.splitlines()[0]

    def test_questions(self, tmp_path: Path) -> None:
        plans = Plan({A: GOOD}, "one", items=6), Plan({A: HALF}, "two", items=8)
        with pytest.raises(UserError) as caught:
            compared(tmp_path, *plans, names=("one", "two"))
        assert {12, 0, 4} <= {*numbers_in(str(caught.value))}

    def test_two_models_of_one_run_are_not_refused(self, tmp_path: Path) -> None:
        assert compared(tmp_path, Plan({A: GOOD, B: BAD}), names=(A, B))


class TestWords:
    def test_a_difference_that_holds_and_one_that_does_not(self, tmp_path: Path) -> None:
        sure, *others = (
            summary(compared(tmp_path / name, plan, names=names))[0]
            for name, plan, names in (
                ("sure", Plan({A: GOOD, B: HALF}, items=40, trials=1), (B, A)),
                ("alike", Plan({A: GOOD, B: HALF}, items=20), (A, B)),
                (
                    "unsure",
                    Plan({A: (RIGHT, WRONG, RIGHT), B: (RIGHT, RIGHT, WRONG, WRONG)}, items=12, trials=1),
                    (A, B),
                ),
                ("right", Plan({A: GOOD, B: GOOD}), (A, B)),
            )
        )
        alike, unsure, same = others
        assert sure.index(A) < sure.index(B), "the better one first"
        assert all(one in sure for one in (A, B, "50.0 ", "95%"))
        assert all(one in alike for one in (A, B, "50.0 "))
        assert A in unsure
        assert len({wording(one) for one in (sure, alike, unsure, same)}) == 4
        for script, items in ((BAD, 7), (GOOD, 1), (BAD, 1)):
            plan = Plan({A: script, B: script}, items=items)
            (said,) = summary(compared(tmp_path / f"{script[0]}-{items}", plan, names=(A, B)))
            assert wording(said) == wording(same)

    def test_few_questions_say_so_and_no_difference_exceeds_a_hundred_points(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        numbers = {}
        for items in (2, 5, 6):
            plan = Plan({A: GOOD, B: (*BAD * (items - 1), RIGHT)}, items=items, trials=1)
            (found,) = compared(tmp_path / str(items), plan, names=(A, B))
            interval = found.paired.interval
            assert interval is not None
            assert -1 <= interval[0] <= found.paired.difference <= interval[1] <= 1
            assert found.detectable is None or found.detectable <= 1
            print_comparison([found], 0)
            assert capsys.readouterr().out
            numbers[items] = [numbers_in(one)[:2] for one in warnings([found])]
        assert [2, 2] in numbers[2]
        assert [5, 5] in numbers[5]
        assert [6, 6] not in numbers[6], "six are enough"

    def test_markup_in_names_stays_text(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        odd = "openai:[bold]<b>x</b>[/]"
        print_comparison(compared(tmp_path, Plan({odd: GOOD, B: BAD}), names=(odd, B)), 5)
        assert odd in capsys.readouterr().out

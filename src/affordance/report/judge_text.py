"""The calibration of a judge as a sentence and as tables."""

from collections.abc import Mapping
from typing import Any

from affordance.core.formatting import MISSING, Unit, count_noun, format_count, format_percent
from affordance.core.table import Column, Table
from affordance.judging.judgements import JUDGE_SPECS
from affordance.report.judge_status import CalibrationState, JudgeStatus
from affordance.stats.judge_correction import MIN_LABELS

_HOW_TO_CALIBRATE = "Calibrate it with `affordance judge sample` and `affordance judge certify`."

Facts = Mapping[str, Any]  # the measurements of a calibration


def describe_judge(status: JudgeStatus) -> str:
    """The judge of a run, and its calibration."""
    match status.state:
        case CalibrationState.CERTIFIED:
            facts: Facts = status.facts or {}
            labels = f"{count_noun(facts['labels'], 'human label')} of {' and '.join(facts['datasets'])}"
            parts = (_agreement(facts), _consistency(facts), _order_effect(facts), _unparsed(facts))
            text = "; ".join(part for part in parts if part)
            return f"Judged by {status.judge}, calibrated on {labels}: {text}.{_reliability(facts)}{_simulated(facts)}"
        case CalibrationState.VOID:
            changed = " and ".join(status.changed)
            return (
                f"Judged by {status.judge}, not calibrated for this run: the stored calibration used {changed}. "
                f"{_HOW_TO_CALIBRATE}"
            )
        case CalibrationState.UNCERTIFIED:
            return f"Judged by {status.judge}, not calibrated on this task. {_HOW_TO_CALIBRATE}"


def calibration_table(facts: Facts) -> Table:
    """All measurements of a calibration."""
    agreement, repeats, order, effort = (facts[name] for name in ("agreement", "consistency", "order", "effort"))
    is_yes_no = JUDGE_SPECS[facts["task"]].scale is None
    rows = [
        ("labels", _labels(facts)),
        ("agreement of the people, alpha", _number(facts["alpha_of_labellers"])),
        *(_yes_no_rows(agreement) if is_yes_no else _scale_rows(agreement)),
        ("unparsed, %", format_percent(facts["unread"])),
    ]
    if repeats is not None:
        rows.append((f"all {repeats['repeats']} repeats equal, %", format_percent(repeats["all_equal"])))
        rows.append(("pairs of repeats equal, %", format_percent(repeats["pairs_equal"])))
    if order is not None:
        rows.append(("depends on the order of the texts, %", format_percent(order["changed"])))
        rows.append(("judged text first minus second, points", f"{order['shift']:+.2f}"))
    rows += [
        ("responses", format_count(effort["replies"])),
        (
            "input tokens, output tokens",
            f"{format_count(effort['input_tokens'])}, {format_count(effort['output_tokens'])}",
        ),
        ("US dollars", MISSING if effort["usd"] is None else f"{effort['usd']:.4f}"),
        ("seconds per response", f"{effort['seconds'] / max(1, effort['replies']):.2f}"),
    ]
    return Table.of("calibration", "", ["measurement", Column("value", align="right")], rows)


def calibration_by_model(facts: Facts) -> Table:
    """Agreement of the judge with people, for the answers of each model."""
    is_scale = JUDGE_SPECS[facts["task"]].scale is not None
    unit = Unit.SCORE if is_scale else Unit.PERCENT
    last = Column("difference", "mean difference", Unit.SCORE) if is_scale else Column("kappa", unit=Unit.RATIO)
    said = "mean" if is_scale else "yes"
    columns = (
        Column("model"), Column("labels", unit=Unit.COUNT), Column("agreement", unit=Unit.PERCENT),
        Column("people", f"people, {said}", unit), Column("judge", f"judge, {said}", unit), last,
    )  # fmt: skip
    rows = [
        (model, one["n"], one["share"], one["base"], one["judged"], one["difference" if is_scale else "kappa"])
        for model, one in facts["by_model"].items()
    ]
    return Table.of("calibration/models", "", columns, rows)


def _labels(facts: Facts) -> str:
    excluded = [(facts["empty"], "empty"), (facts["tied"], "tied")]
    left_out = ", ".join(f"{number} {what}" for number, what in excluded if number)
    people = count_noun(facts["labellers"], "labeller")
    simulated = ", simulated" if facts.get("synthetic") else ""
    return f"{format_count(facts['labels'])} by {people}{simulated}{f' ({left_out}, left out)' if left_out else ''}"


def _yes_no_rows(agreement: Facts) -> list[tuple[str, str]]:
    return [
        ("agreement, %", format_percent(agreement["share"])),
        ("agreement by chance, %", format_percent(agreement["chance"])),
        ("kappa", _with_interval(agreement["kappa"], agreement["kappa_interval"])),
        ("base rate: people say yes, %", format_percent(agreement["base"])),
        ("the judge says yes, %", format_percent(agreement["judged"])),
        ("of people's yes, the judge says yes, %", format_percent(agreement["yes_found"])),
        ("of people's no, the judge says no, %", format_percent(agreement["no_found"])),
    ]


def _scale_rows(agreement: Facts) -> list[tuple[str, str]]:
    return [
        ("equal to the nearest point, %", format_percent(agreement["share"])),
        ("at most one point apart, %", format_percent(agreement["within_one"])),
        ("mean absolute difference, points", _number(agreement["difference"])),
        ("alpha, of intervals", _number(agreement["alpha_interval"])),
        ("alpha, of ranks", _number(agreement["alpha_ordinal"])),
        ("people give on average", _number(agreement["base"])),
        ("the judge gives on average", _number(agreement["judged"])),
    ]


def _reliability(facts: Facts) -> str:
    found = facts["agreement"]
    beyond = (
        found["alpha_interval"]
        if JUDGE_SPECS[facts["task"]].scale is not None
        else (found["kappa_interval"] or [None])[0]
    )
    said = " Agreement is not shown to be better than chance." if beyond is None or beyond <= 0 else ""
    few = f" Fewer than {MIN_LABELS} labels: unreliable." if facts["labels"] < MIN_LABELS else ""
    return said + few


def _simulated(facts: Facts) -> str:
    return " The labels are simulated: they are not labels of people." if facts.get("synthetic") else ""


def _agreement(facts: Facts) -> str:
    found = facts["agreement"]
    if found["share"] is None:
        return "no response could be parsed"
    if JUDGE_SPECS[facts["task"]].scale is None:
        return (
            f"it agrees with people on {format_percent(found['share'])}% (kappa {_number(found['kappa'])}; base rate "
            f"{format_percent(found['base'])}% yes)"
        )
    return (
        f"it gives the score of people on {format_percent(found['share'])}% and is {_number(found['difference'])} "
        "points off on "
        f"average (alpha {_number(found['alpha_interval'])}; people give {_number(found['base'])} on average)"
    )


def _consistency(facts: Facts) -> str:
    found = facts["consistency"]
    return (
        f"all {found['repeats']} repeats are equal on {format_percent(found['all_equal'])}%"
        if found is not None
        else ""
    )


def _order_effect(facts: Facts) -> str:
    found = facts["order"]
    return f"the order of the texts matters on {format_percent(found['changed'])}%" if found is not None else ""


def _unparsed(facts: Facts) -> str:
    return f"{format_percent(facts['unread'])}% of its responses could not be parsed" if facts["unread"] else ""


def _number(value: float | None) -> str:
    return MISSING if value is None else f"{round(value, 2) + 0.0:.2f}"  # no minus before a zero


def _with_interval(value: float | None, interval: tuple[float, float] | None) -> str:
    return _number(value) if interval is None else f"{_number(value)} ({interval[0]:.2f} to {interval[1]:.2f})"

"""Warnings about a row: its dialect, parameters that were not sent as set, and which model really answered."""

from collections.abc import Iterable, Mapping, Sequence

from affordance.core.attempts import AttemptResult
from affordance.core.errors import UserError
from affordance.core.formatting import count_noun, format_count, join_names
from affordance.core.json_text import Json
from affordance.core.model_name import BUILTIN_PROVIDERS, ModelName
from affordance.grounding.calibration import CANDIDATES, better_coordinates, calibration_answers, describe_coordinates
from affordance.grounding.dialects import find_dialect
from affordance.ledger import ResponseCount, RunRecord
from affordance.models.adaptation import Adaptation
from affordance.models.served_names import is_same_model

NAME, OPTION, CALIBRATION, UNKNOWN, ITSELF = "name", "option", "calibration", "unknown", "itself"
BUILT_IN_PROVIDERS = tuple(f"{provider}:" for provider in BUILTIN_PROVIDERS)


def requested_dialect(sent: Sequence[Mapping[str, Json]]) -> str:
    """The dialect of the requests, where they had one."""
    return next((str(one["dialect"]) for one in sent if one.get("dialect")), "")


def dialect_source(run: RunRecord, dialect: str, model: str) -> str:
    if not dialect:
        return ""
    match run.settings.get("dialect"):
        case None:
            return ITSELF if model.startswith(BUILT_IN_PROVIDERS) else UNKNOWN if dialect == "default" else NAME
        case "calibrated":
            return CALIBRATION
        case _:
            return OPTION


def _odd_answers(outcomes: Sequence[AttemptResult]) -> list[str]:
    """Answers that were parsed, but not in the requested format."""
    verdicts = [o.verdict for o in outcomes if o.verdict is not None and o.verdict.answer is not None]
    loose = sum(bool(verdict.detail.get("fallback")) for verdict in verdicts)
    if not loose:
        return []
    return [f"{loose} of {len(verdicts)} answers were not in the format of the dialect and were parsed as free text."]


def dialect_warnings(outcomes: Sequence[AttemptResult], dialect: str, decided: str) -> list[str]:
    """Warnings only: scores do not change."""
    if not dialect:
        return []
    said = []
    if decided == UNKNOWN:
        said.append(
            "Its name matches no dialect, so the default one was used. `affordance calibrate` determines the dialect; "
            "set it with --dialect."
        )
    said += _odd_answers(outcomes) if decided != ITSELF else []
    heard = find_dialect(dialect)
    if heard is None:
        missing = f"Its dialect {dialect!r} is not installed, so its coordinates are not checked against others"
        return [*said, f"{missing}. Install the package that provides it."]
    once = [outcome for outcome in outcomes if outcome.trial == 0]  # further trials are near copies
    better = better_coordinates(heard.coordinates, calibration_answers(once, heard), CANDIDATES)
    if better is not None:
        p = "< 0.001" if better.p_value < 0.001 else f"= {better.p_value:.3f}"
        said.append(
            f"Read as {better.coordinates} ({describe_coordinates(heard.with_coordinates(better.coordinates))}), "
            f"{better.hits} of {better.n} answers would be right, against {better.current_hits} as "
            f"{heard.coordinates} (p {p}). Scores are unchanged: calibrate the model, or set --dialect."
        )
    return said


def unlike_settings(adaptations: Sequence[Adaptation], model: str) -> list[str]:
    """Parameters that were not sent as set, to the model of a row or to its judge."""
    return [f"{'It' if one.model == model else f'Its judge {one.model}'} {one.description}." for one in adaptations]


def response_warnings(counts: Iterable[ResponseCount], task: str, model: str, strategy: str) -> list[str]:
    """Warnings about the responses of a row: those of its model and of its judge."""
    of_task = [one for one in counts if one.task == task]
    own = [one for one in of_task if not one.is_judgement and (one.model, one.strategy) == (model, strategy)]
    judges = [one for one in of_task if one.is_judgement]
    said = _other_names(own, "It")
    if (responses := sum(one.responses for one in own)) and responses == sum(one.empty for one in own):
        said.append(
            f"All of its responses ({format_count(responses)}) are empty. A thinking model may need a higher "
            "max_tokens; `affordance doctor --model` shows what it answers."
        )
    return said + _other_names(judges, "Its judge")


def _other_names(counts: Sequence[ResponseCount], who: str) -> list[str]:
    others = [one for one in counts if one.served_by and not _is_of(one)]
    if not others:
        return []
    names = join_names(list(dict.fromkeys(one.served_by for one in others)))
    responses = sum(one.responses for one in others)
    return [
        f"{who} was served under another name in {count_noun(responses, 'response')}: {names}. Check which model the "
        "endpoint serves, and request it by that name."
    ]


def _is_of(one: ResponseCount) -> bool:
    """Whether a served name is one of the model. For models that are no service any name is."""
    try:
        name = ModelName.parse(one.model)
    except UserError:
        return True
    return name.provider in BUILTIN_PROVIDERS or is_same_model(name.model, one.served_by)

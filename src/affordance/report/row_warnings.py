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
    """The dialect of those asks that had one."""
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
    """Answers that were read, but not in the form that was asked for."""
    verdicts = [o.verdict for o in outcomes if o.verdict is not None and o.verdict.answer is not None]
    loose = sum(bool(verdict.detail.get("fallback")) for verdict in verdicts)
    if not loose:
        return []
    return [f"{loose} of {len(verdicts)} answers were not in the form of the dialect, and were read as any text."]


def dialect_warnings(outcomes: Sequence[AttemptResult], dialect: str, decided: str) -> list[str]:
    """Nothing is scored otherwise for it: a warning is all that comes of it."""
    if not dialect:
        return []
    said = []
    if decided == UNKNOWN:
        said.append(
            "Its name tells no dialect, so it was asked and read in the default one; `affordance calibrate` finds out "
            "how it speaks, and --dialect says so."
        )
    said += _odd_answers(outcomes) if decided != ITSELF else []
    heard = find_dialect(dialect)
    if heard is None:
        missing = f"Its dialect {dialect!r} is unknown here, so its coordinates are not compared with other conventions"
        return [*said, f"{missing}; install the package that adds it."]
    once = [outcome for outcome in outcomes if outcome.trial == 0]  # further trials are near copies
    better = better_coordinates(heard.coordinates, calibration_answers(once, heard), CANDIDATES)
    if better is not None:
        said.append(
            f"Read as {better.coordinates} "
            f"({describe_coordinates(heard.with_coordinates(better.coordinates))}), {better.hits} of "
            f"{better.n} answers would be right, and {better.current_hits} as they were read "
            f"({heard.coordinates}), which "
            f"is hardly chance (p {'below 0.001' if better.p_value < 0.001 else f'= {better.p_value:.3f}'}). "
            "Nothing was scored "
            "again: calibrate the model, or give --dialect."
        )
    return said


def unlike_settings(adaptations: Sequence[Adaptation], model: str) -> list[str]:
    """What was not sent as the settings have it, to the model of a row or to its judge."""
    return [f"{'It' if one.model == model else f'Its judge {one.model}'} {one.description}." for one in adaptations]


def response_warnings(counts: Iterable[ResponseCount], task: str, model: str, strategy: str) -> list[str]:
    """What the responses of a run cast doubt on in one of its rows: those of the model, and those of the judge."""
    of_task = [one for one in counts if one.task == task]
    own = [one for one in of_task if not one.is_judgement and (one.model, one.strategy) == (model, strategy)]
    judges = [one for one in of_task if one.is_judgement]
    said = _other_names(own, "It")
    if (responses := sum(one.responses for one in own)) and responses == sum(one.empty for one in own):
        said.append(
            f"All of its responses ({format_count(responses)}) are empty. A model that thinks may need a "
            "higher max_tokens; "
            "`affordance doctor --model` shows what it answers."
        )
    return said + _other_names(judges, "Its judge")


def _other_names(counts: Sequence[ResponseCount], who: str) -> list[str]:
    others = [one for one in counts if one.served_by and not _is_of(one)]
    if not others:
        return []
    names = join_names(list(dict.fromkeys(one.served_by for one in others)))
    responses = sum(one.responses for one in others)
    return [
        f"{who} was served under another name in {count_noun(responses, 'response')}: {names}. See which model answers "
        "there, and ask for it by its name."
    ]


def _is_of(one: ResponseCount) -> bool:
    """Whether a name is one of the model's. Of what is no service, and of models with names from elsewhere, any is."""
    try:
        name = ModelName.parse(one.model)
    except UserError:
        return True
    return name.provider in BUILTIN_PROVIDERS or is_same_model(name.model, one.served_by)

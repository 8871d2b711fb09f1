"""Warnings about what answered: another model than the one that was asked, or nothing but empty responses."""

from collections.abc import Iterable, Sequence

from affordance.core.errors import UserError
from affordance.core.names import BUILTIN_PROVIDERS, ModelName
from affordance.ledger import ResponseCount
from affordance.models.served_names import is_same_model
from affordance.report.numbers import count_noun, format_count, join_names


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

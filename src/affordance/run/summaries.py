"""Summaries of what people wrote about clips, where they are missing: asked through the same runner as everything else,
and kept with the dataset."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from affordance.core.attempt import Ended
from affordance.core.errors import IncompleteError, UserError
from affordance.core.names import ModelName
from affordance.datasets import Clip, Collection
from affordance.datasets.summaries import Summary, add_summaries, of_one_source, read_summaries, responses_digest
from affordance.ledger import open_ledger
from affordance.models.prices import most_output
from affordance.run.estimate import OTHER_TOKENS, Estimate
from affordance.run.progress import Progress
from affordance.run.session import Request, foresee, perform
from affordance.run.settings import Settings
from affordance.suites.motion.meaning import MEANING, clips_with_meaning
from affordance.suites.motion.references import References
from affordance.suites.motion.summing_up import SUMMARY
from affordance.suites.prompts import load_pack
from affordance.suites.task import Design, Task, Trial

PEOPLE = "baseline:people"


def sum_up(request: Request, summarizer: str, watch: Callable[[Progress], None] = lambda _: None) -> int:
    """Have the clips of a request summed up that are not yet; how many summaries were added."""
    request.settings.check_judge()
    dataset, clips = clips_with_meaning(request.data)
    asking = _asking(request, summarizer)
    if asking is None:
        return 0
    run, progress = perform(asking, watch)
    (name,) = map(str, asking.models)
    if not progress.complete:
        why = progress.interrupted or _why(progress)
        raise IncompleteError(f"summaries by {name} are missing: {why}; run the same command again to go on")
    by_id = {clip.id: clip for clip in clips}
    known, prompt = _known(request, name), request.settings.summary_prompt(MEANING)
    found = []
    with open_ledger(request.ledger, read_only=True) as ledger:
        for outcome in ledger.outcomes(run.id):
            if outcome.model != name:
                continue  # another summarizer of the same run
            left_out = None if outcome.tags["left out"] == "None" else int(outcome.tags["left out"])
            if (outcome.item, left_out) in known:
                continue
            if outcome.verdict is None or outcome.verdict.ended is not Ended.ANSWERED:
                raise UserError(f"{name} gave no summary of clip {outcome.item!r}; try another --summarizer")
            found.append(_summary(by_id[outcome.item], outcome.verdict.answer or "", name, prompt, left_out))
    add_summaries(dataset, found)
    return len(found)


def foresee_with_summaries(request: Request, summarizer: str) -> list[Estimate]:
    """What a request would ask and cost at most, the summaries that it lacks being the first. Asks nothing and writes
    nothing: where there is no summary yet, a text of its longest length stands in its place."""
    asking = _asking(request, summarizer)
    if asking is None:
        return foresee(request)
    longest = _longest_summary(request, summarizer)
    tasks = tuple(
        _as_if_summed_up(task, longest or 0) if task.name == MEANING.name else task for task in request.settings.tasks
    )
    whole = replace(request, settings=replace(request.settings, tasks=tasks))
    *others, judge = foresee(whole)
    return [*foresee(asking), *others, judge if longest is not None else _without_bound(judge)]


def _longest_summary(request: Request, summarizer: str) -> int | None:
    """In tokens of the judge, which are bytes of the text that stands in its place."""
    own = request.means.parameters_of.get(str(ModelName.parse(summarizer)), {})
    limit = most_output({**own, **request.settings.parameters})
    return None if limit is None else OTHER_TOKENS * limit


def _without_bound(estimate: Estimate) -> Estimate:
    return replace(estimate, input_tokens=None, cost=None if estimate.cost else estimate.cost)


def _asking(request: Request, summarizer: str) -> Request | None:
    """The request for what is missing; None where nothing is."""
    name = ModelName.parse(summarizer)
    known = _known(request, str(name))
    people = any(str(model) == PEOPLE for model in request.models)  # of whose words one response is left out

    def missing(data: Collection, design: Design) -> Iterator[Trial]:
        for trial in SUMMARY.questions(data, design):
            key = trial.question.item, trial.question.axes["left out"]
            if key not in known and (people or key[1] is None):
                yield trial

    texts = {name: load_pack(MEANING, request.settings.prompts).texts[name] for name in SUMMARY.prompts}
    given = request.settings
    settings = Settings(
        tasks=(replace(SUMMARY, texts=texts, questions=missing),),
        seed=given.seed,
        limit=given.limit,
        parameters=given.parameters,
    )
    if next(missing(request.data, settings.design(SUMMARY)), None) is None:
        return None
    if name.looks_up_answers:
        raise UserError(f"--summarizer {name}: it has recorded answers only and cannot write summaries; name a model")
    return replace(request, settings=settings, models=(name,), name=None)


def _known(request: Request, model: str) -> set[tuple[str, int | None]]:
    """The summaries by this model and this prompt that there are, by clip and by what is left out."""
    dataset, _ = clips_with_meaning(request.data)
    return set(of_one_source(read_summaries(dataset), model, request.settings.summary_prompt(MEANING)))


def _why(progress: Progress) -> str:
    reasons = [reason for model in progress.models.values() for reason, _ in model.reasons.most_common(1)]
    return next(iter(reasons), "some replies are missing")


def _as_if_summed_up(task: Task, longest: int) -> Task:
    def questions(data: Collection, design: Design) -> Iterator[Trial]:
        for trial in task.questions(data, replace(design, references=("individual",))):
            expected = References.from_text(trial.question.truth)
            summary = expected.summary or " ".join(expected.responses).ljust(longest, "x")
            stands = replace(expected, kinds=design.references, summary=summary)
            yield replace(trial, question=replace(trial.question, truth=stands.to_text()))

    return replace(task, questions=questions)


def _summary(clip: Clip, text: str, model: str, prompt: str, left_out: int | None) -> Summary:
    return Summary(clip.id, text, model, prompt, responses_digest(clip.meaning_responses), left_out)

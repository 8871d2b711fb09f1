"""Sources of preferences between two designs: the winner in a dataset, the participants of a study, or a model."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from statistics import fmean

from affordance.author.pairs.ballots import ballots_of, pairs_to_compare
from affordance.author.project import read_record
from affordance.author.study_records import Study
from affordance.core.attempts import AttemptStatus
from affordance.core.errors import InvalidOption, UnknownName, UserError
from affordance.core.json_text import Json
from affordance.core.model_name import STUDY_PREFIX
from affordance.core.question import PairChoice, question_id
from affordance.datasets import Dataset, DesignPair
from affordance.ledger import Ledger, open_ledger
from affordance.models.study_answers import ORDER_AXIS, comparable_value
from affordance.models.study_documents import STUDY_DOCUMENT, valid_answers
from affordance.tasks.behavior.choice import BOTH_ORDERS, CHOICE
from affordance.tasks.strategies import ZERO_SHOT

WINNER = "winner"  # the default source

UNDECIDED, TIED, CONTESTED = "no winner is known", "as many for one design as for the other", "too few agree"
CONTRADICTED = "the votes are against the winner"
UNANSWERED, ONE_ORDER = "without an answer", "answered in one order only"
_EVIDENCE_NAMES = {"tested": "A/B test", "voted": "votes", "constructed": "construction", None: "dataset"}


@dataclass(frozen=True, slots=True)
class PreferenceSignal:
    """The index of the preferred design. `votes` and `agreement` are None where there were no votes."""

    chosen: int
    origin: str
    votes: int | None = None
    agreement: float | None = None


@dataclass(slots=True)
class PreferenceSet:
    """Preferences by pair, and for the other pairs the reason why there is none."""

    origin: str
    signals: dict[str, PreferenceSignal] = field(default_factory=dict)
    excluded: dict[str, str] = field(default_factory=dict)
    synthetic: bool = False  # the answers are simulated

    def add(self, pair: str, found: PreferenceSignal | str) -> None:
        """Add the preference of a pair, or the reason why it has none."""
        if isinstance(found, PreferenceSignal):
            self.signals[pair] = found
        else:
            self.excluded[pair] = found


def load_preferences(
    source: str,
    dataset: Dataset,
    min_agreement: float,
    ledger: str,
    run: str | None = None,
    strategy: str | None = None,
) -> PreferenceSet:
    """Preferences between the designs of each pair.

    Args:
        source: `winner`, `study:NAME`, or a model of a run.
        dataset: The pairs.
        min_agreement: The share of votes that a design needs.
        ledger: The ledger of the study or run.
        run: The run in which the model was evaluated.
        strategy: The strategy of the model, where the run has several.
    """
    for option, given in (("run", run), ("strategy", strategy)):
        if given is not None and (source == WINNER or source.startswith(STUDY_PREFIX)):
            raise InvalidOption(option, f"only for the preferences of a model, found those of {source!r}; leave it out")
    if source == WINNER:
        return from_winners(dataset, min_agreement)
    with open_ledger(ledger, read_only=True) as opened:
        if source.startswith(STUDY_PREFIX):
            return from_study(opened, source.removeprefix(STUDY_PREFIX), dataset, min_agreement)
        if run is None:
            raise InvalidOption("run", f"give the run of {CHOICE.name} in which {source} was evaluated")
        return from_model(opened, run, source, dataset, min_agreement, strategy)


def pairs_in(dataset: Dataset) -> list[DesignPair]:
    """The design pairs of a dataset."""
    return [item for item in dataset.items if isinstance(item, DesignPair)]


def from_winners(dataset: Dataset, min_agreement: float) -> PreferenceSet:
    """The winners that the dataset states. A test counts more than votes, unless the votes contradict it."""
    found = PreferenceSet(WINNER)
    for pair in pairs_in(dataset):
        found.add(pair.id, _from_winner(pair, min_agreement))
    return found


def from_study(ledger: Ledger, name: str, dataset: Dataset, min_agreement: float) -> PreferenceSet:
    """The preferences of participants, in a study of `behavior/choice` on this dataset or in a closed preference study.
    Only valid answers count."""
    studies = {one.subject: one for one in ledger.documents.latest(kind=STUDY_DOCUMENT)}
    if name not in studies:
        raise UnknownName(f"study in {ledger.location}", name, studies)
    study = read_record(studies[name], Study)
    pairs = _pairs_by_key(study, dataset)
    votes: dict[str, Counter[int]] = {}
    for answer in valid_answers(ledger, name):
        key = answer.question if study.form == "task" else answer.slot
        if (found_pair := pairs.get(key)) is not None and "side" in answer.given:
            pair, order = found_pair
            chosen = int(str(comparable_value(answer.given, {ORDER_AXIS: list(order)})["chosen"]))
            votes.setdefault(pair, Counter())[chosen] += 1
    found = PreferenceSet(f"{STUDY_PREFIX}{name}", synthetic=study.synthetic)
    for one in pairs_in(dataset):
        found.add(one.id, _from_votes(votes.get(one.id, Counter()), found.origin, min_agreement))
    return found


def from_model(
    ledger: Ledger, run: str, model: str, dataset: Dataset, min_agreement: float, strategy: str | None = None
) -> PreferenceSet:
    """The choices of a model in a run of `behavior/choice` on this dataset, by one strategy. Each order of the designs
    counts half, which removes position bias."""
    found_run = ledger.find_run(run)
    _check_same(f"run {found_run.name}", found_run.dataset, dataset)
    results = [one for one in ledger.attempt_results(found_run.id) if one.task == CHOICE.name]
    if model not in (models := {one.model for one in results}):
        raise UnknownName(f"model with answers to {CHOICE.name} in run {found_run.name}:", model, models)
    results = [one for one in results if one.model == model]
    strategy = _one_strategy({one.strategy for one in results}, strategy, f"{model} in run {found_run.name}")
    axes, words = ledger.question_axes(found_run.id), (PairChoice().first, PairChoice().second)
    votes: dict[str, dict[tuple[int, ...], Counter[int]]] = {}
    for one in results:
        if one.strategy == strategy and one.verdict is not None and one.verdict.status is AttemptStatus.ANSWERED:
            order = _order(axes[one.question_id])
            chosen = order[words.index(str(one.verdict.answer))]
            votes.setdefault(one.item_id, {}).setdefault(order, Counter())[chosen] += 1
    found = PreferenceSet(model if strategy == ZERO_SHOT else f"{model} ({strategy})")
    for pair in pairs_in(dataset):
        found.add(pair.id, _from_votes_by_order(votes.get(pair.id, {}), found.origin, min_agreement))
    return found


def _one_strategy(known: Collection[str], wanted: str | None, where: str) -> str:
    """The strategy to count: answers of several strategies are never added up."""
    if wanted is not None and wanted not in known:
        raise UnknownName(f"strategy of {where}:", wanted, known)
    if wanted is None and len(known) > 1:
        raise InvalidOption("strategy", f"{where} was evaluated with several, choose one: {', '.join(sorted(known))}")
    return wanted or next(iter(known))


def _from_winner(pair: DesignPair, min_agreement: float) -> PreferenceSignal | str:
    votes = Counter(dict(enumerate(pair.votes or ())))
    if pair.winner is None:
        return TIED if pair.tied else UNDECIDED
    if pair.vote_conflict() is not None:
        return CONTRADICTED
    total = votes.total()
    if total and pair.evidence in ("voted", None):
        return _from_votes(votes, _EVIDENCE_NAMES["voted"], min_agreement)
    return PreferenceSignal(
        pair.winner, _EVIDENCE_NAMES[pair.evidence], total or None, votes[pair.winner] / total if total else None
    )


def _pairs_by_key(study: Study, dataset: Dataset) -> Mapping[str, tuple[str, tuple[int, ...]]]:
    """The pair and the order of its designs, by the key that answers of the study have."""
    if study.form == "preference":
        if not study.closed:
            raise UserError(f"{STUDY_PREFIX}{study.name} is open; close it before its preferences are exported")
        if not study.items:
            _check_same(f"{STUDY_PREFIX}{study.name}", study.dataset, dataset)
        names = list(study.items) or [pair.id for pair in pairs_to_compare(dataset)]
        return {one.id: (one.pair, one.order) for one in ballots_of(study, names)}
    if study.form != "task" or study.task != CHOICE.name:
        subject = study.task or study.form
        raise UserError(
            f"{STUDY_PREFIX}{study.name} is a study of {subject}; choose one of {CHOICE.name} or of preferences"
        )
    _check_same(f"{STUDY_PREFIX}{study.name}", study.dataset, dataset)
    return {
        question_id(CHOICE.name, pair.id, {ORDER_AXIS: list(order), **goal}): (pair.id, order)
        for pair in pairs_in(dataset)
        for order in BOTH_ORDERS
        for goal in ({}, {"goal": "shown"})
    }


def _check_same(what: str, about: Mapping[str, Json], dataset: Dataset) -> None:
    if (digest := dataset.digest()) != about.get("digest"):
        raise UserError(
            f"{what} is on dataset {about.get('name')!r} (digest {about.get('digest')}), not on {dataset.name!r} "
            f"(digest {digest}); give the dataset that it is on"
        )


def _order(axes: Mapping[str, Json]) -> tuple[int, ...]:
    order = axes[ORDER_AXIS]
    assert isinstance(order, list)
    return tuple(int(str(place)) for place in order)


def _from_votes(votes: Counter[int], origin: str, min_agreement: float) -> PreferenceSignal | str:
    """The preference of a majority, each vote counting the same."""
    if not (total := votes.total()):
        return UNANSWERED
    return _from_share(votes[1] / total, total, origin, min_agreement)


def _from_votes_by_order(
    votes: Mapping[tuple[int, ...], Counter[int]], origin: str, min_agreement: float
) -> PreferenceSignal | str:
    """The preference of a majority, each order of the designs counting the same."""
    if not votes:
        return UNANSWERED
    if len(votes) < len(BOTH_ORDERS):
        return ONE_ORDER
    share = fmean(one[1] / one.total() for one in votes.values())
    return _from_share(share, sum(one.total() for one in votes.values()), origin, min_agreement)


def _from_share(share: float, total: int, origin: str, min_agreement: float) -> PreferenceSignal | str:
    """The preference for the design with most votes; `share` is the share of the second design."""
    if share == 0.5:
        return TIED
    chosen = int(share > 0.5)
    agreement = share if chosen else 1 - share
    return PreferenceSignal(chosen, origin, total, agreement) if agreement >= min_agreement else CONTESTED

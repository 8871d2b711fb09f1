"""A preference set as a folder: `data/train`, `data/test` where a share is held back, the pictures, and a card."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from affordance.author.exchange.files import empty_folder
from affordance.author.pairs.ballots import why_not_compared
from affordance.core.digest import digest, digest_file
from affordance.core.errors import UserError
from affordance.datasets import Dataset, Pair
from affordance.datasets.carry import media_errors_of
from affordance.datasets.clusters import shared_image_clusters
from affordance.integrations.preferences.card import preference_card
from affordance.integrations.preferences.files import WRITERS
from affordance.integrations.preferences.made import PreferenceOptions, PreferenceReport, format_exclusions
from affordance.integrations.preferences.rows import PreferenceStyle, preference_rows
from affordance.integrations.preferences.signals import PreferenceSet, PreferenceSignal, pairs_in

TRAIN, TEST = "train", "test"


def export_preferences(
    dataset: Dataset, preferences: PreferenceSet, folder: Path, options: PreferenceOptions
) -> PreferenceReport:
    """Write into a new or empty folder. The same data gives the same rows, in the order of their ids."""
    pairs = pairs_in(dataset)
    kept, why = _split_off_excluded(dataset, pairs, preferences)
    if not kept:
        raise UserError(f"expected pairs of which one design is preferred, found none: {format_exclusions(why)}")
    made = PreferenceReport(
        folder=folder,
        style=options.style,
        signals=dict(sorted(Counter(one.origin for one in kept.values()).items())),
        left_out=why,
        synthetic=dataset.header.synthetic or preferences.synthetic,
    )
    parts = _train_test_split(dataset, [pair for pair in pairs if pair.id in kept], options)
    empty_folder(folder)
    (folder / "data").mkdir()
    for name, ids in parts.items():
        of_part = {one: kept[one] for one in ids}
        made.pairs[name] = len(of_part)
        made.rows[name] = len(of_part) * (2 if options.style is PreferenceStyle.ANSWERS else 1)
        found = preference_rows(dataset, of_part, options.style, goal=options.goal, synthetic=preferences.synthetic)
        WRITERS[options.form](folder / "data" / f"{name}.{options.form}", found)
    (folder / "README.md").write_text(preference_card(dataset, options.form, made), encoding="utf-8")
    return made


def _split_off_excluded(
    dataset: Dataset, pairs: Sequence[Pair], preferences: PreferenceSet
) -> tuple[dict[str, PreferenceSignal], dict[str, int]]:
    why: Counter[str] = Counter()
    kept = {}
    for pair in pairs:
        with media_errors_of(pair):
            reason = preferences.excluded.get(pair.id) or why_not_compared(dataset, pair)
        if reason:
            why[reason] += 1
        else:
            kept[pair.id] = preferences.signals[pair.id]
    return kept, dict(sorted(why.items()))


def _train_test_split(dataset: Dataset, pairs: Sequence[Pair], options: PreferenceOptions) -> dict[str, list[str]]:
    """Pairs that share a picture, or a cluster, are on the same side. Which are held back depends on seed and ids."""
    if not options.test:
        return {TRAIN: [pair.id for pair in pairs]}
    of = shared_image_clusters(
        (pair.id, [*(digest_file(dataset.file(one)) for one in pair.images), *([pair.cluster] if pair.cluster else [])])
        for pair in pairs
    )
    held: set[str] = set()
    for name in sorted(set(of.values()), key=lambda name: digest("held back", options.seed, name)):
        if sum(one in held for one in of.values()) >= options.test * len(pairs):
            break
        held.add(name)
    parts = {name: [one for one in of if (of[one] in held) == (name == TEST)] for name in (TRAIN, TEST)}
    if not parts[TRAIN]:
        raise UserError(
            f"--test {options.test}: expected pairs to train with beside those that are held back, found none, as all "
            f"{len(pairs)} pairs are held back or share pictures with those; give less, or leave it out"
        )
    return parts

"""A preference set as a folder: `data/train`, `data/test` where a share is held back, the pictures, and a card."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from affordance.author.exchange.files import empty_folder
from affordance.author.pairs.ballots import why_not_compared
from affordance.bridge.preferences.card import card
from affordance.bridge.preferences.files import WRITERS
from affordance.bridge.preferences.made import Made, Wanted, told
from affordance.bridge.preferences.rows import Style, rows
from affordance.bridge.preferences.signals import Signal, Signals, pairs_in
from affordance.core.digest import digest, digest_file
from affordance.core.errors import UserError
from affordance.datasets import Dataset, Pair
from affordance.datasets.carry import looking_at
from affordance.datasets.clusters import clusters

TRAIN, TEST = "train", "test"


def write_preferences(dataset: Dataset, signals: Signals, folder: Path, wanted: Wanted) -> Made:
    """Write into a new or empty folder. The same data gives the same rows, in the order of their ids."""
    pairs = pairs_in(dataset)
    kept, why = _sorted_out(dataset, pairs, signals)
    if not kept:
        raise UserError(f"expected pairs of which one design is preferred, found none: {told(why)}")
    made = Made(
        folder=folder,
        style=wanted.style,
        signals=dict(sorted(Counter(one.origin for one in kept.values()).items())),
        left_out=why,
        synthetic=dataset.header.synthetic or signals.synthetic,
    )
    parts = _parts(dataset, [pair for pair in pairs if pair.id in kept], wanted)
    empty_folder(folder)
    (folder / "data").mkdir()
    for name, ids in parts.items():
        of_part = {one: kept[one] for one in ids}
        made.pairs[name] = len(of_part)
        made.rows[name] = len(of_part) * (2 if wanted.style is Style.ANSWERS else 1)
        found = rows(dataset, of_part, wanted.style, goal=wanted.goal, synthetic=signals.synthetic)
        WRITERS[wanted.form](folder / "data" / f"{name}.{wanted.form}", found)
    (folder / "README.md").write_text(card(dataset, wanted.form, made), encoding="utf-8")
    return made


def _sorted_out(dataset: Dataset, pairs: Sequence[Pair], signals: Signals) -> tuple[dict[str, Signal], dict[str, int]]:
    why: Counter[str] = Counter()
    kept = {}
    for pair in pairs:
        with looking_at(pair):
            reason = signals.without.get(pair.id) or why_not_compared(dataset, pair)
        if reason:
            why[reason] += 1
        else:
            kept[pair.id] = signals.by_pair[pair.id]
    return kept, dict(sorted(why.items()))


def _parts(dataset: Dataset, pairs: Sequence[Pair], wanted: Wanted) -> dict[str, list[str]]:
    """Pairs that share a picture, or a cluster, are on the same side. Which are held back depends on seed and ids."""
    if not wanted.test:
        return {TRAIN: [pair.id for pair in pairs]}
    of = clusters(
        (pair.id, [*(digest_file(dataset.file(one)) for one in pair.images), *([pair.cluster] if pair.cluster else [])])
        for pair in pairs
    )
    held: set[str] = set()
    for name in sorted(set(of.values()), key=lambda name: digest("held back", wanted.seed, name)):
        if sum(one in held for one in of.values()) >= wanted.test * len(pairs):
            break
        held.add(name)
    parts = {name: [one for one in of if (of[one] in held) == (name == TEST)] for name in (TRAIN, TEST)}
    if not parts[TRAIN]:
        raise UserError(
            f"--test {wanted.test}: expected pairs to train with beside those that are held back, found none, as all "
            f"{len(pairs)} pairs are held back or share pictures with those; give less, or leave it out"
        )
    return parts

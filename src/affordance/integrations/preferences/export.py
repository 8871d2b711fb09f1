"""Export of a preference set: a folder with rows for training and test, the images, and a card."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from affordance import media
from affordance.author.exchange.files import empty_folder
from affordance.author.pairs.ballots import why_not_compared
from affordance.core.digest import digest, digest_file
from affordance.core.errors import InvalidOption, UserError
from affordance.core.media_spec import ImageSpec
from affordance.datasets import Dataset, DesignPair
from affordance.datasets.pairs import media_errors_of, shared_image_clusters
from affordance.integrations.hub.card import licence_metadata
from affordance.integrations.preferences.rows import PreferenceRow, preference_rows
from affordance.integrations.preferences.sources import PreferenceSet, PreferenceSignal, pairs_in

TRAIN, TEST = "train", "test"
IMAGES_FOLDER = "images"
ROWS_PER_PAIR = 2  # both orders of the designs

_CARD = Template("""\
---
$licence_yaml
pretty_name: $name_yaml
tags:
- preference
- dpo
- affordance
configs:
- config_name: default
  data_files:
$splits
---

# Preferences from $name

The prompt shows two designs of a page and asks which one is more effective, in the words that Affordance uses for
models. `chosen` names the preferred design, `rejected` the other one, after the same reasons where people gave some.
Each pair appears in both orders.

| split | pairs | rows |
|---|---:|---:|
$counts

- **Source of the preference**: $signals. Excluded: $excluded.
- **Dataset**: $name, digest `$digest`. Licence: $licence. Provenance: $provenance.
- **Synthetic**: $synthetic

Each row has `prompt`, `chosen`, `rejected` and `images`; the images are in the order in which the messages refer to
them. `item`, `dataset` and `digest` identify the pair, `signal`, `votes` and `agreement` the source of the preference,
and `order` the order of the designs.

## Do not evaluate on the training data

A model that was trained with these rows has seen the answers to the same items. Its accuracy on the dataset with digest
`$digest` is not an evaluation. Use other pairs, or exclude every `item` that is listed here.

## Loading

```python
from pathlib import Path

from datasets import Image, Sequence, load_dataset

folder = Path("FOLDER").absolute()
rows = load_dataset(str(folder))
rows = rows.map(lambda row: {"images": [str(folder / image) for image in row["images"]]})
rows = rows.cast_column("images", Sequence(Image()))
```
""")


@dataclass(frozen=True, slots=True)
class PreferenceOptions:
    """Options of an export. `test` is the share of pairs that is held back."""

    show_goal: bool = True
    test: float = 0.0
    seed: int = 0


@dataclass(slots=True)
class PreferenceReport:
    """What was exported: pairs and rows by split, pairs by source of the preference, excluded pairs by reason."""

    folder: Path
    signals: dict[str, int]
    left_out: dict[str, int]
    synthetic: bool
    pairs: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    style: str = "answers"  # the layout of the rows; stored, with one value since version 2


def format_exclusions(exclusions: Mapping[str, int]) -> str:
    """How many pairs were excluded, and why."""
    return ", ".join(f"{count} ({reason})" for reason, count in exclusions.items()) or "none"


def export_preferences(
    dataset: Dataset, preferences: PreferenceSet, folder: Path, options: PreferenceOptions
) -> PreferenceReport:
    """Write a preference set into a new or empty folder. Rows and their order depend on the data and options only."""
    pairs = pairs_in(dataset)
    kept, excluded = _split_off_excluded(dataset, pairs, preferences)
    if not kept:
        raise UserError(f"no pair has a preferred design: {format_exclusions(excluded)}")
    report = PreferenceReport(
        folder=folder,
        signals=dict(sorted(Counter(one.origin for one in kept.values()).items())),
        left_out=excluded,
        synthetic=dataset.header.synthetic or preferences.synthetic,
    )
    splits = _train_test_split(dataset, [pair for pair in pairs if pair.id in kept], options)
    empty_folder(folder)
    (folder / "data").mkdir()
    for name, ids in splits.items():
        signals = {one: kept[one] for one in ids}
        report.pairs[name] = len(signals)
        report.rows[name] = len(signals) * ROWS_PER_PAIR
        rows = preference_rows(dataset, signals, show_goal=options.show_goal, synthetic=preferences.synthetic)
        _write_rows(folder, name, rows)
    (folder / "README.md").write_text(preference_card(dataset, report), encoding="utf-8")
    return report


def preference_card(dataset: Dataset, report: PreferenceReport) -> str:
    """`README.md` of a preference set."""
    header = dataset.header
    synthetic = (
        "Yes. Pages or answers are simulated and are no evidence of user behaviour." if report.synthetic else "No."
    )
    return _CARD.substitute(
        name=header.name,
        name_yaml=json.dumps(f"Preferences from {header.name}", ensure_ascii=False),
        licence=header.licence,
        licence_yaml="\n".join(licence_metadata(header.licence)),
        provenance=header.provenance,
        digest=dataset.digest(),
        splits="\n".join(f"  - split: {split}\n    path: data/{split}.jsonl" for split in report.rows),
        counts="\n".join(f"| {split} | {report.pairs[split]} | {count} |" for split, count in report.rows.items()),
        signals=", ".join(f"{origin} ({count} pairs)" for origin, count in report.signals.items()),
        excluded=format_exclusions(report.left_out),
        synthetic=synthetic,
    )


def _write_rows(folder: Path, split: str, rows: Iterable[PreferenceRow]) -> None:
    """Write rows as JSON lines, and their images as models are sent them: upright, on white, as PNG. Images are named
    by their content, which does not reveal the winner."""
    (folder / IMAGES_FOLDER).mkdir(exist_ok=True)
    with (folder / "data" / f"{split}.jsonl").open("w", encoding="utf-8") as file:
        for row in rows:
            for image in row.images:
                if not (path := folder / _image_path(image)).exists():
                    path.write_bytes(*media.render([image], row.files))
            columns = row.columns([_image_path(one) for one in row.images])
            file.write(json.dumps(columns, ensure_ascii=False) + "\n")


def _image_path(spec: ImageSpec) -> str:
    return f"{IMAGES_FOLDER}/{spec.source}.png"


def _split_off_excluded(
    dataset: Dataset, pairs: Sequence[DesignPair], preferences: PreferenceSet
) -> tuple[dict[str, PreferenceSignal], dict[str, int]]:
    """The preferences of pairs that can be compared, and how many others there are for each reason."""
    excluded: Counter[str] = Counter()
    kept = {}
    for pair in pairs:
        with media_errors_of(pair):
            reason = preferences.excluded.get(pair.id) or why_not_compared(dataset, pair)
        if reason:
            excluded[reason] += 1
        else:
            kept[pair.id] = preferences.signals[pair.id]
    return kept, dict(sorted(excluded.items()))


def _train_test_split(
    dataset: Dataset, pairs: Sequence[DesignPair], options: PreferenceOptions
) -> dict[str, list[str]]:
    """Ids of pairs by split. Pairs that share an image or a cluster are in one split; seed and ids decide in which."""
    if not options.test:
        return {TRAIN: [pair.id for pair in pairs]}
    cluster_of = shared_image_clusters(
        (
            pair.id,
            [*(digest_file(dataset.media_path(one)) for one in pair.images), *([pair.cluster] if pair.cluster else [])],
        )
        for pair in pairs
    )
    held: set[str] = set()
    for name in sorted(set(cluster_of.values()), key=lambda name: digest("held back", options.seed, name)):
        if sum(one in held for one in cluster_of.values()) >= options.test * len(pairs):
            break
        held.add(name)
    splits = {
        split: [pair for pair, cluster in cluster_of.items() if (cluster in held) == (split == TEST)]
        for split in (TRAIN, TEST)
    }
    if not splits[TRAIN]:
        raise InvalidOption(
            "test",
            f"{options.test:g} would hold back all {len(pairs)} pairs, as they share images; give a smaller share",
        )
    return splits

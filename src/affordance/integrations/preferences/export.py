"""Export of a preference set: a folder with rows for training and test, the images, and a card."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from affordance import media
from affordance.author.exchange.files import empty_folder
from affordance.author.pairs.ballots import why_not_compared
from affordance.core.digest import digest, digest_file
from affordance.core.errors import UserError
from affordance.core.media_spec import ImageSpec
from affordance.datasets import Dataset, DesignPair
from affordance.datasets.pairs import media_errors_of, shared_image_clusters
from affordance.datasets.published.tables import HUB_EXTRA_HINT
from affordance.integrations.hub.card import licence_metadata
from affordance.integrations.preferences.rows import PreferenceRow, PreferenceStyle, preference_rows
from affordance.integrations.preferences.sources import PreferenceSet, PreferenceSignal, pairs_in

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class PreferenceOptions:
    """`test` is the share of pairs that is held back."""

    style: PreferenceStyle = PreferenceStyle.ANSWERS
    form: str = "jsonl"
    goal: bool = True  # whether prompts tell it, where there is one
    test: float = 0.0
    seed: int = 0


@dataclass(slots=True)
class PreferenceReport:
    """`pairs` and `rows` are by split, `signals` are pairs by how the preference is known, and `left_out` pairs by
    why."""

    folder: Path
    style: PreferenceStyle
    signals: dict[str, int]
    left_out: dict[str, int]
    synthetic: bool
    pairs: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)


def format_exclusions(exclusions: Mapping[str, int]) -> str:
    """How many pairs were left out and why, in words."""
    return ", ".join(f"{count} ({why})" for why, count in exclusions.items()) or "none"


IMAGES = "images"  # the column, and the folder
ROWS_PER_BATCH = 32  # rows, each with its pictures, that are in memory

# What `datasets` is told of the columns: values by their type, messages as lists of parts.
_VALUE = {name: {"dtype": name, "_type": "Value"} for name in ("string", "bool", "int64", "float64")}
_TEXT, _PICTURE = _VALUE["string"], {"_type": "Image"}
_MESSAGES = [{"role": _TEXT, "content": [{"type": _TEXT, "text": _TEXT}]}]
_FEATURES: dict[str, Any] = {
    "prompt": _MESSAGES,
    "chosen": _MESSAGES,
    "rejected": _MESSAGES,
    IMAGES: {"feature": _PICTURE, "_type": "Sequence"},
    "item": _TEXT,
    "dataset": _TEXT,
    "digest": _TEXT,
    "synthetic": _VALUE["bool"],
    "signal": _TEXT,
    "votes": _VALUE["int64"],
    "agreement": _VALUE["float64"],
    "order": _TEXT,
}


def write_jsonl(path: Path, rows: Iterable[PreferenceRow]) -> None:
    """`images` are paths from the folder above that of the file."""
    folder = path.parent.parent
    (folder / IMAGES).mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            for picture in row.images:
                if not (name := folder / _image_path(picture)).exists():
                    name.write_bytes(*media.render([picture], row.files))
            file.write(json.dumps(row.columns([_image_path(one) for one in row.images]), ensure_ascii=False) + "\n")


def write_parquet(path: Path, rows: Iterable[PreferenceRow]) -> None:
    """As `datasets` reads it, with the pictures in the rows."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as parquet
    except ImportError:
        raise UserError(f"writing parquet files needs pyarrow; install it with: {HUB_EXTRA_HINT}") from None
    schema = pa.schema(
        [(name, _arrow_type(feature)) for name, feature in _FEATURES.items()],
        metadata={"huggingface": json.dumps({"info": {"features": _FEATURES}})},
    )
    waiting = iter(rows)
    with parquet.ParquetWriter(path, schema) as writer:
        while some := [row.columns(_embedded_images(row)) for row in islice(waiting, ROWS_PER_BATCH)]:
            writer.write_batch(pa.RecordBatch.from_pylist(some, schema=schema))


WRITERS = {"jsonl": write_jsonl, "parquet": write_parquet}


def _image_path(spec: ImageSpec) -> str:
    return f"{IMAGES}/{spec.source}.png"


def _embedded_images(row: PreferenceRow) -> list[dict[str, Any]]:
    found = media.render(row.images, row.files)
    names = [Path(_image_path(one)).name for one in row.images]
    return [{"bytes": data, "path": name} for data, name in zip(found, names, strict=True)]


def _arrow_type(feature: Any) -> "pa.DataType":
    import pyarrow as pa

    if isinstance(feature, list):
        return pa.list_(_arrow_type(feature[0]))
    match feature.get("_type"):
        case "Image":
            return pa.struct([("bytes", pa.binary()), ("path", pa.string())])
        case "Sequence":
            return pa.list_(_arrow_type(feature["feature"]))
        case "Value":
            return pa.type_for_alias(feature["dtype"])
    return pa.struct([(name, _arrow_type(part)) for name, part in feature.items()])


_STYLES = {
    PreferenceStyle.ANSWERS: (
        "The prompt shows two designs of a page and asks which is the more effective one, in the words in which "
        "Affordance asks models. `chosen` names the right one, `rejected` the other, with the same reasons before it, "
        "where people wrote some. Each pair is there in both orders."
    ),
    PreferenceStyle.DESIGNS: (
        "The prompt describes the page and its goal. `chosen` is the design that is preferred, `rejected` the other, "
        "each as a picture: for reward models. Trainers that take pictures in prompts alone cannot read this style."
    ),
}
_LOAD = {
    "parquet": """\
from datasets import load_dataset

rows = load_dataset("FOLDER")""",
    "jsonl": """\
from pathlib import Path

from datasets import Image, Sequence, load_dataset

folder = Path("FOLDER").absolute()
rows = load_dataset(str(folder))
rows = rows.map(lambda row: {"images": [str(folder / image) for image in row["images"]]})
rows = rows.cast_column("images", Sequence(Image()))""",
}

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

$style

| split | pairs | rows |
|---|---:|---:|
$counts

- **Where it is known from**: $signals. Left out: $left_out.
- **Made of**: dataset $name, digest `$digest`. Licence: $licence. Provenance: $provenance.
- **Synthetic**: $synthetic

Each row has `prompt`, `chosen`, `rejected` and `images`; the pictures are in the order in which the messages name them.
`item`, `dataset` and `digest` say what it was made of, `signal`, `votes` and `agreement` how the preference is known,
and `order` how the designs were shown.

## Do not measure with what was trained on

A model that was trained with these rows has seen the answers to the same items: its accuracy on dataset `$digest` says
nothing. Measure with other pairs, or leave out every `item` that is listed here.

## To load it

```python
$load
```
""")


def preference_card(dataset: Dataset, form: str, report: PreferenceReport) -> str:
    header = dataset.header
    made_up = "yes: pages or people are made up, and it says nothing of what people do." if report.synthetic else "no."
    return _CARD.substitute(
        name=header.name,
        name_yaml=json.dumps(f"Preferences from {header.name}", ensure_ascii=False),
        licence=header.licence,
        licence_yaml="\n".join(licence_metadata(header.licence)),
        provenance=header.provenance,
        digest=dataset.digest(),
        style=_STYLES[report.style],
        splits="\n".join(f"  - split: {split}\n    path: data/{split}.{form}" for split in report.rows),
        counts="\n".join(f"| {split} | {report.pairs[split]} | {count} |" for split, count in report.rows.items()),
        signals=", ".join(f"{origin} ({count} pairs)" for origin, count in report.signals.items()),
        left_out=format_exclusions(report.left_out),
        synthetic=made_up,
        load=_LOAD[form],
    )


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
    dataset: Dataset, pairs: Sequence[DesignPair], preferences: PreferenceSet
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


def _train_test_split(
    dataset: Dataset, pairs: Sequence[DesignPair], options: PreferenceOptions
) -> dict[str, list[str]]:
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

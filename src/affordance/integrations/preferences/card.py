"""The card of a preference set: what it is, where its signal is from, how to load it, and what not to do with it."""

import json
from string import Template

from affordance.datasets import Dataset
from affordance.integrations.hub.card import licence_metadata
from affordance.integrations.preferences.made import PreferenceReport, format_exclusions
from affordance.integrations.preferences.rows import PreferenceStyle

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

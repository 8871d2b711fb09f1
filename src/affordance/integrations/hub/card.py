"""The card of a published dataset: `README.md` with metadata that the hub reads and a description for people."""

import json
import re
from collections.abc import Sequence

from affordance.datasets import Dataset
from affordance.datasets.folder import ITEM_TYPES
from affordance.integrations.hub.tables import SPLIT, TABLE_PATTERN, columns_of

CARD_FILE = "README.md"
# Licences that the hub knows by these names.
KNOWN_LICENCES = frozenset(
    {
        "apache-2.0", "bsd-2-clause", "bsd-3-clause", "cc-by-4.0", "cc-by-nc-4.0", "cc-by-nc-nd-4.0",
        "cc-by-nc-sa-4.0", "cc-by-nd-4.0", "cc-by-sa-4.0", "cc0-1.0", "gpl-3.0", "lgpl-3.0", "mit", "mpl-2.0", "odbl",
        "odc-by", "unlicense",
    }
)  # fmt: skip
TASK_CATEGORIES = {
    "clip": ("video-text-to-text",),
    "pair": ("image-text-to-text", "visual-question-answering"),
    "screen": ("image-text-to-text", "object-detection"),
    "outcome": ("image-text-to-text",),
    "choice": ("visual-question-answering", "multiple-choice"),
}
ITEM_DESCRIPTIONS = {
    "clip": "animations of user interfaces",
    "pair": "pairs of designs of the same page",
    "screen": "screenshots with elements and regions",
    "outcome": "actions on screens and their outcomes",
    "choice": "multiple-choice questions about screens",
}
SIZE_CATEGORIES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST_SIZE = "n>1M"


def dataset_card(dataset: Dataset, digest: str, repo: str | None = None) -> str:
    """`README.md` of a dataset with this digest on the hub. `repo` is its name there, if it is known yet."""
    header, name = dataset.header, repo or "OWNER/NAME"
    origin = "Synthetic: generated, not collected." if header.synthetic else "Collected from real interfaces."
    columns = [f"| `{one.name}` | {one.type} | {one.meaning} |" for one in columns_of(ITEM_TYPES[header.kind])]
    parts = [
        _metadata(dataset),
        f"# {header.name}",
        f"{len(dataset.items)} {ITEM_DESCRIPTIONS[header.kind]}. {origin}",
        f"- Provenance: {header.provenance}\n- Licence: {header.licence}\n- Digest: `{digest}`",
        "## Fields",
        "\n".join(["| column | type | content |", "|---|---|---|", *columns]),
        "## Use",
        "With the Python package `affordance`, which checks every file and evaluates models:",
        f"```\naffordance data fetch hub:{name} DIR --accept-licence\naffordance data check DIR\n```",
        "With the `datasets` library:",
        f'```python\nfrom datasets import load_dataset\n\nitems = load_dataset("{name}", split="{SPLIT}")\n```',
        "The tables contain the images. The same items are in `dataset.json`, `items.jsonl` and the files that they "
        "name, which is the format of `affordance`; the column `record` holds the line of an item.",
    ]
    return "\n\n".join(parts) + "\n"


def _metadata(dataset: Dataset) -> str:
    """The metadata of the card as YAML; texts are quoted as JSON."""
    header = dataset.header
    size = next((name for most, name in SIZE_CATEGORIES if len(dataset.items) < most), LARGEST_SIZE)
    tags = ["gui", "user-interface", f"affordance-{header.kind}", *(["synthetic"] if header.synthetic else [])]
    lines = [
        "---",
        *licence_metadata(header.licence),
        f"pretty_name: {json.dumps(header.name, ensure_ascii=False)}",
        *_yaml_list("task_categories", TASK_CATEGORIES[header.kind]),
        *_yaml_list("size_categories", [size]),
        *_yaml_list("tags", tags),
        "configs:",
        "- config_name: default",
        "  data_files:",
        f"  - split: {SPLIT}",
        f'    path: "{TABLE_PATTERN}"',
        "---",
    ]
    return "\n".join(lines)


def licence_metadata(licence: str) -> list[str]:
    """Licence lines of the metadata of a card."""
    name = re.sub(r"[\s_]+", "-", licence.strip().lower())
    if name in KNOWN_LICENCES:
        return [f"license: {name}"]
    return ["license: other", f"license_name: {json.dumps(licence, ensure_ascii=False)}"]


def _yaml_list(key: str, values: Sequence[str]) -> list[str]:
    return [f"{key}:", *(f"- {json.dumps(value)}" for value in values)]

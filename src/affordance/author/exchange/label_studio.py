"""Regions and elements for Label Studio: `tasks.json` with predictions to be corrected there, the labelling interface
in `config.xml`, and the pictures in `images`.

Tasks name pictures as Label Studio serves local files: its document root is to be the folder of the export."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from affordance.author.exchange.boxed import Boxed, boxed, labels
from affordance.author.exchange.files import copy_picture, empty_folder, folder_path, write_listed
from affordance.author.exchange.kept import going
from affordance.author.exchange.results import Exported, Facts, States
from affordance.author.state import ScreenState

TASKS, CONFIG = "tasks.json", "config.xml"
SERVED = "/data/local-files/?d="


def write_label_studio(states: States, folder: Path, facts: Facts) -> Exported:
    """Write into a new or empty folder. The root, which is the whole screen, is not among the boxes."""
    told = Exported()
    screens = going(states, told)
    empty_folder(folder)
    named: set[tuple[str, str]] = set()

    def tasks() -> Iterator[dict[str, Any]]:
        for state in screens:
            found = boxed(state, told)
            named.update(one.labelled for one in found)
            told.counts.update({"screens": 1, "boxes": len(found)})
            yield _task(state, found, folder, facts)

    write_listed(folder / TASKS, "[", tasks(), "\n]\n", depth=1)
    (folder / CONFIG).write_text(_config(named), encoding="utf-8")
    return told


def _task(state: ScreenState, found: Sequence[Boxed], folder: Path, facts: Facts) -> dict[str, Any]:
    path = copy_picture(state, folder / "images", folder_path(state.id))
    return {
        "data": {"image": f"{SERVED}{quote(f'images/{path}')}", "screen": state.id},
        "predictions": [
            {"model_version": facts.name, "result": [part for one in found for part in _results(state, one)]}
        ],
    }


def _results(state: ScreenState, one: Boxed) -> Iterator[dict[str, Any]]:
    """A rectangle, and what is said of it, which shares its id. Numbers are percent of the picture."""
    width, height = state.size
    place = {
        "x": 100 * one.box.x1 / width,
        "y": 100 * one.box.y1 / height,
        "width": 100 * (one.box.x2 - one.box.x1) / width,
        "height": 100 * (one.box.y2 - one.box.y1) / height,
        "rotation": 0,
    }
    shared = {
        "id": f"{one.level}-{one.id}",
        "to_name": "image",
        "original_width": width,
        "original_height": height,
        "image_rotation": 0,
    }
    scored = {} if one.confidence is None else {"score": one.confidence}
    yield {
        **shared,
        "from_name": one.level,
        "type": "rectanglelabels",
        "value": {**place, "rectanglelabels": [one.label]},
        **scored,
    }
    for name in ("functionality", "description", "text"):
        if text := getattr(one, name):
            yield {**shared, "from_name": name, "type": "textarea", "value": {**place, "text": [text]}}


def _config(named: Iterable[tuple[str, str]]) -> str:
    """Every label that a task has must be in it, or Label Studio refuses the task."""
    known = labels(named)
    regions = [label for parent, label in known if parent != "element"]
    elements = [label for parent, label in known if parent == "element"]
    lines = ["<View>", '  <Image name="image" value="$image" zoom="true"/>']
    for name, some in (("region", regions), ("element", elements)):
        if some:
            lines.append(f'  <RectangleLabels name="{name}" toName="image">')
            lines += [f"    <Label value={quoteattr(label)}/>" for label in some]
            lines.append("  </RectangleLabels>")
    lines += [
        f'  <TextArea name="{name}" toName="image" perRegion="true" editable="true" maxSubmissions="1" '
        f'placeholder="{name}"/>'
        for name in ("functionality", "description", "text")
    ]
    return "\n".join([*lines, "</View>", ""])

"""AutoGUI-v2's captioning sets: multiple-choice questions about what an element or region does."""

from collections.abc import Mapping, Sequence
from typing import Any

from affordance.core.box import Space
from affordance.datasets.actions import canonical_action
from affordance.datasets.published.autogui_places import leaf_tags, option, present, region_tags
from affordance.datasets.published.gather import Asked, stem
from affordance.datasets.published.pictures import Pictures
from affordance.datasets.published.rows import Row, shown

TARGET = "target"
# What kind of distractor it is that a publisher calls so.
ORIGINS = {
    "hard_negative": "hard",
    "easy_negative": "easy",
    "generated_negative": "generated",
    "reranked_gemini_generated": "generated",
    "reranked_pred_answer_normalized": "generated",  # written after wrong answers of models
    "candidate_backup": "generated",
}


def elements(row: Row, pictures: Pictures) -> Asked:
    """A row of FuncElemCap. The question is asked of the element in a rectangle, as the paper does; the one that comes
    with the row, which names the element in words, is kept."""
    choices = row.nested("choices")
    if not isinstance(choices, dict) or not all(isinstance(one, dict) for one in choices.values()):
        raise row.error(f"expected options by their letters in 'choices', found {shown(choices)}")
    letters = sorted(choices)
    right = _places(row, [row.text("correct_answer")], letters)
    target = row.nested("target_element")
    if not isinstance(target, dict):
        raise row.error(f"expected an element with its box in 'target_element', found {shown(target)}")
    action = canonical_action(row.text("interaction_type"))
    values = {
        "level": "element",
        "target": row.as_box(target.get("bbox"), "target_element", Space.MILLE),
        "action": action,
        "question": f"What is the result of this action on the element in the red rectangle: {action}?",
        "options": [_option(choices[one], "text", "candidate_type", n in right) for n, one in enumerate(letters)],
        "tags": present(
            density_shipped=row.text_or_none("density_class"),
            group_size=row.text_or_none("num_elements_in_group"),
            source=row.text_or_none("dataset_name"),
        ),
        "published": present(question=row.text_or_none("question")),
    }
    label = f"{stem(row.text('image_name'))}:{row.text_or_none('group_index')}-{action.replace(' ', '_')}"
    return Asked(_asked(row, pictures, ("image", "image_name"), values, right, False), label=label)


def regions(row: Row, pictures: Pictures) -> Asked:
    """A row of FuncRegionCap-v2, with one or several right answers."""
    labels = [str(one) for one in row.sequence("option_labels")]
    texts = row.sequence("option_contexts" if row.has("option_contexts") else "option_functionalities")
    if len(texts) != len(labels):
        raise row.error(f"expected as many options as labels ({len(labels)}), found {len(texts)}")
    several = row.has("correct_answers")
    letters = row.sequence("correct_answers") if several else [row.text("correct_answer")]
    right = _places(row, letters, labels)
    index = "correct_option_indices" if several else "correct_option_idx"
    told = (row.sequence(index) if several else [row.whole(index)]) if row.has(index) else right
    if sorted(told) != right:
        raise row.error(f"expected {index} to agree with the answers {letters}, found {shown(told)}")
    values = {
        "level": "region",
        "question": row.text("question"),
        "options": [
            _option({"text": text, "source": option(row, "option_sources", n)}, "text", "source", n in right)
            for n, text in enumerate(texts)
        ],
        "tags": region_tags(row, right[0]),
    }
    columns = ("annotated_image", "annotated_image_name")
    label = stem(row.text("annotated_image_name"))
    return Asked(_asked(row, pictures, columns, values, right, several), label=f"{label}-multi" if several else label)


def older(row: Row, pictures: Pictures) -> Asked:
    """A question of the older files: no boxes, the rectangle is in the stored picture."""
    options = row.sequence("options")
    if not all(isinstance(one, dict) for one in options):
        raise row.error(f"expected a list of options in 'options', found {shown(options)}")
    labels = [str(one.get("label")) for one in options]
    several = row.has("correct_answers")
    letters = row.sequence("correct_answers") if several else [row.text("correct_answer")]
    right = _places(row, letters, labels)
    marked = [place for place, one in enumerate(options) if one.get("is_correct") is True]
    if marked != right:
        raise row.error(f"expected options marked as correct to be the answers {letters}, found {shown(marked)}")
    truth = options[right[0]]
    values = {
        "level": "region",
        "question": row.text("question"),
        "options": [_option(one, "option_context", "source", place in right) for place, one in enumerate(options)],
        "tags": present(
            density_shipped=_within(truth, "metrics", "density", "density_class"),
            area_shipped=_within(truth, "metrics", "area", "area_class"),
            source=row.text_or_none("source_dataset"),
        )
        | leaf_tags(_within(truth, "region_type")),
    }
    entry = row.text("entry_id")
    columns = ("annotated_image", "annotated_image_path")
    return Asked(_asked(row, pictures, columns, values, right, several), id=f"{entry}-multi" if several else entry)


def _places(row: Row, letters: Sequence[object], labels: Sequence[str]) -> list[int]:
    """Where the right options are among all."""
    unknown = [letter for letter in letters if letter not in labels]
    if unknown or not letters or len(set(labels)) < len(labels):
        raise row.error(f"expected answers among the options {shown(list(labels))}, found {shown(list(letters))}")
    return sorted({labels.index(str(letter)) for letter in letters})


def _option(found: Mapping[str, Any], text: str, source: str, right: bool) -> dict[str, Any]:
    shipped = found.get(source)
    origin = TARGET if right else ORIGINS.get(str(shipped))
    told = {"origin": origin, "source": shipped}
    return {"text": found.get(text), **{name: value for name, value in told.items() if value is not None}}


def _asked(
    row: Row, pictures: Pictures, columns: Sequence[str], values: dict[str, Any], right: Sequence[int], several: bool
) -> dict[str, Any]:
    size = row.size("image_size")
    stated = {} if size is None else {"image_size": list(size)}
    image = pictures.of(row, columns).media
    return {"image": image, "answers": list(right), "multiple": several, **values, **stated}


def _within(found: Any, *path: str) -> str | None:
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str) and found else None

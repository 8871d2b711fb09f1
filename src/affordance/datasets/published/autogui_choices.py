"""AutoGUI-v2's captioning sets: multiple-choice questions about what an element or region does."""

from collections.abc import Mapping, Sequence
from typing import Any

from affordance.core.geometry import CoordinateSpace
from affordance.core.validation import short_repr
from affordance.datasets.published.autogui_places import option_text, region_tags, region_type_tags, without_none
from affordance.datasets.published.rows import RawRow
from affordance.datasets.published.screen_builder import ChoiceRow, ImageLocator, image_stem
from affordance.datasets.taxonomies import canonical_action

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


def element_question(row: RawRow, images: ImageLocator) -> ChoiceRow:
    """A row of FuncElemCap. The question is asked of the element in a rectangle, as the paper does; the one that comes
    with the row, which names the element in words, is kept."""
    choices = row.nested("choices")
    if not isinstance(choices, dict) or not all(isinstance(one, dict) for one in choices.values()):
        raise row.error(f"expected options by their letters in 'choices', found {short_repr(choices)}")
    letters = sorted(choices)
    right = _answer_indices(row, [row.text("correct_answer")], letters)
    target = row.nested("target_element")
    if not isinstance(target, dict):
        raise row.error(f"expected an element with its box in 'target_element', found {short_repr(target)}")
    action = canonical_action(row.text("interaction_type"))
    values = {
        "level": "element",
        "target": row.as_box(target.get("bbox"), "target_element", CoordinateSpace.MILLE),
        "action": action,
        "question": f"What is the result of this action on the element in the red rectangle: {action}?",
        "options": [_option(choices[one], "text", "candidate_type", n in right) for n, one in enumerate(letters)],
        "tags": without_none(
            density_shipped=row.text_or_none("density_class"),
            group_size=row.text_or_none("num_elements_in_group"),
            source=row.text_or_none("dataset_name"),
        ),
        "published": without_none(question=row.text_or_none("question")),
    }
    label = f"{image_stem(row.text('image_name'))}:{row.text_or_none('group_index')}-{action.replace(' ', '_')}"
    return ChoiceRow(_choice_values(row, images, ("image", "image_name"), values, right, False), label=label)


def region_question(row: RawRow, images: ImageLocator) -> ChoiceRow:
    """A row of FuncRegionCap-v2, with one or several right answers."""
    labels = [str(one) for one in row.sequence("option_labels")]
    texts = row.sequence("option_contexts" if row.has("option_contexts") else "option_functionalities")
    if len(texts) != len(labels):
        raise row.error(f"expected as many options as labels ({len(labels)}), found {len(texts)}")
    several = row.has("correct_answers")
    letters = row.sequence("correct_answers") if several else [row.text("correct_answer")]
    right = _answer_indices(row, letters, labels)
    index = "correct_option_indices" if several else "correct_option_idx"
    told = (row.sequence(index) if several else [row.whole(index)]) if row.has(index) else right
    if sorted(told) != right:
        raise row.error(f"expected {index} to agree with the answers {letters}, found {short_repr(told)}")
    values = {
        "level": "region",
        "question": row.text("question"),
        "options": [
            _option({"text": text, "source": option_text(row, "option_sources", n)}, "text", "source", n in right)
            for n, text in enumerate(texts)
        ],
        "tags": region_tags(row, right[0]),
    }
    columns = ("annotated_image", "annotated_image_name")
    label = image_stem(row.text("annotated_image_name"))
    return ChoiceRow(
        _choice_values(row, images, columns, values, right, several), label=f"{label}-multi" if several else label
    )


def older_region_question(row: RawRow, images: ImageLocator) -> ChoiceRow:
    """A question of the older files: no boxes, the rectangle is in the stored picture."""
    options = row.sequence("options")
    if not all(isinstance(one, dict) for one in options):
        raise row.error(f"expected a list of options in 'options', found {short_repr(options)}")
    labels = [str(one.get("label")) for one in options]
    several = row.has("correct_answers")
    letters = row.sequence("correct_answers") if several else [row.text("correct_answer")]
    right = _answer_indices(row, letters, labels)
    marked = [place for place, one in enumerate(options) if one.get("is_correct") is True]
    if marked != right:
        raise row.error(f"expected options marked as correct to be the answers {letters}, found {short_repr(marked)}")
    truth = options[right[0]]
    values = {
        "level": "region",
        "question": row.text("question"),
        "options": [_option(one, "option_context", "source", place in right) for place, one in enumerate(options)],
        "tags": without_none(
            density_shipped=_nested_text(truth, "metrics", "density", "density_class"),
            area_shipped=_nested_text(truth, "metrics", "area", "area_class"),
            source=row.text_or_none("source_dataset"),
        )
        | region_type_tags(_nested_text(truth, "region_type")),
    }
    entry = row.text("entry_id")
    columns = ("annotated_image", "annotated_image_path")
    return ChoiceRow(
        _choice_values(row, images, columns, values, right, several), id=f"{entry}-multi" if several else entry
    )


def _answer_indices(row: RawRow, letters: Sequence[object], labels: Sequence[str]) -> list[int]:
    """Where the right options are among all."""
    unknown = [letter for letter in letters if letter not in labels]
    if unknown or not letters or len(set(labels)) < len(labels):
        raise row.error(
            f"expected answers among the options {short_repr(list(labels))}, found {short_repr(list(letters))}"
        )
    return sorted({labels.index(str(letter)) for letter in letters})


def _option(found: Mapping[str, Any], text: str, source: str, right: bool) -> dict[str, Any]:
    shipped = found.get(source)
    origin = TARGET if right else ORIGINS.get(str(shipped))
    told = {"origin": origin, "source": shipped}
    return {"text": found.get(text), **{name: value for name, value in told.items() if value is not None}}


def _choice_values(
    row: RawRow,
    images: ImageLocator,
    columns: Sequence[str],
    values: dict[str, Any],
    right: Sequence[int],
    several: bool,
) -> dict[str, Any]:
    size = row.size("image_size")
    stated = {} if size is None else {"image_size": list(size)}
    image = images.locate(row, columns).media
    return {"image": image, "answers": list(right), "multiple": several, **values, **stated}


def _nested_text(found: Any, *path: str) -> str | None:
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str) and found else None

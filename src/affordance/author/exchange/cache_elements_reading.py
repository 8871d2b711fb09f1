"""Reading what the published layout has of elements, and of questions about them: see `cache_elements`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from affordance.author.elements import omniparser
from affordance.author.exchange.cache_elements import (
    CORRECTIONS,
    DESCRIPTION,
    FOLDER,
    FUNCTIONALITY,
    OMNIPARSER,
    OUTCOMES,
    QUESTIONS,
)
from affordance.author.exchange.files import file_name, folder_path, pixels, read_json
from affordance.author.exchange.fit import Fit
from affordance.author.exchange.results import IMPORTED, IMPORTED_PERSON, PUBLISHED, Imported, ReadScreen, Step
from affordance.author.numbers import four_numbers
from affordance.author.records import Detected, Elements, Group, Groups, Kind, Member, QuestionRecord
from affordance.author.state import Change
from affordance.author.tools import NotThere
from affordance.core.geometry import Box
from affordance.datasets.published.screen_builder import image_stem
from affordance.datasets.taxonomies import canonical_action

_SOURCES = ("dom", "omniparser", "vision")


def read_elements(folder: Path, told: Imported) -> None:
    """Adds to the screens what these files say of them. A folder that lies within another is looked into as well."""
    screens = {one.id: one for one in told.screens}
    named = _by_name(told)
    for path in sorted(folder.rglob(f"{OMNIPARSER}/**/*.json")):
        name = path.relative_to(folder).as_posix().rpartition(f"{OMNIPARSER}/")[2].removesuffix(".json")
        if (screen := named.get(name)) is not None:
            _add(screens, screen, _read_detected(folder, path, screens[screen], told))
    for path in sorted(folder.rglob(f"{FOLDER}/{QUESTIONS}.json")):
        found = _read(folder, path, told)
        beside = path.with_name(f"{CORRECTIONS}.json")
        fixes = _read(folder, beside, told) if beside.is_file() else None
        results = found.get("results") if isinstance(found, dict) else None
        if not isinstance(results, dict):
            told.omit(path.relative_to(folder).as_posix(), "questions: expected results by image, found none")
            continue
        for image, one in results.items():
            if (screen := named.get(image_stem(image))) is None:
                told.omit(image, "questions: there is no such screen in the folder")
            else:
                corrections = fixes if isinstance(fixes, dict) else {}
                _add(screens, screen, _read_questions(screens[screen], image, one, corrections, told))
    told.screens[:] = screens.values()


def _by_name(told: Imported) -> dict[str, str]:
    """Ids of screens by the names that files may have for them: the id, its path, and its last part if that is one."""
    lasts = Counter(one.id.rpartition("/")[2] for one in told.screens)
    found = {last: one.id for one in told.screens if lasts[last := one.id.rpartition("/")[2]] == 1}
    return found | {folder_path(one.id): one.id for one in told.screens} | {one.id: one.id for one in told.screens}


def _add(screens: dict[str, ReadScreen], name: str, steps: Sequence[Step]) -> None:
    screens[name] = replace(screens[name], steps=(*screens[name].steps, *steps))


def _read(folder: Path, path: Path, told: Imported) -> Any:
    try:
        return read_json(folder, path)
    except (ValueError, OSError) as error:
        told.omit(path.relative_to(folder).as_posix(), f"file that cannot be read: {error}")
        return None


def _read_detected(folder: Path, path: Path, screen: ReadScreen, told: Imported) -> list[Step]:
    """Boxes are put right by who reads these files for `elements`; ids are those that we wrote, where we did."""
    found = _read(folder, path, told)
    if found is None:
        return []
    try:
        elements, notes = omniparser.read_elements(path, screen.size)
    except NotThere as error:
        told.omit(screen.id, f"elements: {error}")
        return []
    told.notes += [f"{screen.id}: {note}" for note in notes]
    sources = {str(one.get("source")) for one in found if isinstance(one, dict)}
    (of,) = sources if len(sources) == 1 and sources <= set(_SOURCES) else ("omniparser",)
    named = [_detected(one, found[int(one.id)]) for one in elements]
    if len({one.id for one in named}) < len(named):
        told.notes.append(f"{screen.id}: ids of elements are there twice, and places in the list are taken instead")
        named = [one.model_copy(update={"id": before.id}) for one, before in zip(named, elements, strict=True)]
    return [_step(Kind.ELEMENTS, screen.id, Elements.model_validate({"source": of, "elements": named}))]


def _detected(one: Detected, entry: Mapping[str, Any]) -> Detected:
    given, content, source = entry.get("id"), entry.get("content"), entry.get("source")
    changes = {
        "id": given if isinstance(given, str) and given else one.id,
        "box": pixels(*one.box.xyxy),
        "text": content if isinstance(content, str) else "",
        **({PUBLISHED: {"source": source}} if isinstance(source, str) and source not in _SOURCES else {}),
    }
    return one.model_copy(update=changes)


def _read_questions(
    screen: ReadScreen, image: str, found: object, fixes: Mapping[str, Any], told: Imported
) -> list[Step]:
    generated = found.get("generated") if isinstance(found, dict) else None
    if not isinstance(generated, list):
        told.omit(screen.id, "questions: expected groups of elements, found none")
        return []
    groups: list[Group] = []
    steps: list[Step] = []
    later: list[Step] = []
    for index, one in enumerate(generated):
        group = _read_group(screen, index, one, told)
        if group is None:
            continue
        groups.append(group)
        asked = one.get("questions")
        for place, question in enumerate(asked if isinstance(asked, list) else ()):
            records = _read_asked(screen, group, question, told)
            steps += [_step(Kind.QUESTION, f"{screen.id}/{name}", record) for name, record in records.items()]
            fix = fixes.get(f"{image}__{index}__{place}")
            if isinstance(fix, dict):
                later += _corrected(screen, records, fix, told)
    return [_step(Kind.ELEMENT_GROUPS, screen.id, Groups(groups=groups, by="published")), *steps, *later]


def _read_group(screen: ReadScreen, index: int, found: object, told: Imported) -> Group | None:
    members = []
    listed = found.get("elements") if isinstance(found, dict) else None
    for one in listed if isinstance(listed, list) else ():
        box = _box(one.get("revised bbox"), screen.size) if isinstance(one, dict) else "expected an element, found none"
        if isinstance(box, str) or one.get("id") is None:
            told.omit(
                f"{screen.id}/group {index + 1}", f"member of a group: {box if isinstance(box, str) else 'no id'}"
            )
            continue
        outcomes = one.get(OUTCOMES)
        said = outcomes.items() if isinstance(outcomes, dict) else ()
        members.append(
            Member(
                id=str(one["id"]),
                box=box,
                description=_text(one.get(DESCRIPTION)),
                functionality=_text(one.get(FUNCTIONALITY)),
                outcomes={canonical_action(action): text for action, text in said if isinstance(text, str) and text},
            )
        )
    if not isinstance(found, dict) or len(members) < 2:
        told.omit(f"{screen.id}/group {index + 1}", "group: expected two members at least, found fewer")
        return None
    given, told_index = found.get("id"), found.get("group_index")
    name = given if isinstance(given, str) and given else str(told_index if isinstance(told_index, int) else index + 1)
    return Group(id=name, members=members, similarity=_text(found.get("visual_similarity")), verified="published")


def _read_asked(screen: ReadScreen, group: Group, found: object, told: Imported) -> dict[str, QuestionRecord]:
    target = str(found.get("target_element_id")) if isinstance(found, dict) else ""
    member = next((one for one in group.members if one.id == target), None)
    said = found.get("referring_expressions") if isinstance(found, dict) else None
    if member is None or not isinstance(said, dict):
        told.omit(f"{screen.id}/group {group.id}", f"question: there is no member {target!r} in its group")
        return {}
    records = {}
    for action, words in said.items():
        if not isinstance(words, dict) or not any(_text(words.get(key)) for key in ("question", "action_intent")):
            told.omit(
                f"{screen.id}/group {group.id}", f"question about {target}: expected words for {action!r}, found none"
            )
            continue
        done = canonical_action(action)
        name = _text(words.get("name")) or file_name(f"ground-element-{group.id}-{target}-{done.replace(' ', '_')}")
        texts = {
            "functionality": _text(words.get("question")),
            # Published questions have none of their own: the element's is asked. One of ours says where it has one.
            "description": _text(words.get("description")) or ("" if "name" in words else member.description),
            "intent": _text(words.get("action_intent")),
        }
        records[name] = QuestionRecord(
            form="ground",
            level="element",
            target=target,
            box=member.box,
            action=done,
            group=group.id,
            alike=[one.id for one in group.members if one.id != target],
            expressions={kind: text for kind, text in texts.items() if text},
            by="published",
        )
    return records


def _corrected(
    screen: ReadScreen, records: Mapping[str, QuestionRecord], fix: Mapping[str, Any], told: Imported
) -> list[Step]:
    """What people changed, as versions of their own."""
    words = fix.get("modified_questions_by_action")
    by_action = {canonical_action(action): text for action, text in words.items()} if isinstance(words, dict) else {}
    box = _box(fix["modified_bbox"], screen.size) if fix.get("modified_bbox") is not None else None
    if isinstance(box, str):
        told.omit(f"{screen.id}/{next(iter(records), '')}", f"correction of a question: {box}")
        box = None
    steps = []
    for name, record in records.items():
        changes: dict[str, object] = {} if box is None else {"box": box}
        if fix.get("abandoned") is True:
            changes["abandoned"] = True
        if isinstance(text := by_action.get(record.action or ""), str) and text.strip():
            changes["expressions"] = {**record.expressions, "functionality": text}
        if changes:
            step = _step(Kind.QUESTION, f"{screen.id}/{name}", record.model_copy(update=changes))
            steps.append(replace(step, author=IMPORTED_PERSON))
    return steps


def _step(kind: Kind, subject: str, document: Elements | Groups | QuestionRecord) -> Step:
    return Step(Change(kind, subject, document), IMPORTED)


def _box(found: object, size: tuple[int, int]) -> Box | str:
    """Thousandths of the screen in pixels."""
    numbers = four_numbers(found)
    return Fit(size, []).box(found) if numbers is None else Fit(size, []).box(None, [one / 1000 for one in numbers])


def _text(found: object) -> str:
    return found if isinstance(found, str) and found.strip() else ""

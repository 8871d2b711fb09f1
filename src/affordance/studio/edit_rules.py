"""What a changed document of a clip or a pair has to be, beyond what every document of its kind is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from affordance.author.clip_records import Recording
from affordance.author.pair_records import Designs, Halves, Mask, Reason, Review
from affordance.author.project import PERSON
from affordance.author.records import REGION_NAME, Kind
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import Json
from affordance.core.validation import StrictModel
from affordance.datasets.taxonomies import UX_LAWS_BY_NAME
from affordance.studio.grounds import Ground
from affordance.studio.refused import Refused

MOST_LINES = 50  # of a list that people write
LONGEST_TAG = 80  # characters
MOST_POINTS = 40_000  # of all brushes of a mask


@dataclass(frozen=True, slots=True)
class Changed:
    """A document after an edit: `where` names it in errors, `before` is what it was."""

    where: str
    name: str
    document: StrictModel
    before: Mapping[str, Json] | None
    ground: Ground
    author: str


def check_box(where: str, box: Box, size: tuple[int, int]) -> None:
    width, height = size
    if box.space is not CoordinateSpace.PIXEL:
        raise Refused(f"{where}: expected a box in pixels, found one in {box.space}")
    if box.x1 < 0 or box.y1 < 0 or box.x2 > width or box.y2 > height:
        raise Refused(f"{where}: expected a box on the screen of {width}x{height}, found {box.xyxy}")
    if box.x2 - box.x1 < 1 or box.y2 - box.y1 < 1:
        raise Refused(f"{where}: expected a box of at least one pixel, found {box.xyxy}")


def _check_clip(changed: Changed) -> None:
    clip = changed.document
    assert isinstance(clip, Recording)
    for name, frame in (("start", clip.start_frame), ("end", clip.end_frame)):
        if frame is not None and frame >= clip.frames:
            raise Refused(f"{changed.where}: expected its {name} from 0 to {clip.frames - 1}, found {frame}")
    there = (changed.before or {}).get("regions")
    for box in clip.regions:
        if not isinstance(there, list) or box.to_json() not in there:  # those that it came with stay as they were
            check_box(changed.where, box, (clip.width, clip.height))
    _check_once(changed.where, "regions", [str(box) for box in clip.regions])
    _check_once(changed.where, "flags", clip.flags)
    if not all(one.summary.strip() for one in clip.inputs):
        raise Refused(f"{changed.where}: expected what the person does in words, found an input without")
    if clip.aside and not clip.note.strip():
        raise Refused(f"{changed.where}: expected the reason for which it is put aside, found none")


def _check_pair(changed: Changed) -> None:
    pair = changed.document
    assert isinstance(pair, Designs)
    tags = [
        pair.page_type,
        pair.industry,
        pair.device,
        *pair.changes,
        *(one for all_ in pair.changes.values() for one in all_),
    ]
    if wrong := [tag for tag in tags if tag is not None and not 0 < len(tag.strip()) <= LONGEST_TAG]:
        raise Refused(f"{changed.where}: expected tags of 1 to {LONGEST_TAG} characters, found {wrong[0][:90]!r}")
    _check_once(changed.where, "changed elements", list(pair.changes))
    for element, properties in pair.changes.items():
        _check_once(changed.where, f"changes of {element}", properties)
        if not properties:
            raise Refused(f"{changed.where}: expected what changed of {element}, found nothing; leave it out")
    if pair.aside and not pair.note.strip():
        raise Refused(f"{changed.where}: expected the reason for which it is put aside, found none")


def _check_rationale(changed: Changed) -> None:
    reason, before = changed.document, changed.before or {}
    assert isinstance(reason, Reason)
    _check_name(changed)
    if not reason.reason.strip() or (reason.neutral is not None and not reason.neutral.strip()):
        raise Refused(f"{changed.where}: expected a reason in words, found none")
    if reason.law is not None and reason.law not in UX_LAWS_BY_NAME and reason.law != before.get("law"):
        raise Refused(f"{changed.where}: expected one of the {len(UX_LAWS_BY_NAME)} laws, found {reason.law[:80]!r}")


def _check_review(changed: Changed) -> None:
    review = changed.document
    assert isinstance(review, Review)
    own = f"{review.round}-{changed.author.removeprefix(PERSON)}"
    if changed.name != own:
        raise Refused(f"{changed.where}: people write their own reviews only; expected {own!r}")
    _check_once(changed.where, "irrelevant", review.irrelevant)
    _check_once(changed.where, "seen", review.seen)
    _check_once(changed.where, "missing", review.missing)
    if not all(line.strip() for line in review.missing):
        raise Refused(f"{changed.where}: expected what is missing in words, found an empty line")


def _check_mask(changed: Changed) -> None:
    mask = changed.document
    assert isinstance(mask, Mask)
    if changed.name not in ("0", "1"):
        raise Refused(f"{changed.where}: a pair has the pictures 0 and 1; expected a mask of one of them")
    if mask.clean and (mask.found or mask.brushes or mask.accepted):
        raise Refused(f"{changed.where}: where there is nothing to remove, nothing is masked or accepted")
    points = sum(len(brush.points) for brush in mask.brushes)
    if points > MOST_POINTS:  # every version of a mask has all of them
        raise Refused(f"{changed.where}: expected at most {MOST_POINTS:,} points of brushes, found {points:,}")


def _check_halves(changed: Changed) -> None:
    halves = changed.document
    assert isinstance(halves, Halves)
    for box in halves.boxes:
        check_box(changed.where, box, changed.ground.sizes[0])


def _check_name(changed: Changed) -> None:
    if changed.before is None and REGION_NAME.fullmatch(changed.name) is None:
        raise Refused(f"{changed.where}: expected a name of letters, digits, dots and dashes for a new one")


def _check_once(where: str, what: str, values: Sequence[str]) -> None:
    if len(values) > MOST_LINES:
        raise Refused(f"{where}: expected at most {MOST_LINES} {what}, found {len(values)}")
    if len(set(values)) < len(values):
        raise Refused(f"{where}: {what}: expected each once, found one twice")


RULES: Mapping[Kind, Callable[[Changed], None]] = {
    Kind.CLIP: _check_clip,
    Kind.PAIR: _check_pair,
    Kind.RATIONALE: _check_rationale,
    Kind.REVIEW: _check_review,
    Kind.MASK: _check_mask,
    Kind.HALVES: _check_halves,
}

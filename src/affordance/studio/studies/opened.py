"""Studies that somebody looks at: what they are made of, read once, and again where it may have changed."""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, runtime_checkable

from affordance.author.project import Project, plain, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.errors import LedgerError, UserError
from affordance.core.json_text import canonical_json
from affordance.ledger import DocumentRevision
from affordance.media import RenderCache
from affordance.studio.refused import NotThere
from affordance.studio.studies.assigning import CHECK
from affordance.studio.studies.checks import check_sheet
from affordance.studio.studies.forms import AnswerForm
from affordance.studio.studies.registry import source_of
from affordance.studio.studies.sheets import Film, Sheet, Slot, Source, Still

LOOSE = frozenset(
    {"title", "wrong_checks", "consent", "tutorial", "about", "completion", "hold_hours", "closed", "invited"}
)
_LOOK = 2.0  # seconds after which it is looked whether something has changed
_MEMORY_BYTES = 64 << 20  # of rendered pictures


class NoStudy(NotThere):
    def __init__(self, name: str) -> None:
        super().__init__(f"there is no study {name[:80]!r} here; ask whoever sent you for its link")


class Changed(UserError):
    """What the study is about is not what it was: nothing is asked until it is put back."""


class NoSlot(NotThere):
    """A slot that the study does not have, or a picture that the slot does not have."""


@runtime_checkable
class Watched(Protocol):
    """A source that can tell whether what it was made of may have changed, without reading it all."""

    def stale(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Opened:
    """A study that can be taken part in. Forms are kept: every answer is held against one."""

    study: Study
    source: Source
    slots: Mapping[str, Slot]  # by id, those of an item together
    _forms: dict[str, AnswerForm] = field(default_factory=dict)

    @property
    def items(self) -> set[str]:
        return {slot.item for slot in self.slots.values()}

    def has(self, slot: str) -> bool:
        """Not one that was about what somebody said who has withdrawn since."""
        return slot in self.slots or slot.startswith(CHECK)

    def sheet(self, slot: str, seat: str) -> Sheet:
        """What somebody is shown. The seat matters for attention checks only."""
        if slot.startswith(CHECK):
            first = next(iter(self.slots.values()))
            return check_sheet(self.source.sheet(first), slot, seat, self.study.seed)
        if slot not in self.slots:
            raise NoSlot(f"the study {self.study.name} has no slot {slot[:80]!r}; load the page again")
        return self.source.sheet(self.slots[slot])

    def form(self, slot: str, seat: str) -> AnswerForm:
        key = CHECK if slot.startswith(CHECK) else slot
        if key not in self._forms:
            self._forms[key] = self.sheet(slot, seat).form
        return self._forms[key]


@dataclass(slots=True)
class _Kept:
    fixed: str  # what the source was made for
    opened: Opened | None = None
    changed: str = ""  # why there is none
    looked: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Studies:
    """Safe to share between threads."""

    def __init__(self, project: Project, cache: Path, look: float = _LOOK) -> None:
        self.project = project
        self._look = look
        self._lock = threading.Lock()
        self._kept: dict[str, _Kept] = {}
        self._files: dict[str, Path] = {}
        self._darkroom = RenderCache(cache / "pictures", self._files, memory_bytes=_MEMORY_BYTES)

    def revision(self, name: str) -> DocumentRevision:
        """The study's own document, as it is now. Raises `NoStudy`."""
        found = self.project.ledger.documents.get_many([(Kind.STUDY, name)])
        if not found:
            raise NoStudy(name)
        return found[0]

    def study(self, name: str) -> Study:
        return read_record(self.revision(name), Study)

    def open(self, study: Study) -> Opened:
        """Raises `Changed` while it cannot be taken part in."""
        kept = self._room(study)
        with kept.lock:
            if kept.opened is None or self._may_be_stale(kept):
                self._build(kept, study)
            if kept.opened is None:
                raise Changed(kept.changed)
            return Opened(study, kept.opened.source, kept.opened.slots, kept.opened._forms)

    def forget(self) -> None:
        """Read studies about runs anew: they may hold what people said who have withdrawn since."""
        with self._lock:
            self._kept = {name: kept for name, kept in self._kept.items() if kept.opened and not kept.opened.study.run}

    def pictures(self, sheet: Sheet, block: int) -> tuple[Still | Film, list[bytes]]:
        """A block of a sheet, and the files that it is shown with."""
        found = sheet.blocks[block] if 0 <= block < len(sheet.blocks) else None
        if not isinstance(found, Still | Film):
            raise NoSlot(f"the slot {sheet.slot} has no picture {block}; load the page again")
        wanted = [found.picture] if isinstance(found, Still) else list(found.frames)
        self._files.update({one.source: sheet.files[one.source] for one in wanted if one.source in sheet.files})
        return found, self._darkroom.get(wanted)

    def _room(self, study: Study) -> _Kept:
        fixed = canonical_json({name: value for name, value in plain(study).items() if name not in LOOSE})
        with self._lock:
            kept = self._kept.get(study.name)
            if kept is None or kept.fixed != fixed:
                kept = self._kept[study.name] = _Kept(fixed)
            return kept

    def _build(self, kept: _Kept, study: Study) -> None:
        if kept.changed and time.monotonic() - kept.looked < self._look:
            return
        kept.opened = None
        try:
            source = source_of(study, self.project)
            slots = {slot.id: slot for slot in source.slots()}
        except LedgerError:  # the database cannot be reached, which says nothing of the study
            raise
        except UserError as error:
            kept.changed = str(error)
        else:
            kept.changed = ""
            kept.opened = Opened(study, source, slots)
        kept.looked = time.monotonic()

    def _may_be_stale(self, kept: _Kept) -> bool:
        source = None if kept.opened is None else kept.opened.source
        if not isinstance(source, Watched) or time.monotonic() - kept.looked < self._look:
            return False
        kept.looked = time.monotonic()
        return source.stale()

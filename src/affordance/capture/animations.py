"""`capture animation`: from pages to a dataset of clips of which everything is known."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from affordance.capture.browser import Browser, PageBroken, again
from affordance.capture.filming import FPS, Scene, Take, film
from affordance.capture.journal import Journal
from affordance.capture.looks import Look, read_size
from affordance.capture.notes import AnimationNote, Trigger, read_note
from affordance.capture.pool import each
from affordance.capture.roll import Kept, Roll
from affordance.capture.screens import About, header_for, none_captured, note_lost
from affordance.capture.sources import Site, Source, recorded
from affordance.capture.tracks import described, reversed_take
from affordance.capture.twins import Twin, pace_of
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.datasets import CapturedMotion, CapturedPage, Clip, ItemLink, UserInput, write_folder
from affordance.media import VideoQuality

NOTHING_MOVED = "nothing moved within {seconds:g} s after the trigger"


@dataclass(frozen=True, slots=True)
class Shooting:
    """How animations are filmed, unless the note beside a page says otherwise."""

    trigger: Trigger = Trigger.LOAD
    target: str | None = None
    script: str | None = None
    look: Look = field(default_factory=lambda: Look(width=800, height=500))
    seconds: float = 4.0
    still: float = 0.5
    twins: tuple[Twin, ...] = ()
    quality: VideoQuality = VideoQuality.FINE


@dataclass(frozen=True, slots=True)
class Wanted:
    """One animation to film."""

    source: Source
    note: AnimationNote
    scene: Scene

    @property
    def id(self) -> str:
        return self.source.name


@dataclass(slots=True)
class Counts:
    """What was filmed, and what not and why."""

    clips: int = 0
    twins: int = 0
    effects: Counter[str] = field(default_factory=Counter)  # of the clips that are no twins
    odd: dict[str, str] = field(default_factory=dict)  # clips that somebody should look at
    lost: dict[str, str] = field(default_factory=dict)


def plan_animations(site: Site, shooting: Shooting) -> list[Wanted]:
    """One animation for each page, as the note beside it says."""
    wanted = [_wanted(site, source, shooting) for source in site.pages]
    names = {one.id for one in wanted}
    for one in wanted:
        for twin in shooting.twins:
            if twin_id(one.id, twin) in names:
                raise UserError(f"the {twin} twin of {one.id} would have the name of another page; rename that one")
    return wanted


def twin_id(original: str, twin: Twin) -> str:
    return f"{original}-{twin}"


def _wanted(site: Site, source: Source, shooting: Shooting) -> Wanted:
    file = site.file(source.url)
    note = read_note(file.with_suffix(".toml"), AnimationNote) if file is not None else AnimationNote()
    look = shooting.look
    if note.size is not None:
        width, height = read_size(note.size)
        look = replace(look, width=width, height=height)
    trigger = note.trigger or shooting.trigger
    target, script = note.target or shooting.target, note.script or shooting.script
    if trigger in (Trigger.CLICK, Trigger.HOVER) and not target:
        raise UserError(f"{source.name}: trigger {trigger} needs a target, found none; give --target SELECTOR")
    if trigger is Trigger.LOAD and (target or script):
        found = f"the target {target!r}" if target else "a script"
        raise UserError(f"{source.name}: trigger load takes neither target nor script, found {found}; give --trigger")
    if trigger is Trigger.SCRIPT and not script:
        raise UserError(f"{source.name}: trigger script needs a script, found none; give --script JAVASCRIPT")
    seconds, still = note.seconds or shooting.seconds, note.still or shooting.still
    return Wanted(source, note, Scene(source.url, look, trigger, target, script, seconds, still))


async def capture_animations(
    site: Site,
    wanted: Sequence[Wanted],
    folder: Path,
    shooting: Shooting,
    *,
    about: About | None = None,
    browser: str | None = None,
    workers: int = 1,
    advance: Callable[[int, int], None] = lambda done, planned: None,
) -> Counts:
    """Film all that is wanted into a new dataset, or what is left of an interrupted capture. A page that breaks is told
    and left out; the rest goes on."""
    counts = Counts()

    async def shoot(opened: Browser, one: Wanted) -> None:
        if journal.known(one.id) is None:
            try:
                clip, *twins = await again(lambda: _shoot(opened, one, folder, shooting, counts))
            except PageBroken as broken:
                counts.lost[one.id] = str(broken)
                return
            for made in (*twins, clip):  # the clip last: where it is, its twins are
                journal.add(made.id, made)

    of = digest("animations", site.digest(folder), [repr(one) for one in wanted], repr(shooting))
    with Journal(folder, of, Clip) as journal:
        async with Browser(site, browser) as opened:
            await each(wanted, workers, lambda one: shoot(opened, one), advance)
            version = opened.version
        clips = [clip for clip in journal.kept() if all(journal.known(link.to) is not None for link in clip.links)]
        if not clips:
            journal.discard()
            raise none_captured("animations", counts.lost)
        for one in wanted:
            if isinstance(clip := journal.known(one.id), Clip):
                _count(counts, one, clip)
        write_folder(folder, header_for("clip", site, about or About(), folder, version), clips)
        note_lost(folder, counts.lost)
        journal.finish()
    counts.twins = len(clips) - counts.clips
    return counts


def _count(counts: Counts, wanted: Wanted, clip: Clip) -> None:
    assert clip.motion is not None
    counts.clips += 1
    counts.effects.update(clip.motion.effects)
    meant, found = wanted.note.effects, clip.motion.effects
    if not clip.motion.visible:
        counts.odd[wanted.id] = "nothing of it is seen in the window"
    elif meant is not None and set(meant) != set(found):
        told = f"its note says {', '.join(sorted(meant))}, measured was {', '.join(found) or 'none'}"
        counts.odd.setdefault(wanted.id, told)


async def _shoot(browser: Browser, wanted: Wanted, folder: Path, shooting: Shooting, counts: Counts) -> list[Clip]:
    """The clip and its twins."""
    video = f"media/{wanted.id}.mp4"
    with Kept() as kept:
        with Roll(folder / video, FPS, shooting.quality) as roll:
            take = await film(browser, wanted.scene, roll, kept=kept if Twin.REVERSED in shooting.twins else None)
        clip = _clip(wanted, video, roll, take)
        if clip is None:
            (folder / video).unlink()
            raise PageBroken(NOTHING_MOVED.format(seconds=wanted.scene.seconds))
        if take.beyond:
            counts.odd[wanted.id] = f"{take.beyond} more parts move than are followed; their effects are not known"
        clips = [clip]
        for twin in _possible(shooting.twins, take, clip):
            video = f"media/{twin_id(wanted.id, twin)}.mp4"
            with Roll(folder / video, FPS, shooting.quality) as twin_roll:
                if twin is Twin.REVERSED:
                    twin_take = await _reversed(take, roll, kept, twin_roll)
                else:
                    twin_take = await _filmed_anew(browser, wanted, twin, clip, take, twin_roll)
            made = _clip(wanted, video, twin_roll, twin_take, twin)
            if made is None or (twin is not Twin.REVERSED and _same_frames(roll, twin_roll, take)):
                (folder / video).unlink()
                counts.odd[wanted.id] = f"no {twin} twin: it moves by frames, whatever the time"
            else:
                clips.append(made)
    return clips


def _possible(twins: Sequence[Twin], take: Take, clip: Clip) -> list[Twin]:
    """What goes on for ever has no beginning that could be slow, and what has no duration no pace."""
    lasts = clip.start_frame != clip.end_frame
    return [twin for twin in twins if twin is Twin.REVERSED or (lasts and (take.ended or twin is not Twin.EASING))]


def _same_frames(roll: Roll, twin_roll: Roll, take: Take) -> bool:
    """Whether a film at another pace shows the same pictures frame by frame."""
    pairs = zip(roll.prints[take.trigger_frame :], twin_roll.prints[take.trigger_frame :], strict=False)
    return all(one == other for one, other in pairs)


async def _reversed(take: Take, roll: Roll, kept: Kept, twin_roll: Roll) -> Take:
    for picture in kept.backwards():
        await asyncio.to_thread(twin_roll.add, picture)
    return reversed_take(take, roll.count)


async def _filmed_anew(browser: Browser, wanted: Wanted, twin: Twin, clip: Clip, take: Take, roll: Roll) -> Take:
    assert clip.start_frame is not None
    assert clip.end_frame is not None
    first = max(0, clip.start_frame - 1 - take.trigger_frame)
    length = clip.end_frame - take.trigger_frame - first
    twin_take = await film(browser, wanted.scene, roll, pace_of(twin, first, length, ended=take.ended))
    return replace(twin_take, ended=take.ended)


def _clip(wanted: Wanted, video: str, roll: Roll, take: Take, twin: Twin | None = None) -> Clip | None:
    """The record of a take; None where nothing moved. Why it was made and what it means holds for no twin."""
    look, note = wanted.scene.look, wanted.note
    found = described(take, roll, look.pixels_per_css_pixel)
    if found is None:
        return None
    motion = CapturedMotion(
        trigger=wanted.scene.trigger.value,
        trigger_frame=take.trigger_frame,
        frames=roll.count,
        fps=FPS,
        duration=found.duration if twin is None else found.filmed,
        finished=take.ended,
        visible=found.visible,
        easing=found.easing if twin is None else None,
        effects=found.effects,
        digest=roll.digest,
        animations=found.animations if twin is None else [],
        movers=found.movers,
        page=CapturedPage(name=wanted.source.name, url=recorded(wanted.source.url), render_settings=look.to_json()),
        twin=None if twin is None else twin.value,
    )
    clip = Clip(
        id=wanted.id if twin is None else twin_id(wanted.id, twin),
        links=[] if twin is None else [ItemLink(kind="twin", to=wanted.id)],
        video=video,
        platform=note.platform or "web",
        effect=found.effects[0] if len(found.effects) == 1 else None,
        regions=found.regions,
        start_frame=found.start_frame,
        end_frame=found.end_frame,
        motion=motion,
    )
    if twin is not None:
        return clip
    update = {
        "context": note.context,
        "inputs": [UserInput(summary=note.input, modality=note.modality, type=note.type)] if note.input else [],
        "purpose": note.purpose,
        "effect_responses": note.effect_responses,
        "meaning_responses": note.meaning_responses,
    }
    return clip.model_copy(update={name: value for name, value in update.items() if value})

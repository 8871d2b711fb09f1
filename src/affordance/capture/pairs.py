"""Pairs of designs: two pages of a folder and the note beside them, as one item."""

from collections.abc import Callable
from pathlib import Path

from affordance.capture.browser import Browser, PageBroken
from affordance.capture.journal import Journal
from affordance.capture.looks import Look, read_size
from affordance.capture.notes import PairNote, read_note
from affordance.capture.pool import each
from affordance.capture.screens import About, header_for, open_page, picture
from affordance.capture.sources import open_site
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.datasets import DesignPair, write_folder

NOTE = "pair.toml"
DESIGNS = ("a", "b")


async def capture_pairs(
    source: Path,
    folder: Path,
    *,
    about: About | None = None,
    browser: str | None = None,
    workers: int = 2,
    advance: Callable[[int, int], None] = lambda done, planned: None,
) -> int:
    """Every folder with a `pair.toml` becomes a pair; returns how many there are. A page that breaks ends it: half a
    pair is of no use."""
    found = sorted(note.parent for note in source.rglob(NOTE))
    if not found:
        raise UserError(f"{source}: expected folders with {NOTE}, a.html and b.html, found none")
    notes = {one: read_note(one / NOTE, PairNote) for one in found}
    site = open_site(str(source), [])

    async def capture(opened: Browser, one: Path) -> None:
        name = one.relative_to(source).as_posix().replace("/", "-")
        if journal.known(name) is None:
            journal.add(name, await _capture(opened, one, name))

    async def _capture(opened: Browser, one: Path, pair: str) -> DesignPair:
        note = notes[one]
        look = Look(*read_size(note.size))
        images = []
        for design in DESIGNS:
            name = f"{pair}-{design}"
            try:
                async with opened.page(look) as page:
                    await open_page(page, site.url(name), look)
                    png = await picture(page)
            except PageBroken as broken:
                raise UserError(f"{one / design}.html: {broken}") from None
            images.append(f"media/{name}.png")
            (folder / images[-1]).write_bytes(png)
        return DesignPair(
            id=pair,
            images=images,
            winner=DESIGNS.index(note.winner),
            goal=note.goal,
            context=note.context,
            rationales=note.rationales,
            page_type=note.page_type,
            industry=note.industry,
            device=note.device,
            changes=note.changes,
            evidence=note.evidence,
        )

    with Journal(folder, digest("pairs", site.digest(folder), repr(notes)), DesignPair) as journal:
        async with Browser(site, browser) as opened:
            await each(found, workers, lambda one: capture(opened, one), advance)
            version = opened.version
        write_folder(folder, header_for("pair", site, about or About(), folder, version), journal.kept())
        journal.finish()
    return len(found)

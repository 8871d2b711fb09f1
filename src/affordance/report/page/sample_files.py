"""The folder of samples next to an HTML report: scripts that hand HTML to the page, and images."""

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from affordance.core.errors import UserError
from affordance.core.files import atomic_write
from affordance.core.sequences import evenly_spaced
from affordance.core.threads import map_threads
from affordance.ledger import Ledger
from affordance.report.page.image_strips import ThumbnailRenderer
from affordance.report.page.sample_index import ITEMS_PER_FILE, Items, SampleColumns, json_for_script, strip_unprintable
from affordance.report.page.samples import SampleDetail, SampleSelection, samples
from affordance.report.source_files import SourceFiles

_OURS = re.compile(r"\.?(items-[0-9a-f]{12}-\d+-\d+\.js|picture-[0-9a-f]{32}\.webp)((-\d+-\d+)?\.part)?")


def write_atomic(path: Path, data: bytes) -> None:
    """`atomic_write` whose failure is the user's mistake."""
    try:
        if not path.parent.is_dir():
            raise UserError(f"cannot write {path}: there is no folder {path.parent}")
        atomic_write(path, data)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from None


class SampleShards:
    """The folder of a page. `render` makes the HTML of a sample; `pictures` is of how many items of a report pictures
    are made, None of all; `watch` receives how many of `total` items are done."""

    def __init__(
        self,
        page: Path,
        ledger: Ledger,
        sources: SourceFiles,
        render: Callable[[SampleDetail], str],
        *,
        total: int,
        pictures: int | None,
        watch: Callable[[int, int], None],
    ) -> None:
        self._folder = page.with_name(f"{page.stem}-samples")
        self.address = quote(self._folder.name)
        self._ledger = ledger
        self._projector = ThumbnailRenderer(ledger, sources, self._picture)
        self._render = render
        self._share = 1.0 if pictures is None else min(1.0, pictures / max(total, 1))
        self._total = total + math.ceil(self._share * total)  # pictures and texts
        self._watch = watch
        self._done = 0
        self._written: set[str] = set()
        self._lock = Lock()

    def add(self, part: SampleColumns, outcomes: Items, inlined: Iterable[str]) -> None:
        """Write the items of a part, but for those that are in the page."""
        items, done = list(outcomes), set(inlined)
        self._make_pictures([SampleSelection(item, outcomes[item]) for item in items if item not in done])
        for file in range(0, len(items), ITEMS_PER_FILE):
            ids = items[file : file + ITEMS_PER_FILE]
            wanted = [SampleSelection(item, outcomes[item], pictures=False) for item in ids if item not in done]
            if wanted:
                made = {one.item: one for one in samples(self._ledger, self._projector, wanted)}
                texts = [strip_unprintable(self._render(made[item])) if item in made else None for item in ids]
                number = file // ITEMS_PER_FILE
                call = f"affordanceSamples({part.number},{number},{json_for_script(texts, ascii_only=True)});\n"
                self._write(f"items-{part.stamp}-{part.number}-{number}.js", call.encode("ascii"))
            self._advance(len(ids))

    def _make_pictures(self, items: Sequence[SampleSelection]) -> None:
        """Of some items from all over the part, before anything is written: others may show the same screens."""
        most = math.ceil(self._share * len(items))
        chosen = [items[place] for place in evenly_spaced(len(items), most)] if most else []
        batches = [chosen[start : start + ITEMS_PER_FILE] for start in range(0, most, ITEMS_PER_FILE)]
        for made in map_threads(lambda batch: sum(1 for _ in samples(self._ledger, self._projector, batch)), batches):
            self._advance(made)

    def _advance(self, more: int) -> None:
        self._done += more
        self._watch(min(self._done, self._total), self._total)

    def finish(self) -> None:
        """Once the page is there: remove what earlier reports of its name have left; nothing that is not ours."""
        self._watch(self._total, self._total)
        if not self._folder.is_dir():
            return
        try:
            for path in self._folder.iterdir():
                if _OURS.fullmatch(path.name) and path.name not in self._written:
                    path.unlink(missing_ok=True)
            if not any(self._folder.iterdir()):
                self._folder.rmdir()
        except OSError as error:
            raise UserError(f"cannot remove old files from {self._folder}: {error.strerror}") from None

    @property
    def is_used(self) -> bool:
        return bool(self._written)

    def _picture(self, image: bytes) -> str:
        name = f"picture-{hashlib.sha256(image).hexdigest()[:32]}.webp"
        if name not in self._written:
            self._write(name, image)
        return f"{self.address}/{name}"

    def _write(self, name: str, data: bytes) -> None:
        try:
            self._folder.mkdir(exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot make the folder {self._folder} for samples: {error.strerror}") from None
        path = self._folder / name
        with self._lock:  # two threads may have made the same picture
            if not name.startswith("picture-") or not path.is_file() or path.stat().st_size != len(data):
                write_atomic(path, data)
            self._written.add(name)

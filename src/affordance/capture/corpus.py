"""The demo corpus: everything in `demo/` captured, and packed small enough to come with the package."""

import asyncio
import gzip
import json
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from affordance.capture.animations import Shooting, capture_animations, plan_animations
from affordance.capture.browser import Browser
from affordance.capture.journal import JOURNAL
from affordance.capture.looks import Look, Variation
from affordance.capture.outcomes import capture_outcomes
from affordance.capture.pairs import capture_pairs
from affordance.capture.screens import About, capture_screens, plan
from affordance.capture.sources import open_site
from affordance.capture.twins import Twin
from affordance.core.digest import digest_bytes, digest_file, digest_folder
from affordance.core.errors import UserError
from affordance.core.media_spec import ImageEncoding, ImageFormat
from affordance.datasets import ActionOutcome, Dataset, DatasetHeader, Item, Screen, load_folder
from affordance.datasets.demo import DEMO_DATASETS, MANIFEST, MEDIA, DemoManifest, read_demo_manifest
from affordance.media import WEBP_LOSSLESS, VideoQuality, decode_image, encode_image

LICENCE = "Apache-2.0"
ABOUT = About(licence=LICENCE, synthetic=True)
SHOOTING = Shooting(twins=(Twin.REVERSED,), quality=VideoQuality.SMALL)
SCREENS, AFTER = ImageEncoding(ImageFormat.WEBP, WEBP_LOSSLESS), ImageEncoding(ImageFormat.WEBP, 60)
VARIATIONS = (Variation.THEME,)
ROOM_FOR_VARIANTS = 1_150_000  # bytes of pictures of screens that are drawn differently; the others stay behind
CLEARLY, LEAST_CHANGED = 24, 0.2  # levels of a channel, and the share of pixels that differ so: less is no other look
ROOM_FOR_AFTER = 1_100_000  # bytes of pictures of what an action led to; the rest of the records goes without
FAMILIES = ("system-ui", "sans-serif", "serif", "monospace", "Inter", "Liberation Sans", "Arial", "Georgia")
PACKAGES = ("av", "opencv-python-headless")  # what turns pixels into files
FROM, BEGUN = "captured-from.json", "begun\n"

Progress = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]


def build_corpus(
    source: Path, work: Path, target: Path, progress: Progress, *, browser: str | None = None, workers: int = 2
) -> DemoManifest:
    """Capture `source`/apps, /animations and /pairs into datasets under `work`, and pack them into `target`. What is
    there already from the same pages is not captured again, so it can be interrupted."""
    for part in ("apps", "animations", "pairs"):
        if not (source / part).is_dir():
            raise UserError(f"{source}: expected folders apps, animations and pairs in it, found no {part}")
    if target.exists() and any(target.iterdir()) and not _is_packed(target):
        raise UserError(f"{target}: expected a new folder or packed demo data to replace, found other files in it")
    work.mkdir(parents=True, exist_ok=True)
    made_with = asyncio.run(versions(source, browser))
    capture = _Capture(source, work, progress, made_with, browser, workers)
    asyncio.run(capture.everything())
    datasets = {name: load_folder(work / name) for name in DEMO_DATASETS}
    return pack(datasets, target, digest_folder(source), made_with)


def _is_packed(folder: Path) -> bool:
    try:
        read_demo_manifest(folder)
    except (OSError, ValueError, TypeError):
        return False
    return True


class _Capture:
    def __init__(
        self,
        source: Path,
        work: Path,
        progress: Progress,
        made_with: dict[str, str],
        browser: str | None,
        workers: int,
    ) -> None:
        self._source = source
        self._work = work
        self._progress = progress
        self._made_with = made_with
        self._browser = browser
        self._workers = workers

    async def everything(self) -> None:
        if self._wanted("pairs", "pairs"):
            with self._progress("pairs") as advance:
                await capture_pairs(
                    self._source / "pairs", self._work / "pairs", about=ABOUT, browser=self._browser,
                    workers=self._workers, advance=advance,
                )  # fmt: skip
            self._done("pairs", "pairs")
        if self._wanted("clips", "animations"):
            site = open_site(str(self._source / "animations"), [])
            with self._progress("animations") as advance:
                counts = await capture_animations(
                    site, plan_animations(site, SHOOTING), self._work / "clips", SHOOTING, about=ABOUT,
                    browser=self._browser, workers=self._workers, advance=advance,
                )  # fmt: skip
            self._whole("clips", {**counts.lost, **counts.odd})
            self._done("clips", "animations")
        apps = open_site(str(self._source / "apps"), [])
        if self._wanted("screens", "apps"):
            with self._progress("screens") as advance:
                found = await capture_screens(
                    apps, plan(apps, [Look()], VARIATIONS), self._work / "screens", about=ABOUT,
                    browser=self._browser, workers=self._workers, advance=advance,
                )  # fmt: skip
            self._whole("screens", found.lost)
            self._done("screens", "apps")
        if self._wanted("outcomes", "apps"):
            with self._progress("tries") as advance:
                tried = await capture_outcomes(
                    load_folder(self._work / "screens"), apps, self._work / "outcomes", browser=self._browser,
                    workers=self._workers, advance=advance,
                )  # fmt: skip
            self._whole("outcomes", tried.broken)
            self._done("outcomes", "apps")

    def _whole(self, name: str, lost: Mapping[str, str]) -> None:
        if lost:
            first, why = next(iter(lost.items()))
            raise UserError(f"{len(lost)} of the {name} are not as they should be, the first {first}: {why}")

    def _wanted(self, name: str, part: str) -> bool:
        """Whether a dataset has to be captured. What we captured from other pages is removed; what was interrupted, or
        is not ours, is for the capture to see to."""
        mark, folder = self._mark_of(name), self._work / name
        if mark.exists() and mark.read_text(encoding="utf-8") == self._mark(name, part):
            return False
        if mark.exists() and not (folder / JOURNAL).exists():
            shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            mark.write_text(BEGUN, encoding="utf-8")  # from now on it is ours
        return True

    def _done(self, name: str, part: str) -> None:
        self._mark_of(name).write_text(self._mark(name, part), encoding="utf-8")

    def _mark_of(self, name: str) -> Path:
        return self._work / f"{name}-{FROM}"

    def _mark(self, name: str, part: str) -> str:
        """All that decides what comes out."""
        found = {"sources": digest_folder(self._source / part), "versions": self._made_with, "fonts": fonts()}
        how = {"how": repr(SHOOTING), **({"variations": VARIATIONS} if name == "screens" else {})}
        return json.dumps({**found, **how}, indent=2) + "\n"


async def versions(source: Path, browser: str | None) -> dict[str, str]:
    """Of all that decides what pixels and files come out."""
    async with Browser(open_site(str(source), []), browser) as opened:
        return {"chromium": opened.version, **{name: version(name) for name in PACKAGES}}


def fonts() -> dict[str, str]:
    """What text is drawn with on this computer: the file that fontconfig finds for each family. Nothing where there is
    no fontconfig."""
    found = {}
    for family in FAMILIES if shutil.which("fc-match") else ():
        done = subprocess.run(["fc-match", "-f", "%{file}", family], capture_output=True, text=True, check=False)
        path = Path(done.stdout)
        if path.is_file():
            found[family] = f"{path.name} {digest_file(path)}"
    return found


def pack(
    datasets: Mapping[str, Dataset], target: Path, sources: dict[str, str], made_with: dict[str, str]
) -> DemoManifest:
    """Write datasets into a folder, which is replaced once all is there: media as WebP and video under their digests,
    records compressed, a manifest."""
    draft = target.with_name(f".{target.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    (draft / MEDIA).mkdir(parents=True)
    for name, dataset in datasets.items():
        shown, behind = _chosen(dataset), _left_behind(dataset)
        store = _Store(dataset, draft)
        kept = [item for item in dataset.items if item.id not in behind]
        lines = [json.dumps(_packed(item, store, shown), ensure_ascii=False) for item in kept]
        text = "".join(f"{line}\n" for line in lines).encode()
        (draft / f"{name}.jsonl.gz").write_bytes(gzip.compress(text, mtime=0))
    headers = {name: _header(name, dataset) for name, dataset in datasets.items()}
    manifest = DemoManifest(sources, made_with, fonts(), headers, digest_folder(draft))
    (draft / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    shutil.rmtree(target, ignore_errors=True)
    draft.rename(target)
    return manifest


def _header(name: str, dataset: Dataset) -> dict[str, Any]:
    """Where the pages lay when they were captured helps nobody."""
    header = DatasetHeader(
        format=1,
        kind=dataset.header.kind,
        name=f"demo-{name}",
        licence=LICENCE,
        provenance="captured by `affordance capture corpus` from pages that were made for it",
        synthetic=True,
    )
    return header.model_dump(mode="json")


def _packed(item: Item, store: "_Store", shown: set[str]) -> dict[str, Any]:
    record: dict[str, Any] = item.model_dump(mode="json", exclude_unset=True)
    after = item.after if isinstance(item, ActionOutcome) else None
    if after is not None and after not in shown:
        del record["after"], record["after_box"]
    kept = [path for path in item.media_files() if path != after or path in shown]
    names = {path: store.name(path, AFTER if path == after else SCREENS) for path in kept}
    return dict(_renamed(record, names))


class _Store:
    """Puts the media of a dataset into the pack, each once."""

    def __init__(self, dataset: Dataset, target: Path) -> None:
        self._dataset = dataset
        self._target = target
        self._names: dict[str, str] = {}

    def name(self, media: str, how: ImageEncoding) -> str:
        """What a file is called there."""
        if media not in self._names:
            path = self._dataset.media_path(media)
            data, suffix = path.read_bytes(), path.suffix
            if suffix == ".png":
                data, suffix = encode_image(decode_image(data), how), ".webp"
            self._names[media] = f"{MEDIA}/{digest_bytes(data)}{suffix}"
            (self._target / self._names[media]).write_bytes(data)
        return self._names[media]


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, dict):
        return {key: _renamed(one, names) for key, one in value.items()}
    return [_renamed(one, names) for one in value] if isinstance(value, list) else value


def _chosen(dataset: Dataset) -> set[str]:
    """Which pictures of what an action led to come along: the smallest of each screen in turn, while there is room."""
    sizes: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for item in dataset.items:
        if isinstance(item, ActionOutcome) and item.after is not None:
            size = len(encode_image(decode_image(dataset.media_path(item.after).read_bytes()), AFTER))
            sizes[item.screen or ""].append((size, item.after))
    room = ROOM_FOR_AFTER
    found: set[str] = set()
    for turn in zip_longest(*(sorted(sizes[screen]) for screen in sorted(sizes))):
        for one in turn:
            if one is not None and one[0] <= room:
                room -= one[0]
                found.add(one[1])
    return found


def _left_behind(dataset: Dataset) -> set[str]:
    """Variants of screens that do not come along: those that look like their original, and the largest ones, for which
    there is no room."""
    screens = {item.id: item for item in dataset.items if isinstance(item, Screen)}
    sizes: dict[str, int] = {}
    behind = set()
    for screen in screens.values():
        for link in screen.links:
            pixels, original = (_pixels(dataset, one) for one in (screen, screens[link.to]))
            if _changed(pixels, original) < LEAST_CHANGED:
                behind.add(screen.id)
            else:
                sizes[screen.id] = len(encode_image(pixels, SCREENS))
    room = ROOM_FOR_VARIANTS
    for name in sorted(sizes, key=lambda name: (sizes[name], name)):
        room -= sizes[name]
        if room < 0:
            behind.add(name)
    return behind


def _pixels(dataset: Dataset, screen: Screen) -> NDArray[np.uint8]:
    return decode_image(dataset.media_path(screen.image).read_bytes())


def _changed(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """The share of pixels that are clearly different; all of them where sizes differ."""
    if one.shape != other.shape:
        return 1.0
    return float((np.abs(one.astype(np.int16) - other).max(axis=2) > CLEARLY).mean())

"""The dataset of primitive effects: generated clips in our format."""

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp

from affordance.core.errors import UserError
from affordance.datasets import Clip, Dataset, Header, read_folder, write_folder
from affordance.suites.motion.primitives import EFFECTS, Variant, canonical, variants, write_clip

EDITION = 1  # of the demo data; raise it when what is drawn changes


def make_primitives(
    folder: Path, count: int | None = None, seed: int = 0, advance: Callable[[int, int], None] = lambda *_: None
) -> Dataset:
    """Write the seven clips in their canonical form, or `count` randomized variants of each. The folder must be new
    or empty. `advance` is told how many of how many clips are done."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"expected a new or empty folder, found something in {folder}; choose another")
    chosen = _chosen(count, seed)
    try:
        (folder / "media").mkdir(parents=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {folder}: {error.strerror}") from None
    for number, (name, variant) in enumerate(chosen.items()):
        write_clip(variant, folder / "media" / f"{name}.mp4")
        advance(number + 1, len(chosen))
    records = [
        Clip(id=name, video=f"media/{name}.mp4", platform="synthetic", effect=variant.effect)
        for name, variant in chosen.items()
    ]
    described = "canonical" if count is None else f"{count} variants, seed {seed}"
    header = Header(
        format=1,
        kind="clip",
        name="primitives" if count is None else f"primitives-{count}x-seed{seed}",
        licence="CC0-1.0",
        provenance=f"Seven primitive effects drawn by `affordance data make primitives` ({described})",
        synthetic=True,
    )
    write_folder(folder, header, records)
    return read_folder(folder)


def demo_data(cache: Path) -> Dataset:
    """The demo data, made on first use. Several processes may do so at once: the first to finish wins."""
    folder = cache / "demo" / f"primitives-{EDITION}"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(dir=folder.parent, prefix=".draft-"))
        try:
            make_primitives(draft)
            draft.rename(folder)
        except OSError:
            if not folder.exists():
                raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return read_folder(folder)


def _chosen(count: int | None, seed: int) -> dict[str, Variant]:
    if count is None:
        return {effect: canonical(effect) for effect in EFFECTS}
    return {
        f"{effect}-{number:03d}": variant
        for effect in EFFECTS
        for number, variant in enumerate(variants(effect, count, seed))
    }

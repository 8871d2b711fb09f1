"""Everything fetched, once, under its checksum; and parts of what is not whole yet, to go on with."""

import os
from pathlib import Path

from affordance.bridge.hub.checksums import matches
from affordance.bridge.hub.durable import KEPT, settle, telling
from affordance.bridge.hub.listing import Listings, Remote
from affordance.core.digest import digest_text

UNITS = ("bytes", "kB", "MB", "GB", "TB")


class Store:
    def __init__(self, cache: Path) -> None:
        self.root = cache / "hub"
        self.listings = Listings(self.root / "listings")

    def file(self, remote: Remote) -> Path:
        kind, _, found = remote.checksum.partition(":")
        return self.root / "files" / kind / found[:2] / found

    def part(self, remote: Remote) -> Path:
        return self.root / "parts" / f"{remote.checksum.replace(':', '-')}.part"

    def lock(self, folder: Path) -> Path:
        """For a folder that is fetched into."""
        return self.root / "locks" / digest_text(str(folder.resolve()))

    def has(self, remote: Remote) -> bool:
        """Whether it is here and whole. What is here and wrong, as the disk or somebody has changed it, is removed."""
        file = self.file(remote)
        if matches(file, remote.size, remote.checksum):
            return True
        file.unlink(missing_ok=True)
        return False

    def lacks(self, remote: Remote) -> int:
        """How many bytes are still to come."""
        part = self.part(remote)
        here = part.stat().st_size if part.is_file() else 0
        return max(0, remote.size - here) if here <= remote.size else remote.size

    def keep(self, remote: Remote) -> bool:
        """Take a finished part in, if it is what it should be; remove it, if it is not."""
        part, file = self.part(remote), self.file(remote)
        if not matches(part, remote.size, remote.checksum):
            part.unlink()
            return False
        with telling(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            settle(part, file, KEPT)
        return True


def free_bytes(folder: Path) -> int:
    """What the disk has left on which a folder is, or will be."""
    found = os.statvfs(_there(folder))
    return found.f_bavail * found.f_frsize


def same_disk(one: Path, other: Path) -> bool:
    return _there(one).stat().st_dev == _there(other).stat().st_dev


def _there(folder: Path) -> Path:
    return next(one for one in (folder.absolute(), *folder.absolute().parents) if one.is_dir())


def size_text(size: float) -> str:
    """`1.3 GB`, as disks and downloads are told."""
    unit, *larger = UNITS
    while size >= 1000 and larger:
        size, unit = size / 1000, larger.pop(0)
    return f"{size:.0f} {unit}" if unit == UNITS[0] or size >= 100 else f"{size:.1f} {unit}"

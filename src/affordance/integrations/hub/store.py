"""Everything fetched, once, under its checksum; and parts of what is not whole yet, to go on with."""

import os
from pathlib import Path

from affordance.core.digest import digest_text
from affordance.integrations.hub.checksums import matches_checksum
from affordance.integrations.hub.durable import READ_ONLY_MODE, disk_errors, sync_and_rename
from affordance.integrations.hub.listing import ListingCache, RemoteFile

UNITS = ("bytes", "kB", "MB", "GB", "TB")


class DownloadStore:
    def __init__(self, cache: Path) -> None:
        self.root = cache / "hub"
        self.listings = ListingCache(self.root / "listings")

    def file(self, remote: RemoteFile) -> Path:
        kind, _, found = remote.checksum.partition(":")
        return self.root / "files" / kind / found[:2] / found

    def part(self, remote: RemoteFile) -> Path:
        return self.root / "parts" / f"{remote.checksum.replace(':', '-')}.part"

    def lock(self, folder: Path) -> Path:
        """For a folder that is fetched into."""
        return self.root / "locks" / digest_text(str(folder.resolve()))

    def has(self, remote: RemoteFile) -> bool:
        """Whether it is here and whole. What is here and wrong, as the disk or somebody has changed it, is removed."""
        file = self.file(remote)
        if matches_checksum(file, remote.size, remote.checksum):
            return True
        file.unlink(missing_ok=True)
        return False

    def missing_bytes(self, remote: RemoteFile) -> int:
        """How many bytes are still to come."""
        part = self.part(remote)
        here = part.stat().st_size if part.is_file() else 0
        return max(0, remote.size - here) if here <= remote.size else remote.size

    def accept_part(self, remote: RemoteFile) -> bool:
        """Take a finished part in, if it is what it should be; remove it, if it is not."""
        part, file = self.part(remote), self.file(remote)
        if not matches_checksum(part, remote.size, remote.checksum):
            part.unlink()
            return False
        with disk_errors(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            sync_and_rename(part, file, READ_ONLY_MODE)
        return True


def free_bytes(folder: Path) -> int:
    """What the disk has left on which a folder is, or will be."""
    found = os.statvfs(_existing_parent(folder))
    return found.f_bavail * found.f_frsize


def same_disk(one: Path, other: Path) -> bool:
    return _existing_parent(one).stat().st_dev == _existing_parent(other).stat().st_dev


def _existing_parent(folder: Path) -> Path:
    return next(one for one in (folder.absolute(), *folder.absolute().parents) if one.is_dir())


def format_bytes(size: float) -> str:
    """`1.3 GB`, as disks and downloads are told."""
    unit, *larger = UNITS
    while size >= 1000 and larger:
        size, unit = size / 1000, larger.pop(0)
    return f"{size:.0f} {unit}" if unit == UNITS[0] or size >= 100 else f"{size:.1f} {unit}"

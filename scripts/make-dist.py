"""The sdist and the wheel, of equal bytes whenever they are built from equal files, and their checksums.

python scripts/make-dist.py FOLDER [FILE...]

Other files that belong to a release are put beside them.
The wheel is built from the sdist, so that what one lacks the other lacks too. All times in them are SOURCE_DATE_EPOCH,
or that of the last commit."""

import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
FILES = ("pyproject.toml", "README.md", "LICENSE")
PACKAGE = "src/affordance"
SUMS = "SHA256SUMS"
_BUILD = "import sys, setuptools.build_meta as backend; print(getattr(backend, sys.argv[1])(sys.argv[2]))"


def main(folder: Path, others: Sequence[Path] = ()) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    epoch = moment()
    with tempfile.TemporaryDirectory() as there:
        stage, built = Path(there, "stage"), Path(there, "built")
        built.mkdir()
        shutil.copytree(ROOT / PACKAGE, stage / PACKAGE, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        for name in FILES:
            shutil.copy(ROOT / name, stage / name)
        source = build("build_sdist", stage, built, epoch)
        sdist = folder / source.name
        sdist.write_bytes(same_bytes(source, epoch))
        with tarfile.open(sdist) as archive:
            archive.extractall(there, filter="data")
        wheel = build("build_wheel", Path(there, sdist.name.removesuffix(".tar.gz")), built, epoch)
        shutil.copyfile(wheel, folder / wheel.name)
    files = [sdist, folder / wheel.name, *(Path(shutil.copy(path, folder)) for path in others)]
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(files)]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
    print(*files, folder / SUMS, sep="\n")


def moment() -> int:
    """Seconds since 1970."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    command = ["git", "log", "-1", "--format=%ct"]
    try:
        return int(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    except (OSError, ValueError, subprocess.CalledProcessError):
        sys.exit("expected a clone with a commit, or SOURCE_DATE_EPOCH in seconds since 1970; found neither")


def build(what: str, root: Path, folder: Path, epoch: int) -> Path:
    """As installers do it, with the setuptools that is installed beside this Python."""
    command = [sys.executable, "-c", _BUILD, what, str(folder)]
    variables = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    done = subprocess.run(command, cwd=root, env=variables, umask=0o022, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}")
    return folder / done.stdout.splitlines()[-1]


def same_bytes(path: Path, epoch: int) -> bytes:
    """A tar archive without what differs from one build to the next: times, owners, order."""
    content = io.BytesIO()
    with tarfile.open(path) as found, tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for member in sorted(found.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
            member.mode = 0o755 if member.isdir() else 0o644
            member.pax_headers = {}
            archive.addfile(member, found.extractfile(member) if member.isfile() else None)
    return gzip.compress(content.getvalue(), compresslevel=6, mtime=epoch)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])

"""Files of a project, as they were added: inside of it, and with the content that they had then."""

from pathlib import Path

from affordance.author.project import Project
from affordance.core.digest import digest_file


class NoPicture(Exception):
    """There is none, or not any more; one line for whoever asked. `status` is that of HTTP."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Originals:
    """Safe to share between threads."""

    def __init__(self, project: Project) -> None:
        self._folder = project.folder
        self._seen: dict[str, tuple[int, int, int]] = {}  # by digest: the file as it was when its content was right

    def file(self, name: str, digest: str, what: str) -> Path:
        """Where a file lies, given its place in the project; `what` it is, for errors."""
        path = (self._folder / name).resolve()
        if not path.is_relative_to((self._folder / "media").resolve()):
            raise NoPicture(404, f"the {what} is not inside the project")
        try:
            stat = path.stat()
            known = stat.st_ino, stat.st_size, stat.st_mtime_ns
            if self._seen.get(digest) != known:
                if digest_file(path) != digest:
                    raise NoPicture(410, f"{name} is not the {what} any more that was added; put it back")
                self._seen[digest] = known
        except OSError as error:
            raise NoPicture(410, f"{name} cannot be read: {error.strerror}; put it back") from None
        return path

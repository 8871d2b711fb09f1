"""What a model was shown, from what the ledger keeps of it: recipes, and where the files lie that they are of."""

from collections.abc import Iterable
from pathlib import Path

from affordance.core.picture import Visual, from_recipe
from affordance.ledger import Ledger
from affordance.report.sources import Missing, Sources


def visuals_of(ledger: Ledger, sources: Sources, digests: Iterable[str]) -> tuple[list[Visual], dict[str, Path]]:
    """The pictures and videos with these digests, and their files by content. Raises `Missing` where one of them cannot
    be made again."""
    visuals: list[Visual] = []
    files: dict[str, Path] = {}
    for digest in digests:
        record = ledger.picture(digest)
        if record is None:
            raise Missing("the ledger does not hold their recipes")
        try:
            visuals.append(from_recipe(record.source, record.recipe))
        except (KeyError, TypeError, ValueError):
            raise Missing("their recipe is of another version of Affordance") from None
        files[record.source] = sources.find(record.source, record.path)
    return visuals, files


def undecodable(error: Exception, paths: Iterable[Path]) -> Missing:
    """What is passed on to others does not say where files lie: that is nobody's business."""
    message = str(error)
    for path in paths:
        message = message.replace(str(path), path.name)
    return Missing(f"a file cannot be decoded: {message}")

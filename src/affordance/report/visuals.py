"""What a model was shown, from what the ledger keeps of it: recipes, and where the files lie that they are of."""

from collections.abc import Iterable
from pathlib import Path

from affordance.core.picture import MediaSpec, media_spec_from_recipe
from affordance.ledger import Ledger
from affordance.report.sources import SourceFiles, SourceMissing


def image_specs(
    ledger: Ledger, sources: SourceFiles, digests: Iterable[str]
) -> tuple[list[MediaSpec], dict[str, Path]]:
    """The pictures and videos with these digests, and their files by content. Raises `Missing` where one of them cannot
    be made again."""
    visuals: list[MediaSpec] = []
    files: dict[str, Path] = {}
    for digest in digests:
        record = ledger.media_record(digest)
        if record is None:
            raise SourceMissing("the ledger does not hold their recipes")
        try:
            visuals.append(media_spec_from_recipe(record.source, record.recipe))
        except (KeyError, TypeError, ValueError):
            raise SourceMissing("their recipe is of another version of Affordance") from None
        files[record.source] = sources.find(record.source, record.path)
    return visuals, files


def decode_error(error: Exception, paths: Iterable[Path]) -> SourceMissing:
    """What is passed on to others does not say where files lie: that is nobody's business."""
    message = str(error)
    for path in paths:
        message = message.replace(str(path), path.name)
    return SourceMissing(f"a file cannot be decoded: {message}")

"""WiserUI-Bench: pairs of designs of which one won an A/B test, with experts' reasons.

`WiserUI_Bench.json` with the pictures in `images/N/win.png` and `lose.png` beside it. The names of the files tell the
winner; the order of the two in a record does not, and is the same wherever and whenever it is read.
"""

from pathlib import Path
from typing import Any

from affordance.core.digest import digest, digest_file
from affordance.datasets.clusters import shared_image_clusters
from affordance.datasets.published.rows import Row, entries_of, read_rows, short_repr
from affordance.datasets.published.wiserui_check import known_issues
from affordance.datasets.published.wiserui_urls import original_url
from affordance.datasets.reading import Entry, Reading
from affordance.datasets.records import Header, Pair
from affordance.datasets.sides import published_neutral_wording

FILES = ("WiserUI_Bench.json", "WiserUI*.json")
LICENCE = "CC-BY-NC-SA-4.0"
WIN, LOSE = "win", "lose"
MAX_INDEX = 999_999  # index
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")  # the first is the published one


def read(path: Path, cache: Path | None) -> Reading:
    """Pictures that are not there are missing, and nothing more."""
    root = path if path.is_dir() else path.parent
    entries = entries_of(read_rows(path, FILES), lambda row, _: _pair(row, root), "index", lambda pair: int(pair.id))
    pairs = [entry.found for entry in entries if isinstance(entry.found, Pair)]
    named = shared_image_clusters([(pair.id, _image_keys(pair, root)) for pair in pairs])
    joined = [
        Entry(entry.place, entry.found.model_copy(update={"cluster": named[entry.found.id]}))
        if isinstance(entry.found, Pair)
        else entry
        for entry in entries
    ]
    told = known_issues([entry.found for entry in joined if isinstance(entry.found, Pair)])
    return Reading(root, header(), tuple(joined), findings=tuple(told))


def header() -> Header:
    return Header(
        format=1,
        kind="pair",
        name="WiserUI-Bench",
        licence=LICENCE,
        provenance="WiserUI-Bench, WiserUI_Bench.json; pictures from GoodUI, VWO and abtest.design",
        synthetic=False,
    )


def ordered_sides(index: int) -> tuple[str, str]:
    """`win` and `lose` in the order of the record, which follows from the index alone: what a picture's bytes are
    depends on who has fetched it and when."""
    first, second = sorted((WIN, LOSE), key=lambda side: digest("wiserui", index, side))
    return first, second


def _image_keys(pair: Pair, root: Path) -> list[str]:
    """What two pairs with one picture have in common: its URL, or its content where it is there."""
    urls = [original_url(url) for url in pair.urls or ()]
    files = [root / image for image in pair.images]
    return [*urls, *(digest_file(file) for file in files if file.is_file())]


def _pair(row: Row, root: Path) -> Pair:
    index = row.whole("index")
    if not 0 <= index <= MAX_INDEX:
        raise row.error(f"expected an index from 0 to {MAX_INDEX} in 'index', found {short_repr(index)}")
    order = ordered_sides(index)
    urls = [row.text_or_none(f"{side}_url") for side in order]
    values: dict[str, Any] = {
        "id": f"{index:03d}",
        "images": [_image(root, index, side) for side in order],
        "winner": order.index(WIN),
        "rationales": [_rationale(row, index, place, one) for place, one in enumerate(row.sequence("rationale"))],
        "evidence": "tested",
    }
    optional = {
        "urls": urls if all(urls) else None,
        "source": row.text_or_none("source"),
        "company": row.text_or_none("company"),
        "page_type": row.text_or_none("page_type"),
        "industry": row.text_or_none("industry_domain"),
        "device": row.text_or_none("web_mobile"),
        "changes": row.nested("ui_change"),
    }
    return Pair.model_validate(values | {name: value for name, value in optional.items() if value is not None})


def _image(root: Path, index: int, side: str) -> str:
    names = [f"images/{index}/{side}{suffix}" for suffix in SUFFIXES]
    return next((name for name in names if (root / name).is_file()), names[0])


def _rationale(row: Row, index: int, place: int, found: Any) -> dict[str, Any]:
    reason = found.get("reason") if isinstance(found, dict) else None
    law = found.get("law") if isinstance(found, dict) else None
    if not isinstance(reason, str) or not isinstance(law, dict):
        raise row.error(f"expected a reason with its law as rationale {place + 1}, found {short_repr(found)}")
    said = published_neutral_wording(index, place, reason)
    values = {"reason": reason, "law": law.get("name"), "dimension": law.get("type")}
    return values if said is None else {**values, "neutral": said}

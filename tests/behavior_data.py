"""Small sets of pairs of designs: as records of our own, and laid out like the published set."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.datasets import (
    DatasetCollection,
    DatasetHeader,
    DesignPair,
    Rationale,
    load_collection,
    load_folder,
    write_folder,
)

PAIRS = DatasetHeader(format=1, kind="pair", name="pairs", licence="CC0", provenance="drawn by a test", synthetic=True)


def draw(path: Path, seed: int) -> None:
    """A picture that looks like no other."""
    pixels = np.full((48, 64, 3), 240, np.uint8)
    x, y = 3 + 5 * seed % 40, 3 + 7 * seed % 30
    cv2.rectangle(pixels, (x, y), (x + 15, y + 10), (37 * seed % 200, 90, 160), -1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(".png", pixels)[1].tobytes())


def because(reason: str, law: str | None = None, neutral: str | None = None) -> Rationale:
    return Rationale(reason=reason, law=law, neutral=neutral)


def pair(name: str, winner: int | None = 0, *, same: bool = False, **changes: Any) -> DesignPair:
    """`same` gives it one picture twice."""
    images = [f"media/{name}-{0 if same else place}.png" for place in range(2)]
    return DesignPair(id=name, images=images, winner=winner, **changes)


def write_pairs(folder: Path, *pairs: DesignPair) -> DatasetCollection:
    for number, path in enumerate(path for one in pairs for path in one.images):
        draw(folder / path, number)
    write_folder(folder, PAIRS, pairs)
    return DatasetCollection.single(load_folder(folder))


def published(folder: Path, rationales: Sequence[Sequence[tuple[str, str, str]]]) -> DatasetCollection:
    """A set like WiserUI-Bench: for each pair its rationales, each with law and dimension."""
    rows = []
    for index, reasons in enumerate(rationales):
        for place, name in enumerate(("win", "lose")):
            draw(folder / "images" / str(index) / f"{name}.png", 2 * index + place)
        urls = {f"{name}_url": f"https://static.wingify.com/{index}-{name}.png" for name in ("win", "lose")}
        facts = {"company": "Acme", "page_type": "homepage", "industry_domain": "IT & Software", "web_mobile": "web"}
        laws = [{"reason": reason, "law": {"name": law, "type": kind}} for reason, law, kind in reasons]
        changes = {"ui_change": {"Button": ["Color"]}, "source": f"https://vwo.com/{index}/"}
        rows.append({"index": index, **urls, **facts, **changes, "rationale": laws})
    (folder / "WiserUI_Bench.json").write_text(json.dumps(rows), encoding="utf-8")
    return load_collection(f"wiserui:{folder}")


def outcome(item: str, verdict: Verdict | None, truth: str, trial: int = 0, **changes: Any) -> AttemptResult:
    return AttemptResult(
        **{
            "attempt_id": f"{item} {truth} {trial}",
            "task": "behavior/choice",
            "model": "m",
            "strategy": "zero-shot",
            "trial": trial,
            "question_id": f"{item} {truth}",
            "item_id": item,
            "truth": truth,
            "tags": {},
            "cluster": item,
            "verdict": verdict,
            "first_verdict": verdict,
            **changes,
        }
    )


def picked(item: str, truth: str, answer: str | None, trial: int = 0, **changes: Any) -> AttemptResult:
    """The choice of one order; None could not be read."""
    verdict = (
        Verdict(AttemptStatus.ANSWERED, answer, float(answer == truth)) if answer else Verdict(AttemptStatus.UNPARSED)
    )
    return outcome(item, verdict, truth, trial, **changes)

"""Calibration against a real server whose model looks at the pictures it is sent, and counts in its own way."""

import base64
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from aiohttp import web

from affordance.cli.calibrate import _describe
from affordance.cli.main import run_command
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection, Screen
from affordance.datasets.generated import calibration_screens as probe
from affordance.datasets.generated.calibration_screens import CALIBRATION_SIZES, calibration_screens
from affordance.evaluation.dialect_calibration import DialectCalibration, calibrated_dialects
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.probe_runs import calibrate_dialect
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.grounding.location_scoring import TargetTruth
from affordance.ledger import open_ledger
from affordance.media import decode_image
from affordance.report.result_row import ResultRow
from affordance.report.rows import build_rows
from affordance.tasks.function.calibration import CALIBRATION_TASK
from affordance.tasks.function.ground import GROUND_ELEMENT
from errors import assert_carries, raises
from loopback import Loopback, Seen, completion

SIZES = ((1280, 720), (1920, 1080), (1170, 2532))
SCREENS = 36
ASKED = 30  # with fewer answers there is no warning
SHORT = RetryPolicy(max_tries=2, first_wait=0.01, max_wait=0.05, max_repeated_errors=5, outage_timeout=0.0)
DOWNSCALE = 1568


def blue_box(seen: Seen) -> tuple[float, ...]:
    """The blue rectangle of the picture, in pixels of the picture as it came, and its longest side."""
    image = decode_image(base64.b64decode(seen.images[0].partition(",")[2]))
    rows_, columns = np.nonzero(cv2.subtract(image[:, :, 2], image[:, :, 0]) > 100)
    return (columns.min(), rows_.min(), columns.max() + 1, rows_.max() + 1, max(image.shape[:2]))


async def counts_in_a_downscale(seen: Seen, _: web.Request) -> web.StreamResponse:
    *box, longest = blue_box(seen)
    scale = min(1.0, DOWNSCALE / longest)
    return completion(f"Box: [{', '.join(str(round(edge * scale)) for edge in box)}]", served_as=seen.body["model"])


async def babbles(seen: Seen, _: web.Request) -> web.StreamResponse:
    number = seen.key[:6].translate(str.maketrans("abcdef", "012345"))
    return completion(f"Box: [{number}, 3, 4, 5]", served_as=seen.body["model"])


@dataclass(frozen=True)
class Calibrated:
    """A ledger in which the downscaling model has been calibrated, and the server where it is."""

    server: Loopback
    request: RunRequest
    cache: Path
    profile: DialectCalibration

    @property
    def model(self) -> str:
        return self.profile.model


def request_for(ledger: Path, cache: Path, *models: str, dialect: str | None = None) -> RunRequest:
    return RunRequest(
        config=RunConfig(tasks=(CALIBRATION_TASK,), dialect=dialect),
        data=DatasetCollection("probes", ()),
        models=tuple(ModelName.parse(model) for model in models),
        ledger=str(ledger),
        render_cache=cache / "pictures",
        execution=ExecutionConfig(concurrency=4, retry=SHORT),
    )


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Calibrated]:
    """Without the largest screens, which take most of the time."""
    cache, ledger = tmp_path_factory.mktemp("cache"), tmp_path_factory.mktemp("ledger") / "ledger.db"
    with pytest.MonkeyPatch.context() as patch, Loopback(counts_in_a_downscale) as server:
        patch.setattr(probe, "CALIBRATION_SIZES", SIZES)
        request = request_for(ledger, cache, f"openai:mystery@{server.url}")
        (profile,), progress = calibrate_dialect(request, cache)
        assert progress.complete
        yield Calibrated(server, request, cache, profile)


def test_twelve_screens_of_each_size(found: Calibrated) -> None:
    assert CALIBRATION_SIZES == ((1280, 720), (1920, 1080), (3840, 2160), (1170, 2532))
    screens = [item for item in calibration_screens(found.cache).items if isinstance(item, Screen)]
    assert len(found.server.seen[:SCREENS]) == SCREENS
    assert Counter((one.width, one.height) for one in screens) == dict.fromkeys(SIZES, 12)
    assert all(len(one.targets) == 1 for one in screens)


def test_the_convention_is_found(found: Calibrated) -> None:
    inference = found.profile.inference
    assert inference.best is not None
    assert str(inference.best.coordinates) == f"side:{DOWNSCALE}/xyxy"
    assert (inference.best.fits, inference.total) == (SCREENS, SCREENS)
    assert (inference.best.error or 0) < 2
    assert found.profile.asked_dialect.name == "default"
    assert found.profile.calibrated_dialect is not None
    assert found.profile.calibrated_dialect.name == f"default@side:{DOWNSCALE}/xyxy"


def test_it_is_said_describe(found: Calibrated) -> None:
    first, second, third, *_ = _describe(found.profile)
    assert_carries(first, found.model, "side:1568/xyxy")
    assert re.findall(r"\d+", second)[:4] == [str(SCREENS)] * 4, "asked, with numbers, that fit, that hit"
    assert_carries(third, "--dialect calibrated", "--dialect default@side:1568/xyxy")


def test_nothing_is_asked_twice(found: Calibrated) -> None:
    asked = len(found.server.seen)
    (again,), _ = calibrate_dialect(found.request, found.cache)
    assert again == found.profile
    assert len(found.server.seen) == asked


def test_the_command_says_the_same(
    found: Calibrated, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = len(found.server.seen)
    monkeypatch.setenv("AFFORDANCE_CACHE", str(found.cache))
    assert run_command(["calibrate", "--model", found.model, "--ledger", found.request.ledger, "--quiet"]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines() == _describe(found.profile)
    assert told.err == ""
    assert len(found.server.seen) == asked


def test_the_profile_is_in_the_ledger(found: Calibrated) -> None:
    assert calibrated_dialects(found.request.ledger)(found.model) == f"default@side:{DOWNSCALE}/xyxy"


def test_a_model_that_is_not_calibrated_is_told_how(found: Calibrated) -> None:
    other = f"openai:other@{found.server.url}"
    with raises(UserError, other, found.request.ledger, "affordance calibrate --model openai"):
        calibrated_dialects(found.request.ledger)(other)


def ground(found: Calibrated, dialect: str | None) -> ResultRow:
    """The probes as a dataset of their own, asked about like any other."""
    data = DatasetCollection("screens", (calibration_screens(found.cache),))
    settings = RunConfig(tasks=(GROUND_ELEMENT,), dialect=dialect, limit=ASKED)
    request = replace(found.request, config=settings, data=data)
    run, progress = execute_run(request)
    assert progress.complete
    with open_ledger(request.ledger, read_only=True) as ledger:
        (row,) = build_rows(ledger, [run])
    return row


def test_the_profile_is_used_where_it_is_chosen(found: Calibrated) -> None:
    row = ground(found, "calibrated")
    assert (row.metrics["accuracy"], row.dialect, row.decided) == (1.0, "default@side:1568/xyxy", "calibration")
    assert (row.metrics["iou"] or 0) > 0.9
    assert row.warnings == ()


def test_without_it_there_is_a_warning_and_nothing_is_scored_again(found: Calibrated) -> None:
    row = ground(found, None)
    assert (row.metrics["accuracy"] or 0) < 0.2
    assert (row.dialect, row.decided) == ("default", "unknown")
    name, convention = row.warnings
    assert_carries(name)
    assert_carries(convention, "side:1568/xyxy", ASKED)
    assert ground(found, None) == row


def test_an_option_overrides_and_is_recorded(found: Calibrated) -> None:
    row = ground(found, "default@side:1568/xyxy")
    assert (row.metrics["accuracy"], row.decided) == (1.0, "option")
    assert row.settings["dialect"] == "default@side:1568/xyxy"
    row = ground(found, "gemini")
    assert (row.dialect, row.decided) == ("gemini", "option")
    assert any("side:1568/xyxy" in warning for warning in row.warnings)


def test_a_model_that_babbles_cannot_be_told(found: Calibrated, tmp_path: Path) -> None:
    with Loopback(babbles) as server:
        request = request_for(tmp_path / "ledger.db", found.cache, f"openai:babbler@{server.url}")
        (profile,), _ = calibrate_dialect(request, found.cache)
        assert profile.calibrated_dialect is None
        line, advice = _describe(profile)
        assert_carries(line, profile.model)
        assert_carries(advice, "--dialect default")
        with raises(UserError, profile.model, "--dialect default"):
            calibrated_dialects(request.ledger)(profile.model)


def test_a_model_without_words_for_places_cannot_be_told(found: Calibrated, tmp_path: Path) -> None:
    async def sighs(_: Seen, __: web.Request) -> web.StreamResponse:
        return completion("It is blue.")

    with Loopback(sighs) as server:
        request = request_for(tmp_path / "ledger.db", found.cache, f"openai:poet@{server.url}")
        (profile,), progress = calibrate_dialect(request, found.cache)
        assert progress.complete
        assert profile.calibrated_dialect is None
        assert_carries(_describe(profile)[0], profile.model)


@pytest.mark.parametrize("name", ["oracle:claude", "baseline:random"])
def test_our_own_models_can_be_calibrated_and_used(found: Calibrated, tmp_path: Path, name: str) -> None:
    """Under the name that they are given on the command line."""
    request = request_for(tmp_path / "ledger.db", found.cache, name)
    (profile,), _ = calibrate_dialect(request, found.cache)
    if name.startswith("oracle"):
        assert profile.calibrated_dialect is not None
        data = DatasetCollection("screens", (calibration_screens(found.cache),))
        settings = RunConfig(tasks=(GROUND_ELEMENT,), dialect="calibrated", limit=3)
        _, progress = execute_run(replace(request, config=settings, data=data))
        assert progress.complete
    else:
        assert profile.calibrated_dialect is None


def test_every_probe_is_answered_by_the_truth(found: Calibrated) -> None:
    with open_ledger(found.request.ledger, read_only=True) as ledger:
        run = next(one.run for one in ledger.run_summaries() if one.run.settings["tasks"] == ["function/probe"])
        outcomes = list(ledger.attempt_results(run.id))
    assert len(outcomes) == SCREENS
    assert all(len(TargetTruth.from_text(one.truth).boxes) == 1 for one in outcomes)
    with open_ledger(found.request.ledger, read_only=True) as ledger:
        assert build_rows(ledger, [run]) == [], "probes are never part of a score"

"""The demo corpus: built from small pages here, and what comes with the package looked at."""

import asyncio
from contextlib import nullcontext
from pathlib import Path

import pytest
from pages import write_pages

from affordance.capture import corpus
from affordance.capture.animations import capture_animations, plan_animations
from affordance.capture.corpus import SCREENS, SHOOTING, VARIATIONS, build_corpus, fonts, versions
from affordance.capture.looks import Look
from affordance.capture.pairs import capture_pairs
from affordance.capture.screens import capture_screens, plan
from affordance.capture.sources import Site, open_site
from affordance.core.digest import digest_file, digest_folder
from affordance.core.errors import UserError
from affordance.datasets import ActionOutcome, Clip, Dataset, DesignPair, Screen, load_folder
from affordance.datasets.check import check_folder
from affordance.datasets.demo import MANIFEST, demo_files, read_demo_manifest, unpack_demo
from affordance.media import decode_image, encode_image
from errors import raises

DEMO = Path(__file__).parents[2] / "demo"
MEGABYTE = 1_000_000
PAIR = """
winner = "b"
size = "400x300"
goal = "The person buys."
context = "A shop."
page_type = "product page"
industry = "Retail"
device = "web"
[changes]
Button = ["Size"]
[[rationales]]
reason = "The button is larger."
law = "Fitts’s Law"
dimension = "Action"
"""
PAGES = {
    "apps/shop/index.html": "<button onclick=\"document.body.append('Sold')\">Buy</button>",
    "apps/shop/night.html": "<meta name=color-scheme content='light dark'><p>A page with a dark look",
    "animations/fade.html": "<div style='width:50px;height:50px;background:teal' id=it></div><script>setTimeout(() => "
    "it.animate([{ opacity: 1 }, { opacity: 0 }], 200), 100)</script>",
    "animations/fade.toml": 'size = "200x120"\nseconds = 1\nstill = 0.1\npurpose = "Feedback"\n',
    "pairs/shop/a.html": "<button>Buy</button>",
    "pairs/shop/b.html": "<button style='font-size:40px'>Buy</button>",
    "pairs/shop/pair.toml": PAIR,
}


def build(source: Path, work: Path, target: Path) -> None:
    build_corpus(source, work, target, lambda what: nullcontext(lambda done, planned: None))


def test_pages_become_packed_data_and_datasets_again(tmp_path: Path) -> None:
    source = write_pages(tmp_path / "demo", PAGES)
    build(source, tmp_path / "work", tmp_path / "packed")
    datasets = {one.header.kind: one for one in unpack_demo(tmp_path / "data", tmp_path / "packed")}
    assert {kind: len(one.items) for kind, one in datasets.items() if kind != "outcome"} == {
        "clip": 2, "pair": 1, "screen": 3,
    }  # fmt: skip
    assert [(item.id, link.to) for item in datasets["screen"].items for link in item.links] == [
        ("shop-night-1280x800-1x-dark-en-US", "shop-night-1280x800-1x-light-en-US")
    ], "pages that look the same in the dark have no variant"
    assert all(not list(check_folder(one.root)) for one in datasets.values())
    assert all(one.header.synthetic for one in datasets.values())
    (pair,) = datasets["pair"].items
    assert isinstance(pair, DesignPair)
    assert (pair.winner, pair.rationales[0].law) == (1, "Fitts’s Law")
    sentences = {item.sentence for item in datasets["outcome"].items if isinstance(item, ActionOutcome)}
    assert any("Sold" in sentence for sentence in sentences)
    screen = next(item for item in datasets["screen"].items if isinstance(item, Screen))
    (original,) = [item for item in load_folder(tmp_path / "work" / "screens").items if item.id == screen.id]
    assert isinstance(original, Screen)
    shown = decode_image(datasets["screen"].media_path(screen.image).read_bytes())
    assert (shown == decode_image((tmp_path / "work/screens" / original.image).read_bytes())).all()

    # Built again, a page that changed is captured again; of the rest nothing is, and the same comes out.
    before = read_demo_manifest(tmp_path / "packed")
    parts = {name: (tmp_path / "work" / name / "items.jsonl") for name in ("clips", "pairs", "screens", "outcomes")}
    captured = {name: path.stat().st_mtime_ns for name, path in parts.items()}
    (source / "animations/fade.html").write_text((source / "animations/fade.html").read_text().replace("200", "300"))
    build(source, tmp_path / "work", tmp_path / "packed")
    assert {name for name, path in parts.items() if path.stat().st_mtime_ns != captured[name]} == {"clips"}
    after = read_demo_manifest(tmp_path / "packed")
    changed = {name for name in before.files if after.files.get(name) != before.files[name]}
    assert "clips.jsonl.gz" in changed
    assert not {"pairs.jsonl.gz", "screens.jsonl.gz", "outcomes.jsonl.gz"} & changed
    assert after.sources != before.sources


def test_other_files_are_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def known(*_: object) -> dict[str, str]:
        return {"chromium": "1"}

    monkeypatch.setattr(corpus, "versions", known)  # for which a browser has to start
    source = write_pages(tmp_path / "demo", PAGES)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("42")
    with raises(UserError, tmp_path / "mine"):
        build(source, tmp_path / "work", tmp_path / "mine")
    (tmp_path / "mine" / MANIFEST).write_text('{"name": "an extension of a browser"}')
    with raises(UserError, tmp_path / "mine"):
        build(source, tmp_path / "work", tmp_path / "mine")
    with raises(UserError, tmp_path / "mine", "apps"):
        build(tmp_path / "mine", tmp_path / "work", tmp_path / "packed")
    (tmp_path / "mine" / "pairs").mkdir()
    (tmp_path / "mine" / "pairs" / "thesis.txt").write_text("42")
    with raises(UserError, tmp_path / "mine" / "pairs"):
        build(source, tmp_path / "mine", tmp_path / "packed")
    assert (tmp_path / "mine" / "pairs" / "thesis.txt").read_text() == "42"


@pytest.fixture(scope="module")
def shipped() -> Path:
    root = demo_files()
    assert isinstance(root, Path)
    return root


def test_what_comes_with_the_package_is_what_the_manifest_says(shipped: Path) -> None:
    manifest = read_demo_manifest()
    files = digest_folder(shipped)
    files.pop(MANIFEST)
    assert files == manifest.files
    for name, digest in manifest.files.items():
        if name.startswith("media/"):
            assert Path(name).stem == digest


def test_it_was_captured_from_the_pages_as_they_are() -> None:
    assert read_demo_manifest().sources == digest_folder(DEMO)


def test_it_is_small(shipped: Path) -> None:
    sizes = {path: path.stat().st_size for path in shipped.rglob("*") if path.is_file()}
    assert sum(sizes.values()) <= 8 * MEGABYTE
    assert sum(size for path, size in sizes.items() if path.suffix == ".mp4") <= 3 * MEGABYTE


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dataset]:
    """What comes with the package, unpacked, by kind."""
    return {one.header.kind: one for one in unpack_demo(tmp_path_factory.mktemp("shipped") / "data")}


@pytest.mark.long
def test_it_has_no_findings(datasets: dict[str, Dataset]) -> None:
    for one in datasets.values():
        assert [finding for finding in check_folder(one.root) if finding.code != "repeated laws"] == []


def test_it_is_whole(datasets: dict[str, Dataset]) -> None:
    assert all(one.header.synthetic for one in datasets.values())
    clips = [item for item in datasets["clip"].items if isinstance(item, Clip) and not item.links]
    assert len(clips) >= 24
    assert {clip.purpose for clip in clips} == {
        "Transition", "Demonstration", "Guidance", "Feedback", "Visualization", "Highlight", "Aesthetic",
    }  # fmt: skip
    assert {clip.platform for clip in clips} == {"phone", "web", "desktop"}
    assert all(clip.context and len(clip.meaning_responses) >= 3 for clip in clips)
    screens = {item.id: item for item in datasets["screen"].items if isinstance(item, Screen)}
    variants = {item.id: item.links[0].to for item in screens.values() if item.links}
    assert (len(screens) - len(variants), len(variants)) == (23, 19)
    tried = {item.screen for item in datasets["outcome"].items if isinstance(item, ActionOutcome)}
    assert tried == screens.keys() - variants.keys(), "what happens was tried on the originals"
    for number, (variant, original) in enumerate(variants.items()):
        assert {one.id for one in screens[variant].elements} == {one.id for one in screens[original].elements}
        if number < 2:
            files = (datasets["screen"].media_path(screens[one].image) for one in (variant, original))
            dark, light = (decode_image(file.read_bytes()) for file in files)
            assert dark.mean() < 80 < 180 < light.mean()
    pairs = [item for item in datasets["pair"].items if isinstance(item, DesignPair)]
    assert len(pairs) == 12
    assert sum(pair.winner or 0 for pair in pairs) == 6
    assert len({rationale.law for pair in pairs for rationale in pair.rationales}) == 12


class Again:
    """The same pages captured once more: byte for byte where everything that decides is the same, else by geometry."""

    def __init__(self, datasets: dict[str, Dataset]) -> None:
        manifest = read_demo_manifest()
        now = asyncio.run(versions(DEMO, None))
        self.same = manifest.versions == now and manifest.fonts == fonts()
        self.datasets = datasets

    def item(self, kind: str, name: str) -> Clip | DesignPair | Screen:
        (found,) = [item for item in self.datasets[kind].items if item.id == name]
        assert isinstance(found, Clip | DesignPair | Screen)
        return found

    def file(self, kind: str, media: str) -> Path:
        return self.datasets[kind].media_path(media)


@pytest.fixture(scope="module")
def again(datasets: dict[str, Dataset]) -> Again:
    return Again(datasets)


def only(site: Site, name: str) -> Site:
    return Site(site.given, tuple(page for page in site.pages if page.name == name), site.folder)


@pytest.mark.long
def test_a_clip_captured_again(again: Again, tmp_path: Path) -> None:
    site = only(open_site(str(DEMO / "animations"), []), "toggle")
    asyncio.run(capture_animations(site, plan_animations(site, SHOOTING), tmp_path / "clips", SHOOTING))
    clip, shipped = load_folder(tmp_path / "clips").items[0], again.item("clip", "toggle")
    assert isinstance(clip, Clip)
    assert isinstance(shipped, Clip)
    assert clip.motion is not None
    assert shipped.motion is not None
    assert clip.motion.effects == shipped.motion.effects
    assert clip.motion.duration == shipped.motion.duration
    assert clip.motion.frames == shipped.motion.frames
    if again.same:
        assert clip.motion == shipped.motion
        assert digest_file(tmp_path / "clips" / clip.video) == digest_file(again.file("clip", shipped.video))


@pytest.mark.long
def test_a_screen_captured_again(again: Again, tmp_path: Path) -> None:
    name = "settings-privacy"
    site = only(open_site(str(DEMO / "apps"), []), name)
    asyncio.run(capture_screens(site, plan(site, [Look()], VARIATIONS), tmp_path / "screens"))
    screens = load_folder(tmp_path / "screens").items
    assert len(screens) == 2
    for screen in screens:
        shipped = again.item("screen", screen.id)
        assert isinstance(screen, Screen)
        assert isinstance(shipped, Screen)
        assert screen.links == shipped.links
        assert [(one.id, one.role, one.name) for one in screen.elements] == [
            (one.id, one.role, one.name) for one in shipped.elements
        ]
        if again.same:
            assert screen.elements == shipped.elements
            pixels = decode_image((tmp_path / "screens" / screen.image).read_bytes())
            assert encode_image(pixels, SCREENS) == again.file("screen", shipped.image).read_bytes()


@pytest.mark.long
def test_a_pair_captured_again(again: Again, tmp_path: Path) -> None:
    name = "parcel-rates"
    (tmp_path / "source" / name).mkdir(parents=True)
    for file in (DEMO / "pairs" / name).iterdir():
        (tmp_path / "source" / name / file.name).write_bytes(file.read_bytes())
    asyncio.run(capture_pairs(tmp_path / "source", tmp_path / "pairs"))
    (pair,) = load_folder(tmp_path / "pairs").items
    shipped = again.item("pair", name)
    assert isinstance(pair, DesignPair)
    assert isinstance(shipped, DesignPair)
    assert (pair.winner, pair.rationales) == (shipped.winner, shipped.rationales)
    for image, there in zip(pair.images, shipped.images, strict=True):
        pixels = decode_image((tmp_path / "pairs" / image).read_bytes())
        then = decode_image(again.file("pair", there).read_bytes())
        assert pixels.shape == then.shape
        if again.same:
            assert encode_image(pixels, SCREENS) == again.file("pair", there).read_bytes()

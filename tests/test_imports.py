"""What is imported when: a command line must answer at once, and heavy libraries wait until they are needed."""

import subprocess
import sys

import pytest

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


@pytest.mark.parametrize(
    "code",
    [
        "import affordance",
        "from affordance.cli.main import run_command; run_command(['--help'])",
        "from affordance.cli.main import run_command; run_command(['run', '--help'])",
        "from affordance.cli.main import run_command; run_command(['data', 'make', 'primitives', '--help'])",
        "from affordance.cli.main import run_command; run_command(['choose', '--help'])",
        "from affordance.cli.main import run_command; run_command(['author', 'pairs', '--help'])",
        "from affordance.cli.main import run_command; run_command(['studio', '--help'])",
    ],
    ids=["package", "help", "run help", "data help", "choose help", "author help", "studio help"],
)
def test_nothing_heavy_is_imported(code: str) -> None:
    program = f"{code}\nimport sys; print('LOADED', *[name for name in {HEAVY!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout.splitlines()[-1] == "LOADED"

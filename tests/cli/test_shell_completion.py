"""Completion, by the protocols that shells speak; and in a bash."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from affordance.cli import completion
from cases import case
from errors import assert_user_error
from patience import PATIENCE

Command = Callable[..., subprocess.CompletedProcess[str]]
HERE = Path(sys.executable).parent
HEAVY = ["sqlalchemy", "aiohttp", "cv2", "av", "numpy", "scipy", "jinja2", "pydantic", "rich.console"]


def bash(here: Command, *words: str) -> list[str]:
    """What bash gets, which begins a new word at each colon and equals sign."""
    variables = {"COMP_WORDS": "\n".join(("affordance", *words)), "COMP_CWORD": str(len(words))}
    return answer(here, "complete_bash", **variables)


def answer(here: Command, instruction: str, **variables: str) -> list[str]:
    result = here(_AFFORDANCE_COMPLETE=instruction, **variables)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.splitlines()


def test_names_are_those_of_the_registries() -> None:
    from affordance.datasets.published import PUBLISHED_DATASETS
    from affordance.datasets.taxonomies import TargetExpression
    from affordance.evaluation.run_config import PROTOCOLS
    from affordance.models.registry import BASELINES
    from affordance.tasks.motion.cues import Cue
    from affordance.tasks.registry import TASKS

    assert set(completion.TASKS) == set(TASKS)
    assert set(completion.STRATEGIES) == {name for task in TASKS.values() for name in task.strategies}
    assert set(completion.FORMATS) == set(PUBLISHED_DATASETS)
    assert set(completion.PROTOCOLS) == set(PROTOCOLS)
    assert set(completion.BASELINES) == {f"baseline:{name}" for name in BASELINES}
    assert set(completion.CUES) == {*Cue, "none", "all"}
    assert set(completion.EXPRESSIONS) == {*TargetExpression, "all"}


def test_options_of_a_run_are_those_that_are_declared() -> None:
    from affordance.cli.run_options import FILE, describe_options
    from affordance.evaluation.run_config import run_options

    expected = describe_options(run_options().values())
    assert json.loads(FILE.read_text("utf-8")) == expected, "run scripts/make-command-data.py"


def test_listed_tasks_are_those_of_the_registry() -> None:
    from affordance.cli.tasks import FILE, describe_task
    from affordance.tasks.registry import TASKS

    expected = [describe_task(task) for task in TASKS.builtin.values()]
    assert json.loads(FILE.read_text("utf-8")) == expected, "run scripts/make-command-data.py"


RUN = ("run", "motion/effect")
TYPED = {
    "a command": (["rep"], ["report"]),
    "a command of a group": (["data", "ma"], ["make"]),
    "an option": (["report", "--form"], ["--format"]),
    "a task": (["run", "motion/e"], ["motion/effect"]),
    "a suite": (["run", "func"], [one for one in completion.TASKS if one.startswith("func")] + ["function"]),
    "another task": (["run", "motion/effect", "behavior/c"], ["behavior/choice"]),
    "a dialect": ([*RUN, "--dialect", "qwen3"], ["qwen3-vl"]),
    "a strategy": ([*RUN, "--strategy", "debate"], ["debate-1", "debate-3"]),
    "a protocol": ([*RUN, "--protocol", "p"], ["paper"]),
    "a format": (["report", "--format", "la"], ["latex"]),
    "a model": ([*RUN, "--model", "base"], list(completion.BASELINES)),
    "behind the colon": ([*RUN, "--model", "baseline", ":", "pi"], ["pixels"]),
    "at the colon": ([*RUN, "--model", "baseline", ":"], ["first", "overlap", "people", "pixels", "random"]),
    "behind an equals sign": ([*RUN, "--model", "=", "oracl"], ["oracle"]),
    "a dialect of the oracle": ([*RUN, "--model", "oracle", ":", "qwen3"], ["qwen3-vl"]),
    "a provider": ([*RUN, "--model", "openr"], ["openrouter:", "openrouter:MODEL"]),
    "a published format": ([*RUN, "--data", "autog"], ["autogui-v2:", "autogui-v2:PATH"]),
    "a path of it": ([*RUN, "--data", "animint", ":", "Ani"], ["AniMINT"]),
    "a folder": (["data", "check", "Ani"], ["AniMINT"]),
    "nothing fits": ([*RUN, "--strategy", "x"], []),
    "a file": (["report", "-o", "x"], []),
    "an unknown command": (["rum", "x"], []),
}


def test_bash(here: Command, tmp_path: Path) -> None:
    (tmp_path / "AniMINT").mkdir()
    for name, (words, offered) in TYPED.items():
        with case(name):
            assert bash(here, *words) == offered


def test_zsh(here: Command) -> None:
    told = answer(here, "complete_zsh", _TYPER_COMPLETE_ARGS="affordance run --model baseline:p")
    assert told == ['_arguments \'*: :(("baseline\\\\:people"', '"baseline\\\\:pixels"))\'']
    described = answer(here, "complete_zsh", _TYPER_COMPLETE_ARGS="affordance doc")
    (line,) = described
    assert re.fullmatch(r"""_arguments '\*: :\(\("doctor":"[^"]+"\)\)'""", line)
    assert answer(here, "complete_zsh", _TYPER_COMPLETE_ARGS="affordance report -o ") == ["_files"]


def test_fish(here: Command) -> None:
    asked = {"_TYPER_COMPLETE_ARGS": "affordance run --protocol ", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    assert answer(here, "complete_fish", **asked) == ["affordance", "paper"]
    asked["_TYPER_COMPLETE_FISH_ACTION"] = "is-args"
    assert answer(here, "complete_fish", **asked) == []
    asked["_TYPER_COMPLETE_ARGS"] = "affordance report -o "
    files = here(_AFFORDANCE_COMPLETE="complete_fish", **asked)
    assert (files.returncode, files.stdout, files.stderr) == (1, "", "")  # by which fish knows to offer files


def test_configured_models(here: Command, tmp_path: Path) -> None:
    (tmp_path / "affordance.toml").write_text('[models."openai:mine"]\nvideo = false\n')
    assert bash(here, *RUN, "--model", "openai", ":", "m") == ["mine"]


def test_whatever_is_wrong_nothing_is_printed(here: Command, tmp_path: Path) -> None:
    (tmp_path / "affordance.toml").write_text("[[[ Dear diary, " * 100)
    assert bash(here, *RUN, "--model", "op") == []
    assert bash(here, "ru")[:1] == ["run"]


def test_nothing_heavy_is_imported(cache: Path) -> None:
    program = (
        "import sys; from affordance.cli.main import run_command; run_command([]); "
        f"print('HEAVY', *[one for one in {HEAVY!r} if one in sys.modules])"
    )
    variables = {
        "_AFFORDANCE_COMPLETE": "complete_bash",
        "COMP_WORDS": "affordance\nrun\n--model\nopen",
        "COMP_CWORD": "3",
    }
    result = subprocess.run(
        [sys.executable, "-c", program], env=variables, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert result.stdout.splitlines() == ["openai:", "openrouter:", "HEAVY"]


SCRIPT = """
source <(affordance --show-completion)
complete -p affordance
COMP_WORDS=(affordance run motion/effect --model baseline : pi) COMP_CWORD=6
_affordance_completion affordance
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="this system has no bash")
def test_a_bash(tmp_path: Path) -> None:
    result = subprocess.run(
        ["bash", "--norc", "-c", SCRIPT], env={"PATH": f"{HERE}:/usr/bin:/bin"}, cwd=tmp_path,
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert result.stdout.splitlines() == ["complete -o default -F _affordance_completion affordance", "pixels"]
    assert result.stderr == ""


def test_installing_needs_a_shell(here: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    import shellingham

    def none() -> None:
        raise shellingham.ShellDetectionFailure

    monkeypatch.setattr(shellingham, "detect_shell", none)
    for option in ("--install-completion", "--show-completion"):
        assert_user_error(here(option), "bash", "zsh", "fish")

import sys
from pathlib import Path

import pytest

import affordance
from affordance.cli.main import run_command
from affordance.core.config import read_config, resolve_config_path, resolve_ledger
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.core.paths import find_config
from affordance.models.profile import image_limits
from errors import raises


def test_found_upwards(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find_config(inner) is None
    (tmp_path / "affordance.toml").write_text("")
    assert find_config(inner) == tmp_path / "affordance.toml"


def test_reads(tmp_path: Path) -> None:
    path = tmp_path / "affordance.toml"
    path.write_text(
        'ledger = "r.db"\n[run]\nconcurrency = 4\n[models."openai:x"]\nmax_tokens = 10\n'
        '[prices]\n"x" = { input = 1, output = 2 }\n[providers.mine]\nbase_url = "https://h/v1"\nkey_variable = "K"\n'
    )
    config = read_config(path)
    assert config.command_defaults == {"ledger": "r.db", "run": {"concurrency": 4}}
    assert config.models == {"openai:x": {"max_tokens": 10}}
    assert config.prices["x"].output == 2
    assert config.providers["mine"].key_required


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("= 3", "line 1"),  # as tomllib has it
        ('[prices]\n"x" = { input = -1, output = 2 }', "prices.x.input"),
        ('[prices]\n"x" = { inputs = 1, output = 2 }', "prices.x"),
        ('[providers.p]\nbase_url = "ftp://h"\nkey_variable = "K"', "providers.p.base_url"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "affordance.toml"
    path.write_text(text)
    with raises(UserError, path, place):
        read_config(path)


SECRETS = ("sk-planted-key-123456", "planted-password", "8675309867")
KEY, PASSWORD, NUMBER = SECRETS
# Files that cannot be read, or hold what cannot be.
INVALID = {
    "a line without quotes": f"api_key = {KEY}",
    "a text without an end": f'api_key = "{KEY}',
    "a line as in other formats": f"api_key: {KEY}",
    "an array without an end": f'[run]\nset = ["{KEY}"',
    "a table twice": f'[models."openai:x@http://u:{PASSWORD}@h"]\n[models."openai:x@http://u:{PASSWORD}@h"]',
    "a line of text": f"export OPENAI_API_KEY={KEY}",
    "bytes": f'api_key = "{KEY}\udcff"',
    "a provider that is text": f'[providers]\nopenai = "{KEY}"',
    "a key of a provider": f'[providers.mine]\nbase_url = "https://h"\nkey_variable = "K"\napi_key = "{KEY}"',
    "a key for its variable": f'[providers.mine]\nbase_url = "https://h"\nkey_variable = "{KEY}"',
    "a URL of another kind": f'[providers.mine]\nbase_url = "ftp://u:{PASSWORD}@h"\nkey_variable = "K"',
    "a number for a URL": f'[providers.mine]\nbase_url = {NUMBER}\nkey_variable = "K"',
    "a table for a URL": f'[providers.mine]\nbase_url = {{ key = "{KEY}" }}\nkey_variable = "K"',
    "a model that is text": f'[models]\n"openai:x" = "{KEY}"',
    "a password in the name of a model": f'[models]\n"openai:x@http://u:{PASSWORD}@h/v1" = 3',
    "a price that is text": f'[prices]\nx = "{KEY}"',
    "a number of a price": f'[prices]\nx = {{ input = "{KEY}", output = 1 }}',
    "prices that are text": f'prices = "{KEY}"',
    "models that are a list": f'models = ["{KEY}"]',
    "a source that is text": f'[sources]\nmine = "{KEY}"',
    "a ledger in a list": f'ledger = ["postgresql://me:{PASSWORD}@h/d"]',
    "a ledger in a table": f'[run]\nledger = {{ url = "postgresql://me:{PASSWORD}@h/d" }}',
}


@pytest.mark.parametrize("text", INVALID.values(), ids=INVALID.keys())
def test_no_secret_of_an_invalid_file_is_in_an_error(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "affordance.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    monkeypatch.chdir(tmp_path)
    for arguments in (["run", "motion/effect", "--model", "oracle"], ["report"], ["studio", "shop"], ["doctor", "-q"]):
        if arguments[0] == "doctor":
            monkeypatch.setitem(sys.modules, "playwright", None)  # a browser is of no use here
        assert run_command(arguments) == 2
        told = capsys.readouterr()
        assert str(path) in told.out + told.err
        assert not [secret for secret in SECRETS if secret in told.out + told.err], told
    if "run" not in text:  # defaults of commands are none of calls
        with raises(UserError, path) as error:
            affordance.open_results()
        assert not [secret for secret in SECRETS if secret in str(error.value)]


@pytest.mark.parametrize(
    "text",
    [
        f'api_key = "{KEY}"',
        f'[openai]\nkey = "{KEY}"',
        f'[run]\napi_key = "{KEY}"',
        f'[judge.certify]\napi_key = "{KEY}"',
        f'[judge]\nkey = "{KEY}"',
        f'[run]\nconcurrency = "{KEY}"',
        f'[run]\nbudget = ["{KEY}"]',
        f'[run]\nmodel = [["{KEY}"]]',
        f'[judge.certify]\nrepeats = "{KEY}"',
        f'[report]\nformat = "{KEY}"',
        f'["http://u:{PASSWORD}@h"]\nkey = 3',
        f'quiet = "{KEY}"',
    ],
)
def test_no_secret_of_a_default_is_in_an_error(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "affordance.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "playwright", None)
    codes = [
        run_command(arguments)
        for arguments in (
            ["doctor"],
            ["run", "motion/effect", "--model", "oracle", "--estimate"],
            ["report"],
            ["judge", "certify", "--judge", "oracle", "--labels", "none.csv"],
        )
    ]
    assert 2 in codes
    told = capsys.readouterr()
    assert not [secret for secret in SECRETS if secret in told.out + told.err], told


def test_no_secret_of_a_models_limits_is_in_an_error() -> None:
    for own in ({"most_images": KEY}, {"video": KEY}):
        with raises(UserError, *own) as error:
            image_limits(ModelName.parse("openai:x"), own)
        assert KEY not in str(error.value)


def test_the_ledger_is_the_one_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    monkeypatch.delenv("AFFORDANCE_LEDGER", raising=False)
    assert resolve_ledger() == "affordance.db"
    for text, expected in (
        ("[run]\nledger = 'run.db'", "affordance.db"),
        ("ledger = 'results.db'", str(tmp_path / "results.db")),
        ("ledger = 'postgresql://me@h/d'", "postgresql://me@h/d"),
        ("ledger = '/tmp/there.db'", "/tmp/there.db"),
    ):
        (tmp_path / "affordance.toml").write_text(text)
        assert resolve_ledger() == expected, text
        assert resolve_ledger(Path("given.db")) == "given.db"
    monkeypatch.setenv("AFFORDANCE_LEDGER", "variable.db")
    assert resolve_ledger() == "variable.db"
    assert resolve_ledger("given.db") == "given.db"


def test_paths_of_a_file_are_relative_to_it(tmp_path: Path) -> None:
    path = tmp_path / "affordance.toml"
    (tmp_path / "a:b").touch()
    for value, expected in (
        ("clips", str(tmp_path / "clips")),
        ("/data/clips", "/data/clips"),
        ("animint:AniMINT", f"animint:{tmp_path / 'AniMINT'}"),
        ("screenspot-pro:/data/set", "screenspot-pro:/data/set"),
        ("a:b", str(tmp_path / "a:b")),
        ("postgresql://me@h/d", "postgresql://me@h/d"),
    ):
        assert resolve_config_path(path, value) == expected

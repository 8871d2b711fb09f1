from pathlib import Path

import pytest

from affordance.core.config import find_config, read_config
from affordance.core.errors import UserError
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
    assert config.options == {"ledger": "r.db", "run": {"concurrency": 4}}
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

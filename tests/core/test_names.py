import pytest

from affordance.core.errors import UserError
from affordance.core.http import public_url
from affordance.core.model_name import ModelName
from errors import raises

PARSED = [
    ("openai:gpt-5", ("openai", "gpt-5", None)),
    ("oracle", ("oracle", "", None)),
    ("vllm:Qwen/Qwen2.5-VL-7B@http://h:8000/v1", ("vllm", "Qwen/Qwen2.5-VL-7B", "http://h:8000/v1")),
    ("openrouter:a/b:free", ("openrouter", "a/b:free", None)),
    ("vllm:me@http-model@https://h/v1/", ("vllm", "me@http-model", "https://h/v1")),
    ("replay:/a/b@c.jsonl", ("replay", "/a/b@c.jsonl", None)),
    ("google:claude-x@20250101", ("google", "claude-x@20250101", None)),
    ("google:model@default", ("google", "model@default", None)),
    ("openai:@cf/meta/llama", ("openai", "@cf/meta/llama", None)),
    ("inspect:cf/@cf/meta/llama-3.2", ("inspect", "cf/@cf/meta/llama-3.2", None)),
    ("openrouter:a/b@preset/mine", ("openrouter", "a/b@preset/mine", None)),
]


@pytest.mark.parametrize(("text", "expected"), PARSED)
def test_parse(text: str, expected: tuple[str, str, str | None]) -> None:
    name = ModelName.parse(text)
    assert (name.provider, name.model, name.base_url) == expected


@pytest.mark.parametrize("text", ["", ":", "openai:", ":gpt", "openai:m@http://", "openai:@http://h"])
def test_refuses(text: str) -> None:
    with raises(UserError, "PROVIDER:MODEL[@BASE_URL]", repr(text)):
        ModelName.parse(text)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:8123",
        "127.0.0.1",
        "localhost",
        "localhost:1/v1",
        "gpu1/v1",
        "h.example",
        "user:hunter2@h",
        "HTTP://h",
    ],
)
def test_an_address_without_its_scheme_is_no_part_of_a_name(address: str) -> None:
    """It would be asked at the provider's own address."""
    with raises(UserError, "'openai:demo@...'", "http://", "https://") as found:
        ModelName.parse(f"openai:demo@{address}")
    assert "hunter2" not in str(found.value)


PUBLIC = [
    ("http://h:8000/v1", "http://h:8000/v1"),
    ("https://user:pass@h/v1", "https://h/v1"),
    ("https://h/v1?api-key=secret#frag", "https://h/v1"),
    ("openai:m@https://u:p@h/v1?k=s", "openai:m@https://h/v1"),
    ("postgresql://u:p%40x@h:5432/db?sslmode=require", "postgresql://h:5432/db"),
    ("no url at all", "no url at all"),
    ("postgresql:///db", "postgresql:///db"),
    ("http://[::1]:80/v1", "http://[::1]:80/v1"),
    ("http://u:p@[::1]/v1", "http://[::1]/v1"),
    ("https://user:pa/ss@h:1/v1", "https://h:1/v1"),
    ("https://user:pa?s/s@h:1/v1?key=x", "https://h:1/v1"),
    ("https://h/accounts/@cf/v1", "https://h/accounts/@cf/v1"),
    ("http://[bad", "http://[bad"),
]


@pytest.mark.parametrize(("text", "expected"), PUBLIC)
def test_urls_lose_their_secrets(text: str, expected: str) -> None:
    assert public_url(text) == expected


def test_a_name_shows_no_secret() -> None:
    name = ModelName.parse("openai:m@https://user:hunter2@h/v1?key=hunter3")
    assert str(name) == "openai:m@https://h/v1"
    assert name.base_url == "https://user:hunter2@h/v1?key=hunter3"

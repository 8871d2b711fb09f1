"""Where asks go, and which key goes with them."""

import pytest
from model_samples import surroundings

from affordance.core.errors import MissingKey, UnknownName
from affordance.core.names import ModelName
from affordance.models.baselines import OverlapBaseline, PixelBaseline, RandomBaseline
from affordance.models.chat import ChatModel
from affordance.models.oracle import Oracle
from affordance.models.providers import PROVIDERS, Endpoint, Provider, endpoint
from affordance.models.registry import build
from errors import raises

OWN = {**PROVIDERS, "mine": Provider("https://models.example.org/v1", "MINE_KEY")}


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in OWN.values():
        monkeypatch.delenv(provider.key_variable, raising=False)


# model, OPENAI_API_KEY, expected
ENDPOINTS = {
    "its own address": ("openai:m", "sk-1", Endpoint("https://api.openai.com/v1", "sk-1")),
    "another address": ("openai:m@http://h/v1", "sk-1", Endpoint("http://h/v1", "sk-1")),
    "another address without a key": ("openai:m@http://h/v1", None, Endpoint("http://h/v1", None)),
    "no key needed": ("vllm:m", None, Endpoint("http://localhost:8000/v1", None)),
    "key of somebody else": ("ollama:m", "sk-1", Endpoint("http://localhost:11434/v1", None)),
    "secrets in the address stay": ("vllm:m@http://u:p@h/v1?k=s", None, Endpoint("http://u:p@h/v1?k=s", None)),
    "key with a line end, as files have it": ("openai:m", " sk-1\r\n", Endpoint("https://api.openai.com/v1", "sk-1")),
}


@pytest.mark.parametrize(("name", "key", "expected"), ENDPOINTS.values(), ids=ENDPOINTS.keys())
def test_endpoint(name: str, key: str | None, expected: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    if key is not None:
        monkeypatch.setenv("OPENAI_API_KEY", key)
    assert endpoint(ModelName.parse(name)) == expected


@pytest.mark.parametrize("key", [None, "", "  "])
def test_a_key_that_is_not_set_is_named_with_its_variable(key: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    for provider, one in OWN.items():
        if not one.key_required:
            continue
        if key is not None:
            monkeypatch.setenv(one.key_variable, key)
        with raises(MissingKey, one.key_variable):
            endpoint(ModelName(provider, "m"), OWN)


def test_a_provider_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE_KEY", "k")
    assert endpoint(ModelName("mine", "m"), OWN) == Endpoint("https://models.example.org/v1", "k")


@pytest.mark.parametrize("name", ["opnai:m", "nobody:m", "OpenAI:m"])
def test_an_unknown_provider_is_told(name: str) -> None:
    with raises(UnknownName, name.partition(":")[0]) as unknown:
        endpoint(ModelName.parse(name))
    assert set(PROVIDERS) <= set(unknown.value.known)


def test_the_table_is_sound() -> None:
    for name, provider in PROVIDERS.items():
        assert name == name.lower()
        assert provider.base_url.startswith("http://localhost" if not provider.key_required else "https://")
        assert not provider.base_url.endswith("/")
        assert provider.key_variable.endswith("_API_KEY")


KINDS = {
    "baseline:random": RandomBaseline,
    "baseline:pixels": PixelBaseline,
    "baseline:overlap": OverlapBaseline,
    "oracle": Oracle,
    "oracle:default": Oracle,
    "vllm:m": ChatModel,
    "vllm:m@http://u:hunter2@h/v1?k=hunter3": ChatModel,
}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_build(name: str, kind: type) -> None:
    model = build(ModelName.parse(name), surroundings())
    assert isinstance(model, kind)
    assert "hunter" not in model.name + model.base_url
    assert model.name.partition(":")[0] == name.partition(":")[0]


@pytest.mark.parametrize("name", ["baseline:best", "baseline", "oracle:klingon", "nobody:m"])
def test_build_refuses_what_there_is_not(name: str) -> None:
    with pytest.raises(UnknownName):
        build(ModelName.parse(name), surroundings())

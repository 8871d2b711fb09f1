"""Where asks go, and which key goes with them."""

import pytest
from model_samples import surroundings

from affordance.core.errors import MissingApiKey, UnknownName, UserError
from affordance.core.model_name import ModelName
from affordance.models.baselines.overlap import OverlapBaseline
from affordance.models.baselines.pixels import PixelBaseline
from affordance.models.baselines.random import RandomBaseline
from affordance.models.chat import ChatClient
from affordance.models.oracle import Oracle
from affordance.models.providers import PROVIDERS, Endpoint, Provider, find_endpoint, read_key_env
from affordance.models.registry import build_model
from errors import raises

OWN = {**PROVIDERS, "mine": Provider("https://models.example.org/v1", "MINE_KEY")}


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in OWN.values():
        monkeypatch.delenv(provider.key_variable, raising=False)


# model, OPENAI_API_KEY, expected
ENDPOINTS = {
    "its own address": ("openai:m", "sk-1", Endpoint("https://api.openai.com/v1", "sk-1")),
    "its own host": (
        "openai:m@https://API.openai.com:443/v2",
        "sk-1",
        Endpoint("https://API.openai.com:443/v2", "sk-1"),
    ),
    "its own host, for all to read": (
        "openai:m@http://api.openai.com",
        "sk-1",
        Endpoint("http://api.openai.com", None),
    ),
    "another address": ("openai:m@http://h/v1", "sk-1", Endpoint("http://h/v1", None)),
    "a host that begins alike": (
        "openai:m@https://api.openai.com.h",
        "sk-1",
        Endpoint("https://api.openai.com.h", None),
    ),
    "its own host as user info": (
        "openai:m@https://api.openai.com@h/v1",
        "sk-1",
        Endpoint("https://api.openai.com@h/v1", None),
    ),
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
    assert find_endpoint(ModelName.parse(name)) == expected


def test_a_key_goes_to_no_other_host_than_its_own_providers(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider, one in OWN.items():
        monkeypatch.setenv(one.key_variable, "sk-1")
        name = ModelName.parse(f"{provider}:m@https://elsewhere.example.org/v1")
        assert find_endpoint(name, OWN).key is None, provider
        assert find_endpoint(name, OWN, {str(name): one.key_variable}).key == "sk-1", provider
    own = {**OWN, "openai": Provider("https://elsewhere.example.org/v1", "OPENAI_API_KEY")}  # as affordance.toml has it
    assert find_endpoint(ModelName.parse("openai:m@https://elsewhere.example.org/v1"), own).key == "sk-1"
    assert find_endpoint(ModelName.parse("openai:m@https://api.openai.com/v1"), own).key is None
    local = ModelName.parse("vllm:m@http://127.0.0.1:9000/v1")
    assert find_endpoint(local).key == "sk-1"


HERE, THERE, OTHER = "openai:m@http://u:p@h/v1?a=b", "openai:n@http://h/v2", "groq:m"
# what --key-env is given, models, variables by the names of models
KEY_ENV = {
    "nothing": ([], [HERE], {}),
    "for the only endpoint": (["A"], [HERE, THERE, "baseline:random"], {"openai:m@http://h/v1": "A", THERE: "A"}),
    "for one model": ([f"{THERE}=A"], [HERE, THERE, OTHER], {THERE: "A"}),
    "by its name without the address": (["openai:n=A"], [HERE, THERE, OTHER], {THERE: "A"}),
    "with a query in its address": ([f"{HERE}=A"], [HERE], {"openai:m@http://h/v1": "A"}),
    "the last one counts": (["A", "groq:m=B", "groq:m=C"], [OTHER, None], {"groq:m": "C"}),
}


@pytest.mark.parametrize(("given", "models", "expected"), KEY_ENV.values(), ids=KEY_ENV.keys())
def test_key_env(given: list[str], models: list[str | None], expected: dict[str, str]) -> None:
    assert read_key_env(given, models) == expected


@pytest.mark.parametrize("given", ["sk-0123456789", "groq:m=sk-0123456789", "openai:typo=A", "A", "=", "groq:m="])
def test_key_env_that_cannot_be(given: str) -> None:
    with raises(UserError, "key") as error:
        read_key_env([given], [HERE, OTHER])
    assert "0123456789" not in str(error.value)


def test_a_named_key_that_is_not_set() -> None:
    for variable, shown in (("MY_KEY", True), ("gsk_0123456789", False)):  # a key where a variable belongs
        with raises(MissingApiKey, "groq:m", "--key-env") as error:
            find_endpoint(ModelName.parse("groq:m"), key_env={"groq:m": variable})
        assert (variable in str(error.value)) is shown


@pytest.mark.parametrize("key", [None, "", "  "])
def test_a_key_that_is_not_set_is_named_with_its_variable(key: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    for provider, one in OWN.items():
        if not one.key_required:
            continue
        if key is not None:
            monkeypatch.setenv(one.key_variable, key)
        with raises(MissingApiKey, one.key_variable):
            find_endpoint(ModelName(provider, "m"), OWN)


def test_a_provider_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE_KEY", "k")
    assert find_endpoint(ModelName("mine", "m"), OWN) == Endpoint("https://models.example.org/v1", "k")


@pytest.mark.parametrize("name", ["opnai:m", "nobody:m", "OpenAI:m"])
def test_an_unknown_provider_is_told(name: str) -> None:
    with raises(UnknownName, name.partition(":")[0]) as unknown:
        find_endpoint(ModelName.parse(name))
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
    "vllm:m": ChatClient,
    "vllm:m@http://u:hunter2@h/v1?k=hunter3": ChatClient,
}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_build(name: str, kind: type) -> None:
    model = build_model(ModelName.parse(name), surroundings())
    assert isinstance(model, kind)
    assert "hunter" not in model.name + model.base_url
    assert model.name.partition(":")[0] == name.partition(":")[0]


@pytest.mark.parametrize("name", ["baseline:best", "baseline", "oracle:klingon", "nobody:m"])
def test_build_refuses_what_there_is_not(name: str) -> None:
    with pytest.raises(UnknownName):
        build_model(ModelName.parse(name), surroundings())

"""Checks of services: API keys, models, a dataset, codecs and the browser."""

import asyncio
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from affordance.cli.check_results import CheckResult, CheckState
from affordance.core.config import ConfigFile
from affordance.core.errors import MediaError, UserError

REINSTALL = "pip install --force-reinstall av"


def check_keys(config: ConfigFile) -> Iterator[CheckResult]:
    """Only whether they are set: their values are never shown."""
    from affordance.models.providers import all_providers

    providers = sorted(all_providers(config.providers).items())
    for name, provider in providers:
        if os.environ.get(provider.key_variable, "").strip():
            yield CheckResult(name, CheckState.OK, f"{provider.key_variable} is set")
    unset = [one.key_variable for _, one in providers if one.key_required and not os.environ.get(one.key_variable)]
    if unset:
        remedy = "set one in the environment; servers on this computer need none"
        yield CheckResult("not set", CheckState.MISSING, ", ".join(unset), remedy)


def check_models(
    names: Sequence[str], config: ConfigFile, seconds: float, key_env: Sequence[str] = ()
) -> Iterator[CheckResult]:
    """Each receives a small image and the question which colour it has."""
    from affordance.models.providers import read_key_env

    for name in names:
        try:
            yield _check_model(name, config, seconds, read_key_env(key_env, names))
        except UserError as error:
            yield CheckResult(_public(name), CheckState.WRONG, str(error))


def _check_model(text: str, config: ConfigFile, seconds: float, key_env: Mapping[str, str]) -> CheckResult:
    from affordance.core.model_name import BUILTIN_PROVIDERS, ModelName
    from affordance.models.connection_check import check_connection
    from affordance.models.providers import all_providers
    from affordance.models.registry import BASELINES

    name = ModelName.parse(text)
    if name.provider in BUILTIN_PROVIDERS:
        if name.provider == "baseline" and name.model not in BASELINES:
            from affordance.core.errors import UnknownName

            raise UnknownName("baseline", name.model, BASELINES)
        return CheckResult(str(name), CheckState.OK, "built in")
    tried = asyncio.run(check_connection(name, all_providers(config.providers), config.models, seconds, key_env))
    response = tried.response
    if response.failed:
        return CheckResult(str(name), CheckState.WRONG, response.error or "no response", _remedy(response.error))
    served = f", served by {response.served_by}" if response.served_by and response.served_by != name.model else ""
    if not tried.with_image:
        text = f"answers text in {response.seconds:.1f} s{served}, but accepts no images: {tried.image_error}"
        return CheckResult(str(name), CheckState.WRONG, text, "every task sends images: use a model that accepts them")
    answer = " ".join(response.text.split())[:20]
    return CheckResult(
        str(name), CheckState.OK, f"accepts images; answered {answer!r} in {response.seconds:.1f} s{served}"
    )


def _remedy(error: str) -> str:
    if "cannot connect" in error:
        return "start the server, or correct the address: PROVIDER:MODEL@http://HOST:PORT/v1"
    return ""


def check_dataset(spec: str, folder: Path) -> Iterator[CheckResult]:
    from affordance.core.formatting import count_noun
    from affordance.datasets import load_collection

    try:
        found = load_collection(spec, folder)
    except UserError as error:
        yield CheckResult("data", CheckState.WRONG, str(error))
        return
    items = ", ".join(count_noun(len(one.items), one.header.kind) for one in found.datasets)
    yield CheckResult("data", CheckState.OK, f"{found.name}: {items}", f"details: affordance data check {spec}")


def _public(name: str) -> str:
    """A name that could not be parsed, without possible secrets."""
    from affordance.core.http import public_url

    return public_url(name)


def check_codecs() -> Iterator[CheckResult]:
    """Writes and reads three frames of each kind."""
    from affordance.media import CODEC_CHECKS, check_codec

    with tempfile.TemporaryDirectory() as folder:
        for codec in CODEC_CHECKS:
            try:
                written = check_codec(codec, Path(folder))
            except (MediaError, OSError, ValueError) as error:
                yield CheckResult(codec.name, CheckState.WRONG, f"cannot be written and read: {error}", REINSTALL)
            else:
                state, text = (
                    (CheckState.OK, "writes and reads") if written else (CheckState.MISSING, "cannot be written here")
                )
                yield CheckResult(codec.name, state, f"{text} {codec.suffix}", "" if written else REINSTALL)


def check_browser(given: str | None) -> Iterator[CheckResult]:
    """Opens a page and takes a screenshot, if the extra is installed."""
    if find_spec("playwright") is None:
        remedy = "pip install 'affordance[capture]', then playwright install chromium"
        yield CheckResult("browser", CheckState.MISSING, "not tried: the extra capture is not installed", remedy)
        return
    from affordance.capture.browser import PageBroken
    from affordance.capture.trial import try_browser

    try:
        tried = asyncio.run(try_browser(given))
    except (UserError, PageBroken) as error:
        yield CheckResult("browser", CheckState.WRONG if given else CheckState.MISSING, str(error))
        return
    yield CheckResult("browser", CheckState.OK, f"Chromium {tried.version} took a screenshot")
    if tried.letters:
        yield CheckResult("fonts", CheckState.OK, "text is drawn")
    else:
        text, remedy = "no fonts: text is not drawn", "install some, such as apt install fonts-liberation"
        yield CheckResult("fonts", CheckState.WRONG if given else CheckState.MISSING, text, remedy)

"""Whom and what can be asked: keys, the models that are named, and the dataset."""

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from affordance.cli.checks.finding import CheckResult, CheckState
from affordance.core.config import ConfigFile
from affordance.core.errors import UserError


def keys(config: ConfigFile) -> Iterator[CheckResult]:
    """Only whether they are set: what they are is nobody's to see."""
    from affordance.models.providers import all_providers

    providers = sorted(all_providers(config.providers).items())
    for name, provider in providers:
        if os.environ.get(provider.key_variable, "").strip():
            yield CheckResult(name, CheckState.OK, f"{provider.key_variable} is set")
    unset = [one.key_variable for _, one in providers if one.key_required and not os.environ.get(one.key_variable)]
    if unset:
        remedy = "set one in the environment; servers on this computer need none"
        yield CheckResult("not set", CheckState.MISSING, ", ".join(unset), remedy)


def models(
    names: Sequence[str], config: ConfigFile, seconds: float, key_env: Sequence[str] = ()
) -> Iterator[CheckResult]:
    """Each is asked for the colour of a small picture."""
    from affordance.models.providers import read_key_env

    for name in names:
        try:
            yield _model(name, config, seconds, read_key_env(key_env, names))
        except UserError as error:
            yield CheckResult(_public(name), CheckState.WRONG, str(error))


def _model(text: str, config: ConfigFile, seconds: float, key_env: Mapping[str, str]) -> CheckResult:
    from affordance.core.model_name import BUILTIN_PROVIDERS, ModelName
    from affordance.models.connection_check import check_connection
    from affordance.models.providers import all_providers
    from affordance.models.registry import BASELINES

    name = ModelName.parse(text)
    if name.provider in BUILTIN_PROVIDERS:
        if name.provider == "baseline" and name.model not in BASELINES:
            from affordance.core.errors import UnknownName

            raise UnknownName("baseline", name.model, BASELINES)
        return CheckResult(str(name), CheckState.OK, "is part of affordance: nothing to reach")
    tried = asyncio.run(check_connection(name, all_providers(config.providers), config.models, seconds, key_env))
    reply = tried.response
    if reply.failed:
        return CheckResult(str(name), CheckState.WRONG, reply.error or "gave no reply", _remedy(reply.error))
    served = f", served by {reply.served_by}" if reply.served_by and reply.served_by != name.model else ""
    if not tried.with_image:
        text = f"answers words in {reply.seconds:.1f} s{served}, but no pictures: {tried.image_error}"
        return CheckResult(str(name), CheckState.WRONG, text, "every task shows pictures: name a model that takes them")
    said = " ".join(reply.text.split())[:20]
    return CheckResult(str(name), CheckState.OK, f"takes pictures; answered {said!r} in {reply.seconds:.1f} s{served}")


def _remedy(error: str) -> str:
    if "cannot connect" in error:
        return "start the server, or correct the address: PROVIDER:MODEL@http://HOST:PORT/v1"
    return ""


def dataset(spec: str, folder: Path) -> Iterator[CheckResult]:
    from affordance.core.formatting import count_noun
    from affordance.datasets import load_collection

    try:
        found = load_collection(spec, folder)
    except UserError as error:
        yield CheckResult("data", CheckState.WRONG, str(error))
        return
    items = ", ".join(count_noun(len(one.items), one.header.kind) for one in found.datasets)
    yield CheckResult("data", CheckState.OK, f"{found.name}: {items}", f"look closer: affordance data check {spec}")


def _public(name: str) -> str:
    """A name that could not be read, without what may be secret in it."""
    from affordance.core.http import public_url

    return public_url(name)

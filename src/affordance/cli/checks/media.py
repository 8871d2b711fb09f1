"""Clips and screens: codecs, and the browser with its fonts."""

import asyncio
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from affordance.cli.checks.finding import CheckResult, CheckState
from affordance.core.errors import MediaError, UserError

REINSTALL = "pip install --force-reinstall av"


def codecs() -> Iterator[CheckResult]:
    """Three frames of each kind, there and back."""
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


def browser(given: str | None) -> Iterator[CheckResult]:
    """A page, opened and pictured. Without the extra there is nothing to try."""
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
    yield CheckResult("browser", CheckState.OK, f"Chromium {tried.version} took a picture of a page")
    if tried.letters:
        yield CheckResult("fonts", CheckState.OK, "the page's letters are in the picture")
    else:
        text, remedy = "there are none: text is not drawn", "install some, such as apt install fonts-liberation"
        yield CheckResult("fonts", CheckState.WRONG if given else CheckState.MISSING, text, remedy)

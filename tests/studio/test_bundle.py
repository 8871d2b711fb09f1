"""The scripts of pages: their modules joined into one that Node.js accepts."""

import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from affordance.studio.bundle import join_modules
from patience import PATIENCE

STATIC = files("affordance.studio") / "static"
PAGES = Path(str(files("affordance.studio") / "pages"))
SCRIPTS = sorted(
    {name for path in PAGES.glob("*.py") for name in re.findall(r'"(\w+/\w+\.js)"', path.read_text("utf-8"))}
)
NODE = shutil.which("node", path=str(Path(sys.executable).parent))


def run_node(script: str, *arguments: str) -> str:
    assert NODE is not None, "make tests installs Node.js into the virtual environment"
    command = [NODE, "--input-type=module", *arguments, "-"]
    return subprocess.run(command, input=script, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout


def join(modules: dict[str, str], *entries: str) -> str:
    return join_modules(entries, modules.__getitem__)


def test_modules_run_once_in_order_and_see_what_they_import() -> None:
    modules = {
        "js/page.js": 'import {\n  double as twice,\n  Count,\n} from "./lib/number.js";\n'
        'import "/static/js/side.js";\n'
        "const name = 1;\nconsole.log(twice(name), new Count().now, name);\n",
        "js/lib/number.js": 'import { BASE } from "../base.js";\nexport function double(x) {\n  return BASE * x;\n}\n'
        "export class Count {\n  now = BASE;\n}\nconst name = 5;\n",
        "js/base.js": 'export const BASE = 2;\nconsole.log("base");\n',
        "js/side.js": 'import { BASE } from "./base.js";\nconsole.log("side", BASE);\n',
    }
    assert run_node(join(modules, "js/side.js", "js/page.js")).split() == ["base", "side", "2", "2", "2", "1"]


@pytest.mark.parametrize(
    "modules",
    [
        {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'},
        {"a.js": "export default 1;\n"},
        {"a.js": 'export * from "./b.js";\n', "b.js": ""},
        {"a.js": 'import * as b from "./b.js";\n', "b.js": ""},
        {"a.js": "await fetch(1);\n"},
    ],
    ids=["circle", "default", "export all", "import all", "await"],
)
def test_what_cannot_be_joined_is_an_error(modules: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"a\.js"):
        join(modules, "a.js")


def test_scripts_of_all_pages_can_be_joined() -> None:
    joined = [
        join_modules(["js/shell.js", f"js/{name}"], lambda path: (STATIC / path).read_text("utf-8")) for name in SCRIPTS
    ]
    assert len(SCRIPTS) > 12
    # A function each, so that one check is enough.
    run_node("\n".join(f"async () => {{\n{script}\n}};" for script in joined), "--check")

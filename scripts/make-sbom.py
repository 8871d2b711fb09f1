"""What Affordance needs to run, as a CycloneDX list of software in JSON: every package of an environment.

python scripts/make-sbom.py ENVIRONMENT FILE

Equal environments give equal bytes. References to places on the web are left out: a list says what there is, and not
where it was got."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from affordance import __version__

ROOT = Path(__file__).parent.parent


def main(environment: Path, path: Path) -> None:
    command = [sys.executable, "-m", "cyclonedx_py", "environment", str(environment), "-o", "-"]
    command += ["--pyproject", str(ROOT / "pyproject.toml"), "--output-reproducible", "--no-validate"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode:
        sys.exit(found.stderr)
    listed = without_references(json.loads(found.stdout))
    listed["metadata"]["component"]["version"] = __version__
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(listed, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    print(path)


def without_references(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_references(part) for name, part in value.items() if name != "externalReferences"}
    return [without_references(part) for part in value] if isinstance(value, list) else value


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))

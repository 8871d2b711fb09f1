"""Write the options of a run for the command line.

    python scripts/make-run-options.py

They are declared in `RunConfig` and the parameter classes of tasks, whose modules take a second to import. The command
line reads this file instead, so that help and completion answer at once; a test compares.
"""

import json
from pathlib import Path

from affordance.cli.run_options import FILE, describe_options
from affordance.evaluation.run_config import run_options

if __name__ == "__main__":
    Path(FILE).write_text(json.dumps(describe_options(run_options().values()), indent=1) + "\n", encoding="utf-8")
    print(FILE)

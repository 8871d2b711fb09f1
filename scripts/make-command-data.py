"""Write the options of a run and the list of tasks for the command line.

    python scripts/make-command-data.py

Options are declared in `RunConfig` and the parameter classes of tasks, tasks in their modules, which take a second to
import. The command line reads these files instead, so that help, completion and `affordance tasks` answer at once; a
test compares.
"""

import json

from affordance.cli import run_options, tasks
from affordance.evaluation import run_config
from affordance.tasks.registry import TASKS

if __name__ == "__main__":
    contents = {
        run_options.FILE: run_options.describe_options(run_config.run_options().values()),
        tasks.FILE: [tasks.describe_task(task) for task in TASKS.builtin.values()],
    }
    for path, content in contents.items():
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        print(path)

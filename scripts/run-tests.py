#!/usr/bin/env python3
"""Runs pytest with the given arguments, and fails also where a process has left something open or unheard: such lines
are printed after the last test, when pytest has already counted."""

import re
import subprocess
import sys

# Anywhere in a line: several processes print to it, the marks of tests that passed among them.
LEFT_BEHIND = re.compile(
    r"Exception ignored (in|on|while)|Exception in thread|exception was never retrieved|was never awaited"
    r"|Task was destroyed|Unclosed (client session|connector|connection|response|transport)"
    r"|ResourceWarning: unclosed|Error in (atexit|sys)\.|Fatal Python error",
    re.IGNORECASE,
)


def main() -> int:
    command = [sys.executable, "-m", "pytest", *sys.argv[1:]]
    found = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as pytest:
        assert pytest.stdout is not None
        for line in pytest.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
            text = line.decode(errors="replace")
            if LEFT_BEHIND.search(text):
                found.append(text.strip())
    if found and pytest.returncode == 0:
        print(f"failed: {len(found)} things were left open or unheard, the first: {found[0]}")
        return 1
    return pytest.returncode


if __name__ == "__main__":
    sys.exit(main())

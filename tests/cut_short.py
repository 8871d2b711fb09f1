"""`python cut_short.py FILE LINES SIGNAL ARGUMENTS...`: the command `affordance ARGUMENTS...`, which gets the signal
once the file has so many lines. From within: whoever looks from outside may stand still until the command is over."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

from affordance.cli.main import main


def watch(path: Path, lines: int, number: int) -> None:
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        time.sleep(0.01)
    os.kill(os.getpid(), number)


if __name__ == "__main__":
    file, least, how, *arguments = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background is deaf to Ctrl-C
    threading.Thread(target=watch, args=(Path(file), int(least), int(how)), daemon=True).start()
    main(arguments)

"""Imported by the process that commands of tests/forked.py are forks of: all that takes each of them time to begin."""

import gc
import importlib

for _name in (
    "affordance.author.project",
    "affordance.author.taking_in",
    "affordance.report.formats.terminal",
    "affordance.evaluation.requests",
    "affordance.studio.app",
    "affordance.studio.serving",
    "httptools",
    "platformdirs",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.httptools_impl",
    "uvloop",
):
    importlib.import_module(_name)
importlib.import_module("affordance.cli.main")._cached_command()
gc.collect()
gc.freeze()  # forks share it as long as they do not write to it, and to look for garbage is to write

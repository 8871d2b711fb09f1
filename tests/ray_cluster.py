"""A Ray cluster on this computer, to be shared by tests: to start one takes longer than what is done with it."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from affordance.evaluation.ray_engine import _stop_partial_cluster

HEAD = {
    "num_cpus": 1,
    "object_store_memory": 100 << 20,
    "include_dashboard": False,
    "include_log_monitor": False,
    "no_monitor": True,
}
STARTS = 3  # tries
# By default workers stand back for whatever else runs: beside other tests they hardly get on.
AWAKE = {"RAY_worker_niceness": "0"}
# Every process of a cluster imports `jsonschema`, and with it, where it is installed, a grammar that nothing here
# needs: most of the time that a process takes to start.
GRAMMAR = "rfc3987_syntax"


@contextmanager
def before_others() -> Iterator[None]:
    """Ray gives up where one of its agents takes 15 seconds to begin. So what is started now goes before other tests,
    wherever somebody is allowed to say so."""
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -10)
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, 0, usual)


@contextmanager
def ray_cluster() -> Iterator[None]:
    """This process is connected to it. What looks after logs and after the size of the cluster is left out, and there
    is one worker: a third of what starting takes."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        Path(folder, f"{GRAMMAR}.py").write_text("raise ImportError\n", encoding="utf-8")
        patch.setenv("PYTHONPATH", folder, prepend=os.pathsep)
        patch.setitem(sys.modules, GRAMMAR, None)
        for name, value in {"RAY_USAGE_STATS_ENABLED": "0", **AWAKE}.items():
            patch.setenv(name, value)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import ray

            cluster = _begun()
            try:
                ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
                yield
            finally:
                ray.shutdown()
                cluster.shutdown()


def _begun() -> Any:
    import ray
    from ray.cluster_utils import Cluster

    for last in (*[False] * (STARTS - 1), True):
        try:
            with before_others():
                return Cluster(initialize_head=True, head_node_args=HEAD)
        except Exception as error:
            _stop_partial_cluster(ray, error)
            if last:
                raise
    raise AssertionError("the last try ends it")

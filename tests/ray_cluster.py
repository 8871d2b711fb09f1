"""A Ray cluster on this computer, to be shared by tests: to start one takes longer than what is done with it."""

import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

HEAD = {
    "num_cpus": 2,
    "object_store_memory": 100 << 20,
    "include_dashboard": False,
    "include_log_monitor": False,
    "no_monitor": True,
}
# Where Ray looks for ports itself, it gives up when an agent has not told its own within 15 seconds.
AGENTS = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port", "runtime_env_agent_port")
# By default workers stand back for whatever else runs: beside other tests they hardly get on.
AWAKE = {"RAY_worker_niceness": "0"}


@contextmanager
def ray_cluster() -> Iterator[None]:
    """This process is connected to it. What looks after logs and after the size of the cluster is left out: a quarter
    of what starting takes."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"RAY_USAGE_STATS_ENABLED": "0", **AWAKE}.items():
            patch.setenv(name, value)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import ray
            from ray.cluster_utils import Cluster

            cluster = Cluster(initialize_head=True, head_node_args={**HEAD, **_ports()})
            try:
                ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
                yield
            finally:
                ray.shutdown()
                cluster.shutdown()


def _ports() -> dict[str, int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in AGENTS]
    found = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return dict(zip(AGENTS, found, strict=True))

"""What a worker says about its machine and its software, and whether it may get work."""

import os
import platform
import socket
from dataclasses import dataclass
from functools import cache

from fourfall import presets, weights
from fourfall._core import GraphConfig, version
from fourfall.system.cores import count_cores
from fourfall.system.hardware import read_processor
from fourfall.system.load import read_load


@dataclass(frozen=True)
class WorkerReport:
    """The machine and the software of a worker.

    `processor` is the model name, `evaluation` the evaluation path of the default engine with its instruction set,
    `cores` the number of cores that the worker may use, `machine_cores` that of the machine, `load` the load average of
    its last minute, if its system has one. `python` is the version without its last part. `missing_protections` are
    those that the sandbox needs. The calibration (`calibration`) adds the speed, and the share of its time in which the
    search did not run.
    """

    host: str
    process: int
    processor: str
    evaluation: str
    cores: int
    machine_cores: int
    load: float | None
    fourfall: str
    python: str
    distributed: str
    missing_protections: tuple[str, ...] = ()
    simulations_per_s: float | None = None
    late_share: float = 0.0


def examine_worker() -> WorkerReport:
    """Describe this process and its machine.

    >>> examine_worker().cores >= 1
    True
    """
    from distributed import __version__ as distributed_version

    return WorkerReport(
        host=socket.gethostname(),
        process=os.getpid(),
        processor=read_processor(),
        evaluation=describe_evaluation(),
        cores=count_cores(),
        machine_cores=os.cpu_count() or 1,
        load=read_load(),
        fourfall=version,
        python=".".join(platform.python_version_tuple()[:2]),
        distributed=distributed_version,
    )


def find_version_problem(worker: WorkerReport, driver: WorkerReport) -> str | None:
    """Return which version of a worker differs from that of the driver, or None.

    >>> from dataclasses import replace
    >>> driver = examine_worker()
    >>> find_version_problem(driver, driver) is None
    True
    >>> find_version_problem(replace(driver, python="3.9"), driver)[:16]
    'has Python 3.9, '
    """
    for name, key in (("fourfall", "fourfall"), ("Python", "python"), ("distributed", "distributed")):
        theirs, ours = getattr(worker, key), getattr(driver, key)
        if theirs != ours:
            return f"has {name} {theirs}, but this machine has {ours}; install the same version"
    return None


@cache
def describe_evaluation() -> str:
    """Return how the default engine evaluates positions on this machine: the network's instruction set.

    >>> describe_evaluation().partition(",")[0]
    'network'
    """
    config = presets.load(presets.DEFAULT).config
    network = weights.load(config.weights) if isinstance(config, GraphConfig) and config.weights else None
    return "rollouts" if network is None else f"network, {network.instruction_set}"

"""Errors of clusters and worker processes."""


class ClusterAddressError(ValueError):
    """An invalid address of a cluster; the message says which forms are allowed."""


class WorkerError(RuntimeError):
    """Work that cannot be done: workers die, refuse or do not come, or the scheduler cannot be reached.

    It is a failure of the machines, not of an agent. What was finished before is not lost.
    """

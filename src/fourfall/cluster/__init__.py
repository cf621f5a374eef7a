"""Runs tasks and games on the workers of a Dask cluster, or on worker processes of this machine.

Needs the extra `cluster` (the package distributed), which is imported only when a cluster is used.

Trust: Dask sends pickles, and whoever can send a pickle to a process runs code in it. So everyone who reaches the
scheduler can run code on all workers and on the machine of the driver, with the rights of the users that started them.
Use a scheduler only in a network that nobody else reaches, or with certificates (`tls://`). Third-party agents are not
pickled: their files travel as plain bytes and run in the sandbox of the worker.
"""

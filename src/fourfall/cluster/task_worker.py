"""Worker process of `process_pool`: runs a function for each task that it receives.

Run with the arguments ``CONNECTION PARENT``, the descriptors of `worker_process`. The first message is the function,
the others are tasks. The answers are outcomes.
"""

import sys
from multiprocessing.connection import Connection
from typing import Any

from fourfall.cluster.outcome import Outcome, run_function
from fourfall.cluster.worker_process import exit_with_parent


def main(arguments: list[str]) -> None:
    """Run tasks until the connection is closed."""
    connection: Connection[Outcome[Any], Any] = Connection(int(arguments[0]))
    exit_with_parent(int(arguments[1]))
    try:
        function = connection.recv()
        while True:
            connection.send(run_function(function, connection.recv()))
    except EOFError:
        return


if __name__ == "__main__":
    main(sys.argv[1:])

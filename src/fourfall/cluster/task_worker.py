"""Worker process of `process_pool`: runs a function for each task that it receives.

Run with the arguments ``CONNECTION PARENT``, the inherited pipes of `worker_process`. The first message is the
function, the others are tasks. The answers are outcomes.
"""

import sys
from typing import Any

from fourfall.cluster.outcome import Outcome, run_function
from fourfall.cluster.worker_process import exit_with_parent
from fourfall.system.inheritance import Connection, open_connection, open_pipe


def main(arguments: list[str]) -> None:
    """Run tasks until the connection is closed."""
    connection: Connection[Outcome[Any], Any] = open_connection(int(arguments[0]))
    exit_with_parent(open_pipe(int(arguments[1])))
    try:
        function = connection.recv()
        while True:
            connection.send(run_function(function, connection.recv()))
    except EOFError:
        return


if __name__ == "__main__":
    main(sys.argv[1:])

#!/opt/fourfall/bin/python
"""Health check of the container: exits with 0 if the page, a Dask scheduler or a Dask worker answers.

A container runs one of them. The page answers 401 without its token, which also shows that it works.
"""

import sys
from urllib.error import HTTPError
from urllib.request import urlopen

PAGE, SCHEDULER, WORKER = "4444/", "8787/health", "8788/health"


def is_healthy(address: str) -> bool:
    """Whether a server of this container answers at a port and path."""
    try:
        with urlopen(f"http://127.0.0.1:{address}", timeout=2) as response:
            return bool(response.status == 200)
    except HTTPError as error:
        return error.code == 401
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(0 if any(map(is_healthy, (PAGE, SCHEDULER, WORKER))) else 1)

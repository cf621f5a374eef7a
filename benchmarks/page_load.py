"""Measures the first and the second visit of the page over a slow connection: requests, bytes, time until it works.

python -m benchmarks.page_load [--latency-ms 150] [--kbit-per-s 1600]

Chromium delays and limits the responses of HTTP requests; the websocket is not slowed down.
"""

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page

from tests.web.browser.server import Server, create_context, launch_browser, open_page

REPETITIONS = 5


@dataclass
class Visit:
    """Requests of one visit; `sent_bytes` are the bytes that the server sent, with headers."""

    seconds: float = 0.0
    requests: int = 0
    from_cache: int = 0
    sent_bytes: int = 0


def measure_visit(page: Page, network: CDPSession, address: str) -> Visit:
    """Open the page and wait until it is connected."""
    visit = Visit()

    def count_response(event: dict[str, Any]) -> None:
        visit.requests += 1
        visit.from_cache += bool(event["response"].get("fromDiskCache"))

    def count_bytes(event: dict[str, Any]) -> None:
        visit.sent_bytes += int(event["encodedDataLength"])

    network.on("Network.responseReceived", count_response)
    network.on("Network.loadingFinished", count_bytes)
    start = time.monotonic()
    open_page(page, address)
    visit.seconds = time.monotonic() - start
    page.wait_for_load_state("networkidle")
    network.remove_listener("Network.responseReceived", count_response)
    network.remove_listener("Network.loadingFinished", count_bytes)
    return visit


def main() -> None:
    """Print the median of several first visits and of several second visits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--latency-ms", type=float, default=150, help="delay of each request in milliseconds")
    parser.add_argument("--kbit-per-s", type=float, default=1600, help="bandwidth in kilobits per second")
    options = parser.parse_args()
    visits: dict[str, list[Visit]] = {"first visit": [], "second visit": []}
    with tempfile.TemporaryDirectory() as folder, launch_browser() as browser:
        server = Server(Path(folder))
        server.start()
        try:
            for _ in range(REPETITIONS):
                context = create_context(browser)
                for found in visits.values():
                    page = context.new_page()
                    network = context.new_cdp_session(page)
                    network.send("Network.enable")
                    network.send(
                        "Network.emulateNetworkConditions",
                        {
                            "offline": False,
                            "latency": options.latency_ms,
                            "downloadThroughput": options.kbit_per_s * 125,
                            "uploadThroughput": options.kbit_per_s * 125,
                        },
                    )
                    found.append(measure_visit(page, network, server.address))
                    page.close()
                context.close()
        finally:
            server.stop()
    for name, found in visits.items():
        print(
            f"{name}: {statistics.median(visit.requests for visit in found):.0f} requests "
            f"({statistics.median(visit.from_cache for visit in found):.0f} from the browser's cache), "
            f"{statistics.median(visit.sent_bytes for visit in found) / 1000:.1f} KB, "
            f"{statistics.median(visit.seconds for visit in found):.2f} s until the page works"
        )


if __name__ == "__main__":
    main()

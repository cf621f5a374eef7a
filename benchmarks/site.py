"""Measures the page without a server: size of the first visit, time to the first move, speed in the browser.

python -m benchmarks.site [--folder build/browser] [--latency-ms 150] [--kbit-per-s 1600]

The files are sent with gzip, as static hosts do. The host delays and limits its responses, because the settings of
Chromium for slow networks do not hold for the requests of workers.
"""

import argparse
import gzip
import threading
import time
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Browser

from tests.web.browser.page_actions import click_column, wait_for_turn
from tests.web.browser.server import create_context, launch_browser, open_page
from tools.site.serve import SiteHandler, create_server

_LEVELS = (10, 50, 100)
_ANALYSIS_S = 5.0
_CHUNK_BYTES = 4096


class SlowHandler(SiteHandler):
    """Sends files with gzip, each after a delay, and all together with a limited bandwidth."""

    latency_s = 0.0
    bytes_per_s = float("inf")
    sent_bytes = 0
    sent_files = 0
    _sending = threading.Lock()

    def do_GET(self) -> None:  # noqa: N802 (name of the base class)
        """Send a file."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        content = gzip.compress(path.read_bytes(), 9)
        time.sleep(self.latency_s)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with suppress(ConnectionError):  # the page was closed
            for start in range(0, len(content), _CHUNK_BYTES):
                chunk = content[start : start + _CHUNK_BYTES]
                with self._sending:
                    time.sleep(len(chunk) / self.bytes_per_s)
                self.wfile.write(chunk)
        SlowHandler.sent_bytes += len(content)
        SlowHandler.sent_files += 1


def measure_first_move(browser: Browser, address: str) -> None:
    """Print when the page of a first visit is usable, and when a weak level has replied to the first move."""
    context = create_context(browser, settings={"setup": {"by": "level", "levelNumber": 10, "board": "classic"}})
    page = context.new_page()
    start = time.monotonic()
    page.goto(address)
    page.wait_for_selector("main [role=grid]")
    shown_s = time.monotonic() - start
    page.wait_for_selector("body[data-connected]")
    click_column(page, 3)
    wait_for_turn(page)
    print(f"board after {shown_s:.1f} s, reply of level 10 to the first move after {time.monotonic() - start:.1f} s")
    page.wait_for_function("() => document.querySelector('.notice.progress') === null")
    page.wait_for_load_state("networkidle")
    seconds = time.monotonic() - start
    print(
        f"{SlowHandler.sent_files} files, {SlowHandler.sent_bytes / 1000:.0f} KB with the network after {seconds:.1f} s"
    )
    context.close()


def measure_levels(browser: Browser, address: str) -> None:
    """Print how long levels need for the reply to the first move on a board of 10 x 10 cells."""
    for level in _LEVELS:
        context = create_context(browser)
        page = context.new_page()
        open_page(page, address)
        ms = page.evaluate(_PLAY_LEVEL, f"level-{level}")
        print(f"level {level}: reply after {ms:.0f} ms")
        context.close()


_PLAY_LEVEL = """async (opponent) => {
  const { connection } = window.fourfall;
  const ask = (message, isLast) => new Promise((resolve) => {
    connection.send(message, { onReply: (reply) => (isLast(reply) ? resolve(reply) ?? true : false) });
  });
  const play = async () => {
    const { game } = await ask({ type: "new", board: "10x10", opponent, side: "first" }, ({ type }) => type === "game");
    const start = performance.now();
    const done = new Promise((resolve) => connection.on("game", (reply) => {
      if (reply.game === game && reply.moves.length === 2) resolve(performance.now() - start);
    }));
    connection.send({ type: "move", game, ply: 0, column: 4 });
    return done;
  };
  await play();
  return play();
}"""

_ANALYSE = """async ([engine, seconds]) => new Promise((resolve) => {
  window.fourfall.connection.send(
    { type: "analyse", position: "10x11@4,7:66", engine, time_s: seconds, key: "benchmark" },
    { onReply: (reply) => (reply.type === "analysis" && reply.done ? resolve(reply) ?? true : false) },
  );
})"""


def measure_speed(browser: Browser, address: str) -> None:
    """Print how many simulations the engine does in a second; each evaluates at most one position."""
    context = create_context(browser, settings={"analyse": {"isOn": False}})
    page = context.new_page()
    open_page(page, address)
    for engine in ("fourfall", "fourfall-classic", "seed-002"):
        page.evaluate(_ANALYSE, [engine, 0.5])
        reply = page.evaluate(_ANALYSE, [engine, _ANALYSIS_S])
        print(f"{engine}: {reply['simulations'] / reply['seconds']:.0f} simulations/s ({reply['nodes']} nodes)")
    context.close()


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("build/browser"), help="folder of make site")
    parser.add_argument("--latency-ms", type=float, default=150, help="delay of each request in milliseconds")
    parser.add_argument("--kbit-per-s", type=float, default=1600, help="bandwidth in kilobits per second")
    options = parser.parse_args()
    SlowHandler.latency_s = options.latency_ms / 1000
    SlowHandler.bytes_per_s = options.kbit_per_s * 1000 / 8
    server = create_server(options.folder, handler=SlowHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    with launch_browser() as browser:
        print(f"latency {options.latency_ms:.0f} ms, {options.kbit_per_s:.0f} kbit/s:")
        measure_first_move(browser, address)
        SlowHandler.latency_s, SlowHandler.bytes_per_s = 0.0, float("inf")
        measure_levels(browser, address)
        measure_speed(browser, address)


if __name__ == "__main__":
    main()

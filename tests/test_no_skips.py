"""Tests the pytest plugin of `make test-ecosystem`, under which a skipped test is a failure."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SKIPPED = {
    "test_file.py": "import pytest\npytest.importorskip('missing_framework')\n\ndef test(): pass\n",
    "test_call.py": "import pytest\n\ndef test():\n    pytest.skip('no time')\n",
    "test_mark.py": "import pytest\n\n@pytest.mark.skip(reason='never')\ndef test(): pass\n",
    "test_pass.py": "def test(): pass\n",
}


def test_skips_fail_with_the_plugin(tmp_path: Path) -> None:
    """A skip of a file, in a test and by a mark is a failure with the plugin; other tests pass."""
    for name, source in SKIPPED.items():
        (tmp_path / name).write_text(source)
    options = ["-p", "tests.ecosystem.no_skips", "-c", "/dev/null", "--continue-on-collection-errors"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", *options, tmp_path],
        cwd=ROOT,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 1, result.stdout
    assert "1 failed, 1 passed, 2 errors" in result.stdout
    assert result.stdout.count("skipped, but all tests must run here") >= 3

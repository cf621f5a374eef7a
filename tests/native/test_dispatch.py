"""Tests that the loops of dispatch() use AVX2 when zig compiles them for any x86-64, as `make wheels` does."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.native.programs import ROOT
from tools.wheels.toolchain import find_zig

LOOPS = ("cpp/game/rollouts.cpp", "cpp/search/tree/rollout.cpp")


@pytest.mark.parametrize("source", LOOPS)
def test_loops_use_avx2(source: str, tmp_path: Path) -> None:
    """Each version for x86-64-v3 shifts 256-bit registers by lanes, and calls no function compiled without them."""
    pytest.importorskip("ziglang")
    output = tmp_path / "loops.s"
    options = ["-target", "x86_64-linux-gnu.2.28", "-std=c++20", "-O3", "-DNDEBUG", "-fPIC", f"-I{ROOT / 'cpp'}"]
    command = [str(find_zig()), "c++", *options, "-S", str(ROOT / source), "-o", str(output)]
    subprocess.run(command, check=True, capture_output=True, env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    functions = re.findall(
        r"^(\S*run_x86_64_v3\S*):(.*?)^\.Lfunc_end", output.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert functions
    for name, code in functions:
        assert re.search(r"vpsrlvq\s.*%ymm", code), name
        assert not re.search(r"call\w*\s+\S*(apply_policy|find_tactics|play_rollout)", code), name

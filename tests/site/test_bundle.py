"""Tests of the bundles: they run like the modules that they consist of, and what cannot be joined is refused."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.site.requests.request_process import find_node
from tools.site.bundle import BundleError, bundle

MODULES = {
    "pages/main.js": """
// Prints what all forms of imports and exports lead to.
import { add, getTotal } from "../model/total.js";
import * as shapes from "../model/shapes.js";
import {
  describe as describeShape,
  LIMIT,
} from "../model/shapes.js";
import "../model/greeting.js";

/** @type {import("../model/shapes.js").Square} */
const square = /** @type {any} */ (new shapes.Square(3));
const LOCAL = "main";
add(square.area);
console.log(describeShape(square), LIMIT, LOCAL, shapes.LOCAL, getTotal());
loadLater();

/** The second file is loaded after the first, and both have a module in common. */
async function loadLater() {
  const { addLater } = await import("../late/first.js");
  const second = await import("../late/second.js");
  addLater(10);
  second.addTwice(100);
  console.log(getTotal(), second.where.slice(-14), (await import("../late/first.js")).addLater === addLater);
}
""",
    "model/total.js": """
const LOCAL = "total";
let total = LOCAL.length;
export function add(number) {
  total += number;
}
export const getTotal = () => total;
""",
    "model/shapes.js": """
export { getTotal } from "./total.js";
export const LIMIT = 5;
export class Square {
  constructor(side) {
    this.area = side ** 2;
  }
}
export function describe({ area }) {
  return `a square of ${area}`;
}
export async function* list() {}
""",
    "model/greeting.js": 'console.log("greeting");\n',
    "late/first.js": """
import { addCommon } from "./common.js";
export function addLater(number) {
  addCommon(number);
}
""",
    "late/second.js": """
import { add } from "../model/total.js";
import { addCommon } from "./common.js";
export const where = import.meta.url;
export function addTwice(number) {
  add(number);
  addCommon(number);
}
""",
    "late/common.js": """
import { add } from "../model/total.js";
console.log("common");
export const addCommon = (number) => add(number);
""",
}


def run_program(folder: Path, files: Mapping[str, str]) -> str:
    """Write modules into a folder, run `pages/main.js` with node and return what it prints."""
    for name, text in {**files, "package.json": '{"type": "module"}'}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    result = subprocess.run(
        [find_node(), str(folder / "pages" / "main.js")], capture_output=True, text=True, check=True
    )
    return result.stdout


def join(files: Mapping[str, str], *entries: str) -> dict[str, str]:
    """Return the bundles as text."""
    joined = bundle({name: text.encode() for name, text in files.items()}, entries)
    return {name: content.decode() for name, content in joined.items()}


def test_bundle_runs_like_its_modules(tmp_path: Path) -> None:
    """Names do not collide, each module runs once, and files that are loaded later use the same modules."""
    expected = run_program(tmp_path / "modules", MODULES)
    joined = join(MODULES, "pages/main.js")
    assert set(joined) == {"pages/main.js", "late/first.js", "late/second.js"}
    assert run_program(tmp_path / "joined", joined) == expected
    assert expected.splitlines() == [
        "greeting",
        "a square of 9 5 main undefined 14",
        "common",
        "224 late/second.js true",
    ]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"a.js": 'import "./b.js";\n', "b.js": 'import "./a.js";\n'}, "import each other: a.js -> b.js -> a.js"),
        ({"a.js": 'import { b } from "./b.js";\n'}, "a.js imports b.js, which does not exist"),
        ({"a.js": "export let b = 1;\n"}, "a.js: cannot join a module with the line: export let b = 1;"),
        ({"a.js": "export default 1;\n"}, "a.js: cannot join a module with the line: export default 1;"),
        ({"a.js": "import b from './b.js';\n", "b.js": ""}, "cannot join a module with the line: import b from"),
        ({"a.js": "await start();\n"}, "cannot join a module with the line: await start();"),
        (
            {
                "a.js": 'import { b } from "./b.js";\nconst c = () => import("./b.js");\n',
                "b.js": "export const b = 1;\n",
            },
            "b.js is imported by a.js",
        ),
        ({"a.js": 'const c = () => import("./b.js");\n'}, "b.js, which does not exist"),
    ],
)
def test_what_cannot_be_joined_is_refused(files: dict[str, str], problem: str) -> None:
    """The message names the module and the line."""
    with pytest.raises(BundleError) as raised:
        join(files, "a.js")
    assert problem in str(raised.value)


def test_late_module_belongs_to_one_bundle() -> None:
    """A file that is loaded later uses the modules of one bundle, so two entry points cannot load it."""
    files = {"a.js": 'const c = () => import("./c.js");\n', "c.js": "export const c = 1;\n"}
    with pytest.raises(BundleError, match=r"c\.js belongs to two bundles"):
        join(files | {"b.js": files["a.js"]}, "a.js", "b.js")

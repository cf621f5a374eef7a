"""Finds the JavaScript modules that the page loads, so that the browser can request all of them at once."""

import posixpath
import re
from collections.abc import Mapping, Sequence

_IMPORT = re.compile(r"""^(?:import|export)\b[^;"']*?\bfrom\s*["'](\.[^"']+)["']|^import\s*["'](\.[^"']+)["']""", re.M)


def list_imports(name: str, source: str) -> list[str]:
    r"""Return the files that a module imports statically.

    >>> list_imports("views/play.js", 'import { el } from "../ui/dom.js";\nexport * from "./games.js";')
    ['ui/dom.js', 'views/games.js']
    """
    folder = posixpath.dirname(name)
    found = (first or second for first, second in _IMPORT.findall(source))
    return [posixpath.normpath(posixpath.join(folder, path)) for path in found]


def list_modules(starts: Sequence[str], files: Mapping[str, bytes]) -> list[str]:
    """Return some modules and all modules that they need, those with the fewest steps from them first.

    >>> files = {"a.js": b'import "./b.js";', "b.js": b'import { a } from "./a.js";', "c.js": b""}
    >>> list_modules(["a.js"], files)
    ['a.js', 'b.js']
    """
    found = [start for start in starts if start in files]
    for name in found:
        imports = list_imports(name, files[name].decode("utf-8"))
        found += [each for each in dict.fromkeys(imports) if each in files and each not in found]
    return found

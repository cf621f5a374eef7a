"""Joins the JavaScript modules of a page into few files: a first visit then needs few requests.

A bundle has the path of its entry point. Every module in it is a function, so that names do not collide, and runs once,
after the modules that it imports. A module that is loaded with `import()` becomes a file of its own, together with the
modules that only it needs. Imports and exports must have the form in which Biome writes them; other forms are errors.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from fourfall.web.module_graph import list_imports

_IMPORT_NAMES = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)";$', re.M)
_IMPORT_ALL = re.compile(r'^import \* as (\w+) from "(\.[^"]+)";$', re.M)
_IMPORT_ONLY = re.compile(r'^import "(\.[^"]+)";$', re.M)
_REEXPORT = re.compile(r'^export\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)";$', re.M)
_EXPORT = re.compile(r"^export ((?:async function\*?|function\*?|class|const) (\w+))", re.M)
_REMAINDER = re.compile(r"^(?:import\b(?!\()|export\b|await\b).*", re.M)
_DYNAMIC_IMPORT = re.compile(r'\bimport\("(\.[^"]+)"\)')
_META_URL = "import.meta.url"
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.M | re.S)


class BundleError(ValueError):
    """A module that cannot be joined."""


def bundle(files: Mapping[str, bytes], entries: Sequence[str]) -> dict[str, bytes]:
    r"""Return the bundles of entry points, and the files that they load later, by path.

    >>> files = {"main.js": b'import { a } from "./a.js";\nprint(a);\n', "a.js": b"export const a = 1;\n"}
    >>> print(bundle(files, ["main.js"])["main.js"].decode())
    export const modules = {};
    modules["a.js"] = (() => {
    const a = 1;
    return { a };
    })();
    modules["main.js"] = (() => {
    const { a } = modules["a.js"];
    print(a);
    return {  };
    })();
    <BLANKLINE>
    """
    sources = {name: _COMMENT.sub("", content.decode()) for name, content in files.items() if name.endswith(".js")}
    bundles: dict[str, bytes] = {}
    for entry in entries:
        joined = _sort_modules(entry, sources)
        text = "export const modules = {};\n" + "".join(_wrap(name, sources[name], entry) for name in joined)
        written = {entry: text} | dict(_write_late_files(entry, joined, sources))
        for name, content in written.items():
            if name in bundles:
                raise BundleError(f"{name} belongs to two bundles; it is loaded by {entry} and by another entry point")
            bundles[name] = content.encode()
    return bundles


def _write_late_files(entry: str, joined: Sequence[str], sources: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the files that a bundle loads with `import()`; they use the modules of the bundle."""
    found = _list_late_modules(joined, sources)
    for name in found:
        if name in joined:
            raise BundleError(f"{name} is imported by {entry}, so import() of it has no use")
        added = [each for each in _sort_modules(name, sources) if each not in joined]
        found += [each for each in _list_late_modules(added, sources) if each not in found]
        exported = ", ".join(_list_exports(sources[name]))
        head = f'import {{ modules }} from "{_get_relative(entry, name)}";\n'
        tail = f"export const {{ {exported} }} = modules[{json.dumps(name)}];\n"
        yield name, head + "".join(_wrap(each, sources[each], name, is_late=True) for each in added) + tail


def _list_late_modules(names: Sequence[str], sources: Mapping[str, str]) -> list[str]:
    """Return what modules load with `import()`."""
    found = (_resolve(name, path) for name in names for path in _DYNAMIC_IMPORT.findall(sources[name]))
    return list(dict.fromkeys(found))


def _sort_modules(entry: str, sources: Mapping[str, str]) -> list[str]:
    """Return a module and all that it imports, each after its imports. Raises BundleError if imports form a circle."""
    done: list[str] = []
    path: list[str] = []

    def visit(name: str) -> None:
        if name in path:
            raise BundleError("modules import each other: " + " -> ".join([*path[path.index(name) :], name]))
        if name in done:
            return
        if name not in sources:
            raise BundleError(f"{path[-1] if path else 'the page'} imports {name}, which does not exist")
        path.append(name)
        for each in list_imports(name, sources[name]):
            visit(each)
        done.append(path.pop())

    visit(entry)
    return done


def _wrap(name: str, source: str, file: str, *, is_late: bool = False) -> str:
    """Return a module as a function in a file, which adds its exports to `modules`."""
    exported = _list_exports(source)

    def take(names: str, path: str) -> str:
        return f"const {{ {_rename(names)} }} = modules[{json.dumps(_resolve(name, path))}];"

    source = _IMPORT_NAMES.sub(lambda found: take(found[1], found[2]), source)
    source = _IMPORT_ALL.sub(
        lambda found: f"const {found[1]} = modules[{json.dumps(_resolve(name, found[2]))}];", source
    )
    source = _IMPORT_ONLY.sub("", source)
    source = _REEXPORT.sub(lambda found: take(found[1], found[2]), source)
    source = _EXPORT.sub(r"\1", source)
    if unknown := _REMAINDER.search(source):
        raise BundleError(f"{name}: cannot join a module with the line: {unknown[0]}")
    source = _DYNAMIC_IMPORT.sub(lambda found: f'import("{_get_relative(_resolve(name, found[1]), file)}")', source)
    source = source.replace(_META_URL, f'new URL("{_get_relative(name, file)}", {_META_URL}).href')
    # A file that is loaded later may have a module in common with another one: the first one runs.
    assignment = "??=" if is_late else "="
    return f"modules[{json.dumps(name)}] {assignment} (() => {{\n{source}return {{ {', '.join(exported)} }};\n}})();\n"


def _list_exports(source: str) -> list[str]:
    names = [name for _, name in _EXPORT.findall(source)]
    for again, _ in _REEXPORT.findall(source):
        names += [each.split(" as ")[-1].strip() for each in again.split(",") if each.strip()]
    return names


def _rename(names: str) -> str:
    """Return the names of an import as names of a destructuring: `a as b` becomes `a: b`."""
    return ", ".join(each.strip().replace(" as ", ": ") for each in names.split(",") if each.strip())


def _resolve(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _get_relative(name: str, file: str) -> str:
    """Return the address of a file as another file writes it."""
    relative = posixpath.relpath(name, posixpath.dirname(file) or ".")
    return relative if relative.startswith(".") else f"./{relative}"

"""Reads dependencies out of manifests and source files, each as an edge from a part to a part or to the outside."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Edge:
    """`area`, by way of `file`, depends on `target`: an area of ours, or with `outside` a package that is not."""

    area: str
    file: Path
    target: str
    outside: bool = False


# Crates and Java modules are named after their folder; the folders of the other two hold the part one step deeper.
_PLACES = (
    (re.compile(r"rust/pack/derive(?:/|$)"), "rust/derive"),
    (re.compile(r"java/interop/\w+\.py"), "python/tests"),
    (re.compile(r"java/(?:[\w-]+/src/test|interop)(?:/|$)"), "java/tests"),
    (re.compile(r"spec/(?:\w+/)+test_\w+\.py"), "spec/tests"),
    (re.compile(r"typescript/(?:dist/)?(?:src|lib|node)/(\w+)"), r"typescript/\1"),
    (re.compile(r"typescript/(?:(?:dist/)?test|interop)(?:/|$)"), "typescript/test"),
    (re.compile(r"python/(?:tests|interop)(?:/|$)"), "python/tests"),
    (re.compile(r"python/samewire/_native"), "rust/python"),
    (re.compile(r"python/samewire/(?:errors|limits)\.py"), "python/core"),
    (re.compile(r"python/samewire/(\w+)"), r"python/\1"),
    (re.compile(r"(rust|java)/([\w-]+)"), r"\1/\2"),
    (re.compile(r"(spec|codegen|tour|bench|house|rust|java|python|typescript)(?:/|$)"), r"\1"),
)


def area(path: Path) -> str | None:
    """The part that a path (relative to the root) belongs to; None for the root's own files."""
    text = path.as_posix()
    for pattern, name in _PLACES:
        if found := pattern.match(text):
            return found.expand(name)
    return None


def _within(folder: Path, relative: str) -> str | None:
    """The area of a path written relative to a folder, which need not exist."""
    return area(Path(os.path.normpath(folder / relative)))


def edges(root: Path, paths: list[Path]) -> Iterator[Edge]:
    """Every dependency that the given files of a tree declare."""
    crates = _crate_areas(root, paths)
    readers: dict[str, Callable[[Path, str, Path], Iterator[Edge]]] = {
        "Cargo.toml": lambda file, text, _: _cargo(file, text, crates),
        "pom.xml": lambda file, text, _: _maven(file, text, root),
        "package.json": lambda file, text, _: _npm(file, text),
        "pyproject.toml": lambda file, text, _: _pyproject(file, text),
        ".rs": lambda file, text, _: _rust(file, text, crates),
        **dict.fromkeys((".java", ".kt"), lambda file, text, _: _java(file, text)),
        ".py": _python,
        **dict.fromkeys((".ts", ".js", ".mjs"), lambda file, text, _: _ecmascript(file, text)),
    }
    for file in paths:
        reader = readers.get(file.name) or readers.get(file.suffix)
        if reader and area(file):
            yield from reader(file, (root / file).read_text(encoding="utf-8"), root)


# --- Rust ---


def _crate_areas(root: Path, paths: list[Path]) -> dict[str, str]:
    """Area by crate name, for every crate of the tree."""
    found = {}
    for path in paths:
        if path.name == "Cargo.toml":
            package = tomllib.loads((root / path).read_text(encoding="utf-8")).get("package")
            place = area(path.parent)
            if package and place:
                found[package["name"]] = place
    return found


def _cargo(file: Path, text: str, crates: dict[str, str]) -> Iterator[Edge]:
    data = tomllib.loads(text)
    place = area(file.parent)
    if place is None or "package" not in data:
        return
    tables = [data, *data.get("target", {}).values()]
    for kind in ("dependencies", "build-dependencies", "dev-dependencies"):
        for table in tables:
            for key, value in table.get(kind, {}).items():
                details: dict[str, Any] = value if isinstance(value, dict) else {}
                name = details.get("package", key)
                target = crates.get(name) or ("path" in details and _within(file.parent, details["path"]))
                if target:
                    yield Edge(place, file, target)
                elif kind != "dev-dependencies":
                    yield Edge(place, file, name, outside=True)


def _rust(file: Path, text: str, crates: dict[str, str]) -> Iterator[Edge]:
    place = area(file)
    assert place is not None
    modules = {name.replace("-", "_"): target for name, target in crates.items()}
    text = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    # `::samewire_pack` in a macro's output is resolved where the macro is used, not here.
    lead = r"(?<!:)" if place == "rust/derive" else ""
    for found in re.finditer(lead + r"\b(samewire_\w+)\b(?=\s*(?:::|;|\s+as\b))", text):
        if found[1] in modules:
            yield Edge(place, file, modules[found[1]])
    crate = Path(*file.parts[: file.parts.index("src")]) if "src" in file.parts else file.parent.parent
    patterns = (
        (r'(?:include(?:_str|_bytes)?!\(\s*|#\[path\s*=\s*)"([^"]+)"', file.parent),
        (r'env!\("CARGO_MANIFEST_DIR"\)\s*,\s*"/?([^"]+)"', crate),
    )
    for pattern, folder in patterns:
        for found in re.finditer(pattern, text):
            if target := _within(folder, found[1]):
                yield Edge(place, file, target)


# --- Java and Kotlin ---

_POM = {"m": "http://maven.apache.org/POM/4.0.0"}


def _maven(file: Path, text: str, root: Path) -> Iterator[Edge]:
    place = area(file.parent)
    project = ElementTree.fromstring(text)
    if place is None:
        return
    for module in project.findall("m:modules/m:module", _POM):
        if (target := _within(file.parent, module.text or "")) and target.split("/")[0] != place:
            yield Edge(place, file, target)
    managed = _managed_scopes(root)
    for dependency in project.findall("m:dependencies/m:dependency", _POM):
        group = dependency.findtext("m:groupId", "", _POM)
        artifact = dependency.findtext("m:artifactId", "", _POM)
        scope = dependency.findtext("m:scope", managed.get(f"{group}:{artifact}", "compile"), _POM)
        if group == "io.samewire":
            yield Edge(place, file, f"java/{artifact.removeprefix('samewire-')}")
        elif scope != "test":
            yield Edge(place, file, f"{group}:{artifact}", outside=True)


def _managed_scopes(root: Path) -> dict[str, str]:
    parent = root / "java/pom.xml"
    if not parent.exists():
        return {}
    managed = ElementTree.fromstring(parent.read_text(encoding="utf-8")).iterfind("m:dependencyManagement//m:dependency", _POM)
    return {
        f"{item.findtext('m:groupId', '', _POM)}:{item.findtext('m:artifactId', '', _POM)}": item.findtext(
            "m:scope", "compile", _POM
        )
        for item in managed
    }


def _java(file: Path, text: str) -> Iterator[Edge]:
    place = area(file)
    assert place is not None
    for found in re.finditer(r"\bio\.samewire\.([a-z]\w*)", text):
        # A program of the tour or the lab may live in a package of that name.
        target = found[1] if found[1] in ("tour", "bench") else f"java/{found[1]}"
        yield Edge(place, file, target)


# --- TypeScript and JavaScript ---


def _npm(file: Path, text: str) -> Iterator[Edge]:
    data = json.loads(text)
    place = area(file.parent)
    assert place is not None
    for name, version in data.get("dependencies", {}).items():
        target = _within(file.parent, version.removeprefix("file:")) if version.startswith("file:") else None
        if target or place != "typescript":
            yield Edge(place, file, target or name, outside=not target)
        else:
            yield Edge("typescript/pack", file, name, outside=True)


_SPECIFIER = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(["'])([^"'\s,]+)\1""")


def _ecmascript(file: Path, text: str) -> Iterator[Edge]:
    place = area(file)
    assert place is not None
    if place == "typescript":
        return
    for found in _SPECIFIER.finditer(text):
        name = found[2]
        if name.startswith("."):
            if target := _within(file.parent, name):
                yield Edge(place, file, target)
        elif name.split("/")[0] == "samewire":
            # The package's own name is that of `src/index.ts`.
            yield Edge(place, file, f"typescript/{(name.split('/') + ['index'])[1]}")
        else:
            yield Edge(place, file, name, outside=True)


# --- Python ---


def _pyproject(file: Path, text: str) -> Iterator[Edge]:
    place = area(file)
    for name in tomllib.loads(text).get("project", {}).get("dependencies", []):
        package = re.split(r"[^\w.-]", name)[0]
        # A package that replaces another one is ours.
        if package != "samewire":
            yield Edge("bench" if place == "bench" else "python/pack", file, package, outside=True)


def _python(file: Path, text: str, root: Path) -> Iterator[Edge]:
    place = area(file)
    assert place is not None
    tree = ast.parse(text, filename=str(file))
    always = {id(node) for node in tree.body}
    for node in _statements(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for name in _imported(node, file):
            top = name.split(".")[0]
            if target := _python_part(name):
                yield Edge(place, file, target)
            elif top not in sys.stdlib_module_names and not _beside(root, file, top):
                # An optional package is imported where it is used, or guarded; only `spec` may not even do that.
                if id(node) in always or place == "spec":
                    yield Edge(place, file, top, outside=True)


def _statements(block: ast.AST) -> Iterator[ast.AST]:
    """What a block holds at any depth, without the expressions: those are nine tenths of a tree, and import nothing."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        for node in getattr(block, field, ()):
            yield node
            yield from _statements(node)


def _imported(node: ast.Import | ast.ImportFrom, file: Path) -> Iterator[str]:
    """Absolute dotted names, one for each name imported, with relative ones resolved."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = node.module or ""
    if node.level:
        package = list(file.parent.parts[1 if file.parts[0] == "python" else 0 :])
        package = package[: len(package) - node.level + 1]
        base = ".".join([*package, base] if base else package)
    yield from (f"{base}.{alias.name}" for alias in node.names)


def _python_part(name: str) -> str | None:
    """The part of ours that a dotted name belongs to."""
    parts = name.split(".")
    if parts[0] in ("tour", "bench", "house", "spec", "codegen"):
        return parts[0]
    if parts[0] == "samewire" and len(parts) > 1:
        named = {"_native": "rust/python", "errors": "python/core", "limits": "python/core"}
        return named.get(parts[1], f"python/{parts[1]}")
    return None


def _beside(root: Path, file: Path, top: str) -> bool:
    """Whether a script imports a module of its own folder, or of a folder above it in its part."""
    folders = [root / folder for folder in file.parents if folder != Path()]
    return any((folder / f"{top}.py").exists() or (folder / top).is_dir() for folder in folders)

"""Checks the files of a release against Maven Central's requirements.

Its rules: coordinates, name, description, url, licences, developers and scm in each POM, of its own or its parent's; beside
each jar its sources and its documentation; versions of releases alone. Signatures and checksums are made when a release is
uploaded.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAVEN = "{http://maven.apache.org/POM/4.0.0}"
#: By path, what each POM has. A name is never inherited; the rest may be.
DEMANDED = {
    "name": "a name",
    "description": "a description",
    "licenses/license/name": "the licence's name",
    "licenses/license/url": "the licence's URL",
    "url": "the project's URL",
    "scm/url": "the source's URL",
    "scm/connection": "the source's connection",
    "developers/developer/name": "a developer's name",
}
#: Elements that only the owner of a project can fill in.
OWNERS = frozenset({"url", "scm/url", "scm/connection", "developers/developer/name"})


@dataclass
class Found:
    """The problems of a release, and the elements that its owner has yet to fill in."""

    problems: list[str] = field(default_factory=list)
    owners: set[str] = field(default_factory=set)


def judge(folder: Path) -> Found:
    """Goes through the POMs of a folder, whose parents lie in it too. A folder without one is a problem."""
    found = Found()
    poms = {path.stem: ElementTree.parse(path).getroot() for path in sorted(folder.glob("*.pom"))}
    if not poms:
        found.problems.append(f"{folder} has no POM")
    for stem, pom in poms.items():
        found.problems += _coordinates(stem, pom)
        for path, what in DEMANDED.items():
            if not _text(pom, path) and (path == "name" or not _text(poms.get(_parent(pom)), path)):
                if path in OWNERS:
                    found.owners.add(f"{what} (<{path}>)")
                else:
                    found.problems.append(f"{stem}.pom lacks {what} (<{path}>)")
        if _text(pom, "packaging") != "pom":
            names = (f"{stem}.jar", f"{stem}-sources.jar", f"{stem}-javadoc.jar")
            found.problems += [f"{name} is missing" for name in names if not (folder / name).exists()]
    return found


def _coordinates(stem: str, pom: ElementTree.Element) -> Iterator[str]:
    artifact = _text(pom, "artifactId")
    version = _text(pom, "version") or _text(pom, "parent/version")
    if not (_text(pom, "groupId") or _text(pom, "parent/groupId")):
        yield f"{stem}.pom lacks a groupId"
    if f"{artifact}-{version}" != stem:
        yield f"{stem}.pom is of {artifact}-{version}"
    if version.endswith("-SNAPSHOT"):
        yield f"{stem}.pom has the version {version}: only releases are taken"


def _parent(pom: ElementTree.Element) -> str:
    return f"{_text(pom, 'parent/artifactId')}-{_text(pom, 'parent/version')}"


def _text(pom: ElementTree.Element | None, path: str) -> str:
    found = None if pom is None else pom.find("/".join(f"{MAVEN}{name}" for name in path.split("/")))
    return "" if found is None else (found.text or "").strip()

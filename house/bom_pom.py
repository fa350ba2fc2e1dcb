"""The POM `samewire-bom`, which projects import so that all modules for the JVM have one version.

It is made from the parent's POM, so that name, licence and owner of the project are kept there alone. It does not inherit from
that POM, since an import would bring the versions of test libraries along.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from pathlib import Path

from house.central import MAVEN

#: The elements that both have.
SHARED = ("groupId", "version", "url", "licenses", "developers", "scm")


def text(parent: Path, modules: Iterable[str]) -> str:
    """The POM, with a managed version of each module."""
    ElementTree.register_namespace("", MAVEN.strip("{}"))
    given = ElementTree.parse(parent).getroot()
    pom = ElementTree.Element(f"{MAVEN}project")
    _add(pom, "modelVersion", "4.0.0")
    shared = {name: element for name in SHARED if (element := given.find(f"{MAVEN}{name}")) is not None}
    for name in ("groupId", "version"):
        pom.append(shared.pop(name))
    _add(pom, "artifactId", "samewire-bom")
    _add(pom, "packaging", "pom")
    _add(pom, "name", "Samewire's versions")
    _add(pom, "description", "One version of all modules of Samewire for the JVM, to be imported.")
    pom.extend(shared.values())
    dependencies = _add(_add(pom, "dependencyManagement"), "dependencies")
    for module in modules:
        dependency = _add(dependencies, "dependency")
        _add(dependency, "groupId", "io.samewire")
        _add(dependency, "artifactId", f"samewire-{module}")
        _add(dependency, "version", "${project.version}")
    ElementTree.indent(pom)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(pom, "unicode")}\n'


def _add(to: ElementTree.Element, name: str, text: str | None = None) -> ElementTree.Element:
    element = ElementTree.SubElement(to, f"{MAVEN}{name}")
    element.text = text
    return element

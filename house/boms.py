"""Bills of materials of the packages, in the CycloneDX format: what each contains or needs of others.

npm and Maven have tools for theirs. No tool reads the components of the wheel's compiled library: they are those whose notices the
wheel carries (`house.third_party`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from house import third_party

ROOT = third_party.ROOT
MAVEN = "org.cyclonedx:cyclonedx-maven-plugin:2.9.1:makeAggregateBom"


def write(out: Path, version: str) -> None:
    """One file for each registry. Raises subprocess.CalledProcessError where a tool refuses."""
    (out / f"samewire-{version}-wheel.cdx.json").write_text(json.dumps(wheel(version), indent=2) + "\n", "utf-8")
    npm = ["npm", "sbom", "--sbom-format", "cyclonedx", "--sbom-type", "library", "--package-lock-only", "--omit", "dev"]
    (out / f"samewire-{version}-npm.cdx.json").write_bytes(_run(npm, ROOT / "typescript"))
    with tempfile.TemporaryDirectory() as folder:
        options = ["-q", "-DoutputFormat=json", f"-DoutputDirectory={folder}", "-DincludeTestScope=false", "-Dcheckstyle.skip"]
        # Not by `house/maven.sh`: the plugin refuses to run offline, though it fetches nothing once it is there.
        _run(["mvn", "-B", "-ntp", "-f", "java/pom.xml", "-Pkotlin", MAVEN, *options], ROOT)
        shutil.copy(Path(folder) / "bom.json", out / f"samewire-{version}-maven.cdx.json")


def wheel(version: str) -> dict[str, Any]:
    """The bill of the wheel. Equal sources give equal bytes: it has no time and no random number."""
    ours = f"pkg:pypi/samewire@{version}"
    found = third_party.components()
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component("samewire", version, "Apache-2.0", ours)},
        "components": [_component(each.name, each.version, each.licence, each.purl) for each in found],
        "dependencies": [
            {"ref": ours, "dependsOn": [each.purl for each in found]},
            *({"ref": each.purl} for each in found),
        ],
    }


def _component(name: str, version: str, licence: str, purl: str) -> dict[str, Any]:
    group, _, last = name.rpartition("/")
    named = {"group": group, "name": last} if group else {"name": last}
    return {"type": "library", "bom-ref": purl, **named, "version": version, "licenses": [{"expression": licence}], "purl": purl}


def _run(command: list[str], folder: Path) -> bytes:
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True).stdout

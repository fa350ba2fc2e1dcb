"""Rules of registries that are ours to judge: a planted fault is found."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from house import bom_pom, central, checks

PARENT = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>org.example</groupId><artifactId>parent</artifactId><version>1.0</version><packaging>pom</packaging>
  <name>Parent</name><description>All.</description><url>https://example.org</url>
  <licenses><license><name>MIT</name><url>https://example.org/mit</url></license></licenses>
  <developers><developer><name>Someone</name></developer></developers>
  <scm><url>https://example.org/git</url><connection>scm:git:https://example.org/git</connection></scm>
</project>
"""
CHILD = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>1.0</version></parent>
  <artifactId>child</artifactId><name>Child</name>
</project>
"""


def release(folder: Path, parent: str = PARENT, child: str = CHILD, left_out: str = "none") -> Path:
    (folder / "parent-1.0.pom").write_text(parent)
    (folder / "child-1.0.pom").write_text(child)
    for kind in {"", "-sources", "-javadoc"} - {left_out}:
        (folder / f"child-1.0{kind}.jar").touch()
    return folder


def test_central_takes_a_release_that_inherits_from_its_parent(tmp_path: Path) -> None:
    assert central.judge(release(tmp_path)) == central.Found()


def test_central_refuses_a_release_without_documentation(tmp_path: Path) -> None:
    assert central.judge(release(tmp_path, left_out="-javadoc")).problems == ["child-1.0-javadoc.jar is missing"]


def test_central_refuses_a_name_that_is_only_the_parent_s(tmp_path: Path) -> None:
    found = central.judge(release(tmp_path, child=CHILD.replace("<name>Child</name>", "")))
    assert found.problems == ["child-1.0.pom lacks a name (<name>)"]


def test_central_refuses_a_snapshot_and_another_s_coordinates(tmp_path: Path) -> None:
    found = central.judge(release(tmp_path, parent=PARENT.replace(">1.0<", ">1.1-SNAPSHOT<")))
    assert "parent-1.0.pom is of parent-1.1-SNAPSHOT" in found.problems
    assert "parent-1.0.pom has the version 1.1-SNAPSHOT: only releases are taken" in found.problems


def test_what_the_owner_has_to_say_is_listed_apart(tmp_path: Path) -> None:
    found = central.judge(release(tmp_path, parent=PARENT.replace("<url>https://example.org/git</url>", "")))
    assert found == central.Found(owners={"the source's URL (<scm/url>)"})


def test_central_refuses_an_empty_folder(tmp_path: Path) -> None:
    assert central.judge(tmp_path).problems == [f"{tmp_path} has no POM"]


def test_the_pom_of_versions_names_every_module_and_says_what_its_parent_does(tmp_path: Path) -> None:
    parent = tmp_path / "parent-1.0.pom"
    parent.write_text(PARENT)
    (tmp_path / "samewire-bom-1.0.pom").write_text(bom_pom.text(parent, ["core", "pack"]))
    assert central.judge(tmp_path) == central.Found()
    text = (tmp_path / "samewire-bom-1.0.pom").read_text()
    assert "<artifactId>samewire-core</artifactId>" in text and "<artifactId>samewire-pack</artifactId>" in text
    assert "<parent>" not in text and "<name>Someone</name>" in text


def test_a_crate_without_a_description_or_with_a_long_keyword_is_refused(tmp_path: Path) -> None:
    text = b'[package]\nname = "a"\nlicense = "MIT"\nreadme = "R"\nkeywords = ["a-keyword-of-21-chars"]\ncategories = ["c"]\n'
    with tarfile.open(tmp_path / "a-1.0.crate", "w:gz") as archive:
        member = tarfile.TarInfo("a-1.0/Cargo.toml")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    problems = checks.crates_io(tmp_path)
    assert problems == [
        "a-1.0.crate: `description` is missing",
        "a-1.0.crate: 'a-keyword-of-21-chars' is too long a keyword",
    ]


def test_a_checker_is_never_given_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"has no \*\.whl"):
        checks.twine(tmp_path)

"""What the owner of a release says stands in the metadata of each registry; with a part of it, nothing does."""

from __future__ import annotations

import dataclasses
import json
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from house import central, owner, packages

ROOT = Path(__file__).parents[2]
OWNED = owner.Owner("https://example.org/a/b", "https://example.org/a/b/issues", 'A & "B"', "a@example.org")
POMS = ["java/pom.xml", *(f"java/{module}/pom.xml" for module in packages.JAVA_MODULES)]
CRATES = [f"rust/{folder}/Cargo.toml" for folder in packages.CRATES.values()]


def text(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def test_the_file_in_the_repository_names_no_owner() -> None:
    assert owner.read().missing == [field.name for field in dataclasses.fields(owner.Owner)]


def test_the_wheel_names_its_authors_and_pages() -> None:
    project = tomllib.loads(OWNED.in_pyproject(text("python/pyproject.toml")))["project"]
    assert project["authors"] == [{"name": OWNED.name, "email": OWNED.email}]
    assert project["urls"] == {"Repository": OWNED.repository, "Issues": OWNED.issues}
    before = tomllib.loads(text("python/pyproject.toml"))["project"]
    assert {key: value for key, value in project.items() if key not in ("authors", "urls")} == before


def test_every_pom_says_all_that_central_demands(tmp_path: Path) -> None:
    for path in POMS:
        pom = OWNED.in_pom(text(path))
        name = ElementTree.fromstring(pom).findtext(f"{central.MAVEN}artifactId")
        (tmp_path / f"{name}-{packages.VERSION}.pom").write_text(pom, "utf-8")
    assert central.judge(tmp_path).owners == set()
    (developer,) = ElementTree.fromstring(pom).findall(f".//{central.MAVEN}developer/{central.MAVEN}name")
    assert developer.text == OWNED.name


def test_the_npm_package_names_its_repository() -> None:
    before, package = (
        json.loads(text("typescript/package.json")),
        json.loads(OWNED.in_package_json(text("typescript/package.json"))),
    )
    assert package["repository"] == {"type": "git", "url": "git+https://example.org/a/b.git"}
    assert package["author"] == {"name": OWNED.name, "email": OWNED.email}
    assert {key: package[key] for key in before} == before


@pytest.mark.parametrize("path", CRATES)
def test_a_crate_with_an_owner_may_be_published(path: str) -> None:
    package = tomllib.loads(OWNED.in_manifest(text(path)))["package"]
    assert (package["authors"], package["repository"]) == ([f"{OWNED.name} <{OWNED.email}>"], OWNED.repository)
    assert "publish" not in package
    assert tomllib.loads(text(path))["package"]["publish"] == {"workspace": True}


@pytest.mark.parametrize("key", [field.name for field in dataclasses.fields(owner.Owner)])
def test_with_a_part_missing_nothing_is_written(key: str) -> None:
    partly = dataclasses.replace(OWNED, **{key: ""})
    assert partly.missing == [key]
    for write in (partly.in_pyproject, partly.in_pom, partly.in_package_json, partly.in_manifest):
        assert write("as it was") == "as it was"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('repository = "http://example.org/a/b"', "expected the https URL of a page as repository"),
        ('repository = "https://example.org/a/b.git"', "leave out .git"),
        ('issues = "https://example.org/a/b/"', "without a slash at its end"),
        ('email = "nobody"', "expected an e-mail address"),
        ('Name = "A"', "expected texts for repository, issues, name, email, got Name = 'A'"),
        ("name = 5", "got name = 5"),
    ],
)
def test_what_registries_refuse_is_refused(line: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "OWNER.toml").write_text(line)
    with pytest.raises(owner.OwnerError, match=why.replace(".", r"\.")):
        owner.read(tmp_path / "OWNER.toml")


def test_metadata_of_another_form_is_refused_and_not_left_as_it_is() -> None:
    with pytest.raises(owner.OwnerError, match="expected one line"):
        OWNED.in_pyproject("")

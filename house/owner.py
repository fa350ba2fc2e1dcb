"""The owner's data (`OWNER.toml`), and its place in the metadata of each registry's packages."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from xml.sax.saxutils import escape

FILE = Path(__file__).parents[1] / "OWNER.toml"
URLS = ("repository", "issues")


class OwnerError(ValueError):
    """`OWNER.toml` has a key or a value that no registry takes."""


@dataclass(frozen=True)
class Owner:
    """All of it, or nothing of it, is written: metadata with half of it would be refused as well."""

    repository: str = ""
    issues: str = ""
    name: str = ""
    email: str = ""

    @property
    def missing(self) -> list[str]:
        """The keys that are empty."""
        return [key for key, value in asdict(self).items() if not value]

    def in_pyproject(self, text: str) -> str:
        """PyPI's. The tables of `text` stay what they are."""
        if self.missing:
            return text
        author = f"authors = [{{ name = {_quoted(self.name)}, email = {_quoted(self.email)} }}]"
        urls = f"[project.urls]\nRepository = {_quoted(self.repository)}\nIssues = {_quoted(self.issues)}\n"
        return _replaced(text, "[project]", f"[project]\n{author}") + "\n" + urls

    def in_pom(self, text: str) -> str:
        """Maven Central's. In each POM: what is inherited has the module's name added."""
        if self.missing:
            return text
        url, name, email = (escape(value) for value in (self.repository, self.name, self.email))
        return _replaced(
            text,
            "</project>",
            f"  <url>{url}</url>\n"
            f"  <scm>\n    <url>{url}</url>\n    <connection>scm:git:{url}.git</connection>\n  </scm>\n"
            f"  <issueManagement>\n    <url>{escape(self.issues)}</url>\n  </issueManagement>\n"
            f"  <developers>\n    <developer>\n      <name>{name}</name>\n      <email>{email}</email>\n    </developer>\n"
            "  </developers>\n</project>",
        )

    def in_package_json(self, text: str) -> str:
        """npm's. Provenance needs the repository."""
        if self.missing:
            return text
        more = {
            "author": {"name": self.name, "email": self.email},
            "homepage": self.repository,
            "repository": {"type": "git", "url": f"git+{self.repository}.git"},
            "bugs": {"url": self.issues},
        }
        return json.dumps(json.loads(text) | more, indent=2, ensure_ascii=False) + "\n"

    def in_manifest(self, text: str) -> str:
        """crates.io's: the crate may be published from now on."""
        if self.missing:
            return text
        author = _quoted(f"{self.name} <{self.email}>")
        return _replaced(text, "publish.workspace = true", f"authors = [{author}]\nrepository = {_quoted(self.repository)}")


def read(path: Path = FILE) -> Owner:
    """Raises OwnerError where a value would be refused by a registry."""
    given = tomllib.loads(path.read_text("utf-8"))
    known = [field.name for field in fields(Owner)]
    for key, value in given.items():
        if key not in known or not isinstance(value, str):
            raise OwnerError(f"{path.name}: expected texts for {', '.join(known)}, got {key} = {value!r}")
        if value and key in URLS and not re.fullmatch(r"https://[^\s/]+/\S*[^\s/]", value):
            raise OwnerError(f"{path.name}: expected the https URL of a page as {key}, without a slash at its end, got {value!r}")
    owner = Owner(**given)
    if owner.repository.endswith(".git"):
        raise OwnerError(f"{path.name}: expected the page of the repository, got {owner.repository!r}: leave out .git")
    if owner.email and not re.fullmatch(r"[^\s@<>]+@[^\s@<>]+", owner.email):
        raise OwnerError(f"{path.name}: expected an e-mail address as email, got {owner.email!r}")
    return owner


def _quoted(value: str) -> str:
    """A basic string of TOML: JSON's escapes are TOML's too."""
    return json.dumps(value, ensure_ascii=False)


def _replaced(text: str, line: str, by: str) -> str:
    """Replaces a line that must be there, once: metadata without it has changed its form."""
    replaced, count = re.subn(rf"^{re.escape(line)}$", lambda _: by, text, flags=re.MULTILINE)
    if count != 1:
        raise OwnerError(f"expected one line {line!r} in the metadata, got {count}")
    return replaced

"""Each untidiness, planted in a small tree, is found; and the repository itself has none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from house.neatness import LONGEST, MEDIAN, violations
from house.sources import files
from house.tests.trees import SOUND, plant

ROOT = Path(__file__).parents[2]

# Put together here, so that this file does not contain what the rules look for.
SLASH = "/"
PLANTED = {
    "a folder": ("typescript/src/common/a.ts", "", "may not be called 'common'"),
    "a module": ("python/samewire/pack/utils.py", "", "may not be called 'utils'"),
    "a word of a snake-case name": ("python/tests/test_helpers.py", "", "may not be called 'helpers'"),
    "a word of a camel-case name": ("java/pack/src/StringUtil.java", "", "may not be called 'util'"),
    "a package": ("java/pack/src/main/java/io/samewire/internal/A.java", "", "may not be called 'internal'"),
    "a long file": ("rust/pack/src/long.rs", "\n" * (LONGEST + 1), f"{LONGEST + 1} lines"),
    "a long median": ("tour/one.sh", "\n" * MEDIAN, "*.sh: the median file"),
    "a home folder": ("bench/a.py", f'PATH = "{SLASH}home/someone/data"\n', "machine path"),
    "the root's folder": ("README.md", f"see {SLASH}root/notes\n", "machine path"),
    "a workplace": ("Makefile", f"X = {SLASH}work/main\n", "machine path"),
    "a folder beside the repository": ("bench/a.py", f'open("..{SLASH}shared/x")\n', "machine path"),
    "a Python registry": ("README.md", "https://pypi" + ".org/simple\n", "registry host"),
    "a JavaScript registry": (
        "typescript/package-lock.json",
        '"resolved": "https://registry.npmjs' + '.org/x"\n',
        "registry host",
    ),
    "a Java registry": (
        "java/pack/pom.xml",
        SOUND["java/pack/pom.xml"] + "<!-- repo1.maven" + ".org -->",
        "registry host",
    ),
    "a Rust registry": (
        "rust/config.toml",
        'index = "sparse+https://index.crates' + '.io/"\n',
        "registry host",
    ),
    "a note to self": ("python/samewire/pack/a.py", "# TO" + "DO: later\n", "unfinished work"),
}


def test_a_tidy_tree_passes(tmp_path: Path) -> None:
    assert violations(plant(tmp_path, SOUND)) == []


@pytest.mark.parametrize("name", PLANTED)
def test_untidiness_is_found(tmp_path: Path, name: str) -> None:
    file, text, expected = PLANTED[name]
    found = violations(plant(tmp_path, SOUND | {file: text}))
    assert any(expected in line for line in found), found


def test_words_that_merely_contain_a_forbidden_one_pass(tmp_path: Path) -> None:
    tree = {
        "python/samewire/pack/utility.py": "",
        "java/pack/Commonly.java": "",
        "rust/pack/src/internals.rs": "",
    }
    assert violations(plant(tmp_path, SOUND | tree)) == []


def test_a_file_counts_before_it_is_committed_and_an_ignored_one_never(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "build/\n", "build/utils.py": "", "utils.py": ""})
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert files(tmp_path) == [Path(".gitignore"), Path("utils.py")]


def test_the_repository_is_tidy() -> None:
    assert violations(ROOT) == []

"""Java's sources: those in git, and those that the build generates."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from house.java_sources import roots
from house.sources import files
from house.tests.trees import plant

ROOT = Path(__file__).parents[2]
GENERATED = "target/generated-sources"


def texts(folder: Path) -> dict[Path, str]:
    return {path.relative_to(folder): path.read_text("utf-8") for path in folder.rglob("*.java")}


def test_generated_sources_are_a_root_and_an_empty_folder_is_none(tmp_path: Path) -> None:
    plant(tmp_path, {"src/main/java/a/A.java": "", f"{GENERATED}/commands/a/B.java": ""})
    (tmp_path / GENERATED / "annotations").mkdir()
    assert roots(tmp_path) == [tmp_path / "src/main/java", tmp_path / GENERATED / "commands"]


def test_the_build_has_generated_the_commands_and_git_has_none_of_them(tmp_path: Path) -> None:
    module = ROOT / "java/redis"
    subprocess.run([sys.executable, "-m", "codegen.redis.java", str(tmp_path)], cwd=ROOT, check=True)
    by_hand, generated = roots(module)
    assert texts(generated) == texts(tmp_path)
    committed = {(ROOT / path).relative_to(by_hand) for path in files(ROOT) if (ROOT / path).is_relative_to(by_hand)}
    assert not committed & texts(tmp_path).keys()

"""The part of the build that pyproject.toml cannot express: the package contains a library compiled from the Rust workspace.

The workspace is beside this folder, or inside it in an unpacked source package. So is what the gateway's jar is made of: a source
package contains the jar, a clone makes it where there are a JDK and Maven. Without it all but `bridge.launch` and `bridge.embed` works.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from setuptools import Command, Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build
from setuptools.command.sdist import sdist
from setuptools.errors import SetupError

HERE = Path(__file__).resolve().parent
#: Lies in site-packages itself: the interpreter reads it at its start.
SWITCH = "samewire_py4j.pth"
LIBRARY = HERE / "samewire/_native.so"
JARS = [HERE / "samewire" / name for name in ("bridge/samewire-bridge.jar", "py4j/samewire-py4j.jar")]
NOT_SOURCE = shutil.ignore_patterns("target", "tests")


def workspace() -> Path:
    """Returns the folder of the Rust workspace. Raises SetupError if there is none."""
    for folder in (HERE / "rust", HERE.parent / "rust"):
        if (folder / "python/Cargo.toml").exists():
            return folder
    raise SetupError("samewire/_native.so is missing, and so is the Rust workspace to compile it from")


def compile_library() -> None:
    """Compiles the library for this interpreter, with locked versions. Raises SetupError if cargo is missing or fails."""
    folder = workspace()
    environment = {"CARGO_PROFILE_RELEASE_STRIP": "debuginfo", **os.environ, "PYO3_PYTHON": sys.executable}
    target = Path(environment.setdefault("CARGO_TARGET_DIR", str(folder / "target")))
    try:
        subprocess.run(
            ["cargo", "build", "--release", "--locked", "-p", "samewire-python"], cwd=folder, env=environment, check=True
        )
    except FileNotFoundError:
        raise SetupError("samewire is compiled from Rust: cargo is needed, of Rust 1.85 or later") from None
    except subprocess.CalledProcessError as error:
        raise SetupError(f"cargo could not compile samewire ({error.returncode})") from None
    shutil.copy(target / "release/libsamewire_python.so", LIBRARY)


def missing_jars() -> str:
    """Returns the names of the jars that are not there."""
    return " and ".join(jar.name for jar in JARS if not jar.exists())


def make_jars() -> None:
    """Makes the jars of the bridge and of Py4J's classes from a clone. Without a JDK and Maven, or where they fail, says what will be missing."""
    clone = HERE.parent
    reason = "it is made in a clone of the repository"
    if (clone / "house/bridge_jar.py").exists():
        missing = [tool for tool in ("javac", "mvn") if shutil.which(tool) is None]
        if not missing:
            maven = ["mvn", "-q", "-B", "-f", "java/pom.xml", "-pl", "py4j", "-am"]
            compiled = [*maven, "generate-test-resources", "-Dcheckstyle.skip"]
            packed = [[sys.executable, "-m", f"house.{maker}"] for maker in ("bridge_jar", "py4j_jar")]
            for command in (compiled, *packed):
                if subprocess.run(command, cwd=clone, check=False).returncode:
                    break
            else:
                return
        reason = f"{' and '.join(missing)} missing on PATH" if missing else "Maven failed, see above"
    print(f"samewire: built without {missing_jars()} ({reason}): bridge.launch and bridge.embed will refuse", file=sys.stderr)


class CompiledDistribution(Distribution):
    """Names the interpreter's version and the platform in its wheels."""

    def has_ext_modules(self) -> bool:
        """Returns True, as if setuptools had compiled the library itself."""
        return True


class BuildSwitch(Command):
    """Puts the file that reads SAMEWIRE_PY4J beside the package, in editable installations too."""

    user_options: ClassVar[list[tuple[str, str | None, str]]] = []
    editable_mode = False

    def initialize_options(self) -> None:
        """Nothing to be told."""

    def finalize_options(self) -> None:
        """Takes the folder that becomes site-packages."""
        # An editable installation builds nothing: what it installs is written there at once.
        command, folder = ("install", "install_lib") if self.editable_mode else ("build", "build_lib")
        self.target = Path(getattr(self.get_finalized_command(command), folder)) / SWITCH

    def run(self) -> None:
        """Copies the file."""
        self.target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / SWITCH, self.target)

    def get_source_files(self) -> list[str]:
        """For source packages."""
        return [SWITCH]

    def get_outputs(self) -> list[str]:
        """The file."""
        return [str(self.target)]

    def get_output_mapping(self) -> dict[str, str]:
        """Nothing: an editable installation must not link to it."""
        return {}


class CompleteBuild(build):
    """The package, and the switch beside it."""

    sub_commands: ClassVar[list[tuple[str, Callable[..., bool] | None]]] = [*build.sub_commands, ("build_switch", None)]


class CompleteWheel(bdist_wheel):
    """Compiles the library if it is missing: no wheel comes without it. Makes the jars if they are missing and can be made."""

    def run(self) -> None:
        """Raises SetupError as `compile_library` does."""
        if missing_jars():
            make_jars()
        if not LIBRARY.exists():
            compile_library()
        super().run()


class CompleteSource(sdist):
    """Packs this folder and the Rust workspace, without a library compiled for this machine."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Raises SetupError if there is no workspace, or a jar is missing: a source package has no Java to make it from."""
        if missing_jars():
            raise SetupError(f"the package lacks {missing_jars()}: `make build-python` makes it")
        super().make_release_tree(base_dir, [file for file in files if not file.endswith(LIBRARY.name)])
        shutil.copytree(workspace(), Path(base_dir) / "rust", ignore=NOT_SOURCE)


COMMANDS = {"bdist_wheel": CompleteWheel, "sdist": CompleteSource, "build": CompleteBuild, "build_switch": BuildSwitch}
setup(distclass=CompiledDistribution, cmdclass=COMMANDS)

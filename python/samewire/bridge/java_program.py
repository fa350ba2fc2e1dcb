"""Finds the program `java`, and the jar of the gateway."""

from __future__ import annotations

import os

from samewire.errors import SamewireError

#: As in `__init__`: nothing slow is imported before the JVM is started.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable

Path = str | os.PathLike[str]

#: The gateway's classes, bundled with this package.
JAR = os.path.join(os.path.dirname(__file__), "samewire-bridge.jar")

#: The oldest version of Java that runs the gateway's classes.
LEAST_JAVA = 17

_ADVICE = (
    "install a JDK or JRE of version 17 or later (Debian: apt install openjdk-17-jre-headless), "
    "set JAVA_HOME, or give its path: launch(java=...)"
)


def java_program(given: str | os.PathLike[str] | None = None) -> str:
    """The path of `java`: the given program or home, else JAVA_HOME's, else the first one on PATH.

    Raises SamewireError `misuse` if there is none, with the searched places and the remedy.
    """
    if given is not None:
        path = os.fspath(given)
        found = (
            _executable(path)
            or _executable(os.path.join(path, "bin", "java"))
            or (_on_path(path) if os.sep not in path else None)
        )
        if not found:
            raise SamewireError("misuse", text=f"java={path!r} is neither a program nor a home of Java: {_ADVICE}")
        return found
    home = os.environ.get("JAVA_HOME")
    if home:
        found = _executable(os.path.join(home, "bin", "java"))
        if not found:
            raise SamewireError("misuse", text=f"JAVA_HOME is {home!r}, where no program bin/java is: {_ADVICE}")
        return found
    found = _on_path("java")
    if not found:
        raise SamewireError("misuse", text=f"no program java on PATH, and JAVA_HOME is not set: {_ADVICE}")
    return found


def java_version(program: str) -> tuple[int, str]:
    """The feature and the full version of a `java`, from its home's `release` file; 0 and "" if there is none."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    # Where a JDK of version 8 keeps its program in jre/bin.
    for place in (os.path.join(home, "release"), os.path.join(os.path.dirname(home), "release")):
        try:
            with open(place, encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            continue
        version = next((line.partition("=")[2].strip('" ') for line in lines if line.startswith("JAVA_VERSION=")), "")
        numbers = version.removeprefix("1.").replace("-", ".").replace("+", ".").replace("_", ".").split(".")
        return (int(numbers[0]), version) if numbers[0].isdecimal() else (0, "")
    return 0, ""


def old_java(program: str) -> SamewireError | None:
    """The error for a JVM that is older than the gateway's classes; None if it is not, or its version is unknown."""
    feature, version = java_version(program)
    if not 0 < feature < LEAST_JAVA:
        return None
    text = f"{program} is of Java {version}, and the gateway needs Java {LEAST_JAVA} or newer: {_ADVICE}"
    return SamewireError("misuse", text=text)


def gateway_jar() -> str:
    """The path of the gateway's jar: SAMEWIRE_BRIDGE_JAR (a class path) if set, else the bundled one. Raises SamewireError `misuse`."""
    given = os.environ.get("SAMEWIRE_BRIDGE_JAR")
    if given:
        return given
    if not os.path.isfile(JAR):
        raise SamewireError(
            "misuse",
            text=f"the gateway's jar {JAR} is missing: this package was built without a JDK and Maven. With JDK 17 or newer and Maven "
            "on PATH, install samewire again from the repository, or set SAMEWIRE_BRIDGE_JAR to a jar built elsewhere",
        )
    return JAR


def gateway_options(classpath: Path | Iterable[Path], *, archived: bool = False) -> list[str]:
    """The options of java for the class path: the gateway and a program's classes.

    Without an archive of classes the bundled jar is on the boot class path, from which the JVM loads classes in a tenth
    of the time that the class path's loader takes; and on the class path, too, for the classes that this loader has to
    load (ProgramCaller). With an archive it is only on the class path: a JVM with an appended boot class path rebuilds
    its module graph, which takes 10 ms. Raises SamewireError `misuse`.
    """
    jar = gateway_jar()
    boot = [f"-Xbootclasspath/a:{jar}"] if jar == JAR and not archived else []
    return [*boot, "-cp", os.pathsep.join([jar, *class_path(classpath)])]


def _on_path(name: str) -> str | None:
    for folder in os.get_exec_path():
        found = _executable(os.path.join(folder, name))
        if found:
            return found
    return None


def _executable(path: str) -> str | None:
    return path if os.path.isfile(path) and os.access(path, os.X_OK) else None


def class_path(classpath: Path | Iterable[Path]) -> list[str]:
    """The paths of a class path: one text or path, or several.

    Raises SamewireError `misuse` for a missing jar or folder, which Java would ignore silently.
    """
    paths = [os.fspath(path) for path in ((classpath,) if isinstance(classpath, str | os.PathLike) else classpath)]
    for path in paths:
        for entry in path.split(os.pathsep):
            place = entry[:-1] if _is_all_jars(entry) else entry
            if entry not in ("", "*") and not os.path.exists(place):
                raise SamewireError("misuse", text=f"classpath: there is no {place!r}: check the name, or leave it out")
    return paths


def with_jars(paths: list[str]) -> list[str]:
    """The entries of a class path, with `folder/*` expanded to its jars: `java` does that, an embedded JVM does not."""
    entries = [entry for path in paths for entry in path.split(os.pathsep)]
    return [jar for entry in entries for jar in (_jars(entry[:-1]) if _is_all_jars(entry) else (entry,))]


def _is_all_jars(entry: str) -> bool:
    return entry == "*" or entry.endswith(f"{os.sep}*")


def _jars(folder: str) -> list[str]:
    return sorted(os.path.join(folder, name) for name in os.listdir(folder or os.curdir) if name.endswith((".jar", ".JAR")))

"""Puts Samewire's jar before Spark's own copy of Py4J in the drivers that this process starts.

Spark's scripts give the driver's JVM the options in SPARK_SUBMIT_OPTS. The boot class path comes before every class path, so
`spark.driver.extraClassPath` and `--driver-class-path` stay unchanged, and need not be known here.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from samewire.bridge.java_program import JAR, LEAST_JAVA, java_version

from .launching import OUR_JAR
from .log import logger

if TYPE_CHECKING:
    from collections.abc import MutableMapping

VARIABLE = "SPARK_SUBMIT_OPTS"

#: The boot loader does not read the manifest, in which the first jar names the second.
_JARS = (OUR_JAR, Path(JAR))


def add_spark_options(environment: MutableMapping[str, str]) -> bool:
    """Adds the jars to SPARK_SUBMIT_OPTS; returns whether Spark's drivers have them now.

    What the variable has already stays. Nothing is added if SAMEWIRE_PY4J_DIALECT=text asks for no jar, if the package was built
    without the jars, or if the `java` that Spark's scripts take is older than 17 or unknown.
    """
    present = environment.get(VARIABLE, "")
    option = shlex.quote(f"-Xbootclasspath/a:{os.pathsep.join(map(str, _JARS))}")
    if option in present:
        return True
    if environment.get("SAMEWIRE_PY4J_DIALECT") == "text" or not all(jar.exists() for jar in _JARS):
        return False
    if any(os.pathsep in str(jar) for jar in _JARS):
        logger.info("%s cannot be on a class path: Spark's drivers keep their own Py4J", _JARS[0])
        return False
    version = _java_of(environment)
    # An older one would not start Spark at all with the jars.
    if version < LEAST_JAVA:
        logger.info("Spark's java is of version %s: its drivers keep their own Py4J", version or "unknown")
        return False
    environment[VARIABLE] = f"{present} {option}".lstrip()
    return True


def _java_of(environment: MutableMapping[str, str]) -> int:
    """The feature version of the `java` that Spark's scripts start, 0 if it is unknown. Starts no JVM to ask."""
    home = environment.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java", path=environment.get("PATH", os.defpath))
    return java_version(java)[0] if java else 0

"""Samewire's jar in the drivers of Spark that a process starts: the argument alone, without Spark."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import samewire
from py4j_servers import INCUMBENT
from samewire.bridge.java_program import JAR
from samewire.py4j import java_gateway
from samewire.py4j.launching import OUR_JAR
from samewire.py4j.spark_options import VARIABLE, add_spark_options

OURS = f"-Xbootclasspath/a:{OUR_JAR}{os.pathsep}{JAR}"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment with a Java of version 17."""
    (tmp_path / "release").write_text('IMPLEMENTOR="x"\nJAVA_VERSION="17.0.15"\n')
    return {"JAVA_HOME": str(tmp_path), "PATH": "/nowhere"}


def test_the_options_of_a_user_stay(environment: dict[str, str]) -> None:
    environment[VARIABLE] = "-Xss4m -Dname='two words'"
    environment["PYSPARK_SUBMIT_ARGS"] = given = "--driver-class-path mine.jar pyspark-shell"
    assert add_spark_options(environment)
    assert shlex.split(environment[VARIABLE]) == ["-Xss4m", "-Dname=two words", OURS]
    assert environment["PYSPARK_SUBMIT_ARGS"] == given


def test_they_are_added_once(environment: dict[str, str]) -> None:
    assert add_spark_options(environment) and add_spark_options(environment)
    assert shlex.split(environment[VARIABLE]) == [OURS]


@pytest.mark.parametrize("release", ['JAVA_VERSION="11.0.2"', 'JAVA_VERSION="1.8.0_392"', "", "JAVA_VERSION=new"])
def test_an_older_or_unknown_java_starts_spark_without_them(environment: dict[str, str], release: str) -> None:
    Path(environment["JAVA_HOME"], "release").write_text(release)
    assert not add_spark_options(environment)
    assert VARIABLE not in environment


def test_no_java_at_all(environment: dict[str, str]) -> None:
    del environment["JAVA_HOME"]
    assert not add_spark_options(environment)


def test_a_program_of_the_text_protocol_has_none(environment: dict[str, str]) -> None:
    environment["SAMEWIRE_PY4J_DIALECT"] = "text"
    assert not add_spark_options(environment)
    assert VARIABLE not in environment


def test_every_way_to_switch_on_adds_them(environment: dict[str, str], tmp_path: Path) -> None:
    shown = f"import os, py4j.java_gateway; print(os.environ['{VARIABLE}'])"
    program = tmp_path / "program.py"
    program.write_text(shown)
    package = Path(samewire.__file__).parents[1]
    environment = {**os.environ, **environment, "PYTHONPATH": str(package), "SAMEWIRE_PY4J": "1"}
    ways = [
        ["-c", f"from samewire import bridge; bridge.install_as_py4j(); {shown}"],
        ["-m", "samewire.bridge", str(program)],
        # As the `.pth` of an installation does.
        ["-c", f"import samewire.py4j.switch; {shown}"],
    ]
    for way in ways:
        done = subprocess.run([sys.executable, *way], capture_output=True, text=True, env=environment, check=False, timeout=120)
        assert done.stdout.strip() == shlex.quote(OURS), done.stderr


def test_a_driver_with_another_py4j_on_its_class_path_serves_ours() -> None:
    port, token, process = java_gateway.launch_gateway(
        jarpath=str(INCUMBENT),
        die_on_exit=True,
        enable_auth=True,
        return_proc=True,
        javaopts=[OURS, "-Xshare:auto", "-XX:TieredStopAtLevel=1"],
    )
    try:
        parameters = java_gateway.GatewayParameters(port=port, auth_token=token.decode())
        gateway = java_gateway.JavaGateway(gateway_parameters=parameters)
        assert gateway.jvm.java.lang.Math.max(1, 2) == 2
        assert type(gateway._gateway_client.dialect).__name__ == "NativeDialect"
        # A class of the class path alone, found by the loader of who calls.
        name = "py4j.model.HelpPageGenerator"
        found = gateway.jvm.java.lang.Class.forName(name)
        assert found.getName() == name
        gateway.close()
    finally:
        process.kill()
        process.wait()

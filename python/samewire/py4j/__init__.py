"""Py4J's interface, for programs written for Py4J: PySpark and others.

`samewire.bridge.install_as_py4j()` puts this package under the name `py4j`; `python -m samewire.bridge COMMAND` runs a
program with it. The public modules are Py4J's: `java_gateway`, `clientserver`, `protocol`, `java_collections`,
`finalizer`, `signals`, `compat`, `version`. Each of the other files holds one concept of them.
"""

from __future__ import annotations

from . import version

__version__ = version.__version__

"""A plugin of pytest: `py4j` is ours, and its package `tests` that of Py4J's repository."""

from __future__ import annotations

import os

from samewire import bridge

package = bridge.install_as_py4j()
package.__path__.append(os.environ["PY4J_TESTED"])

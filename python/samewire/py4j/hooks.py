"""The public modules, for code that must look a name up there each time it is used.

Programs replace functions of Py4J's modules at run time: PySpark puts its own `get_return_value` into `java_gateway`, and its own
`smart_decode` into `protocol`. The code that calls these functions lies in other files here, and finds the module through this
one, which imports none of them. Each module registers itself at its end.
"""

from __future__ import annotations

from typing import Any

#: The module `java_gateway`.
java_gateway: Any = None

#: The module `java_collections`. It stays None where PY4J_SKIP_COLLECTIONS is set.
java_collections: Any = None

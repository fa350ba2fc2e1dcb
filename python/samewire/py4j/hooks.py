"""References to the public modules, for code that must look up replaceable functions at each use.

Programs patch functions of Py4J's modules at run time: PySpark replaces `get_return_value` in `java_gateway`, and
`smart_decode` in `protocol`. The callers of these functions are in other files, and access the module through this one,
which imports none of them. Each module registers itself at its end.
"""

from __future__ import annotations

from typing import Any

#: The module `java_gateway`.
java_gateway: Any = None

#: The module `java_collections`. It stays None where PY4J_SKIP_COLLECTIONS is set.
java_collections: Any = None

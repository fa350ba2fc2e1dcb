"""Cases that do not hold on a library, and why that stays: by the case's title, by library."""

from __future__ import annotations


class Varies(str):
    """The reason of a difference that a library shows in some runs and not in others; neither outcome is wrong."""


# Py4J
NO_VARARGS = "variable arguments are passed as one array"
LATE = "names are looked up in Java when they are called"
NO_PYTHON_CLASS = "classes of Java are no classes of Python"
# JPype
AMBIGUOUS = "an int suits several Java types equally well, and a cast has to choose"
OBJECT_LONG = "an int is a Long where an Object is wanted"

DIFFERENCES: dict[str, dict[str, str]] = {
    "calls: variable arguments may be none, one or many": {"py4j": NO_VARARGS},
    "calls: variable arguments follow fixed ones": {"py4j": NO_VARARGS},
    "calls: variable arguments of type Object take values of any type": {"py4j": NO_VARARGS, "jpype": OBJECT_LONG},
    "calls: String.format takes variable arguments of several types": {"py4j": NO_VARARGS},
    "calls: an unknown method is an AttributeError as soon as it is looked up": {"py4j": LATE},
    "calls: private and protected methods cannot be called": {"py4j": "protected methods can be called"},
    "calls: a method with the name of a builtin function needs no other name": {"jpype": "`print` is `print_`"},
    "fields: a static field that Python assigns is what Java sees": {"py4j": "static fields cannot be assigned"},
    "fields: a field of an object's attribute is the field, without a function": {
        "py4j": "an attribute is a method, if not asked otherwise"
    },
    "fields: a field that has the name of a method can be read": {"jpype": "the method hides it"},
    "classes: isinstance with the class itself tells what an object is": {"py4j": NO_PYTHON_CLASS},
    "classes: Python's classes of Java classes inherit as in Java": {"py4j": NO_PYTHON_CLASS},
    "generics: a type parameter takes and gives any object": {"jpype": "a text is no Comparable"},
    "overloads: each Python type has its own Java type": {"jpype": AMBIGUOUS},
    "overloads: an int beyond 32 bits is a long": {"jpype": AMBIGUOUS},
    "overloads: an int is an Integer before it is an Object": {"jpype": OBJECT_LONG},
    "overloads: a wider primitive comes before a box, as in Java": {"py4j": "the box comes first"},
    "overloads: an int is no char": {"jpype": "an int may be a char"},
    "overloads: Python's containers choose between List, Map, Set and byte[]": {"jpype": "a list may be a byte[]"},
    "overloads: None that suits two classes equally is refused": {"py4j": "one of them is chosen"},
    "overloads: a fixed number of arguments comes before variable ones": {
        "py4j": NO_VARARGS,
        "jpype": Varies("variable ones come first in some runs"),
    },
    "overloads: a call with another type chooses anew": {"jpype": AMBIGUOUS},
    "overloads: StringBuilder.append takes each type by its own overload": {"jpype": AMBIGUOUS},
    "overloads: String.valueOf is called with the type of the argument": {"jpype": AMBIGUOUS},
}

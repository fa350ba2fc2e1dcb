"""Cases that do not hold on a library, and why that stays: by library, by reason."""

from __future__ import annotations


class Varies(str):
    """The reason of a difference that a library shows in some runs and not in others; neither outcome is wrong."""


PY4J: dict[str, tuple[str, ...]] = {
    "variable arguments are passed as one array": (
        "calls: variable arguments may be none, one or many",
        "calls: variable arguments follow fixed ones",
        "calls: variable arguments of type Object take values of any type",
        "calls: String.format takes variable arguments of several types",
        "overloads: a fixed number of arguments comes before variable ones",
    ),
    "names are looked up in Java when they are called": (
        "calls: an unknown method is an AttributeError as soon as it is looked up",
        "describing: hasattr tells whether there is a member",
        "describing: names that Python looks for are not taken for Java's",
        "describing: the doc text of a method shows its signatures",
    ),
    "protected methods can be called": ("calls: private and protected methods cannot be called",),
    "fields are read and assigned by functions": (
        "fields: a field of an object's attribute is the field, without a function",
        "fields: a static field that Python assigns is what Java sees",
        "describing: an attribute that Java lacks cannot be assigned",
        "describing: dir of an object has its methods and fields",
    ),
    "Java's classes are not Python classes": (
        "classes: isinstance with the class itself tells what an object is",
        "classes: Python's classes of Java classes inherit as in Java",
        "describing: the class of an object has Java's simple name",
        "describing: repr names the class",
        "errors: an exception is caught by its Java class",
        "errors: an exception is caught by a Java superclass",
        "errors: an exception passes by a clause for another class",
    ),
    "causes stay in Java": ("errors: causes are Python's __cause__",),
    "packages are not listed": ("describing: dir of a package has its classes",),
    "a boxed parameter comes before a wider primitive": ("overloads: a wider primitive comes before a box, as in Java",),
    "one of two equally good methods is called": ("overloads: None that suits two classes equally is refused",),
    Varies("which of two suitable methods is called depends on the order in which Java lists them"): (
        "overloads: a static and an instance method may share a name",
        "overloads: a text is a CharSequence before it is an Object",
    ),
    "an int is never converted to a double": ("numbers: an int is a double and a float where one is wanted",),
    "numbers are cut to the parameter's size": ("numbers: an int beyond the parameter's range is refused",),
    "a float crosses as its decimal text": ("numbers: a Java float arrives with the value that it has",),
    "a BigInteger is an object like any other": (
        "numbers: a BigInteger arrives as int",
        "numbers: an int of any size is a BigInteger where one is wanted",
        "numbers: an int beyond 64 bits is a BigInteger where an Object is wanted",
    ),
    "the first character is taken": ("texts: a longer text is not a char",),
    "a list becomes a List, never an array": (
        "arrays: a list is an array where one is wanted",
        "arrays: a tuple is an array where one is wanted",
        "arrays: an empty list is an empty array",
        "bytes: a memoryview is a byte[]",
    ),
    "only List, Set, Map, Iterator and arrays are Python's containers": (
        "iteration: any Iterable can be iterated, as often as Java lets it",
        "iteration: it may stop before the end",
        "iteration: a deque, a linked list and a priority queue are iterated",
        "iteration: an Enumeration can be iterated",
    ),
    "a list is iterated by index": ("list: a change while it is iterated throws Java's exception",),
    "this part of Python's list is missing": (
        "list: + joins it with a list",
        "list: clear empties it",
        "list: index of a missing element is a ValueError",
        "list: pop of an empty list is an IndexError",
        "list: sort takes a key and a direction as Python's does",
    ),
    "containers are compared in Java": (
        "list: it equals a Python list of equal elements",
        "map: it equals a Python dict of equal entries",
        "set: it equals a Java set and a Python set of equal elements",
    ),
    "a missing key is None": (
        "map: a missing key is a KeyError",
        "map: del of a missing key is a KeyError",
        "map: get takes a default as Python's does",
        "map: pop and setdefault work as Python's do",
    ),
    "this part of Python's set is missing": (
        "set: & and | work with Python's sets",
        "set: discard of a missing element does nothing",
    ),
    "nothing is copied by value but numbers, texts, bytes and decimals": (
        "conversion: a Java collection is copied as a native one, however deep",
        "conversion: native copies are detached from Java's",
        "conversion: dates and times are java.time's",
        "conversion: a UUID is java.util.UUID",
    ),
    "results of callbacks are not converted": ("callbacks: a list that a callback returns is a List",),
    "default methods have to be implemented in Python": ("callbacks: a default method that Python lacks is Java's",),
    "toString, equals and hashCode have to be implemented in Python, by these names": (
        "python objects: toString is str()",
        "python objects: equals and hashCode follow Python's object",
        "python objects: equals is Python's == where a class defines it",
    ),
    "objects of Python come back as Java's proxies": ("python objects: an object that Java gives back is Python's own",),
    "an exception of Python crosses as a text": (
        "python errors: what comes back is the exception that was raised, or was caused by it",
        "python errors: a Java exception raised in a callback is that class to Java",
    ),
    "functions are not functional interfaces": (
        "functions: a lambda is a Comparator where one is wanted",
        "functions: a lambda is a Runnable",
        "functions: a lambda is a Function, and a stream maps by it",
        "functions: a lambda is a Predicate, and a list removes by it",
        "functions: a lambda is a Consumer",
        "functions: a lambda is a Supplier",
        "functions: a lambda is a BiFunction, and a map merges by it",
        "functions: a lambda is an interface of one's own, if it has one abstract method",
        "functions: a bound method, a partial and a builtin are functions, too",
        "functions: one that raises ends the Java method that called it",
        "functions: toString, equals and hashCode do not call it",
        "streams: they filter, map, sort and collect",
        "streams: collectors join and group",
        "streams: streams of primitives reduce to numbers",
        "streams: Optional maps and filters",
        "async: a CompletableFuture is continued by a function of Python",
    ),
    "callbacks and calls go by connections of different threads": (
        "threads: a callback runs in the thread of Python that called Java",
        "threads: what a callback calls runs in the thread of Java that called it",
        "threads: calls of one thread of Python share a ThreadLocal of Java",
    ),
    "each arrival is a new proxy": ("memory: an object that comes again is the same object to Python",),
    "Comparable means nothing to Python": ("describing: Comparable objects are ordered by < and sorted",),
    "AutoCloseable means nothing to Python": (
        "closing: a with statement closes an AutoCloseable",
        "closing: a with statement closes an AutoCloseable if its body raises",
    ),
}

JPYPE: dict[str, tuple[str, ...]] = {
    "builtin functions' names end with an underscore": (
        "calls: a method with the name of a builtin function needs no other name",
    ),
    "a method hides the field of its name": ("fields: a field that has the name of a method can be read",),
    "a text is not a Comparable": ("generics: a type parameter takes and gives any object",),
    "an int is a Long where an Object is wanted": (
        "calls: variable arguments of type Object take values of any type",
        "overloads: an int is an Integer before it is an Object",
        "numbers: an int is an Integer where an Object is wanted, or a Long if it is longer",
        "numbers: a Number takes ints and floats",
        "map: Java's methods are there beside Python's",
    ),
    "an int suits several Java types equally well, and a cast has to choose": (
        "overloads: each Python type has its own Java type",
        "overloads: an int beyond 32 bits is a long",
        "overloads: a call with another type chooses anew",
        "overloads: StringBuilder.append takes each type by its own overload",
        "overloads: String.valueOf is called with the type of the argument",
    ),
    "an int may be a char, and a boolean": ("overloads: an int is not a char", "numbers: an int is not a boolean"),
    "a list may be a byte[]": ("overloads: Python's containers choose between List, Map, Set and byte[]",),
    Varies("the method with variable arguments comes first in some runs"): (
        "overloads: a fixed number of arguments comes before variable ones",
    ),
    "boxes take no ints": (
        "numbers: a boxed parameter takes what its primitive takes",
        "numbers: a small int is a Long where one is wanted",
        "arrays: an array of objects takes what its class takes, and nothing else",
    ),
    "boxes, big numbers and chars are objects of Java that behave as numbers and texts": (
        "numbers: boxed numbers arrive as native ones",
        "numbers: boxed numbers arrive with Python's own types",
        "numbers: a BigDecimal arrives as Decimal",
        "numbers: a BigInteger arrives as int",
        "numbers: an int of any size is a BigInteger where one is wanted",
        "numbers: an int beyond 64 bits is a BigInteger where an Object is wanted",
        "texts: a char arrives as a str of one character",
    ),
    "a byte[] is an array of Java, with its signs": (
        "bytes: a byte[] arrives as bytes",
        "bytes: they are a byte[] where an Object is wanted",
        "callbacks: arguments have Python's own types",
    ),
    "Python's list and set are Collections, but no List, Set or Object": (
        "conversion: a list is a List where one is wanted",
        "conversion: a tuple is a List where one is wanted",
        "conversion: a set is a Set where one is wanted",
        "conversion: a container is a Java one where an Object is wanted",
        "conversion: a list of a thousand numbers arrives whole",
        "conversion: containers within containers are converted, too",
        "conversion: empty containers are empty",
        "conversion: Java gets a copy: what it adds does not come back",
        "callbacks: a list that a callback returns is a List",
    ),
    "nothing but texts is copied by value": (
        "conversion: a Java collection is copied as a native one, however deep",
        "conversion: native copies are detached from Java's",
        "conversion: dates and times are java.time's",
        "conversion: a UUID is java.util.UUID",
    ),
    "a slice is Java's subList": (
        "list: a slice has the elements in its range",
        "list: a slice is a copy, no view",
        "list: a slice may have a step",
    ),
    "a list has Java's methods, and few of Python's": (
        "list: index and count look for equal elements",
        "list: index of a missing element is a ValueError",
        "list: sort takes a key and a direction as Python's does",
        "list: sort without arguments sorts by Java's order",
    ),
    "containers are compared in Java": (
        "list: it equals a Python list of equal elements",
        "map: it equals a Python dict of equal entries",
        "set: it equals a Java set and a Python set of equal elements",
    ),
    "a map has Java's methods, and few of Python's": (
        "map: del of a missing key is a KeyError",
        "map: get takes a default as Python's does",
        "map: pop and setdefault work as Python's do",
        "map: update takes a Python dict",
    ),
    "a set has Java's methods, and few of Python's": (
        "set: & and | work with Python's sets",
        "set: discard of a missing element does nothing",
        "set: remove of a missing element is a KeyError",
    ),
    "repr is toString": ("describing: repr of a list shows its elements as Python does",),
    "pydoc raises TypeError": ("describing: help of a class names its methods",),
    "copy makes another object of Java": ("describing: an object is not copied behind Java's back",),
    "interfaces are named by decorators": ("callbacks: a class of Python names its interfaces in a class `Java`",),
    "__cause__ leads to Java's frames, not to its causes": ("errors: causes are Python's __cause__",),
    "Java sees no text of an exception of Python": (
        "python errors: Java catches them as RuntimeException, with the message",
        "python errors: Java may wrap them, and Python finds both",
        "python errors: Java sees the name of Python's class",
        "threads: what a callback raises in a thread of Java is the cause of an ExecutionException",
    ),
    "objects of Python come back as Java's proxies": ("python objects: an object that Java gives back is Python's own",),
    "each arrival is a new proxy": ("memory: an object that comes again is the same object to Python",),
    "a function does not equal itself in Java": ("functions: toString, equals and hashCode do not call it",),
    "equals is identity": ("python objects: equals is Python's == where a class defines it",),
}

OURS: dict[str, tuple[str, ...]] = {}


def by_title(reasons: dict[str, tuple[str, ...]]) -> dict[str, str]:
    """The reason of each title; a title has one."""
    titles = [title for listed in reasons.values() for title in listed]
    assert len(titles) == len(set(titles)), f"listed twice: {sorted({title for title in titles if titles.count(title) > 1})}"
    return {title: reason for reason, listed in reasons.items() for title in listed}


#: By library, by title.
DIFFERENCES = {"ours": by_title(OURS), "py4j": by_title(PY4J), "jpype": by_title(JPYPE)}

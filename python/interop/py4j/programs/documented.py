"""What Py4J's documentation shows, in a program: an entry point, collections, a callback, the life of objects."""

import gc
import os
import subprocess
import sys
from pathlib import Path

from py4j.java_gateway import CallbackServerParameters, GatewayParameters, JavaGateway, is_instance_of, java_import
from py4j.protocol import Py4JError, Py4JJavaError

java = ["java", "-XX:TieredStopAtLevel=1", "-cp", os.environ["PY4J_JAR"], str(Path(__file__).with_name("Shelf.java"))]
program = subprocess.Popen(java, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
port = int(program.stdout.readline())
gateway = JavaGateway(
    gateway_parameters=GatewayParameters(port=port, auto_convert=True),
    callback_server_parameters=CallbackServerParameters(port=0, daemonize=True, daemonize_connections=True),
)
listening = gateway.get_callback_server().get_listening_port()
gateway.java_gateway_server.resetCallbackClient(gateway.jvm.java.net.InetAddress.getByName("127.0.0.1"), listening)

# An entry point: methods, chains, exceptions.
shelf = gateway.entry_point
print(shelf.put("Emma").put("Ulysses").put("Dune").take())
try:
    shelf.getTitles().get(7)
except Py4JJavaError as error:
    print(error.java_exception.getClass().getName(), "of", type(error).__name__)
try:
    shelf.burn()
except Py4JError as error:
    print(str(error).splitlines()[1].split("(")[0])

# Classes of the JVM: names, imports, constructors, static members, arrays.
random = gateway.jvm.java.util.Random(7)
print(random.nextInt(10) in range(10), gateway.jvm.java.lang.Integer.MAX_VALUE, gateway.jvm.System.lineSeparator() == os.linesep)
java_import(gateway.jvm, "java.util.*")
print(gateway.jvm.Collections.max([3, 9, 4]), is_instance_of(gateway, gateway.jvm.ArrayList(), "java.util.List"))
numbers = gateway.new_array(gateway.jvm.int, 3)
numbers[0], numbers[2] = 5, 9
print(list(numbers), len(numbers))

# Collections: a list, a map, a set and what Python does with them.
titles = shelf.getTitles()
titles.append("Solaris")
titles.extend(["Walden"])
print(list(titles), len(titles), titles[1], titles[-1], list(titles[1:3]), "Emma" in titles, str(titles))
del titles[0]
lengths = shelf.lengths()
print(sorted(lengths.items()), lengths["Walden"], "Emma" in lengths, lengths.get("Emma"))
held = gateway.jvm.HashSet()
held.add("one")
held.add("one")
print(len(held), [*held], held == {"one"} or set(held) == {"one"})
print([title.upper() for title in titles], sorted(titles))


class ByLastLetter:
    """A comparator in Python."""

    def compare(self, one: str, other: str) -> int:
        return (one[::-1] > other[::-1]) - (one[::-1] < other[::-1])

    class Java:
        implements = ["java.util.Comparator"]  # noqa: RUF012


# A callback, and one that fails.
print(list(shelf.sorted(ByLastLetter())))


class Failing(ByLastLetter):
    """Raises."""

    def compare(self, one: str, other: str) -> int:
        raise LookupError(one)


try:
    shelf.sorted(Failing())
except Py4JJavaError as error:
    print(error.java_exception.getClass().getName(), "LookupError" in str(error))

# The life of objects: what Python drops is let go; what is detached is let go at once.
for _ in range(300):
    gateway.jvm.StringBuilder("gone")
gc.collect()
builder = gateway.jvm.StringBuilder("kept")
gateway.detach(builder)
print(str(gateway.jvm.StringBuilder("kept").reverse()))

gateway.shutdown_callback_server()
gateway.shutdown()
program.stdin.close()
sys.exit(program.wait(60))

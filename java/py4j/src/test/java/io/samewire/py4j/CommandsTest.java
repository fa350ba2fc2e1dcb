package io.samewire.py4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import py4j.GatewayServer;

/** Each command of the text protocol, and its answer. */
class CommandsTest {
    private GatewayServer server;
    private TextClient client;

    @BeforeEach
    void start() throws IOException {
        server = new GatewayServer(new Sample(), 0);
        server.start();
        client = new TextClient(server.getListeningPort());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.shutdown();
    }

    private void check(String answer, String... lines) throws IOException {
        assertEquals(answer, client.ask(lines), String.join(" ", lines));
    }

    private String id(String... lines) throws IOException {
        return client.ask(lines).substring(3);
    }

    private void checkError(String text, String... lines) throws IOException {
        String answer = client.ask(lines);
        assertTrue(answer.startsWith("!xs") && answer.contains(text), answer);
    }

    @Test
    void valuesComeBackAsTheyWent() throws IOException {
        for (String value : new String[] {"i42", "L5000000000", "btrue", "bfalse", "d1.5", "dNaN", "sgrüß\\ndich\\\\",
            "n", "jAAH/", "D123.45"}) {
            check("!y" + value, "c", "t", "echo", value, "e");
        }
        check("!yL5000000000", "c", "t", "echo", "i5000000000", "e");
        check("!ydInfinity", "c", "t", "echo", "dinf", "e");
        check("!yd-Infinity", "c", "t", "echo", "d-inf", "e");
        check("!ys", "c", "t", "echo", "s", "e");
        check("!yD1000", "c", "t", "decimal", "e");
        check("!yjAAH/", "c", "t", "bytes", "e");
        check("!yv", "c", "t", "nothing", "e");
    }

    @Test
    void objectsHaveTheLetterOfTheirKind() throws IOException {
        check("!ylo0", "c", "t", "list", "e");
        check("!yao1", "c", "t", "map", "e");
        check("!yho2", "c", "t", "set", "e");
        check("!ygo3", "c", "t", "iterator", "e");
        check("!yto4", "c", "t", "array", "e");
        check("!yro5", "i", "java.lang.Object", "e");
        check("!yro6", "c", "t", "echo", "ro5", "e");
        check("!yv", "m", "d", "o0", "e");
        checkError("Target Object ID does not exist for this gateway :o0", "c", "o0", "size", "e");
        check("!yv", "m", "d", "t", "e");
        check("!yi1", "c", "t", "echo", "i1", "e");
    }

    @Test
    void argumentsChooseTheCheapestOverload() throws IOException {
        check("!ysint 1", "c", "t", "chosen", "i1", "e");
        check("!yslong 1", "c", "t", "chosen", "L1", "e");
        check("!ysdouble 1.0", "c", "t", "chosen", "d1", "e");
        check("!yschar a", "c", "t", "chosen", "sabc", "e");
        check("!ysobject true", "c", "t", "chosen", "btrue", "e");
        check("!ysobject null", "c", "t", "chosen", "n", "e");
        check("!ys1 2 0.5 x", "c", "t", "narrow", "i1", "i2", "d0.5", "sx", "e");
        checkError("Method chosen([class java.lang.Integer, class java.lang.Integer]) does not exist", "c", "t",
            "chosen", "i1", "i2", "e");
        checkError("Constructor java.lang.Object([class java.lang.Integer]) does not exist", "i", "java.lang.Object",
            "i1", "e");
        check("!yi3", "c", "z:java.lang.Math", "max", "i2", "i3", "e");
        checkError("ClassNotFoundException", "c", "z:no.such.Type", "max", "e");
    }

    @Test
    void exceptionsOfTheProgramAreObjects() throws IOException {
        String thrown = client.ask("c", "t", "fail", "e");
        assertTrue(thrown.startsWith("!xro"), thrown);
        String id = thrown.substring(3);
        check("!yson purpose", "c", id, "getMessage", "e");
        String trace = client.ask("p", "r" + id, "e");
        assertTrue(trace.startsWith("!ysjava.lang.IllegalStateException: on purpose\\n"), trace);
    }

    @Test
    void fieldsAreReadAndWritten() throws IOException {
        check("!ysfirst", "f", "g", "t", "name", "e");
        check("!yv", "f", "s", "t", "name", "ssecond", "e");
        check("!yssecond", "f", "g", "t", "name", "e");
        check("!yo", "f", "g", "t", "absent", "e");
        checkError("IllegalArgumentException", "f", "s", "t", "count", "sno", "e");
        check("!xsUnknown Field SubCommand Name: x", "f", "x", "t", "e");
    }

    @Test
    void arraysAreMadeReadWrittenAndSliced() throws IOException {
        String array = id("a", "c", "sint", "i3", "e");
        check("!yi3", "a", "e", array, "e");
        check("!yv", "a", "s", array, "i1", "i9", "e");
        check("!yi9", "a", "g", array, "i1", "e");
        String slice = id("a", "l", array, "i1", "i0", "e");
        check("!yi9", "a", "g", slice, "i0", "e");
        check("!yi2", "a", "e", slice, "e");
        checkError("Cannot convert java.lang.String to int", "a", "s", array, "i0", "sno", "e");
        checkError("ArrayIndexOutOfBoundsException", "a", "g", array, "i3", "e");
        String texts = id("a", "c", "sjava.lang.String", "i2", "i2", "e");
        assertTrue(client.ask("a", "g", texts, "i0", "e").startsWith("!yto"));
        check("!xsUnknown Array SubCommand Name: x", "a", "x", array, "e");
    }

    @Test
    void listsAreSortedSlicedAndRepeated() throws IOException {
        String list = id("c", "t", "list", "e");
        check("!yv", "l", "s", list, "e");
        check("!ys[1, 2, 3]", "c", list, "toString", "e");
        check("!yv", "l", "r", list, "e");
        check("!yi3", "l", "x", list, "e");
        check("!yi1", "l", "n", list, "e");
        check("!yi1", "l", "f", list, "i2", "e");
        check("!ys[3, 1]", "c", id("l", "l", list, "i0", "i2", "e"), "toString", "e");
        check("!ys[3, 2, 1, 3, 2, 1]", "c", id("l", "a", list, list, "e"), "toString", "e");
        check("!ys[3, 2, 1, 3, 2, 1]", "c", id("l", "m", list, "i2", "e"), "toString", "e");
        check("!yv", "l", "i", list, "i2", "e");
        check("!yi6", "c", list, "size", "e");
        check("!yv", "l", "i", list, "i0", "e");
        check("!yi0", "c", list, "size", "e");
        check("!x", "l", "x", list, "e");
    }

    @Test
    void namesAreClassesPackagesAndMembers() throws IOException {
        check("!ycjava.util.ArrayList", "r", "u", "java.util.ArrayList", "rj", "e");
        check("!yp", "r", "u", "java.util", "rj", "e");
        check("!yp", "r", "u", "e", "rj", "e");
        check("!ycjava.lang.String", "r", "u", "String", "rj", "e");
        check("!yp", "r", "u", "HashMap", "rj", "e");
        check("!yv", "j", "i", "rj", "sjava.util.*".substring(1), "e");
        check("!ycjava.util.HashMap", "r", "u", "HashMap", "rj", "e");
        check("!ybtrue", "j", "r", "rj", "java.util.*", "e");
        check("!yp", "r", "u", "HashMap", "rj", "e");
        check("!ym", "r", "m", "java.lang.Math", "max", "e");
        check("!yi7", "r", "m", Sample.class.getName(), "SHARED", "e");
        check("!yc", "r", "m", Sample.class.getName(), "Inner", "e");
        check("!x", "r", "m", Sample.class.getName(), "absent", "e");
        check("!xsTrying to access a non-static member from a static context.", "r", "m", Sample.class.getName(),
            "echo", "e");
        assertTrue(client.ask("r", "c", "java.lang.String", "e").startsWith("!yro"));
        check("!xsThe class no.Such does not exist.", "r", "c", "no.Such", "e");
    }

    @Test
    void viewsHaveImportsOfTheirOwn() throws IOException {
        String view = id("j", "c", "mine", "e");
        check("!yv", "j", "i", "r" + view, "java.util.HashMap", "e");
        check("!ycjava.util.HashMap", "r", "u", "HashMap", "r" + view, "e");
        check("!yp", "r", "u", "HashMap", "rj", "e");
        check("!ys2\\nHashMap", "d", "v", "r" + view, "n", "e");
        check("!yn", "d", "v", "r" + view, "s2", "e");
        check("!ybtrue", "j", "r", "r" + view, "java.util.HashMap", "e");
        check("!ys3", "d", "v", "r" + view, "s2", "e");
    }

    @Test
    void helpAndDirTellTheMembers() throws IOException {
        assertEquals(Set.of("name", "count", "SHARED"),
            Set.of(client.ask("d", "f", "t", "e").substring(3).split("\\\\n")));
        assertTrue(client.ask("d", "m", "t", "e").contains("chosen\\n"));
        assertEquals(Set.of("Inner", "SHARED"),
            Set.of(client.ask("d", "s", Sample.class.getName(), "e").substring(3).split("\\\\n")));
        check("!x", "d", "m", "none", "e");
        check("!ysHelp on class Inner in package io.samewire.py4j.Sample:\\n\\nInner {\\n|  \\n|  Methods defined here:"
            + "\\n|  \\n|  ------------------------------------------------------------\\n|  Fields defined here:\\n"
            + "|  \\n|  ------------------------------------------------------------\\n"
            + "|  Internal classes defined here:\\n|  \\n}\\n", "h", "c", Sample.Inner.class.getName(), "n", "btrue",
            "e");
        String page = client.ask("h", "o", "t", "secho*", "btrue", "e");
        assertTrue(page.contains("|  echo(Object) : Object\\n") && !page.contains("chosen"), page);
    }

    @Test
    void channelsAreStreamedAfterTheAnswer() throws IOException {
        check("!yv", "S", "t", "channel", "e");
        assertEquals("streamed", client.line());
        checkError("expected the method to return an Object", "S", "t", "nothing", "e");
        checkError("expected the method to return a ReadableByteChannel", "S", "t", "echo", "rt", "e");
        check("!yi1", "c", "t", "echo", "i1", "e");
    }

    @Test
    void aFailedCommandLeavesTheConnectionAtTheNext() throws IOException {
        checkError("NumberFormatException", "c", "t", "echo", "inone", "e");
        checkError("Command Part is unknown: ?", "c", "t", "echo", "?", "e");
        checkError("IllegalArgumentException", "c", "t", "echo", "j***", "e");
        checkError("IndexOutOfBoundsException", "l", "l", id("c", "t", "list", "e"), "i9", "e");
        check("!yi1", "c", "t", "echo", "i1", "e");
        client.send("q\n");
        assertTrue(client.ends());
    }
}

package io.samewire.py4j;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import py4j.Base64;
import py4j.Gateway;
import py4j.Protocol;
import py4j.commands.ArrayCommand;
import py4j.commands.CallCommand;

/** Py4J's classes that commands of a program's own use: the parsers, base 64, and the commands that they extend. */
class PublicNamesTest {
    private final Gateway gateway = new Gateway(new Sample());

    /** Counts the calls. */
    private static final class Counting extends CallCommand {
        int calls;

        @Override
        public void execute(String name, BufferedReader reader, BufferedWriter writer) throws IOException {
            calls++;
            super.execute(name, reader, writer);
        }
    }

    private static String carriedOut(py4j.commands.Command command, String lines) throws IOException {
        StringWriter answer = new StringWriter();
        command.execute(command.getCommandName(), new BufferedReader(new StringReader(lines)),
            new BufferedWriter(answer));
        return answer.toString();
    }

    @Test
    void eachKindOfLineHasItsParser() {
        assertTrue(Protocol.isLong("L5") && Protocol.isBytes("jAA==") && Protocol.isDecimal("D1"));
        assertTrue(Protocol.isNull("n"));
        assertTrue(Protocol.isBoolean("btrue") && Protocol.isDouble("d1") && Protocol.isInteger("i1"));
        assertTrue(Protocol.isString("s") && Protocol.isReference("ro1") && Protocol.isPythonProxy("fp1;a"));
        assertFalse(Protocol.isLong("i5"));
        assertEquals(5_000_000_000L, Protocol.getLong("L5000000000"));
        assertArrayEquals(new byte[] {0, -1}, Protocol.getBytes("jAP8="));
        assertEquals(new BigDecimal("-1.50"), Protocol.getDecimal("D-1.50"));
        assertEquals("a\nb", Protocol.getString("sa\\nb"));
        assertEquals("", Protocol.getString("s"));
        assertNull(Protocol.getNull("n"));
    }

    @Test
    void bytesReturnFromBase64() {
        byte[] bytes = new byte[100];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 7);
        }
        String lines = Base64.encodeToString(bytes, true);
        assertTrue(lines.contains("\r\n"));
        assertArrayEquals(bytes, Base64.decode(lines));
        assertArrayEquals(bytes, Base64.decodeFast(Base64.encodeToChar(bytes, false)));
        assertArrayEquals(new byte[] {7, 14}, Base64.decode(Base64.encodeToByte(bytes, 1, 2, false)));
    }

    @Test
    void aCommandNeedsNoConnectionAndCanBeExtended() throws IOException {
        gateway.startup();
        ArrayCommand array = new ArrayCommand();
        array.init(gateway, null);
        String id = gateway.putNewObject(new int[] {3, 4});
        assertEquals("!yi4\n", carriedOut(array, ArrayCommand.ARRAY_GET_SUB_COMMAND_NAME + "\n" + id + "\ni1\ne\n"));
        Counting call = new Counting();
        call.init(gateway, null);
        assertEquals("!yi1\n", carriedOut(call, "t\necho\ni1\ne\n"));
        assertEquals(1, call.calls);
        gateway.shutdown();
    }
}

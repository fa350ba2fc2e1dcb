package io.samewire.bridge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Messages;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway on a unix socket, and a client that speaks its bytes. */
@Timeout(180)
class GatewayTest {
    /** The first JDK on which virtual threads serve. */
    private static final int VIRTUAL_JDK = 24;

    private static final String[] NONE = {};

    private Gateway gateway;
    private Client control;
    private Client calls;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        gateway = builder(folder).start();
        control = Client.control(gateway);
        calls = control.open(gateway, Messages.CALLS);
    }

    GatewayBuilder builder(Path folder) {
        return Gateway.builder().unix(folder.resolve("private/gateway.sock").toString()).token(Client.TOKEN)
            .resolver(new Members());
    }

    /** Whether all connections are beyond those that the platform's threads serve. */
    boolean isVirtual() {
        return false;
    }

    @Test
    void threadsAreThoseThatWereAskedFor() {
        first(1, "thread");
        Input in = calls.expect(Messages.FIRST_RETURN);
        in.string();
        String thread = in.string();
        boolean virtual = isVirtual() && Runtime.version().feature() >= VIRTUAL_JDK;
        assertEquals(virtual, thread.startsWith("VirtualThread"), thread);
        assertTrue(thread.contains("samewire-channel"), thread);
    }

    @AfterEach
    void stop() {
        calls.close();
        control.close();
        gateway.close();
    }

    private Input first(int site, String member, String... kinds) {
        calls.firstCall(site, Definition.STATIC, "T", member, kinds, out -> {});
        return calls.in;
    }

    @Test
    void theSocketIsPrivate() throws IOException {
        Path path = Path.of(gateway.address().substring(5));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())));
        gateway.close();
        assertTrue(Files.notExists(path));
    }

    @Test
    void aDirectoryThatOthersMayEnterIsRefused(@TempDir Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        GatewayBuilder builder = Gateway.builder().unix(folder.resolve("s").toString()).token(Client.TOKEN);
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, builder::start).code());
    }

    @Test
    void aDirectoryThatAnotherUserOwnsIsRefused(@TempDir Path folder) throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwx------"));
        boolean root = Files.getAttribute(other, "unix:uid").equals(0);
        if (root) {
            Files.setAttribute(other, "unix:uid", 65534);
        }
        Path place = root ? other : Path.of("/root");
        GatewayBuilder builder = Gateway.builder().unix(place.resolve("s").toString()).token(Client.TOKEN);
        SamewireException error = assertThrows(SamewireException.class, builder::start);
        assertEquals(Code.MISUSE, error.code());
        assertTrue(error.getMessage().contains("another user owns"), error.getMessage());
    }

    @Test
    void aSecondCallGivesTheSiteAlone() {
        first(1, "zero");
        Input in = calls.expect(Messages.FIRST_RETURN);
        assertEquals("i32", in.string());
        assertEquals(0, in.i32());
        in.finish();
        calls.call(1, out -> {});
        assertEquals(0, calls.expect(Messages.RETURN).i32());
        calls.firstCall(2, Definition.STATIC, "T", "add", new String[] {"i32", "i32"}, out -> {
            out.i32(2);
            out.i32(3);
        });
        in = calls.expect(Messages.FIRST_RETURN);
        in.string();
        assertEquals(5, in.i32());
        first(3, "nothing");
        assertEquals("void", calls.expect(Messages.FIRST_RETURN).string());
        calls.call(3, out -> {});
        assertEquals(0, calls.expect(Messages.NOTHING).remaining());
    }

    @Test
    void objectsLiveUntilTheyAreReleased() throws InterruptedException {
        calls.firstCall(1, Definition.STATIC, "T", "new", new String[] {"string"}, out -> out.string("héllo €"));
        Input in = calls.expect(Messages.FIRST_RETURN);
        assertEquals("object", in.string());
        long reference = in.varint();
        assertEquals(1, reference & 1);
        long number = reference >>> 1;
        calls.firstCall(2, Definition.STATIC, "T", "same", new String[] {"object"}, out -> out.varint(number << 1));
        in = calls.expect(Messages.FIRST_RETURN);
        in.string();
        assertEquals(reference, in.varint());
        assertEquals(1, gateway.statistics().exported());
        assertEquals(Set.of("1." + number), gateway.exported().keySet());
        calls.send(Messages.RELEASE, out -> {
            out.varint(1);
            out.varint(number);
            out.varint(1);
        });
        calls.firstCall(3, Definition.STATIC, "T", "text", new String[] {"object"}, out -> out.varint(number << 1));
        in = calls.expect(Messages.FIRST_RETURN);
        in.string();
        assertEquals("héllo €", in.string());
        control.send(Messages.RELEASE, out -> {
            out.varint(1);
            out.varint(number);
            out.varint(1);
        });
        while (gateway.statistics().exported() > 0) {
            Thread.sleep(1);
        }
        calls.call(3, out -> out.varint(number << 1));
        assertEquals(-1, calls.receive());
        assertEquals("malformed", control.expect(Messages.BYE).string());
        assertEquals(-1, control.receive());
        assertEquals(0, gateway.statistics().sessions());
    }

    @Test
    void exceptionsAndErrorsAreReplies() {
        first(1, "refuse");
        calls.expect(Messages.THROW);
        assertEquals("java.lang.IllegalStateException||refused", calls.thrown());
        first(2, "overflow");
        calls.expect(Messages.THROW);
        assertEquals("java.lang.StackOverflowError||null", calls.thrown());
        first(3, "exhaust");
        calls.expect(Messages.THROW);
        assertTrue(calls.thrown().startsWith("java.lang.OutOfMemoryError||"));
        first(4, "unknown");
        calls.expect(Messages.THROW);
        assertTrue(calls.thrown().contains("|misuse|"));
        first(5, "zero");
        calls.expect(Messages.FIRST_RETURN);
    }

    @Test
    void largeValuesFollowTheirMessage() {
        byte[] large = new byte[5 << 20];
        new Random(1).nextBytes(large);
        for (int round = 0; round < 2; round++) {
            calls.firstCall(1, Definition.STATIC, "T", "bytes", new String[] {"bytes"}, out -> out.bytes(large));
            Input in = calls.expect(Messages.FIRST_RETURN);
            in.string();
            assertArrayEquals(large, in.bytes());
        }
        // The argument of a refused call is skipped.
        calls.firstCall(2, Definition.STATIC, "T", "unknown", new String[] {"bytes"}, out -> out.bytes(large));
        calls.expect(Messages.THROW);
        first(3, "zero");
        calls.expect(Messages.FIRST_RETURN);
    }

    @Test
    void aBatchHasOneReply() {
        calls.firstCall(1, Definition.STATIC, "T", "add", new String[] {"i32", "i32"}, out -> {
            out.i32(1);
            out.i32(1);
        });
        calls.expect(Messages.FIRST_RETURN);
        calls.send(Messages.BATCH, out -> {
            out.varint(2);
            out.varint(10);
            out.u8(Messages.CALL);
            out.varint(1);
            out.i32(20);
            out.i32(22);
            byte[] refused = {Messages.FIRST_CALL, 2, Definition.STATIC, 0, 12, 'r', 'e', 'f', 'u', 's', 'e', 0, 0};
            out.varint(refused.length);
            out.raw(refused, 0, refused.length);
        });
        Input in = calls.expect(Messages.BATCH_RETURN);
        assertEquals(2, in.varint());
        assertEquals(5, in.varint());
        assertEquals(Messages.RETURN, in.u8());
        assertEquals(42, in.i32());
        int left = in.enterMessage(in.count());
        assertEquals(Messages.THROW, in.u8());
        assertEquals("java.lang.IllegalStateException||refused", calls.thrown());
        in.leaveMessage(left);
        in.at(in.at());
        in.finish();
    }

    @Test
    void callbacksComeWhereTheReplyWasAwaited() {
        calls.firstCall(1, Definition.STATIC, "T", "back", new String[] {"peer", "i32"}, out -> {
            out.varint(7 << 1 | 1);
            out.varint(0);
            out.i32(21);
        });
        Input in = calls.expect(Messages.FIRST_CALL);
        assertEquals(1, in.varint());
        Definition definition = Definition.read(in);
        assertEquals("twice", definition.member());
        assertEquals(7 << 1, in.varint());
        assertEquals(21, in.i32());
        // A call within the callback.
        calls.firstCall(2, Definition.STATIC, "T", "zero", NONE, out -> {});
        calls.expect(Messages.FIRST_RETURN);
        calls.send(Messages.FIRST_RETURN, out -> {
            out.string("i32");
            out.i32(42);
        });
        in = calls.expect(Messages.FIRST_RETURN);
        in.string();
        assertEquals(42, in.i32());
    }

    private void descend(Client client, int depth) {
        client.firstCall(1, Definition.STATIC, "T", "back", new String[] {"peer", "i32"}, out -> {
            out.varint(7 << 1 | 1);
            out.varint(0);
            out.i32(depth);
        });
        int came = client.receive();
        assertTrue(came == Messages.FIRST_CALL || came == Messages.CALL);
        boolean first = came == Messages.FIRST_CALL;
        if (depth > 0) {
            descend(client, depth - 1);
        }
        client.send(first ? Messages.FIRST_RETURN : Messages.RETURN, out -> {
            if (first) {
                out.string("i32");
            }
            out.i32(depth);
        });
        Input in = client.expect(Messages.FIRST_RETURN);
        assertEquals("i32", in.string());
        assertEquals(depth, in.i32());
    }

    @Test
    void callsGoIntoEachOther() {
        for (int i = 0; i < 100; i++) {
            descend(calls, 40);
        }
        calls.firstCall(2, Definition.STATIC, "T", "zero", NONE, out -> {});
        calls.expect(Messages.FIRST_RETURN);
    }

    @Test
    void callsGoNoDeeperThanTheLimit() {
        int depth = 0;
        calls.firstCall(1, Definition.STATIC, "T", "back", new String[] {"peer", "i32"}, out -> {
            out.varint(7 << 1 | 1);
            out.varint(0);
            out.i32(0);
        });
        while (calls.receive() != Messages.THROW) {
            depth++;
            calls.firstCall(1, Definition.STATIC, "T", "back", new String[] {"peer", "i32"}, out -> {
                out.varint(7 << 1 | 1);
                out.varint(0);
                out.i32(0);
            });
        }
        assertEquals(1023, depth);
        assertTrue(calls.thrown().contains("limit_depth"));
    }

    @Test
    void otherThreadsTakeACallbackChannel() throws IOException {
        calls.firstCall(1, Definition.STATIC, "T", "elsewhere", new String[] {"peer", "i32"}, out -> {
            out.varint(7 << 1 | 1);
            out.varint(0);
            out.i32(21);
        });
        control.expect(Messages.MORE);
        try (Client callbacks = control.open(gateway, Messages.CALLBACKS)) {
            callbacks.expect(Messages.FIRST_CALL);
            callbacks.send(Messages.FIRST_RETURN, out -> {
                out.string("i32");
                out.i32(44);
            });
            Input in = calls.expect(Messages.FIRST_RETURN);
            in.string();
            assertEquals(44, in.i32());
        }
    }

    @Test
    void whatIsThrownInACallbackIsRaised() {
        calls.firstCall(1, Definition.STATIC, "T", "back", new String[] {"peer", "i32"}, out -> {
            out.varint(7 << 1 | 1);
            out.varint(0);
            out.i32(21);
        });
        calls.expect(Messages.FIRST_CALL);
        calls.send(Messages.THROW, out -> {
            out.varint(9 << 1 | 1);
            out.varint(0);
            out.string("ValueError");
            out.string("");
            out.bool(true);
            out.string("no");
            out.string("Traceback");
        });
        Input in = calls.expect(Messages.THROW);
        // The very same exception goes home.
        assertEquals(9 << 1, in.varint());
        assertEquals("io.samewire.bridge.PythonException", in.string());
    }

    @Test
    void anInterruptEndsAWait() throws InterruptedException {
        first(1, "sleep");
        AtomicBoolean over = new AtomicBoolean();
        Thread interrupter = new Thread(() -> {
            // The call may not have begun when the first one comes.
            while (!over.get()) {
                control.send(Messages.INTERRUPT, out -> out.varint(calls.channel));
                Thread.yield();
            }
        });
        interrupter.start();
        calls.expect(Messages.FIRST_RETURN);
        over.set(true);
        interrupter.join();
        calls.in.string();
        assertEquals("interrupted", calls.in.string());
        for (int i = 0; i < 100; i++) {
            control.send(Messages.INTERRUPT, out -> out.varint(calls.channel));
            first(2, "zero");
            calls.expect(Messages.FIRST_RETURN);
        }
    }

    @Test
    void pingsAreAnswered() {
        control.send(Messages.PING, out -> out.i64(0x1234567890L));
        assertEquals(0x1234567890L, control.expect(Messages.PONG).i64());
    }

    @Test
    void wrongTokensAndSessionsAreRefused() throws IOException {
        try (Client stranger = Client.silent(gateway)) {
            stranger.hello(Messages.CONTROL, new byte[31], new byte[0]);
            assertEquals("misuse", stranger.expect(Messages.REFUSED).string());
            assertEquals(-1, stranger.receive());
        }
        try (Client stranger = Client.silent(gateway)) {
            stranger.hello(Messages.CALLS, Client.TOKEN, new byte[16]);
            assertEquals("closed", stranger.expect(Messages.REFUSED).string());
        }
        try (Client stranger = Client.silent(gateway)) {
            stranger.send(Messages.HELLO, out -> out.i16(2));
            assertEquals("unsupported", stranger.expect(Messages.REFUSED).string());
        }
        assertEquals(3, gateway.statistics().refused());
    }

    @Test
    void theEndOfTheGatewayEndsAllThatWaits() {
        first(1, "sleep");
        gateway.close();
        assertThrows(SamewireException.class, () -> {
            while (calls.receive() >= 0) {
                continue;
            }
            throw new SamewireException(Code.CLOSED, -1, null, "ended");
        });
        assertEquals("closed", control.expect(Messages.BYE).string());
        assertEquals(-1, control.receive());
    }

    @Test
    void theEndOfAChannelEndsItsCallsAlone() throws IOException {
        first(1, "sleep");
        control.open(gateway, Messages.CALLS).close();
        try (Client other = control.open(gateway, Messages.CALLS)) {
            other.firstCall(2, Definition.STATIC, "T", "zero", NONE, out -> {});
            other.expect(Messages.FIRST_RETURN);
        }
    }
}

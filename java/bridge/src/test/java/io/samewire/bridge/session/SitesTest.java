package io.samewire.bridge.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.samewire.bridge.wire.Definition;
import io.samewire.bridge.wire.Input;
import io.samewire.bridge.wire.Kind;
import io.samewire.bridge.wire.Output;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a session's sites keep. */
class SitesTest {
    private static final int LONG = 1 << 20;

    private final Sites sites = new Sites();

    private static Definition named(String member) {
        return new Definition(Definition.STATIC, "java.lang.Math", member, List.of(), "");
    }

    /** Does nothing. */
    private static final class Nothing implements Invocation {
        @Override
        public Kind result() {
            return Kind.parse("void");
        }

        @Override
        public void invoke(Channel channel, Input in, Output out) {
        }
    }

    @Test
    void definitionsThatAreKeptAreBoundedTogether() {
        String text = "m".repeat(LONG);
        for (int i = 1; i < Sites.MOST_TEXT / LONG; i++) {
            sites.define(i, named(text + i), 7).invocation = new Nothing();
        }
        SamewireException error = assertThrows(SamewireException.class, () -> {
            sites.define(100, named(text), 7);
            sites.define(101, named(text), 7);
        });
        assertEquals(Code.LIMIT_SIZE, error.code());
        assertTrue(error.text().endsWith("call fewer different members, or connect anew"), error.text());
        assertEquals(7, error.at());
        assertEquals(LONG + 1, sites.get(1, 0).definition.member().length());
    }

    @Test
    void oneThatCannotBeResolvedIsNotKept() {
        for (int i = 1; i <= 1000; i++) {
            String text = i + "m".repeat(LONG);
            sites.forget(i, sites.define(i, named(text), 0));
        }
        SamewireException error = assertThrows(SamewireException.class, () -> sites.get(5, 3));
        assertEquals(Code.MALFORMED, error.code());
        sites.define(5, named("another"), 0);
    }

    @Test
    void oneThatAnotherThreadHasResolvedIsKept() {
        Site resolved = sites.define(1, named("abs"), 0);
        sites.forget(1, resolved);
        assertNotSame(resolved, sites.define(2, named("abs"), 0));
        resolved.invocation = new Nothing();
        sites.keep(1, resolved);
        sites.forget(1, resolved);
        assertSame(resolved, sites.get(1, 0));
        assertSame(resolved, sites.define(1, named("abs"), 0));
    }
}

package io.samewire.redis.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import io.samewire.redis.resp.RequestWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options that take a time as a number take a type of Java's, too. */
class TimesTest {
    private static final Duration TWO = Duration.ofSeconds(2);
    private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_500L);

    private static void same(Command<?> expected, Command<?> found) {
        assertArrayEquals(bytes(expected), bytes(found));
    }

    private static byte[] bytes(Command<?> command) {
        RequestWriter out = new RequestWriter();
        command.write(out);
        return out.toByteArray();
    }

    @Test
    void durationsAreSentAsNumbers() {
        same(Keys.expire("k", 2), Keys.expire("k", TWO));
        same(Keys.pexpire("k", 2_000), Keys.pexpire("k", TWO));
        same(Strings.setex("k", 2, "v"), Strings.setex("k", TWO, "v"));
        same(Strings.psetex("k", 2_000, "v"), Strings.psetex("k", TWO, "v"));
        same(Hashes.hexpire("k", 2, "f", "g"), Hashes.hexpire("k", TWO, "f", "g"));
        same(Hashes.hexpire("k", 2, List.of("f")), Hashes.hexpire("k", TWO, List.of("f")));
        same(Hashes.hpexpire("k", 2_000, "f"), Hashes.hpexpire("k", TWO, "f"));
        same(Strings.set("k", "v").expiration(Expiration.ex(2)), Strings.set("k", "v").expiration(Expiration.ex(TWO)));
        same(Strings.set("k", "v").expiration(Expiration.px(2_000)),
            Strings.set("k", "v").expiration(Expiration.px(TWO)));
        same(Keys.restore("k", 0, "v").idletime(2), Keys.restore("k", 0, "v").idletime(TWO));
        same(Streams.xcfgset("k").idmpDuration(2), Streams.xcfgset("k").idmpDuration(TWO));
        same(Connection.clientList().idle(2), Connection.clientList().idle(TWO));
    }

    @Test
    void instantsAreSentAsNumbersRoundedUp() {
        same(Keys.expireat("k", 1_700_000_001), Keys.expireat("k", AT));
        same(Keys.pexpireat("k", 1_700_000_000_500L), Keys.pexpireat("k", AT));
        same(Keys.pexpireat("k", 1_700_000_000_501L), Keys.pexpireat("k", AT.plusNanos(1)));
        same(Hashes.hexpireat("k", 1_700_000_001, "f"), Hashes.hexpireat("k", AT, "f"));
        same(Hashes.hpexpireat("k", 1_700_000_000_500L, "f"), Hashes.hpexpireat("k", AT, "f"));
        same(Strings.getex("k").expiration(ExpirationOrPersist.exat(1_700_000_001)),
            Strings.getex("k").expiration(ExpirationOrPersist.exat(AT)));
        same(Strings.getex("k").expiration(ExpirationOrPersist.pxat(1_700_000_000_500L)),
            Strings.getex("k").expiration(ExpirationOrPersist.pxat(AT)));
    }

    @Test
    void aPartOfASecondIsRefused() {
        SamewireException refused = assertThrows(SamewireException.class,
            () -> Expiration.ex(Duration.ofMillis(1_500)));
        assertEquals(Code.MISUSE, refused.code());
        assertEquals(Code.MISUSE, assertThrows(SamewireException.class, () -> Keys.expire("k", TWO.negated())).code());
    }

    @Test
    void argumentsHaveTexts() {
        assertEquals("EX 2", Expiration.ex(TWO).toString());
        assertEquals("KEEPTTL", Expiration.KEEPTTL.toString());
        assertEquals("(5", ScoreBound.exclusive(5).toString());
        assertEquals("[a", LexBound.of("a").toString());
        assertEquals("u8", IntegerType.unsigned(8).toString());
        assertEquals("#3", BitOffset.index(3).toString());
        assertEquals("MAXLEN ~ 1000", StreamTrim.maxlen(1_000).approximately().toString());
        assertEquals("FROMMEMBER Rome BYRADIUS 50.0 KM", GeoCenter.member("Rome").radius(50, GeoUnit.KM).toString());
    }
}

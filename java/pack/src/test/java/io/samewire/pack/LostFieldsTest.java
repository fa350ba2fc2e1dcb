package io.samewire.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects of subclasses in places of their parents. */
final class LostFieldsTest {
    static class Payment {
        long cents;
    }

    static class CardPayment extends Payment {
        String card = "4111";
        transient int tries;
    }

    static class Gift extends CardPayment {}

    static class Discounted extends Payment {
        static int count;

        @Override
        public String toString() {
            return "discounted";
        }
    }

    record Order(Payment payment) {}

    sealed interface Event permits Paid, Sent {}

    static non-sealed class Paid implements Event {
        long cents;
    }

    record Sent(long at) implements Event {}

    static final class PaidTwice extends Paid {
        long again;
    }

    private static void assertRefused(SamewireException refused, String path, String text) {
        assertEquals(Code.TYPE_MISMATCH, refused.code());
        assertEquals(path, refused.path());
        assertEquals(text, refused.text());
    }

    @Test
    void fieldsOfASubclassAreNotLostWithoutAWord() {
        Codec<Order> codec = Pack.codec(Order.class);
        for (Payment payment : List.of(new CardPayment(), new Gift())) {
            String name = payment.getClass().getSimpleName();
            assertRefused(assertThrows(SamewireException.class, () -> codec.encode(new Order(payment))), "$.payment",
                "Payment has no card, which this " + name + " would lose: declare " + name
                    + ", or a sealed parent of both");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 300})
    void inListsToo(int count) {
        Codec<List<Order>> codec = Pack.codec(new TypeRef<List<Order>>() {});
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            orders.add(new Order(i == 2 ? new CardPayment() : new Payment()));
        }
        assertEquals("$[2].payment", assertThrows(SamewireException.class, () -> codec.encode(orders)).path());
    }

    @Test
    void membersOfUnionsToo() {
        Codec<Event> codec = Pack.codec(Event.class);
        assertRefused(assertThrows(SamewireException.class, () -> codec.encode(new PaidTwice())), "$",
            "Paid has no again, which this PaidTwice would lose: declare PaidTwice, or a sealed parent of both");
    }

    @Test
    void aSubclassWithoutFieldsIsWrittenAsItsParent() {
        Codec<Order> codec = Pack.codec(Order.class);
        Discounted discounted = new Discounted();
        discounted.cents = 5;
        assertEquals(5, codec.decode(codec.encode(new Order(discounted))).payment().cents);
        Payment anonymous = new Payment() {
            @Override
            public String toString() {
                return "anonymous " + codec;
            }
        };
        assertEquals(0, codec.decode(codec.encode(new Order(anonymous))).payment().cents);
    }
}

package io.samewire.py4j;

import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import py4j.GatewayServerListener;

/** Tells listeners what happened. One that throws keeps nothing from the others. */
public final class Listeners {
    private static final Logger LOGGER = Logger.getLogger("py4j.Listeners");

    private Listeners() {}

    /** Tells each listener. */
    public static void tell(List<GatewayServerListener> listeners, Consumer<GatewayServerListener> event) {
        for (GatewayServerListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException crash) {
                LOGGER.log(Level.SEVERE, "A listener crashed.", crash);
            }
        }
    }
}

package io.samewire.py4j;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Base64;

/** The program that {@code launch_gateway} of Python starts. */
public final class GatewayMain {
    private static final String USAGE = "usage: [--die-on-broken-pipe] [--enable-auth] [port]";
    private static final int TOKEN_BYTES = 32;

    private GatewayMain() {}

    /** Starts a server. */
    @FunctionalInterface
    public interface Start {
        /**
         * Starts it on a port, with a token if it is to ask for one.
         *
         * @param token null for none
         * @return the port on which it listens
         */
        int listen(int port, String token);
    }

    /** Starts a server, and prints its port, then its token if there is one. Without a port it is the default one. */
    public static void run(String[] arguments, int defaultPort, Start start) {
        int port = defaultPort;
        boolean untilEnd = false;
        String token = null;
        for (String argument : arguments) {
            if (argument.equals("--die-on-broken-pipe")) {
                untilEnd = true;
            } else if (argument.equals("--enable-auth")) {
                token = randomToken();
            } else {
                port = number(argument);
            }
        }
        System.out.println(start.listen(port, token));
        if (token != null) {
            System.out.println(token);
        }
        if (untilEnd) {
            awaitLine();
        }
    }

    private static int number(String argument) {
        try {
            return Integer.parseInt(argument);
        } catch (NumberFormatException wrong) {
            System.err.println(USAGE);
            System.exit(1);
            return 0;
        }
    }

    private static String randomToken() {
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        return Base64.getEncoder().encodeToString(token);
    }

    /** Ends this program when the one that started it does, or says so. */
    private static void awaitLine() {
        try {
            int next = System.in.read();
            while (next >= 0 && next != '\n') {
                next = System.in.read();
            }
            System.exit(0);
        } catch (IOException broken) {
            System.exit(1);
        }
    }
}

package io.samewire.bridge;

import io.samewire.bridge.gateway.Options;
import io.samewire.bridge.gateway.Rehearsal;
import io.samewire.bridge.gateway.Secrets;
import io.samewire.bridge.transport.StreamTransport;
import io.samewire.bridge.transport.Transport;
import io.samewire.bridge.transport.WithinTransport;
import io.samewire.core.Code;
import io.samewire.core.SamewireException;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The main class of a JVM that a Python program launches, with nothing but a gateway. The token is a line of
 * hexadecimal digits on the standard input; the end of the input means that the program is gone, and ends this JVM.
 * With {@code --pipes} the first two channels are inherited pipes, and it listens after the first calls.
 *
 * <p>Loading classes before the first call delays the start of a program. So neither this nor the code that it calls
 * uses lambdas, regular expressions or streams.
 */
public final class GatewayMain {
    /** The time limit of the shutdown hooks of the program's classes. */
    private static final long MOST_EXIT_MILLIS = 10_000;

    private GatewayMain() {}

    /**
     * Starts a gateway.
     *
     * @param arguments {@code --unix PATH} (with {@code --pipes IN,OUT,IN,OUT}, descriptors of the control channel and
     *     of the first call channel) or {@code --tcp HOST:PORT} (with {@code --port-file PATH}, into which the port is
     *     written once it listens); {@code --waiting adaptive|block|spin:MICROS}; {@link Options}. {@code --rehearse
     *     PATH} in place of an address has it call itself there and end, to archive the classes that a start loads
     *     ({@code -XX:ArchiveClassesAtExit}); with {@code --pipes} of any descriptors those of a start with pipes
     */
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals("--help")) {
            System.out.print(GatewayUsage.TEXT);
            return;
        }
        InputStream in = System.in;
        Rehearsal.start();
        String directory = null;
        String portFile = null;
        boolean rehearse = false;
        Transport[] inherited = null;
        byte[] token;
        Gateway gateway;
        try {
            GatewayBuilder builder = Gateway.builder();
            Options options = new Options(builder);
            for (int i = 0; i < arguments.length; i += 2) {
                if (i + 1 == arguments.length) {
                    throw misuse("the option " + arguments[i] + " has no value");
                }
                String value = arguments[i + 1];
                switch (arguments[i]) {
                    case "--unix":
                        builder.unix(value);
                        directory = new File(value).getParent();
                        break;
                    case "--pipes":
                        inherited = pipes(value);
                        builder.listeningLater();
                        break;
                    case "--rehearse":
                        rehearse = true;
                        builder.unix(value);
                        directory = new File(value).getParent();
                        break;
                    case "--tcp":
                        tcp(builder, value);
                        break;
                    case "--port-file":
                        portFile = value;
                        directory = new File(value).getParent();
                        break;
                    case "--waiting":
                        waiting(builder, value);
                        break;
                    default:
                        options.take(arguments[i], value);
                }
            }
            token = rehearse ? Secrets.random(32) : token(in);
            gateway = options.builder().token(token).start();
            if (portFile != null) {
                writePort(gateway.address(), portFile);
            }
        } catch (SamewireException | IOException error) {
            System.err.println("samewire: " + error.getMessage());
            System.exit(1);
            return;
        }
        // Classes of the program must not read the input that this waits for.
        System.setIn(InputStream.nullInputStream());
        if (rehearse) {
            rehearse(gateway, token);
            exit(gateway, directory);
        } else if (inherited != null) {
            gateway.serve(inherited[0], inherited[1]);
        }
        awaitEnd(in);
        if (portFile != null) {
            new File(portFile).delete();
        }
        exit(gateway, directory);
    }

    private static void rehearse(Gateway gateway, byte[] token) {
        try {
            WithinTransport[] control = WithinTransport.pair();
            WithinTransport[] calls = WithinTransport.pair();
            gateway.serve(control[0], calls[0]);
            Rehearsal.meet(control[1], calls[1], gateway.address().substring("unix:".length()), token);
        } catch (SamewireException | IOException | InterruptedException error) {
            System.err.println("samewire: " + error.getMessage());
            // No archive is better than an incomplete one: the JVM writes it only at an orderly end.
            Runtime.getRuntime().halt(1);
        }
    }

    private static Transport[] pipes(String value) throws IOException {
        Transport[] pipes = new Transport[2];
        int from = 0;
        for (int i = 0; i < pipes.length; i++) {
            int middle = value.indexOf(',', from);
            int end = i == pipes.length - 1 ? value.length() : value.indexOf(',', middle + 1);
            if (middle < 0 || end < 0) {
                throw misuse("--pipes has four descriptors, not " + value);
            }
            pipes[i] = StreamTransport.ofPipes(number(value.substring(from, middle), 0),
                number(value.substring(middle + 1, end), 0));
            from = end + 1;
        }
        return pipes;
    }

    private static SamewireException misuse(String text) {
        return new SamewireException(Code.MISUSE, -1, null, text);
    }

    private static void tcp(GatewayBuilder builder, String place) {
        int colon = place.lastIndexOf(':');
        builder.tcp(place.substring(0, Math.max(colon, 0)), number(place, colon + 1));
    }

    private static void waiting(GatewayBuilder builder, String policy) {
        if (policy.equals("adaptive")) {
            builder.waitingAdaptively();
        } else if (policy.equals("block")) {
            builder.waitingBlocked();
        } else if (policy.startsWith("spin:")) {
            builder.waitingWithSpins(number(policy, 5));
        } else {
            throw misuse("--waiting is adaptive, block or spin:MICROS, not " + policy);
        }
    }

    private static int number(String text, int from) {
        try {
            return Integer.parseInt(text.substring(from));
        } catch (NumberFormatException error) {
            throw misuse("'" + text + "' does not end in a number");
        }
    }

    private static byte[] token(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw misuse("the standard input has ended before the token's line");
            }
            line.append((char) next);
        }
        byte[] token = Secrets.fromHex(line.toString());
        if (token == null) {
            throw misuse("the token is a line of hexadecimal digits");
        }
        return token;
    }

    /** Writes a temporary file and renames it, so that a reader of the file never sees a part of it. */
    private static void writePort(String address, String name) throws IOException {
        File beside = new File(name + ".part");
        try (FileOutputStream out = new FileOutputStream(beside)) {
            out.write(address.substring(address.lastIndexOf(':') + 1).getBytes(StandardCharsets.US_ASCII));
        }
        if (!beside.renameTo(new File(name))) {
            throw new IOException("cannot write " + name);
        }
    }

    private static void awaitEnd(InputStream in) {
        try {
            while (in.read() >= 0) {
                // Input after the token is ignored.
                continue;
            }
        } catch (IOException error) {
            // Treated like its end.
            return;
        }
    }

    private static void exit(Gateway gateway, String directory) {
        Thread last = new Thread(new Runnable() {
            @Override
            public void run() {
                try {
                    Thread.sleep(MOST_EXIT_MILLIS);
                } catch (InterruptedException error) {
                    // Exit without the hooks.
                    Runtime.getRuntime().halt(1);
                }
                Runtime.getRuntime().halt(1);
            }
        }, "samewire-exit");
        last.setDaemon(true);
        last.start();
        gateway.close();
        // The directory was made for the socket: it stays only if it has other files.
        if (directory != null) {
            new File(directory).delete();
        }
        System.exit(0);
    }
}

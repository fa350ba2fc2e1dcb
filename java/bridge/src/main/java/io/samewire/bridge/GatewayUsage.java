package io.samewire.bridge;

/** The usage text of the jar, in a class of its own that is loaded only for {@code --help}. */
final class GatewayUsage {
    /** The text of {@code --help}. */
    static final String TEXT = """
        usage: java -cp samewire-bridge.jar:YOUR_CLASSES io.samewire.bridge.GatewayMain ADDRESS [OPTION]...

        Serves the classes of the class path to a Python program, which ordinarily runs this by itself
        (samewire.bridge.launch). The token that clients must know is read as the first line of the standard input, in
        hexadecimal digits; the end of the standard input ends the gateway. A Java program starts a gateway of its own
        with io.samewire.bridge.Gateway.builder().

          --unix PATH          listen on a unix socket, in a directory that no other user may enter
          --tcp HOST:PORT      listen on a port of loopback; 0 takes a free one
          --port-file PATH     write the port there once it listens
          --waiting POLICY     how channels in shared memory wait: adaptive, block or spin:MICROS
          --allow NAME         allow a class, a package or a member; with --deny '*' nothing else
          --deny NAME          deny a class, a package or a member (java.lang.System#exit)
          --record CLASS       a record that crosses by value
          --help               this text
        """;

    private GatewayUsage() {}
}

package io.samewire.bench.bridge;

/** The least that a JVM does: it says that `main` has begun, and ends; with an argument it waits for its standard input to end. */
public final class Hello {
    private Hello() {}

    public static void main(String[] args) throws Exception {
        System.out.println("main");
        if (args.length > 0) {
            System.in.read();
        }
    }
}

package acceptance;

import java.io.FileNotFoundException;
import java.io.IOException;

/** Methods that throw. */
public final class Failures {
    /** A checked exception with a member of its own. */
    public static class Refusal extends Exception {
        private static final long serialVersionUID = 1L;
        private final int code;

        public Refusal(String message, int code) {
            super(message);
            this.code = code;
        }

        public int getCode() {
            return code;
        }
    }

    /** A class that cannot be made. */
    public static class Broken {
        public Broken() {
            throw new IllegalStateException("no constructor");
        }
    }

    /** Its implementation throws. */
    public interface Step {
        Object run(Object argument) throws Exception;
    }

    private Failures() {
    }

    public static void state(String message) {
        throw new IllegalStateException(message);
    }

    public static void checked(String message) throws IOException {
        throw new FileNotFoundException(message);
    }

    public static void refuse(String message, int code) throws Refusal {
        throw new Refusal(message, code);
    }

    public static void chain() {
        try {
            try {
                Integer.parseInt("x1");
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("middle", e);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("outer", e);
        }
    }

    public static void suppressed() {
        IllegalStateException main = new IllegalStateException("main");
        main.addSuppressed(new IOException("first"));
        main.addSuppressed(new IOException("second"));
        throw main;
    }

    public static int deep(int depth) {
        return deep(depth + 1) + 1;
    }

    public static void assertion() {
        throw new AssertionError("an error, not an exception");
    }


    public static int index(int index) {
        int[] three = new int[3];
        return three[index];
    }

    public static int nothing() {
        Object nothing = null;
        return nothing.hashCode();
    }

    public static void again(Throwable throwable) throws Throwable {
        throw throwable;
    }

    /** Runs a step and says what it threw. */
    public static String caught(Step step) {
        try {
            return "returned " + step.run(null);
        } catch (IOException e) {
            return "IOException " + e.getMessage();
        } catch (RuntimeException e) {
            return "RuntimeException " + e.getMessage();
        } catch (Exception e) {
            return "Exception " + e.getMessage();
        }
    }

    /** Runs a step; what it throws comes out as the cause of another exception. */
    public static Object wrapped(Step step) {
        try {
            return step.run("wrapped");
        } catch (Exception e) {
            throw new IllegalStateException("wrapped", e);
        }
    }

    /** Runs a step, and counts that its clean-up ran. */
    public static Object cleaned(Step step, int[] count) throws Exception {
        try {
            return step.run("cleaned");
        } finally {
            count[0]++;
        }
    }

    public static Object plain(Step step, Object argument) throws Exception {
        return step.run(argument);
    }
}

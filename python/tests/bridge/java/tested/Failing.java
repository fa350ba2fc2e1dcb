package tested;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.Callable;

/** What throws. */
public class Failing {
  public static class Own extends IOException {
    private static final long serialVersionUID = 1;

    public final transient Object detail;

    public Own(String message, Object detail) {
      super(message);
      this.detail = detail;
    }
  }

  public static void missing() throws IOException {
    throw new FileNotFoundException("no such file");
  }

  public static void own() throws IOException {
    throw new Own("own", java.util.List.of(1, 2));
  }

  public static void caused() {
    IllegalStateException thrown = new IllegalStateException("outer", new IOException("inner"));
    thrown.addSuppressed(new ArithmeticException("beside"));
    throw thrown;
  }

  public static Object call(Callable<?> callable) throws Exception {
    return callable.call();
  }

  public static String caught(Callable<?> callable) {
    try {
      return "returned " + callable.call();
    } catch (IOException e) {
      return "IOException " + e.getMessage();
    } catch (Exception e) {
      return e.getClass().getSimpleName() + " " + e.getMessage();
    }
  }

  /** What Java prints of what a callable throws. */
  public static String trace(Callable<?> callable) {
    java.io.StringWriter text = new java.io.StringWriter();
    try {
      callable.call();
    } catch (Exception e) {
      e.printStackTrace(new java.io.PrintWriter(text, true));
    }
    return text.toString();
  }

  public static Exception made() {
    return new FileNotFoundException("made");
  }
}

package tested;

/** A class whose name looks like a package's. */
public class lowercase {
  public static final int LIMIT = 9;

  public static String method() {
    return "called";
  }
}

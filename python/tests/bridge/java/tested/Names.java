package tested;

/** Members whose names are peculiar in Python. */
public class Names {
  public static final String CONSTANT = "constant";
  public static int counter;
  public final int fixed = 7;
  public String text = "text";
  public int size = 3;
  private final int secret = 1;

  public int size() {
    return secret;
  }

  public String from() {
    return "from";
  }

  public static String with(String text) {
    return text;
  }

  public static String both() {
    return "static";
  }

  public String both(int number) {
    return "instance " + number;
  }

  public static class Inner {
    public static class Deep {
      public static String where() {
        return "deep";
      }
    }
  }

  public enum Colour {
    RED, GREEN, BLUE {
      @Override
      public String shade() {
        return "deep";
      }
    };

    public String shade() {
      return "plain";
    }

    public Colour next() {
      return values()[(ordinal() + 1) % values().length];
    }
  }

  public static String of(Colour colour) {
    return colour.name().toLowerCase(java.util.Locale.ROOT);
  }
}

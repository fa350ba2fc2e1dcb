package tested;

import java.util.function.BiFunction;
import java.util.function.Function;

/** Overloads between which what a list holds decides. */
public class Matrices {
  private Matrices() {}

  public static String of(double[] row) {
    return "row of " + row.length;
  }

  public static String of(double[][] rows) {
    return "matrix of " + rows.length + " x " + rows[0].length + ", first " + rows[0][0];
  }

  public static String of(String[] names) {
    return "names " + String.join(" ", names);
  }

  public static Object called(Function<Object, Object> function) {
    return function.apply(1);
  }

  public static Object called(BiFunction<Object, Object, Object> function) {
    return function.apply(1, 2);
  }
}

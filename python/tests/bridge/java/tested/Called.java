package tested;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** What calls Python. */
public class Called {
  public interface Greeter {
    String greet(String name);

    default String twice(String name) {
      return greet(name) + " " + greet(name);
    }
  }

  public static String greeted(Greeter greeter, String name) {
    return greeter.twice(name);
  }

  public static int sum(IntUnaryOperator function, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
      sum += function.applyAsInt(i);
    }
    return sum;
  }

  public static Object applied(Function<Object, Object> function, Object value) {
    return function.apply(value);
  }

  public static Object both(BiFunction<Object, Object, Object> function, Object a, Object b) {
    return function.apply(a, b);
  }

  public static Object supplied(Supplier<?> supplier) {
    return supplier.get();
  }

  public static Object inThread(Supplier<?> supplier) throws InterruptedException {
    Object[] result = new Object[1];
    Thread thread = new Thread(() -> result[0] = supplier.get());
    thread.start();
    thread.join();
    return result[0];
  }

  public static String sizes(java.util.Set<?> set, java.util.Map<?, ?> map, byte[] large) {
    return set.size() + " " + map.size() + " " + large.length;
  }

  public static <T> T same(T value) {
    return value;
  }

  public static List<Object> kept = new java.util.ArrayList<>();

  /** Returns a value after a while. */
  public static Object later(Object value, long millis) throws InterruptedException {
    Thread.sleep(millis);
    return value;
  }

  /** What a function throws, as Java sees it. */
  public static String thrown(Supplier<?> supplier) {
    try {
      return "returned " + supplier.get();
    } catch (RuntimeException error) {
      return error.getClass().getSimpleName() + ": " + error.getMessage();
    }
  }

  public static void sleep(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }
}

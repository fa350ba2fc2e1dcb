package tested;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;

/** Methods whose interfaces say by type arguments what Python's callables return. */
public final class Generic {
  private Generic() {}

  public interface Source<K, V> extends Function<K, V> {
    Map<K, V> all();

    default V twice(K key) {
      return apply(key);
    }
  }

  public abstract static class Base<T> {
    public String shown(Supplier<T> supplier) {
      T made = supplier.get();
      return made.getClass().getSimpleName() + " " + made;
    }
  }

  public static final class OfLong extends Base<Long> {}

  public static long next(Function<Long, Long> function, long number) {
    return function.apply(number) + 1;
  }

  public static long sum(BinaryOperator<Long> operator) {
    Long sum = operator.apply(1L, 2L);
    return sum;
  }

  public static short called(Callable<Short> callable) throws Exception {
    return callable.call();
  }

  public static String text(Callable<String> callable) throws Exception {
    return callable.call();
  }

  public static char letter(Supplier<Character> supplier) {
    return supplier.get();
  }

  public static String decimal(Supplier<BigDecimal> supplier) {
    return supplier.get().add(BigDecimal.ONE).toString();
  }

  public static long first(Supplier<List<Long>> supplier) {
    return supplier.get().get(0);
  }

  public static long value(Function<String, Map<String, List<Long>>> function) {
    return function.apply("k").get("k").get(0);
  }

  public static long curried(Function<Long, Function<Long, Long>> function) {
    return function.apply(1L).apply(2L);
  }

  public static long total(Iterable<Long> numbers) {
    long total = 0;
    for (long number : numbers) {
      total += number;
    }
    return total;
  }

  public static long source(Source<String, Long> source) {
    return source.apply("a") + source.all().get("a") + source.twice("a");
  }

  @SafeVarargs
  public static long many(Supplier<Long>... suppliers) {
    long total = 0;
    for (Supplier<Long> supplier : suppliers) {
      total += supplier.get();
    }
    return total;
  }

  public static String maybe(Optional<String> text) {
    return text.orElse("none");
  }

  public static String entry(Map.Entry<String, Long> entry) {
    return entry.getKey();
  }

  public static <T> T open(Supplier<T> supplier) {
    return supplier.get();
  }

  public static boolean same(Function<Long, Long> one, Function<Long, Long> other) {
    return one == other;
  }
}

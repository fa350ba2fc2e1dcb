package tested;

import java.util.ArrayList;
import java.util.List;

/** Records by value. */
public class Books {
  public record Book(String id, int year) {}

  public static Book later(Book book) {
    return new Book(book.id(), book.year() + 1);
  }

  public static String kindOf(Object value) {
    return value.getClass().getName();
  }

  public static int years(List<Book> books) {
    return books.stream().mapToInt(Book::year).sum();
  }

  public static List<Book> some(int count) {
    List<Book> books = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      books.add(new Book("b" + i, 1900 + i));
    }
    return books;
  }
}

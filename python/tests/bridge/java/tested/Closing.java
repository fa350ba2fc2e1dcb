package tested;

/** What a `with` statement closes. */
public class Closing implements AutoCloseable {
  public boolean closed;

  @Override
  public void close() {
    closed = true;
  }
}

package acceptance;

/** Something to close. */
public final class Resource implements AutoCloseable {
    private int closed;

    @Override
    public void close() {
        closed++;
    }

    public int closed() {
        return closed;
    }
}

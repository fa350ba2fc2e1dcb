import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import py4j.GatewayServer;

/** The entry point of the documented programs: a shelf of books. Prints its port; ends with its input. */
public class Shelf {
    private final List<String> titles = new ArrayList<>();

    public List<String> getTitles() {
        return titles;
    }

    public Shelf put(String title) {
        titles.add(title);
        return this;
    }

    public String take() {
        return titles.remove(titles.size() - 1);
    }

    public Map<String, Integer> lengths() {
        Map<String, Integer> found = new LinkedHashMap<>();
        titles.forEach(title -> found.put(title, title.length()));
        return found;
    }

    /** Has Python compare. */
    public List<String> sorted(Comparator<String> comparator) {
        List<String> copy = new ArrayList<>(titles);
        copy.sort(comparator);
        return copy;
    }

    public static void main(String[] arguments) throws Exception {
        GatewayServer server = new GatewayServer.GatewayServerBuilder(new Shelf()).javaPort(0)
            .callbackClient(0, InetAddress.getByName("127.0.0.1")).build();
        server.start();
        System.out.println(server.getListeningPort());
        while (System.in.read() >= 0) {
            continue;
        }
        System.exit(0);
    }
}

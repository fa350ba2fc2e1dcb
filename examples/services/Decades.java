package decades;

import io.samewire.redis.spring.SamewireConnectionFactory;
import io.samewire.redis.store.Store;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A service of Spring Boot that reads the books which the service in Python stores. */
@SpringBootApplication
public class Decades {
    /** Two fields of Python's `Book`: stored values have their schema's digest, and Redis has the schema. */
    record Book(String title, int year) {}

    /** A book, and how often it was asked for. */
    record Reply(String title, int year, long requests) {}

    public static void main(String[] arguments) {
        SpringApplication.run(Decades.class, arguments);
    }

    /** Spring Boot makes the connection factory by `spring.data.redis.*`; typed values use its client. */
    @Bean
    Store<Book> books(SamewireConnectionFactory redis) {
        return redis.client().store(Book.class, "book:");
    }

    /** The template and the store share connections. */
    @RestController
    record Books(Store<Book> books, StringRedisTemplate redis) {
        @GetMapping("/books/{key}")
        ResponseEntity<Reply> get(@PathVariable String key) {
            return ResponseEntity.of(books.get(key).map(book ->
                new Reply(book.title(), book.year(), redis.opsForHash().increment("requests", key, 1))));
        }

        @GetMapping("/decades")
        Map<Integer, Long> decades() {
            return books.items("*").collect(Collectors.groupingBy(
                item -> item.getValue().year() / 10 * 10, TreeMap::new, Collectors.counting()));
        }
    }
}

package library;

import io.samewire.redis.client.RedisClient;
import io.samewire.redis.client.RedisOptions;
import io.samewire.redis.client.Retry;
import io.samewire.redis.command.Connection;
import io.samewire.redis.store.Store;
import java.time.Duration;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A web program of Spring Boot that keeps books in Redis: the client is a bean, closed with the context. */
@SpringBootApplication
public class Library {
    /** What is kept, and what requests and replies hold as JSON. */
    public record Book(String name, String author, int year, int lent) {
        Book lentOnceMore() {
            return new Book(name, author, year, lent + 1);
        }
    }

    /** Starts the program; {@code --redis.url} says where the server is. */
    public static void main(String[] arguments) {
        SpringApplication.run(Library.class, arguments);
    }

    /** The program starts without the server, too: it connects when it is first used. */
    @Bean
    RedisClient redis(@Value("${redis.url}") String uri) {
        return RedisClient.create(RedisOptions.of(uri).withClientName("library")
            .withConnectTimeout(Duration.ofSeconds(2)).withRetry(Retry.NONE));
    }

    @Bean
    Store<Book> books(RedisClient redis) {
        return redis.store(Book.class, "book:");
    }

    @Bean
    HealthIndicator redisHealthIndicator(RedisClient redis) {
        return () -> {
            try {
                return Health.up().withDetail("reply", redis.execute(Connection.ping())).build();
            } catch (RuntimeException unreachable) {
                return Health.down(unreachable).build();
            }
        };
    }

    /** Prints the port that it took. */
    @Bean
    ApplicationListener<WebServerInitializedEvent> port() {
        return event -> System.out.println("port " + event.getWebServer().getPort());
    }

    /** Books by their numbers. */
    @RestController
    static class Books {
        private final Store<Book> books;

        Books(Store<Book> books) {
            this.books = books;
        }

        @PutMapping("/books/{id}")
        void put(@PathVariable("id") String id, @RequestBody Book book) {
            books.put(id, book);
        }

        @GetMapping("/books/{id}")
        ResponseEntity<Book> get(@PathVariable("id") String id) {
            return ResponseEntity.of(books.get(id));
        }

        @PostMapping("/books/{id}/loans")
        ResponseEntity<Book> lend(@PathVariable("id") String id) {
            Optional<Book> lent = books.update(id, kept -> kept.map(Book::lentOnceMore));
            return ResponseEntity.of(lent);
        }
    }
}

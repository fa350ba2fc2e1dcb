package io.samewire.redis.command;

import io.samewire.redis.resp.ReplyReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A library of functions.
 *
 * @param name its name
 * @param engine the engine that runs it: LUA
 * @param functions its functions
 * @param code its source: with {@code WITHCODE}
 */
public record FunctionLibrary(String name, String engine, List<Function> functions, Optional<String> code) {
    /**
     * A function of a library.
     *
     * @param name its name
     * @param description what it says of itself, if anything
     * @param flags its flags, like no-writes
     */
    public record Function(String name, Optional<String> description, Set<String> flags) { }

    static FunctionLibrary read(ReplyReader in) {
        String name = "";
        String engine = "";
        List<Function> functions = List.of();
        Optional<String> code = Optional.empty();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "library_name" -> name = in.readString();
                case "engine" -> engine = in.readString();
                case "functions" -> functions = Replies.list(in, FunctionLibrary::function);
                case "library_code" -> code = Replies.optional(in, Text.STRING);
                default -> in.skip();
            }
        }
        return new FunctionLibrary(name, engine, functions, code);
    }

    private static Function function(ReplyReader in) {
        String name = "";
        Optional<String> description = Optional.empty();
        Set<String> flags = Set.of();
        for (int i = Replies.beginMap(in); i > 0; i--) {
            switch (Replies.name(in)) {
                case "name" -> name = in.readString();
                case "description" -> description = Replies.optional(in, Text.STRING);
                case "flags" -> flags = Replies.set(in, Text.STRING);
                default -> in.skip();
            }
        }
        return new Function(name, description, flags);
    }
}

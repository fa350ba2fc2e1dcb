package io.samewire.redis.spring;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.springframework.data.redis.connection.ReactiveClusterScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reactive commands of scripts. */
final class FluxScriptingCommands implements ReactiveClusterScriptingCommands {
    private final ReactiveCalls calls;

    FluxScriptingCommands(ReactiveCalls calls) {
        this.calls = calls;
    }

    @Override
    public Mono<String> scriptFlush() {
        return calls.mono(to -> to.call(Readings.STRING, "SCRIPT FLUSH"));
    }

    @Override
    public Mono<String> scriptKill() {
        return calls.mono(to -> to.call(Readings.STRING, "SCRIPT KILL"));
    }

    @Override
    public Mono<String> scriptLoad(ByteBuffer script) {
        return calls.mono(to -> new ScriptingCommands(to).scriptLoad(Buffers.bytes(script)));
    }

    @Override
    public Flux<Boolean> scriptExists(List<String> digests) {
        return calls.flux(to -> new ScriptingCommands(to).scriptExists(digests.toArray(String[]::new)));
    }

    @Override
    public <T> Flux<T> eval(ByteBuffer script, ReturnType type, int keys, ByteBuffer... keysAndArguments) {
        return replies(calls.mono(to -> new ScriptingCommands(to).eval(Buffers.bytes(script), type, keys,
            Buffers.arrays(keysAndArguments))));
    }

    @Override
    public <T> Flux<T> evalSha(String digest, ReturnType type, int keys, ByteBuffer... keysAndArguments) {
        return replies(calls.mono(to -> new ScriptingCommands(to).evalSha(digest, type, keys,
            Buffers.arrays(keysAndArguments))));
    }

    /** The caller says what the script returns. A list is one element; an error in its place fails. */
    @SuppressWarnings("unchecked")
    private static <T> Flux<T> replies(Mono<Object> reply) {
        return reply.map(found -> {
            if (found instanceof RuntimeException failed) {
                throw failed;
            }
            return (T) wrap(found);
        }).flux();
    }

    private static Object wrap(Object found) {
        if (found instanceof byte[] bytes) {
            return ByteBuffer.wrap(bytes);
        } else if (found instanceof List<?> list) {
            List<Object> wrapped = new ArrayList<>(list.size());
            list.forEach(one -> wrapped.add(wrap(one)));
            return wrapped;
        }
        return found;
    }
}

package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.Binding;
import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.wire.MessageWriter;
import io.samewire.pack.wire.Fault;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.Program;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Turns values of one Java type into messages and back, by code that was generated for that type. Thread-safe, and
 * without state between messages: equal values give equal bytes, in every language. A value or message that somebody
 * changes meanwhile gives an error or nonsense, and harms nothing else. What a value's own code throws, its accessors
 * say, passes as it is.
 *
 * @param <T> the values
 */
public final class Codec<T> extends Decoder<T> {
    private final Binding binding;
    private final Limits limits;
    private final MessageWriter envelope;

    Codec(Binding binding, Schema schema, Profile profile, boolean digest, Limits limits) {
        this(binding, schema, profile, digest, limits, binding.rules(schema.digestBits(), limits));
    }

    private Codec(Binding binding, Schema schema, Profile profile, boolean digest, Limits limits, MessageRules rules) {
        this(binding, schema, profile, digest, limits, rules, binding.program());
    }

    private Codec(Binding binding, Schema schema, Profile profile, boolean digest, Limits limits, MessageRules rules,
        Program program) {
        super(program, rules, schema);
        this.binding = binding;
        this.limits = limits;
        this.envelope = new MessageWriter(program, limits, profile == Profile.COMPACT, digest, schema.digestBits(),
            binding.sites());
    }

    /** The digest of the schema: 8 bytes. */
    public byte[] digest() {
        return schema().digest();
    }

    /**
     * The message of a value.
     *
     * @throws SamewireException {@code type_mismatch}, {@code bad_utf8}, {@code limit_depth} or {@code limit_size},
     *     with the path of what is wrong
     */
    public byte[] encode(T value) {
        try {
            return envelope.bytes(value);
        } catch (RuntimeException | StackOverflowError failure) {
            throw explained(value, failure);
        }
    }

    /**
     * Appends the message of a value to an output, which grows as needed and can be used again. On any error the output
     * is as it was.
     *
     * @return the length of the message in bytes
     * @throws SamewireException {@code misuse} for an output that a message is being written to; otherwise as for
     *     {@link #encode}
     */
    public int encodeInto(T value, Output output) {
        MessageWriter.Target target = output.target();
        int before = target.length;
        target.busy = true;
        try {
            envelope.append(value, target);
        } catch (RuntimeException | StackOverflowError failure) {
            throw explained(value, failure);
        } finally {
            target.busy = false;
        }
        return target.length - before;
    }

    /**
     * Puts the message of a value into a buffer, heap or direct, from its position on.
     *
     * @return the length of the message in bytes
     * @throws SamewireException {@code limit_size} if it does not fit, in which case nothing was put; {@code misuse}
     *     for a read-only buffer; otherwise as for {@link #encode}
     */
    public int encodeInto(T value, ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new SamewireException(Code.MISUSE, -1, null, "a read-only buffer");
        }
        int length;
        try {
            length = envelope.put(value, buffer);
        } catch (RuntimeException | StackOverflowError failure) {
            throw explained(value, failure);
        }
        if (length < 0) {
            throw new SamewireException(Code.LIMIT_SIZE, -1, "$",
                "a message of " + -length + " bytes for a buffer with room for " + buffer.remaining());
        }
        return length;
    }

    /**
     * The message of a value in pieces of {@code size} bytes, the last one shorter: for large messages that should not
     * need one large array.
     *
     * @throws SamewireException {@code misuse} if the size is not positive; otherwise as for {@link #encode}
     */
    public List<byte[]> encodeChunks(T value, int size) {
        if (size < 1) {
            throw new SamewireException(Code.MISUSE, -1, null, "pieces of " + size + " bytes");
        }
        try {
            return envelope.pieces(value, size);
        } catch (RuntimeException | StackOverflowError failure) {
            throw explained(value, failure);
        }
    }

    /**
     * What is thrown instead of a failure: an error with a path where the value is at fault, or the failure if it came
     * from the caller's code.
     */
    private RuntimeException explained(T value, Throwable failure) {
        if (failure instanceof StackOverflowError) {
            return tooDeep(failure);
        }
        if (failure == Fault.TOO_LONG) {
            return new SamewireException(Code.LIMIT_SIZE, -1, "$", "a message of more than " + limits.frameBytes()
                + " bytes");
        }
        SamewireException error;
        try {
            error = binding.error(value, limits);
        } catch (StackOverflowError deep) {
            // The walker takes more stack than generated code.
            return tooDeep(deep);
        }
        if (error != null) {
            return error;
        } else if (failure == Fault.FAULT) {
            return new SamewireException(Code.TYPE_MISMATCH, -1, "$", "the value changed while it was written");
        }
        return (RuntimeException) failure;
    }

    private static SamewireException tooDeep(Throwable cause) {
        return new SamewireException(Code.LIMIT_DEPTH, -1, "$", "deeper than this thread's stack; lower limits.depth",
            cause);
    }

    /**
     * Reads messages that were written with another schema into values of this type ({@code spec/pack.md} section 13).
     *
     * @param writerSchema the writer's schema text
     * @throws SamewireException {@code malformed} and its like for text that is no schema; {@code schema_mismatch} with
     *     the path of the first difference if the pair does not resolve
     */
    public Decoder<T> resolve(String writerSchema) {
        Schema writer = new Schema(SchemaParser.parse(writerSchema));
        if (writer.equals(schema())) {
            return this;
        }
        MessageRules rules = binding.resolved(writer.root(), writer.digestBits(), limits);
        return new Decoder<>(binding.reader(rules), rules, writer);
    }
}

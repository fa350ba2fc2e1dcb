package io.samewire.pack;

import io.samewire.core.Code;
import io.samewire.core.Limits;
import io.samewire.core.SamewireException;
import io.samewire.pack.bind.Binding;
import io.samewire.pack.schema.SchemaParser;
import io.samewire.pack.schema.SchemaType;
import io.samewire.pack.wire.MessageWriter;
import io.samewire.pack.wire.Fault;
import io.samewire.pack.wire.KeyOrder;
import io.samewire.pack.wire.MessageRules;
import io.samewire.pack.wire.Program;
import io.samewire.pack.wire.WrittenDigest;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Encodes values of one Java type as messages, and decodes them, with code that is generated for the type, or
 * interpreted where no class can be defined. Equal values have equal bytes in every language; two maps that have an
 * order are equal here if they have the same ({@link CodecBuilder#sortKeys}). A codec is safe for use by many threads,
 * platform or virtual, and keeps no state between messages. If another thread changes a value or a message meanwhile,
 * the call fails or its result is unspecified; other calls are not affected. Exceptions thrown by a value's own code,
 * such as an accessor, propagate unchanged.
 *
 * @param <T> the values
 */
public final class Codec<T> extends Decoder<T> {
    private final Binding binding;
    private final Profile profile;
    private final KeyOrder keyOrder;
    private final Digests digests;
    private final Limits limits;
    private final MessageWriter envelope;

    Codec(Binding binding, Schema schema, Profile profile, KeyOrder keyOrder, Digests digests, Limits limits) {
        this(binding, schema, profile, keyOrder, digests, limits, binding.rules(schema.digestBits(), limits));
    }

    private Codec(Binding binding, Schema schema, Profile profile, KeyOrder keyOrder, Digests digests, Limits limits,
        MessageRules rules) {
        this(binding, schema, profile, keyOrder, digests, limits, rules, binding.program());
    }

    private Codec(Binding binding, Schema schema, Profile profile, KeyOrder keyOrder, Digests digests, Limits limits,
        MessageRules rules, Program program) {
        super(program, binding::tracing, rules, schema, digests.required());
        this.binding = binding;
        this.profile = profile;
        this.keyOrder = keyOrder;
        this.digests = digests;
        this.limits = limits;
        this.envelope = new MessageWriter(program, limits, profile == Profile.COMPACT, keyOrder,
            digests.written(), schema.digestBits(), binding.dedupSlots());
    }

    /** Returns the digest of the schema, 8 bytes. */
    public byte[] digest() {
        return schema().digest();
    }

    /** Returns the limits of one message. */
    public Limits limits() {
        return limits;
    }

    /** Returns the same codec, except that its messages carry the digest of their schema. */
    public Codec<T> withDigest() {
        return with(WrittenDigest.WHOLE);
    }

    /**
     * Returns the same codec, except that its messages carry neither the digest of their schema nor the check of it:
     * for messages within something else that says which schema they are of.
     */
    public Codec<T> withoutDigest() {
        return with(WrittenDigest.NONE);
    }

    private Codec<T> with(WrittenDigest written) {
        return digests.written() == written ? this
            : new Codec<>(binding, schema(), profile, keyOrder, new Digests(written, digests.required()), limits);
    }

    /**
     * Returns the message of a value.
     *
     * @throws SamewireException {@code type_mismatch}, {@code bad_utf8}, {@code limit_depth}, {@code limit_size} or
     *     {@code limit_items}, with the path of the wrong part
     */
    public byte[] encode(T value) {
        try {
            return envelope.bytes(value);
        } catch (RuntimeException | StackOverflowError failure) {
            throw explained(value, failure);
        }
    }

    /**
     * Appends the message of a value to an output, which grows as needed and can be used again. After an error the
     * output is unchanged.
     *
     * @return the length of the message in bytes
     * @throws SamewireException {@code misuse} if a message is already being written to the output; otherwise as
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
     * Puts the message of a value into a heap or direct buffer, from its position on.
     *
     * @return the length of the message in bytes
     * @throws SamewireException {@code limit_size} if the message does not fit, in which case nothing is put;
     *     {@code misuse} if the buffer is read-only; otherwise as {@link #encode}
     */
    public int encodeInto(T value, ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new SamewireException(Code.MISUSE, -1, null, "the buffer is read-only");
        }
        int length;
        try {
            length = envelope.put(value, buffer);
        } catch (RuntimeException | StackOverflowError failure) {
            throw explained(value, failure);
        }
        if (length < 0) {
            throw new SamewireException(Code.LIMIT_SIZE, -1, "$",
                "the message has " + -length + " bytes, the buffer has " + buffer.remaining() + " remaining");
        }
        return length;
    }

    /**
     * Returns the message of a value in arrays of {@code size} bytes, the last one shorter, for messages that are too
     * large for one array.
     *
     * @throws SamewireException {@code misuse} if the size is not positive; otherwise as {@link #encode}
     */
    public List<byte[]> encodeChunks(T value, int size) {
        if (size < 1) {
            throw new SamewireException(Code.MISUSE, -1, null, "the size of chunks must be positive, not " + size);
        }
        try {
            return envelope.pieces(value, size);
        } catch (RuntimeException | StackOverflowError failure) {
            throw explained(value, failure);
        }
    }

    /**
     * Returns the exception to throw for a failure: an error with a path if the value is at fault, the failure itself
     * if the value's own code threw it.
     */
    private RuntimeException explained(T value, Throwable failure) {
        if (failure instanceof StackOverflowError) {
            return tooDeep(failure);
        }
        if (failure == Fault.TOO_LONG) {
            return new SamewireException(Code.LIMIT_SIZE, -1, "$", "the message exceeds limits.frameBytes, "
                + limits.frameBytes() + ": write a record file, or raise it on both sides");
        }
        SamewireException error;
        try {
            error = binding.error(value, limits);
        } catch (StackOverflowError deep) {
            // The walker needs more stack than generated code.
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
        return new SamewireException(Code.LIMIT_DEPTH, -1, "$",
            "nested deeper than this thread's stack; lower limits.depth", cause);
    }

    /**
     * Returns a decoder of messages that were written with another schema ({@code spec/pack.md} section 13).
     *
     * @param writerSchema the writer's schema text
     * @throws SamewireException as {@link Schema#parse(String)} if the text is not a schema; {@code schema_mismatch}
     *     with the path of the first difference if the two schemas do not resolve
     */
    public Decoder<T> resolve(String writerSchema) {
        Schema writer = new Schema(SchemaParser.parse(writerSchema));
        if (writer.equals(schema())) {
            return this;
        }
        // A tree of its own: it takes the names that this reader has aliases for.
        SchemaType theirs = SchemaParser.parse(writer.text());
        MessageRules rules = binding.resolved(theirs, writer.digestBits(), limits);
        return new Decoder<>(binding.reader(rules), () -> binding.tracing(rules), rules, writer, digests.required());
    }
}

package io.samewire.bridge.session;

import io.samewire.core.Code;
import io.samewire.core.SamewireException;

/**
 * The client's reply that an object has no such method ({@code spec/bridge.md} section 5.4), as opposed to an exception
 * that a method raises.
 */
public final class AbsentMember extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates a reply with the client's text. It has no stack of its own. */
    AbsentMember(String text) {
        super(text, null, false, false);
    }

    /** Returns the error for the program that called the method. */
    public SamewireException refusal() {
        return new SamewireException(Code.MISUSE, -1, null, getMessage());
    }
}

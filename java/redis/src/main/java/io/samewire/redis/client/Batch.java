package io.samewire.redis.client;

/** Commands that are encoded already and go out together, and what takes their replies. */
interface Batch {
    /** The array that holds the commands from its start on. */
    byte[] bytes();

    /** How many bytes of commands there are. */
    int length();

    /** How many replies are to come. */
    int replies();

    /** Where the command of a reply ends. */
    int end(int index);

    /** Called before an attempt: what an earlier one brought is dropped. */
    void begin();

    /**
     * Takes the reply at the buffer's start. What its conversion throws is its caller's, and must not be thrown here.
     */
    void take(int index, ReplyBuffer in);

    /** Called when the connection is lost after so many replies, and of the commands so many bytes were written. */
    void lost(int replied, long written);

    /** Whether the server has run none of the commands, since it is reading its data into memory. */
    boolean isLoading();

    /** Whether, after {@link #lost}, one of the commands may have run. */
    boolean mayHaveRun();
}

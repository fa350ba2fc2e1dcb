/**
 * RESP2 and RESP3 ({@code spec/redis.md} sections 1 to 5) on byte arrays, without I/O.
 *
 * <p>{@link io.samewire.redis.resp.RequestWriter} writes commands. {@link io.samewire.redis.resp.ReplyScanner} finds
 * the end of a reply while its bytes come in, and {@link io.samewire.redis.resp.ReplyReader} makes values of one. A
 * reader may try a reply that is not known to be complete: it throws {@link
 * io.samewire.redis.resp.IncompleteReplyException}, and only then the scanner is needed. {@link
 * io.samewire.redis.resp.Reply} is a reply of a type that is not known.
 */
package io.samewire.redis.resp;

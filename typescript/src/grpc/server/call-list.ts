import type { CallOutput } from "./call-output.js";

/** The running calls of a connection: an intrusive list, so that adding and removing allocate nothing. */
export class CallList {
  #head: CallOutput | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(call: CallOutput): void {
    call.listed = true;
    call.previous = null;
    call.following = this.#head;
    if (this.#head !== null) this.#head.previous = call;
    this.#head = call;
    this.#size += 1;
  }

  /** Removes a call if it is in the list. */
  remove(call: CallOutput): void {
    if (!call.listed) return;
    if (call.previous === null) this.#head = call.following;
    else call.previous.following = call.following;
    if (call.following !== null) call.following.previous = call.previous;
    call.previous = call.following = null;
    call.listed = false;
    this.#size -= 1;
  }

  /** A copy, for callers that end calls. */
  all(): CallOutput[] {
    const calls: CallOutput[] = [];
    for (let call = this.#head; call !== null; call = call.following) calls.push(call);
    return calls;
  }
}

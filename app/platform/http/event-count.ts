const LF = 10;
const CR = 13;

/**
 * Counts the events of a stream of server-sent events while its bytes pass: a blank line ends one (WHATWG HTML, "Server-sent events"). Lines
 * end with LF, CR or both.
 */
export class EventCount {
  #events = 0;
  #atLineStart = true;
  #afterReturn = false;

  /** Returns the number of events in all bytes so far. */
  add(bytes: Uint8Array): number {
    for (const byte of bytes) {
      const endsLine = byte === CR || (byte === LF && !this.#afterReturn);
      if (endsLine && this.#atLineStart) this.#events += 1;
      this.#atLineStart = byte === CR || byte === LF;
      this.#afterReturn = byte === CR;
    }
    return this.#events;
  }
}

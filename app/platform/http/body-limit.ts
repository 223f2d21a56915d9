import { Transform, type TransformCallback } from 'node:stream';

/** A form: most bytes of a request body, however it is sent. */
export const FORM_MAX_BYTES = 1_048_576;

export class BodyTooLarge extends Error {
  constructor(limit: number) {
    super(`request body over ${limit} bytes`);
    this.name = 'BodyTooLarge';
  }
}

/** Passes a body on and breaks off at `limit` bytes: a chunked body announces no length, so it has to be counted. */
export class BodyLimit extends Transform {
  readonly #limit: number;
  readonly #onTooLarge: () => void;
  #seen = 0;

  constructor(limit: number, onTooLarge: () => void) {
    super();
    this.#limit = limit;
    this.#onTooLarge = onTooLarge;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#seen += chunk.length;
    if (this.#seen > this.#limit) {
      this.#onTooLarge();
      done(new BodyTooLarge(this.#limit));
      return;
    }
    done(null, chunk);
  }
}

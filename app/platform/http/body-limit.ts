import { Transform, type TransformCallback } from 'node:stream';

const FORM_MAX_BYTES = 1_048_576;
/** A workflow as JSON may be pasted whole: what is too large of it is said by its own form, which gives it back. */
const DOCUMENT_MAX_BYTES = 8_388_608;
const DOCUMENT_PATH = /^\/dashboard\/workflows\/[^/]+\/edit\/json(?:\.data)?$/;
/** Here too the form itself says what is too large, for the picture and what a form wraps around it together pass 1 MB. */
const PICTURE_PATH = /^\/dashboard\/account\/profile\/picture(?:\.data)?$/;

/** Most bytes that the body of a request to this path may have, however it is sent. */
export function bodyMaxBytes(path: string): number {
  return DOCUMENT_PATH.test(path) || PICTURE_PATH.test(path) ? DOCUMENT_MAX_BYTES : FORM_MAX_BYTES;
}

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

import { Transform, type TransformCallback } from 'node:stream';
import { AppError } from '#app/domain/errors.ts';
import { MAX_FIELDS } from '#app/domain/web/body-limits.ts';

/** Above what any schema takes (domain/web/json-depth.ts), with room for the envelope of a protocol. */
const MAX_DEPTH = 150;
const [AMPERSAND, QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [...'&"\\[]{}'].map((sign) => sign.charCodeAt(0));

type Counter = (chunk: Buffer) => AppError | null;

export type BodyLimitOptions = {
  maxBytes: number;
  contentType: string;
  /** Called with the length of each piece that has been taken. */
  onBytes?(bytes: number): void;
};

/**
 * Passes a body on while it keeps its limits: bytes (a chunked body announces no length), fields or parts of a form, levels of JSON. All are
 * counted on the raw bytes, before anything parses them. Beyond one the stream fails with AppError `too_large` or `invalid_input`, which is
 * then what reading the request throws.
 */
export class BodyLimit extends Transform {
  readonly #options: BodyLimitOptions;
  readonly #count: Counter;
  #seen = 0;
  /** Why the body was refused, for whoever answers a program whose library has swallowed the error. */
  refusal: AppError | null = null;

  constructor(options: BodyLimitOptions) {
    super();
    this.#options = options;
    this.#count = counterFor(options.contentType);
    // Its reader gets the error; where a route does not read its body, nobody is left to tell.
    this.on('error', () => undefined);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#seen += chunk.length;
    this.#options.onBytes?.(chunk.length);
    this.refusal = this.#seen > this.#options.maxBytes ? tooLarge(this.#options.maxBytes) : this.#count(chunk);
    if (this.refusal === null) done(null, chunk);
    else done(this.refusal);
  }
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('too_large', { values: { limit: Math.floor(maxBytes / 1024) } });
}

const tooManyFields = () => new AppError('invalid_input', { values: { what: 'fields', limit: MAX_FIELDS } });
const tooDeep = () => new AppError('invalid_input', { values: { what: 'depth' } });

function counterFor(contentType: string): Counter {
  const type = contentType.toLowerCase();
  if (type.startsWith('application/x-www-form-urlencoded')) return countOf(Buffer.from([AMPERSAND ?? 0]), MAX_FIELDS - 1);
  if (type.startsWith('multipart/form-data')) {
    const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
    const boundary = quoted ?? plain;
    // The last boundary closes the form. Without one nothing can be read, and nothing is parsed.
    return boundary === undefined ? () => null : countOf(Buffer.from(`--${boundary}`), MAX_FIELDS + 1);
  }
  return depthCounter();
}

/** Counts occurrences, also where a piece of the body ends within one. */
function countOf(sign: Buffer, most: number): Counter {
  let seen = 0;
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = text.indexOf(sign);
    let end = 0;
    for (; at !== -1; at = text.indexOf(sign, end)) {
      end = at + sign.length;
      seen += 1;
      if (seen > most) return tooManyFields();
    }
    rest = text.subarray(Math.max(end, text.length - sign.length + 1));
    return null;
  };
}

/** Levels of JSON. A body of any other type is refused by its parser. */
function depthCounter(): Counter {
  let depth = 0;
  let inText = false;
  let escaped = false;
  return (chunk) => {
    for (const byte of chunk) {
      if (escaped) escaped = false;
      else if (inText) {
        if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        depth += 1;
        if (depth > MAX_DEPTH) return tooDeep();
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    }
    return null;
  };
}

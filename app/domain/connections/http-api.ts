/** The methods of an HTTP API, as capabilities: each is approved, judged and pinned on its own. */
export const HTTP_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Statuses and ranges of them, such as `200-299, 404`. */
export const STATUSES = /^\s*[1-5]\d\d(?:\s*-\s*[1-5]\d\d)?(?:\s*,\s*[1-5]\d\d(?:\s*-\s*[1-5]\d\d)?)*\s*$/;

/** RFC 9110, section 5.6.2: a token. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Set by the connection or by the transport: a step may not speak for another account, nor change how a message is framed. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const isHeaderName = (name: string): boolean =>
  HEADER_NAME.test(name) && !RESERVED_HEADERS.has(name.toLowerCase()) && !name.toLowerCase().startsWith('proxy-');

/** RFC 9110, section 5.5: what a value may be made of. */
export const isHeaderValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

/** Whether `status` is among those that a step expects; nothing stated: the successful ones. */
export function isExpected(status: number, statuses: string): boolean {
  if (statuses.trim() === '') return status >= 200 && status <= 299;
  return statuses.split(',').some((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return status >= from && status <= to;
  });
}

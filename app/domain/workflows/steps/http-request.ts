import type { Json } from '#app/contracts/json.ts';

/** The methods of an HTTP API, as capabilities: each is approved, judged and pinned on its own. */
export const HTTP_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The two parts of a request that are lists of names and values. A mapping of a step names one value of them `query.page`. */
export const HTTP_LISTS = ['query', 'headers'] as const;
export type HttpList = (typeof HTTP_LISTS)[number];

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

/** The name of a mapping for one value of a list. */
export const listed = (list: HttpList, name: string): string => `${list}.${name}`;

/** The list that a mapping's name belongs to, and the name in it; null for a part that is one value. */
export function inList(name: string): { list: HttpList; name: string } | null {
  const list = HTTP_LISTS.find((one) => name.startsWith(`${one}.`));
  return list === undefined ? null : { list, name: name.slice(list.length + 1) };
}

/** The input of a call from mapped values: those of a list become one object. */
export function foldLists(input: { [key: string]: Json }): { [key: string]: Json } {
  const folded = new Map<string, Json>();
  const lists = new Map<HttpList, [string, Json][]>();
  for (const [name, value] of Object.entries(input)) {
    const member = inList(name);
    if (member === null) folded.set(name, value);
    else lists.set(member.list, [...(lists.get(member.list) ?? []), [member.name, value]]);
  }
  for (const [list, members] of lists) folded.set(list, Object.fromEntries(members));
  return Object.fromEntries(folded);
}

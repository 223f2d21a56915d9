import type { Json } from '#app/contracts/json.ts';

/** The two parts of a request that are lists of names and values. A mapping of a step names one value of them `query.page`. */
export const HTTP_LISTS = ['query', 'headers'] as const;
export type HttpList = (typeof HTTP_LISTS)[number];

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

/** A list: the name under which its columns and views are kept, where it is, and what its address says about its rows. */
export type ListAddress = { name: string; path: string; params: readonly string[] };

/** The address of the list with what of a query belongs to it, from its first page. */
export function listUrl({ path, params }: ListAddress, query: URLSearchParams): string {
  const kept = new URLSearchParams(
    params.flatMap((name) => {
      const value = query.get(name)?.trim().slice(0, 200) ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
  return kept.size === 0 ? path : `${path}?${kept}`;
}

/** The same address with another value for one of its filters; '' takes it away. */
export function withParam(url: string, name: string, value: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const params = new URLSearchParams(query);
  if (value === '') params.delete(name);
  else params.set(name, value);
  return params.size === 0 ? path : `${path}?${params}`;
}

export const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

/** Whether the address of a list leaves out some of its rows, whatever their order. `whole`: the address that leaves out none. */
export const isNarrowed = (url: string, whole = pathOf(url)) => withParam(url, 'sort', '') !== whole;

/** The column that a list is ordered by. In the address `?sort=name` is ascending, `?sort=-name` descending. */
export type TableSort<Key extends string = string> = { by: Key; descending: boolean };

/** The order that the address asks for, if it is one of these columns; otherwise the list's own. */
export function readSort<Key extends string>(params: URLSearchParams, columns: readonly Key[], fallback: TableSort<Key>): TableSort<Key> {
  const asked = params.get('sort') ?? '';
  const descending = asked.startsWith('-');
  const by = columns.find((column) => column === (descending ? asked.slice(1) : asked));
  return by === undefined ? fallback : { by, descending };
}

/** The address of the list in the order of this column, from its first page: the other way round if it is ordered by it already. */
export function sortUrl(url: string, column: string, current: TableSort): string {
  const [path = '', query = ''] = url.split('?', 2);
  const params = new URLSearchParams(query);
  params.delete('page');
  params.delete('after');
  params.set('sort', current.by === column && !current.descending ? `-${column}` : column);
  return `${path}?${params}`;
}

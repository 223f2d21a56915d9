import { href } from 'react-router';

/** The address of the items of a loop of a run; `path`: the loop's. */
export function itemsAddress(run: string, path: string, only: 'all' | 'failed' | 'open' = 'all'): string {
  return `${href('/dashboard/runs/:run/items', { run })}?${new URLSearchParams({ loop: path, ...(only === 'all' ? {} : { only }) })}`;
}

/** The address of one item with its steps; `path`: the item's, such as `lines/17`. */
export function itemAddress(run: string, path: string): string {
  return `${href('/dashboard/runs/:run/item', { run })}?${new URLSearchParams({ item: path })}`;
}

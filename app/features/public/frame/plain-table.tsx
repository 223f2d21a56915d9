import type { ReactNode } from 'react';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';

export type PlainRow = { key: string; cells: readonly ReactNode[]; quiet?: boolean };

/** A table of a public page: its first column names the row; `numbers` says which columns stand at the end of their place. */
export function PlainTable({
  label,
  columns,
  numbers = [],
  rows,
  narrow = false,
}: {
  label: string;
  columns: readonly string[];
  numbers?: readonly number[];
  rows: readonly PlainRow[];
  /** Few and short columns: it needs no room of its own. */
  narrow?: boolean;
}) {
  const place = (column: number) => (numbers.includes(column) ? 'text-end tabular-nums' : 'text-start');
  return (
    <ScrollGroup label={label} className="relative overflow-x-auto rounded-lg border border-line bg-surface">
      <table className={`w-full border-collapse text-sm ${narrow ? '' : 'min-w-[36rem]'}`}>
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line bg-raised">
            {columns.map((column, index) => (
              <th key={column} scope="col" className={`px-3 py-2.5 font-semibold ${place(index)}`}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...rest], quiet }) => (
            <tr key={key} className="border-b border-line align-baseline last:border-b-0">
              <th scope="row" className={`px-3 py-2.5 text-start ${quiet ? 'ps-8 font-normal text-muted' : 'font-semibold'}`}>
                {first}
              </th>
              {rest.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
                <td key={index} className={`px-3 py-2.5 ${place(index + 1)}`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollGroup>
  );
}

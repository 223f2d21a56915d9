import { type ReactNode, useId } from 'react';
import { ScrollGroup } from '#app/components/scroll-group.tsx';

export type Column<Row> = { key: string; header: string; cell: (row: Row) => ReactNode; align?: 'start' | 'end' };

/**
 * Rows under named columns. The first column is what one came for and heads its row. Where the table is wider than the
 * screen it scrolls sideways in a group that can be focused and carries the caption as its name (no landmark: a page has many).
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  empty,
}: {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  empty: ReactNode;
}) {
  const captionId = useId();
  if (rows.length === 0) return <>{empty}</>;
  return (
    <ScrollGroup labelledBy={captionId} className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full border-collapse text-sm">
        <caption id={captionId} className="sr-only">
          {caption}
        </caption>
        <thead>
          <tr className="border-b border-edge/60 bg-raised">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={`px-4 py-2.5 text-xs font-semibold whitespace-nowrap text-muted ${column.align === 'end' ? 'text-end' : 'text-start'}`}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-b-0 hover:bg-raised/60">
              {columns.map((column, index) => {
                const align = column.align === 'end' ? 'text-end' : 'text-start';
                return index === 0 ? (
                  <th
                    key={column.key}
                    scope="row"
                    className={`min-w-40 px-4 py-2.5 align-baseline font-semibold [&_.text-muted]:font-normal ${align}`}
                  >
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} className={`px-4 py-2.5 align-baseline ${align}`}>
                    {column.cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollGroup>
  );
}

/** A figure beside its limit. */
export type Line = { what: string; value: number; unit: string; limit: number | null; better: 'more' | 'less' };

export function printTable(lines: readonly Line[]): void {
  const rows = lines.map((line) => {
    const kept = line.limit === null || (line.better === 'more' ? line.value >= line.limit : line.value <= line.limit);
    const limit = line.limit === null ? '' : `${line.better === 'more' ? '≥' : '≤'} ${number(line.limit)} ${line.unit}`.trim();
    return [line.what, `${number(line.value)} ${line.unit}`.trim(), limit, kept ? '' : 'missed'];
  });
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...[['What', 'Measured', 'Limit', ''], ...rows].map((row) => (row[column] ?? '').length)),
  );
  for (const row of [['What', 'Measured', 'Limit', ''], ...rows]) {
    process.stdout.write(
      `${row.map((cell, column) => (column === 0 || column === 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}\n`,
    );
  }
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(Number.isInteger(value) ? 0 : 2);
}

/** A figure beside its limit. */
export type Line = { what: string; value: number; unit: string; limit: number | null; better: 'more' | 'less' };

export function printTable(lines: readonly Line[]): void {
  const rows = lines.map((line) => {
    const limit = line.limit === null ? '' : `${line.better === 'more' ? '≥' : '≤'} ${number(line.limit)} ${line.unit}`.trim();
    return [line.what, `${number(line.value)} ${line.unit}`.trim(), limit, verdict(line)];
  });
  const all = [['What', 'Measured', 'Limit', 'Verdict'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  for (const row of all) {
    process.stdout.write(
      `${row.map((cell, column) => (column === 0 || column === 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}\n`,
    );
  }
}

/** A figure that could not be taken has missed its limit. */
export function isMissed({ value, limit, better }: Line): boolean {
  return limit !== null && !(better === 'more' ? value >= limit : value <= limit);
}

function verdict(line: Line): string {
  if (line.limit === null) return '';
  return isMissed(line) ? 'missed' : 'met';
}

function number(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(Number.isInteger(value) ? 0 : 2);
}

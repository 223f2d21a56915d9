/** One line of two texts laid over each other; its numbers count from 1. */
export type DiffLine =
  | { change: 'same'; text: string; before: number; after: number }
  | { change: 'removed'; text: string; before: number }
  | { change: 'added'; text: string; after: number };

/** Above it a stretch is shown as replaced whole: the table of lengths would take more memory than the difference is worth. */
const MOST_CELLS = 4_000_000;

/** The lines that were taken out and put in between two texts, by a longest common subsequence of their lines. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (from: number, to: number, shift: number): DiffLine[] =>
    a.slice(from, to).map((text, index) => ({ change: 'same', text, before: from + index + 1, after: from + index + shift + 1 }));
  return [
    ...same(0, start, 0),
    ...between(a.slice(start, a.length - end), b.slice(start, b.length - end), start),
    ...same(a.length - end, a.length, b.length - a.length),
  ];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function between(a: readonly string[], b: readonly string[], start: number): DiffLine[] {
  const width = b.length + 1;
  const common = (a.length + 1) * width > MOST_CELLS ? null : lengths(a, b, width);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right && common !== null) {
      lines.push({ change: 'same', text: left, before: start + i + 1, after: start + j + 1 });
      i += 1;
      j += 1;
    } else if (
      left !== undefined &&
      (right === undefined || common === null || lengthAt(common, (i + 1) * width + j) >= lengthAt(common, i * width + j + 1))
    ) {
      lines.push({ change: 'removed', text: left, before: start + i + 1 });
      i += 1;
    } else if (right !== undefined) {
      lines.push({ change: 'added', text: right, after: start + j + 1 });
      j += 1;
    }
  }
  return lines;
}

/** At `i * width + j` how many lines `a` from i and `b` from j have in common. */
function lengths(a: readonly string[], b: readonly string[], width: number): Uint32Array {
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      table[i * width + j] =
        a[i] === b[j]
          ? lengthAt(table, (i + 1) * width + j + 1) + 1
          : Math.max(lengthAt(table, (i + 1) * width + j), lengthAt(table, i * width + j + 1));
  return table;
}

function lengthAt(table: Uint32Array, index: number): number {
  return table[index] ?? 0;
}

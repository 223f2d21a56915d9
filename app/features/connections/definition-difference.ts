/** One line of a difference: in both, only in the approved text, or only in the present one. */
export type DifferenceLine = { kind: 'same' | 'gone' | 'new'; text: string };

/** Lines a difference compares; more are cut, and the last line says so. */
const MAX_LINES = 1_500;
/** Unchanged lines kept around a change. */
const CONTEXT = 3;

/** The difference between two JSON texts, line by line, with a few lines around each change. Empty: they are equal. */
export function differenceOf(before: string, after: string): DifferenceLine[] {
  if (before === after) return [];
  const a = before.split('\n').slice(0, MAX_LINES);
  const b = after.split('\n').slice(0, MAX_LINES);
  return withContext(aligned(a, b));
}

/** Longest common subsequence; the equal beginning and end are left out of the table first. */
function aligned(a: readonly string[], b: readonly string[]): DifferenceLine[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  const x = a.slice(head, a.length - tail);
  const y = b.slice(head, b.length - tail);
  const width = y.length + 1;
  const lengths = new Uint16Array((x.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = x.length - 1; i >= 0; i -= 1) {
    for (let j = y.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = x[i] === y[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const same = (text: string): DifferenceLine => ({ kind: 'same', text });
  const lines: DifferenceLine[] = a.slice(0, head).map(same);
  let i = 0;
  let j = 0;
  while (i < x.length || j < y.length) {
    if (i < x.length && j < y.length && x[i] === y[j]) {
      lines.push(same(x[i] ?? ''));
      i += 1;
      j += 1;
    } else if (j >= y.length || (i < x.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'gone', text: x[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'new', text: y[j] ?? '' });
      j += 1;
    }
  }
  return [...lines, ...a.slice(a.length - tail).map(same)];
}

function withContext(lines: readonly DifferenceLine[]): DifferenceLine[] {
  const kept: DifferenceLine[] = [];
  let skipping = false;
  for (const [index, line] of lines.entries()) {
    const near = lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((other) => other.kind !== 'same');
    if (near) kept.push(line);
    else if (!skipping) kept.push({ kind: 'same', text: '…' });
    skipping = !near;
  }
  return kept;
}

import { diffArrays } from 'diff';

/** One line of two texts laid over each other; its numbers count from 1. */
export type DiffLine =
  | { change: 'same'; text: string; before: number; after: number }
  | { change: 'removed'; text: string; before: number }
  | { change: 'added'; text: string; after: number };

/** Above so many changed lines the texts are shown as replaced whole: the search grows with their square. */
const MOST_CHANGES = 600;

/** The lines that were taken out and put in between two texts; a line break at the end is no line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(old, fresh, { maxEditLength: MOST_CHANGES }) ?? [
    { removed: true, added: false, value: old },
    { removed: false, added: true, value: fresh },
  ];
  let [left, right] = [0, 0];
  return changes.flatMap(({ added, removed, value }) =>
    value.map((text): DiffLine => {
      if (!added) left += 1;
      if (!removed) right += 1;
      if (added) return { change: 'added', text, after: right };
      return removed ? { change: 'removed', text, before: left } : { change: 'same', text, before: left, after: right };
    }),
  );
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

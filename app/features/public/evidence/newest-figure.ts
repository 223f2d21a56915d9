import type { Bench } from '#app/features/public/evidence/evidence-schema.ts';

/** The newest figure whose line begins so, or null. Lines below another begin with two spaces. */
export function newestFigure(benches: readonly Bench[], start: string): number | null {
  for (const { lines } of benches) {
    const line = lines.find(({ what }) => what.startsWith(start));
    if (line !== undefined) return line.value;
  }
  return null;
}

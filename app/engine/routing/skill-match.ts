import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';

/** The weight of a word by its place. */
const NAME_WEIGHT = 3;
const TITLE_WEIGHT = 2;
const DESCRIPTION_WEIGHT = 1;
/** BM25 (Robertson and Zaragoza 2009), with the usual values. */
const K1 = 1.2;
const B = 0.75;

/** The words of all capabilities of a workspace, made once for each revision. */
export type RouteIndex = {
  capabilities: readonly RoutableCapability[];
  /** Word → (position in `capabilities`, weighted count). */
  postings: ReadonlyMap<string, readonly (readonly [number, number])[]>;
  lengths: readonly number[];
  averageLength: number;
};

export function indexCapabilities(capabilities: readonly RoutableCapability[]): RouteIndex {
  const ordered = [...capabilities].sort((a, b) => (a.id < b.id ? -1 : 1));
  const postings = new Map<string, [number, number][]>();
  const lengths: number[] = [];
  ordered.forEach((capability, position) => {
    const counts = new Map<string, number>();
    for (const [text, weight] of [
      [capability.name, NAME_WEIGHT],
      [capability.title, TITLE_WEIGHT],
      [capability.description.slice(0, 2_000), DESCRIPTION_WEIGHT],
    ] as const)
      for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
    let length = 0;
    for (const [word, count] of counts) {
      length += count;
      const list = postings.get(word);
      if (list === undefined) postings.set(word, [[position, count]]);
      else list.push([position, count]);
    }
    lengths.push(length);
  });
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return { capabilities: ordered, postings, lengths, averageLength: ordered.length === 0 ? 1 : Math.max(1, total / ordered.length) };
}

/** For each capability how well its words match the task, 0 to 1; the best match of all is 1. */
export function matchTask(index: RouteIndex, task: string): Float64Array {
  const scores = new Float64Array(index.capabilities.length);
  const count = index.capabilities.length;
  for (const word of new Set(wordsOf(task))) {
    const list = index.postings.get(word);
    if (list === undefined) continue;
    const rarity = Math.log(1 + (count - list.length + 0.5) / (list.length + 0.5));
    for (const [position, frequency] of list) {
      const length = index.lengths[position] ?? 0;
      scores[position] =
        (scores[position] ?? 0) + (rarity * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / index.averageLength));
    }
  }
  const best = scores.reduce((highest, score) => Math.max(highest, score), 0);
  if (best > 0) for (let position = 0; position < scores.length; position += 1) scores[position] = (scores[position] ?? 0) / best;
  return scores;
}

const STOP_WORDS = new Set([
  'a',
  'an',
  'and',
  'are',
  'as',
  'at',
  'be',
  'by',
  'for',
  'from',
  'in',
  'is',
  'it',
  'of',
  'on',
  'or',
  'that',
  'the',
  'this',
  'to',
  'with',
  'any',
  'all',
]);

/** Lower-case words of a text or an identifier (`screenName`, `detect_personal_data`), plain English plurals cut. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word))
    .map((word) =>
      word.length > 4 && word.endsWith('ies')
        ? `${word.slice(0, -3)}y`
        : word.length > 3 && word.endsWith('s') && !word.endsWith('ss')
          ? word.slice(0, -1)
          : word,
    );
}

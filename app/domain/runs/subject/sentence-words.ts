import type { SubjectPart } from '#app/contracts/runs.ts';

/** A sentence in two languages, with `{{name}}` where a value stands. */
export type SentencePair = { from: string; to: string };
/** Puts a made sentence into other words, its values in their places. One that fits no pair stays as it is. */
export type SentenceWords = (parts: readonly SubjectPart[]) => SubjectPart[];

/** Stand for numbers and amounts while the sentence is one text. */
const FIRST_STAND_IN = 0xe000;
const STAND_IN = /([\ue000-\uf8ff])/;
const PLACE = /\{\{(\w+)\}\}/;

/** `say`: a value of the sentence in those words, where it is a text. */
export function sentenceWords(pairs: readonly SentencePair[], say: (text: string) => string): SentenceWords {
  const patterns = pairs.map(({ from, to }) => ({ ...patternOf(from), to: to.split(PLACE) }));
  return (parts) => {
    if (parts.some((part) => typeof part === 'string' && STAND_IN.test(part))) return [...parts];
    const text = parts.map((part, place) => (typeof part === 'string' ? part : String.fromCharCode(FIRST_STAND_IN + place))).join('');
    for (const { pattern, names, to } of patterns) {
      const found = pattern.exec(text);
      if (found === null) continue;
      const values = new Map(names.map((name, place) => [name, say(found[place + 1] ?? '')]));
      const said = to.map((piece, place) => (place % 2 === 0 ? piece : (values.get(piece) ?? ''))).join('');
      return withValues(said, parts);
    }
    return withValues(say(text), parts);
  };
}

function patternOf(sentence: string): { pattern: RegExp; names: string[] } {
  const pieces = sentence.split(PLACE);
  const names = pieces.filter((_, place) => place % 2 === 1);
  const source = pieces.map((piece, place) => (place % 2 === 1 ? '(.+?)' : piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))).join('');
  return { pattern: new RegExp(`^${source}$`, 'su'), names };
}

const withValues = (text: string, parts: readonly SubjectPart[]): SubjectPart[] =>
  text.split(STAND_IN).flatMap((piece) => {
    const part = STAND_IN.test(piece) ? parts[piece.charCodeAt(0) - FIRST_STAND_IN] : piece;
    return part === undefined || part === '' ? [] : [part];
  });

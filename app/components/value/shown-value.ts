import type { Json } from '#app/contracts/json.ts';
import { hidesText } from '#app/domain/connections/hidden-text.ts';

/** A page holds each value twice (drawn and as data): a longer one is cut. */
const WHOLE_CHARACTERS = 16_000;
const START_CHARACTERS = 4_000;
/** The budget of all values of one page together; after it each is cut to a few lines. */
const PAGE_CHARACTERS = 200_000;
const SHORT_CHARACTERS = 400;

/** The beginning of a long text, the bytes (UTF-8) of all of it, and whether something invisible stands anywhere in it. */
export type TextStart = { start: string; bytes: number; hides: boolean };
/** A value as a page shows it: whole, or the beginning of its formatted JSON. */
export type ShownValue = { whole: Json } | TextStart;
export type ShownText = { whole: string } | TextStart;

/** Cuts the values of one page so that the page stays small. Each value that may be cut needs an address that serves all of it. */
export function valueCutter(): { json: (value: Json) => ShownValue; text: (value: string) => ShownText } {
  let left = PAGE_CHARACTERS;
  const cut = (text: string): TextStart | null => {
    const start = startOf(text, left > 0 ? WHOLE_CHARACTERS : SHORT_CHARACTERS, left > 0 ? START_CHARACTERS : SHORT_CHARACTERS);
    left -= start?.start.length ?? text.length;
    return start;
  };
  return {
    json: (value) => cut(JSON.stringify(value, null, 2)) ?? { whole: value },
    text: (value) => cut(value) ?? { whole: value },
  };
}

/** Null for a text that is shown whole. */
function startOf(text: string, most: number, length: number): TextStart | null {
  if (text.length <= most) return null;
  // Half a surrogate pair is no character
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return { start: text.slice(0, end), bytes: bytesOf(text), hides: hidesText(text) };
}

/** How long a text is in UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

import type { Json } from '#app/contracts/json.ts';

/**
 * Characters that a page does not draw but a model reads: controls, formats (zero-width, bidirectional, tags), fillers, variation selectors,
 * soft hyphens, private and unassigned code points. Line ends and tabs are part of any text.
 */
const HIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const EMOJI_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;
const KEYCAP_BEFORE = /[0-9#*]$/;
/** Scripts that are written with joiners (Unicode 17, chapter 23.2). */
const JOINED =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}]';
const JOINED_BEFORE = new RegExp(`${JOINED}\\p{M}*$`, 'u');
const JOINED_AFTER = new RegExp(`^${JOINED}`, 'u');

/** Joiners and selectors where a script or an emoji is written with them change what is drawn, so they hide nothing. */
function isDrawn(sign: string, text: string, at: number): boolean {
  if (sign !== '\u200C' && sign !== '\u200D' && sign !== '\uFE0F') return false;
  const before = text.slice(Math.max(0, at - 8), at);
  const after = text.slice(at + 1, at + 3);
  if (sign === '\uFE0F') return /\p{Extended_Pictographic}$/u.test(before) || (KEYCAP_BEFORE.test(before) && after.startsWith('\u20E3'));
  if (sign === '\u200D' && EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after)) return true;
  return JOINED_BEFORE.test(before) && JOINED_AFTER.test(after);
}

function replaceHidden(text: string, replace: (sign: string) => string): string {
  return text.replace(HIDDEN, (sign, at: number) => (isDrawn(sign, text, at) ? sign : replace(sign)));
}

export function hidesText(text: string): boolean {
  return replaceHidden(text, () => '') !== text;
}

/** The text as a person sees it. */
export function visibleText(text: string): string {
  return replaceHidden(text.toWellFormed(), () => '');
}

/** The same text with what is invisible spelled out (`\u{200b}`). */
export function revealedText(text: string): string {
  return replaceHidden(text.toWellFormed(), (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

/** JSON text in which nothing hides: what cannot be seen is written as its escape, which means the same. */
export function showHidden(json: string): string {
  return replaceHidden(json, (sign) =>
    [...Array(sign.length).keys()].map((unit) => `\\u${sign.charCodeAt(unit).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** A value as a person sees it: every text in it, names included. */
export function visibleJson<T extends Json>(value: T): T {
  return mapTexts(value, visibleText) as T;
}

function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [map(name), mapTexts(member, map)]));
}

/** Letters that a text carries in tags (U+E0000) or variation selectors, which is how whole sentences are hidden; '' for none. */
export function smuggledText(text: string): string {
  const bytes: number[] = [];
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    if (code > 0xe0000 && code < 0xe007f) bytes.push(code - 0xe0000);
    else if (code >= 0xe0100 && code <= 0xe01ef) bytes.push(code - 0xe0100 + 16);
  }
  return visibleText(new TextDecoder().decode(new Uint8Array(bytes)).replaceAll('\uFFFD', ''));
}

import { createHash } from 'node:crypto';
import { canonicalJson } from '#app/domain/canonical-json.ts';
import type { Json } from '#app/domain/tables.ts';

/** SHA-256 (hex) over the canonical JSON of what a peer says of one tool or skill: the words too, since models and people act on them. */
export function fingerprintOf(definition: { [key: string]: Json }): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex');
}

/** Control, format, private and unassigned characters, fillers and variation selectors: what a reader does not see but a model reads. */
const INVISIBLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/gu;

/** A peer's text made fit to be shown: nothing invisible, white space single, at most `max` characters. */
export function shownText(text: string, max: number): string {
  const clean = text
    .toWellFormed()
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
  if (clean.length <= max) return clean;
  return `${clean
    .slice(0, max - 1)
    .toWellFormed()
    .replaceAll('\uFFFD', '')}…`;
}

/** The same text with what is invisible spelled out (`\u{200b}`), for whoever reviews it. */
export function revealedText(text: string): string {
  return text.toWellFormed().replaceAll(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

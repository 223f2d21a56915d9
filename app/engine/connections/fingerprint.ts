import { createHash } from 'node:crypto';
import { canonicalJson } from '#app/domain/canonical-json.ts';
import type { Json } from '#app/domain/tables.ts';

/** SHA-256 (hex) over the canonical JSON of what a peer says of one tool or skill: the words too, since models and people act on them. */
export function fingerprintOf(definition: { [key: string]: Json }): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex');
}

/** Control, zero-width, bidirectional and tag characters, and variation selectors: what a reader does not see but a model reads. */
const INVISIBLE =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

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

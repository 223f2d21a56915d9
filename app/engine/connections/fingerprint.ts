import { createHash } from 'node:crypto';
import type { Json } from '#app/contracts/json.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { visibleText } from '#app/domain/connections/hidden-text.ts';

/** SHA-256 (hex) over the canonical JSON of what a peer says of one tool or skill: the words too, since models and people act on them. */
export function fingerprintOf(definition: { [key: string]: Json }): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex');
}

/** A peer's text made fit to be shown: nothing invisible, white space single, at most `max` characters. */
export function shownText(text: string, max: number): string {
  const clean = visibleText(text)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
  if (clean.length <= max) return clean;
  return `${clean
    .slice(0, max - 1)
    .toWellFormed()
    .replaceAll('\uFFFD', '')}…`;
}

import { createHash } from 'node:crypto';
import type { Json } from '#app/contracts/json.ts';
import { type ActionSubject, actionText } from '#app/domain/audit/action-digest.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';

/** SHA-256 in hexadecimal over the canonical form of a value (RFC 8785). Throws a TypeError on what has none. */
export function digestOf(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

export function actionDigest(subject: ActionSubject): string {
  return createHash('sha256').update(actionText(subject)).digest('hex');
}

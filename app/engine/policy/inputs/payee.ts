import { createHash } from 'node:crypto';
import type { Json } from '#app/contracts/json.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';

/** Names of fields that say who is paid, in small letters and without other signs. */
const NAMES = /^(?:payee|beneficiary|creditor|recipient|vendor|supplier|merchant)(?:s?(?:id|name|iban|account|accountnumber|number))?$/;
const ACCOUNTS = /^(?:iban|toiban|toaccount|toaccountid|destinationaccount|destinationiban|targetaccount)$/;
/** So deep payees are looked for; of an input that lies deeper none is known, which is a new one. */
const MAX_DEPTH = 4;

type Found = [name: string, value: Json];

/**
 * Whom an input names as its payee, as SHA-256 (hex) over the workspace and all fields that say it; null: none does. The same name with
 * another account is another payee. Spaces and capitals make no difference.
 */
export function payeeOf(workspaceId: string, input: { readonly [key: string]: Json }): string | null {
  const found: Found[] = [];
  collect(input, '', found, MAX_DEPTH);
  if (found.length === 0) return null;
  return createHash('sha256')
    .update(canonicalJson([workspaceId, found.sort(([a], [b]) => (a < b ? -1 : 1))]))
    .digest('hex');
}

function collect(value: Json, path: string, found: Found[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined || inner === null) continue;
    const word = name.toLowerCase().replace(/[^a-z]/g, '');
    const place = `${path}/${name}`;
    if (NAMES.test(word) || ACCOUNTS.test(word)) found.push([place, plain(inner)]);
    else collect(inner, place, found, depth - 1);
  }
}

/** Texts without the differences that make no other payee. */
function plain(value: Json): Json {
  if (typeof value === 'string') return value.normalize('NFKC').replace(/\s+/g, '').toUpperCase();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner ?? null)]));
}

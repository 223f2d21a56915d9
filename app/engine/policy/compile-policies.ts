import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { cedar } from '#app/engine/policy/cedar.ts';
import { BASE_POLICIES, POLICY_SCHEMA } from '#app/engine/policy/policy-schema.ts';
import { type PolicyRule, readPolicyText } from '#app/engine/policy/policy-text.ts';

/** A published policy that is in force. `text` null: its document could not be read, which refuses every call. */
export type PolicySource = { policyId: string; policyName: string; version: number; text: string | null };

export type CompiledRule = PolicyRule & { source: PolicySource };
export type CompiledPolicies = {
  /** SHA-256 (hex) over the canonical JSON of the active policies and the built-in ones. */
  policyVersion: string;
  /** By the id that Cedar answers with. */
  rules: ReadonlyMap<string, CompiledRule>;
  staticPolicies: Readonly<Record<string, string>>;
  /** Set when a policy in force cannot be read: then every call is refused, so that nothing fails open. */
  unreadable: PolicySource | null;
};

/** Reads the policies in force once; `decide` then asks them. Never throws: what cannot be read refuses instead. */
export function compilePolicies(sources: readonly PolicySource[]): CompiledPolicies {
  const ordered = [...sources].sort((a, b) => (a.policyId < b.policyId ? -1 : a.policyId > b.policyId ? 1 : 0));
  const rules = new Map<string, CompiledRule>();
  const staticPolicies: Record<string, string> = { ...BASE_POLICIES };
  let unreadable: PolicySource | null = null;
  for (const source of ordered) {
    const reading = source.text === null ? null : readPolicyText(source.text);
    if (reading === null || reading.issues.length > 0) {
      unreadable ??= source;
      continue;
    }
    for (const rule of reading.rules) {
      const key = `${source.policyId}#${rule.id}`;
      // two rows with one id can only come from a damaged table: refuse rather than let one hide the other
      if (rules.has(key)) unreadable ??= source;
      rules.set(key, { ...rule, source });
      staticPolicies[key] = rule.text;
    }
  }
  const inForce = ordered.map(({ policyId, policyName, version, text }) => ({ policyId, policyName, version, text }));
  const policyVersion = createHash('sha256')
    .update(canonicalJson({ schema: POLICY_SCHEMA, base: BASE_POLICIES, policies: inForce }))
    .digest('hex');
  return { policyVersion, rules, staticPolicies, unreadable };
}

/** Cedar keeps parsed sets by name and never frees one; an empty set gives the memory back. */
const PARSED_LIMIT = 64;
const parsed = new LRUCache<string, true>({
  max: PARSED_LIMIT,
  dispose: (_, name) => void cedar().preparsePolicySet(name, { staticPolicies: {} }),
});

/** Name of the parsed set in Cedar's cache, or null when Cedar refuses it. The least recently used set makes room. */
export function parsedSetOf(compiled: CompiledPolicies): string | null {
  const name = compiled.policyVersion;
  if (parsed.get(name)) return name;
  if (cedar().preparsePolicySet(name, { staticPolicies: { ...compiled.staticPolicies } }).type === 'failure') return null;
  parsed.set(name, true);
  return name;
}

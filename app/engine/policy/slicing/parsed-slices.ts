import { LRUCache } from 'lru-cache';
import { cedar } from '#app/engine/policy/cedar.ts';
import { BASE_POLICIES } from '#app/engine/policy/policy-schema.ts';
import type { PolicyRule } from '#app/engine/policy/policy-text.ts';

type Rule = Pick<PolicyRule, 'text'>;
type Rules = readonly (readonly [id: string, rule: Rule])[];

/** Cedar keeps parsed sets by name and never frees one; an empty set gives the memory back. */
const PARSED_LIMIT = 512;
const parsed = new LRUCache<string, true>({
  max: PARSED_LIMIT,
  dispose: (_, name) => void cedar().preparsePolicySet(name, { staticPolicies: {} }),
});

/** To parse a rule costs as much as to ask twenty: so few are parsed at once, more when they are asked for again, and many never. */
const AT_ONCE = 2;
const AGAIN = 32;
const seen = new LRUCache<string, true>({ max: PARSED_LIMIT });

/**
 * Name in Cedar's cache of the rules that it is asked of a call, parsed; of all where these are cheaper to ask. Null: Cedar refuses them. The least
 * recently used makes room. `about` tells one set of rules and one version of the policies from another.
 */
export function parsedSlice(about: string, all: ReadonlyMap<string, Rule>, chosen: Rules): string | null {
  const whole = `${about}*`;
  if (chosen.length === all.size || chosen.length > AGAIN) return parsedSet(whole, [...all]);
  const name = `${about}/${chosen.map(([id]) => id).join('\0')}`;
  if (chosen.length <= AT_ONCE || parsed.has(name) || seen.has(name)) return parsedSet(name, chosen);
  seen.set(name, true);
  return parsedSet(whole, [...all]);
}

function parsedSet(name: string, rules: Rules): string | null {
  if (parsed.get(name)) return name;
  const staticPolicies = { ...BASE_POLICIES, ...Object.fromEntries(rules.map(([id, { text }]) => [id, text])) };
  if (cedar().preparsePolicySet(name, { staticPolicies }).type === 'failure') return null;
  parsed.set(name, true);
  return name;
}

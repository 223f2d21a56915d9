import type { DetailedError } from '@cedar-policy/cedar-wasm/nodejs';
import { LRUCache } from 'lru-cache';
import type { PolicyIssue } from '#app/contracts/engine.ts';
import { type FieldChange, readChange } from '#app/domain/audit/field-change.ts';
import {
  APPROVERS_MAX,
  DECIDERS,
  type Deciders,
  DUE_HOURS_MAX,
  GROUP_MAX,
  PROOFS,
  type Proof,
  RULE_ID,
  RULE_REASON_MAX,
  RULE_VERDICTS,
} from '#app/domain/audit/policy-rule.ts';
import { cedar } from '#app/engine/policy/cedar.ts';
import { schemaWithTools } from '#app/engine/policy/inputs/input-schema.ts';
import { inputPaths, namedTools } from '#app/engine/policy/inputs/named-inputs.ts';
import { findUnsafeShape, indexAt, placeAt } from '#app/engine/policy/policy-shape.ts';
import { type Foresight, foresightOf } from '#app/engine/policy/slicing/foresee-rules.ts';

/** One `forbid` of a policy's text. `reason` is a key of ours (see `explain-decision.ts`) or a sentence of the author. */
export type PolicyRule = {
  id: string;
  verdict: (typeof RULE_VERDICTS)[number];
  /** What it does to the input of its tools; null: nothing. */
  change: FieldChange | null;
  reason: string;
  text: string;
  /** It decides nothing: decisions note that it would have applied. */
  monitors: boolean;
  /** The terms that the rule sets for an approval; null: the usual ones. */
  approvers: number | null;
  dueHours: number | null;
  deciders: Deciders | null;
  group: string | null;
  reauthenticate: Proof | null;
  /** Names of the author's own annotations, which say nothing to the engine. */
  foreign: readonly string[];
  /** The tools that it names, as `connection/tool`, and whether it is also about calls of anything else. */
  tools: readonly string[];
  others: boolean;
  /** The fields of these tools' inputs that it asks for. */
  inputs: readonly (readonly string[])[];
  /** Tells of most calls, without Cedar, whether the rule applies to them. */
  foresee: Foresight;
};
export type PolicyReading = { rules: PolicyRule[]; issues: PolicyIssue[] };

const CHANGES = ['mask', 'redact', 'cap'] as const;

/** A text always means the same, and is read again with every change of any connection: the result is cached. */
const READINGS_KEPT = 1_000;
const readings = new LRUCache<string, PolicyReading>({ max: READINGS_KEPT });

/** Rules and issues of a text; publishing refuses the whole text when there is one issue. */
export function readPolicyText(text: string): PolicyReading {
  const known = readings.get(text);
  if (known !== undefined) return known;
  const reading = readOrRefuse(text);
  // valid texts only: a failure may pass and must not be cached
  if (reading.issues.length === 0) readings.set(text, reading);
  return reading;
}

function readOrRefuse(text: string): PolicyReading {
  const unsafe = findUnsafeShape(text);
  if (unsafe !== null) return { rules: [], issues: [unsafe] };
  try {
    return readChecked(text);
  } catch (error) {
    return {
      rules: [],
      issues: [{ message: `the policy could not be read: ${error instanceof Error ? error.message : 'unknown failure'}` }],
    };
  }
}

/**
 * Reads many texts at once and keeps them. Cedar reads the vocabulary anew for each check, which takes longer than the check; so rules that are
 * all without fault are checked together. Where one has a fault nothing is kept, and each text is read by itself, which names it.
 */
export function readTogether(texts: readonly string[]): void {
  const fresh = [...new Set(texts)].filter((text) => !readings.has(text) && findUnsafeShape(text) === null);
  if (fresh.length < 2) return;
  try {
    const parsed = fresh.flatMap((text) => {
      const parts = cedar().policySetTextToParts(text);
      const reading = parts.type === 'failure' ? null : readParts(text, parts);
      return reading?.issues.length === 0 ? [{ text, reading }] : [];
    });
    const rules = parsed.flatMap(({ reading }) => reading.rules);
    if (
      !areValid(
        rules.filter(({ others }) => others),
        schemaWithTools(namedIn(rules), new Map()),
      )
    )
      return;
    for (const { text, reading } of parsed) readings.set(text, reading);
  } catch {
    // reading each text by itself refuses what cannot be read
    return;
  }
}

/** Whether Cedar finds neither a fault in any of these rules nor one that never takes effect. */
export function areValid(rules: readonly Pick<PolicyRule, 'text'>[], schema: string): boolean {
  if (rules.length === 0) return true;
  const staticPolicies = Object.fromEntries(rules.map(({ text }, at) => [`rule${at}`, text]));
  const checked = cedar().validate({ schema, policies: { staticPolicies } });
  return checked.type === 'success' && checked.validationErrors.length + checked.validationWarnings.length === 0;
}

function readChecked(text: string): PolicyReading {
  const toIssue = issueMaker(text);
  const parts = cedar().policySetTextToParts(text);
  if (parts.type === 'failure') return { rules: [], issues: parts.errors.map(toIssue) };
  const { rules, issues } = readParts(text, parts);
  const checked = cedar().validate({ schema: schemaWithTools(namedIn(rules), new Map()), policies: { staticPolicies: text } });
  if (checked.type === 'failure') issues.push(...checked.errors.map(toIssue));
  // a warning says that a rule can never take effect: its author would believe in a protection that does not exist
  // a rule about tools alone is checked with the inputs of these tools
  else
    for (const found of [...checked.validationErrors, ...checked.validationWarnings])
      if (ruleAt(text, rules, toIssue(found.error))?.others !== false) issues.push(toIssue(found.error));
  return { rules, issues: unique(issues) };
}

/** The rules of a text and what is wrong with them in themselves. */
function readParts(text: string, parts: { policies: readonly string[]; policy_templates: readonly string[] }): PolicyReading {
  const issues: PolicyIssue[] = [];
  for (const template of parts.policy_templates)
    issues.push({
      message: 'a template with ?principal or ?resource cannot be used; name the principal or the resource',
      ...placeOf(text, template),
    });
  if (parts.policies.length === 0 && parts.policy_templates.length === 0)
    issues.push({ message: 'a policy needs at least one rule', line: 1, column: 1 });
  const rules: PolicyRule[] = [];
  const ids = new Set<string>();
  for (const part of parts.policies) {
    const read = readRule(part);
    if ('message' in read) issues.push({ ...read, ...placeOf(text, part) });
    else if (ids.has(read.id)) issues.push({ message: `two rules have the id "${read.id}"`, ...placeOf(text, part) });
    else {
      ids.add(read.id);
      rules.push(read);
    }
  }
  return { rules, issues };
}

function readRule(text: string): PolicyRule | PolicyIssue {
  const parsed = cedar().policyToJson(text);
  if (parsed.type === 'failure') return { message: parsed.errors[0]?.message ?? 'the rule cannot be read' };
  const { effect, annotations = {} } = parsed.json;
  if (effect !== 'forbid') return { message: 'only forbid rules: what no rule forbids is allowed' };
  const { id = '', verdict = '', reason = '', ...terms } = annotations;
  if (!RULE_ID.test(id)) return { message: 'every rule needs @id("…") of small letters, digits, dots, dashes and underscores' };
  const known = RULE_VERDICTS.find((word) => word === verdict);
  if (known === undefined)
    return { message: 'every rule needs @verdict("deny"), @verdict("require_approval"), @verdict("transform") or @verdict("warn")' };
  if (reason.trim() === '' || reason.length > RULE_REASON_MAX)
    return { message: `every rule needs @reason("…"), a sentence of ${RULE_REASON_MAX} characters at most` };
  const read = readTerms(terms, known);
  if ('message' in read) return read;
  const { tools, others } = namedTools(parsed.json);
  if (read.change !== null && (others || tools.length === 0))
    return { message: 'a rule that changes an input names its tool: action == Action::"connection/tool"' };
  return {
    id,
    verdict: known,
    reason: reason.trim(),
    text,
    ...read,
    tools,
    others,
    inputs: tools.length === 0 ? [] : inputPaths(parsed.json),
    foresee: foresightOf(parsed.json),
  };
}

/** The annotations besides id, verdict and reason. */
function readTerms(
  {
    mode = 'enforce',
    approvers,
    due_hours: dueHours,
    role,
    group,
    reauthenticate,
    mask,
    redact,
    cap,
    ...unknown
  }: Readonly<Record<string, string>>,
  verdict: PolicyRule['verdict'],
): Pick<PolicyRule, 'monitors' | 'approvers' | 'dueHours' | 'deciders' | 'group' | 'reauthenticate' | 'foreign' | 'change'> | PolicyIssue {
  if (mode !== 'monitor' && mode !== 'enforce') return { message: '@mode is "monitor" or "enforce"' };
  if ([approvers, dueHours, role, group, reauthenticate].some((term) => term !== undefined) && verdict !== 'require_approval')
    return { message: 'only a rule that requires an approval has @approvers, @due_hours, @role, @group and @reauthenticate' };
  const [many, hours] = [countOf(approvers, APPROVERS_MAX), countOf(dueHours, DUE_HOURS_MAX)];
  if (many === undefined) return { message: `@approvers is a number from 1 to ${APPROVERS_MAX}` };
  if (hours === undefined) return { message: `@due_hours is a number from 1 to ${DUE_HOURS_MAX}` };
  const who = demandsOf({ role, group, reauthenticate });
  if ('message' in who) return who;
  const change = changeOf({ mask, redact, cap }, verdict);
  if (change !== null && 'message' in change) return change;
  return { monitors: mode === 'monitor', approvers: many, dueHours: hours, ...who, foreign: Object.keys(unknown), change };
}

/** The people an approval is asked of, and how they prove that it is them. */
function demandsOf({
  role,
  group,
  reauthenticate,
}: Readonly<Record<'role' | 'group' | 'reauthenticate', string | undefined>>):
  | Pick<PolicyRule, 'deciders' | 'group' | 'reauthenticate'>
  | PolicyIssue {
  const deciders = DECIDERS.find((known) => known === role);
  if (role !== undefined && deciders === undefined) return { message: '@role is "admin": without it approvers decide' };
  if (group !== undefined && (group.trim() !== group || group === '' || group.length > GROUP_MAX || /\p{Cc}/u.test(group)))
    return { message: `@group is the name of a group of the directory, of ${GROUP_MAX} characters at most` };
  const proof = PROOFS.find((known) => known === reauthenticate);
  if (reauthenticate !== undefined && proof === undefined) return { message: '@reauthenticate is "password" or "factor"' };
  return { deciders: deciders ?? null, group: group ?? null, reauthenticate: proof ?? null };
}

/** A rule with the verdict transform changes one field in one way, and no other rule does. */
function changeOf(
  ways: Readonly<Record<FieldChange['how'], string | undefined>>,
  verdict: PolicyRule['verdict'],
): FieldChange | PolicyIssue | null {
  const given = CHANGES.flatMap((how) => (ways[how] === undefined ? [] : [{ how, text: ways[how] }]));
  const [only, ...more] = given;
  if (verdict !== 'transform')
    return only === undefined ? null : { message: 'only a rule with @verdict("transform") has @mask, @redact or @cap' };
  const read = only === undefined || more.length > 0 ? null : readChange(only.how, only.text);
  return read ?? { message: 'a rule that transforms has one of @mask("field"), @redact("field") and @cap("field 500")' };
}

/** Null: not given. Undefined: not a whole number from 1 to the most. */
function countOf(text: string | undefined, most: number): number | null | undefined {
  if (text === undefined) return null;
  return /^[1-9]\d{0,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}

export const namedIn = (rules: readonly PolicyRule[]): string[] => [...new Set(rules.flatMap(({ tools }) => tools))];

/** The rule in which an issue lies. */
export function ruleAt<Rule extends PolicyRule>(text: string, rules: readonly Rule[], { line, column }: PolicyIssue): Rule | undefined {
  if (line === undefined || column === undefined) return undefined;
  const at = indexAt(text, line, column);
  return rules.find((rule) => {
    const start = text.indexOf(rule.text);
    return start !== -1 && at >= start && at <= start + rule.text.length;
  });
}

export function placeOf(text: string, part: string): { line?: number; column?: number } {
  const index = text.indexOf(part);
  return index === -1 ? {} : placeAt(text, index);
}

/** Cedar counts places in bytes of UTF-8, an editor in UTF-16 units. */
export function issueMaker(text: string): (error: DetailedError) => PolicyIssue {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  return (error) => {
    const label = error.sourceLocations?.[0];
    const message = [
      error.message.replace(/^for policy `[^`]*`, /, '').replace(/ for Action::"\w+"(?= not found)/, ''),
      label?.label,
      error.help,
    ]
      .filter(Boolean)
      .join('; ');
    if (label === undefined) return { message };
    return { message, ...placeAt(text, decoder.decode(bytes.subarray(0, label.start)).length) };
  };
}

function unique(issues: PolicyIssue[]): PolicyIssue[] {
  const seen = new Map(issues.map((issue) => [`${issue.line ?? 0}:${issue.column ?? 0}:${issue.message}`, issue]));
  return [...seen.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

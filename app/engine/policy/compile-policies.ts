import { createHash } from 'node:crypto';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { type AskedFacts, askedFacts } from '#app/engine/policy/inputs/asked-facts.ts';
import { checkTool, fitTogether, type ToolSchemas } from '#app/engine/policy/inputs/check-inputs.ts';
import { readToolInput, type ToolInput } from '#app/engine/policy/inputs/input-type.ts';
import { BASE_POLICIES, POLICY_SCHEMA } from '#app/engine/policy/policy-schema.ts';
import { type PolicyRule, readPolicyText, readTogether, ruleAt } from '#app/engine/policy/policy-text.ts';

/** A published policy that is in force. `text` null: its document could not be read, which refuses every call. */
export type PolicySource = { policyId: string; policyName: string; version: number; text: string | null };

export type CompiledRule = PolicyRule & { source: PolicySource };
/** `decides`: not all rules that name it are in monitor mode. `paths`: what those that decide ask for; `monitored`: what the others ask for. */
export type CompiledTool = {
  input: ToolInput;
  decides: boolean;
  paths: readonly (readonly string[])[];
  monitored: readonly (readonly string[])[];
  unfit: CompiledRule | null;
  /** The rules that name it, by the id that Cedar answers with: no other can apply to its calls with their input. */
  rules: ReadonlyMap<string, CompiledRule>;
};
export type CompiledPolicies = {
  /** SHA-256 (hex) over the canonical JSON of the active policies and the built-in ones. */
  policyVersion: string;
  /** By the id that Cedar answers with. */
  rules: ReadonlyMap<string, CompiledRule>;
  /** Those of them that are not about named tools alone. */
  general: ReadonlyMap<string, CompiledRule>;
  /** By `connection/tool`: all that the rules which name it ask for; `unfit`: a rule that its input no longer fits. */
  tools: ReadonlyMap<string, CompiledTool>;
  /** What their texts ask for besides what every decision has. */
  asked: AskedFacts;
  /** Set when a policy in force cannot be read: then every call is refused, so that nothing fails open. */
  unreadable: PolicySource | null;
};

/** Reads the policies in force once, for tools with these input schemas; `decide` then asks them. Never throws: what cannot be read refuses instead. */
export function compilePolicies(sources: readonly PolicySource[], schemas: ToolSchemas = new Map()): CompiledPolicies {
  const ordered = [...sources].sort((a, b) => (a.policyId < b.policyId ? -1 : a.policyId > b.policyId ? 1 : 0));
  const rules = new Map<string, CompiledRule>();
  const general = new Map<string, CompiledRule>();
  const readings: { text: string; rules: CompiledRule[] }[] = [];
  let unreadable: PolicySource | null = null;
  readTogether(ordered.flatMap(({ text }) => (text === null ? [] : [text])));
  for (const source of ordered) {
    const reading = source.text === null ? null : readPolicyText(source.text);
    if (reading === null || reading.issues.length > 0) {
      unreadable ??= source;
      continue;
    }
    for (const rule of reading.rules) {
      const key = ruleKey(source, rule);
      // two rows with one id can only come from a damaged table: refuse rather than let one hide the other
      if (rules.has(key)) unreadable ??= source;
      const compiled = { ...rule, source };
      rules.set(key, compiled);
      if (rule.others) general.set(key, compiled);
    }
    readings.push({ text: source.text ?? '', rules: reading.rules.map((rule) => ({ ...rule, source })) });
  }
  const inForce = ordered.map(({ policyId, policyName, version, text }) => ({ policyId, policyName, version, text }));
  const policyVersion = createHash('sha256')
    .update(canonicalJson({ schema: POLICY_SCHEMA, base: BASE_POLICIES, policies: inForce }))
    .digest('hex');
  const asked = askedFacts(readings.map(({ text }) => text));
  return { policyVersion, rules, general, tools: toolsOf(readings, schemas), asked, unreadable };
}

const eachOnce = (paths: readonly (readonly string[])[]) => [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()];

const ruleKey = (source: PolicySource, rule: PolicyRule) => `${source.policyId}#${rule.id}`;

/** The tools that rules name. One whose input a rule does not fit is not called until either is corrected. */
function toolsOf(readings: readonly { text: string; rules: readonly CompiledRule[] }[], schemas: ToolSchemas): Map<string, CompiledTool> {
  const named = new Set(readings.flatMap(({ rules }) => rules.flatMap(({ tools }) => tools)));
  return new Map(
    [...named].map((action) => {
      const input = readToolInput(schemas.get(action) ?? null);
      const asking = readings.filter(({ rules }) => rules.some(({ tools }) => tools.includes(action)));
      const mine = asking.flatMap(({ rules }) => rules.filter(({ tools }) => tools.includes(action)));
      const pathsOf = (monitors: boolean) => eachOnce(mine.filter((rule) => rule.monitors === monitors).flatMap(({ inputs }) => inputs));
      const decides = mine.some(({ monitors }) => !monitors);
      const rules = new Map(mine.map((rule) => [ruleKey(rule.source, rule), rule]));
      return [action, { input, decides, paths: pathsOf(false), monitored: pathsOf(true), unfit: misfitOf(asking, action, input), rules }];
    }),
  );
}

/** A rule that decides and does not fit the input of a tool that it names. */
function misfitOf(
  readings: readonly { text: string; rules: readonly CompiledRule[] }[],
  action: string,
  input: ToolInput,
): CompiledRule | null {
  const deciding = readings.flatMap(({ rules }) => rules.filter(({ tools, monitors }) => tools.includes(action) && !monitors));
  if (fitTogether(deciding, action, input)) return null;
  for (const { text, rules } of readings) {
    const mine = rules.filter(({ tools, monitors }) => tools.includes(action) && !monitors);
    const [issue] = checkTool(text, rules, action, input).filter((one) => ruleAt(text, rules, one)?.monitors !== true);
    if (issue !== undefined && mine[0] !== undefined) return mine.find((rule) => rule === ruleAt(text, rules, issue)) ?? mine[0];
  }
  return null;
}

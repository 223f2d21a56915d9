import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PolicyIssue } from '#app/contracts/engine.ts';
import type { Json } from '#app/contracts/json.ts';
import type { FieldChange } from '#app/domain/audit/field-change.ts';
import { analyseRules } from '#app/engine/policy/analysis/analyse-rules.ts';
import { cedar } from '#app/engine/policy/cedar.ts';
import { schemaWithTools } from '#app/engine/policy/inputs/input-schema.ts';
import { type InputType, readToolInput, type ToolInput } from '#app/engine/policy/inputs/input-type.ts';
import { areValid, issueMaker, namedIn, type PolicyRule, placeOf, readPolicyText, ruleAt } from '#app/engine/policy/policy-text.ts';

/** Input schemas of the workspace's tools, by `connection/tool`. */
export type ToolSchemas = ReadonlyMap<string, Json | null>;

/** Names that an author may take for one of ours: a protection that does not exist. Policies in force keep theirs. */
const TERM_LIKE = /mode|monitor|enforce|approv|quorum|due|hour|role|group|auth|mask|redact|cap|transform/i;

const MOST_CHECKS = 1_000;
const checks = new LRUCache<string, readonly PolicyIssue[]>({ max: MOST_CHECKS });

/** Checks a policy: its text, and what its rules ask of the inputs of tools that are approved now. Empty: it is valid. Never throws. */
export function validatePolicyText(text: string, tools: ToolSchemas): PolicyIssue[] {
  const { rules, issues } = readPolicyText(text);
  if (issues.length > 0) return issues;
  const misspelt = rules.flatMap(({ foreign, text: rule }) =>
    foreign
      .filter((name) => TERM_LIKE.test(name))
      .map((name) => ({
        message: `no rule has @${name}; it may have @mode, @approvers, @due_hours, @role, @group, @reauthenticate, @mask, @redact and @cap`,
        ...placeOf(text, rule),
      })),
  );
  if (misspelt.length > 0) return misspelt;
  const unfit = namedIn(rules).flatMap((action) => {
    if (!tools.has(action)) {
      const rule = rules.find((one) => one.tools.includes(action));
      return [{ message: `no tool "${action}" is approved here`, ...placeOf(text, rule?.text ?? text) }];
    }
    return [...checkTool(text, rules, action, readToolInput(tools.get(action) ?? null))];
  });
  return unfit.length > 0 ? unfit : analyseRules(text).faults;
}

const fitting = new LRUCache<string, true>({ max: MOST_CHECKS });

/** Whether rules of valid texts all fit the input of a tool, checked at once: of many that is far quicker than one by one. Never throws. */
export function fitTogether(rules: readonly PolicyRule[], action: string, tool: ToolInput): boolean {
  if (rules.some(({ change }) => change !== null && !canChange(tool.type, change))) return false;
  const schema = schemaWithTools(namedIn(rules), new Map([[action, tool]]));
  const key = createHash('sha256')
    .update(JSON.stringify([schema, ...rules.map(({ text }) => text)]))
    .digest('hex');
  if (fitting.has(key)) return true;
  try {
    if (!areValid(rules, schema)) return false;
  } catch {
    // each rule by itself then refuses what cannot be checked
    return false;
  }
  fitting.set(key, true);
  return true;
}

/** Why the rules of a valid text do not fit the input of one tool. */
export function checkTool(text: string, rules: readonly PolicyRule[], action: string, tool: ToolInput): readonly PolicyIssue[] {
  const schema = schemaWithTools(namedIn(rules), new Map([[action, tool]]));
  const key = `${schema}\0${text}`;
  const known = checks.get(key);
  if (known !== undefined) return known;
  const issues = issuesOf(text, rules, { action, tool, schema });
  checks.set(key, issues);
  return issues;
}

function issuesOf(
  text: string,
  rules: readonly PolicyRule[],
  { action, tool, schema }: { action: string; tool: ToolInput; schema: string },
): PolicyIssue[] {
  const toIssue = issueMaker(text);
  const unfit = rules.filter((rule) => rule.change !== null && rule.tools.includes(action) && !canChange(tool.type, rule.change));
  if (unfit[0] !== undefined)
    return unfit.map((rule) => ({
      message: `${action}: its input has no field that @${rule.change?.how ?? ''} can change: ${rule.change?.path.join('.') ?? ''}`,
      ...placeOf(text, rule.text),
    }));
  const checked = cedar().validate({ schema, policies: { staticPolicies: text } });
  if (checked.type === 'failure') return checked.errors.map(toIssue);
  const found = [...checked.validationErrors, ...checked.validationWarnings].map(({ error }) => toIssue(error));
  return found
    .filter((issue) => ruleAt(text, rules, issue)?.tools.includes(action) !== false)
    .map((issue) => ({ ...issue, message: `${action}: ${issue.message}${leftOutHint(issue.message, tool)}` }));
}

/** Whether a field is there and of the type that a change is made for. */
function canChange(type: InputType & { kind: 'record' }, change: FieldChange): boolean {
  let found: InputType | undefined = type;
  for (const name of change.path) found = found?.kind === 'record' ? found.fields.get(name)?.type : undefined;
  if (change.how !== 'cap') return found?.kind === 'text';
  return found?.kind === 'decimal' || (found?.kind === 'whole' && Number.isInteger(change.limit));
}

/** An attribute that is missing because Cedar has no type for it says so. */
function leftOutHint(message: string, { leftOut }: ToolInput): string {
  const hidden = leftOut.filter(
    (path) =>
      message.includes(`\`${path.slice(path.lastIndexOf('/') + 1)}\``) || message.includes(`.${path.slice(1).replaceAll('/', '.')}\``),
  );
  return hidden.length === 0 ? '' : `; rules cannot ask for ${hidden.join(', ')}: its type says more than Cedar can`;
}

import type { policyToJson } from '@cedar-policy/cedar-wasm/nodejs';
import { RULE_ACTIONS, RULE_VERDICTS, type RuleCondition, type RuleForm } from '#app/domain/audit/policy-rule.ts';
import { isRole } from '#app/domain/people/roles.ts';
import { cedar } from '#app/engine/policy/cedar.ts';
import { quoted } from '#app/engine/policy/cedar-string.ts';
import { conditionText, readConditions } from '#app/engine/policy/rule-conditions.ts';

const COUNT = /^(?:[1-9]\d{0,2})?$/;
const COMMENT = /"(?:[^"\\]|\\[\s\S])*"|(\/\/)/g;

/**
 * One rule's text as the form can show it; null: it says more than the form has words for, or holds a comment that would be lost, so
 * it stays text. The answer means exactly what the text means. Who calls has measured the text (`findUnsafeShape`).
 */
export function readRuleForm(text: string): RuleForm | null {
  if ([...text.matchAll(COMMENT)].some((match) => match[1] !== undefined)) return null;
  const parsed = cedar().policyToJson(text);
  if (parsed.type === 'failure') return null;
  const { effect, principal, action, resource, conditions, annotations = {} } = parsed.json;
  const { id = '', verdict: word, reason = '', mode = 'enforce', approvers = '', due_hours: dueHours = '', ...foreign } = annotations;
  const verdict = RULE_VERDICTS.find((known) => known === word);
  if (effect !== 'forbid' || verdict === undefined || resource.op !== 'All' || Object.keys(foreign).length > 0) return null;
  const role = readRole(principal);
  const actions = readActions(action);
  const read = readConditions(conditions);
  if (role === null || actions === null || read === null) return null;
  if ((mode !== 'enforce' && mode !== 'monitor') || ![approvers, dueHours].every((count) => COUNT.test(count))) return null;
  return { id, verdict, reason: reason ?? '', role, actions, conditions: read, approvers, dueHours, monitors: mode === 'monitor' };
}

type Read = Extract<ReturnType<typeof policyToJson>, { type: 'success' }>['json'];

function readRole(principal: Read['principal']): RuleForm['role'] | null {
  if (principal.op === 'All') return '';
  const entity = principal.op === 'in' && 'entity' in principal ? principal.entity : null;
  const { type, id } = entity !== null && 'type' in entity ? entity : { type: '', id: '' };
  return type === 'Role' && isRole(id) ? id : null;
}

function readActions(action: Read['action']): RuleForm['actions'] | null {
  if (action.op === 'All') return [];
  const entities = 'entities' in action ? action.entities : 'entity' in action ? [action.entity] : [];
  const names = entities.map((entity) => ('type' in entity && entity.type === 'Action' ? entity.id : ''));
  const known = RULE_ACTIONS.filter((name) => names.includes(name));
  return names.length > 0 && names.every((name) => known.some((one) => one === name)) ? known : null;
}

/** The Cedar text of a rule, without a line break at its end. */
export function writeRule({ id, verdict, reason, role, actions, conditions, approvers, dueHours, monitors }: RuleForm): string {
  const principal = role === '' ? 'principal' : `principal in Role::${quoted(role)}`;
  const named = actions.map((action) => `Action::${quoted(action)}`);
  const action =
    named.length === 0 || named.length === RULE_ACTIONS.length
      ? 'action'
      : named.length === 1
        ? `action == ${named[0]}`
        : `action in [${named.join(', ')}]`;
  return [
    `@id(${quoted(id)})`,
    `@verdict(${quoted(verdict)})`,
    `@reason(${quoted(reason)})`,
    ...(approvers === '' ? [] : [`@approvers(${quoted(approvers)})`]),
    ...(dueHours === '' ? [] : [`@due_hours(${quoted(dueHours)})`]),
    ...(monitors ? ['@mode("monitor")'] : []),
    `forbid(${principal}, ${action}, resource)${conditions.length === 0 ? ';' : ''}`,
    ...clause(
      'when',
      conditions.filter(({ holds }) => holds),
      ' && ',
      conditions.every(({ holds }) => holds),
    ),
    ...clause(
      'unless',
      conditions.filter(({ holds }) => !holds),
      ' || ',
      true,
    ),
  ].join('\n');
}

function clause(kind: 'when' | 'unless', conditions: readonly RuleCondition[], join: string, last: boolean): string[] {
  if (conditions.length === 0) return [];
  return [`${kind} { ${conditions.map(conditionText).join(join)} }${last ? ';' : ''}`];
}

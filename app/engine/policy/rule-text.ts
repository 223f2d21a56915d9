import type { policyToJson } from '@cedar-policy/cedar-wasm/nodejs';
import { changeText, type FieldChange, readChange } from '#app/domain/audit/field-change.ts';
import { DECIDERS, GROUP_MAX, PROOFS, RULE_ACTIONS, RULE_VERDICTS, type RuleForm } from '#app/domain/audit/policy-rule.ts';
import { isRole } from '#app/domain/people/roles.ts';
import { cedar } from '#app/engine/policy/cedar.ts';
import { quoted } from '#app/engine/policy/cedar-string.ts';
import { conditionText, readConditions } from '#app/engine/policy/rule-conditions.ts';
import { inputText } from '#app/engine/policy/rule-inputs.ts';

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
  const { id = '', verdict: word, reason = '', mode = 'enforce', approvers = '', due_hours: dueHours = '', ...more } = annotations;
  const { role: deciding = '', group = '', reauthenticate: proof = '', mask, redact, cap, ...foreign } = more;
  const verdict = RULE_VERDICTS.find((known) => known === word);
  if (effect !== 'forbid' || verdict === undefined || resource.op !== 'All' || Object.keys(foreign).length > 0) return null;
  const role = readRole(principal);
  const called = readActions(action);
  const read = readConditions(conditions);
  if (role === null || called === null || read === null || (read.inputs.length > 0 && called.tool === '')) return null;
  if ((mode !== 'enforce' && mode !== 'monitor') || ![approvers, dueHours].every((count) => COUNT.test(count))) return null;
  const deciders = (['', ...DECIDERS] as const).find((known) => known === deciding);
  const reauthenticate = (['', ...PROOFS] as const).find((known) => known === proof);
  const change = readOnlyChange({ mask, redact, cap });
  if (deciders === undefined || reauthenticate === undefined || change === undefined || !isGroup(group)) return null;
  if ((change === null) === (verdict === 'transform') || (change !== null && called.tool === '')) return null;
  const demanded = { approvers, dueHours, deciders, group, reauthenticate };
  return { id, verdict, reason: reason ?? '', role, ...called, ...read, ...demanded, change, monitors: mode === 'monitor' };
}

/** A name that the form gives back unchanged. */
const isGroup = (name: string | null) => name !== null && name.trim() === name && name.length <= GROUP_MAX && !/\p{Cc}/u.test(name);

/** Null: none. Undefined: several, or one that would be written in other words. */
function readOnlyChange(ways: Readonly<Record<FieldChange['how'], string | null | undefined>>): FieldChange | null | undefined {
  const given = (['mask', 'redact', 'cap'] as const).flatMap((how) => (ways[how] === undefined ? [] : [{ how, text: ways[how] ?? '' }]));
  const [only, ...others] = given;
  if (only === undefined) return null;
  const change = others.length > 0 ? null : readChange(only.how, only.text);
  return change !== null && changeText(change) === only.text ? change : undefined;
}

type Read = Extract<ReturnType<typeof policyToJson>, { type: 'success' }>['json'];

function readRole(principal: Read['principal']): RuleForm['role'] | null {
  if (principal.op === 'All') return '';
  const entity = principal.op === 'in' && 'entity' in principal ? principal.entity : null;
  const { type, id } = entity !== null && 'type' in entity ? entity : { type: '', id: '' };
  return type === 'Role' && isRole(id) ? id : null;
}

function readActions(action: Read['action']): Pick<RuleForm, 'actions' | 'tool'> | null {
  if (action.op === 'All') return { actions: [], tool: '' };
  const entities = 'entities' in action ? action.entities : 'entity' in action ? [action.entity] : [];
  const names = entities.map((entity) => ('type' in entity && entity.type === 'Action' ? entity.id : ''));
  const [only] = names;
  if (action.op === '==' && only?.includes('/')) return { actions: [], tool: only };
  const known = RULE_ACTIONS.filter((name) => names.includes(name));
  return names.length > 0 && names.every((name) => known.some((one) => one === name)) ? { actions: known, tool: '' } : null;
}

/** The Cedar text of a rule, without a line break at its end. */
export function writeRule(form: RuleForm): string {
  const { id, verdict, reason, role, conditions, inputs, approvers, dueHours, deciders, group, reauthenticate, change, monitors } = form;
  const principal = role === '' ? 'principal' : `principal in Role::${quoted(role)}`;
  const all = [
    ...conditions.map((one) => ({ holds: one.holds, text: conditionText(one) })),
    ...inputs.map((one) => ({ holds: one.holds, text: inputText(one) })),
  ];
  const textsOf = (holds: boolean) => all.filter((one) => one.holds === holds).map(({ text }) => text);
  return [
    `@id(${quoted(id)})`,
    `@verdict(${quoted(verdict)})`,
    `@reason(${quoted(reason)})`,
    ...(approvers === '' ? [] : [`@approvers(${quoted(approvers)})`]),
    ...(dueHours === '' ? [] : [`@due_hours(${quoted(dueHours)})`]),
    ...(deciders === '' ? [] : [`@role(${quoted(deciders)})`]),
    ...(group === '' ? [] : [`@group(${quoted(group)})`]),
    ...(reauthenticate === '' ? [] : [`@reauthenticate(${quoted(reauthenticate)})`]),
    ...(change === null ? [] : [`@${change.how}(${quoted(changeText(change) ?? '')})`]),
    ...(monitors ? ['@mode("monitor")'] : []),
    `forbid(${principal}, ${actionText(form)}, resource)${all.length === 0 ? ';' : ''}`,
    ...clause(
      'when',
      textsOf(true),
      ' && ',
      all.every(({ holds }) => holds),
    ),
    ...clause('unless', textsOf(false), ' || ', true),
  ].join('\n');
}

function actionText({ actions, tool }: RuleForm): string {
  const named = (tool === '' ? actions : [tool]).map((action) => `Action::${quoted(action)}`);
  if (tool === '' && (named.length === 0 || named.length === RULE_ACTIONS.length)) return 'action';
  return named.length === 1 ? `action == ${named[0]}` : `action in [${named.join(', ')}]`;
}

function clause(kind: 'when' | 'unless', texts: readonly string[], join: string, last: boolean): string[] {
  return texts.length === 0 ? [] : [`${kind} { ${texts.join(join)} }${last ? ';' : ''}`];
}

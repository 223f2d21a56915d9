import { CONNECTION_KINDS } from '#app/contracts/connection-kind.ts';
import { RISKS } from '#app/contracts/statuses.ts';
import { type RuleCondition, type RuleForm, WEEKDAYS } from '#app/domain/audit/policy-rule.ts';
import type { InputCondition } from '#app/domain/audit/rule-input.ts';
import { anyValue, type Compared, entails, isEmpty, narrowed, type ValueRange } from '#app/engine/policy/analysis/value-range.ts';

/** A condition on one fact. `mayMiss`: the fact may be absent, and then a comparison is not met. */
export type Atom = { fact: string; compared: Compared | null; met: boolean; mayMiss: boolean };

/** The facts that a rule's conditions leave open. `unless`: comparisons of what may be absent, which must not be met. */
export type RuleRanges = {
  facts: ReadonlyMap<string, ValueRange>;
  present: ReadonlyMap<string, boolean>;
  unless: readonly Atom[];
  clash: boolean;
};

const CLOSED: Readonly<Record<string, readonly string[]>> = {
  mode: ['live', 'test'],
  risk: RISKS,
  kind: CONNECTION_KINDS,
  state: ['approved', 'changed', 'pending', 'removed'],
  weekday: WEEKDAYS,
};
const WORDS: Partial<Record<RuleCondition['test'], readonly [fact: string, value: string]>> = {
  ...{ modeLive: ['mode', 'live'], modeTest: ['mode', 'test'] },
  ...{ riskLow: ['risk', 'low'], riskMedium: ['risk', 'medium'], riskHigh: ['risk', 'high'] },
  ...{ mcp: ['kind', 'mcp'], a2a: ['kind', 'a2a'], model: ['kind', 'model'], app: ['kind', 'app'] },
  ...{ stateApproved: ['state', 'approved'], stateChanged: ['state', 'changed'] },
  ...{ statePending: ['state', 'pending'], stateRemoved: ['state', 'removed'] },
};
const NAMES: Partial<Record<RuleCondition['test'], string>> = {
  ...{ connectionIs: 'connection', nameIs: 'name', workflowIs: 'workflow', agentIs: 'agent', hostIs: 'host', weekdayIs: 'weekday' },
};
const COUNTS: Partial<Record<RuleCondition['test'], readonly [fact: string, digits: number]>> = {
  ...{ findingsAtLeast: ['findings', 0], hourAtLeast: ['hour', 0], callsAtLeast: ['calls', 0], costAtLeast: ['cost', 4] },
  ...{ approvalsAtLeast: ['approvals', 0], payeeCallsAtLeast: ['payeeCalls', 0] },
  ...{ callsTodayAtLeast: ['callsToday', 0], costTodayAtLeast: ['costToday', 4] },
};

/** A decimal as a whole number of its last digit. */
function scaled(text: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(digits, '0')}`);
}

/** All conditions of a rule, and what its tool says of names. */
export function atomsOf({ conditions, inputs, tool }: RuleForm): Atom[] {
  const [slug, ...names] = tool.split('/');
  const named = (fact: string, value: string): Atom => ({ fact, compared: { as: 'text', sign: 'is', value }, met: true, mayMiss: false });
  return [
    ...(names.length === 0 ? [] : [named('connection', slug ?? ''), named('name', names.join('/'))]),
    ...conditions.flatMap(atomsOfCondition),
    ...inputs.map(atomOfInput),
  ];
}

function atomsOfCondition({ test, holds, value }: RuleCondition): Atom[] {
  const one = (fact: string, compared: Compared): Atom => ({ fact, compared, met: holds, mayMiss: false });
  const [word, name, count] = [WORDS[test], NAMES[test], COUNTS[test]];
  if (word !== undefined) return [one(word[0], { as: 'text', sign: 'is', value: word[1] })];
  if (name !== undefined) return [one(name, { as: 'text', sign: 'is', value })];
  if (count !== undefined) return [one(count[0], { as: 'number', sign: 'atLeast', value: scaled(value, count[1]) })];
  if (test === 'newPayee') return [one('payeeCalls', { as: 'number', sign: 'is', value: BigInt(0) })];
  if (test === 'groupIs') return [one('groups', { as: 'list', value })];
  if (test !== 'personalDataKind') return [one(test, { as: 'truth' })];
  const kind = one('kinds', { as: 'list', value });
  // a kind that is found is personal data
  return holds ? [kind, { ...kind, fact: 'personalData', compared: { as: 'truth' } }] : [kind];
}

function atomOfInput({ path, kind, comparison, value, holds, guarded }: InputCondition): Atom {
  const fact = `input ${JSON.stringify(path)} ${kind === 'decimal' || kind === 'whole' ? kind : ''}`.trim();
  const base = { fact: `input ${JSON.stringify(path)}`, met: holds, mayMiss: guarded };
  if (kind === null || comparison === 'given' || comparison === 'yes')
    return { ...base, compared: comparison === 'given' ? null : { as: 'truth' }, mayMiss: comparison === 'given' || guarded };
  if (kind === 'list') return { ...base, compared: { as: 'list', value } };
  if (kind === 'text')
    return { ...base, compared: { as: 'text', sign: comparison === 'begins' || comparison === 'contains' ? comparison : 'is', value } };
  const sign = comparison === 'begins' || comparison === 'contains' ? 'is' : comparison;
  return { ...base, fact, compared: { as: 'number', sign, value: scaled(value, kind === 'decimal' ? 4 : 0) } };
}

/** The place of a fact among those that may be absent: whatever is compared of it. */
const placeOf = (fact: string) => fact.replace(/ (?:decimal|whole)$/, '');

function startOf(fact: string): ValueRange {
  const zero = { ...anyValue(), least: BigInt(0) };
  if (fact === 'hour') return { ...zero, most: BigInt(23) };
  if (Object.values(COUNTS).some(([counted]) => counted === fact)) return zero;
  return anyValue(CLOSED[fact] ?? null);
}

export function rangesOf(atoms: readonly Atom[]): RuleRanges {
  const facts = new Map<string, ValueRange>();
  const present = new Map<string, boolean>();
  let clash = false;
  const narrow = ({ fact, compared, met }: Atom) => {
    if (compared !== null) facts.set(fact, narrowed(facts.get(fact) ?? startOf(fact), compared, met));
  };
  const sure = atoms.filter(({ compared, met, mayMiss }) => met || !mayMiss || compared === null);
  for (const atom of sure) {
    if (atom.mayMiss || atom.fact.startsWith('input ')) {
      const is = atom.compared === null ? atom.met : true;
      if (present.get(placeOf(atom.fact)) === !is) clash = true;
      present.set(placeOf(atom.fact), is);
    }
    narrow(atom);
  }
  const unless = atoms.filter((atom) => !sure.includes(atom));
  for (const atom of unless) if (present.get(placeOf(atom.fact)) === true) narrow(atom);
  return { facts, present, unless: unless.filter(({ fact }) => present.get(placeOf(fact)) === undefined), clash };
}

/** True: no call meets all conditions. */
export const neverMet = ({ facts, clash }: RuleRanges): boolean => clash || [...facts.values()].some(isEmpty);

/** True: a call that meets all conditions also meets this one. */
export function implied({ facts, present, unless }: RuleRanges, atom: Atom): boolean {
  const there = present.get(placeOf(atom.fact));
  if (atom.compared === null) return there === atom.met;
  const { compared, met } = atom;
  const inRange = entails(facts.get(atom.fact) ?? startOf(atom.fact), compared, met);
  if (!atom.mayMiss) return inRange;
  if (met) return there === true && inRange;
  if (there !== undefined) return !there || inRange;
  // without knowing whether it is there: what must not be met includes it
  const alone = narrowed(startOf(atom.fact), compared, true);
  return unless.some((one) => one.fact === atom.fact && one.compared !== null && entails(alone, one.compared, true));
}

import type { PolicyIssue } from '#app/contracts/engine.ts';
import { DUE_HOURS_MAX, PROOFS, RULE_ACTIONS, type RuleForm } from '#app/domain/audit/policy-rule.ts';
import { type Atom, atomsOf, implied, neverMet, type RuleRanges, rangesOf } from '#app/engine/policy/analysis/rule-ranges.ts';
import { readRules } from '#app/engine/policy/policy-rules.ts';
import { placeOf } from '#app/engine/policy/policy-text.ts';

type Known = { form: RuleForm; text: string; atoms: Atom[]; ranges: RuleRanges };
/** `faults`: rules that can never apply. `notes`: rules that say less, or more, than an author may think. */
export type RuleAnalysis = { faults: PolicyIssue[]; notes: PolicyIssue[] };

/**
 * What is certain about the rules of a valid text, by the comparisons that the form can write. Of a rule with other words nothing is said.
 * Texts as they stand; each finding has the line at which its rule begins.
 */
export function analyseRules(text: string): RuleAnalysis {
  const known = (readRules(text) ?? []).flatMap(({ form, text: rule }): Known[] => {
    if (form === null) return [];
    const atoms = atomsOf(form);
    return [{ form, text: rule, atoms, ranges: rangesOf(atoms) }];
  });
  const at = ({ text: rule }: Known, message: string): PolicyIssue => ({ message, ...placeOf(text, rule) });
  const dead = known.filter(({ ranges }) => neverMet(ranges));
  // what a rule changes in the input decides what the others see of it: of such rules nothing more is said
  const live = known.filter((rule) => !dead.includes(rule) && rule.form.change === null);
  return {
    faults: dead.map((rule) => at(rule, `"${rule.form.id}" never applies: no call can meet all of its conditions`)),
    notes: live.flatMap((rule, index) => {
      const said = [noteOf(rule, live, index), alwaysOf(rule, live, index)];
      return said.flatMap((message) => (message === null ? [] : [at(rule, message)]));
    }),
  };
}

function alwaysOf(rule: Known, live: readonly Known[], index: number): string | null {
  const { form } = rule;
  if (form.monitors || form.verdict !== 'deny' || form.role !== '') return null;
  const conditions = conditionsOf(rule);
  const about = form.tool !== '' ? `call of ${form.tool}` : isEvery(form) ? 'call' : `call by ${form.actions.join(' and ')}`;
  const always = rangesOf(atomsOf({ ...form, conditions: [], inputs: [] }));
  if (conditions.every((atom) => implied(always, atom))) return `"${form.id}" denies every ${about}`;
  const [only] = conditions;
  if (conditions.length !== 1 || only === undefined) return null;
  const opposite = live.slice(0, index).find((other) => {
    const [theirs] = conditionsOf(other);
    const same = other.form.verdict === 'deny' && !other.form.monitors && other.form.role === '' && covers(other.form, form);
    if (!same || covers(form, other.form) === false || conditionsOf(other).length !== 1 || theirs === undefined) return false;
    // where this one is not met, the other is
    return implied(rangesOf([...rule.atoms.filter((atom) => atom !== only), { ...only, met: !only.met }]), theirs);
  });
  return opposite === undefined ? null : `"${form.id}" and "${opposite.form.id}" together deny every ${about}`;
}

/** Its conditions beside what its tool says of names. */
const conditionsOf = ({ form, atoms }: Known) => atoms.slice(form.tool === '' ? 0 : 2);
const isEvery = ({ tool, actions }: RuleForm) => tool === '' && (actions.length === 0 || actions.length === RULE_ACTIONS.length);

/** Whether another rule takes a rule's effect away, or says otherwise of the same calls. */
function noteOf(rule: Known, live: readonly Known[], index: number): string | null {
  if (rule.form.monitors) return null;
  for (const [place, other] of live.entries()) {
    if (other === rule || other.form.monitors || !contains(other, rule)) continue;
    const same = contains(rule, other);
    if (same && other.form.verdict !== rule.form.verdict && place < index)
      return `"${rule.form.id}" contradicts "${other.form.id}": both are about the same calls, and the stricter one decides`;
    if (same && place > index) continue;
    if (takesAway(other.form, rule.form)) return `"${rule.form.id}" has no effect: "${other.form.id}" decides every call that it is about`;
  }
  return null;
}

/** Whether a rule applies to every call that another applies to. */
function contains(wide: Known, narrow: Known): boolean {
  return covers(wide.form, narrow.form) && conditionsOf(wide).every((atom) => implied(narrow.ranges, atom));
}

function covers(wide: RuleForm, narrow: RuleForm): boolean {
  if (wide.role !== '' && wide.role !== narrow.role) return false;
  if (wide.tool !== '') return wide.tool === narrow.tool;
  if (isEvery(wide)) return true;
  const called = narrow.tool !== '' ? (['call_tool'] as const) : isEvery(narrow) ? RULE_ACTIONS : narrow.actions;
  return called.every((action) => wide.actions.includes(action));
}

/** A warning under an approval still shows once the call is approved: only what is denied, or the same with stricter terms, takes all away. */
function takesAway(other: RuleForm, rule: RuleForm): boolean {
  if (other.verdict === 'deny') return true;
  if (other.verdict !== rule.verdict) return false;
  const [hours, theirs] = [Number(rule.dueHours || DUE_HOURS_MAX), Number(other.dueHours || DUE_HOURS_MAX)];
  const sameDeciders = (rule.deciders === '' || rule.deciders === other.deciders) && (rule.group === '' || rule.group === other.group);
  const asProven = ['', ...PROOFS].indexOf(other.reauthenticate) >= ['', ...PROOFS].indexOf(rule.reauthenticate);
  return Number(other.approvers || 1) >= Number(rule.approvers || 1) && theirs <= hours && sameDeciders && asProven;
}

import { RULE_ID, type RuleForm, type RulePart } from '#app/domain/audit/policy-rule.ts';
import { cedar } from '#app/engine/policy/cedar.ts';
import { findUnsafeShape } from '#app/engine/policy/policy-shape.ts';
import { readRuleForm } from '#app/engine/policy/rule-text.ts';

/** The rules of a text, in its order; null: it does not parse. Never throws. */
export function readRules(text: string): RulePart[] | null {
  const parts = partsOf(text);
  if (parts === null) return null;
  const forms = parts.map((part) => readForm(part));
  const ids = forms.map((form) => form?.id ?? '');
  return parts.map((part, index) => {
    const form = forms[index] ?? null;
    // a rule is found by its id: one without can only be told apart in the text
    const known = form !== null && RULE_ID.test(form.id) && ids.indexOf(form.id) === ids.lastIndexOf(form.id);
    return { text: part, form: known ? form : null };
  });
}

/** The rule of an id where the form can show it. */
export function findRule(text: string, id: string): RulePart | null {
  return readRules(text)?.find(({ form }) => form?.id === id) ?? null;
}

/** The text with a rule more at its end. */
export function appendRule(text: string, rule: string): string {
  const above = text.replace(/\s+$/, '');
  return above === '' ? `${rule}\n` : `${above}\n\n${rule}\n`;
}

/**
 * The text with one rule replaced, or taken out where `rule` is null; every other character stays as it is. Null: the rule is not there
 * as it was seen.
 */
export function replaceRule(text: string, part: string, rule: string | null): string | null {
  const before = partsOf(text);
  const index = before?.indexOf(part) ?? -1;
  if (before === null || index === -1) return null;
  const expected = rule === null ? before.toSpliced(index, 1) : before.with(index, rule);
  // the same words may be in a comment: the right place is the one that leaves every other rule unchanged
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const after = text.slice(at + part.length);
    const next =
      rule === null ? text.slice(0, at).replace(/\n+$/, '\n') + after.replace(/^[^\S\n]*\n+/, '\n') : text.slice(0, at) + rule + after;
    const found = partsOf(next) ?? [];
    if (found.length === expected.length && found.every((one, place) => one === expected[place])) return next;
  }
  return null;
}

function partsOf(text: string): string[] | null {
  if (text.trim() === '') return [];
  if (findUnsafeShape(text) !== null) return null;
  try {
    const read = cedar().policySetTextToParts(text);
    return read.type === 'failure' ? null : [...read.policies, ...read.policy_templates];
  } catch {
    return null;
  }
}

function readForm(text: string): RuleForm | null {
  try {
    return readRuleForm(text);
  } catch {
    return null;
  }
}

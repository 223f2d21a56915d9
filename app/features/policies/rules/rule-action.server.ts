import { data, href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { editPolicy } from '#app/engine/commands/policies/edit-policy.ts';
import { appendRule, findRule, readRules, replaceRule } from '#app/engine/policy/policy-rules.ts';
import { findUnsafeShape } from '#app/engine/policy/policy-shape.ts';
import { writeRule } from '#app/engine/policy/rule-text.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { ruleFromForm, ruleSchema } from '#app/features/policies/rules/rule-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Writes one rule into the text of the draft, or takes it out; every other letter of the text stays. */
export async function ruleAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { policy: string; rule?: string };
  context: Readonly<RouterContextProvider>;
}) {
  const policy = await loadPolicyForEdit({ params, context });
  const before = params.rule === undefined ? null : findRule(policy.text, params.rule);
  if (params.rule !== undefined && before === null) throw data({ code: 'not_found' }, { status: 404 });
  const sent = await request.formData();
  const removes = sent.get('intent') === 'remove' && before !== null;
  const parsed = await parseFormData(sent, ruleSchema);
  if (!parsed.ok && !removes) return invalidForm(parsed.reply);
  const rule = parsed.ok && !removes ? ruleFromForm(parsed.value) : null;
  const others = (readRules(policy.text) ?? []).filter((part) => part.text !== before?.text);
  // an id is taken wherever it occurs: also in a rule that only the text can show
  if (rule !== null && others.some((part) => part.text.includes(`@id("${rule.id}")`)))
    return invalidForm(parsed.reply, { fieldErrors: { id: ['ruleIdTaken'] } });
  const written = rule === null ? null : writeRule(rule);
  const text = before === null ? appendRule(policy.text, written ?? '') : replaceRule(policy.text, before.text, written);
  const unsafe = text === null ? null : findUnsafeShape(text);
  if (text === null || unsafe !== null)
    return invalidForm(
      parsed.reply,
      { formErrors: [unsafe === null ? 'draftChangedMeanwhile' : 'policyTooLarge'] },
      unsafe === null ? 409 : 400,
    );
  const { id, name, description, revision } = policy;
  // the revision that the author saw must be that of the text that is overwritten
  if (Number(sent.get('revision')) !== revision) return invalidForm(parsed.reply, { formErrors: ['draftChangedMeanwhile'] }, 409);
  try {
    await performAsMember(context, editPolicy, { policy: id, revision, name, description, text });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/policies/:policy/edit', { policy: id }), removes ? 'policyRuleRemoved' : 'policyRuleSaved');
}

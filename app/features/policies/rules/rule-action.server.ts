import { data, href, type RouterContextProvider } from 'react-router';
import { formAsTyped, invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { editPolicy } from '#app/engine/commands/policies/edit-policy.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';
import { appendRule, findRule, readRules, replaceRule } from '#app/engine/policy/policy-rules.ts';
import { findUnsafeShape } from '#app/engine/policy/policy-shape.ts';
import { writeRule } from '#app/engine/policy/rule-text.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { type ShownTool, toolShown } from '#app/features/policies/rules/load-rule.server.ts';
import { ruleFromForm, ruleSchema, SPARE_INPUTS } from '#app/features/policies/rules/rule-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

/** The form again, with the fields of the tool that is chosen in it. */
export type RuleAnswer = { form: FormResult; shown: ShownTool };
type Refused = { data: FormResult; init: ResponseInit | null };

/** Writes one rule into the text of the draft, or takes it out; every other letter of the text stays. Or shows the fields of a tool. */
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
  const { member, read } = context.get(memberContext);
  const shown = toolShown(textOf(sent, 'tool'), await read((db) => loadToolSchemas(db, member.workspace.id)));
  const answer = ({ data: form, init }: Refused) => data<RuleAnswer>({ form, shown }, { status: init?.status ?? 400 });
  if (sent.get('intent') === 'fields') return data<RuleAnswer>({ form: formAsTyped(withSpareRows(sent, shown)), shown });
  const removes = sent.get('intent') === 'remove' && before !== null;
  const parsed = await parseFormData(sent, ruleSchema);
  if (!parsed.ok && !removes) return answer(invalidForm(parsed.reply));
  const entered = parsed.ok && !removes ? ruleFromForm(parsed.value, shown.fields) : null;
  if (entered !== null && 'faults' in entered) return answer(invalidForm(parsed.reply, { fieldErrors: entered.faults }));
  const rule = entered?.rule ?? null;
  const others = (readRules(policy.text) ?? []).filter((part) => part.text !== before?.text);
  // an id is taken wherever it occurs: also in a rule that only the text can show
  if (rule !== null && others.some((part) => part.text.includes(`@id("${rule.id}")`)))
    return answer(invalidForm(parsed.reply, { fieldErrors: { id: ['ruleIdTaken'] } }));
  const written = rule === null ? null : writeRule(rule);
  const text = before === null ? appendRule(policy.text, written ?? '') : replaceRule(policy.text, before.text, written);
  const unsafe = text === null ? null : findUnsafeShape(text);
  if (text === null) return answer(invalidForm(parsed.reply, { formErrors: ['draftChangedMeanwhile'] }, 409));
  if (unsafe !== null) return answer(invalidForm(parsed.reply, { formErrors: ['policyTooLarge'] }));
  const { id, name, description, revision, examples } = policy;
  // the revision that the author saw must be that of the text that is overwritten
  if (Number(sent.get('revision')) !== revision) return answer(invalidForm(parsed.reply, { formErrors: ['draftChangedMeanwhile'] }, 409));
  try {
    await performAsMember(context, editPolicy, { policy: id, revision, name, description, text, examples });
  } catch (error) {
    return answer(refusedForm(parsed.reply, error));
  }
  return redirectWithNotice(href('/dashboard/policies/:policy/edit', { policy: id }), removes ? 'policyRuleRemoved' : 'policyRuleSaved');
}

function textOf(sent: FormData, name: string): string {
  const value = sent.get(name);
  return typeof value === 'string' ? value : '';
}

function withSpareRows(sent: FormData, { fields }: ShownTool): FormData {
  const rows = new Set([...sent.keys()].flatMap((name) => /^inputs\[(\d+)\]/.exec(name)?.[1] ?? []));
  for (let index = rows.size; fields.length > 0 && index < SPARE_INPUTS; index += 1) sent.append(`inputs[${index}].field`, '');
  return sent;
}

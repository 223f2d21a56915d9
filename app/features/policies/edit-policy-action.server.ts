import { data, href, type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import { toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { PolicyIssue } from '#app/contracts/engine.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { editPolicy } from '#app/engine/commands/policies/edit-policy.ts';
import { publishPolicy } from '#app/engine/commands/policies/publish-policy.ts';
import { policyDocument } from '#app/engine/policy/author-policy.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';
import { findRule, readRules } from '#app/engine/policy/policy-rules.ts';
import { requirePolicyAuthor } from '#app/features/policies/create-policy-action.server.ts';
import { loadPolicyForEdit } from '#app/features/policies/load-policy.server.ts';
import { editPolicySchema } from '#app/features/policies/policy-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

const SHOWN_ISSUES = 20;

function issueMessage({ message: what, line, column }: PolicyIssue): string {
  return line === undefined || column === undefined ? message('policyIssue', { what }) : message('policyIssueAt', { line, column, what });
}

/** Saves the draft, valid or not, or publishes the typed text when it is valid. */
export async function editPolicyAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { policy: string };
  context: Readonly<RouterContextProvider>;
}) {
  requirePolicyAuthor({ context });
  if (!z.uuid().safeParse(params.policy).success) throw data({ code: 'not_found' }, { status: 404 });
  const parsed = await parseForm(request, editPolicySchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { engine } = context.get(servicesContext);
  const { name, description, revision, intent } = parsed.value;
  const { text } = policyDocument(parsed.value.text);
  const publish = intent === 'publish';
  if (publish && readRules(text)?.length === 0) return invalidForm(parsed.reply, { fieldErrors: { text: ['policyNoRule'] } });
  const { member, read } = context.get(memberContext);
  const issues = publish ? engine.validatePolicy(text, await read((db) => loadToolSchemas(db, member.workspace.id))) : [];
  if (issues.length > 0) return invalidForm(parsed.reply, { fieldErrors: { text: issues.slice(0, SHOWN_ISSUES).map(issueMessage) } });
  const onward = rulePath(params.policy, intent, text);
  // an unchanged draft needs no new revision
  if (onward !== null && (await isSaved(context, params.policy, { name, description, revision, text }))) return redirect(onward, 303);
  // the form shows the examples of the draft that its author saw: over another one it is refused
  const { examples } = await loadPolicyForEdit({ params, context });
  const state = { policy: params.policy, revision, name, description, text, examples };
  try {
    if (publish) {
      const outcome = await performAsMember(context, publishPolicy, { ...state, reason: parsed.value.reason });
      if (outcome.state === 'requested') return toAskedChange(outcome.asked);
    } else await performAsMember(context, editPolicy, state);
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  if (onward !== null) return redirect(onward, 303);
  if (publish) return redirectWithNotice(href('/dashboard/policies/:policy', { policy: params.policy }), 'policyPublished');
  return redirectWithNotice(href('/dashboard/policies/:policy/edit', { policy: params.policy }), 'policyDraftSaved');
}

/** The address of the form of a rule or an example; of a rule that the text no longer has, the editor itself. Null: none was asked for. */
function rulePath(policy: string, intent: string, text: string): string | null {
  if (intent === 'save' || intent === 'publish') return null;
  const edit = href('/dashboard/policies/:policy/edit', { policy });
  if (intent === 'newRule') return href('/dashboard/policies/:policy/edit/new-rule', { policy });
  if (intent === 'newExample') return href('/dashboard/policies/:policy/edit/examples/:example', { policy, example: 'new' });
  if (intent.startsWith('example:'))
    return href('/dashboard/policies/:policy/edit/examples/:example', { policy, example: intent.slice('example:'.length) });
  const rule = findRule(text, intent.slice('rule:'.length));
  return rule?.form ? href('/dashboard/policies/:policy/edit/rules/:rule', { policy, rule: rule.form.id }) : edit;
}

async function isSaved(
  context: Readonly<RouterContextProvider>,
  policy: string,
  typed: { name: string; description: string; revision: number; text: string },
): Promise<boolean> {
  const saved = await loadPolicyForEdit({ params: { policy }, context });
  return (['name', 'description', 'revision', 'text'] as const).every((field) => saved[field] === typed[field]);
}

import { data, href, type RouterContextProvider } from 'react-router';
import { type FormErrors, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { readWorkflowFile, writeWorkflowFile } from '#app/domain/workflows/import/workflow-file.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';
import { createWorkflow } from '#app/engine/commands/workflows/create-workflow.ts';
import { importSchema } from '#app/features/workflows/import/import-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

/** A file of ours becomes a workflow at once. One of n8n is shown first, with what did not go over, and sent again as a file of ours. */
export async function importWorkflowAction({ request, context }: { request: Request; context: Readonly<RouterContextProvider> }) {
  const parsed = await parseForm(request, importSchema);
  const refuse = (errors: FormErrors, issues: WorkflowIssue[] = [], status = 400) =>
    data({ form: invalidForm(parsed.reply, errors).data, issues, converted: null }, status);
  if (!parsed.ok) return refuse({});
  const { file, text, name } = parsed.value;
  const given = file === undefined || file.size === 0 ? text : await file.text();
  if (given.trim() === '') return refuse({ fieldErrors: { file: ['required'] } });
  const read = readWorkflowFile(given);
  if ('issues' in read) return refuse({ fieldErrors: { text: ['workflowJson'] } }, read.issues);
  const called = { ...read, name: name === '' ? read.name : name };
  if (read.from === 'n8n') return data({ form: undefined, issues: [], converted: { ...called, text: writeWorkflowFile(called) } });
  if (called.name === '') return refuse({ fieldErrors: { name: ['required'] } });
  try {
    const { id } = await performAsMember(context, createWorkflow, { ...called, template: null });
    return redirectWithNotice(href('/dashboard/workflows/:workflow/edit', { workflow: id }), 'workflowImported');
  } catch (error) {
    const refused = refusedForm(parsed.reply, error);
    return data({ form: refused.data, issues: [], converted: null }, refused.init ?? 400);
  }
}

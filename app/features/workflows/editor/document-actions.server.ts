import { data, href, type RouterContextProvider } from 'react-router';
import { type FormErrors, invalidForm, parseForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { inStoredWords } from '#app/components/text/shipped-texts.server.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { readWorkflowDocument } from '#app/domain/workflows/read-workflow-document.ts';
import type { WorkflowDocument, WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';
import { editWorkflow } from '#app/engine/commands/workflows/edit-workflow.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { documentJsonSchema, inputFieldsSchema, settingsSchema } from '#app/features/workflows/editor/document-forms-schema.ts';
import { namesAnswer } from '#app/features/workflows/editor/expressions/names-answer.server.ts';
import { fieldOfRow } from '#app/features/workflows/steps/form/field-rows.ts';
import { performAsMember } from '#app/perform.server.ts';

export type DraftArgs = { request: Request; params: { workflow: string }; context: Readonly<RouterContextProvider> };

/** Saves a document over the revision that the form was drawn from; false: someone saved meanwhile. */
export async function saveOver(
  { params, context }: DraftArgs,
  revision: number,
  edit: (draft: WorkflowDraft) => {
    document: WorkflowDocument;
    move: string;
    about?: { name: string; description: string; runs_at_once: number | null };
  },
): Promise<boolean> {
  const draft = await context.get(memberContext).read((db) => loadDraft(db, params.workflow));
  if (draft.revision !== revision) return false;
  const { move, ...state } = edit(draft);
  try {
    const how = { move, ...limitChange(draft, state.about?.runs_at_once) };
    await performAsMember(context, editWorkflow, { workflow: draft.id, revision, ...state, how });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return false;
    throw error;
  }
}

/** It holds at once, and the log says so where the draft's other changes wait for a publication. */
function limitChange({ runsAtOnce: from }: WorkflowDraft, to: number | null | undefined): { [key: string]: Json } {
  return to === undefined || to === from ? {} : { runsAtOnce: { from, to } };
}

/** The fields of the run's input. A row whose name is empty goes away. */
export async function saveInputFieldsAction(args: DraftArgs) {
  const parsed = await parseForm(args.request, inputFieldsSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const input = inStoredWords(args.context, parsed.value)
    .fields.map(fieldOfRow)
    .filter((field) => field !== null);
  const saved = await saveOver(args, parsed.value.revision, (draft) => ({
    document: { ...draft.document, input },
    move: 'save-input',
  }));
  if (!saved) return invalidForm(parsed.reply, { formErrors: ['draftChanged'] }, 409);
  throw redirectWithNotice(href('/dashboard/workflows/:workflow/edit', { workflow: args.params.workflow }), 'inputSaved');
}

/** Without a subject the document has none, rather than an empty one, so that its hash stays. */
function withSubject({ subject: _, ...document }: WorkflowDocument, subject: string): WorkflowDocument {
  return subject === '' ? document : { ...document, subject };
}

/** Name, description, subject, output, the minutes it takes by hand and how many runs are driven at once; or the form again with a name. */
export async function saveSettingsAction(args: DraftArgs) {
  const formData = await args.request.formData();
  const names = namesAnswer(formData);
  if (names !== null) return names;
  const parsed = await parseFormData(formData, settingsSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name, description, subject, output, manualMinutes, runsAtOnce, revision } = inStoredWords(args.context, parsed.value);
  const saved = await saveOver(args, revision, (draft) => ({
    document: withSubject({ ...draft.document, output: output.trim(), manualMinutes }, subject),
    about: { name, description, runs_at_once: runsAtOnce ?? null },
    move: 'save-settings',
  }));
  if (!saved) return invalidForm(parsed.reply, { formErrors: ['draftChanged'] }, 409);
  throw redirectWithNotice(href('/dashboard/workflows/:workflow/edit', { workflow: args.params.workflow }), 'settingsSaved');
}

/** The whole document as JSON: what cannot be read is refused with its place, and given back. */
export async function saveDocumentJsonAction(args: DraftArgs) {
  const parsed = await parseForm(args.request, documentJsonSchema);
  const refuse = (issues: WorkflowIssue[], errors: FormErrors, status = 400) =>
    data({ form: invalidForm(parsed.reply, errors).data, issues }, status);
  if (!parsed.ok) return refuse([], {});
  const read = readWorkflowDocument(parsed.value.document);
  if ('issues' in read) return refuse(read.issues, { fieldErrors: { document: ['workflowJson'] } });
  const saved = await saveOver(args, parsed.value.revision, () => ({ document: read.document, move: 'save-json' }));
  if (!saved) return refuse([], { formErrors: ['draftChanged'] }, 409);
  throw redirectWithNotice(href('/dashboard/workflows/:workflow/edit', { workflow: args.params.workflow }), 'documentSaved');
}

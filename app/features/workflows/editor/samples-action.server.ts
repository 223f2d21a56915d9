import { href } from 'react-router';
import { z } from 'zod';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { MOST_SAMPLES, type WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { readRunSample } from '#app/engine/workflows/read-run-sample.ts';
import { type DraftArgs, saveOver } from '#app/features/workflows/editor/document-actions.server.ts';
import { sampleSchema } from '#app/features/workflows/editor/document-forms-schema.ts';

const removeSchema = z.object({ revision: z.coerce.number().int().min(0), name: z.string() });

/** The two forms of the page of samples: keep a run's input as one, or remove one. */
export async function changeSamplesAction(args: DraftArgs) {
  const form = await args.request.formData();
  return form.get('intent') === 'remove' ? removeSample(args, form) : keepSample(args, form);
}

async function keepSample(args: DraftArgs, form: FormData) {
  const parsed = await parseFormData(form, sampleSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { revision, name, run } = parsed.value;
  const { input, others } = await args.context.get(memberContext).read(async (db) => ({
    input: await readRunSample(db, args.params.workflow, run),
    others: withoutSample(await loadDraft(db, args.params.workflow), name),
  }));
  if (input === null) throw new AppError('not_found');
  if (Object.keys(input).length === 0) return invalidForm(parsed.reply, { formErrors: ['sampleEmpty'] });
  if (others.length >= MOST_SAMPLES) return invalidForm(parsed.reply, { formErrors: ['samplesFull'] });
  const saved = await saveOver(args, revision, (draft) => ({
    document: { ...draft.document, samples: [...withoutSample(draft, name), { name, input }] },
    move: 'save-sample',
  }));
  if (!saved) return invalidForm(parsed.reply, { formErrors: ['draftChanged'] }, 409);
  throw redirectWithNotice(samplesPath(args), 'sampleSaved');
}

async function removeSample(args: DraftArgs, form: FormData) {
  const parsed = removeSchema.safeParse(Object.fromEntries(form));
  if (!parsed.success) throw new AppError('invalid_input');
  const saved = await saveOver(args, parsed.data.revision, (draft) => {
    const { samples: _, ...document } = draft.document;
    const left = withoutSample(draft, parsed.data.name);
    return { document: { ...document, ...(left.length > 0 && { samples: left }) }, move: 'remove-sample' };
  });
  if (!saved) throw new AppError('conflict', { values: { what: 'draftChanged' } });
  throw redirectWithNotice(samplesPath(args), 'sampleRemoved');
}

const withoutSample = ({ document }: Pick<WorkflowDraft, 'document'>, name: string) =>
  (document.samples ?? []).filter((sample) => sample.name !== name);

const samplesPath = ({ params }: DraftArgs) => href('/dashboard/workflows/:workflow/edit/samples', { workflow: params.workflow });

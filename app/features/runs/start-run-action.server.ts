import { href, type RouterContextProvider, redirect } from 'react-router';
import { givenValues } from '#app/components/form/input-field-shape.ts';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedStart } from '#app/components/form/refused-start.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { startWorkflow } from '#app/engine/commands/runs/start-workflow.ts';
import { acceptUploads } from '#app/features/runs/accept-uploads.server.ts';
import { loadRunnable } from '#app/features/runs/load-runnable.server.ts';
import { startModeOf } from '#app/features/runs/start-mode.ts';
import { startRunSchema } from '#app/features/runs/start-run-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

/**
 * Starts a run: live of the published version, or a test of the draft as it stands. Posting the same form twice starts
 * it once (`_key`).
 */
export async function startRunAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { workflow: string };
  context: Readonly<RouterContextProvider>;
}) {
  const wanted = startModeOf(new URL(request.url));
  const mode = wanted === 'live' ? 'live' : 'test';
  const runnable = await context.get(memberContext).read((db) => loadRunnable(db, params.workflow, mode));
  const { input: fields } = runnable.document;
  const { form, faults } = await acceptUploads(context, await request.formData(), fields);
  const parsed = await parseFormData(form, startRunSchema(fields));
  // The fault of a file that was sent says more than that there is none.
  Object.assign(parsed.reply.errors.fieldErrors, faults);
  if (!parsed.ok || Object.keys(faults).length > 0) return invalidForm(parsed.reply);
  const { _mode, _key, _revision, ...values } = parsed.value;
  if (_mode !== wanted) throw new AppError('invalid_input');
  if (mode === 'test' && _revision !== runnable.revision) return invalidForm(parsed.reply, { formErrors: ['draftChanged'] }, 409);
  try {
    const input = givenValues(values);
    const { runId } = await performAsMember(context, startWorkflow, {
      workflow: runnable,
      mode,
      input,
      requestKey: _key,
      dry: wanted === 'dry',
    });
    throw redirect(href('/dashboard/runs/:run', { run: runId }), 303);
  } catch (error) {
    return refusedStart(parsed.reply, error, {
      paused: 'workflowPaused',
      conflict: 'draftHasIssues',
      invalid: { formErrors: ['invalid'] },
    });
  }
}

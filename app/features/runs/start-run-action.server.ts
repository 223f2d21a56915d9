import { href, type RouterContextProvider, redirect } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { queueFull } from '#app/components/form/queue-full.server.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Json } from '#app/domain/tables.ts';
import { checkWorkflow } from '#app/domain/workflow-check.ts';
import { parseExpression } from '#app/engine/runs/evaluate.ts';
import { startRunOnce } from '#app/engine/runs/start-run-once.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { loadRunnable } from '#app/features/runs/load-runnable.server.ts';
import { startRunSchema } from '#app/features/runs/start-run-schema.ts';
import { memberContext, memberStarter, servicesContext } from '#app/request-context.ts';

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
  const access = context.get(memberContext);
  const services = context.get(servicesContext);
  const mode = new URL(request.url).searchParams.get('mode') === 'test' ? 'test' : 'live';
  const runnable = await access.read((db) => loadRunnable(db, params.workflow, mode));
  const parsed = await parseForm(request, startRunSchema(runnable.document.input));
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { _mode, _key, _revision, ...values } = parsed.value;
  if (_mode !== mode) throw new AppError('invalid_input');
  if (mode === 'test' && _revision !== runnable.revision) return invalidForm(parsed.reply, { formErrors: ['draftChanged'] }, 409);
  const { member } = access;
  try {
    const { runId } = await startRunOnce(memberStarter(access), services, {
      requestKey: _key,
      async prepare(db) {
        if (mode === 'test' && checkWorkflow(runnable.document, await loadCatalogue(db), parseExpression).length > 0)
          throw new AppError('conflict', { message: 'draft has issues' });
        const { id: artifactId, name, document } = runnable;
        const versionId =
          runnable.versionId ??
          (
            await freezeVersion(db, {
              id: services.newId(),
              workspaceId: member.workspace.id,
              artifactId,
              authorId: member.userId,
              document,
              publish: false,
              now: services.now(),
            })
          ).id;
        return { artifactId, versionId, document, mode, input: withoutUndefined(values), name };
      },
    });
    throw redirect(href('/dashboard/runs/:run', { run: runId }), 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'halted') return invalidForm(parsed.reply, { formErrors: ['workspaceHalted'] }, 423);
    if (error.code === 'quota_exceeded') return invalidForm(parsed.reply, { formErrors: ['quotaExceeded'] }, 402);
    if (error.values.what === 'queue') return queueFull(parsed.reply, error);
    if (error.values.what === 'paused') return invalidForm(parsed.reply, { formErrors: ['workflowPaused'] }, 409);
    if (error.code === 'conflict') return invalidForm(parsed.reply, { formErrors: ['draftHasIssues'] }, 409);
    if (error.code === 'invalid_input') return invalidForm(parsed.reply, { formErrors: ['invalid'] });
    throw error;
  }
}

function withoutUndefined(values: { [key: string]: unknown }): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [key: string]: Json };
}

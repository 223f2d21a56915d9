import { type RouterContextProvider, redirect } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Json } from '#app/domain/tables.ts';
import { checkWorkflow } from '#app/domain/workflow-check.ts';
import { parseExpression } from '#app/engine/runs/evaluate.ts';
import { findRunByRequestKey, startRun } from '#app/engine/runs/start-run.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { loadRunnable } from '#app/features/runs/load-runnable.server.ts';
import { startRunSchema } from '#app/features/runs/start-run-schema.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

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
  const { userId, workspace } = access.member;
  const first = await access.read((db) => findRunByRequestKey(db, { workspaceId: workspace.id, initiatorId: userId, requestKey: _key }));
  if (first !== null) throw redirect(`/dashboard/runs/${first}`, 303);
  try {
    const runId = await access.change(async (db) => {
      if (mode === 'test') {
        const issues = checkWorkflow(runnable.document, await loadCatalogue(db), parseExpression);
        if (issues.length > 0) throw new AppError('conflict', { message: 'draft has issues' });
      }
      const versionId =
        runnable.versionId ??
        (
          await freezeVersion(db, {
            id: services.newId(),
            workspaceId: workspace.id,
            artifactId: runnable.id,
            authorId: userId,
            document: runnable.document,
            publish: false,
            now: services.now(),
          })
        ).id;
      const started = await startRun(
        db,
        { enqueueRun: services.engine.enqueueRun, newId: services.newId },
        {
          workspaceId: workspace.id,
          artifactId: runnable.id,
          versionId,
          document: runnable.document,
          mode,
          input: withoutUndefined(values),
          initiatorId: userId,
          requestKey: _key,
          name: runnable.name,
        },
      );
      return { result: started.runId, event: started.event };
    });
    throw redirect(`/dashboard/runs/${runId}`, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'halted') return invalidForm(parsed.reply, { formErrors: ['workspaceHalted'] }, 423);
    if (error.code === 'quota_exceeded') return invalidForm(parsed.reply, { formErrors: ['quotaExceeded'] }, 402);
    if (error.values.what === 'paused') return invalidForm(parsed.reply, { formErrors: ['workflowPaused'] }, 409);
    if (error.code === 'conflict') return invalidForm(parsed.reply, { formErrors: ['draftHasIssues'] }, 409);
    if (error.code === 'invalid_input') return invalidForm(parsed.reply, { formErrors: ['invalid'] });
    throw error;
  }
}

function withoutUndefined(values: { [key: string]: unknown }): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [key: string]: Json };
}

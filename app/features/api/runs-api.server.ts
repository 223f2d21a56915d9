import { sql } from 'kysely';
import { z } from 'zod';
import { problem, withProblems } from '#app/components/page/problem.server.ts';
import { keyContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { startWorkflow } from '#app/engine/commands/runs/start-workflow.ts';
import { readFirstAsks } from '#app/engine/runs/read-asks.ts';
import { askPage, startServedRun } from '#app/engine/serving/served-runs.ts';
import { readServedWorkflow } from '#app/engine/serving/served-workflows.ts';
import { type ApiArguments, answer, idOf, pageOfRows, readBody } from '#app/features/api/answer.server.ts';
import { apiRun, apiRunDetail, apiStart, apiStarted, runsQuery } from '#app/features/api/api-schemas.server.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;
/** Visible characters, as RFC 9110 has them in a field. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

/** Runs that the key's member may see, newest first. */
export const listRunsApi = (args: ApiArguments) =>
  answer(args, runsQuery, async ({ limit, cursor, status, workflowId }, { access }) => {
    const { rows, asks } = await access.read(async (db) => {
      let query = db
        .selectFrom('quorate.runs as r')
        .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
        .where('r.workspace_id', '=', access.key.workspace.id);
      if (status !== undefined) query = query.where('r.status', '=', status);
      if (workflowId !== undefined) query = query.where('r.artifact_id', '=', workflowId);
      if (cursor !== undefined)
        query = query.where(
          sql<boolean>`(r.created_at, r.id) < (select b.created_at, b.id from quorate.runs b where b.id = ${cursor}::uuid)`,
        );
      const rows = await query
        .orderBy('r.created_at', 'desc')
        .orderBy('r.id', 'desc')
        .limit(limit + 1)
        .select(['r.id', 'r.artifact_id as workflowId', 'a.name as workflow', 'r.status', 'r.mode', 'r.created_at', 'r.finished_at'])
        .execute();
      const waiting = rows.filter((row) => row.status === 'waiting').map(({ id }) => id);
      return { rows, asks: await readFirstAsks(db, waiting) };
    });
    return pageOfRows(rows, limit, (row) =>
      apiRun.parse({
        ...row,
        createdAt: iso(row.created_at),
        finishedAt: iso(row.finished_at),
        waitsFor: asks.get(row.id)?.what ?? null,
      }),
    );
  });

export const readRunApi = (args: ApiArguments & { params: { run: string } }) =>
  answer(args, z.object({}), async (_, { access, services }) => {
    const run = await access.readRun(idOf(args.params.run));
    if (run === null) throw new AppError('not_found');
    return apiRunDetail.parse({
      ...run,
      createdAt: iso(run.createdAt),
      finishedAt: iso(run.finishedAt),
      waitsFor: run.status === 'waiting' ? (run.ask?.what ?? null) : null,
      approvalUrl: run.status === 'waiting' ? askPage(services.origin, run) : null,
    });
  });

/** Starts a live run. With an Idempotency-Key the same body comes to the same run, another one to 409. */
export function startRunApi({ request, context }: Pick<ApiArguments, 'context'> & { request: Request }): Promise<Response> {
  return withProblems(async () => {
    const access = context.get(keyContext);
    const services = context.get(servicesContext);
    const idempotencyKey = request.headers.get('Idempotency-Key');
    if (idempotencyKey !== null && !IDEMPOTENCY_KEY.test(idempotencyKey))
      return problem('invalid_input', 'An Idempotency-Key has 1 to 200 visible ASCII characters.');
    const sent = await readBody(request, context, { scope: startWorkflow.scope, method: 'POST', schema: apiStart });
    if ('refused' in sent) return sent.refused;
    const workflow = await access.read((db) => readServedWorkflow(db, access.key.workspace.id, sent.body.workflowId));
    if (workflow === null) throw new AppError('not_found');
    const { runId } = await startServedRun(access, services, {
      workflow,
      input: sent.body.input,
      triggerKind: 'api',
      requestKey: idempotencyKey === null ? null : `api:${access.key.id}:${idempotencyKey}`,
    });
    const url = `${services.origin}/api/v1/runs/${runId}`;
    return Response.json(apiStarted.parse({ id: runId, workflowId: workflow.id, url }), { status: 201, headers: { Location: url } });
  });
}

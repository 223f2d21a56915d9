import { sql } from 'kysely';
import { z } from 'zod';
import { problem, withProblems } from '#app/components/page/problem.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import { keyContext, servicesContext } from '#app/contracts/request-context.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { startWorkflow } from '#app/engine/commands/runs/start-workflow.ts';
import { readFirstAsks } from '#app/engine/runs/read-asks.ts';
import { findRunTexts, holdsWords, RUN_TEXTS_SEARCHED } from '#app/engine/runs/texts/find-run-texts.ts';
import { askPage, startServedRun } from '#app/engine/serving/served-runs.ts';
import { readServedWorkflow } from '#app/engine/serving/served-workflows.ts';
import { type ApiArguments, answer, idOf, pageOfRows, readBody } from '#app/features/api/answer.server.ts';
import { apiRun, apiRunDetail, apiStart, apiStarted, runsQuery } from '#app/features/api/api-schemas.server.ts';
import { historyRefused, isHistory } from '#app/features/api/history.server.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;
/** Visible characters, as RFC 9110 has them in a field. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

/** Runs that the key's member may see, newest first; with words, those that hold them. Of others, those that are over for a few days alone. */
export const listRunsApi = (args: ApiArguments) =>
  answer(args, runsQuery, async (query, { access }) => {
    const found = await access.read(async (db) => {
      if (query.cursor !== undefined && seesOthers(access.key.roles, query.status) && (await isHistory(db, 'runs', query.cursor)))
        return null;
      const read = await readRuns(db, access.key.workspace.id, query);
      const waiting = read.rows.filter((row) => row.status === 'waiting').map(({ id }) => id);
      return { ...read, asks: await readFirstAsks(db, waiting) };
    });
    if (found === null) return historyRefused();
    const { rows, searchedTo, asks } = found;
    const page = pageOfRows(rows, query.limit, (row) =>
      apiRun.parse({
        ...row,
        subject: plainSubject(readSubject(row.subject)),
        createdAt: iso(row.created_at),
        finishedAt: iso(row.finished_at),
        waitsFor: asks.get(row.id)?.what ?? null,
      }),
    );
    return { ...page, next: page.next ?? searchedTo };
  });

/** Runs that are not over are work, however long they have waited. */
const seesOthers = (roles: readonly Role[], status: RunStatus | undefined) =>
  can(roles, 'seeAllRuns') && (status === undefined || isTerminalRunStatus(status));

/** One run more than the page holds. `searchedTo`: words were looked for down to this run, and there may be more behind it. */
async function readRuns(db: Db, workspaceId: string, { limit, cursor, status, workflowId, q }: z.output<typeof runsQuery>) {
  const { words } = readSearchWords(q ?? null);
  const texts = words === '' ? null : await findRunTexts(db, words);
  let query = db.selectFrom('quorate.runs as r').where('r.workspace_id', '=', workspaceId);
  if (status !== undefined) query = query.where('r.status', '=', status);
  if (workflowId !== undefined) query = query.where('r.artifact_id', '=', workflowId);
  if (texts !== null && texts.ids !== null) query = query.where(sql<boolean>`r.id = any(${texts.ids}::uuid[])`);
  if (cursor !== undefined)
    query = query.where(sql<boolean>`(r.created_at, r.id) < (select b.created_at, b.id from quorate.runs b where b.id = ${cursor}::uuid)`);
  const newest = query.orderBy('r.created_at', 'desc').orderBy('r.id', 'desc');
  const reading = texts !== null && texts.ids === null;
  const rows = await db
    .selectFrom((reading ? newest.selectAll('r').limit(RUN_TEXTS_SEARCHED) : query.selectAll('r')).as('r'))
    .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .$if(reading, (from) => from.where(({ ref }) => holdsWords(ref('r.id'), { words, ids: null })))
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit + 1)
    .select([
      'r.id',
      'r.number',
      'r.subject',
      'r.artifact_id as workflowId',
      'a.name as workflow',
      'r.status',
      'r.mode',
      'r.created_at',
      'r.finished_at',
    ])
    .execute();
  if (!reading || rows.length > limit) return { rows, searchedTo: null };
  const last = await newest
    .select('r.id')
    .offset(RUN_TEXTS_SEARCHED - 1)
    .limit(1)
    .executeTakeFirst();
  return { rows, searchedTo: last?.id ?? null };
}

export const readRunApi = (args: ApiArguments & { params: { run: string } }) =>
  answer(args, z.object({}), async (_, { access, services }) => {
    const run = await access.readRun(idOf(args.params.run));
    if (run === null) throw new AppError('not_found');
    return apiRunDetail.parse({
      ...run,
      subject: plainSubject(run.subject),
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
    const { runId, begun } = await startServedRun(access, services, {
      workflow,
      input: sent.body.input,
      triggerKind: 'api',
      requestKey: idempotencyKey === null ? null : `api:${access.key.id}:${idempotencyKey}`,
    });
    const url = `${services.origin}/api/v1/runs/${runId}`;
    const run = begun ?? (await access.readRun(runId));
    // Its member may have lost their place since it was started.
    if (run === null) throw new AppError('not_found');
    const started = { id: runId, number: run.number, subject: plainSubject(run.subject), workflowId: workflow.id, url };
    return Response.json(apiStarted.parse(started), { status: 201, headers: { Location: url } });
  });
}

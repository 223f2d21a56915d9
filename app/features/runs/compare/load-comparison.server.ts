import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { type ComparedStep, compareRuns } from '#app/domain/runs/run-comparison.ts';
import { stepStatusIn } from '#app/domain/runs/run-status.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';

/** Runs that one can be compared with: the newest of its workflow, and the one that it took up again. */
const MOST_OTHERS = 30;
/** Steps of a run that are compared. A workflow has at most 200, and some are tried within others. */
const MOST_STEPS = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Two runs of a workflow side by side (`?with=`): by default with the one it took up again, or the one before it. @throws AppError not_found */
export async function loadComparison(context: Readonly<RouterContextProvider>, id: string, url: URL) {
  const asked = url.searchParams.get('with') ?? '';
  const found = await context.get(memberContext).read(async (db) => {
    const run = await runsOf(db).where('r.id', '=', id).executeTakeFirst();
    if (run === undefined) throw new AppError('not_found');
    const others = await runsOf(db)
      .where('r.artifact_id', '=', run.artifactId)
      .where('r.id', '<>', id)
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(MOST_OTHERS)
      .execute();
    const named = UUID.test(asked) ? asked : run.from;
    const other =
      named === null
        ? (others.find(({ createdAt }) => createdAt < run.createdAt) ?? others[0])
        : (others.find((one) => one.id === named) ??
          (await runsOf(db).where('r.id', '=', named).where('r.artifact_id', '=', run.artifactId).executeTakeFirst()));
    if (other === undefined) {
      if (asked !== '') throw new AppError('not_found');
      return { run: shown(run), other: null, others: [], pairs: [], most: null };
    }
    const [here, there] = [await readSteps(db, run), await readSteps(db, other)];
    const choices = others.some((one) => one.id === other.id) ? others : [other, ...others];
    const cut = here.length > MOST_STEPS || there.length > MOST_STEPS;
    const pairs = compareRuns(here.slice(0, MOST_STEPS), there.slice(0, MOST_STEPS));
    return { run: shown(run), other: shown(other), others: choices.map(shown), pairs, most: cut ? MOST_STEPS : null };
  });
  return inReadersLanguage(context, found);
}
export type LoadedComparison = Awaited<ReturnType<typeof loadComparison>>;

function runsOf(db: Db) {
  return db
    .selectFrom('quorate.runs as r')
    .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .leftJoin('quorate.versions as v', 'v.id', 'r.version_id')
    .select(['r.id', 'r.artifact_id as artifactId', 'r.status', 'r.mode', 'r.parent_run_id as from', 'r.created_at as createdAt'])
    .select([
      'r.started_at as startedAt',
      'r.finished_at as finishedAt',
      'r.waiting_ms as waitingMs',
      'r.number',
      'r.subject',
      'a.name as workflow',
      'v.number as version',
    ]);
}
type RunRow = Awaited<ReturnType<ReturnType<typeof runsOf>['executeTakeFirstOrThrow']>>;

const shown = ({ id, number, subject, workflow, version, status, mode, createdAt, startedAt, finishedAt, waitingMs }: RunRow) => ({
  id,
  number,
  subject: readSubject(subject),
  workflow,
  version,
  status,
  mode,
  createdAt: createdAt.toISOString(),
  activeMs: startedAt === null || finishedAt === null ? null : Math.max(0, finishedAt.getTime() - startedAt.getTime() - Number(waitingMs)),
});

/** One step more than is compared, of those outside loops: items of two lists are not the same items. */
async function readSteps(db: Db, run: RunRow): Promise<ComparedStep[]> {
  const rows = await db
    .selectFrom('quorate.steps')
    .where('run_id', '=', run.id)
    .where('within', 'is', null)
    .where('item_index', 'is', null)
    .orderBy('started_at')
    .orderBy('position')
    .limit(MOST_STEPS + 1)
    .select(['path', 'name', 'status', 'started_at', 'finished_at', 'input_digest', 'output_digest'])
    .execute();
  return rows.map((row) => ({
    path: row.path,
    name: row.name,
    status: stepStatusIn(run.status, row.status),
    ms: row.finished_at === null ? null : Math.max(0, row.finished_at.getTime() - row.started_at.getTime()),
    inputDigest: row.input_digest,
    outputDigest: row.output_digest,
  }));
}

import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

/** Of each kind, so many of what depends on a workflow are named. */
const MOST = 50;

/** Whatever runs a workflow, and so uses a further version of it at once. */
export async function loadDependents(db: Db, workflow: string) {
  return { triggers: await triggersOf(db, workflow), callers: await callersOf(db, workflow), openRuns: await openRunsOf(db, workflow) };
}
export type Dependents = Awaited<ReturnType<typeof loadDependents>>;

async function triggersOf(db: Db, id: string) {
  return await db
    .selectFrom('quorate.triggers')
    .where('artifact_id', '=', id)
    .where('kind', 'in', ['schedule', 'webhook'])
    .where('enabled', '=', true)
    .orderBy('name')
    .limit(MOST)
    .select(['id', 'name', 'kind'])
    .execute();
}

/** Workflows whose version in force runs whichever version of this one is in force. */
async function callersOf(db: Db, id: string): Promise<{ id: string; name: string }[]> {
  const naming = await db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .where('a.kind', '=', 'workflow')
    .where('a.deleted_at', 'is', null)
    .where('a.id', '!=', id)
    // Any document that holds the id at all; which of them call it is told below.
    .where(sql<boolean>`strpos(v.document::text, ${id}) > 0`)
    .orderBy('a.name')
    .limit(MOST)
    .select(['a.id', 'a.name', 'v.document'])
    .execute();
  const calls = (document: unknown) =>
    [...walkSteps(workflowDocumentSchema.parse(document).steps)].some(
      ({ step }) => 'workflow' in step && step.workflow === id && step.version === null,
    );
  return naming.filter(({ document }) => calls(document)).map(({ id: caller, name }) => ({ id: caller, name }));
}

async function openRunsOf(db: Db, id: string): Promise<number> {
  const row = await db
    .selectFrom('quorate.runs')
    .where('artifact_id', '=', id)
    .where('status', 'in', ['pending', 'processing', 'waiting'])
    .select(({ fn }) => fn.countAll<string>().as('number'))
    .executeTakeFirst();
  return Number(row?.number ?? 0);
}

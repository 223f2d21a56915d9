import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { readEditor, requireAuthor } from '#app/features/workflows/load-screens.server.ts';

/** Of each kind, so many of what depends on a workflow are named. */
const MOST = 50;

/** The draft beside the version in force, and what a further version would be used by at once. */
export async function loadPublishScreen(context: Readonly<RouterContextProvider>, id: string) {
  return await requireAuthor(context).read(async (db) => {
    const draft = await loadDraft(db, id);
    const { published, issues } = await readEditor(context, db, draft, await loadCatalogue(db, id));
    const dependents = { triggers: await triggersOf(db, id), callers: await callersOf(db, id), openRuns: await openRunsOf(db, id) };
    return { ...inReadersLanguage(context, { draft, dependents }), published, issues, ...(await numbersOf(db, id)) };
  });
}
export type LoadedPublish = Awaited<ReturnType<typeof loadPublishScreen>>;

/** The number of the version in force (null: none is), and that of the next. */
async function numbersOf(db: Db, id: string): Promise<{ inForce: number | null; next: number }> {
  const row = await db
    .selectFrom('quorate.artifacts as a')
    .leftJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .where('a.id', '=', id)
    .select((eb) => [
      'v.number',
      eb
        .selectFrom('quorate.versions as o')
        .whereRef('o.artifact_id', '=', 'a.id')
        .select((o) => o.fn.max('o.number').as('last'))
        .as('last'),
    ])
    .executeTakeFirst();
  return { inForce: row?.number ?? null, next: (row?.last ?? 0) + 1 };
}

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

import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { loadCatalogue } from '#app/engine/workflows/load-catalogue.ts';
import { loadDependents } from '#app/engine/workflows/load-dependents.ts';
import { reviewOfDraft } from '#app/engine/workflows/publish-version.ts';
import { readEditor, requireAuthor } from '#app/features/workflows/load-screens.server.ts';

/** The draft beside the version in force, and what a further version would be used by at once. */
export async function loadPublishScreen(context: Readonly<RouterContextProvider>, id: string) {
  return await requireAuthor(context).read(async (db) => {
    const draft = await loadDraft(db, id);
    const { published, issues } = await readEditor(context, db, draft, await loadCatalogue(db, id));
    const dependents = await loadDependents(db, id);
    // null: it cannot be published as it is
    const review = issues.length > 0 ? null : await reviewOfDraft(db, draft);
    return { ...inReadersLanguage(context, { draft, dependents }), published, issues, review, ...(await numbersOf(db, id)) };
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

import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import type { WorkflowSample } from '#app/domain/workflows/workflow.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOST_CHARACTERS = 100_000;

/** The samples of a draft, and the input of the run (`?run=`) that may become one. @throws AppError not_found, forbidden */
export async function loadSamplesScreen(context: Readonly<RouterContextProvider>, id: string, url: URL) {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'authorWorkflow');
  const run = url.searchParams.get('run');
  const found = await read(async (db) => {
    const draft = await loadDraft(db, id);
    const input = run === null ? null : await readRunSample(db, id, run);
    if (run !== null && input === null) throw new AppError('not_found');
    return { draft, input };
  });
  const { draft, input } = inReadersLanguage(context, found);
  return { draft, samples: found.draft.document.samples ?? [], offered: run === null || input === null ? null : { run, input } };
}
export type LoadedSamples = Awaited<ReturnType<typeof loadSamplesScreen>>;

/** The plain values of a run's input, as a sample holds them; null where no such run of the workflow can be seen. */
export async function readRunSample(db: Db, workflow: string, run: string): Promise<WorkflowSample['input'] | null> {
  if (!UUID.test(run)) return null;
  const row = await db
    .selectFrom('quorate.runs')
    .where('id', '=', run)
    .where('artifact_id', '=', workflow)
    .select('input')
    .executeTakeFirst();
  if (row === undefined) return null;
  const input = typeof row.input === 'object' && row.input !== null && !Array.isArray(row.input) ? row.input : {};
  return Object.fromEntries(
    Object.entries(input).filter(
      (entry): entry is [string, string | number | boolean] =>
        ['string', 'number', 'boolean'].includes(typeof entry[1]) && String(entry[1]).length <= MOST_CHARACTERS,
    ),
  );
}

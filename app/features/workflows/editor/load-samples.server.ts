import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { readRunSample } from '#app/engine/workflows/read-run-sample.ts';

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

import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import type { DataPlace } from '#app/domain/runs/run-fork.ts';
import { listChangeable, readChangeable } from '#app/engine/runs/changed-data.ts';
import { loadRunAgain } from '#app/engine/runs/load-run-again.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `?data=`: `input:` or `output:` and the path of a step. */
export function placeIn(url: URL): DataPlace | null {
  const [, part, path] = /^(input|output):(.{1,500})$/s.exec(url.searchParams.get('data') ?? '') ?? [];
  return part === undefined || path === undefined ? null : { part: part as DataPlace['part'], path };
}

/** The page on which a run is continued from `?step=` with other data. @throws AppError not_found, forbidden, conflict */
export async function loadChangeScreen(context: Readonly<RouterContextProvider>, id: string, url: URL) {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'authorWorkflow');
  const step = url.searchParams.get('step');
  if (!UUID.test(id) || step === null) throw new AppError('not_found');
  const { newId } = context.get(servicesContext);
  const found = await read(async (db) => {
    const again = await loadRunAgain(db, id, step, true);
    const choices = await listChangeable(db, again);
    const [nearest = null] = choices;
    const place = placeIn(url) ?? nearest;
    return { again, choices, data: place === null ? null : await readChangeable(db, again, place) };
  });
  const { again, choices } = inReadersLanguage(context, { again: found.again, choices: found.choices });
  // The data as it is kept: it goes back into the run.
  const chosen =
    found.data === null ? null : { path: found.data.path, part: found.data.part, text: JSON.stringify(found.data.value, null, 2) };
  const { runId, workflow, step: from, plan, document } = again;
  return {
    run: runId,
    workflow: workflow.name,
    from: { path: step, name: from?.name ?? step },
    plan,
    steps: document.steps,
    choices,
    chosen,
    requestKey: newId(),
  };
}
export type LoadedChange = Awaited<ReturnType<typeof loadChangeScreen>>;

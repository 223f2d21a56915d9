import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { MOST_WATCHES } from '#app/engine/commands/personal/watch.ts';

/** `run`: null where a whole workflow is watched. */
export type WatchedThing = { id: string; workflow: string; run: RunIdentity | null };

/** The workflows and runs that the member watches, as far as they still see them: the newest first. */
export async function listWatches(context: Readonly<RouterContextProvider>): Promise<WatchedThing[]> {
  const { member, read } = context.get(memberContext);
  const rows = await read((db) =>
    db
      .selectFrom('quorate.watches as x')
      .leftJoin('quorate.runs as r', 'r.id', 'x.run_id')
      .leftJoin('quorate.artifacts as w', (join) => join.on((eb) => eb('w.id', '=', eb.fn.coalesce('x.artifact_id', 'r.artifact_id'))))
      .select(['x.artifact_id', 'r.id as run', 'r.number', 'r.subject', 'w.name'])
      .where('x.workspace_id', '=', member.workspace.id)
      .where('x.user_id', '=', member.userId)
      .where('w.deleted_at', 'is', null)
      .orderBy('x.created_at', 'desc')
      .limit(MOST_WATCHES)
      .execute(),
  );
  const things = rows.flatMap(({ artifact_id, run, number, subject, name }): WatchedThing[] => {
    if (artifact_id !== null) return name === null ? [] : [{ id: artifact_id, workflow: name, run: null }];
    return run === null || number === null ? [] : [{ id: run, workflow: name ?? '–', run: { number, subject: readSubject(subject) } }];
  });
  return inReadersLanguage(context, things);
}

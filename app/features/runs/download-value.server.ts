import type { RouterContextProvider } from 'react-router';
import { jsonFile } from '#app/components/value/json-file.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';

/**
 * A whole input or output of a run (`?of=`, the input without it), or of one of its steps (`&step=`, its path), as a file of JSON; of a step also
 * the frames of its call, for those who may call things for a test. @throws AppError not_found
 */
export async function downloadValue(context: Readonly<RouterContextProvider>, id: string, url: URL): Promise<Response> {
  const of = url.searchParams.get('of') ?? 'input';
  const path = url.searchParams.get('step');
  const { read, member } = context.get(memberContext);
  const value = await read(async (db): Promise<Json | null> => {
    if (of === 'input' || of === 'output') return path === null ? readOfRun(db, id, of) : readOfStep(db, id, path, of);
    return of === 'frames' && path !== null && can(member.roles, 'authorWorkflow') ? readOfStep(db, id, path, of) : null;
  });
  if (value === null) throw new AppError('not_found');
  return jsonFile(value, `quorate-run-${id}-${of}`);
}

async function readOfRun(db: Db, id: string, of: 'input' | 'output'): Promise<Json | null> {
  const row = await db.selectFrom('quorate.runs').where('id', '=', id).select(['input', 'output']).executeTakeFirst();
  return row?.[of] ?? null;
}

async function readOfStep(db: Db, id: string, path: string, of: 'input' | 'output' | 'frames'): Promise<Json | null> {
  const step = db.selectFrom('quorate.steps').where('run_id', '=', id).where('path', '=', path);
  const row = await step.select(['input', 'output', 'frames']).executeTakeFirst();
  return row?.[of] ?? null;
}

import type { RouterContextProvider } from 'react-router';
import { jsonFile } from '#app/components/value/json-file.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';

/** A whole input or output of a run (`?of=`, the input without it), or of one of its steps (`&step=`, its path), as a file of JSON. @throws AppError not_found */
export async function downloadValue(context: Readonly<RouterContextProvider>, id: string, url: URL): Promise<Response> {
  const of = url.searchParams.get('of') ?? 'input';
  const path = url.searchParams.get('step');
  if (of !== 'input' && of !== 'output') throw new AppError('not_found');
  const value = await context.get(memberContext).read(async (db) => {
    const row =
      path === null
        ? await db.selectFrom('quorate.runs').where('id', '=', id).select(['input', 'output']).executeTakeFirst()
        : await db
            .selectFrom('quorate.steps')
            .where('run_id', '=', id)
            .where('path', '=', path)
            .select(['input', 'output'])
            .executeTakeFirst();
    return row?.[of] ?? null;
  });
  if (value === null) throw new AppError('not_found');
  return jsonFile(value, `quorate-run-${id}-${of}`);
}

import type { RouterContextProvider } from 'react-router';
import { jsonFile } from '#app/components/value/json-file.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { loadRun } from '#app/features/runs/load-run.server.ts';

/** A whole input or output of a run (`?of=`, the input without it), or of one of its steps (`&step=`, its path), as a file of JSON. @throws AppError not_found */
export async function downloadValue(context: Readonly<RouterContextProvider>, id: string, url: URL): Promise<Response> {
  const of = url.searchParams.get('of') ?? 'input';
  const path = url.searchParams.get('step');
  if (of !== 'input' && of !== 'output') throw new AppError('not_found');
  const run = await context.get(memberContext).read((db) => loadRun(db, id));
  const value = path === null ? run[of] : (run.steps.find((step) => step.path === path)?.[of] ?? null);
  if (value === null) throw new AppError('not_found');
  return jsonFile(value, `quorate-run-${run.id}-${of}`);
}

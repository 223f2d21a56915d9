import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { MOST_SELECTED } from '#app/components/list/selection.tsx';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { cancelRun } from '#app/engine/commands/runs/cancel-run.ts';
import { startAgain } from '#app/engine/commands/runs/start-again.ts';
import { readRunFilter } from '#app/features/runs/list/read-run-filter.ts';
import { runsUrl } from '#app/features/runs/list/run-filter.ts';
import { actOf, readSelected, type SelectedRun } from '#app/features/runs/several/load-several.server.ts';
import type { SeveralAct } from '#app/features/runs/several/several-acts.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

/** `<run> <key>`: the key makes a second post of the same form start nothing. */
const chosenSchema = z
  .array(z.string().regex(/^\S{36} \S{36}$/))
  .min(1)
  .max(MOST_SELECTED);

/** Does the same to each of the runs as its own page would, one after another, and says of how many it was done. */
export async function severalAction({ request, context }: { request: Request; context: Context }): Promise<never> {
  const url = new URL(request.url);
  const act = actOf(url);
  const chosen = chosenSchema.safeParse((await request.formData()).getAll('run'));
  if (!chosen.success) throw new AppError('invalid_input');
  const keys = new Map(chosen.data.map((entry) => [entry.slice(0, 36), entry.slice(37)]));
  let done = 0;
  for (const run of await readSelected(context, act, [...keys.keys()]))
    if (run.leftOut === null && (await isDone(context, act, { ...run, key: keys.get(run.id) ?? run.key }))) done += 1;
  const left = keys.size - done;
  const options = { kind: left === 0 ? ('ok' as const) : ('attention' as const), values: { done, left } };
  throw redirectWithNotice(runsUrl(readRunFilter(url.searchParams).filter), act === 'cancel' ? 'runsCancelled' : 'runsRetried', options);
}

/** False: refused, for example because it ended meanwhile. The others are not stopped by that. */
async function isDone(context: Context, act: SeveralAct, { id, step, key }: SelectedRun): Promise<boolean> {
  try {
    if (act === 'cancel') await performAsMember(context, cancelRun, { run: id });
    else await performAsMember(context, startAgain, { run: id, step, requestKey: key });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

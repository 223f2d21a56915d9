import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { Clock, Log } from '#app/contracts/ports.ts';
import type { TriggerPrincipal } from '#app/contracts/principals.ts';
import { AppError } from '#app/domain/errors.ts';
import { nextTime, parseCron } from '#app/domain/workflows/cron.ts';
import type { CommandDeps } from '#app/engine/commands/command.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';
import { performAsTrigger } from '#app/engine/triggers/perform-as-trigger.ts';

const SWEEP_MS = 5_000;
const SWEEP_SIZE = 200;

export type ScheduleDeps = Pick<CommandDeps, 'engine' | 'newId'> & {
  /** A transaction as the application itself, for the instance-wide list. */
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** A transaction as the trigger, whose row is locked; AppError `not_found` while another worker has it. */
  asTrigger<T>(id: string, work: (db: Db, trigger: TriggerPrincipal) => Promise<T>): Promise<T>;
  clock: Clock;
  log: Log;
};

export const scheduleSettingsSchema = z.object({
  cron: z.string(),
  timeZone: z.string(),
  input: z.record(
    z.string(),
    z.custom<Json>((value) => value !== undefined),
  ),
});

/**
 * Starts a run for every schedule that is due, and sets when it is due again: in one transaction each, on the locked row, so that any
 * number of workers may sweep and a kill at any moment leaves either both or neither. Times that passed while nothing ran count as one. The
 * next time lies after both now and the time that was due: clocks that are put back repeat nothing. Returns the runs.
 */
export async function runSchedules(deps: ScheduleDeps): Promise<string[]> {
  const now = deps.clock.now();
  const due = await deps.asApp(
    async (db) =>
      (await sql<{ trigger_id: string }>`select trigger_id from quorate.list_due_triggers(${now}, ${SWEEP_SIZE})`.execute(db)).rows,
  );
  const runs: string[] = [];
  for (const { trigger_id } of due) {
    try {
      const runId = await deps.asTrigger(trigger_id, (db, trigger) => fire(db, deps, trigger, now));
      if (runId !== null) runs.push(runId);
    } catch (error) {
      // Another worker has it, or it was paused or deleted since the list was made.
      if (error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')) continue;
      // Too many runs wait: it stays due, and a later sweep starts it.
      if (error instanceof AppError && error.values.what === 'queue') continue;
      deps.log.error('a schedule could not be run', { error, trigger: trigger_id });
    }
  }
  return runs;
}

async function fire(db: Db, deps: ScheduleDeps, trigger: TriggerPrincipal, now: Date): Promise<string | null> {
  // Another worker was quicker: the row is due later now.
  if (trigger.kind !== 'schedule' || trigger.nextAt === null || trigger.nextAt > now) throw new AppError('not_found');
  const { cron, timeZone, input } = scheduleSettingsSchema.parse(trigger.settings);
  const times = parseCron(cron);
  const nextAt = times === null ? null : nextTime(times, timeZone, now > trigger.nextAt ? now : trigger.nextAt);
  const requestKey = `schedule:${trigger.id}:${trigger.nextAt.toISOString()}`;
  const outcome = await performAsTrigger(db, { ...deps, now: () => now }, trigger, { input, requestKey, nextAt });
  return outcome.runId;
}

/** Sweeps until it is stopped; a sweep that fails is logged and tried again. */
export function startSchedules(deps: ScheduleDeps, everyMs: number = SWEEP_MS): { stop(): Promise<void> } {
  return repeat({
    firstMs: Math.min(everyMs, 1_000),
    async work() {
      const runs = await runSchedules(deps);
      if (runs.length > 0) deps.log.info('schedules started runs', { runs: runs.length });
      return everyMs;
    },
    failed(error) {
      deps.log.error('schedules could not be swept', { error });
      return everyMs;
    },
  });
}

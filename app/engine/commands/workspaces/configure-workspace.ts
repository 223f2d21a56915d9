import { sql } from 'kysely';
import { z } from 'zod';
import type { RunCeilings } from '#app/contracts/limits.ts';
import { runLimitsInForce } from '#app/domain/runs/run-limits.ts';
import { isTimeZone } from '#app/domain/workflows/time-zone.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';
import { readTenant } from '#app/engine/workspaces/read-tenant.ts';

/** Saves name, short name, time zone and limits. `instance` holds the bounds that the instance sets. */
export const configureWorkspace = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({
    name: z.string(),
    slug: z.string(),
    timeZone: z.string().refine(isTimeZone),
    paces: z.object({ keys: z.number(), hooks: z.number() }),
    limits: z.object({ runsAtOnce: z.number().nullable(), queuedRuns: z.number() }),
    instance: z.object({
      runs: z.custom<RunCeilings>((value) => typeof value === 'object' && value !== null),
    }),
  }),
  actions: ['workspace.configured'],
  changes: ['quorate.workspaces'],
  repeat: 'overwrites',
  refusals: {
    [UNIQUE_VIOLATION]: { code: 'invalid_input', field: 'slug', reasons: [{ key: 'slugTaken' }] },
    QP012: { code: 'invalid_input', field: 'timeZone', reasons: [{ key: 'clockInUse' }] },
  },
  async change({ db, principal }, { name, slug, timeZone, paces, limits, instance }) {
    const { id } = principal.workspace;
    const before = await readTenant(db, id);
    await db
      .updateTable('quorate.workspaces')
      .set({
        name,
        slug,
        settings: sql<string>`settings || ${JSON.stringify({ timeZone, paces, limits })}::jsonb` as never,
      })
      .where('id', '=', id)
      .execute();
    return {
      result: null,
      event: {
        action: 'workspace.configured',
        resource: { kind: 'workspace', id, name },
        payload: {
          from: {
            name: before.name,
            slug: before.slug,
            timeZone: before.timeZone,
            callsPerMinute: before.paces,
            runLimits: runLimitsInForce(before.settings, instance.runs),
          },
          to: {
            name,
            slug,
            timeZone,
            callsPerMinute: paces,
            runLimits: limits,
          },
        },
      },
    };
  },
});

import { sql } from 'kysely';
import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import type { RunCeilings } from '#app/contracts/limits.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import { runLimitsInForce } from '#app/domain/runs/run-limits.ts';
import { isTimeZone } from '#app/domain/workflows/time-zone.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';
import { readTenant } from '#app/engine/workspaces/read-tenant.ts';

/** Saves name, short name, time zone, limits, private network and where checkpoints go. `instance` holds the bounds that the instance sets. */
export const configureWorkspace = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({
    name: z.string(),
    slug: z.string(),
    timeZone: z.string().refine(isTimeZone),
    paces: z.object({ keys: z.number(), hooks: z.number() }),
    limits: z.object({ runsAtOnce: z.number().nullable(), queuedRuns: z.number() }),
    checkpoints: z.object({ mail: z.boolean(), webhook: z.string().nullable() }),
    network: z.array(z.string()),
    instance: z.object({
      network: z.array(z.string()),
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
  async change({ db, principal }, { name, slug, timeZone, paces, limits, checkpoints, network, instance }) {
    const { id } = principal.workspace;
    const before = await readTenant(db, id);
    const privateNetwork = networkAfter(before.privateNetwork, network, instance.network);
    await db
      .updateTable('quorate.workspaces')
      .set({
        name,
        slug,
        private_network: JSON.stringify(privateNetwork),
        settings: sql<string>`settings || ${JSON.stringify({ timeZone, checkpoints, paces, limits })}::jsonb` as never,
      })
      .where('id', '=', id)
      .execute();
    return {
      result: null,
      event: {
        action: 'workspace.configured',
        resource: { kind: 'workspace', id, name },
        // The address of a webhook may hold a secret of its own: the log tells whether there is one.
        payload: {
          from: {
            name: before.name,
            slug: before.slug,
            timeZone: before.timeZone,
            checkpointMail: before.checkpoints.mail,
            checkpointWebhook: before.checkpoints.webhook !== null,
            callsPerMinute: before.paces,
            runLimits: runLimitsInForce(before.settings, instance.runs),
            privateNetwork: before.privateNetwork as Json,
          },
          to: {
            name,
            slug,
            timeZone,
            checkpointMail: checkpoints.mail,
            checkpointWebhook: checkpoints.webhook !== null,
            callsPerMinute: paces,
            runLimits: limits,
            privateNetwork: privateNetwork as Json,
          },
        },
      },
    };
  },
});

/** Where the instance lists nothing the form has no field, and a list that stands for all of it stays so while all of it is named. */
function networkAfter(before: WorkspaceNetwork, entries: readonly string[], instance: readonly string[]): WorkspaceNetwork {
  if (instance.length === 0) return before;
  const isAll = entries.length === instance.length && entries.every((entry) => instance.includes(entry));
  return before === 'instance' && isAll ? before : entries;
}

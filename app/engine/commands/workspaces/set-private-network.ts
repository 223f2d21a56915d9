import { sql } from 'kysely';
import { z } from 'zod';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import { readWorkspaceNetwork } from '#app/domain/connections/workspace-network.ts';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';

/**
 * Sets the hosts and networks inside that a workspace reaches. Less is reached at once; what reaches more waits for another person where
 * there is one (result `requested`). `instance`: the list of the instance. AppError `conflict` where it is so already.
 */
export const setPrivateNetwork = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({
    network: z.array(z.string()),
    instance: z.array(z.string()),
    reason: z.string().max(CONTROL_REASON_MAX).default(''),
  }),
  actions: ['workspace.configured', 'change.requested'],
  changes: ['quorate.workspaces'],
  repeat: 'refused',
  weakens: ['workspace_network'],
  refusals: CONTROL_REFUSALS,
  async change(
    call,
    { network, instance, reason },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'workspace.configured' | 'change.requested'> }> {
    const { db, principal } = call;
    const { id } = principal.workspace;
    const row = await db
      .selectFrom('quorate.workspaces')
      .where('id', '=', id)
      .select(['name', 'private_network'])
      .forUpdate()
      .executeTakeFirstOrThrow();
    const resource = { id, name: row.name };
    const before = { network: readWorkspaceNetwork(row.private_network) };
    const after = { network: networkAfter(before.network, network, instance) };
    const [from, to] = [JSON.stringify(before.network), JSON.stringify(after.network)];
    if (from === to) throw new AppError('conflict');
    const { rows } = await sql<{ more: boolean }>`select quorate.reaches_more(${from}::jsonb, ${to}::jsonb) as more`.execute(db);
    const more = rows[0]?.more !== false;
    if (more && (await secondPersonAgrees(db))) {
      return requestControlChange(call, 'change.requested', { kind: 'workspace_network', resource, ...mutable(before, after), reason });
    }
    await db.updateTable('quorate.workspaces').set({ private_network: to }).where('id', '=', id).execute();
    const payload = {
      from: { privateNetwork: list(before) },
      to: { privateNetwork: list(after) },
      ...(more && { separated: false, reason }),
    };
    return {
      result: { state: 'done' },
      event: { action: 'workspace.configured', resource: { kind: 'workspace', ...resource }, payload },
    };
  },
});

type State = { network: WorkspaceNetwork };
const list = ({ network }: State) => (network === 'instance' ? network : [...network]);
const mutable = (before: State, after: State) => ({ before: { network: list(before) }, after: { network: list(after) } });

/** Where the instance lists nothing the form has no field, and a list that stands for all of it stays so while all of it is named. */
function networkAfter(before: WorkspaceNetwork, entries: readonly string[], instance: readonly string[]): WorkspaceNetwork {
  if (instance.length === 0) return before;
  const isAll = entries.length === instance.length && entries.every((entry) => instance.includes(entry));
  return before === 'instance' && isAll ? before : entries;
}

import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { Principal, TriggerPrincipal } from '#app/contracts/principals.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import type { CommandDeps } from '#app/engine/commands/command.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { startByTrigger, type TriggerOutcome } from '#app/engine/commands/triggers/start-by-trigger.ts';

type TriggerStart = { input: { [name: string]: Json }; requestKey: string; nextAt: Date | null };

/** Performs `startByTrigger` as the trigger itself, in its transaction `db`. */
export function performAsTrigger(db: Db, deps: CommandDeps, trigger: TriggerPrincipal, start: TriggerStart): Promise<TriggerOutcome> {
  const { workspaceId, userId, name } = trigger;
  const principal: Principal = {
    workspace: { id: workspaceId, name: '' },
    userId,
    name,
    roles: [],
    scopes: null,
    read: (work) => work(db),
    async change(work) {
      const { result, event } = await work(db);
      const actor = { kind: 'trigger', id: userId, name } as const;
      await recordEvent(db, { id: deps.newId(), actor, workspaceId, entry: event });
      return result;
    },
  };
  return perform(startByTrigger, principal, deps, { trigger, ...start });
}

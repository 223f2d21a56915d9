import { z } from 'zod';
import { beyondPlan, PLAN_NAMES } from '#app/domain/people/plans.ts';
import { Refusal, refusal } from '#app/domain/refusal.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { readUsage } from '#app/engine/plans/read-usage.ts';
import { holdPlan } from '#app/engine/plans/require-quota.ts';

const BEYOND = { agents: 'agentsBeyondPlan', workflows: 'workflowsBeyondPlan' } as const;

/** Changes the plan to one that whoever takes the money has agreed to (`reference`), unless more is used than it holds. */
export const changePlan = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ from: z.enum(PLAN_NAMES), to: z.enum(PLAN_NAMES), provider: z.string(), reference: z.string() }),
  actions: ['workspace.planChanged'],
  changes: ['quorate.workspaces'],
  repeat: 'refused',
  async change({ db, principal, now }, { from, to, provider, reference }) {
    const { id } = principal.workspace;
    await holdPlan(db, id);
    const held = await db
      .selectFrom('quorate.workspaces')
      .select(['plan', 'trial_ends_at', 'name'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (held.plan === to && held.trial_ends_at === null) throw refusal('conflict', 'planAlready');
    const reasons = beyondPlan(await readUsage(db, id, now()), to).map(({ measure, used, limit }) => ({
      key: BEYOND[measure],
      values: { used, limit },
    }));
    if (reasons.length > 0) throw new Refusal({ code: 'conflict', reasons });
    await db.updateTable('quorate.workspaces').set({ plan: to, trial_ends_at: null }).where('id', '=', id).execute();
    const resource = { kind: 'workspace', id, name: held.name };
    return { result: null, event: { action: 'workspace.planChanged', resource, payload: { from, to, provider, reference } } };
  },
});

import { sql } from 'kysely';
import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { signInStateSchema } from '#app/domain/people/company-sign-in.ts';
import { type SessionRules, sessionRulesSchema } from '#app/domain/people/session-rules.ts';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';
import { isWithinRanges } from '#app/engine/limits/address-ranges.ts';

/**
 * Sets what the workspace asks of sessions. Stricter rules hold at once; looser ones wait for another person where there is one (result
 * `requested`). `address`: from where who sets them does so, which networks have to contain unless they are exempt from the sign-in.
 * AppError `conflict` where it is so already.
 */
export const setSessionRules = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ rules: sessionRulesSchema, address: z.string(), reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['workspace.configured', 'change.requested'],
  changes: ['quorate.workspaces'],
  repeat: 'refused',
  weakens: ['workspace_sessions'],
  refusals: { ...CONTROL_REFUSALS, QS004: { code: 'invalid_input', reasons: [{ key: 'sessionRulesImpossible' }] } },
  async change(
    call,
    { rules: after, address, reason },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'workspace.configured' | 'change.requested'> }> {
    const { db, principal } = call;
    const { id } = principal.workspace;
    const row = await db
      .selectFrom('quorate.workspaces')
      .where('id', '=', id)
      .select(['name', 'session_rules', 'sign_in'])
      .forUpdate()
      .executeTakeFirstOrThrow();
    const resource = { id, name: row.name };
    const before: SessionRules = sessionRulesSchema.parse(row.session_rules);
    const [from, to] = [JSON.stringify(before), JSON.stringify(after)];
    if (from === to) throw new AppError('conflict');
    const exempt = signInStateSchema.parse(row.sign_in).exempt.includes(principal.userId);
    if (!exempt && !isWithinRanges(address, after.networks))
      throw refusal('invalid_input', 'networksWithoutYou', { field: 'networks', values: { address } });
    const { rows } = await sql<{ looser: boolean }>`select quorate.loosens_sessions(${from}::jsonb, ${to}::jsonb) as looser`.execute(db);
    const looser = rows[0]?.looser !== false;
    if (looser && (await secondPersonAgrees(db)))
      return requestControlChange(call, 'change.requested', { kind: 'workspace_sessions', resource, before, after, reason });
    await db.updateTable('quorate.workspaces').set({ session_rules: to }).where('id', '=', id).execute();
    return {
      result: { state: 'done' },
      event: {
        action: 'workspace.configured',
        resource: { kind: 'workspace', ...resource },
        payload: { from: { sessionRules: before }, to: { sessionRules: after }, ...(looser && { separated: false, reason }) },
      },
    };
  },
});

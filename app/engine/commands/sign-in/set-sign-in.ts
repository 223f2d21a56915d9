import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { type ProviderState, type SignInState, signInStateSchema } from '#app/domain/people/company-sign-in.ts';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';

/**
 * Sets by which provider the workspace's people sign in, whether those of its proven domains must, and which accounts need not. Another
 * person agrees where there is one (result `requested`). AppError `conflict` where it is so already.
 */
export const setSignIn = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({
    provider: z.string().nullable(),
    enforced: z.boolean(),
    exempt: z.array(z.uuid()).max(100),
    reason: z.string().max(CONTROL_REASON_MAX).default(''),
  }),
  actions: ['workspace.configured', 'change.requested'],
  changes: ['quorate.workspaces'],
  repeat: 'refused',
  weakens: ['workspace_sign_in'],
  refusals: { ...CONTROL_REFUSALS, QS001: { code: 'invalid_input', reasons: [{ key: 'signInImpossible' }] } },
  async change(
    call,
    { provider, enforced, exempt, reason },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'workspace.configured' | 'change.requested'> }> {
    const { db, principal } = call;
    const { id } = principal.workspace;
    const row = await db
      .selectFrom('quorate.workspaces')
      .where('id', '=', id)
      .select(['name', 'sign_in'])
      .forUpdate()
      .executeTakeFirstOrThrow();
    const resource = { id, name: row.name };
    const before = signInStateSchema.parse(row.sign_in);
    const after: SignInState = { provider: await readProvider(db, id, provider), enforced, exempt: [...new Set(exempt)].sort() };
    if (JSON.stringify(before) === JSON.stringify(after)) throw new AppError('conflict');
    await refuseImpossible(db, id, after);
    const alone = !(await secondPersonAgrees(db));
    if (!alone) return requestControlChange(call, 'change.requested', { kind: 'workspace_sign_in', resource, before, after, reason });
    await db
      .updateTable('quorate.workspaces')
      .set({ sign_in: JSON.stringify(after) })
      .where('id', '=', id)
      .execute();
    return {
      result: { state: 'done' },
      event: {
        action: 'workspace.configured',
        resource: { kind: 'workspace', ...resource },
        payload: { from: { signIn: before }, to: { signIn: after }, separated: false, reason },
      },
    };
  },
});

async function readProvider(db: Db, workspaceId: string, id: string | null): Promise<ProviderState | null> {
  if (id === null) return null;
  const found = await db
    .selectFrom('quorate.identity_providers as i')
    .where('i.workspace_id', '=', workspaceId)
    .where('i.id', '=', id)
    .select(['i.tested_at', sql<ProviderState>`quorate.state_of_provider(i)`.as('state')])
    .executeTakeFirst();
  if (found === undefined) throw new AppError('not_found');
  if (found.tested_at === null) throw refusal('invalid_input', 'providerUntested', { field: 'provider' });
  // in the order of its schema, so that two states compare as text
  return signInStateSchema.shape.provider.parse(found.state);
}

/** The database refuses the same; this says why. */
async function refuseImpossible(db: Db, workspaceId: string, { provider, enforced, exempt }: SignInState): Promise<void> {
  if (!enforced) return;
  if (provider === null) throw refusal('invalid_input', 'enforceNeedsProvider', { field: 'provider' });
  const admins = await db
    .selectFrom('quorate.members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`'admin' = any (roles)`)
    .execute();
  if (!admins.some((admin) => exempt.includes(admin.user_id))) throw refusal('invalid_input', 'enforceNeedsAdmin', { field: 'exempt' });
  const domain = await db
    .selectFrom('quorate.verified_domains')
    .select('domain')
    .where('workspace_id', '=', workspaceId)
    .where('verified_at', 'is not', null)
    .executeTakeFirst();
  if (domain === undefined) throw refusal('invalid_input', 'enforceNeedsDomain', { field: 'enforced' });
}

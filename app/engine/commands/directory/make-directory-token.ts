import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { type CommandCall, defineCommand } from '#app/engine/commands/command.ts';
import { createDirectoryToken } from '#app/engine/directory/directory-token.ts';
import { UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DAYS = 365;
/** A workspace's tokens that work at a time: one for each provider, and one more while it is changed. */
const MAX_LIVE = 10;
/** How long the token that a new one replaces goes on working. */
const OVERLAP_MS = 2 * DAY_MS;

/**
 * Makes a token with which a company's directory provisions people. Its secret is in this one result. `replaces`: a token that ends two
 * days after this, so that the provider can be given the new one meanwhile.
 */
export const makeDirectoryToken = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({
    id: z.uuid(),
    name: z.string().trim().min(1).max(80),
    days: z.number().int().min(1).max(MAX_DAYS),
    replaces: z.uuid().nullable().default(null),
  }),
  actions: ['directory.tokenMade'],
  changes: ['quorate.directory_tokens'],
  repeat: 'byId',
  refusals: { [UNIQUE_VIOLATION]: { code: 'invalid_input', reasons: [{ key: 'keyMadeAlready' }] } },
  async change(call, { id, name, days, replaces }) {
    const { db, principal, now } = call;
    const workspaceId = principal.workspace.id;
    await requireFew(call);
    const { secret, prefix, hash } = createDirectoryToken();
    const expiresAt = new Date(now().getTime() + days * DAY_MS);
    await db
      .insertInto('quorate.directory_tokens')
      .values({ id, workspace_id: workspaceId, name, prefix, token_hash: hash, created_by: principal.userId, expires_at: expiresAt })
      .execute();
    if (replaces !== null) await endSoon(call, replaces);
    const payload = { expiresAt: expiresAt.toISOString(), ...(replaces !== null && { replaces }) };
    return { result: { secret }, event: { action: 'directory.tokenMade', resource: { kind: 'directoryToken', id, name }, payload } };
  },
});

async function requireFew({ db, principal, now }: CommandCall): Promise<void> {
  const live = await db
    .selectFrom('quorate.directory_tokens')
    .select('id')
    .where('workspace_id', '=', principal.workspace.id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now())
    .limit(MAX_LIVE)
    .execute();
  if (live.length >= MAX_LIVE) throw refusal('invalid_input', 'tooManyDirectoryTokens', { values: { limit: MAX_LIVE } });
}

async function endSoon({ db, principal, now }: CommandCall, id: string): Promise<void> {
  const soon = new Date(now().getTime() + OVERLAP_MS);
  await db
    .updateTable('quorate.directory_tokens')
    .set({ expires_at: soon })
    .where('workspace_id', '=', principal.workspace.id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', soon)
    .execute();
}

import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { API_KEY_SCOPES } from '#app/contracts/people.ts';
import { requireFewKeys, requireScopesWithin } from '#app/engine/commands/account/create-api-key.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Lets a client act for oneself in this workspace. What it gets is a key that no secret opens: its tokens stand for it, and its rights, pace,
 * end and revocation are those of any key.
 */
export const authorizeClient = defineCommand({
  permission: null,
  scope: null,
  input: z.object({
    id: z.uuid(),
    grantId: z.string().min(20).max(100),
    clientId: z.string().min(1).max(2_000),
    name: z.string().trim().min(1).max(80),
    resource: z.url().max(2_000),
    scopes: z.array(z.enum(API_KEY_SCOPES)).min(1),
    days: z.number().int().min(1).max(365),
  }),
  actions: ['apiKey.created'],
  changes: ['quorate.api_keys'],
  repeat: 'byId',
  refusals: { [UNIQUE_VIOLATION]: { code: 'invalid_input', reasons: [{ key: 'keyMadeAlready' }] } },
  async change(call, { id, grantId, clientId, name, resource, scopes, days }) {
    const { db, principal, now } = call;
    requireScopesWithin(principal.roles, scopes);
    await requireFewKeys(call);
    const expiresAt = new Date(now().getTime() + days * DAY_MS);
    await db
      .insertInto('quorate.api_keys')
      .values({
        id,
        workspace_id: principal.workspace.id,
        user_id: principal.userId,
        name,
        prefix: 'OAuth',
        key_hash: createHash('sha256').update(randomBytes(32)).digest(),
        scopes,
        expires_at: expiresAt,
        grant_id: grantId,
        client_id: clientId,
        resource,
      })
      .execute();
    const payload = { client: clientId, resource, scopes, expiresAt: expiresAt.toISOString() };
    return { result: null, event: { action: 'apiKey.created', resource: { kind: 'apiKey', id, name }, payload } };
  },
});

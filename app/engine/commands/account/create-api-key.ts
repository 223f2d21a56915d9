import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { API_KEY_SCOPES, type ApiKeyScope, type Role } from '#app/contracts/people.ts';
import { scopesWithin } from '#app/domain/people/api-key-scopes.ts';
import { refusal } from '#app/domain/refusal.ts';
import { type CommandCall, defineCommand } from '#app/engine/commands/command.ts';
import { UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SECRET_BYTES = 32;
const SHOWN_LENGTH = 8;
/** Of one member in one workspace at a time. */
const MAX_LIVE_KEYS = 50;
const MAX_DAYS = 365;
export const MAX_KEY_NETWORKS = 20;

/** Creates a key for oneself. `networks`: CIDR; none: it may be used from everywhere. The database keeps the hash of its secret; the secret itself is in this one result. */
export const createApiKey = defineCommand({
  permission: null,
  scope: null,
  input: z.object({
    id: z.uuid(),
    name: z.string().trim().min(1).max(80),
    scopes: z.array(z.enum(API_KEY_SCOPES)).min(1),
    days: z.number().int().min(1).max(MAX_DAYS),
    networks: z
      .array(z.union([z.cidrv4(), z.cidrv6()]))
      .max(MAX_KEY_NETWORKS)
      .default([]),
  }),
  actions: ['apiKey.created'],
  changes: ['quorate.api_keys'],
  repeat: 'byId',
  refusals: { [UNIQUE_VIOLATION]: { code: 'invalid_input', reasons: [{ key: 'keyMadeAlready' }] } },
  async change(call, { id, name, scopes, days, networks }) {
    const { db, principal, now } = call;
    requireScopesWithin(principal.roles, scopes);
    await requireFewKeys(call);
    const secret = `qk_${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const expiresAt = new Date(now().getTime() + days * DAY_MS);
    await db
      .insertInto('quorate.api_keys')
      .values({
        id,
        workspace_id: principal.workspace.id,
        user_id: principal.userId,
        name,
        prefix: secret.slice(0, SHOWN_LENGTH),
        key_hash: createHash('sha256').update(secret).digest(),
        scopes,
        expires_at: expiresAt,
        networks,
      })
      .execute();
    const payload = { scopes, expiresAt: expiresAt.toISOString(), ...(networks.length > 0 ? { networks } : {}) };
    return { result: { secret }, event: { action: 'apiKey.created', resource: { kind: 'apiKey', id, name }, payload } };
  },
});

/** @throws AppError `invalid_input` where a scope needs a role that the member has not */
export function requireScopesWithin(roles: readonly Role[], scopes: readonly ApiKeyScope[]): void {
  const allowed = scopesWithin(roles);
  const outside = scopes.filter((scope) => !allowed.includes(scope)).join(', ');
  if (outside !== '') throw refusal('invalid_input', 'scopeOutsideRoles', { field: 'scopes', values: { scopes: outside } });
}

/** @throws AppError `invalid_input` where the member has as many keys as one may */
export async function requireFewKeys({ db, principal, now }: CommandCall): Promise<void> {
  const live = await db
    .selectFrom('quorate.api_keys')
    .select('id')
    .where('user_id', '=', principal.userId)
    .where('workspace_id', '=', principal.workspace.id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now())
    .limit(MAX_LIVE_KEYS)
    .execute();
  if (live.length >= MAX_LIVE_KEYS) throw refusal('invalid_input', 'tooManyKeys');
}

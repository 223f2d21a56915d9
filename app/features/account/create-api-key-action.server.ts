import { createHash, randomBytes } from 'node:crypto';
import { type ActionFunctionArgs, data } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { scopesWithin } from '#app/domain/api-key-scopes.ts';
import { isSqlState } from '#app/engine/sql-state.ts';
import { newApiKeySchema } from '#app/features/account/account-schemas.ts';
import { authContext, memberContext, servicesContext } from '#app/request-context.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const SECRET_BYTES = 32;
const SHOWN_LENGTH = 8;
/** Of one member in one workspace, at a time. */
const MAX_LIVE_KEYS = 50;
const UNIQUE_VIOLATION = '23505';

export type CreatedKey = { name: string; secret: string };
export type NewKeyAnswer = { created: CreatedKey | null; result: FormResult | undefined };

/**
 * Makes a key. Its secret is in this one answer and nowhere else, not even in a redirect: an address and a cookie are both kept. Sent
 * again, the form makes no second key.
 */
export async function createApiKey({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, newApiKeySchema);
  const refuse = (reply: typeof parsed.reply, errors?: Parameters<typeof invalidForm>[1]) =>
    data<NewKeyAnswer>({ created: null, result: invalidForm(reply, errors).data }, { status: 400 });
  if (!parsed.ok) return refuse(parsed.reply);
  const { id, name, scopes, days } = parsed.value;
  const { member, change } = context.get(memberContext);
  const allowed = scopesWithin(member.roles);
  const outside = scopes.filter((scope) => !allowed.includes(scope));
  if (outside.length > 0)
    return refuse(parsed.reply, { fieldErrors: { scopes: [message('scopeOutsideRoles', { scopes: outside.join(', ') })] } });
  const now = context.get(servicesContext).now();
  const secret = `qk_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const expiresAt = new Date(now.getTime() + days * DAY_MS);
  try {
    await change(async (db) => {
      const live = await db
        .selectFrom('quorate.api_keys')
        .select('id')
        .where('user_id', '=', member.userId)
        .where('workspace_id', '=', member.workspace.id)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .limit(MAX_LIVE_KEYS)
        .execute();
      if (live.length >= MAX_LIVE_KEYS) throw new TooManyKeys();
      await db
        .insertInto('quorate.api_keys')
        .values({
          id,
          workspace_id: member.workspace.id,
          user_id: member.userId,
          name,
          prefix: secret.slice(0, SHOWN_LENGTH),
          key_hash: createHash('sha256').update(secret).digest(),
          scopes,
          expires_at: expiresAt,
        })
        .execute();
      return {
        result: null,
        event: {
          action: 'apiKey.created',
          resource: { kind: 'apiKey', id, name },
          payload: { scopes, expiresAt: expiresAt.toISOString() },
        },
      };
    });
  } catch (error) {
    if (error instanceof TooManyKeys) return refuse(parsed.reply, { formErrors: ['tooManyKeys'] });
    if (isSqlState(error, UNIQUE_VIOLATION)) return refuse(parsed.reply, { formErrors: ['keyMadeAlready'] });
    throw error;
  }
  context.get(authContext).headers.set('Cache-Control', 'private, no-store');
  return data<NewKeyAnswer>({ created: { name, secret }, result: undefined });
}

class TooManyKeys extends Error {}

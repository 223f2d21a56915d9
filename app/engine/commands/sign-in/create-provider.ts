import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import {
  MOST_PROVIDERS,
  providerColumns,
  providerInput,
  providerSealContext,
  signersIn,
} from '#app/engine/commands/sign-in/provider-input.ts';

/** Keeps an identity provider, which counts for nothing before it was tested and turned on. `secret` in clear; it is sealed here; null: SAML. */
export const createProvider = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: providerInput.extend({ id: z.uuid(), secret: z.string().min(1).max(2000).nullable() }),
  actions: ['identityProvider.created'],
  changes: ['quorate.identity_providers'],
  repeat: 'byId',
  async change({ db, principal, engine }, { id, secret, ...given }) {
    const kept = await db
      .selectFrom('quorate.identity_providers')
      .select('id')
      .where('workspace_id', '=', principal.workspace.id)
      .limit(MOST_PROVIDERS)
      .execute();
    if (kept.length >= MOST_PROVIDERS) throw refusal('invalid_input', 'tooManyProviders', { values: { maximum: MOST_PROVIDERS } });
    await db
      .insertInto('quorate.identity_providers')
      .values({
        id,
        workspace_id: principal.workspace.id,
        ...providerColumns(given),
        sealed_secret: secret === null ? null : engine.sealer.seal(secret, providerSealContext(id)),
      })
      .execute();
    return {
      result: { id },
      event: {
        action: 'identityProvider.created',
        resource: { kind: 'identityProvider', id, name: given.name },
        payload: { issuer: given.issuer, clientId: given.clientId, defaultRoles: given.defaultRoles, ...signersIn(given.saml) },
      },
    };
  },
});

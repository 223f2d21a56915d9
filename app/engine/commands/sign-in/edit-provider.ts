import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import {
  PROVIDER_COUNTS,
  providerColumns,
  providerInput,
  providerSealContext,
  signersIn,
} from '#app/engine/commands/sign-in/provider-input.ts';

/** Changes a provider that does not count, which has to be tested anew. `secret`: empty keeps the present one. */
export const editProvider = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: providerInput.extend({ id: idSchema, secret: z.string().max(2000) }),
  actions: ['identityProvider.edited'],
  changes: ['quorate.identity_providers'],
  repeat: 'overwrites',
  refusals: PROVIDER_COUNTS,
  async change({ db, principal, engine }, { id, secret, ...given }) {
    const changed = await db
      .updateTable('quorate.identity_providers')
      .set({
        ...providerColumns(given),
        ...(secret === '' ? {} : { sealed_secret: engine.sealer.seal(secret, providerSealContext(id)) }),
      })
      .where('id', '=', id)
      .where('workspace_id', '=', principal.workspace.id)
      .returning('id')
      .executeTakeFirst();
    if (changed === undefined) throw new AppError('not_found');
    return {
      result: null,
      event: {
        action: 'identityProvider.edited',
        resource: { kind: 'identityProvider', id, name: given.name },
        payload: {
          issuer: given.issuer,
          clientId: given.clientId,
          secretChanged: secret !== '',
          defaultRoles: given.defaultRoles,
          ...signersIn(given.saml),
        },
      },
    };
  },
});

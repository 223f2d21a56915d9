import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { samlSealContext } from '#app/engine/commands/sign-in/provider-input.ts';

/**
 * Keeps a key pair of the workspace's SAML. The first one is in use at once; another one is published, and used when an admin says so.
 * `key` in clear; it is sealed here. `certificate`: base64 of DER.
 */
export const createSamlKey = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ id: z.uuid(), certificate: z.string().max(4000), key: z.string().max(8000), notAfter: z.date() }),
  actions: ['samlKey.created'],
  changes: ['quorate.saml_keys'],
  repeat: 'byId',
  async change({ db, principal, engine }, { id, certificate, key, notAfter }) {
    const workspace_id = principal.workspace.id;
    const kept = await db.selectFrom('quorate.saml_keys').select('state').where('workspace_id', '=', workspace_id).execute();
    if (kept.some(({ state }) => state === 'next')) throw refusal('conflict', 'samlKeyWaits');
    const state = kept.some((one) => one.state === 'current') ? 'next' : 'current';
    const sealed_key = engine.sealer.seal(key, samlSealContext(id));
    await db.insertInto('quorate.saml_keys').values({ id, workspace_id, certificate, sealed_key, state, not_after: notAfter }).execute();
    return {
      result: null,
      event: {
        action: 'samlKey.created',
        resource: { kind: 'samlKey', id, name: '' },
        payload: { state, notAfter: notAfter.toISOString() },
      },
    };
  },
});

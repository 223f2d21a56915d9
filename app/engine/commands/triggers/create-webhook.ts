import { randomBytes } from 'node:crypto';
import { hookSealContext } from '#app/domain/workflows/triggers.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { newTriggerSchema, requireFewTriggers, requirePublished } from '#app/engine/commands/triggers/new-trigger.ts';
import { UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';

const SECRET_BYTES = 32;

/** Makes a webhook of a published workflow. It is stored with its secret sealed; in the clear the secret is in this one result. */
export const createWebhook = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: newTriggerSchema,
  actions: ['trigger.created'],
  changes: ['quorate.triggers'],
  repeat: 'byId',
  refusals: { [UNIQUE_VIOLATION]: { code: 'invalid_input', reasons: [{ key: 'hookMadeAlready' }] } },
  async change(call, { id, name, workflow }) {
    const { db, principal, engine } = call;
    await requirePublished(call, workflow);
    await requireFewTriggers(call);
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    await db
      .insertInto('quorate.triggers')
      .values({
        id,
        workspace_id: principal.workspace.id,
        artifact_id: workflow,
        kind: 'webhook',
        name,
        settings: '{}',
        secret_sealed: engine.sealer.seal(secret, hookSealContext(id)),
        created_by: principal.userId,
      })
      .execute();
    const payload = { kind: 'webhook', workflow };
    return { result: { id, secret }, event: { action: 'trigger.created', resource: { kind: 'trigger', id, name }, payload } };
  },
});

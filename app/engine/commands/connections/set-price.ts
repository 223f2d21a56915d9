import { z } from 'zod';
import { modelSettingsSchema } from '#app/domain/connections/model-connection.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { setModelPrice } from '#app/engine/connections/change-connection.ts';

/** Keeps the price of a model in US dollars per million tokens; null takes it away. */
export const setPrice = defineCommand({
  permission: 'manageConnection',
  scope: null,
  input: z.object({
    connection: connectionSchema,
    settings: modelSettingsSchema,
    model: z.string(),
    price: z.object({ input: z.number(), output: z.number() }).nullable(),
  }),
  actions: ['connection.priceSet'],
  changes: ['quorate.connections'],
  repeat: 'overwrites',
  change({ db, principal, now }, { connection, settings, model, price }) {
    return setModelPrice(db, { ...connection, workspaceId: principal.workspace.id }, { settings, model, price, at: now() });
  },
});

import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Stores a request to the operator of this instance. Returns false where the database keeps no more of them. */
export const storeContactRequest = defineInstanceCommand({
  input: z.object({
    id: idSchema,
    topic: z.string(),
    name: z.string(),
    email: z.string(),
    company: z.string(),
    message: z.string(),
    language: z.string(),
    sharingRefused: z.boolean(),
  }),
  actions: [],
  repeat: 'byId',
  async change({ db }, { id, topic, name, email, company, message, language, sharingRefused }) {
    const { rows } = await sql<{ stored: boolean }>`select quorate.request_contact(
      ${id}, ${topic}, ${name}, ${email}, ${company}, ${message}, ${language}, ${sharingRefused}) as stored`.execute(db);
    return rows[0]?.stored === true;
  },
});

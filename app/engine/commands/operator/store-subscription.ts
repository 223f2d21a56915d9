import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand } from '#app/engine/commands/command.ts';

/** Stores an address for the newsletter once, in small letters. */
export const storeSubscription = defineInstanceCommand({
  input: z.object({ email: z.string(), language: z.string(), sharingRefused: z.boolean() }),
  actions: [],
  repeat: 'overwrites',
  async change({ db }, { email, language, sharingRefused }) {
    await sql`select quorate.subscribe_newsletter(${email}, ${language}, ${sharingRefused})`.execute(db);
  },
});

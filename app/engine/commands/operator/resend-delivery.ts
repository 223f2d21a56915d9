import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Puts one webhook at the front of the queue again. The database says who may: builders and admins. */
export const resendDelivery = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ delivery: z.uuid() }),
  actions: ['delivery.sentAgain'],
  changes: ['quorate.deliveries'],
  repeat: 'repeats',
  async change({ db }, { delivery: id }) {
    const { rows } = await sql<{ sent: boolean }>`select quorate.resend_delivery(${id}) as sent`.execute(db);
    if (rows[0]?.sent !== true) throw new AppError('not_found');
    return { result: null, event: { action: 'delivery.sentAgain', resource: { kind: 'delivery', id } } };
  },
});

import { sql } from 'kysely';
import { z } from 'zod';
import { ATTESTATION_NOTE_MAX, ATTESTED_MONTHS } from '#app/domain/audit/attestation.ts';
import { CONTROLS } from '#app/domain/audit/compliance.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** A person's word that a control operates, for some months. It replaces the one before, which stays on record. */
export const attestControl = defineCommand({
  permission: 'attestControl',
  scope: null,
  input: z.object({
    control: z.enum(CONTROLS),
    note: z.string().trim().min(1).max(ATTESTATION_NOTE_MAX),
    months: z.number().refine((months) => (ATTESTED_MONTHS as readonly number[]).includes(months)),
  }),
  actions: ['control.attested'],
  changes: ['quorate.attestations'],
  repeat: 'repeats',
  async change({ db, newId }, { control, note, months }) {
    const id = newId();
    await sql`select quorate.attest_control(${id}, ${control}, ${note}, ${months})`.execute(db);
    return {
      result: null,
      event: { action: 'control.attested', resource: { kind: 'control', id, name: control }, payload: { control, note, months } },
    };
  },
});

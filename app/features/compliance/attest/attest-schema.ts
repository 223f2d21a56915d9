import { z } from 'zod';
import { ATTESTATION_NOTE_MAX, ATTESTED_MONTHS } from '#app/domain/audit/attestation.ts';

export const attestSchema = z.object({
  note: z.string().trim().min(1).max(ATTESTATION_NOTE_MAX),
  months: z.enum(ATTESTED_MONTHS.map(String) as [string, ...string[]]).transform(Number),
});

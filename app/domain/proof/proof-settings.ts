import { z } from 'zod';

/** Witnesses of one workspace; the same in `quorate.is_proof`. */
export const MOST_WITNESSES = 16;

/**
 * How others watch a workspace's log. `tiles`: anybody may read its hashes. `quorum`: so many of the witnesses sign a head with us before it
 * counts as witnessed; 0 only without witnesses. `key` is a verifier key of C2SP signed notes, `ca` are certificates in PEM.
 */
export const proofSettingsSchema = z.strictObject({
  tiles: z.boolean(),
  quorum: z.int().min(0).max(MOST_WITNESSES),
  witnesses: z.array(z.strictObject({ key: z.string().max(300), url: z.string().max(500) })).max(MOST_WITNESSES),
  authority: z.strictObject({ url: z.string().max(500), policy: z.string().max(200).nullable(), ca: z.string().max(20_000) }).nullable(),
});
export type ProofSettings = z.output<typeof proofSettingsSchema>;

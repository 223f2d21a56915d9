import { z } from 'zod';
import { explanationSchema } from '#app/contracts/explanation.ts';

const part = z.number();

/** A candidate in a step's journal row. A score of null: excluded, for the reason in `excluded`. */
export const candidatesSchema = z.array(
  z.object({
    capabilityId: z.string(),
    name: z.string(),
    connection: z.string(),
    protocol: z.string().nullable(),
    score: z.number().nullable(),
    parts: z.object({ skill: part, health: part, latency: part, price: part.nullable() }).nullable().default(null),
    excluded: explanationSchema.nullable(),
    chosen: z.boolean(),
  }),
);
export type RouteCandidate = z.infer<typeof candidatesSchema>[number];

/** The candidates of a journal row; none where it holds none, or none that this version can read. */
export function readCandidates(value: unknown): RouteCandidate[] {
  return candidatesSchema.safeParse(value).data ?? [];
}

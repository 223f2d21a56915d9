import { z } from 'zod';
import { VERDICTS } from '#app/contracts/statuses.ts';

/** How many days a replay may look back; the last is the usual one. */
export const REPLAY_DAYS = [1, 7, 30] as const;

const moneySchema = z.record(z.string(), z.number());
/** Amounts by currency. */
export type Amounts = z.infer<typeof moneySchema>;

const totalsSchema = z.array(
  z.object({ was: z.enum(VERDICTS), would: z.enum(VERDICTS), decisions: z.int(), runs: z.int(), money: moneySchema }),
);
/** Decisions of one verdict that would have another, in how many runs, and the money of their calls. */
export type ReplayTotal = z.infer<typeof totalsSchema>[number];

/** As the database keeps them. */
export const readAmounts = (stored: unknown): Amounts => moneySchema.safeParse(stored).data ?? {};
export const readTotals = (stored: unknown): ReplayTotal[] => totalsSchema.safeParse(stored).data ?? [];

import { z } from 'zod';

/** The output of `npm run bench` (tests/bench). */
export const benchSchema = z.object({
  at: z.iso.datetime(),
  machine: z.object({ cpu: z.string(), cores: z.number(), memoryGb: z.number(), node: z.string() }),
  seconds: z.number(),
  lines: z.array(
    z.object({
      what: z.string(),
      // A figure that could not be taken is written as null.
      value: z.number().nullable(),
      unit: z.string(),
      limit: z.number().nullable(),
      better: z.enum(['more', 'less']),
    }),
  ),
});
export type Bench = z.output<typeof benchSchema>;
export type BenchLine = Bench['lines'][number];

/** The output of the tests that kill the built product (tests/survival). */
export const survivalSchema = z.record(
  z.string(),
  z.looseObject({
    date: z.iso.date(),
    kills: z.number().optional(),
    acknowledgedRuns: z.number().optional(),
    lostRuns: z.number().optional(),
    completedStepsRunAgain: z.number().optional(),
    eventsProven: z.number().optional(),
  }),
);
export type Survival = z.output<typeof survivalSchema>[string] & { what: string };

export type Evidence = { benches: Bench[]; survival: Survival[] };

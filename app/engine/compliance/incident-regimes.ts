import { z } from 'zod';
import type { Regime } from '#app/domain/incidents/incident.ts';
import { HARMS, REGIMES, REPORT_STEPS } from '#app/domain/incidents/incident.ts';

const spanSchema = z
  .strictObject({
    of: z.enum(['noticed', 'classified', ...REPORT_STEPS]),
    hours: z.int().positive().optional(),
    days: z.int().positive().optional(),
    months: z.int().positive().optional(),
  })
  .refine(({ hours, days, months }) => [hours, days, months].filter((amount) => amount !== undefined).length === 1);

const stepSchema = z.strictObject({
  id: z.enum(REPORT_STEPS),
  /** As it is cited. */
  article: z.string().min(1),
  within: spanSchema,
  atMost: spanSchema.optional(),
  sooner: z.array(z.strictObject({ harm: z.enum(HARMS), article: z.string().min(1), within: spanSchema })).optional(),
});

const regimeSchema = z.strictObject({
  /** The law in `laws.json`, which has its name and its dates. */
  law: z.string().min(1),
  /** Where the law says which incidents it means. */
  scope: z.string().min(1),
  /** From this day on its clocks run: an incident that was noticed before has none of it. */
  from: z.iso.date(),
  /** Address of the text that sets the times. */
  source: z.url(),
  /** The day on which the times were last compared with that text; absent: they were not. */
  checked: z.iso.date().optional(),
  steps: z.array(stepSchema).min(1),
});
export type RegimeRules = z.output<typeof regimeSchema>;

let loaded: Promise<Record<Regime, RegimeRules>> | undefined;

/** The reports that each regime asks for, and when, from `incident-regimes.json`. Read with the first use. */
export function loadRegimes(): Promise<Record<Regime, RegimeRules>> {
  loaded ??= import('#app/engine/compliance/incident-regimes.json', { with: { type: 'json' } }).then(({ default: file }) =>
    z.record(z.enum(REGIMES), regimeSchema).parse(file),
  );
  return loaded;
}

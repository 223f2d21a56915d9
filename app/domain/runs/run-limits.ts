import { z } from 'zod';
import type { RunCeilings, RunLimits } from '#app/contracts/limits.ts';

export const DEFAULT_RUN_CEILINGS: RunCeilings = { runsAtOnce: null, queuedRuns: 20_000, queuedInAll: 100_000 };

const count = z.int().min(1).nullable().catch(null);
const settingsSchema = z.object({ limits: z.object({ runsAtOnce: count.default(null), queuedRuns: count.default(null) }) });

/** The limits in force: what a workspace's settings state, within the ceilings of the instance. Their other keys are ignored. */
export function runLimitsInForce(settings: unknown, ceilings: RunCeilings): RunLimits {
  const own = settingsSchema.safeParse(settings).data?.limits ?? { runsAtOnce: null, queuedRuns: null };
  const atOnce = [own.runsAtOnce, ceilings.runsAtOnce].filter((limit) => limit !== null);
  return {
    runsAtOnce: atOnce.length === 0 ? null : Math.min(...atOnce),
    queuedRuns: Math.min(own.queuedRuns ?? ceilings.queuedRuns, ceilings.queuedRuns),
  };
}

import { z } from 'zod';
import type { Paces } from '#app/contracts/limits.ts';

/** The default where a workspace has set nothing. */
export const DEFAULT_PACES: Paces = { keys: 600, hooks: 120 };

const settingsSchema = z.object({
  paces: z.object({ keys: z.int().min(1).catch(DEFAULT_PACES.keys), hooks: z.int().min(1).catch(DEFAULT_PACES.hooks) }),
});

/** The pace that a workspace's settings state; their other keys are ignored. */
export function readPaces(settings: unknown): Paces {
  return settingsSchema.safeParse(settings).data?.paces ?? DEFAULT_PACES;
}

/** The pace in force: the workspace's choice within the instance's ceiling. */
export function pacesInForce(chosen: Paces, ceilings: Paces): Paces {
  return { keys: Math.min(chosen.keys, ceilings.keys), hooks: Math.min(chosen.hooks, ceilings.hooks) };
}

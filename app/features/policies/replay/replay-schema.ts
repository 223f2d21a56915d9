import { z } from 'zod';
import { REPLAY_DAYS } from '#app/domain/audit/replay.ts';

export const replaySchema = z.object({
  intent: z.enum(['start', 'cancel']).default('start'),
  days: z.enum(REPLAY_DAYS.map(String)).default(String(REPLAY_DAYS.at(-1))),
  /** The one that is cancelled. */
  replay: z.string().max(64).default(''),
});

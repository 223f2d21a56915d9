import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';

/** The form in which somebody asks whether evidence may leave; the address says which. */
export const askSchema = z.object({ reason: z.string({ error: 'changeReason' }).trim().min(1, 'changeReason').max(CONTROL_REASON_MAX) });

import { z } from 'zod';

export const PASS_REASON_MAX_CHARACTERS = 500;

export const passTaskSchema = z.object({ to: z.uuid(), reason: z.string().trim().min(1).max(PASS_REASON_MAX_CHARACTERS) });

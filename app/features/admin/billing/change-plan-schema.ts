import { z } from 'zod';

export const PROVIDER_ANSWERS = ['agreed', 'declined'] as const;

/** `answer`: what the test provider is to say; no other provider asks for it. */
export const changePlanSchema = z.object({ answer: z.enum(PROVIDER_ANSWERS).default('agreed') });

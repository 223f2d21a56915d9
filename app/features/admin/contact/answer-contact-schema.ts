import { z } from 'zod';

export const answerContactSchema = z.object({ state: z.enum(['new', 'answered']) });

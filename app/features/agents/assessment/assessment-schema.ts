import { z } from 'zod';
import { impactAnswersSchema } from '#app/domain/inventory/impact-assessment.ts';

/** `seen`: the version that the form was filled in over. */
export const assessmentSchema = impactAnswersSchema.extend({ seen: z.coerce.number().int().min(0) });

import { z } from 'zod';

/** Things that can be done with several runs of the list at once. */
export const SEVERAL_ACTS = ['cancel', 'retry'] as const;
export const severalActSchema = z.enum(SEVERAL_ACTS);
export type SeveralAct = z.infer<typeof severalActSchema>;

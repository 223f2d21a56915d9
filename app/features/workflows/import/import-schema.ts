import { z } from 'zod';

/** A file, or its text pasted: the file counts where both came. */
export const importSchema = z.object({
  file: z.instanceof(File).optional(),
  text: z.string().max(1_000_000).default(''),
  /** Empty: as the file says. */
  name: z.string().trim().max(120).default(''),
});

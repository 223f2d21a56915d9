import { z } from 'zod';
import { idSchema } from '#app/engine/commands/command.ts';

/** A connection of the principal's workspace, as it was read. */
export const connectionSchema = z.object({ id: idSchema, name: z.string() });

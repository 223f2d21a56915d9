import { z } from 'zod';

/** `capability`: `<slug of the connection>/<name>`, as the list of what can be called names it. */
export const inspectSchema = z.object({
  capability: z.string().regex(/^[a-z0-9-]{1,48}\/.{1,200}$/),
  input: z.string().max(20_000).default('{}'),
  _key: z.uuid(),
});

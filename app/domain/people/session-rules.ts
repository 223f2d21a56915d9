import { z } from 'zod';

/**
 * The demands of a workspace on the sessions of its people, as `workspaces.session_rules` holds it: how many hours one lasts, how many minutes it
 * may be idle, whether it has shown a second factor, and the networks (CIDR) it is used from. Null, false and an empty list ask for nothing.
 */
export const sessionRulesSchema = z.strictObject({
  hours: z.number().int().min(1).max(720).nullable(),
  idleMinutes: z.number().int().min(5).max(10_080).nullable(),
  factor: z.boolean(),
  networks: z.array(z.string()).max(50),
});
export type SessionRules = z.infer<typeof sessionRulesSchema>;

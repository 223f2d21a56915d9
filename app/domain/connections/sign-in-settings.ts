import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';

/**
 * How a connection signs in by OAuth. `by`: the workspace with one account, or each member with their own. `owner`: whose account serves runs
 * that nobody starts by hand. `host`: where people sign in, as last found.
 */
const signInSchema = z.object({
  by: z.enum(['workspace', 'member']),
  owner: z.uuid().nullable(),
  host: z.string().max(260),
});
export type SignInSettings = z.infer<typeof signInSchema>;
const settingsSchema = z.object({ signIn: signInSchema });

/** Null: the connection takes a key, or nothing. */
export function signInOf(settings: Json | undefined): SignInSettings | null {
  return settingsSchema.safeParse(settings).data?.signIn ?? null;
}

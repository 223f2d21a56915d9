import { z } from 'zod';
import { samlSettingsSchema } from '#app/contracts/company-sign-in.ts';
import { ROLES } from '#app/contracts/people.ts';

/** An identity provider as another person agrees to it: `secret` is the SHA-256 (hex) of what is kept sealed; SAML has none. */
const providerStateSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  secret: z.string().nullable(),
  emailClaim: z.string(),
  nameClaim: z.string(),
  groupsClaim: z.string(),
  emailsVerified: z.boolean(),
  defaultRoles: z.array(z.enum(ROLES)),
  /** Left out: OpenID Connect. */
  saml: samlSettingsSchema.optional(),
});
export type ProviderState = z.infer<typeof providerStateSchema>;

/** Which provider counts in a workspace, whether members of its proven domains must sign in by it, and the ids of those who need not. */
export const signInStateSchema = z.strictObject({
  provider: providerStateSchema.nullable(),
  enforced: z.boolean(),
  exempt: z.array(z.string()),
});
export type SignInState = z.infer<typeof signInStateSchema>;

/** Roles by the name of a group of the directory. */
export const groupRolesSchema = z.record(z.string(), z.array(z.enum(ROLES)));
export type GroupRoles = z.infer<typeof groupRolesSchema>;

/** Groups that one sign-in may name: a directory that sends all that it has is not believed to mean one person. */
const MOST_GROUPS = 1_000;
const LONGEST_GROUP = 256;

export type ClaimNames = { email: string; name: string; groups: string };
/** The person as the claims say. `groups` is null where the provider sends none, which takes no role from anybody. */
export type CompanyPerson = { email: string | null; verified: boolean; name: string; groups: string[] | null };

/**
 * The person in the claims of a provider. An address counts as verified where `email_verified` is true, or is left out by a provider that
 * is trusted with its addresses; where the provider says that it is not, it never is.
 */
export function personIn(claims: Readonly<Record<string, unknown>>, names: ClaimNames, emailsVerified: boolean): CompanyPerson {
  const email = claims[names.email];
  const address = typeof email === 'string' && z.email().max(254).safeParse(email).success ? email.toLowerCase() : null;
  const said = claims.email_verified;
  const name = claims[names.name];
  return {
    email: address,
    verified: said === true || said === 'true' || (said === undefined && emailsVerified),
    name: typeof name === 'string' ? name.trim().slice(0, 120) : '',
    groups: groupsIn(claims[names.groups]),
  };
}

function groupsIn(claim: unknown): string[] | null {
  const list = typeof claim === 'string' ? [claim] : claim;
  if (!Array.isArray(list)) return null;
  const names = list.filter((group): group is string => typeof group === 'string' && group !== '' && group.length <= LONGEST_GROUP);
  return [...new Set(names)].slice(0, MOST_GROUPS);
}

/** The domain of an address, lower-case; empty where there is none. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** The text of the TXT record that proves a domain. */
export const domainProof = (token: string): string => `quorate-verification=${token}`;

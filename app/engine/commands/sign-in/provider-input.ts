import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type SamlSettings, samlSettingsSchema } from '#app/contracts/company-sign-in.ts';
import type { Json } from '#app/contracts/json.ts';
import { ROLES } from '#app/contracts/people.ts';

/** The configuration of a provider but its secret. */
export const providerInput = z.object({
  name: z.string().trim().min(1).max(80),
  issuer: z.string().max(500),
  clientId: z.string().trim().min(1).max(255),
  emailClaim: z.string().trim().min(1).max(100),
  nameClaim: z.string().trim().min(1).max(100),
  groupsClaim: z.string().trim().min(1).max(100),
  emailsVerified: z.boolean(),
  defaultRoles: z.array(z.enum(ROLES)).min(1),
  /** Null: OpenID Connect. */
  saml: samlSettingsSchema.nullable().default(null),
});

/** The same as columns. */
export const providerColumns = (given: z.output<typeof providerInput>) => ({
  name: given.name,
  issuer: given.issuer,
  client_id: given.clientId,
  email_claim: given.emailClaim,
  name_claim: given.nameClaim,
  groups_claim: given.groupsClaim,
  emails_verified: given.emailsVerified,
  default_roles: given.defaultRoles,
  saml: given.saml === null ? null : JSON.stringify(given.saml),
});

/** The context that a provider's secret is sealed in. */
export const providerSealContext = (id: string) => `identity provider ${id}`;

/** The context that a key of a workspace's SAML is sealed in. */
export const samlSealContext = (id: string) => `saml key ${id}`;

/** Of one workspace. */
export const MOST_PROVIDERS = 10;
/** A provider that counts is neither changed nor removed: another one takes its place. */
export const PROVIDER_COUNTS = { QS002: { code: 'conflict', reasons: [{ key: 'providerCounts' }] } } as const;

/** Of SAML, for the log: the SHA-256 (hex) of each certificate whose key may sign, and whether the provider may begin a sign-in. */
export const signersIn = (saml: SamlSettings | null): { [key: string]: Json } =>
  saml === null
    ? {}
    : {
        certificates: saml.certificates.map((text) => createHash('sha256').update(Buffer.from(text, 'base64')).digest('hex')),
        idpInitiated: saml.idpInitiated,
      };

import { z } from 'zod';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';

/** An identity provider as it is called: `secret` in clear for this call alone, `network` what the workspace may reach inside. */
export type CompanyProvider = { issuer: string; clientId: string; secret: string; network: WorkspaceNetwork };

/** Forms in which a SAML provider may name a person (SAML 2.0 core, section 8.3); `unspecified` leaves it to the provider. */
export const NAME_IDS = ['persistent', 'emailAddress', 'unspecified'] as const;

/**
 * A SAML provider beside its entity id, as it is stored and agreed to: the address that people are sent to (HTTP-Redirect), the certificates
 * whose keys may sign (base64 of DER, all of them in force), where its metadata was read (null: pasted), and whether it may begin a sign-in.
 */
export const samlSettingsSchema = z.strictObject({
  ssoUrl: z.string(),
  certificates: z.array(z.string()).min(1),
  metadataUrl: z.string().nullable(),
  nameId: z.enum(NAME_IDS),
  idpInitiated: z.boolean(),
});
export type SamlSettings = z.infer<typeof samlSettingsSchema>;

/** A key pair of ours: the certificate (base64 of DER), and the key in clear (PKCS #8, PEM) for this call alone. */
export type SamlKey = { certificate: string; key: string };

/** A SAML provider as it is called: `entityId` and `acs` are ours, of `keys` the first signs and all of them decrypt. */
export type SamlProvider = { issuer: string; entityId: string; acs: string; settings: SamlSettings; keys: readonly SamlKey[] };

/** The part of a provider's metadata that is of use here. */
export type SamlMetadata = { entityId: string; ssoUrl: string; certificates: string[] };

/** Why metadata cannot be used; the words are in the namespace `validation`. */
export const SAML_METADATA_FAULTS = [
  'xml',
  'noProvider',
  'several',
  'expired',
  'noRedirect',
  'address',
  'certificates',
  'unreachable',
] as const;
export type SamlMetadataFault = (typeof SAML_METADATA_FAULTS)[number];

export class SamlMetadataError extends Error {
  readonly fault: SamlMetadataFault;
  constructor(fault: SamlMetadataFault, cause?: unknown) {
    super(`metadata of a SAML provider: ${fault}`, { cause });
    this.name = 'SamlMetadataError';
    this.fault = fault;
  }
}

/** The values that bind the answer of a provider to the sign-in that was begun. Sealed until the answer is there. */
export type FlowSecrets = { state: string; nonce: string; verifier: string };

/** The verified answer of a provider. `authTime` in seconds since 1970; `claims`: those of the ID token before those of userinfo. */
export type CompanyClaims = {
  subject: string;
  sid: string | null;
  amr: string[];
  acr: string | null;
  authTime: number | null;
  claims: Readonly<Record<string, unknown>>;
};

/** A verified token of a back-channel logout. `expiresAt` in seconds since 1970. */
export type CompanyLogout = { id: string; subject: string | null; sid: string | null; expiresAt: number };

/**
 * Why a sign-in by a provider was refused. `state`: it was not begun in this browser, or was taken already; `issuer`: another provider answered;
 * `code`: the provider refused its code; `denied`: the provider refused the person; `token`, `nonce`: the ID token or the assertion does not
 * hold; `unreachable`: the provider cannot be reached; `configuration`: what it says of itself cannot be used. Of SAML alone: `audience`: the
 * answer is for somebody else; `time`: it is not valid now; `replayed`: its assertion was here before; `unsolicited`: nobody had asked;
 * `encrypted`: to a key that is not ours; `nameId`: the person is not named so that they could be known again; `relay`: it leads elsewhere.
 */
export const COMPANY_FAILURES = [
  'state',
  'issuer',
  'code',
  'denied',
  'token',
  'nonce',
  'unreachable',
  'configuration',
  'audience',
  'time',
  'replayed',
  'unsolicited',
  'encrypted',
  'nameId',
  'relay',
] as const;
export type CompanyFailure = (typeof COMPANY_FAILURES)[number];

/** Thrown by `CompanyOidc`. Its cause may name addresses and goes to the log alone. */
export class CompanySignInError extends Error {
  readonly failure: CompanyFailure;
  constructor(failure: CompanyFailure, cause?: unknown) {
    super(`sign-in by a provider: ${failure}`, { cause });
    this.name = 'CompanySignInError';
    this.failure = failure;
  }
}

/** OpenID Connect towards providers of companies. Every call throws CompanySignInError. */
export type CompanyOidc = {
  /** Where the person is sent: with PKCE, state and nonce, and by a pushed request where the provider takes one. */
  begin(provider: CompanyProvider, redirectUri: string, loginHint: string | null): Promise<{ url: string; secrets: FlowSecrets }>;
  /** Exchanges the code of the answer that came to `callback` and checks everything that is to be checked. */
  finish(provider: CompanyProvider, callback: URL, secrets: FlowSecrets): Promise<CompanyClaims>;
  readLogout(provider: CompanyProvider, token: string): Promise<CompanyLogout>;
};

/** An assertion that holds: `claims` of its person, and until when its `id` is kept so that it counts once. */
export type SamlAnswer = { claims: CompanyClaims; id: string; until: Date };

/** SAML 2.0 towards providers of companies, HTTP-Redirect out and HTTP-POST in. Every call throws CompanySignInError, but those of metadata. */
export type CompanySaml = {
  /** Where the person is sent, with a signed request. `request`: its id, which the answer has to name. */
  begin(provider: SamlProvider): Promise<{ url: string; request: string }>;
  /** The facts that an answer (base64) states of itself, before any of them is believed. */
  glance(answer: string): Promise<{ inResponseTo: string | null; issuer: string | null }>;
  /** Checks everything that is to be checked. `request`: the id that it answers; null: it came without being asked for. */
  finish(provider: SamlProvider, answer: string, request: string | null): Promise<SamlAnswer>;
  /** @throws SamlMetadataError */
  readMetadata(text: string): Promise<SamlMetadata>;
  /** The text at this address. @throws SamlMetadataError `unreachable`, `address` */
  fetchMetadata(url: string, network: WorkspaceNetwork): Promise<string>;
  /** Our own: the first certificate signs and is encrypted to, the others will sign. */
  writeMetadata(service: { entityId: string; acs: string; certificates: readonly string[] }): Promise<string>;
  /** A new key pair whose certificate bears this name. */
  makeKey(name: string, from: Date): Promise<SamlKey & { notAfter: Date }>;
};

/** TXT records of a name, each in one piece. Throws when no answer came in time; a name without any is an empty list. */
export type ResolveTxt = (name: string) => Promise<string[]>;

/**
 * How a session is opened for who a provider has vouched for. `database`: by a hash that a function of the database stores (embedded);
 * otherwise by the administrative calls of the hosted service. Null there: its secret key is not set.
 */
export type CompanySessions =
  | 'database'
  | {
      /** Makes a confirmed account. Returns its id, or null where there is one of this address. */
      makeAccount(account: { email: string; name: string }): Promise<string | null>;
      /** A hash that opens one session of the account of this address. */
      issueHash(email: string): Promise<string>;
    }
  | null;

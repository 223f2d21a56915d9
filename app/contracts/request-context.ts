/**
 * The values that loaders and actions receive. Root middleware sets `servicesContext` and `authContext`; the app area's layout sets
 * `memberContext` after it has made sure that someone is signed in.
 */
import { createContext } from 'react-router';
import type { Access, DirectoryAccess, KeyAccess, MemberAccess } from '#app/contracts/access.ts';
import type { AuthorizationServer } from '#app/contracts/clients/authorization.ts';
import type { Passkeys } from '#app/contracts/clients/passkeys.ts';
import type { CompanyOidc, CompanySaml, ResolveTxt } from '#app/contracts/company-sign-in.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { IdentityBackend, RequestAuth } from '#app/contracts/identity.ts';
import type { Paces, RunCeilings } from '#app/contracts/limits.ts';
import type { InstanceNetwork } from '#app/contracts/network.ts';
import type { Operator } from '#app/contracts/people.ts';
import type { FileStore, Log, Mailer, ScanFile } from '#app/contracts/ports.ts';
import type { Membership } from '#app/contracts/principals.ts';
import type { Founders, Registration } from '#app/contracts/registration.ts';

export type Services = {
  engine: Engine;
  access: Access;
  identity: IdentityBackend;
  authorization: AuthorizationServer;
  log: Log;
  mailer: Mailer;
  files: FileStore;
  scanFile: ScanFile;
  /** Sign-in by the identity providers of companies. */
  oidc: CompanyOidc;
  saml: CompanySaml;
  passkeys: Passkeys;
  resolveTxt: ResolveTxt;
  newId(): string;
  now(): Date;
  /** Public origin, without a trailing slash. */
  origin: string;
  registration: Registration;
  founders: Founders;
  /** The operator of this instance; null where the settings name none. */
  operator: Operator | null;
  /** The most that a workspace may allow its keys and webhooks, in calls a minute. */
  paceCeilings: Paces;
  /** Internal addresses that workspaces may choose from. */
  instanceNetwork: InstanceNetwork;
  /** The most runs that a workspace may have driven at once and waiting. */
  runCeilings: RunCeilings;
  /** Opens the mailbox of caught mails. Null where there is none: SMTP or a proxy is set, the origin is not loopback, or the database is not embedded. */
  mailboxToken: string | null;
};
export const servicesContext = createContext<Services>();

/** Nonce of this response's inline scripts; `server.ts` names it in the content security policy. */
export const nonceContext = createContext<string>();
/** True for a page that is drawn for the cache: completely, and without a nonce, so that its bytes are the same for everyone. */
export const cachedPageContext = createContext(false);
/** Id of this request in the log: what a person is shown as the reference when something unexpected fails. */
export const requestIdContext = createContext<string>();
/**
 * The facts that decide whether the mailbox may be shown: the Host header as it came, the other end of the socket, and whether a proxy was
 * in between.
 */
export const arrivalContext = createContext<{ host: string; socketAddress: string; forwarded: boolean }>();

/** The other end of the connection, as the server trusts it (never a header that anyone may send). */
export const clientContext = createContext<{ address: string; secure: boolean }>();

export const authContext = createContext<RequestAuth>();

export const memberContext = createContext<MemberAccess>();

/** True: the reader wants the demo's texts untranslated. Set together with `memberContext`. */
export const storedTextsContext = createContext(false);

/** Set by `requireKey` on the addresses that programs call. */
export const keyContext = createContext<KeyAccess>();

/** Set by `requireDirectory` on the addresses of SCIM. */
export const directoryContext = createContext<DirectoryAccess>();

/** All workspaces that the signed-in person belongs to, oldest membership first; set together with `memberContext`. */
export const membershipsContext = createContext<readonly Membership[]>();

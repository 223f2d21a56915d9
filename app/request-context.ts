/**
 * What loaders and actions receive. Root middleware sets `servicesContext` and `authContext`; the app area's layout
 * sets `memberContext` after it has made sure that somebody is signed in.
 */
import { createContext } from 'react-router';
import type { AuditEntry } from '#app/domain/audit/audit-event.ts';
import type { InstanceNetwork } from '#app/domain/connections/workspace-network.ts';
import type { AppError } from '#app/domain/errors.ts';
import type { ApiKeyScope } from '#app/domain/people/api-key-scopes.ts';
import type { Operator } from '#app/domain/people/operator.ts';
import type { Plan } from '#app/domain/people/plans.ts';
import type { Role } from '#app/domain/people/roles.ts';
import type { FileStore, Log, Mailer } from '#app/domain/ports.ts';
import type { Paces } from '#app/domain/runs/pace.ts';
import type { RunCeilings } from '#app/domain/runs/run-limits.ts';
import type { PlainStart, ServedRun } from '#app/domain/runs/served-run.ts';
import type { Json } from '#app/domain/tables.ts';
import type { TriggerPrincipal } from '#app/domain/workflows/triggers.ts';
import type { Principal } from '#app/engine/commands/command.ts';
import type { Db } from '#app/engine/db.ts';
import type { Engine } from '#app/engine/engine.ts';
import type { AuthClient } from '#app/features/auth/browser/auth-client.ts';

/** The ways into the database that stand open before somebody is a member. */
export type Access = {
  /** One transaction as nobody: only the instance-wide verbs (limits, accounts, invitations) can be called. */
  asNobody<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * One transaction as a signed-in person, in a workspace or outside any (null). The session row and the membership are
   * checked in it: AppError `unauthenticated` when the session is over, `forbidden` without a membership.
   */
  asMember<T>(who: { userId: string; sessionId: string; workspaceId: string | null }, work: (db: Db) => Promise<T>): Promise<T>;
  /** Where a signed-in person belongs, oldest membership first; unread notifications counted up to `countUpTo`. AppError `unauthenticated` when the session is over. */
  membershipsOf(who: { userId: string; sessionId: string; countUpTo: number }): Promise<Membership[]>;
  /** What loaders and actions of the app area work with. */
  createMemberAccess(member: Member): MemberAccess;
  /**
   * The API key whose SHA-256 this is, as its member with what both allow. AppError `unauthenticated` for a key that is unknown, over or
   * revoked, or whose membership has ended; every transaction later asks again. Counts the call against the key's pace.
   */
  openKey(keyHash: Uint8Array, call: KeyCall): Promise<KeyAccess>;
  /** One transaction as a webhook. AppError `not_found`, or `forbidden` when its publisher is no member any more. */
  asTrigger<T>(id: string, work: (db: Db, trigger: TriggerPrincipal) => Promise<T>): Promise<T>;
};

/** What a verified access token says; `expiresAt` in seconds since 1970. */
export type AccessTokenClaims = { userId: string; email: string; sessionId: string; expiresAt: number; assurance: 'aal1' | 'aal2' };

/** The auth service of this instance, embedded or hosted. */
export type IdentityBackend = {
  mode: 'embedded' | 'hosted';
  /** Name of the session's cookie; parts of a long one are `<name>.0`, `<name>.1` … */
  cookieName: string;
  /** The tokens as the cookie has them, unchecked. `garbled`: there is a cookie, and nothing can be read from it. */
  readCookie(cookieHeader: string | null): { accessToken: string; expiresAt: number } | 'absent' | 'garbled';
  /** Headers that take the session's cookie, with all its parts, out of the browser. */
  clearCookie(cookieHeader: string | null, secure: boolean): Headers;
  /** A client for one request. `headers` gets the cookies that it sets, with the headers that keep them out of caches. */
  openClient(request: { cookieHeader: string | null; secure: boolean; clientAddress: string; language: string }): {
    client: AuthClient;
    headers: Headers;
  };
  /** Null: no valid token. Throws only when the keys to check it cannot be had. */
  verifyAccessToken(token: string): Promise<AccessTokenClaims | null>;
};

export type Services = {
  engine: Engine;
  access: Access;
  identity: IdentityBackend;
  log: Log;
  mailer: Mailer;
  files: FileStore;
  newId(): string;
  now(): Date;
  /** Public origin, without a trailing slash. */
  origin: string;
  /** Who answers for this instance; null where the settings name nobody. */
  operator: Operator | null;
  /** The most that a workspace may allow its keys and webhooks, in calls a minute. */
  paceCeilings: Paces;
  /** Addresses inside that workspaces may choose from. */
  instanceNetwork: InstanceNetwork;
  /** The most runs that a workspace may have driven at once and waiting. */
  runCeilings: RunCeilings;
  /** Opens the mailbox of caught mails. Null where there is none: SMTP or a proxy is set, the origin is not loopback, or the database is not embedded. */
  mailboxToken: string | null;
};
export const servicesContext = createContext<Services>();

/** Nonce of this response's inline scripts; `server.ts` names it in the content security policy. */
export const nonceContext = createContext<string>();
/** True for a page that is drawn to be kept: to its end, and without a nonce, so that its bytes are the same for all. */
export const keptPageContext = createContext(false);
/** Id of this request in the log: what a person is shown as the reference when something unexpected fails. */
export const requestIdContext = createContext<string>();
/** What the mailbox page decides by: the Host header as it came, the other end of the socket, and whether a proxy stood between. */
export const arrivalContext = createContext<{ host: string; socketAddress: string; forwarded: boolean }>();

/** The body of this request, as far as it has been read: why it was refused, or null. */
export const bodyContext = createContext<{ readonly refusal: AppError | null }>({ refusal: null });

/** The other end of the connection, as the server trusts it (never a header that anybody may send). */
export const clientContext = createContext<{ address: string; secure: boolean }>();

/** Why a change of credentials was refused: messages are keys of the namespace `validation`. */
export type CredentialRefusal = { field: 'currentPassword' | 'newPassword' | 'email'; messages: string[] };

/** The verified session of this request, or null. Ids and e-mail only: never a token, never the raw auth user. */
export type SessionUser = { id: string; email: string; sessionId: string };
export type RequestAuth = {
  client: AuthClient;
  user: SessionUser | null;
  /** When the access token ends, in seconds since 1970, and whether a second factor was shown. Null without a user. */
  token: { expiresAt: number; assurance: 'aal1' | 'aal2' } | null;
  /** Headers for this request's response (cookies); whoever answers need not care, root middleware puts them on. */
  headers: Headers;
  /**
   * Whether this is the account's password, for a decision that asks for it again. Leaves this request's session and cookies alone.
   * AppError `over_limit` after too many attempts, `unavailable` when the auth service cannot be reached.
   */
  verifyPassword(email: string, password: string): Promise<boolean>;
  /** Null: it is this person's password. Otherwise what to say beside its field; counted like `verifyPassword`. */
  provePassword(password: string): Promise<CredentialRefusal | null>;
  /** Sets a new password, ends all other sessions, tells the owner by mail. Null when it is done. */
  changePassword(change: { current: string; next: string }): Promise<CredentialRefusal | null>;
  /** Has the service ask for a confirmation of the new address; until then the old one stays. Null when the mail is on its way. */
  changeEmail(change: { current: string; email: string }): Promise<CredentialRefusal | null>;
  /** Ends the other sessions of this account, or all of them with this one. Throws a 503 when the auth service cannot be reached. */
  endSessions(scope: 'others' | 'global'): Promise<void>;
  /** Upserts one's own profile through the data API. Null when it is saved, else why not (specification, section 8). */
  saveProfile(changes: { displayName: string }): Promise<{ message: string } | null>;
};
export const authContext = createContext<RequestAuth>();

export type Member = {
  userId: string;
  sessionId: string;
  email: string;
  name: string;
  roles: readonly Role[];
  workspace: { id: string; name: string; slug: string; haltedAt: Date | null; isDemo: boolean };
};

/** One workspace that a person belongs to, what they are in it, and what the frame of a page says of them. */
export type Membership = Pick<Member, 'workspace' | 'name' | 'email' | 'roles'> & {
  unread: number;
  /** When `unread` was asked for, in milliseconds since 1970: it is at least as new as this. */
  unreadAt: number;
  /** Digest of their picture. */
  picture: string | null;
  /** Whether the person worked here last, in whichever browser. */
  isLast: boolean;
};

export type MemberAccess = {
  member: Member;
  /** A read as the member, in one transaction. No outgoing call and no render may happen inside. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * One command: the work and exactly one audit event commit together, or nothing does. The work answers its result and
   * the event that says what it did; throw to undo.
   */
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};
export const memberContext = createContext<MemberAccess>();

/** True: the reader asked for the texts of the demo as they are stored. Set together with `memberContext`. */
export const storedTextsContext = createContext(false);

/** A member as who performs a command. */
export function memberPrincipal({ member, read, change }: MemberAccess): Principal {
  const { workspace, userId, name, roles } = member;
  return { workspace, userId, name, roles, scopes: null, read, change };
}

/** Who calls by an API key. It never votes and administers nothing, whatever its member may. */
export type KeyPrincipal = {
  id: string;
  name: string;
  scopes: readonly ApiKeyScope[];
  expiresAt: Date | null;
  user: { id: string; name: string };
  roles: readonly Role[];
  workspace: { id: string; name: string; slug: string; plan: Plan; trialEndsAt: Date | null; settings: Json };
};

/** `paceCeiling`: the most calls a minute that the instance allows a key. `serves`: the address answers by the workflows in force. */
export type KeyCall = { paceCeiling: number; serves: boolean };

export type KeyAccess = {
  key: KeyPrincipal;
  /** Seconds until the key may call again by its pace; 0: it may now. */
  waitSeconds: number;
  /** Digest of the workflows in force; null where the address does not serve them. */
  servedRevision: string | null;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** A run of the key's workspace that it may see, or null. */
  readRun(runId: string): Promise<ServedRun | null>;
  /** The id of the run that one statement has started; null where something is in its way: nothing was written, and `change` says what. */
  startPlainly(start: PlainStart): Promise<string | null>;
  /** As for members: the work and exactly one audit event, whose actor is the key. */
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};
/** Set by `requireKey` on the addresses that programs call. */
export const keyContext = createContext<KeyAccess>();

/** All workspaces that the signed-in person belongs to, oldest membership first; set together with `memberContext`. */
export const membershipsContext = createContext<readonly Membership[]>();

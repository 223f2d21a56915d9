import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { DirectoryPrincipal, KeyPrincipal, Member, Membership, TriggerPrincipal } from '#app/contracts/principals.ts';
import type { PlainlyStarted, PlainStart, ServedRun } from '#app/contracts/runs.ts';
import type { FreshMethod, ReauthenticatedAct } from '#app/contracts/statuses.ts';

/** That a person has just proved that it is them, in a session of theirs, for one act on each of these approvals or control changes. */
export type Reauthentication = {
  userId: string;
  sessionId: string;
  method: FreshMethod;
  act: ReauthenticatedAct;
  subjects: readonly string[];
};

/** Ways into the database before someone is a member. */
export type Access = {
  /** One transaction as nobody: only the instance-wide verbs (limits, accounts, invitations) can be called. */
  asNobody<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Notes it for the database, which lets the act be done once, within five minutes. For the code that has just checked the password, and
   * for nobody else (tests/architecture/reauthentication.test.ts). AppError `unauthenticated`: the session is over.
   */
  noteReauthentication(noted: Reauthentication): Promise<void>;
  /**
   * One transaction as a signed-in person, in a workspace or outside any (null). The session row and the membership are
   * checked in it: AppError `unauthenticated` when the session is over, `forbidden` without a membership.
   */
  asMember<T>(
    who: { userId: string; sessionId: string; workspaceId: string | null; address?: string | undefined },
    work: (db: Db) => Promise<T>,
  ): Promise<T>;
  /** Where a signed-in person belongs, oldest membership first; unread notifications counted up to `countUpTo`. AppError `unauthenticated` when the session is over. */
  membershipsOf(who: { userId: string; sessionId: string; countUpTo: number; address?: string | undefined }): Promise<Membership[]>;
  /** The data access of loaders and actions in the app area. */
  createMemberAccess(member: Member): MemberAccess;
  /**
   * The API key whose SHA-256 this is, as its member with what both allow. AppError `unauthenticated` for a key that is unknown, over or
   * revoked, or whose membership has ended; every transaction later asks again. Counts the call against the key's pace.
   */
  openKey(keyHash: Uint8Array, call: KeyCall): Promise<KeyAccess>;
  /**
   * The directory of the workspace whose provisioning token has this SHA-256. AppError as `openKey`; every transaction later asks again.
   * `paceCeiling`: the most calls a minute.
   */
  openDirectory(tokenHash: Uint8Array, call: { paceCeiling: number }): Promise<DirectoryAccess>;
  /** One transaction as a webhook. AppError `not_found`, or `forbidden` when its publisher is no longer a member. */
  asTrigger<T>(id: string, work: (db: Db, trigger: TriggerPrincipal) => Promise<T>): Promise<T>;
};

export type MemberAccess = {
  member: Member;
  /** A read as the member, in one transaction. No outgoing call and no render may happen inside. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * One command: the work and exactly one audit event commit together, or nothing does. The work returns its result and its event; throw to
   * roll back.
   */
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};

/** `paceCeiling`: the most calls a minute that the instance allows a key. `serves`: the address answers by the workflows in force. */
export type KeyCall = { paceCeiling: number; serves: boolean };

export type DirectoryAccess = {
  directory: DirectoryPrincipal;
  /** Seconds until the token may call again; 0: it may now. */
  waitSeconds: number;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** As for members: the work and exactly one audit event, with the token as its actor. */
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};

export type KeyAccess = {
  key: KeyPrincipal;
  /** The address that a client's token was made out for, and no other; null: a key, which opens all that its scopes allow. */
  resource: string | null;
  /** The networks (CIDR) that it may be used from; none: from everywhere. */
  networks: readonly string[];
  /** Seconds until the key may call again by its pace; 0: it may now. */
  waitSeconds: number;
  /** Digest of the workflows in force; null where the address does not serve them. */
  servedRevision: string | null;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** A run of the key's workspace that it may see, or null. */
  readRun(runId: string): Promise<ServedRun | null>;
  /** The run that one statement has started; null where something is in its way: nothing was written, and `change` says what. */
  startPlainly(start: PlainStart): Promise<PlainlyStarted | null>;
  /** As for members: the work and exactly one audit event, with the key as its actor. */
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};

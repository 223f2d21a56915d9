/**
 * What loaders and actions receive. Root middleware sets `servicesContext` and `authContext`; the app area's layout
 * sets `memberContext` after it has made sure that somebody is signed in.
 */
import { createContext } from 'react-router';
import type { AuditEntry } from '#app/domain/audit-event.ts';
import type { Role } from '#app/domain/roles.ts';
import type { Log, Mailer } from '#app/domain/ports.ts';
import type { Db } from '#app/engine/db.ts';
import type { Engine } from '#app/engine/engine.ts';
import type { AuthClient } from '#app/features/auth/auth-client.ts';

export type Services = {
  engine: Engine;
  log: Log;
  mailer: Mailer;
  newId(): string;
  now(): Date;
  /** Public origin, without a trailing slash. */
  origin: string;
  /** Where mails are caught; false wherever SMTP or a proxy is set, or the origin is not loopback. */
  mailboxOpen: boolean;
};
export const servicesContext = createContext<Services>();

/** The verified session of this request, or null. Ids and e-mail only: never a token, never the raw auth user. */
export type SessionUser = { id: string; email: string; sessionId: string };
export type RequestAuth = { client: AuthClient; user: SessionUser | null };
export const authContext = createContext<RequestAuth>();

export type Member = {
  userId: string;
  sessionId: string;
  email: string;
  name: string;
  roles: readonly Role[];
  workspace: { id: string; name: string; slug: string; haltedAt: Date | null };
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

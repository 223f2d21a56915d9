import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { ApiKeyScope, Plan, Role } from '#app/contracts/people.ts';

export type Member = {
  userId: string;
  sessionId: string;
  /** From where the session is used, which a workspace may ask for. Without one it is from nowhere. */
  address?: string;
  email: string;
  name: string;
  roles: readonly Role[];
  workspace: { id: string; name: string; slug: string; haltedAt: Date | null; isDemo: boolean };
};

/** A workspace that a person belongs to, their roles in it, and the facts that the page's frame shows. */
export type Membership = Pick<Member, 'workspace' | 'name' | 'email' | 'roles'> & {
  unread: number;
  /** When `unread` was asked for, in milliseconds since 1970: it is at least as new as this. */
  unreadAt: number;
  /** Digest of their picture. */
  picture: string | null;
  /** Whether this is the workspace the person worked in last, in any browser. */
  isLast: boolean;
  /** Whether its sign-in by a provider comes before anything of it opens to this session. */
  owesCompany: boolean;
  /** The demand of the workspace on this session before anything of it opens: see `quorate.session_owes`. */
  owesSession: 'again' | 'factor' | 'address' | null;
  /** Whether the person has a factor that this session has not shown, by what the database knows. */
  owesFactor: boolean;
};

/** The member or API key that performs a command, and its access to the data. */
export type Principal = {
  workspace: { id: string; name: string };
  userId: string;
  name: string;
  roles: readonly Role[];
  /** Of an API key; null for a member at a screen. */
  scopes: readonly ApiKeyScope[] | null;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** One transaction that commits the work together with its one event. */
  change<T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>): Promise<T>;
};

/** The caller with an API key. It never votes and administers nothing, whatever its member may do. */
export type KeyPrincipal = {
  id: string;
  name: string;
  scopes: readonly ApiKeyScope[];
  expiresAt: Date | null;
  user: { id: string; name: string };
  roles: readonly Role[];
  workspace: { id: string; name: string; slug: string; plan: Plan; trialEndsAt: Date | null; settings: Json };
};

/** A company's directory, by a token that an admin of the workspace made for it. It reaches what came by provisioning, and nothing else. */
export type DirectoryPrincipal = { tokenId: string; name: string; workspace: { id: string; name: string; slug: string } };

/** A trigger that may act, and what it would start: as the publisher of the version in force, in whose name its runs are. */
export type TriggerPrincipal = {
  id: string;
  name: string;
  kind: string;
  workspaceId: string;
  artifactId: string;
  artifactName: string;
  versionId: string;
  document: Json;
  userId: string;
  settings: Json;
  secretSealed: Uint8Array | null;
  /** Of a schedule: when it is due; null when it never is again. */
  nextAt: Date | null;
};

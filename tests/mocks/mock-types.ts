/** What the mocked backend knows: the things that the auth service of a hosted project keeps. */

export type MockIdentity = {
  /** Of the row; `id` is the person's at the provider. */
  identityId: string;
  id: string;
  provider: string;
  email: string;
  createdAt: Date;
};

export type MockFactor = {
  id: string;
  friendlyName: string | null;
  secret: string;
  status: 'unverified' | 'verified';
  createdAt: Date;
  /** The last 30 s step whose code was taken: a code works once. */
  usedStep: number;
};

export type MockUser = {
  id: string;
  email: string;
  newEmail: string | null;
  /** In the clear: nothing here outlives the process. Null for who has only a provider, or was invited. */
  password: string | null;
  confirmedAt: Date | null;
  invitedAt: Date | null;
  lastSignInAt: Date | null;
  /** Of the newest mail to sign in or for a new password. */
  recoverySentAt: Date | null;
  bannedUntil: Date | null;
  userMetadata: Record<string, unknown>;
  appMetadata: Record<string, unknown>;
  identities: MockIdentity[];
  factors: MockFactor[];
  createdAt: Date;
  updatedAt: Date;
};

export type MockSession = { id: string; userId: string; assurance: 'aal1' | 'aal2'; methods: string[]; createdAt: Date };

export type MailKind = 'signup' | 'recovery' | 'magiclink' | 'invite' | 'email_change' | 'reauthentication';

/** What a browser that asked by PKCE must prove later (RFC 7636). */
export type Challenge = { challenge: string; method: 'plain' | 's256' };

export type MailToken = {
  hash: string;
  code: string;
  kind: MailKind;
  userId: string;
  /** Where the mail went: for a change of address the old or the new one. */
  to: string;
  expiresAt: number;
  challenge: Challenge | null;
};

export type MockMail = { kind: MailKind; to: string; code: string; tokenHash: string; redirectTo: string; at: Date };

export type ProfileRow = { id: string; role: string; display_name: string | null; updated_at: string };
/** Who asks the data API: null is anyone with the publishable key. */
export type DataCaller = { userId: string; sessionId: string } | null;
export type DataFailure = { status: number; code: string; message: string };

/** Where users, sessions and profiles stand for the rest of the product. */
export type MockStore = {
  keepUser(user: MockUser): Promise<void>;
  /** Ids of factors that still stand; null where nobody but the mock can remove one. */
  factorIds(userId: string): Promise<readonly string[] | null>;
  removeUser(userId: string): Promise<void>;
  keepSession(session: MockSession): Promise<void>;
  endSessions(sessionIds: readonly string[]): Promise<void>;
  readProfile(caller: DataCaller, userId: string): Promise<ProfileRow | null>;
  /** Inserts or updates the columns given, as row level security and triggers allow. */
  upsertProfile(caller: DataCaller, row: Record<string, unknown>): Promise<ProfileRow | DataFailure>;
};

export type MockFile = { mediaType: string; cacheControl: string; content: Uint8Array };

/** Settings of a hosted project that change its answers. */
export type MockSettings = {
  url: string;
  /** The product's own address: mails lead there. */
  siteUrl: string;
  publishableKey: string;
  secretKey: string;
  minimumPasswordLength: number;
  /** Between two mails to one address. */
  mailPaceSeconds: number;
  accessTokenSeconds: number;
  /** Providers that are switched on. */
  providers: readonly string[];
  signUpOpen: boolean;
};

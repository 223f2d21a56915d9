/**
 * The calls to the auth service and to the one table behind its data API, with supabase-js's answers. A structural type, so that no feature
 * imports Supabase and a test can stand in with a few lines.
 */
import type { CompanySessions } from '#app/contracts/company-sign-in.ts';
import type { ReauthenticatedAct } from '#app/contracts/statuses.ts';

/** `code` is one of the service's error codes; `status` its HTTP status, 0 when it could not be reached. */
export type AuthFailure = {
  message: string;
  name: string;
  code?: string | undefined;
  status?: number | undefined;
  reasons?: readonly string[];
};

/** Tokens of a session. They stay on the server: nothing of this may enter loader data, HTML or a log. */
export type AuthSession = { access_token: string; refresh_token: string; expires_at?: number | undefined };

/** Error and data never come together. */
export type AuthAnswer<T> = { data: T; error: null } | { data: unknown; error: AuthFailure };

/** Of the auth service's user only this is used: the metadata was written by the person and gives no right. */
export type AuthUser = {
  id: string;
  email?: string | undefined;
  user_metadata: Record<string, unknown>;
  /** When the newest mail to sign in, or for a new password, was sent: ISO 8601. */
  recovery_sent_at?: string | undefined;
};

export type EmailLinkType = 'signup' | 'invite' | 'recovery' | 'email_change' | 'magiclink';

export type ProfileRow = { id: string; role: string; display_name: string | null };

/** supabase-js answers a builder that can be awaited; only what we chain is named. */
type ProfileQuery = {
  select(columns: string): {
    eq(
      column: 'id',
      value: string,
    ): { single(): PromiseLike<{ data: ProfileRow | null; error: { code: string; message: string } | null }> };
  };
  upsert(row: { id: string; display_name?: string }): PromiseLike<{ error: { code: string; message: string } | null }>;
};

export type AuthClient = {
  auth: {
    signUp(credentials: {
      email: string;
      password: string;
      options?: { emailRedirectTo?: string; data?: { name: string; language: string } };
    }): Promise<AuthAnswer<{ session: AuthSession | null; user: AuthUser | null }>>;
    signInWithPassword(credentials: { email: string; password: string }): Promise<AuthAnswer<{ session: AuthSession; user: AuthUser }>>;
    signOut(options?: { scope?: 'global' | 'local' | 'others' }): Promise<{ error: AuthFailure | null }>;
    verifyOtp(
      params: { token_hash: string; type: EmailLinkType } | { email: string; token: string; type: EmailLinkType },
    ): Promise<AuthAnswer<{ session: AuthSession | null; user: AuthUser | null }>>;
    /** `redirectType` is `recovery` where this browser had asked for a new password. */
    exchangeCodeForSession(code: string): Promise<AuthAnswer<{ session: AuthSession; user: AuthUser; redirectType?: string | null }>>;
    resend(params: { type: 'signup'; email: string; options?: { emailRedirectTo?: string } }): Promise<AuthAnswer<unknown>>;
    /** A mail with a link and a code to sign in. It answers alike where there is no account, and makes none. */
    signInWithOtp(params: { email: string; options: { shouldCreateUser: false; emailRedirectTo?: string } }): Promise<AuthAnswer<unknown>>;
    resetPasswordForEmail(email: string, options?: { redirectTo?: string }): Promise<AuthAnswer<unknown>>;
    updateUser(
      attributes: { password?: string; current_password?: string; email?: string; data?: { name?: string } },
      options?: { emailRedirectTo?: string },
    ): Promise<AuthAnswer<unknown>>;
    /** Second factors of the signed-in person; the embedded service has none. A verified code makes this session aal2, in its cookie too. */
    mfa: {
      /** `all` also has those that were never verified. */
      listFactors(): Promise<AuthAnswer<{ all: { id: string; status: string }[]; totp: { id: string }[] }>>;
      /** `qr_code` is a data address of an SVG. */
      enroll(params: {
        factorType: 'totp';
        friendlyName: string;
        issuer: string;
      }): Promise<AuthAnswer<{ id: string; totp: { qr_code: string; secret: string } }>>;
      challengeAndVerify(params: { factorId: string; code: string }): Promise<AuthAnswer<unknown>>;
      unenroll(params: { factorId: string }): Promise<AuthAnswer<unknown>>;
    };
    /** Reads the cookie; refreshes when 90 s or less are left, retrying from 200 ms within 30 s. */
    getSession(): Promise<{ data: { session: AuthSession | null }; error: AuthFailure | null }>;
    getUser(): Promise<{ data: { user: AuthUser | null }; error: AuthFailure | null }>;
  };
  from(table: 'profiles'): ProfileQuery;
};

/** The claims of a verified access token; `expiresAt` in seconds since 1970. */
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
  /** Whether a password that is being chosen is among those that leaks hold most often, as it stands or nearly so. Nothing is sent anywhere. */
  isLeaked(password: string): boolean;
  /** How a session is opened for whoever a company's provider has vouched for. */
  companySessions: CompanySessions;
};

/** The verified session of this request, or null. Ids and e-mail only: never a token, never the raw auth user. */
export type SessionUser = { id: string; email: string; sessionId: string };

export type RequestAuth = {
  client: AuthClient;
  user: SessionUser | null;
  /** When the access token ends, in seconds since 1970, and whether a second factor was shown. Null without a user. */
  token: { expiresAt: number; assurance: 'aal1' | 'aal2' } | null;
  /** Headers for this request's response (cookies). The root middleware sets them on every answer. */
  headers: Headers;
  /**
   * Whether this is the account's person, by the strongest of what they have: a passkey; else the password with a code of their authenticator
   * app; else the password. Leaves this request's session and cookies alone. `noted`: the database then lets this session do this act on each
   * of these things, once, within minutes. Null: it is them.
   * AppError `over_limit` after too many attempts, `unavailable` when the auth service cannot be reached.
   */
  reauthenticate(proof: Proof, noted: { act: ReauthenticatedAct; subjects: readonly string[] } | null): Promise<ProofRefusal | null>;
  /** How this person can prove that it is them. */
  proofWays(): Promise<ProofWays>;
  /** Null: it is this person's password. Otherwise the message to show beside its field; counted like `reauthenticate`. */
  provePassword(password: string): Promise<CredentialRefusal | null>;
  /** Sets a new password, ends all other sessions, tells the owner by mail. Null when it is done. */
  changePassword(change: { current: string; next: string }): Promise<CredentialRefusal | null>;
  /** Has the service ask for a confirmation of the new address; until then the old one stays. Null when the mail is on its way. */
  changeEmail(change: { current: string; email: string }): Promise<CredentialRefusal | null>;
  /** Ends that a company's provider signs this person in (`key`: ownIdentities), after a proof. Faults are keys of `validation`. */
  disconnect(key: string, proof: Proof): Promise<Disconnection>;
  /** Ends the other sessions of this account, or all of them with this one. Throws a 503 when the auth service cannot be reached. */
  endSessions(scope: 'others' | 'global'): Promise<void>;
  /** Upserts one's own profile through the data API. Null when it is saved, else why not. */
  saveProfile(changes: { displayName: string }): Promise<{ message: string } | null>;
};

/** Fields of a form that asks for a proof. `passkey`: the sealed challenge with the browser's answer, as JSON. */
export type Proof = { password?: string | undefined; code?: string | undefined; passkey?: string | undefined };
/** The field, and a key of the namespace `validation`. */
export type ProofRefusal = { field: keyof Proof; text: string };
/** `code`: the password takes one of their authenticator app beside it. `password`: false where a passkey alone proves it. */
export type ProofWays = { passkey: boolean; code: boolean; password: boolean };

/** `gone`: no such provider signs them in. */
export type Disconnection =
  | 'removed'
  | 'gone'
  | { fieldErrors: Record<string, string[]> }
  | { formErrors: ('secondFactorFirst' | 'signInRequired')[] };

/** Why a change of credentials was refused: messages are keys of the namespace `validation`. */
export type CredentialRefusal = { field: 'currentPassword' | 'newPassword' | 'email'; messages: string[] };

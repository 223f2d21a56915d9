/**
 * What the product asks of the auth service and of the one table behind its data API, as supabase-js answers it. A
 * structural type, so that no feature imports Supabase and a test can stand in with a few lines.
 */

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
export type AuthUser = { id: string; email?: string | undefined; user_metadata: Record<string, unknown> };

export type EmailLinkType = 'signup' | 'invite' | 'recovery' | 'email_change';

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

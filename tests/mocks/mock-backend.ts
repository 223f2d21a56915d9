/** The state of one mocked project, and the steps that several endpoints share. */
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { createTokenSigner, type TokenSigner } from '#tests/mocks/access-tokens.ts';
import { MockRealtime } from '#tests/mocks/mock-realtime.ts';
import { MockRefusal, refusals } from '#tests/mocks/mock-refusal.ts';
import type {
  Challenge,
  MailKind,
  MailToken,
  MockFile,
  MockMail,
  MockSession,
  MockSettings,
  MockStore,
  MockUser,
} from '#tests/mocks/mock-types.ts';
import type { Row } from '#tests/mocks/project.ts';

type RefreshToken = { sessionId: string; usedAt: number | null; next: string | null };
type AuthCode = { userId: string; challenge: Challenge; method: string; expiresAt: number };

const ONE_TIME_MS = 3_600_000;
const AUTH_CODE_MS = 300_000;
/** A refresh token may be used again for so long: requests of one page cross each other. */
const REUSE_MS = 10_000;

export class MockBackend {
  readonly settings: MockSettings;
  readonly store: MockStore;
  readonly signer: TokenSigner;
  readonly now: () => Date;
  readonly users = new Map<string, MockUser>();
  readonly sessions = new Map<string, MockSession>();
  readonly mails: MockMail[] = [];
  readonly buckets = new Map<string, Map<string, MockFile>>();
  /** Rows behind rest/v1 beside the profiles, by table; made at the first question for one. */
  readonly tables = new Map<string, Row[]>();
  readonly realtime = new MockRealtime();
  readonly challenges = new Map<string, { factorId: string; expiresAt: number }>();
  readonly #refreshTokens = new Map<string, RefreshToken>();
  readonly #codes = new Map<string, AuthCode>();
  readonly #mailed = new Map<string, number>();
  #tokens: MailToken[] = [];

  constructor(settings: MockSettings, store: MockStore, now: () => Date = () => new Date()) {
    this.settings = settings;
    this.store = store;
    this.now = now;
    this.signer = createTokenSigner(`${settings.url}/auth/v1`);
  }

  userByEmail(email: string): MockUser | undefined {
    return [...this.users.values()].find((user) => user.email === email.toLowerCase());
  }

  async addUser(given: Partial<MockUser> & { email: string; id?: string }): Promise<MockUser> {
    const at = this.now();
    const id = given.id ?? randomUUID();
    const email = given.email.toLowerCase();
    const identity = { identityId: randomUUID(), id, provider: 'email', email, createdAt: at };
    const user: MockUser = {
      newEmail: null,
      password: null,
      confirmedAt: null,
      invitedAt: null,
      lastSignInAt: null,
      recoverySentAt: null,
      bannedUntil: null,
      userMetadata: {},
      identities: [identity],
      factors: [],
      createdAt: at,
      updatedAt: at,
      ...given,
      appMetadata: { provider: 'email', providers: ['email'], ...given.appMetadata },
      id,
      email,
    };
    this.users.set(id, user);
    await this.store.keepUser(user);
    return user;
  }

  async saveUser(user: MockUser): Promise<void> {
    user.updatedAt = this.now();
    await this.store.keepUser(user);
  }

  /** The project's owner can remove a factor in its database; the service has no memory beside that. */
  async forgetRemovedFactors(): Promise<void> {
    for (const user of this.users.values()) {
      const standing = user.factors.length === 0 ? null : await this.store.factorIds(user.id);
      if (standing !== null) user.factors = user.factors.filter(({ id }) => standing.includes(id));
    }
  }

  async removeUser(user: MockUser): Promise<void> {
    this.users.delete(user.id);
    await this.endSessions((session) => session.userId === user.id);
    await this.store.removeUser(user.id);
  }

  checkPassword(password: string): void {
    if (Buffer.byteLength(password) > 72) throw refusals.invalid('Password cannot be longer than 72 characters');
    const { minimumPasswordLength: minimum } = this.settings;
    if (password.length < minimum) throw refusals.weakPassword(['length'], minimum);
  }

  async openSession(user: MockUser, method: string, assurance: MockSession['assurance'] = 'aal1'): Promise<Record<string, unknown>> {
    const session: MockSession = { id: randomUUID(), userId: user.id, assurance, methods: [method], createdAt: this.now() };
    this.sessions.set(session.id, session);
    user.lastSignInAt = this.now();
    await this.saveUser(user);
    await this.store.keepSession(session);
    return this.sessionBody(user, session);
  }

  /** The tokens of a session, with a new refresh token, as `/token` answers them. */
  sessionBody(user: MockUser, session: MockSession, refreshToken = this.#newRefreshToken(session.id)): Record<string, unknown> {
    const { accessTokenSeconds } = this.settings;
    return {
      access_token: this.signer.accessToken(user, session, this.now(), accessTokenSeconds),
      token_type: 'bearer',
      expires_in: accessTokenSeconds,
      expires_at: Math.floor(this.now().getTime() / 1000) + accessTokenSeconds,
      refresh_token: refreshToken,
      user: userBody(user),
    };
  }

  #newRefreshToken(sessionId: string): string {
    const token = randomBytes(9).toString('base64url');
    this.#refreshTokens.set(token, { sessionId, usedAt: null, next: null });
    return token;
  }

  /** Returns the session and the token that follows. Old tokens end the session when they come back late (RFC 9700, section 4.14). */
  async exchangeRefreshToken(token: string): Promise<{ session: MockSession; user: MockUser; next: string } | 'unknown' | 'reused'> {
    const known = this.#refreshTokens.get(token);
    const session = known && this.sessions.get(known.sessionId);
    const user = session && this.users.get(session.userId);
    if (known === undefined || session === undefined || user === undefined) return 'unknown';
    const at = this.now().getTime();
    if (known.usedAt !== null && known.next !== null) {
      const parentOfActive = this.#refreshTokens.get(known.next)?.usedAt === null;
      if (at - known.usedAt > REUSE_MS && !parentOfActive) {
        await this.endSessions(({ id }) => id === session.id);
        return 'reused';
      }
      return { session, user, next: known.next };
    }
    const next = this.#newRefreshToken(session.id);
    Object.assign(known, { usedAt: at, next });
    return { session, user, next };
  }

  async endSessions(which: (session: MockSession) => boolean): Promise<void> {
    const ended = [...this.sessions.values()].filter(which).map(({ id }) => id);
    for (const id of ended) this.sessions.delete(id);
    await this.store.endSessions(ended);
  }

  /** Who asks, by the bearer token: refuses as the service does when it names nobody, or a session that is over. */
  caller(request: Request): { user: MockUser; session: MockSession } {
    const token = /^Bearer (.+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
    if (token === undefined || token === this.settings.publishableKey) throw refusals.noAuthorization();
    const claims = this.signer.verified(token, this.now());
    if (claims === null) throw refusals.badToken();
    const session = this.sessions.get(String(claims.session_id));
    const user = this.users.get(String(claims.sub));
    if (session === undefined || user === undefined) throw refusals.sessionMissing();
    return { user, session };
  }

  /** A person with a session, or a server with the secret key. */
  isSignedIn(request: Request): boolean {
    if (request.headers.get('apikey') === this.settings.secretKey) return true;
    const token = /^Bearer (.+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1] ?? '';
    return this.sessions.has(String(this.signer.verified(token, this.now())?.session_id));
  }

  requireSignedIn(request: Request): void {
    if (!this.isSignedIn(request)) throw new MockRefusal(401, '42501', 'permission denied');
  }

  /** Sends a mail, at the pace of the service; the newest of a kind makes the ones before void. */
  mail(
    user: MockUser,
    kind: MailKind,
    options: { to?: string; challenge: Challenge | null; redirectTo: string | null; paced?: boolean },
  ): MailToken {
    const to = options.to ?? user.email;
    const at = this.now().getTime();
    const since = at - (this.#mailed.get(`${kind} ${to}`) ?? Number.NEGATIVE_INFINITY);
    const pace = this.settings.mailPaceSeconds * 1000;
    if (options.paced !== false && since < pace) throw refusals.tooManyMails(Math.ceil((pace - since) / 1000));
    this.#mailed.set(`${kind} ${to}`, at);
    if (kind === 'recovery' || kind === 'magiclink') user.recoverySentAt = this.now();
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const digest = createHash('sha224').update(`${to}${code}`).digest('hex');
    const token: MailToken = {
      hash: options.challenge === null ? digest : `pkce_${digest}`,
      code,
      kind,
      userId: user.id,
      to,
      expiresAt: at + ONE_TIME_MS,
      challenge: options.challenge,
    };
    this.#tokens = [...this.#tokens.filter((old) => !(old.userId === user.id && old.kind === kind && old.to === to)), token];
    this.mails.push({ kind, to, code, tokenHash: token.hash, redirectTo: options.redirectTo ?? this.settings.siteUrl, at: this.now() });
    return token;
  }

  /** Finds a token that still works and uses it up; null for any other. */
  takeMailToken(fits: (token: MailToken) => boolean): MailToken | null {
    const found = this.#tokens.find((token) => token.expiresAt > this.now().getTime() && fits(token));
    if (found === undefined) return null;
    this.#tokens = this.#tokens.filter((token) => token !== found);
    return found;
  }

  hasMailToken(fits: (token: MailToken) => boolean): boolean {
    return this.#tokens.some(fits);
  }

  issueAuthCode(userId: string, challenge: Challenge, method: string): string {
    const code = randomUUID();
    this.#codes.set(code, { userId, challenge, method, expiresAt: this.now().getTime() + AUTH_CODE_MS });
    return code;
  }

  takeAuthCode(code: string): AuthCode | null {
    const found = this.#codes.get(code) ?? null;
    this.#codes.delete(code);
    return found;
  }
}

/** A user as every endpoint answers it. */
export function userBody(user: MockUser): Record<string, unknown> {
  const text = (date: Date | null) => (date === null ? {} : date.toISOString());
  const optional = (name: string, date: Date | null) => (date === null ? {} : { [name]: text(date) });
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    phone: '',
    ...optional('email_confirmed_at', user.confirmedAt),
    ...optional('confirmed_at', user.confirmedAt),
    ...optional('invited_at', user.invitedAt),
    ...optional('recovery_sent_at', user.recoverySentAt),
    ...optional('last_sign_in_at', user.lastSignInAt),
    ...optional('banned_until', user.bannedUntil),
    ...(user.newEmail === null ? {} : { new_email: user.newEmail }),
    app_metadata: user.appMetadata,
    user_metadata: user.userMetadata,
    identities: user.identities.map((identity) => ({
      identity_id: identity.identityId,
      id: identity.id,
      user_id: user.id,
      identity_data: { email: identity.email, email_verified: user.confirmedAt !== null, sub: identity.id },
      provider: identity.provider,
      email: identity.email,
      created_at: identity.createdAt.toISOString(),
      updated_at: identity.createdAt.toISOString(),
    })),
    ...(user.factors.length === 0
      ? {}
      : {
          factors: user.factors.map(({ id, friendlyName, status, createdAt }) => ({
            id,
            friendly_name: friendlyName ?? '',
            factor_type: 'totp',
            status,
            created_at: createdAt.toISOString(),
            updated_at: createdAt.toISOString(),
          })),
        }),
    created_at: user.createdAt.toISOString(),
    updated_at: user.updatedAt.toISOString(),
    is_anonymous: false,
  };
}

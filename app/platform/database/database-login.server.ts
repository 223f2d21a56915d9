import { createHash, createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto';
import type { PoolConfig } from 'pg';

/** The login of one connection. */
export type DatabaseLogin = { host: string; port: number; database: string; user: string; password: string; ssl?: PoolConfig['ssl'] };

/** The login of every process of Quorate, and the key by which the database knows one (decision 52). */
export type AppLogin = DatabaseLogin & { processKey: string };

/** The role that every process of Quorate logs in as. */
export const APP_ROLE = 'quorate_app';
/** The role of the account service that runs in the web server, as a Supabase project names it. */
export const AUTH_ROLE = 'supabase_auth_admin';
/** One password or key for each purpose, all derived from QUORATE_SECRET_KEY. */
const PURPOSES = {
  app: 'quorate database login',
  auth: 'quorate account service login',
  process: 'quorate process key',
} as const;
type Purpose = keyof typeof PURPOSES;
const SCRAM_ITERATIONS = 4096;

/** The application's login to the same database as its owner: the password follows from QUORATE_SECRET_KEY alone. */
export function appLogin(owner: DatabaseLogin, secretKey: string): AppLogin {
  // a pooler tells projects apart by what follows the dot of the user's name
  const dot = owner.user.indexOf('.');
  const user = dot === -1 ? APP_ROLE : `${APP_ROLE}${owner.user.slice(dot)}`;
  return { ...owner, user, password: passwordOf('app', secretKey), processKey: processKeyOf(secretKey) };
}

/** The key with which processes open their sessions, as text. */
export const processKeyOf = (secretKey: string): string => passwordOf('process', secretKey);

/** The account service's login to a PostgreSQL of one's own. */
export function authLogin(owner: DatabaseLogin, secretKey: string): DatabaseLogin {
  return { ...owner, user: AUTH_ROLE, password: passwordOf('auth', secretKey) };
}

function passwordOf(purpose: Purpose, secretKey: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', PURPOSES[purpose], 32)).toString('base64url');
}

/**
 * The verifier that PostgreSQL stores for that password (RFC 5803, RFC 7677), so that the password itself is never in a statement or a
 * server's log. The salt is derived too: the same key gives the same text, and setting it again changes nothing.
 */
export function passwordVerifier(purpose: Purpose, secretKey: string): string {
  const salt = Buffer.from(hkdfSync('sha256', secretKey, '', `${PURPOSES[purpose]} salt`, 16));
  const salted = pbkdf2Sync(passwordOf(purpose, secretKey), salt, SCRAM_ITERATIONS, 32, 'sha256');
  const key = (label: string) => createHmac('sha256', salted).update(label).digest();
  const stored = createHash('sha256').update(key('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${stored}:${key('Server Key').toString('base64')}`;
}

/**
 * Reads DATABASE_URL. Without `sslmode`, an address outside this machine is spoken to in TLS all the same; with
 * `sslmode=verify-full` the certificate is checked against the system's roots, as libpq does it.
 */
export function loginFromUrl(databaseUrl: string): DatabaseLogin {
  const url = new URL(databaseUrl);
  // as libpq has it, `?host=` overrides: the only way to name a socket's folder
  const host = url.searchParams.get('host') || decodeURIComponent(url.hostname.replace(/^\[|\]$/g, '')) || 'localhost';
  return {
    host,
    port: Number(url.port || 5432),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    user: decodeURIComponent(url.username) || 'postgres',
    password: decodeURIComponent(url.password),
    ...sslOf(url.searchParams.get('sslmode'), host),
  };
}

function sslOf(mode: string | null, host: string): Pick<DatabaseLogin, 'ssl'> {
  if (mode === 'disable') return { ssl: false };
  if (mode === 'verify-full' || mode === 'verify-ca') return { ssl: { rejectUnauthorized: true } };
  const local = host.startsWith('/') || /^(localhost|127\.|::1$)/.test(host);
  return mode === null && local ? {} : { ssl: { rejectUnauthorized: false } };
}

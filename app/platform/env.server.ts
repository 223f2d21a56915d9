/** Every setting of the product, read once. No other file takes a setting from the process's environment. */
import { resolve } from 'node:path';
import * as z from 'zod';
import type { Paces, RunCeilings } from '#app/contracts/limits.ts';
import type { Operator } from '#app/contracts/people.ts';
import { FOUNDERS, type Founders, type Registration } from '#app/contracts/registration.ts';
import { readRegistration } from '#app/domain/people/registration.ts';
import { DEFAULT_RUN_CEILINGS } from '#app/domain/runs/run-limits.ts';
import { NO_PRIVATE_NETWORK, type PrivateNetwork, readPrivateNetwork } from '#app/platform/http/private-network.server.ts';

/**
 * The place of the data: the embedded database, a PostgreSQL of one's own with the embedded account service, or a Supabase project (hosted
 * or self-hosted).
 */
export type BackendSettings =
  | { readonly mode: 'embedded' }
  | { readonly mode: 'postgres' /** Login of the owner of the database. */; readonly databaseUrl: string }
  | {
      readonly mode: 'supabase';
      readonly url: string;
      readonly publishableKey: string;
      readonly secretKey: string | null;
      /** Login of the owner: direct or session pooler. */
      readonly databaseUrl: string;
    };

export type Env = Readonly<{
  port: number;
  host: string;
  /** Public origin, without a trailing slash. */
  origin: string;
  /** Absolute path. */
  dataDir: string;
  demo: boolean;
  /** Whether the web server runs steps itself, in a thread; otherwise only `npm run worker` does. */
  runSteps: boolean;
  /** Null in embedded mode when not set: the first start makes one and keeps it. */
  secretKey: string | null;
  /** The salts of the keys of the log after the first. Null: they stand in the data directory, where there are any. */
  logKeys: readonly string[] | null;
  /** As express's `trust proxy` takes it: false, a number of hops, or a list of addresses. */
  trustProxy: false | number | string;
  backend: BackendSettings;
  smtpUrl: string | null;
  registration: Registration;
  founders: Founders;
  /** The operator of this instance, as its legal pages name it. Null: nothing was set. */
  operator: Operator | null;
  /** The most that a workspace may allow its keys and webhooks, in calls a minute. */
  paceCeilings: Paces;
  /** The most runs that a workspace may have driven at once and waiting, and how many may wait on the whole instance. */
  runCeilings: RunCeilings;
  /** Internal addresses that connections may reach: hosts by name, and networks. */
  privateNetwork: PrivateNetwork;
  /** Exact commands by name, which may run as processes of this machine. Empty unless the switch is on. */
  localServers: Readonly<Record<string, readonly string[]>>;
  /** Asked before a file is accepted: an HTTP address alone, or a command with its arguments. Null: nobody is. */
  fileScanner: readonly string[] | null;
  /** Whoever watches the instance reads its figures with it. Null: they are told to nobody. */
  metricsToken: string | null;
  /** Where a worker process answers probes and tells its figures. Null: nowhere. */
  workerPort: number | null;
  production: boolean;
}>;

/** The configuration is wrong; the message is one line for the person who started the process. */
export class EnvError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'EnvError';
  }
}

const SECRET_KEY_MIN_LENGTH = 32;

const emptyIsUnset = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(emptyIsUnset, schema.optional());

const SWITCH_WORDS: Record<string, boolean> = {
  on: true,
  true: true,
  yes: true,
  '1': true,
  off: false,
  false: false,
  no: false,
  '0': false,
};
const switchOr = (fallback: boolean) =>
  optional(
    z.string().transform((value, ctx) => {
      const known = SWITCH_WORDS[value.trim().toLowerCase()];
      if (known === undefined) ctx.addIssue({ code: 'custom', message: 'must be on or off' });
      return known ?? fallback;
    }),
  ).transform((value) => value ?? fallback);

const httpUrl = z.string().refine((value) => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
}, 'must be an http or https address without a user name');
const urlWith = (protocols: readonly string[], message: string) =>
  z.string().refine((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), message);

const trustProxySchema = optional(
  z.string().transform((value, ctx) => {
    const text = value.trim().toLowerCase();
    if (/^\d+$/.test(text)) return Number(text) === 0 ? false : Number(text);
    const known = SWITCH_WORDS[text];
    if (known !== undefined) return known ? 1 : false;
    if (
      /^(loopback|linklocal|uniquelocal|[0-9a-f:.]+(\/\d{1,3})?)(\s*,\s*(loopback|linklocal|uniquelocal|[0-9a-f:.]+(\/\d{1,3})?))*$/.test(
        text,
      )
    )
      return text;
    ctx.addIssue({ code: 'custom', message: 'must be off, a number of proxies, or a list of addresses' });
    return false;
  }),
).transform((value) => value ?? false);

const NETWORK_SHAPE =
  'must list hosts and networks that may be reached, such as models.internal,10.20.0.0/16 (on opened all of them and is not taken any longer; link-local addresses and metadata services are never reached)';
const privateNetworkSchema = optional(
  z.string().transform((value, context) => {
    const known = SWITCH_WORDS[value.trim().toLowerCase()];
    const read = known === undefined ? readPrivateNetwork(value) : known ? null : NO_PRIVATE_NETWORK;
    if (read === null) context.addIssue(NETWORK_SHAPE);
    return read ?? NO_PRIVATE_NETWORK;
  }),
).transform((value) => value ?? NO_PRIVATE_NETWORK);

const STDIO_SHAPE = 'must be JSON of names and commands, such as {"memory":["node","/opt/memory/index.js"]}';
const stdioCommandsSchema = z.record(z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/), z.array(z.string().min(1)).min(1).readonly());
const stdioServersSchema = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue(STDIO_SHAPE);
      return z.NEVER;
    }
  })
  .refine((value) => stdioCommandsSchema.safeParse(value).success, STDIO_SHAPE)
  .transform((value) => stdioCommandsSchema.parse(value));

const SCANNER_SHAPE = 'must be an http or https address, or a command as JSON such as ["clamdscan","-"]';
const fileScannerSchema = z.string().transform((text, context): readonly string[] => {
  if (httpUrl.safeParse(text).success) return [text];
  try {
    return z.array(z.string().min(1)).min(1).parse(JSON.parse(text));
  } catch {
    context.addIssue(SCANNER_SHAPE);
    return z.NEVER;
  }
});

const REGISTRATION_SHAPE = 'must be open, invited, closed, or domains such as acme.example,acme.org';
const registrationSchema = optional(
  z.string().transform((value, context) => {
    const read = readRegistration(value);
    if (read === null) context.addIssue(REGISTRATION_SHAPE);
    return read ?? ({ kind: 'closed' } as const);
  }),
).transform((value) => value ?? ({ kind: 'open' } as const));

const foundersSchema = optional(z.enum(FOUNDERS, `must be one of ${FOUNDERS.join(', ')}`)).transform((value) => value ?? 'anyone');

const numberOfRuns = optional(
  z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a number of runs')
    .transform(Number),
);

const callsPerMinute = optional(
  z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a number of calls a minute')
    .transform(Number),
);

const portNumber = optional(
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((port) => port <= 65535, 'must be a port number'),
);

const METRICS_TOKEN_MIN_LENGTH = 16;

const settingsSchema = z.object({
  PORT: portNumber,
  HOST: optional(z.string().regex(/^[A-Za-z0-9.:_-]+$/, 'must be an address or a host name')),
  QUORATE_URL: optional(
    httpUrl.refine((value) => {
      const url = URL.parse(value);
      return url !== null && url.pathname === '/' && url.search === '' && url.hash === '';
    }, 'must be an origin such as https://quorate.example, without a path'),
  ),
  QUORATE_DATA_DIR: optional(z.string()),
  QUORATE_DEMO: switchOr(true),
  QUORATE_WORKER: switchOr(true),
  QUORATE_SECRET_KEY: optional(z.string().min(SECRET_KEY_MIN_LENGTH, `must have at least ${SECRET_KEY_MIN_LENGTH} characters`)),
  QUORATE_LOG_KEYS: optional(z.string()),
  TRUST_PROXY: trustProxySchema,
  SUPABASE_URL: optional(httpUrl),
  SUPABASE_PUBLISHABLE_KEY: optional(z.string()),
  SUPABASE_ANON_KEY: optional(z.string()),
  SUPABASE_SECRET_KEY: optional(z.string()),
  DATABASE_URL: optional(
    urlWith(['postgres:', 'postgresql:'], 'must be a postgres:// address').refine(
      (value) => !/%(?![0-9a-f]{2})/i.test(value),
      'holds a % that encodes nothing: write the password percent-encoded',
    ),
  ),
  SMTP_URL: optional(urlWith(['smtp:', 'smtps:'], 'must be an smtp:// or smtps:// address')),
  QUORATE_REGISTRATION: registrationSchema,
  QUORATE_WORKSPACE_FOUNDERS: foundersSchema,
  QUORATE_OPERATOR_NAME: optional(z.string().trim().max(200)),
  QUORATE_OPERATOR_ADDRESS: optional(z.string().trim().max(500)),
  QUORATE_OPERATOR_EMAIL: optional(z.email('must be an e-mail address')),
  KEY_CALLS_PER_MINUTE: callsPerMinute,
  HOOK_CALLS_PER_MINUTE: callsPerMinute,
  WORKSPACE_RUNS_AT_ONCE: numberOfRuns,
  WORKSPACE_QUEUED_RUNS: numberOfRuns,
  QUEUED_RUNS: numberOfRuns,
  ALLOW_PRIVATE_NETWORK: privateNetworkSchema,
  ALLOW_STDIO: switchOr(false),
  STDIO_SERVERS: optional(stdioServersSchema),
  QUORATE_FILE_SCANNER: optional(fileScannerSchema),
  QUORATE_METRICS_TOKEN: optional(
    z
      .string()
      .trim()
      .regex(/^[\x21-\x7e]+$/, 'must be of letters, digits and signs without spaces')
      .min(METRICS_TOKEN_MIN_LENGTH, `must have at least ${METRICS_TOKEN_MIN_LENGTH} characters`),
  ),
  QUORATE_WORKER_PORT: portNumber,
  NODE_ENV: optional(z.string()),
});
type Settings = z.output<typeof settingsSchema>;

/** Reads and checks all settings. Throws EnvError with one line that names the fault, and never a value, which may be a secret. */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): Env {
  const parsed = settingsSchema.safeParse(source);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new EnvError(`Settings: ${faults.join('; ')}.`);
  }
  const settings = parsed.data;
  const port = settings.PORT ?? 3000;
  const backend = readBackend(settings);
  if (backend.mode !== 'embedded' && !settings.QUORATE_SECRET_KEY)
    throw new EnvError(
      `Settings: QUORATE_SECRET_KEY is required with DATABASE_URL (${SECRET_KEY_MIN_LENGTH} characters or more, the same in every process).`,
    );
  return Object.freeze({
    port,
    host: settings.HOST ?? '127.0.0.1',
    origin: new URL(settings.QUORATE_URL ?? `http://localhost:${port}`).origin,
    dataDir: resolve(settings.QUORATE_DATA_DIR ?? '.data'),
    demo: settings.QUORATE_DEMO,
    runSteps: settings.QUORATE_WORKER,
    secretKey: settings.QUORATE_SECRET_KEY ?? null,
    logKeys: settings.QUORATE_LOG_KEYS?.split(',') ?? null,
    trustProxy: settings.TRUST_PROXY,
    backend: Object.freeze(backend),
    smtpUrl: settings.SMTP_URL ?? null,
    registration: Object.freeze(settings.QUORATE_REGISTRATION),
    founders: settings.QUORATE_WORKSPACE_FOUNDERS,
    operator: readOperator(settings),
    paceCeilings: { keys: settings.KEY_CALLS_PER_MINUTE ?? 6_000, hooks: settings.HOOK_CALLS_PER_MINUTE ?? 1_200 },
    runCeilings: {
      runsAtOnce: settings.WORKSPACE_RUNS_AT_ONCE ?? DEFAULT_RUN_CEILINGS.runsAtOnce,
      queuedRuns: settings.WORKSPACE_QUEUED_RUNS ?? DEFAULT_RUN_CEILINGS.queuedRuns,
      queuedInAll: settings.QUEUED_RUNS ?? DEFAULT_RUN_CEILINGS.queuedInAll,
    },
    privateNetwork: settings.ALLOW_PRIVATE_NETWORK,
    localServers: Object.freeze(settings.ALLOW_STDIO ? (settings.STDIO_SERVERS ?? {}) : {}),
    fileScanner: settings.QUORATE_FILE_SCANNER ?? null,
    metricsToken: settings.QUORATE_METRICS_TOKEN ?? null,
    workerPort: settings.QUORATE_WORKER_PORT ?? null,
    production: settings.NODE_ENV === 'production',
  });
}

/** The name makes an operator: an address without one is ignored. */
function readOperator({ QUORATE_OPERATOR_NAME: name, QUORATE_OPERATOR_ADDRESS: address, QUORATE_OPERATOR_EMAIL: email }: Settings) {
  return name === undefined ? null : { name, address: address ?? null, email: email ?? null };
}

function readBackend(settings: Settings): BackendSettings {
  const publishableKey = settings.SUPABASE_PUBLISHABLE_KEY ?? settings.SUPABASE_ANON_KEY;
  if (!settings.SUPABASE_URL) {
    const stray = [publishableKey && 'SUPABASE_PUBLISHABLE_KEY', settings.SUPABASE_SECRET_KEY && 'SUPABASE_SECRET_KEY'].filter(Boolean);
    if (stray.length > 0)
      throw new EnvError(
        `Settings: ${stray.join(' and ')} without SUPABASE_URL: set it too, or unset all of them for the embedded account service.`,
      );
    if (!settings.DATABASE_URL) return { mode: 'embedded' };
    refuseTransactionPooler(settings.DATABASE_URL);
    return { mode: 'postgres', databaseUrl: settings.DATABASE_URL };
  }
  const missing = [!publishableKey && 'SUPABASE_PUBLISHABLE_KEY', !settings.DATABASE_URL && 'DATABASE_URL'].filter(Boolean);
  if (!publishableKey || !settings.DATABASE_URL) throw new EnvError(`Settings: SUPABASE_URL needs ${missing.join(' and ')} too.`);
  refuseTransactionPooler(settings.DATABASE_URL);
  return {
    mode: 'supabase',
    url: settings.SUPABASE_URL.replace(/\/+$/, ''),
    publishableKey,
    secretKey: settings.SUPABASE_SECRET_KEY ?? null,
    databaseUrl: settings.DATABASE_URL,
  };
}

/** LISTEN and session advisory locks do not survive a transaction pooler: better no start than lost wake-ups. */
function refuseTransactionPooler(databaseUrl: string): void {
  const url = new URL(databaseUrl);
  if (url.port === '6543' || url.searchParams.get('pgbouncer') === 'true')
    throw new EnvError(
      'Settings: DATABASE_URL leads to a transaction pooler (port 6543 or pgbouncer=true), which drops LISTEN and advisory locks: use the direct address or the session pooler (port 5432).',
    );
}

/**
 * Every setting of `.env.example`, in its order; a test holds the two together. `fallback` is what holds without it, `text` its key below
 * `hosting.settings`. They stay on the server, so that no code of a browser names a setting but by mistake, which a test finds.
 */
export const SETTINGS = [
  { name: 'PORT', text: 'port', fallback: '3000' },
  { name: 'HOST', text: 'host', fallback: '127.0.0.1' },
  { name: 'QUORATE_URL', text: 'quorateUrl', fallback: 'http://localhost:3000' },
  { name: 'TRUST_PROXY', text: 'trustProxy', fallback: 'off' },
  { name: 'QUORATE_DATA_DIR', text: 'quorateDataDir', fallback: '.data' },
  { name: 'QUORATE_DEMO', text: 'quorateDemo', fallback: 'on' },
  { name: 'QUORATE_WORKER', text: 'quorateWorker', fallback: 'on' },
  { name: 'QUORATE_SECRET_KEY', text: 'quorateSecretKey', fallback: '' },
  { name: 'QUORATE_LOG_KEYS', text: 'quorateLogKeys', fallback: '' },
  { name: 'DATABASE_URL', text: 'databaseUrl', fallback: '' },
  { name: 'SUPABASE_URL', text: 'supabaseUrl', fallback: '' },
  { name: 'SUPABASE_PUBLISHABLE_KEY', text: 'supabasePublishableKey', fallback: '' },
  { name: 'SUPABASE_SECRET_KEY', text: 'supabaseSecretKey', fallback: '' },
  { name: 'QUORATE_REGISTRATION', text: 'quorateRegistration', fallback: 'open' },
  { name: 'QUORATE_WORKSPACE_FOUNDERS', text: 'quorateWorkspaceFounders', fallback: 'anyone' },
  { name: 'QUORATE_OPERATOR_NAME', text: 'quorateOperatorName', fallback: '' },
  { name: 'QUORATE_OPERATOR_ADDRESS', text: 'quorateOperatorAddress', fallback: '' },
  { name: 'QUORATE_OPERATOR_EMAIL', text: 'quorateOperatorEmail', fallback: '' },
  { name: 'SMTP_URL', text: 'smtpUrl', fallback: '' },
  { name: 'KEY_CALLS_PER_MINUTE', text: 'keyCallsPerMinute', fallback: '6000' },
  { name: 'HOOK_CALLS_PER_MINUTE', text: 'hookCallsPerMinute', fallback: '1200' },
  { name: 'WORKSPACE_RUNS_AT_ONCE', text: 'workspaceRunsAtOnce', fallback: '' },
  { name: 'WORKSPACE_QUEUED_RUNS', text: 'workspaceQueuedRuns', fallback: '20000' },
  { name: 'QUEUED_RUNS', text: 'queuedRuns', fallback: '100000' },
  { name: 'ALLOW_PRIVATE_NETWORK', text: 'allowPrivateNetwork', fallback: 'off' },
  { name: 'ALLOW_STDIO', text: 'allowStdio', fallback: 'off' },
  { name: 'STDIO_SERVERS', text: 'stdioServers', fallback: '' },
  { name: 'QUORATE_FILE_SCANNER', text: 'quorateFileScanner', fallback: '' },
  { name: 'QUORATE_METRICS_TOKEN', text: 'quorateMetricsToken', fallback: '' },
  { name: 'QUORATE_WORKER_PORT', text: 'quorateWorkerPort', fallback: '' },
] as const;

const POSTGRES = `DATABASE_URL=postgresql://quorate_owner:…@db.example:5432/quorate
QUORATE_SECRET_KEY=…
QUORATE_URL=https://quorate.example
SMTP_URL=smtps://user:…@mail.example`;

const SUPABASE = `SUPABASE_URL=https://project.supabase.co
SUPABASE_PUBLISHABLE_KEY=…
DATABASE_URL=postgresql://postgres:…@db.project.supabase.co:5432/postgres
QUORATE_SECRET_KEY=…`;

export type SettingRow = (typeof SETTINGS)[number];

/** The facts on the hosting page: the settings, examples for other databases, and the one setting that is secret. */
export function loadSettings(): { settings: readonly SettingRow[]; postgres: string; supabase: string; secret: string } {
  return { settings: SETTINGS, postgres: POSTGRES, supabase: SUPABASE, secret: 'QUORATE_SECRET_KEY' };
}

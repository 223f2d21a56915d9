import type { Log, LogFields } from '#app/contracts/ports.ts';

const SECRET_NAME = /pass(word|phrase)?|secret|token|authorization|cookie|credential|api_?key/i;
const SECRET_VALUES: readonly [RegExp, string][] = [
  [/\beyJ[\w-]{8,}\.[\w-]+(\.[\w-]*)?/g, '[token]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 [redacted]'],
  // an invitation's token stands in its path
  [/(\/invitations\/)[\w-]{16,}/g, '$1[token]'],
  [/([?&#](?:[\w-]*(?:token|code|secret|password|key)[\w-]*)=)[^&\s#]+/gi, '$1[redacted]'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s:@]*:[^/\s@]+@/gi, '$1[redacted]@'],
  [/[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, '[address]'],
];
const MAX_TEXT = 2000;

/** Removes everything that must never be in a log: tokens, passwords in addresses, e-mail addresses. */
export function redact(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return SECRET_VALUES.reduce((now, [pattern, instead]) => now.replace(pattern, instead), short);
}

function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: redact(String(error)) };
  // PostgreSQL errors carry the row in `detail`, and lite's carry parameters: neither is taken over.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  const cause = error.cause instanceof Error ? redact(`${error.cause.name}: ${error.cause.message}`) : undefined;
  return {
    error: redact(`${error.name}: ${error.message}`),
    code,
    cause,
    stack: frames
      .slice(0, 8)
      .map((line) => line.trim())
      .join(' < '),
  };
}

/**
 * One JSON object a line (JSON escapes CR, LF and other control characters, so that no input can forge a line).
 * Written to the error stream: standard output is for what the person who started the process is told.
 */
export function createLog(options: { write?: (line: string) => void; now?: () => Date; base?: LogFields } = {}): Log {
  const write = options.write ?? ((line) => process.stderr.write(line));
  const now = options.now ?? (() => new Date());
  const put = (level: string, message: string, fields: { [key: string]: unknown }) => {
    const line: { [key: string]: unknown } = { time: now().toISOString(), level, message: redact(message) };
    for (const [name, value] of Object.entries({ ...options.base, ...fields })) {
      if (value === undefined) continue;
      line[name] = SECRET_NAME.test(name) ? '[redacted]' : typeof value === 'string' ? redact(value) : value;
    }
    write(`${JSON.stringify(line)}\n`);
  };
  return {
    info: (message, fields = {}) => put('info', message, fields),
    warn: (message, fields = {}) => put('warn', message, fields),
    error: (message, { error, ...fields } = {}) => put('error', message, { ...fields, ...(error === undefined ? {} : errorFields(error)) }),
  };
}

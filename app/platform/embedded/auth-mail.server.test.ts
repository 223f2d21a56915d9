import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderAuthMail } from '#app/platform/embedded/auth-mail.server.ts';
import { projectRoot } from '#app/platform/project-root.server.ts';

const ORIGIN = 'https://quorate.example';
const HASH = 'ab'.repeat(32);
const facts = (kind: 'signup' | 'recovery' | 'email_change' | 'magiclink', language = 'en') => ({
  kind,
  to: 'ada@example.com',
  tokenHash: HASH,
  code: '012345',
  language,
});

describe.each([
  ['signup', 'confirmation'],
  ['recovery', 'recovery'],
  ['email_change', 'email_change'],
  ['magiclink', 'magic_link'],
] as const)('the mail for %s', (kind, template) => {
  test('has one link to our own page and the code, in HTML and in text', () => {
    const mail = renderAuthMail(facts(kind), ORIGIN);
    const link = `${ORIGIN}/auth/confirm?token_hash=${HASH}&type=${kind}`;
    expect(mail).toMatchObject({ to: 'ada@example.com' });
    expect(mail.text).toContain(`: ${link}\n`);
    expect(mail.text).toContain('012345');
    expect(mail.html?.match(/href="[^"]*"/g)).toEqual([`href="${link.replace('&', '&amp;')}"`]);
    expect(mail.html).toContain('>012345<');
    expect(`${mail.html}${mail.text}${mail.subject}`).not.toContain('{{');
  });

  test('replaces every sentence of the layout, so that none stays English', () => {
    const layout = readFileSync(join(projectRoot(), 'supabase', 'templates', `${template}.html`), 'utf8');
    const words: Record<string, string> = JSON.parse(readFileSync(join(projectRoot(), 'locales', 'en', 'mail.json'), 'utf8')).auth[
      template
    ];
    const sentences = [...layout.matchAll(/>([^<>{}]*[a-z][^<>{}]*)</g)]
      .map((match) => match[1]?.trim())
      .filter((text) => text && text !== 'Quorate');
    expect([...new Set(sentences)].sort()).toEqual([...new Set(Object.values(words))].sort());
  });
});

test('an unknown language is answered in English', () => {
  expect(renderAuthMail(facts('signup', '../../etc'), ORIGIN)).toEqual(renderAuthMail(facts('signup'), ORIGIN));
});

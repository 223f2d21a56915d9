/** Caught mails hold links that open accounts: they are for whoever holds the token, at this very machine. */
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caughtMails, mailboxToken } from '#tests/support/caught-mails.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { openBrowser } from '#tests/survival/support/person.ts';
import { until } from '#tests/survival/support/until.ts';

const ADDRESSES = ['/dev/mailbox', '/dev/mailbox.data', '/dev/mailbox.json'];
const EMAIL = 'caught@example.com';

let instance: Instance;
let token: string;
beforeAll(async () => {
  instance = await createInstance({ QUORATE_DEMO: 'off' });
  await instance.start();
  await (
    await openBrowser(instance.origin).post('/auth?mode=sign-up', { name: 'Caught', email: EMAIL, password: 'a password of a newcomer' })
  ).body?.cancel();
  token = mailboxToken(instance.dataDirectory);
  await until('the mail', async () => (await caughtMails(instance)).find(({ to }) => to === EMAIL));
}, 120_000);
afterAll(() => instance?.remove(), 60_000);

type Answer = { status: number; text: string; location: string | undefined; cookies: string[] };

/** By `node:http`, which sends the Host header that it is given. */
function ask(path: string, headers: Record<string, string> = {}, { origin } = instance): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(new URL(path, origin), { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, text, location: headers.location, cookies: headers['set-cookie'] ?? [] });
      });
    }).on('error', reject);
  });
}

function expectNothing({ status, text, cookies }: Answer, when: string): void {
  expect(status, when).toBe(404);
  expect(text, when).not.toContain(EMAIL);
  expect(cookies.join(), when).not.toContain('mailbox');
}

describe('the mailbox of a machine of one’s own', () => {
  test('stays not found to whoever has no token or a wrong one, also where a proxy hides', async () => {
    for (const path of ADDRESSES) {
      // A proxy on this machine that adds nothing looks exactly like this.
      expectNothing(await ask(path), path);
      expectNothing(await ask(path, { host: `127.0.0.1:${new URL(instance.origin).port}` }), path);
      for (const wrong of ['', 'x', `${token}x`, token.slice(1), token.toUpperCase()]) {
        expectNothing(await ask(`${path}?token=${wrong}`), `${path}?token=${wrong}`);
        expectNothing(await ask(path, { cookie: `mailbox=${wrong}` }), `${path} by cookie ${wrong}`);
        expectNothing(await ask(path, { authorization: `Bearer ${wrong}` }), `${path} by header ${wrong}`);
      }
    }
  });

  test('stays not found with the token, too, for whoever comes through a proxy or by another name', async () => {
    const through: Record<string, string>[] = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-proto'].map((name) => ({
      [name]: name === 'x-forwarded-proto' ? 'http' : '127.0.0.1',
    }));
    for (const path of ADDRESSES)
      for (const headers of through) {
        expectNothing(await ask(`${path}?token=${token}`, headers), `${path} with ${JSON.stringify(headers)}`);
        expectNothing(await ask(path, { ...headers, cookie: `mailbox=${token}` }), `${path} with ${JSON.stringify(headers)}`);
      }
    const elsewhere = await ask(`/dev/mailbox.json?token=${token}`, { host: 'mail.example' });
    expect(elsewhere.status).toBeGreaterThanOrEqual(400);
    expect(elsewhere.text).not.toContain(EMAIL);
  });

  test('opens by the address that the start prints, and leaves the token out of the address from then on', async () => {
    const printed = /^Mails are caught, not sent: (\S+)$/m.exec(instance.server().output())?.[1] ?? '';
    expect(printed).toBe(`${instance.origin}/dev/mailbox?token=${token}`);
    const { status, location, cookies, text } = await ask(printed);
    expect([status, location]).toEqual([303, '/dev/mailbox']);
    expect(text).not.toContain(EMAIL);
    const [cookie = ''] = cookies.filter((one) => one.startsWith('mailbox='));
    expect(cookie.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Path=/dev', 'SameSite=Lax']);
    for (const path of ADDRESSES) {
      const opened = await ask(path, { cookie: cookie.split(';')[0] ?? '' });
      expect(opened.status, path).toBe(200);
      expect(opened.text, path).toContain(EMAIL);
    }
  });

  test('hands programs the mails by a token in the address or a header', async () => {
    for (const answer of [
      await ask(`/dev/mailbox.json?token=${token}`),
      await ask('/dev/mailbox.json', { authorization: `Bearer ${token}` }),
    ]) {
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text)).toContainEqual(expect.objectContaining({ to: EMAIL }));
    }
  });

  test('has its token in a file that is its owner’s alone, keeps it over restarts, and logs it nowhere', async () => {
    expect(statSync(join(instance.dataDirectory, 'mailbox-token')).mode & 0o777).toBe(0o600);
    expect(token).toMatch(/^[\w-]{43}$/);
    await ask(`/dev/mailbox?token=${token}`);
    await ask(`/dev/mailbox.json?token=${token}`);
    await instance.server().stop();
    const output = instance.server().output();
    expect(output).toContain('"path":"/dev/mailbox"');
    const told = output.split('\n').filter((line) => line.includes(token));
    expect(told).toEqual([`Mails are caught, not sent: ${instance.origin}/dev/mailbox?token=${token}`]);
    await instance.start();
    expect(mailboxToken(instance.dataDirectory)).toBe(token);
    expect((await ask(`/dev/mailbox.json?token=${token}`)).status).toBe(200);
  });
});

/** Each takes a start of its own. */
const OPEN_TO_OTHERS: [string, Record<string, string>][] = [
  ['a public origin that is not loopback', { QUORATE_URL: 'http://quorate.example' }],
  ['a trusted proxy', { TRUST_PROXY: '1' }],
  ['a mail server', { SMTP_URL: 'smtp://127.0.0.1:9' }],
];

describe.each(process.env.QUORATE_TEST_FULL === undefined ? OPEN_TO_OTHERS.slice(0, 1) : OPEN_TO_OTHERS)('with %s', (_, settings) => {
  test('there is no mailbox: nothing is printed, and a token from before opens nothing', { timeout: 120_000 }, async () => {
    const other = await createInstance({ QUORATE_DEMO: 'off', ...settings });
    try {
      const kept = 'a-token-from-before';
      await writeFile(join(other.dataDirectory, 'mailbox-token'), kept);
      const server = await other.start();
      expect(server.output()).not.toContain('Mails are caught');
      for (const path of ADDRESSES)
        for (const host of [new URL(other.origin).host, 'quorate.example']) {
          const { status } = await ask(`${path}?token=${kept}`, { host }, other);
          // 421: not even a page of this instance by that name.
          expect([404, 421], `${path} at ${host}`).toContain(status);
        }
    } finally {
      await other.remove();
    }
  });
});

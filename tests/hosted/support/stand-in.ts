/** Starts the stand-in for a hosted project, catches its mails and the product's, and says what the product learns about it. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { columnTypes } from '#app/platform/database/column-types.server.ts';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { admitAuthService } from '#app/platform/embedded/auth-grants.server.ts';
import { startMailCatcher } from '#tests/hosted/support/mail-catcher.ts';
import type { CaughtMail, FromSupabase, SupabaseSettings } from '#tests/hosted/support/supabase-messages.ts';
import { freePort } from '#tests/support/free-port.ts';
import { until } from '#tests/survival/support/until.ts';

export type StandIn = {
  /** The settings that a process of the product needs, all of them. */
  settings: Record<string, string>;
  /** Where people reach the product. */
  origin: string;
  url: string;
  publishableKey: string;
  ownerLogin: DatabaseLogin;
  /** As the superuser, to look and to hold. */
  superuser: pg.Pool;
  mails: CaughtMail[];
  /** Waits for the newest mail to an address whose subject or text has this. */
  mailTo(address: string, about: RegExp): Promise<CaughtMail>;
  /** After the migrations: lite wants to grant at its first request what PostgREST has by the database's defaults. */
  admit(): Promise<void>;
  /** Stops answering for the project's services, or answers again; the database continues. */
  pause(paused: boolean): void;
  stop(): Promise<void>;
};

export async function startStandIn(): Promise<StandIn> {
  const directory = await mkdtemp(join(tmpdir(), 'quorate-hosted-'));
  await chmod(directory, 0o755);
  const [port, databasePort, webPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const origin = `http://localhost:${webPort}`;
  const publishableKey = `sb_publishable_${randomBytes(16).toString('hex')}`;
  const mails: CaughtMail[] = [];
  const catcher = await startMailCatcher((mail) => mails.push(mail));
  const told: SupabaseSettings = {
    directory,
    url,
    port,
    databasePort,
    databasePassword: randomBytes(16).toString('hex'),
    siteUrl: origin,
    jwtSecret: randomBytes(32).toString('hex'),
    publishableKey,
  };
  const child = fork(join(import.meta.dirname, 'supabase-process.ts'), [], {
    env: { PATH: process.env.PATH, STAND_IN: JSON.stringify(told) },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stopped = false;
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
    });
  const ready = await new Promise<Extract<FromSupabase, { kind: 'ready' }>>((resolve, reject) => {
    child.on('message', (message: FromSupabase) => {
      if (message.kind === 'mail') mails.push(message.mail);
      else resolve(message);
    });
    child.once('exit', (code) => reject(new Error(`the stand-in ended (${code}): ${said}`)));
  });
  const superuser = new pg.Pool({ ...ready.superuser, types: columnTypes, max: 3 });
  superuser.on('error', () => undefined);
  superuser.on('connect', (client) => void client.on('error', () => undefined));
  const { owner } = ready;
  return {
    origin,
    url,
    publishableKey,
    ownerLogin: owner,
    superuser,
    mails,
    settings: {
      SUPABASE_URL: url,
      SUPABASE_PUBLISHABLE_KEY: publishableKey,
      SUPABASE_SECRET_KEY: `sb_secret_${randomBytes(16).toString('hex')}`,
      DATABASE_URL: `postgresql://${owner.user}:${encodeURIComponent(owner.password)}@${owner.host}:${owner.port}/${owner.database}`,
      QUORATE_SECRET_KEY: randomBytes(24).toString('hex'),
      QUORATE_URL: origin,
      SMTP_URL: catcher.smtpUrl,
    },
    mailTo: (address, about) =>
      until(`a mail to ${address} about ${about}`, () =>
        mails.findLast((mail) => mail.to === address && (about.test(mail.subject) || about.test(mail.text))),
      ),
    async admit() {
      await admitAuthService(owner, ready.auth.user);
      for (const path of ['/auth/v1/health', '/rest/v1/profiles?select=id&limit=1']) {
        const answer = await fetch(`${url}${path}`, { headers: { apikey: publishableKey } });
        if (!answer.ok) throw new Error(`the stand-in answered ${answer.status} to ${path}: ${await answer.text()}`);
      }
    },
    pause: (paused) => void child.kill(paused ? 'SIGSTOP' : 'SIGCONT'),
    async stop() {
      if (stopped) return;
      stopped = true;
      await catcher.stop();
      const gone = once(child, 'exit');
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await gone;
      }
      // A test that failed may still hold a connection, which has ended with the database.
      superuser.end().catch(() => undefined);
      await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/**
 * The one place where engine and platform meet. One runtime a process, on globalThis: Vite evaluates server modules
 * anew in development, and a second database or worker must not come with that.
 */
import { mkdir } from 'node:fs/promises';
import { AppError } from '#app/domain/errors.ts';
import { isLoopback } from '#app/domain/loopback.ts';
import type { Log, Mail, Mailer } from '#app/domain/ports.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import type { Engine } from '#app/engine/engine.ts';
import { attachBackend, type Backend, openBackend } from '#app/platform/backend.server.ts';
import { systemClock } from '#app/platform/clock.ts';
import { createLogSigner, createSealer } from '#app/platform/crypto.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { newId } from '#app/platform/ids.ts';
import { createCatchingMailer, createSmtpMailer } from '#app/platform/mail.server.ts';
import { createIdentityBackend } from '#app/platform/supabase/identity-backend.server.ts';
import type { Access, Member, MemberAccess, Services } from '#app/request-context.ts';

export type Runtime = {
  env: Env;
  backend: Backend;
  services: Services;
  /** True while this process can do its work. */
  healthy(): Promise<boolean>;
  /** Ends the loops, then the database's connections, then the embedded database. */
  close(): Promise<void>;
};

const SLOT = Symbol.for('quorate.runtime');
const slots = globalThis as { [SLOT]?: Runtime };

/** The runtime of this process. Only behind a start that has ended well. */
export function runtime(): Runtime {
  const now = slots[SLOT];
  if (now === undefined) throw new Error('the runtime has not started');
  return now;
}

/** Where caught mails may be read: nothing but this machine can reach the instance, and nothing stands between. */
export function isMailboxOpen(env: Env): boolean {
  return env.backend.mode === 'embedded' && isLoopback(new URL(env.origin).hostname) && env.trustProxy === false && env.smtpUrl === null;
}

/** Starts everything behind the web server. Throws with one line for the terminal when it cannot. */
export async function startRuntime(env: Env, log: Log): Promise<Runtime> {
  let mailer: Mailer | undefined;
  const sendMail = async (mail: Mail) => {
    if (mailer === undefined) throw new Error('no mail before the start has ended');
    await mailer.send(mail);
  };
  const backend = await openBackend(env, { log, sendMail });
  try {
    mailer = env.smtpUrl === null ? createCatchingMailer(backend.database, newId) : createSmtpMailer(env.smtpUrl, env.origin);
    const engine = createEngine(backend, env);
    await mkdir(env.dataDir, { recursive: true });
    const services: Services = {
      engine,
      access: createAccess(backend),
      identity: openIdentity(env, backend),
      log,
      mailer,
      newId,
      now: () => systemClock.now(),
      origin: env.origin,
      mailboxOpen: isMailboxOpen(env),
    };
    const started: Runtime = {
      env,
      backend,
      services,
      async healthy() {
        if (backend.status() !== 'ready') return false;
        return await backend.database.ping().then(
          () => true,
          () => false,
        );
      },
      async close() {
        await backend.close();
        if (slots[SLOT] === started) delete slots[SLOT];
      },
    };
    slots[SLOT] = started;
    return started;
  } catch (error) {
    await backend.close();
    throw error;
  }
}

export type WorkerRuntime = { builtin: { origin: string; token: string }; close(): Promise<void> };

/** Starts what runs steps, on the database of the web server beside it or on a hosted one. */
export async function startWorkerRuntime(env: Env, log: Log): Promise<WorkerRuntime> {
  const backend = await attachBackend(env, { log });
  return { builtin: { origin: '', token: '' }, close: () => backend.close() };
}

function openIdentity(env: Env, backend: Backend): Services['identity'] {
  const { url, anonKey, fetch, jwtSecret } = backend.auth;
  if (jwtSecret === null) return createIdentityBackend({ mode: 'hosted', url, key: anonKey, fetch });
  // Cookies ignore ports: two instances on one machine would sign each other's people out.
  return createIdentityBackend({ mode: 'embedded', url, key: anonKey, fetch, jwtSecret, cookieName: `sb-quorate-${env.port}` });
}

function createAccess(backend: Backend): Access {
  const { database } = backend;
  return {
    asNobody: (work) => database.app(work),
    asMember: (who, work) => database.asMember(who, work),
    createMemberAccess: (member) => createMemberAccess(backend, member),
  };
}

function createMemberAccess({ database }: Backend, member: Member): MemberAccess {
  const who = { userId: member.userId, sessionId: member.sessionId, workspaceId: member.workspace.id };
  return {
    member,
    read: (work) => database.asMember(who, work, { readOnly: true }),
    change: (work) =>
      database.asMember(who, async (db) => {
        const { result, event } = await work(db);
        await recordEvent(db, {
          id: newId(),
          actor: { kind: 'member', id: member.userId, name: member.name },
          workspaceId: member.workspace.id,
          entry: event,
        });
        return result;
      }),
  };
}

function createEngine(backend: Backend, env: Env): Engine {
  const signer = createLogSigner(backend.secretKey, new URL(env.origin).host);
  const missing = (): never => {
    throw new AppError('unavailable');
  };
  return {
    enqueueRun: async () => missing(),
    watchRun: () => missing(),
    inspectPeer: async () => missing(),
    validatePolicy: () => missing(),
    sealer: createSealer(backend.secretKey),
    signer: { name: signer.name, publicKey: signer.publicKey },
  };
}

/** The one place where engine and platform meet: what a process is made of, and in which order it starts and ends. */
import { randomBytes } from 'node:crypto';
import type { Access, DirectoryAccess, KeyAccess, KeyCall, MemberAccess } from '#app/contracts/access.ts';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { CompanyOidc, CompanySaml } from '#app/contracts/company-sign-in.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { FileStore, GuardedFetch, Log, LogSigner, Mail, Mailer, ScanFile, Sealer } from '#app/contracts/ports.ts';
import type { Member } from '#app/contracts/principals.ts';
import type { Services } from '#app/contracts/request-context.ts';
import type { SignIns } from '#app/contracts/sign-ins.ts';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { isLoopback } from '#app/domain/connections/loopback.ts';
import { ourClient } from '#app/domain/connections/our-client.ts';
import type { Family } from '#app/domain/metrics/exposition.ts';
import type { RunCounts } from '#app/domain/metrics/run-counts.ts';
import { DEFAULT_PACES } from '#app/domain/runs/pace.ts';
import type { RunChanges, RunEnds } from '#app/domain/runs/run-change.ts';
import { createAccessWatcher } from '#app/engine/account/access-changes.ts';
import { startMembershipEnd } from '#app/engine/account/end-memberships.ts';
import { startApprovalExpiry } from '#app/engine/approvals/expire-approvals.ts';
import { auditBody, recordEvent } from '#app/engine/audit/record-event.ts';
import { startSelfAudit } from '#app/engine/audit/self-audit.ts';
import { startSequencer } from '#app/engine/audit/sequencer.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import { createPeers } from '#app/engine/connections/call-peer.ts';
import { startConnectionChecks } from '#app/engine/connections/check-due-connections.ts';
import { readRegistry } from '#app/engine/connections/registry/read-registry.ts';
import { createSignIns } from '#app/engine/connections/sign-ins/create-sign-ins.ts';
import { type DemoAccount, makeDemo } from '#app/engine/demo/make-demo.ts';
import { seedDemoRuns } from '#app/engine/demo/seed-demo-runs.ts';
import { startFileRemoval } from '#app/engine/documents/remove-files.ts';
import { readMetrics } from '#app/engine/health/read-metrics.ts';
import { startDeliveries } from '#app/engine/jobs/deliver.ts';
import { createDeskWatcher } from '#app/engine/jobs/desk-changes.ts';
import { createGatewayWatcher } from '#app/engine/jobs/gateway-changes.ts';
import { webhookSecret } from '#app/engine/jobs/webhook.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { createLegacyCalls } from '#app/engine/mcp/legacy-cancellation.ts';
import { createInboxWatcher } from '#app/engine/notifications/inbox-changes.ts';
import { packNote } from '#app/engine/packs/sign-pack.ts';
import { validatePolicyText } from '#app/engine/policy/inputs/check-inputs.ts';
import { startReplays } from '#app/engine/policy/replay/run-replays.ts';
import { startWatching } from '#app/engine/proof/watch-log.ts';
import { createAdmitRun, createOpenStart } from '#app/engine/runs/admit-run.ts';
import { createEnqueueRun } from '#app/engine/runs/enqueue-run.ts';
import { startedPayload } from '#app/engine/runs/start-run.ts';
import { startRunTexts } from '#app/engine/runs/texts/index-run-texts.ts';
import { createAnnouncer } from '#app/engine/runs/waiting/announce-changes.ts';
import { createAskPartialTexts } from '#app/engine/runs/waiting/partial-texts.ts';
import { collectChanges, type ReportChange } from '#app/engine/runs/waiting/report-changes.ts';
import { createRunWatcher, type RunWatcher } from '#app/engine/runs/waiting/run-changes.ts';
import { type RunWorker, startRunWorker } from '#app/engine/runs/worker-loop.ts';
import { startSchedules } from '#app/engine/triggers/run-schedules.ts';
import { createAuthorizationServer, type ServedAuthorization } from '#app/platform/authorization/authorization-server.server.ts';
import { attachBackend, type Backend, openBackend } from '#app/platform/backend.server.ts';
import { createCallbacks } from '#app/platform/callbacks.server.ts';
import { systemClock } from '#app/platform/clock.ts';
import { createLogSigner, createSealer } from '#app/platform/crypto.server.ts';
import type { Database } from '#app/platform/database/database.server.ts';
import {
  finishAccounts,
  finishRuns,
  isDemoMade,
  keepPendingAccounts,
  MailTap,
  openDemoSession,
  oweRuns,
  readOwedRuns,
  readPendingAccounts,
  signInDemoPerson,
} from '#app/platform/demo-accounts.server.ts';
import { ensureDataDirectory, keptSecret } from '#app/platform/embedded/data-directory.server.ts';
import type { Env } from '#app/platform/env.server.ts';
import { createDatabaseFiles } from '#app/platform/files/database-files.server.ts';
import { createFileScanner } from '#app/platform/files/file-scanner.server.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';
import { createInstanceNetwork } from '#app/platform/http/private-network.server.ts';
import { newId } from '#app/platform/ids.ts';
import { keepLogName, keepPublicKey } from '#app/platform/log/log-key.server.ts';
import { readLogKeySalts } from '#app/platform/log/log-key-salts.ts';
import { createLogMarks } from '#app/platform/log/log-marks.server.ts';
import { createCatchingMailer, createSmtpMailer } from '#app/platform/mail.server.ts';
import { openMetrics } from '#app/platform/metrics/instance-metrics.ts';
import { createModels } from '#app/platform/models/models.server.ts';
import { resolveTxt } from '#app/platform/oidc/resolve-txt.server.ts';
import { createRunQueue } from '#app/platform/queue/pg-boss-queue.server.ts';
import type { IdentityAdapter } from '#app/platform/supabase/identity-backend.server.ts';
import { createPasskeys } from '#app/platform/webauthn/passkeys.server.ts';
import { openWorkerThread, type WorkerThread } from '#app/platform/worker-thread.server.ts';

export type Runtime = {
  env: Env;
  services: Services;
  authorization: ServedAuthorization;
  /** The people of the demo workspace if this start made it: their passwords are printed once. */
  demo: readonly DemoAccount[];
  /** True while this process can do its work. */
  healthy(): Promise<boolean>;
  /** Figures of the process and of the instance, for whoever watches it; none where no token for them is set. */
  metrics(): Promise<readonly Family[]>;
  /**
   * Makes the sample runs of the demo, where they are not all made, beside whatever is asked. Once pages are served: they can wait. Never
   * rejects; resolves when they are made, or will not be made by this process.
   */
  makeDemoRuns(): Promise<void>;
  /** Says that the process is ending, before its connections are closed. */
  beginEnding(): void;
  /** Stops the background loops, then the database's connections, then the embedded database. */
  close(): Promise<void>;
};
type BuiltinAddress = { origin: string; token: string };
export type WorkerRuntime = {
  builtin: BuiltinAddress;
  execute: RunWorker['execute'];
  counts: RunWorker['counts'];
  healthy(): Promise<boolean>;
  /** As of a web server, of a process of its own. */
  metrics(): Promise<readonly Family[]>;
  close(): Promise<void>;
};
/** Hears what became of runs, and by which id runs may be claimed for the worker: the web server whose thread this is. */
type WebServerBeside = { tell(changes: RunChanges, ends: RunEnds): void; takes(workerId: string | null): void };

/** Everything that was started in this process, stopped in reverse order. A stop that fails does not keep the others from stopping. */
class Started {
  readonly #ends: (() => Promise<void> | void)[] = [];
  #closing: Promise<void> | undefined;

  add<T>(thing: T, end: (thing: T) => Promise<void> | void): T {
    this.#ends.push(() => end(thing));
    return thing;
  }

  close(log: Log): Promise<void> {
    this.#closing ??= (async () => {
      for (const end of this.#ends.splice(0).reverse()) {
        try {
          await end();
        } catch (error) {
          log.error('something did not end well', { error });
        }
      }
    })();
    return this.#closing;
  }
}

/** Starts everything behind the web server; `worker`: the entry of its thread. Throws with one line for the terminal when it cannot. */
export async function startRuntime(env: Env, log: Log, worker: URL): Promise<Runtime> {
  const started = new Started();
  try {
    ensureDataDirectory(env.dataDir);
    let mailer: Mailer | undefined;
    const tap = new MailTap();
    const sendMail = async (mail: Mail) => {
      if (tap.take(mail)) return;
      if (mailer === undefined) throw new Error('no mail before the start has ended');
      await mailer.send(mail);
    };
    const thread = env.runSteps ? openWorkerThread(worker, log) : undefined;
    const backend = started.add(await openBackend(env, { log, sendMail }), (it) => it.close());
    mailer = createMailer(env, backend);
    const signer = createLogSigner(backend.secretKey, await keepLogName(env, backend.secretKey), readLogKeySalts(env));
    await keepPublicKey(env, vkey(signer.name, signer.publicKey, sha256));
    if (thread !== undefined) await started.add(thread, (it) => it.stop()).begin();
    const builtin = thread?.builtin ?? (await startPeerListener(started));
    if (thread === undefined) await startLogKeeping(started, { env, backend, signer, log });
    await startMailOut(started, { env, backend, mailer, signer, log });
    const identity = await openIdentity(env, backend);
    const watcher = openWatcher(started, backend, { log, registerAfterMs: thread === undefined ? 0 : REGISTER_AFTER_MS });
    thread?.onChanges(watcher.tell);
    const announcer = openAnnouncer(started, env, backend, log, true);
    const report = collectChanges((changes) => {
      watcher.tell(changes);
      announcer?.announce(changes);
    });
    const access = createAccess(backend, report, nearWorker(env, thread));
    const authorization = openAuthorization(started, { env, backend, asNobody: access.asNobody, log });
    const metrics = openProcessMetrics(started, { env, backend, log, counts: thread?.counts });
    let ending = false;
    const services: Services = {
      engine: await createEngine(started, { env, backend, builtin, signer, log, watcher, isEnding: () => ending }),
      access,
      identity,
      authorization,
      log,
      mailer,
      files: await createFiles(env, backend),
      scanFile: openFileScanner(started, env, log),
      newId,
      now: () => systemClock.now(),
      ...openCompanySignIn(started, env),
      passkeys: createPasskeys(env.origin),
      resolveTxt,
      origin: env.origin,
      registration: env.registration,
      founders: env.founders,
      operator: env.operator,
      paceCeilings: env.paceCeilings,
      instanceNetwork: createInstanceNetwork(env.privateNetwork),
      runCeilings: env.runCeilings,
      mailboxToken: isMailboxOpen(env) ? keptSecret(env.dataDir, 'mailbox-token') : null,
    };
    return {
      env,
      services,
      authorization,
      demo: await provideDemo(env, backend, identity, tap, access),
      makeDemoRuns: () => startDemoRuns(started, { services, identity, env }),
      healthy: () => isHealthy(backend),
      metrics,
      beginEnding() {
        ending = true;
      },
      close: () => started.close(log),
    };
  } catch (error) {
    await started.close(log);
    throw error;
  }
}

/** Starts what runs steps, on the database of the web server beside it or on a hosted one. */
export async function startWorkerRuntime(env: Env, log: Log, beside?: WebServerBeside): Promise<WorkerRuntime> {
  const started = new Started();
  try {
    const backend = started.add(await attachBackend(env, { log }), (it) => it.close());
    const signer = createLogSigner(backend.secretKey, await keepLogName(env, backend.secretKey), readLogKeySalts(env));
    const builtin = await startPeerListener(started);
    const { app: asApp, asWorker } = backend.database;
    const { fetch, peers } = openPeers(started, env, builtin, (endpoint) => {
      checks.requestOf(endpoint).catch((error: unknown) => log.error('changed connections were not checked', { error }));
    });
    const sealer = createSealer(backend.secretKey);
    const signIns = openSignIns(env, backend, { fetch, sealer, log });
    const checks = started.add(
      startConnectionChecks({ asApp, asWorker, inspectPeer: peers.inspect, signIns, sealer, newId, now: systemClock.now, log }),
      (it) => it.stop(),
    );
    const queue = started.add(await createRunQueue({ connection: backend.queueConnection, log, supervise: true }), (it) => it.stop());
    await startLogKeeping(started, { env, backend, signer, log });
    const announcer = openAnnouncer(started, env, backend, log, beside !== undefined);
    const files = await createFiles(env, backend);
    const scanFile = openFileScanner(started, env, log);
    const runs = {
      statement: statementOf(backend),
      report: collectChanges((changes, ends) => {
        beside?.tell(changes, ends);
        announcer?.announce(changes);
      }),
      queue,
      callPeer: peers.call,
      requestCheck: checks.request,
      signIns,
      sealer,
      files,
      scanFile,
      callbacks: createCallbacks(backend.secretKey, env.origin),
      newId,
      clock: systemClock,
      log,
      runsAtOnceCeiling: env.runCeilings.runsAtOnce,
      takes: beside?.takes,
    };
    const worker = started.add(await startRunWorker(runs), (it) => it.stop());
    started.add(startApprovalExpiry({ asApp, asWorker, enqueueRun: createEnqueueRun(queue), newId, log }), (it) => it.stop());
    started.add(startMembershipEnd({ asApp, asWorker, newId, log }), (it) => it.stop());
    started.add(startFileRemoval({ asApp, files, log }), (it) => it.stop());
    started.add(startReplays({ asApp, asWorker, log }), (it) => it.stop());
    const { asTrigger } = backend.database;
    started.add(
      startSchedules({
        asApp,
        asTrigger: (id, work) => asTrigger(id, true, work),
        engine: { enqueueRun: createEnqueueRun(queue), admitRun: createAdmitRun(env.runCeilings, queue.countQueued), sealer },
        newId,
        clock: systemClock,
        log,
      }),
      (it) => it.stop(),
    );
    return {
      builtin: builtin(),
      execute: worker.execute,
      counts: worker.counts,
      healthy: () => isHealthy(backend),
      // a thread is counted by its process
      metrics: beside === undefined ? openProcessMetrics(started, { env, backend, log, counts: worker.counts }) : async () => [],
      close: () => started.close(log),
    };
  } catch (error) {
    await started.close(log);
    throw error;
  }
}

/** The delays of the loop are looked at only where somebody may read them. */
function openProcessMetrics(
  started: Started,
  {
    env,
    backend: { database },
    log,
    counts,
  }: { env: Env; backend: Backend; log: Log; counts: (() => Promise<RunCounts> | RunCounts) | undefined },
) {
  if (env.metricsToken === null) return async () => [];
  const readInstance = () => readMetrics((query) => database.workerPool.query(query));
  const metrics = started.add(
    openMetrics({ pools: database.pools, readInstance, log, ...(counts === undefined ? {} : { counts }) }),
    (it) => it.stop(),
  );
  return metrics.read;
}

/** True where caught mails may be read: only this machine can reach the instance, without a proxy in between. */
function isMailboxOpen(env: Env): boolean {
  return env.backend.mode === 'embedded' && isLoopback(new URL(env.origin).hostname) && env.trustProxy === false && env.smtpUrl === null;
}

/** A client's own description is small, and soon there. */
const CLIENT_DOCUMENT = { maxBytes: 64 * 1024, totalTimeoutMs: 5_000 };
const REGISTRATIONS = { name: 'clientRegistrations', max: 20, windowSeconds: 60 * 60 };

function openAuthorization(
  started: Started,
  { env, backend, asNobody, log }: { env: Env; backend: Backend; asNobody: Access['asNobody']; log: Log },
): ServedAuthorization {
  return createAuthorizationServer({
    origin: env.origin,
    secretKey: backend.secretKey,
    fetch: started.add(createGuardedFetch({ ...CLIENT_DOCUMENT, privateNetwork: env.privateNetwork }), (it) => it.close()),
    takeRegistration: (address) => asNobody((db) => takeLimit(db, REGISTRATIONS, address)),
    asNobody,
    sealer: createSealer(backend.secretKey),
    newId,
    log,
  });
}

function createMailer(env: Env, backend: Backend): Mailer {
  return env.smtpUrl === null ? createCatchingMailer(backend.database, newId) : createSmtpMailer(env.smtpUrl, env.origin);
}

/** Supabase Storage needs the project's secret key; without it files are kept in the database there too. */
async function createFiles({ backend: settings }: Env, { database, auth }: Backend): Promise<FileStore> {
  if (settings.mode !== 'supabase' || settings.secretKey === null) return createDatabaseFiles(database, newId);
  const { createSupabaseFiles } = await import('#app/platform/files/supabase-files.server.ts');
  return createSupabaseFiles({ url: settings.url, secretKey: settings.secretKey, fetch: auth.fetch });
}

/** The operator's own address may be anywhere, also inside. */
function openFileScanner(started: Started, { fileScanner, privateNetwork }: Env, log: Log): ScanFile {
  const allowed = fileScanner?.[0] === undefined ? null : URL.parse(fileScanner[0]);
  const fetch = started.add(
    createGuardedFetch({ privateNetwork, allowedOrigins: () => (allowed === null ? [] : [allowed.origin]) }),
    (it) => it.close(),
  );
  return createFileScanner({ scanner: fileScanner, fetch, log });
}

/** Bounds of time and size for a company's provider. */
const COMPANY_TIMEOUT_MS = 10_000;
const COMPANY_MAX_BYTES = 262_144;

/** A health check is answered within this time even if the database does not respond. */
const HEALTH_MS = 3_000;

async function isHealthy(backend: Backend): Promise<boolean> {
  if (backend.status() !== 'ready') return false;
  const pinged = backend.database.ping().then(
    () => true,
    () => false,
  );
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), HEALTH_MS);
  const healthy = await Promise.race([pinged, late.promise]);
  clearTimeout(timer);
  return healthy;
}

/** The built-in peers of this process, on a loopback port that only it has the token for. */
async function startPeerListener(started: Started): Promise<() => BuiltinAddress> {
  // Where a thread runs the steps, the web server does not need the protocols' libraries.
  const { startBuiltinPeers } = await import('#app/engine/connections/builtin-peers.ts');
  const token = randomBytes(32).toString('base64url');
  const { origin } = started.add(await startBuiltinPeers({ host: '127.0.0.1', token }), (it) => it.stop());
  return () => ({ origin, token });
}

function openPeers(started: Started, env: Env, builtin: () => BuiltinAddress, onToolsChanged?: (endpoint: string) => void) {
  const fetch = started.add(createGuardedFetch({ privateNetwork: env.privateNetwork, allowedOrigins: () => [builtin().origin] }), (it) =>
    it.close(),
  );
  return {
    fetch,
    peers: started.add(
      createPeers({
        fetch,
        builtin,
        models: createModels(),
        localServers: env.localServers,
        ...(onToolsChanged === undefined ? {} : { onToolsChanged }),
      }),
      (it) => it.close(),
    ),
  };
}

/** Tokens are read and renewed as a worker, in whichever process a call is made. */
function openSignIns(env: Env, backend: Backend, { fetch, sealer, log }: { fetch: GuardedFetch; sealer: Sealer; log: Log }): SignIns {
  const { asWorker } = backend.database;
  return createSignIns({ asWorker, fetch, sealer, newId, now: systemClock.now, log, client: ourClient(env.origin) });
}

/** An embedded database has a single web server: its own thread and commands need to tell nobody else. */
function openAnnouncer(started: Started, env: Env, backend: Backend, log: Log, besideWebServer: boolean) {
  if (besideWebServer && env.backend.mode === 'embedded') return null;
  return started.add(createAnnouncer({ statement: statementOf(backend), log }), (it) => it.stop());
}

const statementOf = (backend: Backend) => (query: { name: string; text: string; values: unknown[] }) =>
  backend.database.workerPool.query(query);

type Parts = { env: Env; backend: Backend; signer: LogSigner; log: Log };

/** Places events, signs heads and audits the logs. The marks are closed last: they keep every head signed until then. */
async function startLogKeeping(started: Started, { env, backend, signer, log }: Parts): Promise<void> {
  ensureDataDirectory(env.dataDir);
  const marks = started.add(await createLogMarks({ dataDir: env.dataDir, signer, log }), (it) => it.close());
  const { asWorker, app: asApp } = backend.database;
  started.add(startSequencer({ asWorker, asApp, signer, marks, newId, log }), (it) => it.stop());
  started.add(startSelfAudit({ asWorker, asApp, signer, marks, newId, startedAt: systemClock.now(), random: Math.random, log }), (it) =>
    it.stop(),
  );
  started.add(startRunTexts({ asApp, log }), (it) => it.stop());
  const fetch = started.add(createGuardedFetch({ privateNetwork: env.privateNetwork }), (it) => it.close());
  started.add(startWatching({ asWorker, asApp, signer, fetch, newId, now: systemClock.now, log }), (it) => it.stop());
}

/** Queued mails and webhooks leave from the web server, which has the words of all languages. */
async function startMailOut(started: Started, { env, backend, mailer, signer, log }: Parts & { mailer: Mailer }): Promise<void> {
  // Imported late: a worker, which runs from its sources in development, does not need the texts and cannot read them.
  const { checkpointMail } = await import('#app/platform/log/checkpoint-mail.server.ts');
  const { logAlarmMail } = await import('#app/platform/log/log-alarm-mail.server.ts');
  const { notificationMail } = await import('#app/platform/notification-mail.server.ts');
  const { noticeWriter } = await import('#app/platform/notice-words.server.ts');
  const { origin } = env;
  const sealer = createSealer(backend.secretKey);
  const fetch = started.add(createGuardedFetch({ privateNetwork: env.privateNetwork }), (it) => it.close());
  const { asWorker, app } = backend.database;
  const outgoing = {
    mailer,
    fetch,
    signer,
    sealer,
    log,
    newId,
    now: systemClock.now,
    checkpointMail,
    logAlarmMail,
    notificationMail,
    noticeWriter,
    origin,
  };
  const operatorEmail = env.operator?.email ?? null;
  started.add(startDeliveries({ asWorker, asApp: app, operatorEmail, ...outgoing }), (it) => it.stop());
}

/** Longer than a run waits for its turn on a busy machine. */
const REGISTER_AFTER_MS = 100;

function openWatcher(started: Started, backend: Backend, options: { log: Log; registerAfterMs: number }): RunWatcher {
  const { listen } = backend.database;
  return started.add(createRunWatcher({ statement: statementOf(backend), listen, ...options }), (it) => it.stop());
}

async function createEngine(
  started: Started,
  {
    env,
    backend,
    builtin,
    signer,
    log,
    watcher,
    isEnding,
  }: Parts & { builtin: () => BuiltinAddress; watcher: RunWatcher; isEnding: () => boolean },
): Promise<Engine> {
  const queue = started.add(await createRunQueue({ connection: backend.queueConnection, log, supervise: false }), (it) => it.stop());
  const inboxes = started.add(createInboxWatcher({ statement: statementOf(backend), log }), (it) => it.stop());
  const desks = started.add(createDeskWatcher({ statement: statementOf(backend), log }), (it) => it.stop());
  const gateways = started.add(createGatewayWatcher({ statement: statementOf(backend), log }), (it) => it.stop());
  const accesses = started.add(createAccessWatcher({ statement: statementOf(backend), log }), (it) => it.stop());
  const { listen } = backend.database;
  const legacyCalls = started.add(createLegacyCalls({ statement: statementOf(backend), listen, log }), (it) => it.stop());
  const { fetch, peers } = openPeers(started, env, builtin);
  const sealer = createSealer(backend.secretKey);
  return {
    signIns: openSignIns(env, backend, { fetch, sealer, log }),
    enqueueRun: createEnqueueRun(queue),
    admitRun: createAdmitRun(env.runCeilings, queue.countQueued),
    openStart: createOpenStart(env.runCeilings, queue),
    isEnding,
    legacyCalls,
    watchRun: watcher.watch,
    askPartialTexts: createAskPartialTexts(statementOf(backend)),
    watchInbox: inboxes.watch,
    watchDesk: desks.watch,
    watchGateway: gateways.watch,
    watchAccess: accesses.watch,
    inspectPeer: peers.inspect,
    readRegistry: (registry) => readRegistry(fetch, registry),
    localServers: env.localServers,
    validatePolicy: validatePolicyText,
    webhookSecret: (workspaceId) => webhookSecret(signer, workspaceId),
    signPack: (workspaceId, digest) => packNote(signer, workspaceId, digest),
    sealer,
    callbacks: createCallbacks(backend.secretKey, env.origin),
    signer: { name: signer.name, publicKey: signer.publicKey, successions: signer.successions },
  };
}

/** Each protocol is loaded with the first sign-in by it: few processes have one before. */
function openCompanySignIn(started: Started, { privateNetwork }: Env): { oidc: CompanyOidc; saml: CompanySaml } {
  const fetch = started.add(createGuardedFetch({ privateNetwork, totalTimeoutMs: COMPANY_TIMEOUT_MS, maxBytes: COMPANY_MAX_BYTES }), (it) =>
    it.close(),
  );
  const oidc = once(async () => (await import('#app/platform/oidc/company-oidc.server.ts')).createCompanyOidc(fetch));
  const saml = once(async () => (await import('#app/platform/saml/company-saml.server.ts')).createCompanySaml(fetch));
  return {
    oidc: {
      begin: async (...given) => (await oidc()).begin(...given),
      finish: async (...given) => (await oidc()).finish(...given),
      readLogout: async (...given) => (await oidc()).readLogout(...given),
    },
    saml: {
      begin: async (...given) => (await saml()).begin(...given),
      glance: async (...given) => (await saml()).glance(...given),
      finish: async (...given) => (await saml()).finish(...given),
      readMetadata: async (...given) => (await saml()).readMetadata(...given),
      fetchMetadata: async (...given) => (await saml()).fetchMetadata(...given),
      writeMetadata: async (...given) => (await saml()).writeMetadata(...given),
      makeKey: async (...given) => (await saml()).makeKey(...given),
    },
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

/** Imported late: a worker, which shares this module, does not need it. */
async function openIdentity(env: Env, backend: Backend): Promise<IdentityAdapter> {
  const { createIdentityBackend } = await import('#app/platform/supabase/identity-backend.server.ts');
  const { url, anonKey, fetch, jwtSecret } = backend.auth;
  if (jwtSecret === null) {
    const secretKey = env.backend.mode === 'supabase' ? env.backend.secretKey : null;
    return createIdentityBackend({ mode: 'hosted', url, key: anonKey, secretKey, fetch });
  }
  // Cookies ignore ports: without the port in the name, two instances on one machine would sign each other's people out.
  return createIdentityBackend({ mode: 'embedded', url, key: anonKey, fetch, jwtSecret, cookieName: `sb-quorate-${env.port}` });
}

/** The demo uses the same doors as everyone: sign-up, the mail's link, a session, a member's changes. */
async function provideDemo(env: Env, backend: Backend, identity: IdentityAdapter, tap: MailTap, access: Access): Promise<DemoAccount[]> {
  if (!env.demo || env.backend.mode !== 'embedded' || isDemoMade(env.dataDir)) return [];
  const { demoTexts } = await import('#app/platform/demo-texts.server.ts');
  return makeDemo({
    keptAccounts: () => readPendingAccounts(env.dataDir),
    keepAccounts: (people) => keepPendingAccounts(env.dataDir, people),
    oweRuns: (workspaceId) => oweRuns(env.dataDir, workspaceId),
    finishAccounts: () => finishAccounts(env.dataDir),
    openSession: (account) => openDemoSession(identity, tap, account),
    asNobody: backend.database.app,
    access: ({ workspaceId, ...person }) =>
      access.createMemberAccess({ ...person, workspace: { id: workspaceId, name: '', slug: '', haltedAt: null, isDemo: true } }),
    ...demoTexts(),
    newId,
    now: systemClock.now,
  });
}

type DemoParts = { services: Services; identity: IdentityAdapter; env: Env };

/** Where another process runs the steps, the samples would wait for it: only a server that runs steps itself makes them. */
async function startDemoRuns(started: Started, parts: DemoParts): Promise<void> {
  const { env, services } = parts;
  if (!env.demo || env.backend.mode !== 'embedded' || !env.runSteps) return;
  const { log } = services;
  const ending = Promise.withResolvers<never>();
  let over = false;
  ending.promise.catch(() => undefined);
  const made = seedOwedRuns(parts, ending.promise).catch((error: unknown) => {
    if (!over) log.error('the sample runs of the demo were not all made; the next start continues', { error });
  });
  started.add(made, async (running) => {
    over = true;
    ending.reject(new Error('the process is ending'));
    await running;
  });
  await made;
}

async function seedOwedRuns({ services, identity, env: { dataDir } }: DemoParts, stopped: Promise<never>): Promise<void> {
  const owed = await readOwedRuns(dataDir);
  if (owed === null) return;
  const { engine, access, log } = services;
  const { demoTexts } = await import('#app/platform/demo-texts.server.ts');
  const { workspaceId, accounts } = owed;
  await seedDemoRuns({
    workspaceId,
    async signIn(role) {
      const account = accounts.find(({ roles }) => roles.includes(role));
      const session = account === undefined ? null : await signInDemoPerson(identity, account);
      if (account === undefined || session === null) return null;
      const { password: _, ...person } = { ...account, ...session };
      return {
        ...person,
        // they have just signed in with their password
        prove: (approval) => access.noteReauthentication({ ...session, method: 'password', act: 'vote', subjects: [approval] }),
        ...access.createMemberAccess({ ...person, workspace: { id: workspaceId, name: '', slug: '', haltedAt: null, isDemo: true } }),
      };
    },
    engine,
    texts: demoTexts().texts,
    newId,
    now: systemClock.now,
    log,
    stopped,
  });
  await finishRuns(dataDir);
}

/** A worker of this process to which runs that start here are handed without a job. */
type NearWorker = { claimant(): { id: string; ceiling: number | null } | null; drive: WorkerThread['drive'] };

function nearWorker(env: Env, thread: WorkerThread | undefined): NearWorker | undefined {
  if (thread === undefined) return undefined;
  return {
    claimant() {
      const id = thread.claimant();
      return id === null ? null : { id, ceiling: env.runCeilings.runsAtOnce };
    },
    drive: thread.drive,
  };
}

function createAccess(backend: Backend, report: ReportChange, near: NearWorker | undefined): Access {
  const { database } = backend;
  return {
    asNobody: (work) => database.app(work),
    noteReauthentication: (noted) => database.noteReauthentication(noted),
    asMember: (who, work) => database.asMember(who, work),
    membershipsOf: (who) => database.membershipsOf(who),
    createMemberAccess: (member) => createMemberAccess(backend, member, report),
    openKey: (keyHash, call) => openKeyAccess(backend.database, keyHash, call, report, near),
    openDirectory: (tokenHash, { paceCeiling }) => openDirectoryAccess(database, tokenHash, paceCeiling),
    asTrigger: (id, work) => database.asTrigger(id, false, work),
  };
}

/** The run that a committed event is about: it, or an approval of it. */
function reportEvent(report: ReportChange, { action, resource, payload }: AuditEntry): void {
  const run = resource.kind === 'run' ? resource.id : payload?.run;
  if (typeof run === 'string') report(run, action === 'run.started' ? 'pending' : 'unknown');
}

function createMemberAccess({ database }: Backend, member: Member, report: ReportChange): MemberAccess {
  const { userId, sessionId, address, workspace } = member;
  const who = { userId, sessionId, address, workspaceId: workspace.id };
  const actor = { kind: 'member', id: member.userId, name: member.name } as const;
  return {
    member,
    read: (work) => database.asMember(who, work, { readOnly: true }),
    change: async (work) => {
      const done = await database.asMember(who, async (db) => {
        const answered = await work(db);
        await recordEvent(db, { id: newId(), actor, workspaceId: member.workspace.id, entry: answered.event });
        return answered;
      });
      reportEvent(report, done.event);
      return done.result;
    },
  };
}

/** Each transaction checks the token again. */
export async function openDirectoryAccess(
  database: Pick<Database, 'openDirectory' | 'asDirectory'>,
  tokenHash: Uint8Array,
  paceCeiling: number,
): Promise<DirectoryAccess> {
  const { directory, waitSeconds } = await database.openDirectory(tokenHash, paceCeiling);
  const { tokenId, name, workspace } = directory;
  const actor = { kind: 'directory', id: tokenId, name } as const;
  return {
    directory,
    waitSeconds,
    read: (work) => database.asDirectory(tokenHash, work),
    change: (work) =>
      database.asDirectory(tokenHash, async (db) => {
        const { result, event } = await work(db);
        await recordEvent(db, { id: newId(), actor, workspaceId: workspace.id, entry: event });
        return result;
      }),
  };
}

/** Each transaction checks the key again, so that a revoked key, or an ended membership, ends even work that is under way. */
export async function openKeyAccess(
  database: Pick<Database, 'asKey' | 'openCall' | 'readRunByKey' | 'startRunByKey'>,
  keyHash: Uint8Array,
  { paceCeiling, serves }: KeyCall,
  report: ReportChange = () => undefined,
  near?: NearWorker,
): Promise<KeyAccess> {
  const opened = await database.openCall(keyHash, { usual: DEFAULT_PACES.keys, ceiling: paceCeiling, serves });
  const { keyId, name, userId, userName, workspace, waitSeconds, servedRevision } = opened;
  const actor = { kind: 'key', id: keyId, name } as const;
  return {
    key: {
      id: keyId,
      name,
      scopes: opened.scopes,
      expiresAt: opened.expiresAt,
      user: { id: userId, name: userName },
      roles: opened.roles,
      workspace,
    },
    resource: opened.resource,
    networks: opened.networks,
    waitSeconds,
    servedRevision,
    read: (work) => database.asKey(keyHash, work),
    readRun: (runId) => database.readRunByKey(keyHash, runId),
    startPlainly: async (start) => {
      const runId = newId();
      const event = { id: newId(), ...auditBody({ payload: startedPayload({ ...start, mode: 'live' }) }) };
      const begun = await database.startRunByKey(keyHash, { ...start, runId, event, worker: near?.claimant() ?? null });
      if (begun === null) return null;
      if (begun.claimed === null) report(runId, 'pending');
      else near?.drive({ runId, workspaceId: workspace.id }, begun.claimed);
      return { runId, number: begun.number, createdAt: begun.createdAt };
    },
    change: async (work) => {
      const done = await database.asKey(keyHash, async (db) => {
        const answered = await work(db);
        await recordEvent(db, { id: newId(), actor, workspaceId: workspace.id, entry: answered.event });
        return answered;
      });
      reportEvent(report, done.event);
      return done.result;
    },
  };
}

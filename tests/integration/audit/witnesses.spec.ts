/** Witnesses in processes of their own, against a log that somebody rewrites who holds the machine, the database and the signing key. */
import { createHash } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkpointNote, vkey } from '#app/domain/audit/checkpoint.ts';
import { policyText } from '#app/domain/proof/policy-text.ts';
import type { ProofSettings } from '#app/domain/proof/proof-settings.ts';
import { type Evidence, evidenceOfLog } from '#app/engine/audit/evidence.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import type { WatchDeps } from '#app/engine/proof/watch-deps.ts';
import { watchLog, watchNext } from '#app/engine/proof/watch-log.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';
import { insertLog } from '#tests/integration/support/run-history.ts';
import { startWitness, type WitnessProcess } from '#tests/integration/support/witness-process.ts';
import { LOOPBACK } from '#tests/support/loopback.ts';
import { readNote, signedBy } from '#tests/support/proof/second-verifier.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const signer = createLogSigner('a secret of this test alone', 'log.test');
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const key = vkey(signer.name, signer.publicKey, sha256);
const ENTRIES = 40;
const TRIES = process.env.QUORATE_TEST_FULL ? 20 : 3;

let test: TestDatabase;
let near: WitnessProcess;
let far: WitnessProcess;
let fetch: ReturnType<typeof createGuardedFetch>;
let deps: WatchDeps;
let now: Date;
let workspace: string;
let auditor: TestMember;

beforeAll(async () => {
  test = await createTestDatabase();
  [near, far] = await Promise.all([startWitness('near', key), startWitness('far', key)]);
  fetch = createGuardedFetch({ privateNetwork: LOOPBACK });
});
afterAll(async () => {
  await Promise.all([near?.remove(), far?.remove()]);
  await fetch.close();
  await test.close();
});
beforeEach(async () => {
  now = new Date();
  const { asWorker, app: asApp } = test.database;
  deps = { asWorker, asApp, signer, fetch, newId, now: () => now, log: quietLog };
  await open();
});

/** A log of an hour ago, watched by these. */
async function open(witnesses: WitnessProcess[] = [near, far]): Promise<void> {
  const made = await test.makeWorkspace({ members: [{ roles: ['user', 'auditor'] }] });
  workspace = made.id;
  [auditor] = made.members as [TestMember];
  await insertLog(test.owner, {
    workspaceId: workspace,
    days: 1,
    until: new Date(Date.now() - 3_600_000),
    people: [auditor.id],
    entries: ENTRIES,
  });
  await watchedBy(witnesses.map(({ key: witnessKey, url }) => ({ key: witnessKey, url })));
}
async function watchedBy(witnesses: ProofSettings['witnesses'], authority: ProofSettings['authority'] = null): Promise<void> {
  const proof: ProofSettings = { tiles: false, quorum: witnesses.length, witnesses, authority };
  await test.arrange(workspace, async (client) => {
    await client.query('update quorate.workspaces set proof = $2 where id = $1', [workspace, JSON.stringify(proof)]);
  });
}
const place = async () => {
  while ((await test.database.asWorker(workspace, (db) => placeEvents(db, workspace, signer, null))).placed > 0);
};
const write = async () => {
  await test.arrange(workspace, async () => undefined);
  await place();
};
const watch = () => watchLog(deps, workspace);
const rows = async <T>(text: string) => (await test.owner.query(text, [workspace])).rows as T[];
const words = () =>
  rows<{ party: string; fault: string | null; size: number | null; said: string | null }>(
    'select party, fault, size, said from quorate.watchers where workspace_id = $1 order by party',
  );
const faults = async () => (await words()).map(({ fault }) => fault);
const events = async () =>
  (
    await rows<{ action: string }>(
      "select action from quorate.audit_events where workspace_id = $1 and action like 'watcher.%' order by at",
    )
  ).map(({ action }) => action);
const told = async () =>
  (
    await rows<{ key: string }>("select subject ->> 'key' as key from quorate.notifications where workspace_id = $1 order by created_at")
  ).map((row) => row.key);
const newest = async () =>
  (await rows<{ note: string }>('select note from quorate.checkpoints where workspace_id = $1 order by size desc limit 1'))[0]?.note ?? '';
/** The note with what witnesses signed under it. */
const signedNote = async (size: number) =>
  (
    await rows<{ note: string }>(
      `select c.note || (select string_agg(s.line || E'\\n', '') from quorate.cosignatures s where s.workspace_id = c.workspace_id and s.size = c.size) as note
       from quorate.checkpoints c where workspace_id = $1 and size = ${size}`,
    )
  )[0]?.note ?? '';

/** The whole log as an auditor downloads it, verified with a policy of both witnesses. `received`: a checkpoint from elsewhere. */
async function verified(received: string | null = null, from?: Evidence) {
  const who = { userId: auditor.id, sessionId: auditor.sessionId, workspaceId: workspace };
  const file = from ?? (await test.database.asMember(who, (db) => evidenceOfLog(db, signer, workspace), { readOnly: true }));
  const settings = {
    tiles: false,
    quorum: 2,
    authority: null,
    witnesses: [near, far].map(({ key: witness, url }) => ({ key: witness, url })),
  };
  const report = await verifyEvidence(JSON.parse(JSON.stringify(file)), { key: null, policy: policyText(key, settings), received });
  return { verdict: report.verdict, codes: report.checks.map(({ code }) => code), file };
}

/** Past every guard, as whoever holds the database can. */
async function asRoot(...statements: string[]): Promise<void> {
  const client = await test.owner.connect();
  const tables = ['audit_events', 'audit_nodes', 'checkpoints', 'cosignatures', 'time_stamps'];
  try {
    await client.query('begin');
    for (const table of tables) await client.query(`alter table quorate.${table} disable trigger user`);
    for (const statement of statements) await client.query(statement.replaceAll('$1', `'${workspace}'`));
    for (const table of tables) await client.query(`alter table quorate.${table} enable trigger user`);
    await client.query('commit');
  } finally {
    client.release();
  }
}
/** The whole tree and its checkpoints made again with the instance's own key, as if nothing had ever been otherwise. */
async function signAgain(...change: string[]): Promise<void> {
  await asRoot(
    'delete from quorate.audit_nodes where workspace_id = $1',
    'delete from quorate.checkpoints where workspace_id = $1',
    'update quorate.audit_events set leaf_index = null, leaf_hash = null, body_digest = null where workspace_id = $1',
    ...change,
  );
  await place();
}

describe('witnesses', () => {
  it('sign each head that continues the last, and what they signed is a note of C2SP', async () => {
    await place();
    await watch();
    await write();
    await watch();
    expect(await faults()).toEqual([null, null]);
    const size = readNote(await newest()).size;
    expect((await words()).map((word) => Number(word.size))).toEqual([size, size]);
    const note = readNote(await signedNote(size));
    expect(signedBy(note, key)).toBe(true);
    for (const witness of [near, far]) expect(Math.abs(Number(signedBy(note, witness.key)) - Date.now() / 1000)).toBeLessThan(60);
    expect(await events()).toEqual([]);
  });

  it('follow the log to another key that the one before has signed, and sign nothing more by that one', async () => {
    const rotated = createLogSigner('a secret of this test alone', 'log.test', ['one more']);
    const own = await startWitness('own', key);
    try {
      await open([own]);
      await place();
      await watch();
      const old = readNote(await newest()).size;
      // nothing has happened in it: the first look under the new key says so itself
      await test.database.asWorker(workspace, (db) => placeEvents(db, workspace, rotated, null, newId));
      deps = { ...deps, signer: rotated };
      await watch();
      expect(await faults()).toEqual([null]);
      const after = readNote(await newest()).size;
      expect([after - old, (await words())[0]?.size]).toEqual([1, after]);
      expect(await rows("select payload from quorate.audit_events where workspace_id = $1 and action = 'log.keyRotated'")).toEqual([
        { payload: { before: key, key: vkey('log.test', rotated.publicKey, sha256) } },
      ]);
      // a process that was not restarted, and whoever has stolen the key before
      await test.arrange(workspace, async () => undefined);
      await expect(place()).rejects.toThrow('restart it');
      const stolen = checkpointNote({ origin: `log.test/${workspace}`, size: after + 1, root: new Uint8Array(32) }, signer, sha256);
      const answer = await globalThis.fetch(`${own.url}/add-checkpoint`, { method: 'POST', body: `old ${after}\n\n${stolen}` });
      expect(answer.status).toBe(403);
      // what follows is kept, and is the only one
      await own.stop();
      const again = await startWitness('own', key, own.directory);
      const other = createLogSigner('a secret of this test alone', 'log.test', ['another']).successions[0] ?? '';
      expect((await globalThis.fetch(`${again.url}/add-succession`, { method: 'POST', body: other })).status).toBe(403);
      await again.stop();
      const who = { userId: auditor.id, sessionId: auditor.sessionId, workspaceId: workspace };
      const file = await test.database.asMember(who, (db) => evidenceOfLog(db, rotated, workspace), { readOnly: true });
      for (const pinned of [key, vkey('log.test', rotated.publicKey, sha256)])
        expect((await verifyEvidence(JSON.parse(JSON.stringify(file)), { key: pinned })).verdict).toBe('proven');
    } finally {
      await own.remove();
    }
  });

  it('serve what they hold by the hash of its origin', async () => {
    await place();
    await watch();
    const origin = createHash('sha256').update(`log.test/${workspace}`).digest('hex');
    const held = readNote(await (await globalThis.fetch(`${near.url}/${origin}/checkpoint`)).text());
    expect([signedBy(held, key), signedBy(held, near.key) !== false]).toEqual([true, true]);
    expect((await globalThis.fetch(`${near.url}/${'0'.repeat(64)}/checkpoint`)).status).toBe(404);
  });

  it('are asked about a log that is due, and not again before it changes', async () => {
    await place();
    await test.owner.query('update quorate.log_audits set watched_at = null, watched_size = null where workspace_id <> $1', [workspace]);
    while (await watchNext(deps));
    expect(await faults()).toEqual([null, null]);
    expect(await watchNext(deps)).toBe(false);
    await write();
    // another head within half a minute of the last question waits for its turn
    expect(await watchNext(deps)).toBe(false);
    await test.owner.query("update quorate.log_audits set watched_at = watched_at - interval '31 seconds' where workspace_id = $1", [
      workspace,
    ]);
    expect(await watchNext(deps)).toBe(true);
  });

  it('that are away are told of when the silence lasts, and told of when it ends; nothing waits for them', async () => {
    const gone = await startWitness('gone', key);
    await gone.stop();
    await open([near, gone]);
    await place();
    await watch();
    expect((await faults()).sort()).toEqual([null, 'away'].sort());
    expect([await events(), await told()]).toEqual([[], []]);
    now = new Date(now.getTime() + 4 * 60_000);
    await watch();
    expect(await events()).toEqual(['watcher.failed']);
    expect(await told()).toEqual(['notifyWitnessFails']);
    const back = await startWitness('gone', key, gone.directory);
    await watchedBy([
      { key: near.key, url: near.url },
      { key: gone.key, url: back.url },
    ]);
    await place();
    await watch();
    expect(await events()).toEqual(['watcher.failed', 'watcher.recovered']);
    expect(await told()).toEqual(['notifyWitnessFails', 'notifyWatcherBack']);
    await back.remove();
  });

  it('that sign with another key, or do not know the log, are named as such', async () => {
    await watchedBy([{ key: far.key, url: near.url }]);
    await place();
    await watch();
    expect(await faults()).toEqual(['badAnswer']);
    const stranger = createLogSigner('another secret', 'other.test');
    const other = await startWitness(
      'other',
      vkey(stranger.name, stranger.publicKey, (b) => new Uint8Array(createHash('sha256').update(b).digest())),
    );
    await watchedBy([{ key: other.key, url: other.url }]);
    await place();
    await watch();
    expect((await words()).find(({ party }) => party === other.key)?.fault).toBe('unknownLog');
    await other.remove();
  });
});

const ATTACKS: [name: string, change: () => string[]][] = [
  ['rewrites', () => [`update quorate.audit_events set resource_id = 'else' where id = (${one()})`]],
  ['deletes', () => [`delete from quorate.audit_events where id = (${one()})`]],
  [
    'rolls back',
    () => [
      `delete from quorate.audit_events where workspace_id = $1 and at >= (select at from quorate.audit_events where id = (${one()}))`,
    ],
  ],
];
/** Any entry that has others before and after it. */
const one =
  () => `select id from (select id from quorate.audit_events where workspace_id = $1 order by at, id offset 3 limit ${ENTRIES - 6}) e
  order by md5(id::text) limit 1`;

describe.each(ATTACKS)('somebody with root, the database and the key who %s one entry of an hour ago', (_, change) => {
  it.each(Array.from({ length: TRIES }, (_, n) => n))('is named, try %i', async (n) => {
    await place();
    await watch();
    // with or without the traces of what was signed
    await signAgain(...change(), ...(n % 2 === 0 ? ['delete from quorate.cosignatures where workspace_id = $1'] : []));
    await watch();
    const said = await words();
    expect(said.map(({ fault }) => fault)).toEqual(['disagrees', 'disagrees']);
    // the proof: another head of this log, signed by this instance
    for (const { said: held } of said) expect(signedBy(readNote(held ?? ''), key)).toBe(true);
    expect(await told()).toEqual(['notifyWitnessDisagrees', 'notifyWitnessDisagrees']);
    expect(await events()).toEqual(['watcher.disagreed', 'watcher.disagreed']);
    // an outsider who trusts nobody but the witnesses, with a file of an hour later and what a witness holds
    await asRoot(`insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, at)
      values (gen_random_uuid(), $1, 'system', 'test.arranged', 'workspace', 'w', now() + interval '1 hour')`);
    await place();
    const report = await verified(said[0]?.said ?? null);
    expect(report.verdict).toBe('failed');
    expect(report.codes).toContain('notWitnessed');
    expect(report.codes.filter((code) => ['receivedDiffers', 'logWentBack'].includes(code))).toHaveLength(1);
    // and it stays so, whatever is signed on top of it
    await write();
    await watch();
    expect(await faults()).toEqual(['disagrees', 'disagrees']);
  });
});

describe('evidence', () => {
  it('holds the witnesses’ signatures, and is told apart from a log that went back when it is only older', async () => {
    await place();
    await watch();
    const older = await verified();
    expect(older.verdict).toBe('proven');
    expect(older.codes).toContain('witnessed');
    await write();
    // the entry of a moment ago, which no witness has seen
    expect((await verified()).codes).toContain('witnessedInPart');
    await watch();
    const held = await signedNote(readNote(await newest()).size);
    expect(await verified(held)).toMatchObject({ verdict: 'proven', codes: expect.arrayContaining(['receivedMatches', 'witnessed']) });
    const compared = await verified(held, older.file);
    expect(compared.verdict).toBe('incomplete');
    expect(compared.codes).toContain('olderFile');
  });
});

describe('two readers who are shown different logs', () => {
  it('find out: no witness signs both', async () => {
    await place();
    await watch();
    const size = readNote(await newest()).size;
    const first = readNote(await signedNote(size));
    await signAgain(
      `update quorate.audit_events set resource_id = 'else' where id = (${one()})`,
      'delete from quorate.cosignatures where workspace_id = $1',
    );
    await watch();
    const second = readNote(await newest());
    expect([second.size, signedBy(second, key), second.root.equals(first.root)]).toEqual([size, true, false]);
    expect([near, far].map((witness) => signedBy(first, witness.key) !== false)).toEqual([true, true]);
    expect([near, far].map((witness) => signedBy(second, witness.key))).toEqual([false, false]);
  });
});

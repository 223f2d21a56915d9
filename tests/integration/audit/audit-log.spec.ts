import { createHash } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#app/contracts/db.ts';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { type Evidence, evidenceOfEvent, evidenceOfLog } from '#app/engine/audit/evidence.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { type SequencerDeps, startSequencer } from '#app/engine/audit/sequencer.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { memoryMarks } from '#tests/support/memory-marks.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const signer = createLogSigner('a secret of this test alone', 'log.test');
const key = vkey(signer.name, signer.publicKey, (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()));

let test: TestDatabase;
let deps: SequencerDeps;

beforeAll(async () => {
  test = await createTestDatabase();
  deps = { asWorker: test.database.asWorker, asApp: test.database.app, signer, marks: memoryMarks(), newId, log: quietLog };
});
afterAll(async () => {
  await test.close();
});

/** A workspace with an auditor, apart from all others. */
async function openLog() {
  const { id, members } = await test.makeWorkspace({ members: [{ roles: ['user', 'auditor', 'admin'] }] });
  const auditor = members[0] as TestMember;
  const write = (payload: { [key: string]: string | number }, before?: (db: Db) => Promise<void>) =>
    test.database.asWorker(id, async (db) => {
      const event = newId();
      await recordEvent(db, {
        id: event,
        actor: { kind: 'worker', id: null, name: null },
        workspaceId: id,
        entry: { action: 'workflow.edited', resource: { kind: 'test', id: event }, payload },
      });
      await before?.(db);
      return event;
    });
  const place = async () => {
    while ((await test.database.asWorker(id, (db) => placeEvents(db, id, signer, null))).placed > 0);
  };
  const asAuditor = <T>(work: (db: Db) => Promise<T>) =>
    test.database.asMember({ userId: auditor.id, sessionId: auditor.sessionId, workspaceId: id }, work, { readOnly: true });
  const exportLog = () => asAuditor((db) => evidenceOfLog(db, signer, id));
  const places = async () => {
    const { rows } = await test.owner.query<{ leaf_index: number | null }>(
      'select leaf_index from quorate.audit_events where workspace_id = $1 order by leaf_index',
      [id],
    );
    return rows.map((row) => row.leaf_index);
  };
  return { id, auditor, write, place, asAuditor, exportLog, places };
}

const upTo = (n: number) => Array.from({ length: n }, (_, index) => index);
const verify = async (evidence: Evidence, received: string | null = null) => {
  // through text, as a person would carry it
  const report = await verifyEvidence(JSON.parse(JSON.stringify(evidence)), { key, received });
  return {
    verdict: report.verdict,
    failed: report.checks.filter((check) => check.state === 'failed').map(({ code, values }) => ({ code, ...values })),
  };
};
/** What someone could do who holds the database itself: the rules are triggers, and triggers can be switched off. */
async function asDatabaseOwner(statement: string, values: unknown[]): Promise<void> {
  const client = await test.owner.connect();
  try {
    await client.query('begin');
    await client.query('alter table quorate.audit_events disable trigger user');
    await client.query('alter table quorate.checkpoints disable trigger user');
    await client.query('alter table quorate.audit_nodes disable trigger user');
    await client.query(statement, values);
    await client.query('alter table quorate.audit_events enable trigger user');
    await client.query('alter table quorate.checkpoints enable trigger user');
    await client.query('alter table quorate.audit_nodes enable trigger user');
    await client.query('commit');
  } finally {
    client.release();
  }
}
/** A second is the rule; ten are for a machine that does much else. */
const PLACED_WITHIN_MS = 10_000;
const until = async (holds: () => Promise<boolean>, withinMs: number) => {
  const end = Date.now() + withinMs;
  while (!(await holds())) if (Date.now() > end) throw new Error(`did not come true within ${withinMs} ms`);
};

describe('sequencer', () => {
  it('gives every committed event one place, whoever else sequences and writes at the same time', async () => {
    const log = await openLog();
    const sequencers = [startSequencer(deps), startSequencer(deps), startSequencer(deps)];
    try {
      await Promise.all(
        upTo(6).map(async (writer) => {
          for (const n of upTo(25)) await log.write({ writer, n });
        }),
      );
      await until(async () => !(await log.places()).includes(null), PLACED_WITHIN_MS);
    } finally {
      await Promise.all(sequencers.map((sequencer) => sequencer.stop()));
    }
    expect(await log.places()).toEqual(upTo(151));
    expect(await verify(await log.exportLog())).toEqual({ verdict: 'proven', failed: [] });
  });

  it('places an event on its own, and never before its commit', async () => {
    const log = await openLog();
    await log.place();
    const sequencer = startSequencer(deps);
    try {
      let late: string | undefined;
      await log.write({ order: 'begun first' }, async (db) => {
        late = (await db.selectFrom('quorate.audit_events').select('id').where('leaf_index', 'is', null).executeTakeFirstOrThrow()).id;
        const early = await log.write({ order: 'committed first' });
        await until(
          async () =>
            (await test.owner.query('select 1 from quorate.audit_events where id = $1 and leaf_index = 1', [early])).rowCount === 1,
          PLACED_WITHIN_MS,
        );
        expect(
          (await db.selectFrom('quorate.audit_events').select('leaf_index').where('id', '=', late).executeTakeFirstOrThrow()).leaf_index,
        ).toBeNull();
      });
      await until(
        async () => (await test.owner.query('select 1 from quorate.audit_events where id = $1 and leaf_index = 2', [late])).rowCount === 1,
        PLACED_WITHIN_MS,
      );
    } finally {
      await sequencer.stop();
    }
  });

  it('is whole after being killed in the middle of its work, again and again', async () => {
    const log = await openLog();
    for (const round of upTo(10)) {
      for (const n of upTo(5)) await log.write({ round, n });
      // all statements have run, the commit has not: the connection dies here
      await expect(
        test.database.asWorker(log.id, async (db) => {
          await placeEvents(db, log.id, signer, null);
          const { rows } = await test.owner.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = $1 and state = 'idle in transaction'",
            [test.appLogin.user],
          );
          expect(rows.length).toBeGreaterThan(0);
          await db.selectFrom('quorate.checkpoints').select('size').execute();
        }),
      ).rejects.toThrow();
      if (round % 3 === 0) await log.place();
    }
    await log.place();
    expect(await log.places()).toEqual(upTo(51));
    expect(await verify(await log.exportLog())).toEqual({ verdict: 'proven', failed: [] });
  });

  it('signs nothing more on a tree that is not the one it signed', async () => {
    const log = await openLog();
    for (const n of upTo(4)) await log.write({ n });
    await log.place();
    await asDatabaseOwner("update quorate.audit_nodes set hash = sha256('x') where workspace_id = $1 and level = 2", [log.id]);
    await log.write({ n: 5 });
    await expect(log.place()).rejects.toThrow('not the one that the last checkpoint signed');
    expect((await test.owner.query('select 1 from quorate.checkpoints where workspace_id = $1', [log.id])).rowCount).toBe(1);
  });

  it('is not held up by a row without a canonical form', async () => {
    const log = await openLog();
    await test.owner.query(
      "insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, payload) values ($1, $2, 'system', 'policy.activated', 'test', 'x', '{\"n\": 1e999}')",
      [newId(), log.id],
    );
    await log.write({ n: 1 });
    const placed = await test.database.asWorker(log.id, (db) => placeEvents(db, log.id, signer, null));
    expect(placed).toMatchObject({ placed: 2 });
    expect(placed.unhashable).toHaveLength(1);
  });
});

describe('evidence', () => {
  const grown = async () => {
    const log = await openLog();
    for (const n of upTo(5)) await log.write({ n });
    await log.place();
    const early = await log.exportLog();
    for (const n of upTo(4)) await log.write({ n: 5 + n });
    await log.place();
    return { ...log, mailed: early.checkpoints.at(-1)?.note ?? '' };
  };

  it('is the same bytes for the same log, and is proven', async () => {
    const log = await grown();
    const first = JSON.stringify(await log.exportLog());
    expect(JSON.stringify(await log.exportLog())).toBe(first);
    expect(await verify(JSON.parse(first))).toEqual({ verdict: 'proven', failed: [] });
    expect(first).not.toMatch(/secret|private/i);
  });

  it('names the row whose content was tampered with', async () => {
    const log = await grown();
    await asDatabaseOwner(`update quorate.audit_events set payload = '{"n": 999}' where workspace_id = $1 and leaf_index = 3`, [log.id]);
    const { failed } = await verify(await log.exportLog());
    expect(failed).toMatchObject([{ code: 'eventChanged', index: 3 }]);
  });

  it('names the row that was replaced together with its digests', async () => {
    const log = await grown();
    await asDatabaseOwner(
      `update quorate.audit_events e set payload = o.payload, salt = o.salt, actor_kind = o.actor_kind, resource_id = o.resource_id, action = o.action, resource_kind = o.resource_kind, body_digest = o.body_digest, leaf_hash = o.leaf_hash
       from quorate.audit_events o where o.workspace_id = $1 and o.leaf_index = 5 and e.workspace_id = $1 and e.leaf_index = 3`,
      [log.id],
    );
    const { failed } = await verify(await log.exportLog());
    expect(failed).toMatchObject([{ code: 'eventNotIncluded', index: 3 }]);
  });

  it('names the place of a row that was dropped', async () => {
    const log = await grown();
    await asDatabaseOwner('delete from quorate.audit_events where workspace_id = $1 and leaf_index = 4', [log.id]);
    expect((await verify(await log.exportLog())).failed).toEqual([{ code: 'eventDropped', index: 4 }]);
  });

  it('names the checkpoint that was forged', async () => {
    const log = await grown();
    await asDatabaseOwner('update quorate.checkpoints set delivered_at = now() where workspace_id = $1', [log.id]);
    await asDatabaseOwner(
      `update quorate.checkpoints set note = replace(note, E'\\n6\\n', E'\\n7\\n') where workspace_id = $1 and size = 6`,
      [log.id],
    );
    const { failed } = await verify(await log.exportLog());
    expect(failed[0]).toMatchObject({ code: 'checkpointForged', size: 7 });
  });

  it('sees a history that was rewritten with the key itself, by a checkpoint that had left', async () => {
    const log = await grown();
    expect((await verify(await log.exportLog(), log.mailed)).verdict).toBe('proven');
    // everything again: one event less, and all places, hashes and checkpoints made again by the product's own sequencer
    await asDatabaseOwner('delete from quorate.audit_events where workspace_id = $1 and leaf_index = 2', [log.id]);
    await asDatabaseOwner(
      'with n as (delete from quorate.audit_nodes where workspace_id = $1) delete from quorate.checkpoints where workspace_id = $1',
      [log.id],
    );
    await asDatabaseOwner(
      'update quorate.audit_events set leaf_index = null, leaf_hash = null, body_digest = null where workspace_id = $1',
      [log.id],
    );
    await log.place();
    await log.write({ n: 'more' });
    await log.place();
    const rewritten = await log.exportLog();
    expect((await verify(rewritten)).verdict).toBe('proven');
    const oldCheckpoint = { size: 6, note: log.mailed, consistency: [] as string[] };
    expect((await verify({ ...rewritten, checkpoints: [oldCheckpoint, ...rewritten.checkpoints] })).failed).toMatchObject([
      { code: 'historyRewritten', first: 6 },
    ]);
  });

  it('keeps the proof of what an erased person did, in the log and alone, as their deletion names it', async () => {
    const log = await openLog();
    const person = await test.makeUser();
    const session = await test.makeSession(person.id);
    const events = await Promise.all(
      upTo(4).map((n) =>
        test.database.asWorker(log.id, async (db) => {
          const id = newId();
          const actor =
            n % 2 === 0
              ? ({ kind: 'member', id: person.id, name: person.name } as const)
              : ({ kind: 'worker', id: null, name: null } as const);
          await recordEvent(db, { id, actor, workspaceId: log.id, entry: { action: 'workflow.edited', resource: { kind: 'test', id } } });
          return id;
        }),
      ),
    );
    await log.place();
    await test.owner.query('select quorate.delete_account($1, $2)', [person.id, session]);
    await log.place();
    const whole = await log.exportLog();
    expect(whole.events.filter((event) => event.body === null)).toHaveLength(2);
    expect(await verify(whole)).toEqual({ verdict: 'proven', failed: [] });
    const alone = await log.asAuditor((db) => evidenceOfEvent(db, signer, events[0] ?? ''));
    expect(alone.events.map((event) => event.body?.action)).toEqual([undefined, 'account.deleted']);
    expect(await verify(alone)).toEqual({ verdict: 'proven', failed: [] });
  });

  it('is no proof where a body is blank that no entry names', async () => {
    const log = await grown();
    await test.owner.query(
      "update quorate.audit_events set salt = null, payload = '{}', actor_id = null, actor_name = null, resource_name = null where workspace_id = $1 and leaf_index = 3",
      [log.id],
    );
    expect(await verify(await log.exportLog())).toEqual({ verdict: 'incomplete', failed: [] });
  });

  it('of a part of the log says which part it is', async () => {
    const log = await grown();
    const part = await log.asAuditor((db) => evidenceOfLog(db, signer, log.id, { from: 4 }));
    expect(part.range).toEqual({ from: 4, to: part.checkpoints.at(-1)?.size, of: part.checkpoints.at(-1)?.size });
    expect(await verify(part)).toEqual({ verdict: 'part', failed: [] });
  });

  it('of one event is small and whole', async () => {
    const log = await grown();
    const { rows } = await test.owner.query<{ id: string }>(
      'select id from quorate.audit_events where workspace_id = $1 and leaf_index = 7',
      [log.id],
    );
    const evidence = await log.asAuditor((db) => evidenceOfEvent(db, signer, rows[0]?.id ?? ''));
    expect(evidence.events).toHaveLength(1);
    expect(await verify(evidence)).toEqual({ verdict: 'proven', failed: [] });
  });

  it('of another workspace does not exist', async () => {
    const [mine, theirs] = [await grown(), await grown()];
    const { rows } = await test.owner.query<{ id: string }>(
      'select id from quorate.audit_events where workspace_id = $1 and leaf_index = 7',
      [theirs.id],
    );
    await expect(mine.asAuditor((db) => evidenceOfEvent(db, signer, rows[0]?.id ?? ''))).rejects.toMatchObject({ code: 'not_found' });
    await expect(mine.asAuditor((db) => evidenceOfLog(db, signer, theirs.id))).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('the log only grows', () => {
  it('refuses changes, removals and places given twice, for members, workers and even the owner', async () => {
    const log = await openLog();
    const event = await log.write({ n: 1 });
    await log.place();
    const change = (sql: string) => test.owner.query(sql, [event]);
    await expect(change(`update quorate.audit_events set payload = '{"n": 2}' where id = $1`)).rejects.toMatchObject({ code: 'QA002' });
    await expect(change('update quorate.audit_events set leaf_index = 7 where id = $1')).rejects.toMatchObject({ code: 'QA002' });
    await expect(change("update quorate.audit_events set leaf_hash = sha256('x') where id = $1")).rejects.toMatchObject({ code: 'QA002' });
    await expect(change('update quorate.audit_events set at = now() where id = $1')).rejects.toMatchObject({ code: 'QA002' });
    for (const table of ['audit_events', 'audit_nodes', 'checkpoints']) {
      await expect(test.owner.query(`delete from quorate.${table} where workspace_id = $1`, [log.id]), table).rejects.toMatchObject({
        code: 'QA002',
      });
      await expect(test.owner.query(`truncate quorate.${table}`), table).rejects.toMatchObject({ code: 'QA002' });
    }
    await expect(
      test.owner.query("update quorate.audit_nodes set hash = sha256('x') where workspace_id = $1", [log.id]),
    ).rejects.toMatchObject({ code: 'QA002' });
    await expect(
      test.database.asWorker(log.id, (db) =>
        db.updateTable('quorate.audit_events').set({ payload: '{}' }).where('id', '=', event).execute(),
      ),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      test.database.asWorker(log.id, (db) => db.deleteFrom('quorate.audit_events').where('id', '=', event).execute()),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      test.database.asWorker(log.id, (db) => db.updateTable('quorate.checkpoints').set({ note: 'x' }).execute()),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await expect(test.database.asWorker(log.id, (db) => db.deleteFrom('quorate.audit_nodes').execute())).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});

/** A log as others read it (C2SP tlog-tiles): by the handler of its address, on the real database. */
import { createHash } from 'node:crypto';
import { RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyAccess } from '#app/contracts/access.ts';
import { keyContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import { readTile } from '#app/engine/proof/read-tile.ts';
import { serveLog } from '#app/features/audit/proof/serve-log.server.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { insertLog } from '#tests/integration/support/run-history.ts';
import { leafOf, readLog, readNote, signedBy, treeHash } from '#tests/support/proof/second-verifier.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

/** Two full tiles and a part of a third. */
const ENTRIES = 600;
const signer = createLogSigner('a secret of this test alone', 'log.test');
const key = vkey(signer.name, signer.publicKey, (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()));

let test: TestDatabase;
let open: string;
let closed: string;
let keys: Map<string, Buffer>;

beforeAll(async () => {
  test = await createTestDatabase();
  keys = new Map();
  const make = async (entries: number) => {
    const { id, members } = await test.makeWorkspace({ members: [{ roles: ['user', 'auditor'] }] });
    const [auditor] = members as [TestMember];
    await insertLog(test.owner, { workspaceId: id, days: 1, until: new Date(), people: [auditor.id], entries });
    while ((await test.database.asWorker(id, (db) => placeEvents(db, id, signer, null))).more);
    const hash = createHash('sha256').update(id).digest();
    await test.arrange(id, async (client) => {
      await client.query(
        `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes) values ($1, $2, $3, 'Reader', 'qk', $4, '{audit:read}')`,
        [newId(), id, auditor.id, hash],
      );
    });
    keys.set(id, hash);
    return id;
  };
  open = await make(ENTRIES);
  closed = await make(3);
  await test.arrange(open, async (client) => {
    await client.query(`update quorate.workspaces set proof = proof || '{"tiles": true}' where id = $1`, [open]);
  });
});
afterAll(async () => {
  await test.close();
});

const ask = async (path: string, headers: Record<string, string> = {}, byKeyOf?: string) => {
  const [, workspace = '', rest = ''] = /^([^/]*)\/(.*)$/s.exec(path) ?? [];
  const context = new RouterContextProvider();
  context.set(servicesContext, { access: { asNobody: test.database.app } } as unknown as Services);
  const hash = byKeyOf === undefined ? undefined : keys.get(byKeyOf);
  if (hash !== undefined) context.set(keyContext, { read: (work) => test.database.asKey(hash, work) } as KeyAccess);
  const request = new Request('http://x/log', { headers });
  return serveLog({ request, url: new URL(request.url), params: { workspace, '*': rest }, context });
};
const bytesAt = (id: string) => async (path: string) => {
  const answer = await ask(`${id}/${path}`);
  return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : null;
};

describe('the tiles of a log', () => {
  it('are all that a reader needs who knows nothing but C2SP and RFC 9162', async () => {
    const { note, leaves, entries } = await readLog(bytesAt(open));
    expect(note.size).toBeGreaterThan(ENTRIES);
    expect(note.origin).toBe(`log.test/${open}`);
    expect(signedBy(note, key)).toBe(true);
    expect(treeHash(leaves)).toEqual(note.root);
    expect(entries.map(leafOf)).toEqual(leaves);
  });

  it('hold nothing of an entry but its id, its time and a digest that its salt keeps from being guessed', async () => {
    const { entries } = await readLog(bytesAt(open));
    for (const entry of entries) {
      expect(Object.keys(JSON.parse(entry.toString('utf8')))).toEqual(['at', 'body', 'id', 'v', 'workspace']);
      expect(JSON.parse(entry.toString('utf8')).body).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  it('are kept for ever, the checkpoint never', async () => {
    const full = await ask(`${open}/tile/0/001`);
    expect(full.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await full.arrayBuffer()).byteLength).toBe(256 * 32);
    const head = await ask(`${open}/checkpoint`);
    expect(head.headers.get('cache-control')).toBe('public, no-cache');
    const tag = head.headers.get('etag') ?? '';
    expect((await ask(`${open}/checkpoint`, { 'if-none-match': `"other", W/${tag}` })).status).toBe(304);
    expect((await ask(`${open}/checkpoint`, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each([
    'tile/0/003',
    'tile/0/002',
    'tile/0/002.p/255',
    'tile/0/000.p/256',
    'tile/1/000',
    'tile/1/000.p/3',
    'tile/2/000.p/1',
    'tile/63/000',
    'tile/entries/002',
    'tile/0/x999/x999/999',
    'tile/0/..%2f000',
    'tile/0/\u0000',
    'checkpoint/',
    '',
    'tile/0/1e3',
  ])('are not where there is nothing: %s', async (path) => {
    expect((await ask(`${open}/${path}`)).status).toBe(404);
  });
});

describe('a log that is not open', () => {
  it('is the same to a stranger as one that there is not', async () => {
    const answers = await Promise.all(
      [closed, newId(), 'x', closed.toUpperCase(), `${open}%20`].flatMap((id) =>
        ['checkpoint', 'tile/0/000.p/1', 'tile/entries/000.p/1', 'nothing'].map(async (path) => {
          const answer = await ask(`${id}/${path}`);
          return [answer.status, answer.headers.get('etag'), await answer.text()].join(' ');
        }),
      ),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^404 /);
  });

  it('is read by a key of its workspace, and by no other', async () => {
    const own = await ask(`${closed}/checkpoint`, {}, closed);
    expect(own.status).toBe(200);
    expect(own.headers.get('cache-control')).toBe('private, no-cache');
    expect(own.headers.get('access-control-allow-origin')).toBeNull();
    expect(readNote(await own.text()).origin).toBe(`log.test/${closed}`);
    expect((await ask(`${closed}/tile/entries/000.p/1`, {}, closed)).status).toBe(200);
    expect((await ask(`${closed}/checkpoint`, {}, open)).status).toBe(404);
    expect((await ask(`${open}/checkpoint`, {}, closed)).status).toBe(200);
  });

  it('is closed again by the setting', async () => {
    const set = (on: boolean) =>
      test.arrange(closed, async (client) => {
        await client.query('update quorate.workspaces set proof = proof || jsonb_build_object($2::text, $3::boolean) where id = $1', [
          closed,
          'tiles',
          on,
        ]);
      });
    const read = () => test.database.app((db) => readTile(db, closed, { kind: 'checkpoint' }));
    await set(true);
    expect(await read()).not.toBeNull();
    await set(false);
    expect(await read()).toBeNull();
  });
});

describe('checkpoints', () => {
  it('cover each change in the transaction that places it, so that none waits for one', async () => {
    const { rows } = await test.owner.query<{ open: number; uncovered: number }>(
      `select (select count(*)::int from quorate.audit_events e where e.workspace_id = w.id and e.leaf_index is null) as open,
         (select count(*)::int from quorate.audit_events e where e.workspace_id = w.id and e.leaf_index >= (select max(c.size)
           from quorate.checkpoints c where c.workspace_id = w.id)) as uncovered
       from quorate.workspaces w where w.id = $1`,
      [closed],
    );
    await test.arrange(closed, async () => undefined);
    const placed = await test.database.asWorker(closed, (db) => placeEvents(db, closed, signer, null));
    expect(rows[0]?.uncovered).toBe(0);
    expect(readNote(placed.note ?? '').size).toBeGreaterThan(0);
  });
});

/** Time stamps of RFC 3161 on checkpoints, by an authority that is openssl, which also judges what is kept. */
import { X509Certificate } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkpointText } from '#app/domain/audit/checkpoint.ts';
import type { ProofSettings } from '#app/domain/proof/proof-settings.ts';
import { readHead } from '#app/domain/proof/signed-head.ts';
import { evidenceOfLog } from '#app/engine/audit/evidence.ts';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import { checkStamp } from '#app/engine/proof/check-stamp.ts';
import { watchLog } from '#app/engine/proof/watch-log.ts';
import { trustStamps } from '#app/features/audit/verifier/stamps.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { createGuardedFetch } from '#app/platform/http/guarded-fetch.server.ts';
import { startAuthority, type TimeStampAuthority } from '#tests/integration/support/time-stamp-authority.ts';
import { LOOPBACK } from '#tests/support/loopback.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

const signer = createLogSigner('a secret of this test alone', 'log.test');
/** Bytes of an answer that are flipped, one at a time; in full each of them. */
const FLIPS = process.env.QUORATE_TEST_FULL ? Number.POSITIVE_INFINITY : 12;

let test: TestDatabase;
let rsa: TimeStampAuthority;
let ec: TimeStampAuthority;
let fetch: ReturnType<typeof createGuardedFetch>;

beforeAll(async () => {
  test = await createTestDatabase();
  [rsa, ec] = await Promise.all([startAuthority('rsa', 'sha512'), startAuthority('ec')]);
  fetch = createGuardedFetch({ privateNetwork: LOOPBACK });
});
afterAll(async () => {
  rsa?.close();
  ec?.close();
  await fetch.close();
  await test.close();
});

async function stampedBy(authority: NonNullable<ProofSettings['authority']>) {
  const { id, members } = await test.makeWorkspace({ members: [{ roles: ['user', 'auditor'] }] });
  const proof: ProofSettings = { tiles: false, quorum: 0, witnesses: [], authority };
  await test.arrange(id, async (client) => {
    await client.query('update quorate.workspaces set proof = $2 where id = $1', [id, JSON.stringify(proof)]);
  });
  const { asWorker, app: asApp } = test.database;
  await asWorker(id, (db) => placeEvents(db, id, signer, null));
  await watchLog({ asWorker, asApp, signer, fetch, newId, now: () => new Date(), log: quietLog }, id);
  const { rows } = await test.owner.query<{ fault: string | null; answer: Buffer | null; note: string }>(
    `select v.fault, s.answer, c.note from quorate.watchers v join quorate.checkpoints c using (workspace_id)
       left join quorate.time_stamps s on s.workspace_id = c.workspace_id and s.size = c.size where v.workspace_id = $1`,
    [id],
  );
  const [row] = rows;
  const head = readHead(row?.note ?? '');
  if (row === undefined || head === null) throw new Error('nothing was asked');
  return { id, auditor: (members as [TestMember])[0], fault: row.fault, answer: row.answer, text: checkpointText(head) };
}

describe('time stamps', () => {
  it.each([
    ['RSA over SHA-512', () => rsa],
    ['ECDSA over SHA-256', () => ec],
  ])('by %s are kept, accepted by openssl, and refused by both after one byte', { timeout: 120_000 }, async (_, authority) => {
    const { url, ca, policy, accepts } = authority();
    const { fault, answer, text } = await stampedBy({ url, ca, policy });
    expect(fault).toBeNull();
    const kept = new Uint8Array(answer ?? []);
    expect(accepts(kept, text)).toBe(true);
    expect(accepts(kept, `${text} `)).toBe(false);
    const wanted = { text, nonce: null, policy, ca };
    expect(Math.abs((checkStamp(kept, wanted)?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(checkStamp(kept, { ...wanted, text: `${text} ` })).toBeNull();
    expect(checkStamp(kept, { ...wanted, policy: '1.2.3.4.1' })).toBeNull();
    expect(checkStamp(kept, { ...wanted, ca: (authority() === rsa ? ec : rsa).ca })).toBeNull();
    const offline = trustStamps(ca);
    expect(await offline(kept, text)).toEqual(checkStamp(kept, wanted));
    expect(await offline(kept, `${text} `)).toBeNull();
    expect(await trustStamps((authority() === rsa ? ec : rsa).ca)(kept, text)).toBeNull();
    // The answer holds a copy of the trusted certificate, of which the verifier believes nothing: it has its own.
    const root = new X509Certificate(ca).raw;
    const copy = Buffer.from(kept).indexOf(root);
    expect(copy).toBeGreaterThan(0);
    const missed: number[] = [];
    const flips = Math.min(FLIPS, kept.length);
    for (let n = 0; n < flips; n++) {
      const flipped = kept.slice();
      const at = Math.floor((n / flips) * flipped.length);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      // what openssl refuses, we refuse, and so does the verifier, which reads stamps by itself
      if (accepts(flipped, text)) continue;
      const isOfCopy = copy <= at && at < copy + root.length;
      if (checkStamp(flipped, wanted) !== null || (!isOfCopy && (await offline(flipped, text)) !== null)) missed.push(at);
    }
    expect(missed).toEqual([]);
    const last = kept.slice();
    last[last.length - 1] = (last.at(-1) ?? 0) ^ 1;
    expect([accepts(last, text), checkStamp(last, wanted)]).toEqual([false, null]);
  });

  it('are in the evidence, and its verifier reads them', async () => {
    const { id, auditor } = await stampedBy({ url: ec.url, ca: ec.ca, policy: null });
    const who = { userId: auditor.id, sessionId: auditor.sessionId, workspaceId: id };
    const file = await test.database.asMember(who, (db) => evidenceOfLog(db, signer, id), { readOnly: true });
    const verify = async (ca: string) =>
      (
        await verifyEvidence(JSON.parse(JSON.stringify(file)), {
          key: file.log.key,
          checkStamp: trustStamps(ca),
        })
      ).checks.map(({ code }) => code);
    expect(await verify(ec.ca)).toContain('stamped');
    expect(await verify(rsa.ca)).toContain('stampForged');
  });

  it('of an answer that was changed, of another question, or of nobody, are not kept, and nothing is held up', async () => {
    let earlier: Buffer | null = null;
    ec.spoil((answer) => {
      const sent: Buffer = earlier ?? answer;
      earlier = answer;
      return sent;
    });
    expect((await stampedBy({ url: ec.url, ca: ec.ca, policy: null })).fault).toBeNull();
    expect(await stampedBy({ url: ec.url, ca: ec.ca, policy: null })).toMatchObject({ fault: 'badAnswer', answer: null });
    ec.spoil((answer) => Buffer.concat([answer, Buffer.from([0])]));
    expect(await stampedBy({ url: ec.url, ca: ec.ca, policy: null })).toMatchObject({ fault: 'badAnswer', answer: null });
    ec.spoil(null);
    expect(await stampedBy({ url: 'http://127.0.0.1:9/', ca: ec.ca, policy: null })).toMatchObject({ fault: 'away', answer: null });
  });
});

import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { type AuditBody, bodyDigest, eventLeafHash, hex } from '#app/domain/audit/audit-leaf.ts';
import { canonicalJson } from '#app/domain/audit/canonical-json.ts';
import { checkpointNote, checkpointOrigin, vkey } from '#app/domain/audit/checkpoint.ts';
import {
  appendLeaves,
  consistencyParts,
  hashPart,
  inclusionParts,
  leafHash,
  lookupIn,
  nodeKey,
  type ProofPart,
  rootPart,
} from '#app/domain/audit/merkle.ts';
import type { CheckCode } from '#app/features/audit/verifier/report.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const workspace = '0198c0de-0000-7000-8000-000000000001';

function signerOf(name: string, seedByte: number) {
  const key = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seedByte)]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32));
  return {
    name,
    publicKey,
    vkey: vkey(name, publicKey, sha256),
    sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)),
  };
}
const signer = signerOf('log.example', 1);
const origin = checkpointOrigin(signer.name, workspace);

/** A log of `size` events, built with the writer's own code. */
function logOf(
  size: number,
  salted = '',
  payloads: { [index: number]: { [key: string]: Json } } = {},
  actions: { [index: number]: string } = {},
) {
  const events = Array.from({ length: size }, (_, index) => {
    const body: AuditBody = {
      actor: { kind: 'member', id: 'u1', name: 'Ada Łovelace' },
      action: actions[index] ?? 'workflow.published',
      resource:
        payloads[index] === undefined || actions[index] !== undefined
          ? { kind: 'workflow', id: `w${index}`, name: null }
          : { kind: 'run', id: 'r1', name: null },
      payload: payloads[index] ?? { number: index, text: '€\u0007' },
    };
    const salt = sha256(new TextEncoder().encode(`salt ${index}${salted}`));
    const event = {
      id: `e${index}`,
      workspaceId: workspace,
      at: new Date(1_790_000_000_000 + index),
      bodyDigest: bodyDigest(sha256, salt, body),
    };
    return { ...event, body, salt, leaf: eventLeafHash(sha256, event) };
  });
  const { nodes } = appendLeaves(
    sha256,
    0,
    lookupIn(new Map()),
    events.map((event) => event.leaf),
  );
  const lookup = lookupIn(new Map(nodes.map((node) => [nodeKey(node), node.hash])));
  const proof = (parts: ProofPart[]) => parts.map((part) => hex(hashPart(sha256, part, lookup)));
  const note = (at: number, by = signer) => checkpointNote({ origin, size: at, root: hashPart(sha256, rootPart(at), lookup) }, by, sha256);
  const bundle = (indexes: number[], at = size, earlier: number[] = [], range = false) => ({
    format: 'quorate-evidence/1',
    subject: range ? { kind: 'log', id: origin } : { kind: 'event', id: `e${indexes[0]}` },
    log: { origin, key: signer.vkey },
    checkpoints: [
      ...earlier.map((first) => ({ size: first, note: note(first), consistency: proof(consistencyParts(first, at)) })),
      { size: at, note: note(at), consistency: [] as string[] },
    ],
    events: indexes.map((index) => {
      const event = events[index];
      if (event === undefined) throw new RangeError('no such event');
      return {
        id: event.id,
        workspace,
        at: event.at.toISOString(),
        body: event.body as AuditBody | null,
        salt: hex(event.salt) as string | null,
        bodyDigest: hex(event.bodyDigest),
        leafIndex: index,
        inclusion: proof(inclusionParts(index, at)),
      };
    }),
    ...(range ? { range: { from: 0, to: at } as { from: number; to: number; of?: number } } : {}),
  });
  return { bundle, note };
}

const codes = async (bundle: unknown, key: string | null = signer.vkey, received: string | null = null) => {
  const report = await verifyEvidence(bundle, { key, received });
  return {
    verdict: report.verdict,
    failed: report.checks.filter((check) => check.state === 'failed').map((check) => check.code),
    checks: report.checks,
  };
};
const at = <T>(list: T[], index: number): T => {
  const item = list.at(index);
  if (item === undefined) throw new RangeError('no such item');
  return item;
};

describe('verifyEvidence', () => {
  it('proves what the writer wrote', async () => {
    expect(await codes(logOf(13).bundle([4, 12], 13, [5, 8]))).toMatchObject({ verdict: 'proven', failed: [] });
  });

  it('proves every leaf at every size, and any two sizes consistent', async () => {
    const log = logOf(24);
    for (let size = 1; size <= 24; size++) {
      const all = Array.from({ length: size }, (_, n) => n);
      expect(await codes(log.bundle(all, size, all.slice(1)))).toMatchObject({ verdict: 'proven', failed: [] });
    }
  });

  it('calls nothing proven without a key that comes from elsewhere', async () => {
    expect((await codes(logOf(3).bundle([1]), null)).verdict).toBe('unpinned');
  });

  it('refuses another key, and says so', async () => {
    const other = signerOf('log.example', 2);
    expect((await codes(logOf(3).bundle([1]), other.vkey)).failed).toEqual(['keyDiffers', 'checkpointForged']);
  });

  it('names a tampered event, whoever recomputed what', async () => {
    const content = logOf(5).bundle([2]);
    at(content.events, 0).body = { ...(at(content.events, 0).body as AuditBody), action: 'workflow.deleted' };
    expect(await codes(content)).toMatchObject({ failed: ['eventChanged'] });

    const digestToo = logOf(5).bundle([2]);
    const event = at(digestToo.events, 0);
    event.body = { ...(event.body as AuditBody), action: 'workflow.deleted' };
    event.bodyDigest = hex(bodyDigest(sha256, Buffer.from(event.salt ?? '', 'hex'), event.body));
    const found = await codes(digestToo);
    expect(found.failed).toEqual(['eventNotIncluded']);
    expect(found.checks.find((check) => check.code === 'eventNotIncluded')?.values).toMatchObject({ index: 2, id: 'e2' });
  });

  it('names what was dropped from a stretch of the log', async () => {
    const found = await codes(logOf(6).bundle([0, 1, 2, 4, 5], 6, [], true));
    expect(found.checks.filter((check) => check.state === 'failed')).toEqual([
      { code: 'eventDropped', state: 'failed', values: { index: 3 } },
    ]);
    expect((await codes(logOf(6).bundle([0, 1, 2, 3, 4, 5], 6, [], true))).verdict).toBe('proven');
  });

  it('names a forged checkpoint', async () => {
    const forged = logOf(4).bundle([1], 4, [2]);
    at(forged.checkpoints, 0).note = logOf(4).note(2, { ...signerOf(signer.name, 7), vkey: '' });
    const found = await codes(forged);
    expect(found.failed).toEqual(['checkpointForged']);
    expect(found.checks.find((check) => check.code === 'checkpointForged')?.values).toMatchObject({ size: 2 });
  });

  it('sees a history that was rewritten and signed again, against an earlier checkpoint', async () => {
    const rewritten = logOf(8, ' again');
    const both = rewritten.bundle([3], 8, [5]);
    at(both.checkpoints, 0).note = logOf(8).note(5);
    expect((await codes(both)).failed).toEqual(['historyRewritten']);
    expect((await codes(rewritten.bundle([3], 8, [5]), signer.vkey, logOf(8).note(5))).failed).toEqual(['receivedDiffers']);
    expect((await codes(logOf(8).bundle([3], 8, [5]), signer.vkey, logOf(8).note(5))).verdict).toBe('proven');
    expect((await codes(logOf(8).bundle([3], 8, [5]), signer.vkey, logOf(8).note(6))).verdict).toBe('incomplete');
    expect((await codes(logOf(8).bundle([3]), signer.vkey, logOf(8).note(8, { ...signerOf(signer.name, 7), vkey: '' }))).failed).toEqual([
      'receivedForged',
    ]);
  });

  const blank = <E extends { body: AuditBody | null; salt: string | null }>(event: E): E =>
    Object.assign(event, { body: null, salt: null });
  const open = async (bundle: unknown) =>
    (await codes(bundle)).checks.filter((check) => check.state === 'unknown').map((check) => check.code);

  it('keeps the proof of an erased event where an entry of the log names its place, and of no other', async () => {
    const erasing = (erased: Json, action = 'account.deleted') => logOf(6, '', { 4: { erased } }, { 4: action });
    const bundleOf = (log: ReturnType<typeof logOf>, erased: number, entries = [erased, 4]) => {
      const bundle = log.bundle(entries);
      blank(at(bundle.events, entries.indexOf(erased)));
      return bundle;
    };
    expect(
      await codes(
        bundleOf(
          erasing([
            [0, 1],
            [2, 4],
          ]),
          2,
        ),
      ),
    ).toMatchObject({ verdict: 'proven', failed: [] });
    for (const [bundle, why] of [
      [
        bundleOf(
          erasing([
            [0, 1],
            [2, 4],
          ]),
          1,
        ),
        'another place',
      ],
      [
        bundleOf(
          erasing([
            [0, 1],
            [2, 4],
          ]),
          2,
          [2],
        ),
        'without the entry that names it',
      ],
      [bundleOf(erasing([[0, 6]]), 5, [5, 4]), 'later than the entry that names it'],
      [bundleOf(erasing([[0, 6]]), 4, [4]), 'the entry itself'],
      [bundleOf(erasing([[0, 6]], 'workflow.published'), 2), 'an entry that erases nothing'],
    ] as const) {
      expect((await codes(bundle)).verdict, why).toBe('incomplete');
      expect(await open(bundle), why).toEqual(['eventBlanked']);
    }
  });

  it('calls a stretch of the log a proof of the whole only when it reaches from the first entry to the checkpoint', async () => {
    const cut = (from: number, to: number, of?: number) => ({
      ...logOf(27).bundle(
        Array.from({ length: to - from }, (_, n) => from + n),
        27,
        [],
        true,
      ),
      range: { from, to, ...(of === undefined ? {} : { of }) },
    });
    expect((await codes(cut(0, 27))).verdict).toBe('proven');
    for (const [from, to] of [
      [0, 3],
      [0, 26],
      [24, 27],
      [0, 0],
      [27, 27],
    ] as const) {
      expect(await open(cut(from, to)), `${from} to ${to}`).toEqual(['restMissing']);
      expect((await codes(cut(from, to))).verdict, `${from} to ${to}`).toBe('incomplete');
    }
    expect((await codes(cut(0, 0, 27))).verdict).toBe('incomplete');
    const part = await codes(cut(5, 10, 27));
    expect(part.verdict).toBe('part');
    expect(part.checks).toContainEqual({ code: 'partOfLog', state: 'ok', values: { from: 5, to: 9, size: 27 } });
    expect((await codes(cut(5, 10, 10))).failed).toEqual(['malformed']);
  });

  it('never proves a log from which any entry or content was taken, however the file is rewritten', async () => {
    const size = 9;
    const log = logOf(size, '', { 7: { erased: [[2, 4]] } }, { 7: 'account.deleted' });
    const good = () => {
      const bundle = log.bundle(
        Array.from({ length: size }, (_, n) => n),
        size,
        [4],
        true,
      );
      for (const index of [2, 3]) blank(at(bundle.events, index));
      return bundle;
    };
    expect((await codes(good())).verdict).toBe('proven');
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(Array.from({ length: size }, (_, n) => n)),
        fc.subarray([0, 1, 4, 5, 6, 7, 8]),
        fc.constantFrom('kept', 'shrunk', 'named a part'),
        async (removed, blanked, range) => {
          const bundle = good();
          for (const index of blanked) blank(at(bundle.events, index));
          bundle.events = bundle.events.filter((event) => !removed.includes(event.leafIndex));
          const places = bundle.events.map((event) => event.leafIndex);
          const [from, to] = [Math.min(...places, size), Math.max(...places, -1) + 1];
          if (range !== 'kept') bundle.range = { from: Math.min(from, to), to, ...(range === 'shrunk' ? {} : { of: size }) };
          const { verdict } = await codes(bundle);
          if (removed.length + blanked.length > 0) expect(verdict).not.toBe('proven');
          else expect(verdict).toBe('proven');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('refuses an event of another log', async () => {
    const bundle = logOf(5).bundle([2]);
    at(bundle.events, 0).workspace = '0198c0de-0000-7000-8000-000000000002';
    expect((await codes(bundle)).failed).toEqual(['eventOtherLog', 'eventNotIncluded']);
  });

  it('fails whichever single bit of a proof, root, digest or signature is flipped', async () => {
    const log = logOf(21);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 21 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('inclusion', 'consistency', 'bodyDigest', 'salt', 'note'),
        async (size, which, bit, part) => {
          const index = which % size;
          const first = 1 + (bit % size);
          const bundle = log.bundle([index], size, first < size ? [first] : []);
          const event = at(bundle.events, 0);
          const flip = (text: string) => {
            const bytes = Buffer.from(text, 'hex');
            const place = bit % (bytes.length * 8);
            bytes[place >> 3] = (bytes[place >> 3] ?? 0) ^ (1 << (place & 7));
            return bytes.toString('hex');
          };
          const proof = part === 'inclusion' ? event.inclusion : part === 'consistency' ? at(bundle.checkpoints, 0).consistency : null;
          if (proof !== null) {
            if (proof.length === 0) return;
            const n = which % proof.length;
            proof[n] = flip(proof[n] ?? '');
          } else if (part === 'note') {
            const checkpoint = at(bundle.checkpoints, -1);
            const [text = '', encoded = ''] = checkpoint.note.trimEnd().split(`\n— ${signer.name} `);
            const bytes = Buffer.from(flip(Buffer.from(encoded, 'base64').toString('hex')), 'hex');
            checkpoint.note = `${text}\n— ${signer.name} ${bytes.toString('base64')}\n`;
          } else if (part === 'salt') event.salt = flip(event.salt ?? '');
          else event.bodyDigest = flip(event.bodyDigest);
          expect((await codes(bundle)).verdict).toBe('failed');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('answers with words to whatever it is given, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect((await verifyEvidence(value, { key: null })).verdict).toBe('failed');
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('subject', 'log', 'checkpoints', 'events', 'range'), fc.jsonValue(), async (member, value) => {
        const report = await verifyEvidence({ ...logOf(3).bundle([0, 1, 2], 3, [2], true), [member]: value }, { key: signer.vkey });
        expect(report.verdict === 'failed' || (member === 'range' && value === null)).toBe(true);
      }),
    );
  });

  it('does not let evidence leave out what it is about', async () => {
    const bundle = logOf(4).bundle([1]);
    expect((await codes({ ...bundle, events: [] })).failed).toEqual(['malformed']);
    expect((await codes({ ...bundle, subject: { kind: 'run', id: 'r1' } })).failed).toEqual(['malformed']);
    expect((await codes({ ...bundle, subject: { kind: 'log', id: origin } })).failed).toEqual(['malformed']);
    expect((await codes({ ...bundle, subject: { kind: 'event', id: 'e2' } })).failed).toEqual(['malformed']);
    expect((await codes({ ...bundle, checkpoints: [] })).failed).toEqual(['malformed']);
  });
});

describe('verifyEvidence of a run', () => {
  const digest = (value: Json) => createHash('sha256').update(canonicalJson(value)).digest('hex');
  const record = (path: string, output: Json) => ({
    record: { v: 1, record: 'step', path, status: 'success', input: null, output: digest(output) },
    contents: { output },
  });
  const evidence = (named: string[] | null = ['e1', 'e2'], namesRecords = true) => {
    const records = [record('a', { ok: true }), record('b', 'text'), record('c', [1, 2])];
    const hashes = records.map((one) => leafHash(sha256, new TextEncoder().encode(canonicalJson(one.record))));
    const { root } = appendLeaves(sha256, 0, lookupIn(new Map()), hashes);
    const payload = {
      journal: hex(root),
      steps: 3,
      decisions: 0,
      records: namesRecords ? records.map((one, n): Json => [`step:${one.record.path}`, hex(at(hashes, n))]) : [],
      ...(named === null ? {} : { events: named }),
    };
    return { ...logOf(5, '', { 1: {}, 3: payload }).bundle([1, 2, 3]), subject: { kind: 'run', id: 'r1' }, run: { id: 'r1', records } };
  };
  const failures = async (bundle: unknown): Promise<[CheckCode, unknown][]> =>
    (await codes(bundle)).checks.filter((check) => check.state === 'failed').map((check) => [check.code, check.values.record]);

  it('proves each step through the closing event', async () => {
    expect(await codes(evidence())).toMatchObject({ verdict: 'proven' });
  });

  it('names the step that was changed, dropped or added, and the content that is another', async () => {
    const changed = evidence();
    at(changed.run.records, 1).record.status = 'error';
    expect(await failures(changed)).toEqual([['recordChanged', 'step:b']]);
    const dropped = evidence();
    dropped.run.records.splice(1, 1);
    expect(await failures(dropped)).toEqual([['recordDropped', 'step:b']]);
    const added = evidence();
    added.run.records.push(record('d', 1));
    expect(await failures(added)).toEqual([['recordAdded', 'step:d']]);
    const content = evidence();
    at(content.run.records, 2).contents.output = [1, 3];
    expect(await failures(content)).toEqual([['contentChanged', 'step:c']]);
  });

  it('proves a run of too many steps to be named by their root alone', async () => {
    const long = () => evidence(undefined, false);
    expect(await codes(long())).toMatchObject({ verdict: 'proven' });
    const [changed, dropped, added] = [long(), long(), long()];
    at(changed.run.records, 1).record.status = 'error';
    dropped.run.records.splice(1, 1);
    added.run.records.push(record('d', 1));
    for (const bundle of [changed, dropped, added]) expect(await failures(bundle)).toEqual([['journalBroken', undefined]]);
  });

  it('is incomplete without the content of a step that had some', async () => {
    const bundle = evidence();
    at(bundle.run.records, 1).contents = {} as { output: Json };
    const { verdict, checks } = await codes(bundle);
    expect(verdict).toBe('incomplete');
    expect(checks).toContainEqual({ code: 'contentMissing', state: 'unknown', values: { record: 'step:b', part: 'output' } });
  });

  it('never proves a run from which any entry, record or content was taken', async () => {
    const good = evidence();
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([0, 1, 2]),
        fc.subarray([0, 1, 2]),
        fc.subarray([0, 1, 2]),
        fc.subarray([0, 1, 2]),
        async (entries, bodies, records, contents) => {
          const left = <T>(list: T[], taken: number[]) => list.filter((_, n) => !taken.includes(n));
          const { verdict } = await codes({
            ...good,
            events: left(
              good.events.map((event, n) => (bodies.includes(n) ? { ...event, body: null, salt: null } : event)),
              entries,
            ),
            run: {
              id: 'r1',
              records: left(
                good.run.records.map((one, n) => (contents.includes(n) ? { record: one.record, contents: {} } : one)),
                records,
              ),
            },
          });
          const isWhole = [entries, bodies, records, contents].every((taken) => taken.length === 0);
          expect(verdict === 'proven').toBe(isWhole);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is incomplete where the closing entry names no others, as one would not be missed', async () => {
    const { verdict, checks } = await codes(evidence(null));
    expect(verdict).toBe('incomplete');
    expect(checks.filter((check) => check.state !== 'ok').map((check) => check.code)).toEqual(['runEntriesUnbound']);
  });

  it('says when the run is not closed yet', async () => {
    expect((await codes({ ...logOf(3).bundle([1]), subject: { kind: 'run', id: 'r1' }, run: { id: 'r1', records: [] } })).verdict).toBe(
      'incomplete',
    );
  });
});

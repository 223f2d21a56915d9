import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditBody, bodyDigest, eventLeafHash, hex } from '#app/domain/audit-leaf.ts';
import { canonicalJson } from '#app/domain/canonical-json.ts';
import { checkpointNote, checkpointOrigin, vkey } from '#app/domain/checkpoint.ts';
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
} from '#app/domain/merkle.ts';
import type { Json } from '#app/domain/tables.ts';
import { type CheckCode, verifyEvidence } from '#app/features/audit/verifier.ts';

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
function logOf(size: number, salted = '', payloads: { [index: number]: { [key: string]: Json } } = {}) {
  const events = Array.from({ length: size }, (_, index) => {
    const body: AuditBody = {
      actor: { kind: 'member', id: 'u1', name: 'Ada Łovelace' },
      action: 'workflow.published',
      resource: payloads[index] === undefined ? { kind: 'workflow', id: `w${index}`, name: null } : { kind: 'run', id: 'r1', name: null },
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
    ...(range ? { range: { from: 0, to: at } } : {}),
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

  it('sees a history that was rewritten and signed anew, against an earlier checkpoint', async () => {
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

  it('keeps the proof of an erased event', async () => {
    const bundle = logOf(5).bundle([2]);
    at(bundle.events, 0).body = null;
    at(bundle.events, 0).salt = null;
    expect(await codes(bundle)).toMatchObject({ verdict: 'proven', failed: [] });
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
  const evidence = () => {
    const records = [record('a', { ok: true }), record('b', 'text'), record('c', [1, 2])];
    const hashes = records.map((one) => leafHash(sha256, new TextEncoder().encode(canonicalJson(one.record))));
    const { root } = appendLeaves(sha256, 0, lookupIn(new Map()), hashes);
    const payload = {
      journal: hex(root),
      steps: 3,
      decisions: 0,
      records: records.map((one, n): Json => [`step:${one.record.path}`, hex(at(hashes, n))]),
    };
    return { ...logOf(5, '', { 3: payload }).bundle([3]), subject: { kind: 'run', id: 'r1' }, run: { id: 'r1', records } };
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

  it('keeps the proof of a step whose content was erased', async () => {
    const bundle = evidence();
    expect(
      await codes({
        ...bundle,
        run: { id: 'r1', records: bundle.run.records.map(({ record: kept }) => ({ record: kept, contents: {} })) },
      }),
    ).toMatchObject({ verdict: 'proven' });
  });

  it('says when the run is not closed yet', async () => {
    expect((await codes({ ...logOf(3).bundle([1]), subject: { kind: 'run', id: 'r1' }, run: { id: 'r1', records: [] } })).verdict).toBe(
      'incomplete',
    );
  });
});

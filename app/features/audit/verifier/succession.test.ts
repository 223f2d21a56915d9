import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type AuditBody, bodyDigest, eventLeafHash, hex } from '#app/domain/audit/audit-leaf.ts';
import { checkpointNote, checkpointOrigin, vkey } from '#app/domain/audit/checkpoint.ts';
import { appendLeaves, consistencyParts, hashPart, inclusionParts, lookupIn, nodeKey, rootPart } from '#app/domain/audit/merkle.ts';
import { successionNote } from '#app/domain/audit/succession.ts';
import { verifyEvidence } from '#app/features/audit/verifier/verify-evidence.ts';

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());
const workspace = '0198c0de-0000-7000-8000-000000000001';
const NAME = 'log.example';
const origin = checkpointOrigin(NAME, workspace);

function keyOf(seed: number) {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32));
  return { publicKey, sign: (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)) };
}
const [first, second, third, thief] = [keyOf(1), keyOf(2), keyOf(3), keyOf(9)] as const;
type Key = ReturnType<typeof keyOf>;
const textOf = (key: Key) => vkey(NAME, key.publicKey, sha256);
const tie = (before: Key, next: Key) => successionNote(NAME, before, next, sha256);
const chain = [tie(first, second), tie(second, third)];

/** Two entries, each with a checkpoint by the key that is given for it. */
function evidence(signers: readonly [Key, Key], successions: readonly string[], claimed: Key = third) {
  const body: AuditBody = {
    actor: { kind: 'member', id: 'u1', name: 'Ada' },
    action: 'workflow.published',
    resource: { kind: 'workflow', id: 'w', name: null },
    payload: {},
  };
  const events = [0, 1].map((index) => {
    const salt = sha256(new Uint8Array([index]));
    const event = { id: `e${index}`, workspaceId: workspace, at: new Date(index), bodyDigest: bodyDigest(sha256, salt, body) };
    return { ...event, salt, leaf: eventLeafHash(sha256, event) };
  });
  const leaves = events.map(({ leaf }) => leaf);
  const nodes = new Map(appendLeaves(sha256, 0, lookupIn(new Map()), leaves).nodes.map((node) => [nodeKey(node), node.hash]));
  const hash = (part: ReturnType<typeof rootPart>) => hashPart(sha256, part, lookupIn(nodes));
  const note = (size: number, by: Key) => checkpointNote({ origin, size, root: hash(rootPart(size)) }, { name: NAME, ...by }, sha256);
  return {
    format: 'quorate-evidence/1',
    subject: { kind: 'event', id: 'e0' },
    log: { origin, key: textOf(claimed), successions },
    checkpoints: [
      { size: 1, note: note(1, signers[0]), consistency: consistencyParts(1, 2).map((part) => hex(hash(part))) },
      { size: 2, note: note(2, signers[1]), consistency: [] },
    ],
    events: events.map((event, index) => ({
      id: event.id,
      workspace,
      at: event.at.toISOString(),
      body,
      salt: hex(event.salt),
      bodyDigest: hex(event.bodyDigest),
      leafIndex: index,
      inclusion: inclusionParts(index, 2).map((part) => hex(hash(part))),
    })),
  };
}
async function verify(bundle: unknown, pinned: Key | null, received: string | null = null) {
  const { verdict, checks } = await verifyEvidence(bundle, { key: pinned === null ? null : textOf(pinned), received });
  return { verdict, wrong: checks.filter(({ state }) => state !== 'ok').map(({ code }) => code), said: checks.map(({ code }) => code) };
}

describe('keys that follow each other', () => {
  it('are followed from whichever of them is pinned', async () => {
    for (const pinned of [first, second, third]) {
      const found = await verify(evidence([first, third], chain), pinned);
      expect(found).toMatchObject({ verdict: 'proven', wrong: [] });
      expect(found.said.includes('keysFollowed')).toBe(pinned !== third);
    }
    expect((await verify(evidence([first, third], chain), null)).verdict).toBe('unpinned');
    // evidence from before the keys changed says nothing of successions
    expect((await verify(evidence([first, first], [], first), first)).verdict).toBe('proven');
  });

  it('are not followed from a key that is none of them, or without the notes', async () => {
    expect(await verify(evidence([first, third], chain), thief)).toMatchObject({
      verdict: 'failed',
      wrong: expect.arrayContaining(['keyDiffers']),
    });
    expect(await verify(evidence([third, third], []), first)).toMatchObject({
      verdict: 'failed',
      wrong: expect.arrayContaining(['keyDiffers']),
    });
  });

  it('need both signatures on each note', async () => {
    const [tied = ''] = chain;
    const lines = tied.split('\n');
    const without = (line: number) => lines.filter((_, n) => n !== line).join('\n');
    const forged = tie(first, { ...second, sign: thief.sign });
    const stolen = tie({ ...first, sign: thief.sign }, second);
    for (const note of [without(4), without(5), forged, stolen, tied.replace(textOf(second), textOf(thief))]) {
      const found = await verify(evidence([first, third], [note, tie(second, third)]), first);
      expect([found.verdict, found.wrong.some((code) => code === 'successionForged' || code === 'malformed')]).toEqual(['failed', true]);
    }
  });

  it('are a chain without a gap, in order, to the key that the file names', async () => {
    const broken = [
      [tie(second, third), tie(first, second)],
      [tie(first, third), tie(second, third)],
      [tie(first, second)],
      [tie(first, second), tie(thief, third)],
    ];
    for (const notes of broken) expect((await verify(evidence([first, third], notes), first)).wrong).toContain('successionBroken');
    const round = [...chain, tie(third, first)];
    expect((await verify(evidence([first, first], round, first), first)).wrong).toContain('successionBroken');
  });

  it('sign no more once another has followed', async () => {
    expect(await verify(evidence([third, first], chain), first)).toMatchObject({ verdict: 'failed', wrong: ['keyWentBack'] });
    expect(await verify(evidence([second, second], chain), third)).toMatchObject({ verdict: 'incomplete', wrong: ['signedBefore'] });
    const received = evidence([third, third], chain).checkpoints[0]?.note ?? '';
    expect((await verify(evidence([first, second], chain), first, received)).wrong).toContain('keyWentBack');
  });
});

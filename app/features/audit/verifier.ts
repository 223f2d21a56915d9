/**
 * Verifies a bundle of evidence (format quorate-evidence/1) with nothing but WebCrypto. It imports nothing but the files of its own
 * folder, on purpose: it runs in a browser and under Node, and a mistake in the code that writes the log cannot hide itself here. Sources:
 * RFC 8785 (canonical JSON), RFC 9162 sections 2.1.3.2 and 2.1.4.2 (proofs), c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature and
 * tlog-policy.
 */
import { type Bytes, canonical, fromBase64, fromHex, sameBytes, sha256, toHex, utf8 } from '#app/features/audit/verifier/bytes.ts';
import { type Key, readKey, signatureHolds } from '#app/features/audit/verifier/keys.ts';
import { type Policy, readPolicy } from '#app/features/audit/verifier/policy.ts';
import { type Cosigned, readCosignatures } from '#app/features/audit/verifier/witnesses.ts';

export const EVIDENCE_FORMAT = 'quorate-evidence/1';

/** `unknown`: could not be checked, or says nothing against the evidence but does not prove it either. */
export type CheckState = 'ok' | 'failed' | 'unknown';
/** A finding, as a key of the texts (`checks.<code>`) and its values. */
export type Check = { code: CheckCode; state: CheckState; values: Record<string, string | number> };
/**
 * `failed`: something was changed, dropped or forged. `unpinned`: all is consistent, but nobody says whose key that is. `part`: proven, and
 * the file says itself that it holds a part of the log. `incomplete`: something is missing that would have to be there for a proof.
 */
export type Report = { verdict: 'proven' | 'part' | 'unpinned' | 'failed' | 'incomplete'; subject: Subject | null; checks: Check[] };
/** The subject of the evidence: `id` of the event or run; for a stretch of the log its origin. */
export type Subject = { kind: 'event' | 'run' | 'log'; id: string };

export const CHECK_CODES = [
  'malformed',
  'keyPinned',
  'keyDiffers',
  'keyNotPinned',
  'signaturesUnsupported',
  'checkpointSigned',
  'checkpointForged',
  'checkpointOtherLog',
  'historyConsistent',
  'historyRewritten',
  'receivedMatches',
  'receivedDiffers',
  'receivedForged',
  'receivedNotCovered',
  'olderFile',
  'logWentBack',
  'witnessed',
  'witnessedInPart',
  'notWitnessed',
  'witnessesNotPinned',
  'cosignatureForged',
  'stamped',
  'stampForged',
  'stampNotChecked',
  'eventsUnchanged',
  'eventChanged',
  'eventsErased',
  'eventBlanked',
  'eventsIncluded',
  'eventNotIncluded',
  'eventOtherLog',
  'eventTwice',
  'signaturesBound',
  'signatureUnbound',
  'rangeComplete',
  'partOfLog',
  'restMissing',
  'eventDropped',
  'journalComplete',
  'journalBroken',
  'journalOpen',
  'runEntriesComplete',
  'runEntryDropped',
  'runEntriesUnbound',
  'recordChanged',
  'recordDropped',
  'recordAdded',
  'contentChanged',
  'contentMissing',
  'moreOfThese',
] as const;
export type CheckCode = (typeof CHECK_CODES)[number];

export type VerifyOptions = {
  /** The instance's public key (`name+id+base64`), from a place that is not the evidence. Null: nothing can be called proven. */
  key: string | null;
  /** A checkpoint that one received earlier, by mail or webhook: the log must still contain it. */
  received?: string | null;
  /** Which witnesses must have signed with the log (c2sp.org/tlog-policy), from a place that is not the evidence. Its log is a key to pin too. */
  policy?: string | null;
  /** When an authority that one trusts saw this text, by its answer (RFC 3161); null: the stamp does not hold. Absent: stamps are not checked. */
  checkStamp?(answer: Uint8Array, text: string): Date | null;
};

/** Sentences of one kind at most; the rest is counted. */
const MOST_OF_A_KIND = 50;

/** Actions whose payload names what they erased (`erased`: stretches of the log, each from a place up to, not including, another). */
const ERASING_ACTIONS = ['account.deleted'];

/** Findings that leave a proof open although nothing is wrong. */
const OPEN: readonly CheckCode[] = [
  'signaturesUnsupported',
  'receivedNotCovered',
  'olderFile',
  'notWitnessed',
  'witnessedInPart',
  'eventBlanked',
  'restMissing',
  'journalOpen',
  'runEntriesUnbound',
  'contentMissing',
];

/** Events of one bundle. */
const MOST_EVENTS = 1_000_000;

/** Checks everything that the bundle claims. Never throws: what cannot be read is a finding too. */
export async function verifyEvidence(bundle: unknown, options: VerifyOptions): Promise<Report> {
  const findings: Check[] = [];
  const say = (code: CheckCode, state: CheckState, values: Check['values'] = {}) => {
    findings.push({ code, state, values });
  };
  let subject: Subject | null = null;
  try {
    const read = readBundle(bundle);
    subject = read.subject;
    // Browsers hide WebCrypto from pages that came over plain http from another machine.
    if (globalThis.crypto?.subtle === undefined) say('signaturesUnsupported', 'unknown');
    else await verifyBundle(read, options, say);
  } catch (error) {
    say('malformed', 'failed', { reason: error instanceof Error ? error.message : String(error) });
  }
  const checks = shorten(findings);
  const some = (test: (check: Check) => boolean) => findings.some(test);
  if (some((check) => check.state === 'failed')) return { verdict: 'failed', subject, checks };
  if (some((check) => check.code === 'keyNotPinned')) return { verdict: 'unpinned', subject, checks };
  if (some((check) => OPEN.includes(check.code))) return { verdict: 'incomplete', subject, checks };
  return { verdict: some((check) => check.code === 'partOfLog') ? 'part' : 'proven', subject, checks };
}

type Say = (code: CheckCode, state: CheckState, values?: Check['values']) => void;

async function verifyBundle(bundle: Bundle, options: VerifyOptions, say: Say): Promise<void> {
  const policy = options.policy == null ? null : await readPolicy(options.policy);
  const key = await chooseKey(bundle.key, options.key ?? pinnedBy(policy, bundle.key), say);
  const heads = await verifyCheckpoints(bundle, key, say);
  const newest = heads.at(-1);
  if (newest === undefined) throw new Error('checkpoints: none');
  const cosigned = await verifyWitnesses(bundle, heads, { policy, key }, say);
  verifyStamps(bundle, heads, options.checkStamp, say);
  const sound = await verifyEvents(bundle, newest, say);
  const events = sound.map(({ event }) => event);
  await verifySignatures(events, bundle.run, say);
  await verifyReceived(options.received ?? null, { bundle, heads, key, policy, sound, cosigned }, say);
  if (bundle.range !== null) verifyRange(bundle.range, bundle.events, newest, say);
  if (bundle.run !== null) await verifyRun(bundle.run, events, bundle.events, say);
}

// ---------------------------------------------------------------------------------------------------------------
// Key and checkpoints

type Head = { origin: string; size: number; root: Bytes };

async function chooseKey(claimed: string, pinned: string | null, say: Say): Promise<Key> {
  if (pinned === null) {
    say('keyNotPinned', 'unknown', { key: claimed });
    return await readKey(claimed);
  }
  const same = pinned.trim() === claimed;
  say(same ? 'keyPinned' : 'keyDiffers', same ? 'ok' : 'failed', { pinned: pinned.trim(), found: claimed });
  return await readKey(pinned.trim());
}

/** The key of the policy that is the log's, or the one that it is not. */
const pinnedBy = (policy: Policy | null, claimed: string) =>
  policy === null ? null : (policy.logs.find((one) => one === claimed) ?? policy.logs[0] ?? null);

async function verifyCheckpoints(bundle: Bundle, key: Key, say: Say): Promise<Head[]> {
  const heads: Head[] = [];
  for (const checkpoint of bundle.checkpoints) heads.push(await verifyNote(checkpoint.note, key, say, 'checkpointForged'));
  const newest = heads.at(-1);
  for (const [n, head] of heads.entries()) {
    if (head.origin !== bundle.origin || !head.origin.startsWith(`${key.name}/`))
      say('checkpointOtherLog', 'failed', { size: head.size, origin: head.origin });
    if (newest === undefined || head === newest) continue;
    const proof = bundle.checkpoints[n]?.consistency ?? [];
    const consistent = await provesConsistency(head, newest, proof);
    say(consistent ? 'historyConsistent' : 'historyRewritten', consistent ? 'ok' : 'failed', { first: head.size, second: newest.size });
  }
  return heads;
}

/** Returns the head that a note states, whether its signature holds or not: what else is wrong shall be said too. */
async function verifyNote(note: string, key: Key, say: Say, forged: 'checkpointForged' | 'receivedForged'): Promise<Head> {
  const at = note.lastIndexOf('\n\n');
  if (at < 0 || !note.endsWith('\n')) throw new Error('checkpoint: not a signed note');
  const text = note.slice(0, at + 1);
  const [origin, size, root, ...rest] = text.split('\n');
  if (
    origin === undefined ||
    origin === '' ||
    size === undefined ||
    !/^(0|[1-9]\d{0,15})$/.test(size) ||
    root === undefined ||
    rest[0] !== ''
  )
    throw new Error('checkpoint: not of the form origin, size, root');
  const head = { origin, size: Number(size), root: fromBase64(root) };
  if (head.root.length !== 32) throw new Error('checkpoint: the root has not 32 bytes');

  const signatures = note
    .slice(at + 2, -1)
    .split('\n')
    .map((line) => /^\u2014 (\S+) ([A-Za-z0-9+/=]+)$/u.exec(line))
    .filter((line) => line !== null && line[1] === key.name)
    .map((line) => fromBase64(line?.[2] ?? ''))
    .filter((bytes) => toHex(bytes.slice(0, 4)) === key.id);
  const results = await Promise.all(signatures.map((bytes) => signatureHolds(key.publicKey, bytes.slice(4), utf8(text))));
  if (results.includes(null)) say('signaturesUnsupported', 'unknown', { size: head.size });
  else if (results.length === 0 || results.includes(false)) say(forged, 'failed', { size: head.size, key: key.name });
  else if (forged === 'checkpointForged') say('checkpointSigned', 'ok', { size: head.size, origin });
  return head;
}

type Received = {
  bundle: Bundle;
  heads: readonly Head[];
  key: Key;
  policy: Policy | null;
  sound: readonly SoundEvent[];
  cosigned: readonly Cosigned[];
};

/** A checkpoint from elsewhere: the log must contain it, unless the file is older than it. */
async function verifyReceived(note: string | null, read: Received, say: Say): Promise<void> {
  if (note === null) return;
  const { heads, key, policy, sound, cosigned } = read;
  const text = `${note.replaceAll('\r\n', '\n').trimEnd()}\n`;
  const received = await verifyNote(text, key, say, 'receivedForged');
  const newest = heads.at(-1);
  const root = heads.find((head) => head.size === received.size)?.root ?? (await rootAt(received.size, read));
  const values = { size: received.size };
  if (newest === undefined || received.origin !== newest.origin)
    say('checkpointOtherLog', 'failed', { ...values, origin: received.origin });
  else if (root !== null)
    say(sameBytes(root, received.root) ? 'receivedMatches' : 'receivedDiffers', sameBytes(root, received.root) ? 'ok' : 'failed', values);
  else if (received.size <= newest.size) say('receivedNotCovered', 'unknown', values);
  else {
    const seconds = (await readCosignatures(text, policy, key.name))?.seconds ?? null;
    const file = [...sound.map(({ event }) => Date.parse(event.at) / 1000), ...cosigned.map((one) => one.seconds ?? 0)];
    const at = Math.max(0, ...file);
    // Without a time that somebody else has signed a shorter log may be an older one.
    if (seconds === null) say('receivedNotCovered', 'unknown', values);
    else if (at > seconds + CLOCKS_DIFFER_S)
      say('logWentBack', 'failed', { ...values, found: newest.size, at: isoOf(seconds), later: isoOf(at) });
    else say('olderFile', 'unknown', { ...values, found: newest.size, at: isoOf(seconds) });
  }
}

/** Clocks of instances and witnesses may differ by so much. */
const CLOCKS_DIFFER_S = 300;

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();

/** The root of the first entries, where the file has all of them; null where it has not. */
async function rootAt(size: number, { bundle, sound }: Received): Promise<Bytes | null> {
  if (bundle.range?.from !== 0 || size > bundle.range.to) return null;
  const leaves = new Map(sound.map(({ event, leaf }) => [event.leafIndex, leaf]));
  const first = Array.from({ length: size }, (_, index) => leaves.get(index)).filter((leaf) => leaf !== undefined);
  return first.length === size ? await rootOf(first) : null;
}

/** Returns the cosignatures of each checkpoint. Without a policy nobody says whose they would have to be. */
async function verifyWitnesses(
  { checkpoints, events }: Bundle,
  heads: readonly Head[],
  { policy, key }: { policy: Policy | null; key: Key },
  say: Say,
): Promise<Cosigned[]> {
  const read = await Promise.all(checkpoints.map(({ note }) => readCosignatures(note, policy, key.name)));
  const cosigned = read.filter((one) => one !== null);
  if (cosigned.length < read.length) {
    say('signaturesUnsupported', 'unknown');
    return [];
  }
  for (const [n, { forged }] of cosigned.entries())
    for (const witness of forged) say('cosignatureForged', 'failed', { size: heads[n]?.size ?? 0, witness });
  if (policy === null) {
    if (cosigned.some((one) => one.others > 0)) say('witnessesNotPinned', 'unknown');
    return cosigned;
  }
  if (policy.witnesses.size === 0) return cosigned;
  const best = cosigned.findLastIndex(({ signed }) => policy.isMet(signed));
  const [head, by] = [heads[best], cosigned[best]];
  if (head === undefined || by === undefined) {
    say('notWitnessed', 'unknown', { size: heads.at(-1)?.size ?? 0 });
    return cosigned;
  }
  say('witnessed', 'ok', { size: head.size, signers: by.signed.size, at: isoOf(by.seconds ?? 0) });
  const last = Math.max(-1, ...events.map((event) => event.leafIndex));
  if (last >= head.size) say('witnessedInPart', 'unknown', { size: head.size, index: last });
  return cosigned;
}

function verifyStamps({ checkpoints }: Bundle, heads: readonly Head[], check: VerifyOptions['checkStamp'], say: Say): void {
  const stamped = checkpoints.flatMap(({ note, stamp }, n) => (stamp === null ? [] : [{ note, stamp, size: heads[n]?.size ?? 0 }]));
  if (check === undefined) {
    if (stamped.length > 0) say('stampNotChecked', 'unknown');
    return;
  }
  for (const { note, stamp, size } of stamped) {
    const at = check(stamp, note.slice(0, note.lastIndexOf('\n\n') + 1));
    if (at === null) say('stampForged', 'failed', { size });
    else say('stamped', 'ok', { size, at: at.toISOString() });
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Events

/** An event that is in the log with the content that the file has, and the hash of its leaf. */
type SoundEvent = { event: EventClaim; leaf: Bytes };

async function verifyEvents(bundle: Bundle, newest: Head, say: Say): Promise<SoundEvent[]> {
  const sound: SoundEvent[] = [];
  const seen = new Set<number>();
  const blank: EventClaim[] = [];
  let unchanged = 0;
  for (const event of bundle.events) {
    const where = { index: event.leafIndex, id: event.id, action: event.action };
    if (seen.has(event.leafIndex)) say('eventTwice', 'failed', where);
    seen.add(event.leafIndex);
    if (`/${event.workspace}` !== newest.origin.slice(newest.origin.lastIndexOf('/'))) say('eventOtherLog', 'failed', where);

    const contentHolds =
      event.body === null || event.salt === null || toHex(await sha256(event.salt, utf8(canonical(event.body)))) === event.bodyDigest;
    if (!contentHolds) say('eventChanged', 'failed', where);
    else if (event.body === null) blank.push(event);
    else unchanged += 1;

    const leaf = { v: 1, id: event.id, workspace: event.workspace, at: event.at, body: event.bodyDigest };
    const hash = await leafHash(leaf);
    const included = await provesInclusion(hash, event.leafIndex, newest, event.inclusion);
    if (!included) say('eventNotIncluded', 'failed', { ...where, size: newest.size });
    if (included && contentHolds) sound.push({ event, leaf: hash });
  }
  if (unchanged > 0) say('eventsUnchanged', 'ok', { count: unchanged });
  verifyErased(
    blank,
    sound.map(({ event }) => event),
    say,
  );
  if (sound.length > 0) say('eventsIncluded', 'ok', { count: sound.length, size: newest.size });
  return sound;
}

/** Anyone can blank a body in a file. It counts as erased only where an entry of the log, later than the erased one, names its place. */
function verifyErased(blank: readonly EventClaim[], sound: readonly EventClaim[], say: Say): void {
  const erasures = sound.filter((event) => ERASING_ACTIONS.includes(event.action)).map((event) => ({ event, named: erasedBy(event) }));
  let erased = 0;
  for (const { leafIndex, id } of blank) {
    const isNamed = erasures.some(
      ({ event, named }) => event.leafIndex > leafIndex && named.some(([from, to]) => from <= leafIndex && leafIndex < to),
    );
    if (isNamed) erased += 1;
    else say('eventBlanked', 'unknown', { index: leafIndex, id });
  }
  if (erased > 0) say('eventsErased', 'ok', { count: erased });
}

function erasedBy(event: EventClaim): [from: number, to: number][] {
  const { erased = [] } = event.payload ?? {};
  return list(erased, 'payload.erased').map((stretch) => {
    const [from, to] = list(stretch, 'payload.erased');
    return [whole(from, 'payload.erased'), whole(to, 'payload.erased')];
  });
}

const MEANINGS = ['reviewed', 'approved', 'responsible', 'rejected'];
const METHODS = ['session', 'password', 'password_and_factor'];

/**
 * A vote's entry holds it as a signature: what it means, when, how the person proved that it is them, and the digest of what they signed. The
 * digest has to be that of what the entry names: of a change all that it covers is there; of a call, the decisions of its step in the journal.
 */
async function verifySignatures(sound: readonly EventClaim[], run: RunClaim | null, say: Say): Promise<void> {
  const signed = sound.flatMap(({ payload, ...event }) =>
    payload === null || payload.signature === undefined ? [] : [{ ...event, payload }],
  );
  let bound = 0;
  for (const event of signed) {
    const { payload } = event;
    const signature = record(payload.signature, 'payload.signature');
    const { meaning, method, at, digest } = signature;
    const complete =
      MEANINGS.includes(string(meaning, 'payload.signature.meaning')) &&
      METHODS.includes(string(method, 'payload.signature.method')) &&
      !Number.isNaN(Date.parse(string(at, 'payload.signature.at')));
    const isBound =
      digest === payload.digest &&
      (payload.change === undefined ? isDecided(payload, digest, run) : digest === (await changeDigest(event.workspace, payload)));
    if (complete && isBound) bound += 1;
    else say('signatureUnbound', 'failed', { index: event.leafIndex, id: event.id });
  }
  if (bound > 0) say('signaturesBound', 'ok', { count: bound });
}

/** Whether the journal's decisions on this step, where it has any, are about the action that was signed. */
function isDecided(payload: Record<string, unknown>, digest: unknown, run: RunClaim | null): boolean {
  const decisions = (run?.records ?? []).filter(
    ({ record }) => record.record === 'decision' && record.step === payload.step && payload.run === run?.id,
  );
  return payload.subject !== undefined || decisions.length === 0 || decisions.some(({ record }) => record.actionDigest === digest);
}

/** SHA-256 over the RFC 8785 form of a control change. */
async function changeDigest(workspace: string, { kind, before, after, asked, subject }: Record<string, unknown>): Promise<string> {
  return toHex(await sha256(utf8(canonical({ after, before, kind, reason: asked, resource: subject, workspace }))));
}

/**
 * A bundle of a stretch of the log claims every place in it: an event that is not there was dropped. A stretch that does not reach from the
 * first entry to the checkpoint proves nothing of the rest, so the file has to say that it is a part, and of how many entries.
 */
function verifyRange(range: RangeClaim, events: readonly EventClaim[], newest: Head, say: Say): void {
  if (range.of !== null && range.of !== newest.size) throw new Error('range.of: not the size of the log');
  const values = { from: range.from, to: Math.max(range.from, range.to - 1), size: newest.size };
  const reachesAll = range.from === 0 && range.to >= newest.size;
  if (range.to <= range.from || (!reachesAll && range.of === null)) say('restMissing', 'unknown', values);
  else if (!reachesAll) say('partOfLog', 'ok', values);
  if (range.to <= range.from) return;
  const present = new Set(events.map((event) => event.leafIndex));
  let dropped = 0;
  if (range.to - range.from > MOST_EVENTS) throw new Error('range: too long');
  for (let index = range.from; index < range.to; index++) {
    if (present.has(index)) continue;
    dropped += 1;
    say('eventDropped', 'failed', { index });
  }
  if (dropped === 0) say('rangeComplete', 'ok', { from: range.from, to: range.to - 1, count: range.to - range.from });
}

// ---------------------------------------------------------------------------------------------------------------
// The journal of a run

/** The closing entry names every entry of the run and of its approvals before it: one that is missing from the file was dropped. */
function verifyRunEntries(closing: EventClaim, bundled: readonly EventClaim[], say: Say): void {
  const named = closing.payload?.events;
  if (named === undefined) {
    say('runEntriesUnbound', 'unknown', { event: closing.leafIndex });
    return;
  }
  const present = new Set(bundled.map((event) => event.id));
  const ids = list(named, 'payload.events').map((id) => string(id, 'payload.events'));
  for (const id of ids) if (!present.has(id)) say('runEntryDropped', 'failed', { id });
  if (ids.every((id) => present.has(id))) say('runEntriesComplete', 'ok', { count: ids.length, event: closing.leafIndex });
}

async function verifyRun(run: RunClaim, events: readonly EventClaim[], bundled: readonly EventClaim[], say: Say): Promise<void> {
  const [closing, ...others] = events.filter((event) => event.resource === `run/${run.id}` && typeof event.payload?.journal === 'string');
  if (closing?.payload === undefined || closing.payload === null) {
    say('journalOpen', 'unknown', { run: run.id });
    return;
  }
  for (const other of others) say('journalBroken', 'failed', { run: run.id, event: other.leafIndex });
  verifyRunEntries(closing, bundled, say);
  const expected = new Map<string, string>();
  if (Array.isArray(closing.payload.records))
    for (const entry of closing.payload.records)
      if (Array.isArray(entry)) expected.set(string(entry[0], 'journal record'), string(entry[1], 'journal record'));

  const found = new Map<string, string>();
  for (const claim of run.records) {
    found.set(claim.name, toHex(await leafHash(claim.record)));
    for (const part of ['input', 'output'] as const) {
      const digest = claim.record[part] ?? null;
      // A null has a digest or none, and never content.
      const found = toHex(await sha256(utf8(canonical(claim.contents[part] ?? null))));
      if (claim.contents[part] === undefined && digest !== null && digest !== found)
        say('contentMissing', 'unknown', { record: claim.name, part });
      else if (claim.contents[part] !== undefined && digest !== found) say('contentChanged', 'failed', { record: claim.name, part });
    }
  }
  let broken = 0;
  for (const [name, hash] of expected) {
    if (found.get(name) === hash) continue;
    broken += 1;
    say(found.has(name) ? 'recordChanged' : 'recordDropped', 'failed', { record: name });
  }
  for (const name of found.keys()) {
    if (expected.size === 0 || expected.has(name)) continue;
    broken += 1;
    say('recordAdded', 'failed', { record: name });
  }
  const hashes = [...(expected.size === 0 ? found : expected).values()].map(fromHex);
  const root = toHex(await rootOf(hashes));
  if (root !== closing.payload.journal) say('journalBroken', 'failed', { run: run.id, event: closing.leafIndex });
  else if (broken === 0) say('journalComplete', 'ok', { count: run.records.length, event: closing.leafIndex });
}

/** MTH of RFC 9162 section 2.1.1, level by level: a lone node at the end of a level rises as it is. */
async function rootOf(hashes: Bytes[]): Promise<Bytes> {
  if (hashes.length === 0) return await sha256();
  let level = hashes;
  while (level.length > 1) {
    const next: Bytes[] = [];
    for (let n = 0; n < level.length; n += 2) {
      const left = level[n] as Bytes;
      const right = level[n + 1];
      next.push(right === undefined ? left : await parent(left, right));
    }
    level = next;
  }
  return level[0] as Bytes;
}

// ---------------------------------------------------------------------------------------------------------------
// Proofs

/** RFC 9162 section 2.1.3.2. */
async function provesInclusion(leaf: Bytes, index: number, head: Head, proof: readonly Bytes[]): Promise<boolean> {
  if (index >= head.size) return false;
  let fn = BigInt(index);
  let sn = BigInt(head.size) - 1n;
  let r = leaf;
  for (const p of proof) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      r = await parent(p, r);
      while (fn % 2n === 0n && fn !== 0n) {
        fn /= 2n;
        sn /= 2n;
      }
    } else r = await parent(r, p);
    fn /= 2n;
    sn /= 2n;
  }
  return sn === 0n && sameBytes(r, head.root);
}

/** RFC 9162 section 2.1.4.2. */
async function provesConsistency(first: Head, second: Head, proof: readonly Bytes[]): Promise<boolean> {
  if (first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && sameBytes(first.root, second.root);
  if (first.size === 0) return proof.length === 0 && sameBytes(first.root, await sha256());
  const isPower = (BigInt(first.size) & (BigInt(first.size) - 1n)) === 0n;
  const [seed, ...path] = isPower ? [first.root, ...proof] : proof;
  if (seed === undefined || proof.length === 0) return false;
  let fn = BigInt(first.size) - 1n;
  let sn = BigInt(second.size) - 1n;
  while (fn % 2n === 1n) {
    fn /= 2n;
    sn /= 2n;
  }
  let fr = seed;
  let sr = seed;
  for (const c of path) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      fr = await parent(c, fr);
      sr = await parent(c, sr);
      while (fn % 2n === 0n && fn !== 0n) {
        fn /= 2n;
        sn /= 2n;
      }
    } else sr = await parent(sr, c);
    fn /= 2n;
    sn /= 2n;
  }
  return sn === 0n && sameBytes(fr, first.root) && sameBytes(sr, second.root);
}

async function leafHash(value: unknown): Promise<Bytes> {
  return await sha256(new Uint8Array([0]), utf8(canonical(value)));
}

async function parent(left: Bytes, right: Bytes): Promise<Bytes> {
  return await sha256(new Uint8Array([1]), left, right);
}

// ---------------------------------------------------------------------------------------------------------------
// Reading the bundle: it comes from anywhere, so nothing about its form is believed.

type EventClaim = {
  id: string;
  workspace: string;
  at: string;
  leafIndex: number;
  bodyDigest: string;
  inclusion: Bytes[];
  /** Null: erased. */
  body: unknown;
  salt: Bytes | null;
  action: string;
  resource: string;
  payload: Record<string, unknown> | null;
};
type RunClaim = { id: string; records: { name: string; record: Record<string, unknown>; contents: Record<string, unknown> }[] };
/** From `from` up to, not including, `to`. `of`: entries of the whole log, where the file says that it is a part of it. */
type RangeClaim = { from: number; to: number; of: number | null };
type Bundle = {
  subject: Subject;
  origin: string;
  key: string;
  checkpoints: { note: string; consistency: Bytes[]; stamp: Bytes | null }[];
  events: EventClaim[];
  range: RangeClaim | null;
  run: RunClaim | null;
};

function readBundle(value: unknown): Bundle {
  const bundle = record(value, 'the file');
  if (bundle.format !== EVIDENCE_FORMAT) throw new Error(`format: not ${EVIDENCE_FORMAT}`);
  const log = record(bundle.log, 'log');
  const range = bundle.range === undefined || bundle.range === null ? null : record(bundle.range, 'range');
  const run = bundle.run === undefined || bundle.run === null ? null : record(bundle.run, 'run');
  const read: Bundle = {
    subject: readSubject(record(bundle.subject, 'subject')),
    origin: string(log.origin, 'log.origin'),
    key: string(log.key, 'log.key'),
    checkpoints: list(bundle.checkpoints, 'checkpoints').map((item, n) => {
      const checkpoint = record(item, `checkpoints[${n}]`);
      return {
        note: string(checkpoint.note, `checkpoints[${n}].note`),
        consistency: hashes(checkpoint.consistency, `checkpoints[${n}].consistency`),
        stamp: checkpoint.stamp == null ? null : fromBase64(string(checkpoint.stamp, `checkpoints[${n}].stamp`)),
      };
    }),
    events: list(bundle.events, 'events').map((item, n) => readEvent(record(item, `events[${n}]`), `events[${n}]`)),
    range:
      range === null
        ? null
        : {
            from: whole(range.from, 'range.from'),
            to: whole(range.to, 'range.to'),
            of: range.of === undefined ? null : whole(range.of, 'range.of'),
          },
    run:
      run === null
        ? null
        : {
            id: string(run.id, 'run.id'),
            records: list(run.records, 'run.records').map((item, n) => readRecord(record(item, `run.records[${n}]`), `run.records[${n}]`)),
          },
  };
  // Evidence without its subject would prove something else.
  if (read.subject.kind === 'run' && read.run?.id !== read.subject.id) throw new Error('run: missing');
  if (read.subject.kind === 'log' && read.range === null) throw new Error('range: missing');
  if (read.subject.kind === 'log' && read.subject.id !== read.origin) throw new Error('subject.id: not the log of the file');
  if (read.subject.kind === 'event' && !read.events.some((event) => event.id === read.subject.id))
    throw new Error('events: the one it is about is missing');
  return read;
}

function readSubject(subject: Record<string, unknown>): Subject {
  const { kind } = subject;
  if (kind !== 'event' && kind !== 'run' && kind !== 'log') throw new Error('subject.kind: unknown');
  return { kind, id: string(subject.id, 'subject.id') };
}

function readEvent(event: Record<string, unknown>, at: string): EventClaim {
  const body = event.body === null ? null : record(event.body, `${at}.body`);
  const resource = body === null ? null : record(body.resource, `${at}.body.resource`);
  if (body !== null && event.salt === null) throw new Error(`${at}.salt: missing`);
  return {
    id: string(event.id, `${at}.id`),
    workspace: string(event.workspace, `${at}.workspace`),
    at: string(event.at, `${at}.at`),
    leafIndex: whole(event.leafIndex, `${at}.leafIndex`),
    bodyDigest: string(event.bodyDigest, `${at}.bodyDigest`),
    inclusion: hashes(event.inclusion, `${at}.inclusion`),
    body,
    salt: event.salt === null ? null : fromHex(string(event.salt, `${at}.salt`)),
    action: body === null ? '' : string(body.action, `${at}.body.action`),
    resource:
      resource === null ? '' : `${string(resource.kind, `${at}.body.resource.kind`)}/${string(resource.id, `${at}.body.resource.id`)}`,
    payload:
      body === null || typeof body.payload !== 'object' || body.payload === null || Array.isArray(body.payload)
        ? null
        : record(body.payload, `${at}.body.payload`),
  };
}

function readRecord(item: Record<string, unknown>, at: string): RunClaim['records'][number] {
  const claim = record(item.record, `${at}.record`);
  const name =
    claim.record === 'step' ? `step:${string(claim.path, `${at}.record.path`)}` : `decision:${string(claim.id, `${at}.record.id`)}`;
  return { name, record: claim, contents: item.contents === undefined ? {} : record(item.contents, `${at}.contents`) };
}

function record(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${at}: not an object`);
  return value as Record<string, unknown>;
}
function list(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(`${at}: not a list`);
  return value;
}
function string(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new Error(`${at}: not a text`);
  return value;
}
function whole(value: unknown, at: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new Error(`${at}: not a whole number`);
  return value as number;
}
function hashes(value: unknown, at: string): Bytes[] {
  return list(value, at).map((item, n) => {
    const bytes = fromHex(string(item, `${at}[${n}]`));
    if (bytes.length !== 32) throw new Error(`${at}[${n}]: not a SHA-256 hash`);
    return bytes;
  });
}

function shorten(findings: readonly Check[]): Check[] {
  const counts = new Map<CheckCode, number>();
  const shown: Check[] = [];
  for (const check of findings) {
    const count = (counts.get(check.code) ?? 0) + 1;
    counts.set(check.code, count);
    if (count <= MOST_OF_A_KIND) shown.push(check);
  }
  const hidden = findings.length - shown.length;
  if (hidden > 0) shown.push({ code: 'moreOfThese', state: 'failed', values: { count: hidden } });
  return shown;
}

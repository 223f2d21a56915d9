import type { EventClaim } from '#app/features/audit/verifier/bundle.ts';
import { canonical, sha256, toHex, utf8 } from '#app/features/audit/verifier/bytes.ts';
import { signatureHolds } from '#app/features/audit/verifier/keys.ts';
import { leafHash } from '#app/features/audit/verifier/merkle.ts';
import { list, record, string, whole } from '#app/features/audit/verifier/read-value.ts';
import type { Say } from '#app/features/audit/verifier/report.ts';
import { type KeyRing, signaturesBy } from '#app/features/audit/verifier/succession.ts';

const FORM = 'quorate-pack/1';
/** Joined and hashed at once. */
const PART = 5_000;

type PackRecord = { kind: string; id: string; at: string; what: string; place: unknown; controls: unknown[] };
type Surroundings = { origin: string; id: string; ring: KeyRing; events: readonly EventClaim[] };

/**
 * An evidence pack: its records are those that were signed, each sample is the one that the seed draws, and everything drawn is proven by an
 * entry of the log. Which records the log holds beside these is for evidence of the log to say.
 */
export async function verifyPack(pack: Record<string, unknown>, { origin, id, ring, events }: Surroundings, say: Say): Promise<void> {
  const { records: claimed, digest, signature, ...claims } = pack;
  if (claims.format !== FORM) throw new Error(`pack.format: not ${FORM}`);
  const { from, until } = record(claims.period, 'pack.period');
  if (id !== `${record(claims.framework, 'pack.framework').id} ${from}/${until}`) throw new Error('subject.id: not what the pack is about');
  const records = list(claimed, 'pack.records').map(readRecord);

  const unchanged = (await digestOf(list(claimed, 'pack.records'))) === claims.recordsDigest && records.length === claims.recordCount;
  say(unchanged ? 'packRecordsUnchanged' : 'packRecordsChanged', unchanged ? 'ok' : 'failed', { count: records.length });

  const found = toHex(await sha256(utf8(canonical(claims))));
  const signed = found === digest && (await isSigned(string(signature, 'pack.signature'), `${FORM}\n${origin}\n${found}\n`, ring));
  if (signed === null) say('signaturesUnsupported', 'unknown');
  else say(signed ? 'packSigned' : 'packForged', signed ? 'ok' : 'failed', { key: ring.name });

  const drawn = await verifySamples(claims, records, say);
  await verifyDrawn(drawn, list(claims.decisions, 'pack.decisions'), events, say);
}

function readRecord(item: unknown, n: number): PackRecord {
  const at = `pack.records[${n}]`;
  const one = record(item, at);
  return {
    kind: string(one.kind, `${at}.kind`),
    id: string(one.id, `${at}.id`),
    at: string(one.at, `${at}.at`),
    what: string(one.what, `${at}.what`),
    place: one.place,
    controls: list(one.controls, `${at}.controls`),
  };
}

/** SHA-256 over each record and a newline. WebCrypto takes everything at once, so the texts are joined in parts and not one by one. */
async function digestOf(records: readonly unknown[]): Promise<string> {
  const parts = [];
  for (let n = 0; n < records.length; n += PART)
    parts.push(
      utf8(
        records
          .slice(n, n + PART)
          .map((one) => `${canonical(one)}\n`)
          .join(''),
      ),
    );
  return toHex(await sha256(...parts));
}

/** By the newest key of the log that the file names: whoever made the pack had that one. */
async function isSigned(note: string, text: string, ring: KeyRing): Promise<boolean | null> {
  const key = ring.keys.at(-1);
  if (key === undefined || !note.startsWith(`${text}\n`)) return false;
  const [first, ...more] = signaturesBy(note.slice(text.length + 1), key);
  return first === undefined || more.length > 0 ? false : await signatureHolds(key.publicKey, first, utf8(text));
}

/** Draws every sample again. Returns what was drawn. */
async function verifySamples(claims: Record<string, unknown>, records: readonly PackRecord[], say: Say): Promise<PackRecord[]> {
  const seed = string(claims.seed, 'pack.seed');
  const size = whole(claims.sampleSize, 'pack.sampleSize');
  const keys = await Promise.all(records.map(async ({ id }) => toHex(await sha256(utf8(`${seed}\n${id}`)))));
  const ordered = records.map((one, n) => ({ one, key: keys[n] ?? '' })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const drawn = new Map<string, PackRecord>();
  let right = 0;
  for (const [n, item] of list(claims.controls, 'pack.controls').entries()) {
    const control = record(item, `pack.controls[${n}]`);
    const population = ordered.filter(({ one }) => one.controls.includes(control.id));
    const expected = population.slice(0, size).map(({ one }) => one);
    const counted = record(control.counts, `pack.controls[${n}].counts`).population === population.length;
    for (const one of expected) drawn.set(one.id, one);
    if (counted && canonical(expected.map(({ id }) => id)) === canonical(control.sample)) right += 1;
    else say('packSampleDiffers', 'failed', { control: string(control.id, `pack.controls[${n}].id`) });
  }
  if (right > 0) say('packSampleDrawn', 'ok', { count: right, seed });
  return [...drawn.values()];
}

/** An entry that was drawn is among those that are in the log; a decision is named by the one that closed its run. */
async function verifyDrawn(
  drawn: readonly PackRecord[],
  claims: readonly unknown[],
  events: readonly EventClaim[],
  say: Say,
): Promise<void> {
  const entries = new Map(events.map((event) => [event.id, event]));
  const decisions = new Map(claims.map((item, n) => [decisionId(item, n), record(item, `pack.decisions[${n}]`)]));
  let proven = 0;
  for (const one of drawn) {
    const state = one.kind === 'entry' ? isEntry(one, entries.get(one.id)) : await isDecision(one, decisions.get(one.id), entries);
    if (state === true) proven += 1;
    else say(state === null ? 'packDecisionOpen' : 'packRecordUnproven', state === null ? 'unknown' : 'failed', { id: one.id });
  }
  if (proven > 0) say('packSampleProven', 'ok', { count: proven });
}

const decisionId = (item: unknown, n: number) =>
  string(record(record(item, `pack.decisions[${n}]`).record, `pack.decisions[${n}].record`).id, `pack.decisions[${n}].record.id`);

/** Of an erased entry the action went with its content; its place and time remain. */
function isEntry(one: PackRecord, event: EventClaim | undefined): boolean {
  return event !== undefined && event.leafIndex === one.place && event.at === one.at && (event.body === null || event.action === one.what);
}

/** Null: its run is not closed, or has more records than its closing entry names one by one. */
async function isDecision(
  one: PackRecord,
  claim: Record<string, unknown> | undefined,
  entries: ReadonlyMap<string, EventClaim>,
): Promise<boolean | null> {
  if (claim === undefined) return false;
  const decision = record(claim.record, 'pack.decisions.record');
  if (decision.record !== 'decision' || decision.verdict !== one.what || decision.decidedAt !== one.at) return false;
  if (claim.entry === null) return null;
  const closing = entries.get(string(claim.entry, 'pack.decisions.entry'));
  if (closing === undefined || closing.resource !== `run/${claim.run}`) return false;
  const named = closing.payload?.records;
  if (!Array.isArray(named) || named.length === 0) return null;
  const hash = toHex(await leafHash(decision));
  return named.some((entry) => Array.isArray(entry) && entry[0] === `decision:${one.id}` && entry[1] === hash);
}

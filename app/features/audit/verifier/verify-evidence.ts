/**
 * Verifies a bundle of evidence (format quorate-evidence/1) with nothing but WebCrypto. It imports nothing but the files of its own
 * folder, on purpose: it runs in a browser and under Node, and a mistake in the code that writes the log cannot hide itself here. Sources:
 * RFC 8785 (canonical JSON), RFC 9162 sections 2.1.3.2 and 2.1.4.2 (proofs), c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature and
 * tlog-policy.
 */
import { type Bundle, readBundle } from '#app/features/audit/verifier/bundle.ts';
import { pinnedBy, verifyCheckpoints } from '#app/features/audit/verifier/checkpoints.ts';
import { verifyEvents } from '#app/features/audit/verifier/events.ts';
import { verifyRun } from '#app/features/audit/verifier/journal.ts';
import type { VerifyOptions } from '#app/features/audit/verifier/options.ts';
import { verifyPack } from '#app/features/audit/verifier/pack.ts';
import { readPolicy } from '#app/features/audit/verifier/policy.ts';
import { verifyRange } from '#app/features/audit/verifier/range.ts';
import { verifyReceived } from '#app/features/audit/verifier/received.ts';
import {
  type Check,
  type CheckCode,
  type CheckState,
  type Report,
  reportOn,
  type Say,
  type Subject,
} from '#app/features/audit/verifier/report.ts';
import { verifySignatures } from '#app/features/audit/verifier/signatures.ts';
import { followKeys } from '#app/features/audit/verifier/succession.ts';
import { verifyStamps, verifyWitnesses } from '#app/features/audit/verifier/watchers.ts';

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
  return reportOn(findings, subject);
}

async function verifyBundle(bundle: Bundle, options: VerifyOptions, say: Say): Promise<void> {
  const policy = options.policy == null ? null : await readPolicy(options.policy);
  const ring = await followKeys(bundle, (known) => options.key ?? pinnedBy(policy, known), say);
  const heads = await verifyCheckpoints(bundle, ring, say);
  const newest = heads.at(-1);
  if (newest === undefined) throw new Error('checkpoints: none');
  const cosigned = await verifyWitnesses(bundle, heads, { policy, ring }, say);
  await verifyStamps(bundle, heads, options.checkStamp, say);
  const sound = await verifyEvents(bundle, newest, say);
  const events = sound.map(({ event }) => event);
  await verifySignatures(events, bundle.run, say);
  await verifyReceived(options.received ?? null, { bundle, heads, ring, policy, sound, cosigned }, say);
  if (bundle.range !== null) verifyRange(bundle.range, bundle.events, newest, say);
  if (bundle.pack !== null) await verifyPack(bundle.pack, { origin: bundle.origin, id: bundle.subject.id, ring, events }, say);
  if (bundle.run !== null) await verifyRun(bundle.run, events, bundle.events, say);
}

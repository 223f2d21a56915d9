import type { EventClaim, RunClaim } from '#app/features/audit/verifier/bundle.ts';
import { canonical, sha256, toHex, utf8 } from '#app/features/audit/verifier/bytes.ts';
import { record, string } from '#app/features/audit/verifier/read-value.ts';
import type { Say } from '#app/features/audit/verifier/report.ts';

const MEANINGS = ['reviewed', 'approved', 'responsible', 'rejected'];
const METHODS = ['session', 'password', 'password_and_factor', 'passkey'];

/**
 * A vote's entry holds it as a signature: what it means, when, how the person proved that it is them, and the digest of what they signed. The
 * digest has to be that of what the entry names: of a change all that it covers is there; of a call, the decisions of its step in the journal.
 */
export async function verifySignatures(sound: readonly EventClaim[], run: RunClaim | null, say: Say): Promise<void> {
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

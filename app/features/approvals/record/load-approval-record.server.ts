import type { RouterContextProvider } from 'react-router';
import type { ShownSignature } from '#app/components/data/signatures.tsx';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { readSignaturePlaces } from '#app/engine/approvals/signature.ts';
import { loadApproval } from '#app/features/approvals/load-approval.server.ts';

/** An approval with each vote as a signature: printed name, meaning, time, proof of identity, digest and place in the log. */
export async function loadApprovalRecord({ params, context }: { params: { approval: string }; context: Readonly<RouterContextProvider> }) {
  const approval = await loadApproval({ params, context });
  const { votes, places } = await context.get(memberContext).read(async (db) => ({
    votes: await db.selectFrom('quorate.approval_votes').selectAll().where('approval_id', '=', approval.id).orderBy('voted_at').execute(),
    places: await readSignaturePlaces(db, approval.id),
  }));
  const signatures: ShownSignature[] = votes.map((vote) => ({
    name: vote.voter_name,
    meaning: vote.meaning,
    method: vote.method,
    at: vote.voted_at.toISOString(),
    zone: vote.zone,
    digest: vote.action_digest,
    reason: vote.reason,
    place: places.find(({ user }) => user === vote.user_id) ?? null,
  }));
  return { approval, signatures, now: context.get(servicesContext).now().toISOString() };
}
export type LoadedApprovalRecord = Awaited<ReturnType<typeof loadApprovalRecord>>;

import type { RouterContextProvider } from 'react-router';
import type { ShownSignature } from '#app/components/data/signatures.tsx';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { readSignaturePlaces } from '#app/engine/approvals/signature.ts';
import { loadControlChange } from '#app/features/control/load-control-change.server.ts';

/** A control change with each vote, and break-glass, as a signature. */
export async function loadChangeRecord({ params, context }: { params: { change: string }; context: Readonly<RouterContextProvider> }) {
  const asked = await loadControlChange({ params, context });
  const { votes, glass, places } = await context.get(memberContext).read(async (db) => ({
    votes: await db.selectFrom('quorate.control_votes').selectAll().where('change_id', '=', asked.id).orderBy('voted_at').execute(),
    glass: await db.selectFrom('quorate.break_glass').selectAll().where('change_id', '=', asked.id).executeTakeFirst(),
    places: await readSignaturePlaces(db, asked.id),
  }));
  const placeOf = (userId: string) => places.find(({ user }) => user === userId) ?? null;
  const alone =
    glass === undefined
      ? []
      : [
          {
            name: asked.glass?.by ?? '',
            meaning: 'responsible' as const,
            isGlass: true,
            method: glass.method,
            at: glass.started_at.toISOString(),
            zone: null,
            digest: asked.digest,
            reason: glass.reason,
            place: placeOf(glass.user_id),
          },
        ];
  const signatures: (ShownSignature & { isGlass?: boolean })[] = [
    ...alone,
    ...votes.map((vote) => ({
      name: vote.voter_name,
      meaning: vote.meaning,
      method: vote.method,
      at: vote.voted_at.toISOString(),
      zone: vote.zone,
      digest: vote.digest,
      reason: vote.reason,
      place: placeOf(vote.user_id),
    })),
  ];
  return { change: asked, signatures, now: context.get(servicesContext).now().toISOString() };
}
export type LoadedChangeRecord = Awaited<ReturnType<typeof loadChangeRecord>>;

import type { AuditAction } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { NewId } from '#app/contracts/ports.ts';
import type { WatcherFault } from '#app/contracts/tables.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import type { Watched } from '#app/engine/proof/read-watched.ts';

/** Silence shorter than this is a restart or a line that was down: the page shows it, and nobody is told. */
const SILENCE_MS = 3 * 60_000;
const LONGEST_SAID = 4000;

/**
 * What one witness, or the authority, answered about a head. `party`: the verifier key or the address. `signed`: its line, `stamped`: its
 * answer, DER; `at` by its own clock.
 */
export type Word = {
  kind: 'witness' | 'authority';
  party: string;
  fault: WatcherFault | null;
  said: string | null;
  signed?: { line: string; at: Date };
  stamped?: { answer: Uint8Array; at: Date };
};

/** Keeps one word about a head, as a worker, and records in the log whoever fails, disagrees or is back: one event a transaction. */
export async function keepWord(db: Db, deps: { newId: NewId; now(): Date }, watched: Watched, word: Word): Promise<void> {
  const { workspaceId, head } = watched;
  const now = deps.now();
  const before = await db
    .selectFrom('quorate.watchers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('party', '=', word.party)
    .executeTakeFirst();
  const since = word.fault === null ? null : (before?.fault_since ?? now);
  const told = word.fault !== null && since !== null && (word.fault !== 'away' || now.getTime() - since.getTime() >= SILENCE_MS);
  const signedAt = word.signed?.at ?? word.stamped?.at;
  const row = {
    asked_at: now,
    fault: word.fault,
    fault_since: since,
    told,
    said: word.said?.slice(0, LONGEST_SAID) ?? null,
    ...(signedAt === undefined ? {} : { size: head.size, signed_at: signedAt }),
  };
  await db
    .insertInto('quorate.watchers')
    .values({ workspace_id: workspaceId, party: word.party, kind: word.kind, size: null, signed_at: null, ...row })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'party']).doUpdateSet(row))
    .execute();
  await keepSignature(db, watched, word);
  const action = actionOf(before, { fault: word.fault, told });
  if (action === null) return;
  await recordEvent(db, {
    id: deps.newId(),
    actor: { kind: 'system', id: null, name: null },
    workspaceId,
    entry: {
      action,
      resource: { kind: 'watcher', id: word.party, name: word.kind === 'witness' ? (word.party.split('+')[0] ?? '') : word.party },
      payload: {
        size: head.size,
        ...(word.fault === null ? {} : { fault: word.fault }),
        ...(word.said === null ? {} : { said: word.said }),
      },
    },
  });
}

async function keepSignature(db: Db, { workspaceId, head }: Watched, { party, signed, stamped }: Word): Promise<void> {
  const place = { workspace_id: workspaceId, size: head.size };
  if (signed !== undefined)
    await db
      .insertInto('quorate.cosignatures')
      .values({ ...place, witness: party, line: signed.line, signed_at: signed.at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  if (stamped !== undefined)
    await db
      .insertInto('quorate.time_stamps')
      .values({ ...place, authority: party, answer: Buffer.from(stamped.answer), signed_at: stamped.at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

type State = { fault: WatcherFault | null; told: boolean };

/** Null: nobody is told anything new. */
function actionOf(before: State | undefined, after: State): AuditAction | null {
  const was = before?.told ?? false;
  if (after.fault === 'disagrees' && before?.fault !== 'disagrees') return 'watcher.disagreed';
  if (was === after.told) return null;
  return after.told ? 'watcher.failed' : 'watcher.recovered';
}

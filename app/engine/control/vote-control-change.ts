import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { AskedMeaning, BreakGlassOutcome, ControlVote } from '#app/contracts/statuses.ts';
import { type ControlSubject, controlSubjectSchema } from '#app/domain/control/control-subject.ts';
import { AppError } from '#app/domain/errors.ts';
import { changeName } from '#app/engine/control/change-name.ts';

/** A control change as it stands, with the name of its policy, workflow, agent, member, connection or workspace; empty where it is gone. */
export type ReadChange = { id: string; name: string; subject: ControlSubject; digest: string; requestedBy: string };

/** @throws AppError `not_found` */
export async function readControlChange(db: Db, id: string): Promise<ReadChange> {
  const row = await db
    .selectFrom('quorate.control_changes as c')
    .select(['c.id', 'c.subject', 'c.digest', 'c.requested_by', changeName.as('name')])
    .where('c.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return {
    id: row.id,
    name: row.name,
    subject: controlSubjectSchema.parse(row.subject),
    digest: row.digest,
    requestedBy: row.requested_by,
  };
}

/** The status of a change after a vote; of one that break-glass made, how that ended. */
export type ControlDecision = 'approved' | 'rejected' | BreakGlassOutcome;

export type GivenControlVote = {
  change: string;
  vote: ControlVote;
  reason: string;
  /** Digest of the change that the person was shown. */
  digest: string;
  /** The meaning that an agreement states; absent: that it is approved. */
  meaning?: AskedMeaning | undefined;
  /** IANA name of the zone in which the person reads times. */
  zone?: string | undefined;
};

/** Counts another person's vote, by the rules of `quorate.vote_control_change`; an approval makes the change. Of break-glass, how it ended. */
export async function voteControlChange(db: Db, vote: GivenControlVote): Promise<ControlDecision> {
  const { rows } = await sql<{ status: ControlDecision }>`
    select quorate.vote_control_change(${vote.change}, ${vote.vote}, ${vote.reason}, ${vote.digest}, ${vote.meaning ?? null},
      ${vote.zone ?? null}) as status`.execute(db);
  const [answer] = rows;
  if (answer === undefined) throw new AppError('not_found');
  return answer.status;
}

/** Takes the question back, for who asked it, or ends break-glass, for who broke it: then with its outcome, else null. */
export async function withdrawControlChange(db: Db, change: string): Promise<BreakGlassOutcome | null> {
  const { rows } = await sql<{ outcome: BreakGlassOutcome | null }>`select quorate.withdraw_control_change(${change}) as outcome`.execute(
    db,
  );
  return rows[0]?.outcome ?? null;
}

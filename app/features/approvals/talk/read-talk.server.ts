import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

export type TalkEntry = {
  id: string;
  kind: 'comment' | 'question' | 'answer';
  /** Both are empty once the author is erased. */
  author: string;
  text: string;
  at: string;
};

/** `open`: a question without an answer. */
export type QuestionState = 'open' | 'answered' | null;

/** Everything that was written under an approval, the oldest first, and what this reader may write. */
type Talk = {
  entries: TalkEntry[];
  state: QuestionState;
  /** Whether the reader may ask the requester. */
  mayAsk: boolean;
  /** The oldest open question, where the reader is the one to answer it. */
  toAnswer: string | null;
};

export async function readTalk(db: Db, approval: { id: string; requested_by: string }, userId: string): Promise<Talk> {
  const rows = await db
    .selectFrom('quorate.approval_comments')
    .select(['id', 'kind', 'author_name', 'text', 'question_id', 'written_at'])
    .where('approval_id', '=', approval.id)
    .orderBy('written_at')
    .orderBy('id')
    .execute();
  const { rows: asked } = await sql<{ may: boolean }>`select quorate.may_ask_back(${approval.id}) as may`.execute(db);
  const answered = new Set(rows.map((row) => row.question_id));
  const questions = rows.filter((row) => row.kind === 'question');
  const open = questions.filter((row) => !answered.has(row.id));
  return {
    entries: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      author: row.author_name,
      text: row.text,
      at: row.written_at.toISOString(),
    })),
    state: questions.length === 0 ? null : open.length === 0 ? 'answered' : 'open',
    mayAsk: asked[0]?.may ?? false,
    toAnswer: approval.requested_by === userId ? (open[0]?.id ?? null) : null,
  };
}

/** Of `quorate.approvals a`: whether a question about it is open. */
export const questionState = sql<QuestionState>`(
  select case bool_or(not exists (select from quorate.approval_comments n where n.question_id = c.id))
    when true then 'open' when false then 'answered' end
  from quorate.approval_comments c where c.approval_id = a.id and c.kind = 'question')`;

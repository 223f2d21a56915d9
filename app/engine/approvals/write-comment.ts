import { sql } from 'kysely';
import type { AuditAction } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { EventOf, Refusals } from '#app/engine/commands/command.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';

export const COMMENT_MAX_CHARACTERS = 2000;

type Written = { id: string; approval: string; text: string } & ({ kind: 'comment' | 'question' } | { kind: 'answer'; question: string });

export const COMMENT_REFUSALS: Refusals = {
  QC001: { code: 'not_found', reasons: [{ key: 'approval.unknown' }] },
  QC002: { code: 'forbidden', reasons: [{ key: 'comment.mayNotAsk' }] },
  QC003: { code: 'forbidden', reasons: [{ key: 'comment.mayNotAnswer' }] },
  QC004: { code: 'conflict', reasons: [{ key: 'comment.answered' }] },
  QC005: { code: 'conflict', reasons: [{ key: 'comment.full' }] },
};

/** Writes under an approval. Returns the event of it, which holds the digest of the text and not the text. */
export async function writeComment<Action extends AuditAction>(db: Db, action: Action, written: Written): Promise<EventOf<Action>> {
  const { id, approval, kind, text } = written;
  const question = written.kind === 'answer' ? written.question : null;
  const { rows } = await sql<{ a: { runId: string | null; step: string; title: string } }>`
    select quorate.write_approval_comment(${id}, ${approval}, ${kind}, ${question}, ${text}) as a`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the function returned no row');
  const { runId, step, title } = row.a;
  const about: { [key: string]: Json } = runId === null ? { subject: 'release' } : { run: runId, step };
  return {
    action,
    resource: { kind: 'approval', id: approval, name: title },
    payload: { ...about, comment: id, ...(question === null ? {} : { question }), textDigest: digestOf(text) },
  };
}

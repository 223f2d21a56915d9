import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { approvalTitles } from '#app/components/text/asked-words.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Json } from '#app/contracts/json.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { breakGlassOf } from '#app/domain/control/break-glass.ts';
import { can } from '#app/domain/people/roles.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import type { AuditRow } from '#app/features/audit/load-audit-log.server.ts';

/** The log's entries about one run, oldest first, and whether its journal is bound to the log yet. */
export async function loadRunProof({ params, context }: { params: { run: string }; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const { engine } = context.get(servicesContext);
  const id = z.uuid().safeParse(params.run);
  const found = await read(async (db) => {
    if (!id.success) return null;
    const run = await db
      .selectFrom('quorate.runs as r')
      .leftJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
      .select(['r.id', 'r.number', 'r.subject', 'r.journal_hash', 'a.name'])
      .where('r.workspace_id', '=', member.workspace.id)
      .where('r.id', '=', id.data)
      .executeTakeFirst();
    if (run === undefined) return null;
    const approvals = await db.selectFrom('quorate.approvals').select('id').where('run_id', '=', id.data).execute();
    const events = await db
      .selectFrom('quorate.audit_events')
      .selectAll()
      .where('workspace_id', '=', member.workspace.id)
      .where('resource_kind', 'in', ['run', 'approval'])
      .where('resource_id', 'in', [id.data, ...approvals.map((approval) => approval.id)])
      .orderBy('at')
      .orderBy('id')
      .execute();
    const votes = await db
      .selectFrom('quorate.approvals as a')
      .select(['a.id', 'a.title', sql<Json>`quorate.asked_of(a.subject)`.as('asked')])
      .where('a.run_id', '=', id.data)
      .where((eb) => eb.exists(eb.selectFrom('quorate.approval_votes as v').select('v.user_id').whereRef('v.approval_id', '=', 'a.id')))
      .orderBy('a.created_at')
      .execute();
    return { run, events, votes };
  });
  if (found === null) throw data({ code: 'not_found' }, { status: 404 });
  const rows: AuditRow[] = found.events.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, name: row.actor_name },
    action: row.action,
    resource: { kind: row.resource_kind, id: row.resource_id, name: row.resource_name },
    erased: row.salt === null,
    breakGlass: breakGlassOf(row.payload).length > 0,
    leafIndex: row.leaf_index,
  }));
  return {
    id: found.run.id,
    number: found.run.number,
    subject: readSubject(found.run.subject),
    ...inReadersLanguage(context, { workflow: found.run.name ?? '', rows }),
    /** Its approvals that somebody signed. */
    signed: found.votes.map(({ id: approval, title, asked }) => ({ approval, title: approvalTitles(context)(title, asked) })),
    journal: found.run.journal_hash,
    mayExport: can(member.roles, 'exportEvidence'),
    key: vkey(engine.signer.name, engine.signer.publicKey, sha256),
  };
}
export type LoadedRunProof = Awaited<ReturnType<typeof loadRunProof>>;

import { sql } from 'kysely';
import { href } from 'react-router';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { type ApiArguments, answer, idOf, pageOfRows } from '#app/features/api/answer.server.ts';
import { apiApproval, approvalsQuery } from '#app/features/api/api-schemas.server.ts';

const approvalsOf = (db: Db, workspaceId: string) =>
  db
    .selectFrom('quorate.approvals as a')
    .leftJoin('quorate.runs as r', 'r.id', 'a.run_id')
    .where('a.workspace_id', '=', workspaceId)
    .select([
      'a.id',
      'a.run_id',
      'r.number as run_number',
      'r.subject as run_subject',
      'a.title',
      'a.status',
      'a.risk',
      'a.action_digest',
      'a.quorum',
      'a.created_at',
      'a.due_at',
      'a.decided_at',
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof approvalsOf>['execute']>>[number];

const toApi = (row: Row, origin: string) =>
  apiApproval.parse({
    ...row,
    runId: row.run_id,
    runNumber: row.run_number,
    runSubject: plainSubject(readSubject(row.run_subject)),
    actionDigest: row.action_digest,
    createdAt: row.created_at.toISOString(),
    dueAt: row.due_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    url: `${origin}${href('/dashboard/approvals/:approval', { approval: row.id })}`,
  });

/** Approvals to read. They are decided by people, in the product. */
export const listApprovalsApi = (args: ApiArguments) =>
  answer(args, approvalsQuery, async ({ limit, cursor, status }, { access, services }) => {
    const rows = await access.read((db) => {
      let query = approvalsOf(db, access.key.workspace.id);
      if (status !== undefined) query = query.where('a.status', '=', status);
      if (cursor !== undefined)
        query = query.where(
          sql<boolean>`(a.created_at, a.id) < (select b.created_at, b.id from quorate.approvals b where b.id = ${cursor}::uuid)`,
        );
      return query
        .orderBy('a.created_at', 'desc')
        .orderBy('a.id', 'desc')
        .limit(limit + 1)
        .execute();
    });
    return pageOfRows(rows, limit, (row) => toApi(row, services.origin));
  });

export const readApprovalApi = (args: ApiArguments & { params: { approval: string } }) =>
  answer(args, z.object({}), async (_, { access, services }) => {
    const id = idOf(args.params.approval);
    const row = await access.read((db) => approvalsOf(db, access.key.workspace.id).where('a.id', '=', id).executeTakeFirst());
    if (row === undefined) throw new AppError('not_found');
    return toApi(row, services.origin);
  });

import type { RouterContextProvider } from 'react-router';
import { APPROVAL_STATUSES, type ApprovalStatus, type Risk } from '#app/domain/statuses.ts';
import { countPendingApprovals } from '#app/engine/approvals/count-pending-approvals.ts';
import { memberContext } from '#app/request-context.ts';

export const INBOX_PAGE_SIZE = 50;
/** `pending` is what one comes for; `all` has the open ones first. */
export const INBOX_FILTERS = ['pending', 'approved', 'consumed', 'rejected', 'expired', 'withdrawn', 'all'] as const;
export type InboxFilter = (typeof INBOX_FILTERS)[number];

export type InboxRow = {
  id: string;
  title: string;
  subjectKind: 'step' | 'release';
  workflowName: string;
  status: ApprovalStatus;
  risk: Risk;
  requestedBy: string;
  createdAt: string;
  dueAt: string;
};

/** The workspace's approvals that the member may see; of the open ones, what is due first stands first. */
export async function loadApprovalInbox({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const filter = INBOX_FILTERS.find((word) => word === url.searchParams.get('status')) ?? 'pending';
  const page = Math.max(1, Math.min(10_000, Math.trunc(Number(url.searchParams.get('page') ?? '1')) || 1));
  const found = await read(async (db) => {
    let base = db.selectFrom('quorate.approvals as a').where('a.status', 'in', filter === 'all' ? APPROVAL_STATUSES : [filter]);
    base = base.where('a.workspace_id', '=', member.workspace.id);
    const { total } = await base.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await base
      .leftJoin('quorate.runs as r', 'r.id', 'a.run_id')
      .leftJoin('quorate.artifacts as w', 'w.id', 'r.artifact_id')
      .leftJoin('quorate.members as m', (join) =>
        join.onRef('m.user_id', '=', 'a.requested_by').onRef('m.workspace_id', '=', 'a.workspace_id'),
      )
      .select([
        'a.id',
        'a.title',
        'a.subject_kind',
        'a.status',
        'a.risk',
        'a.created_at',
        'a.due_at',
        'w.name as workflow_name',
        'm.name as requested_by_name',
      ])
      .orderBy((eb) => eb('a.status', '=', 'pending'), 'desc')
      .orderBy((eb) => eb.case().when('a.status', '=', 'pending').then(eb.ref('a.due_at')).end(), 'asc')
      .orderBy('a.created_at', 'desc')
      .orderBy('a.id', 'desc')
      .limit(INBOX_PAGE_SIZE)
      .offset((page - 1) * INBOX_PAGE_SIZE)
      .execute();
    return { total, rows, mine: await countPendingApprovals(db, member) };
  });
  return {
    filter,
    page,
    pageCount: Math.max(1, Math.ceil(found.total / INBOX_PAGE_SIZE)),
    total: found.total,
    mine: found.mine,
    rows: found.rows.map(
      (row): InboxRow => ({
        id: row.id,
        title: row.title,
        subjectKind: row.subject_kind,
        workflowName: row.workflow_name ?? '',
        status: row.status,
        risk: row.risk,
        requestedBy: row.requested_by_name ?? '',
        createdAt: row.created_at.toISOString(),
        dueAt: row.due_at.toISOString(),
      }),
    ),
  };
}

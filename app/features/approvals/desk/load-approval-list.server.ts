import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { approvalTitles } from '#app/components/text/asked-words.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import type { ApprovalStatus, Risk } from '#app/contracts/statuses.ts';
import { can } from '#app/domain/people/roles.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { type ApprovalFilter, fitsFilter } from '#app/engine/approvals/approval-filter.ts';
import { countPendingApprovals } from '#app/engine/approvals/count-pending-approvals.ts';
import { findNextApproval } from '#app/engine/approvals/find-next-approval.ts';
import { readWaitingRoles } from '#app/engine/approvals/role-requests.ts';
import { readWaitingTasks } from '#app/engine/runs/waiting-tasks.ts';
import { readApprovalFilter } from '#app/features/approvals/desk/read-approval-filter.server.ts';

export const INBOX_PAGE_SIZE = 50;
/** To count, or to pass, more would cost more the longer the workspace lives. */
const MOST_PAGES = 200;
/** `pending` is the default; `all` lists the open ones first. */
export const INBOX_FILTERS = ['pending', 'approved', 'consumed', 'rejected', 'expired', 'withdrawn', 'all'] as const;
export type InboxFilter = (typeof INBOX_FILTERS)[number];

export type InboxRow = {
  id: string;
  title: string;
  subjectKind: 'step' | 'outcome' | 'release';
  /** The run that asks; null for the release of a halt. */
  run: (RunIdentity & { workflow: string }) | null;
  status: ApprovalStatus;
  risk: Risk;
  requestedBy: string;
  createdAt: string;
  dueAt: string;
};

/** The workspace's approvals that the member may see; of the open ones, what is due first stands first, of the others the newest. */
export async function loadApprovalList({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const filter = INBOX_FILTERS.find((word) => word === url.searchParams.get('status')) ?? 'pending';
  const chosen = readApprovalFilter(url);
  const page = Math.max(1, Math.min(MOST_PAGES, Math.trunc(Number(url.searchParams.get('page') ?? '1')) || 1));
  const scope = { workspaceId: member.workspace.id, own: can(member.roles, 'seeAllRuns') ? null : member.userId, chosen };
  const found = await read(async (db) => {
    const total = await countApprovals(db, scope, filter);
    const ids = await readPage(db, scope, filter, (page - 1) * INBOX_PAGE_SIZE);
    return { total, rows: ids.length === 0 ? [] : await readRows(db, ids), workflows: await readWorkflows(db, member.workspace.id) };
  });
  const titleOf = approvalTitles(context);
  return {
    filter,
    chosen,
    workflows: inReadersLanguage(context, found.workflows),
    page,
    pageCount: Math.max(1, Math.ceil(found.total / INBOX_PAGE_SIZE)),
    total: found.total,
    rows: inReadersLanguage(
      context,
      found.rows.map(
        (row): InboxRow => ({
          id: row.id,
          title: titleOf(row.title, row.asked),
          subjectKind: row.subject_kind,
          run: row.number === null ? null : { number: row.number, subject: readSubject(row.subject), workflow: row.workflow_name ?? '' },
          status: row.status,
          risk: row.risk,
          requestedBy: row.requested_by_name ?? '',
          createdAt: row.created_at.toISOString(),
          dueAt: row.due_at.toISOString(),
        }),
      ),
    ),
  };
}

export type LoadedList = Awaited<ReturnType<typeof loadApprovalList>>;

/** This member's own work, shown beside the list: how many decisions, and the forms and changes of roles that are theirs. */
export async function loadInbox({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const found = await read(async (db) => ({
    roles: await readWaitingRoles(db, member, INBOX_PAGE_SIZE),
    tasks: await readWaitingTasks(db, INBOX_PAGE_SIZE),
    mine: await countPendingApprovals(db, member),
    first: await findNextApproval(db, member, null, readApprovalFilter(url)),
  }));
  return { ...found, tasks: inReadersLanguage(context, found.tasks) };
}

export type LoadedInbox = Awaited<ReturnType<typeof loadInbox>>;

type Scope = { workspaceId: string; own: string | null; chosen: ApprovalFilter };

/** Members who see only their own approvals are named in the statement: their few rows are found without reading everyone's. */
function approvalsOf(db: Db, { workspaceId, own, chosen }: Scope) {
  const all = db.selectFrom('quorate.approvals as a').where('a.workspace_id', '=', workspaceId).where(fitsFilter(chosen));
  return own === null ? all : all.where('a.requested_by', '=', own);
}

/** As many are offered. */
const MOST_WORKFLOWS = 200;

function readWorkflows(db: Db, workspaceId: string) {
  return db
    .selectFrom('quorate.artifacts as w')
    .select(['w.id', 'w.name'])
    .where('w.workspace_id', '=', workspaceId)
    .where('w.kind', '=', 'workflow')
    .where('w.deleted_at', 'is', null)
    .orderBy('w.name')
    .limit(MOST_WORKFLOWS)
    .execute();
}

/** No further than the last page that can be asked for. */
async function countApprovals(db: Db, scope: Scope, filter: InboxFilter): Promise<number> {
  const all = approvalsOf(db, scope);
  const counted = (filter === 'all' ? all : all.where('a.status', '=', filter)).select('a.id').limit(INBOX_PAGE_SIZE * MOST_PAGES);
  const { total } = await db
    .selectFrom(counted.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** Ids of one page, each part in the order of its index. */
async function readPage(db: Db, scope: Scope, filter: InboxFilter, offset: number): Promise<string[]> {
  const open = (from: number) =>
    approvalsOf(db, scope)
      .where('a.status', '=', 'pending')
      .select('a.id')
      .orderBy('a.due_at')
      .orderBy('a.created_at', 'desc')
      .orderBy('a.id', 'desc')
      .limit(INBOX_PAGE_SIZE)
      .offset(from)
      .execute();
  if (filter === 'pending') return (await open(offset)).map((row) => row.id);
  const closed = (from: number, most: number) => {
    const all = approvalsOf(db, scope);
    return (filter === 'all' ? all.where('a.status', '<>', 'pending') : all.where('a.status', '=', filter))
      .select('a.id')
      .orderBy('a.created_at', 'desc')
      .orderBy('a.id', 'desc')
      .limit(most)
      .offset(from)
      .execute();
  };
  if (filter !== 'all') return (await closed(offset, INBOX_PAGE_SIZE)).map((row) => row.id);
  const before = await countApprovals(db, scope, 'pending');
  const first = offset < before ? await open(offset) : [];
  const rest = first.length < INBOX_PAGE_SIZE ? await closed(Math.max(0, offset - before), INBOX_PAGE_SIZE - first.length) : [];
  return [...first, ...rest].map((row) => row.id);
}

async function readRows(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('quorate.approvals as a')
    .leftJoin('quorate.runs as r', 'r.id', 'a.run_id')
    .leftJoin('quorate.artifacts as w', 'w.id', 'r.artifact_id')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.user_id', '=', 'a.requested_by').onRef('m.workspace_id', '=', 'a.workspace_id'),
    )
    .where((eb) => eb('a.id', '=', eb.fn.any(eb.val([...ids]))))
    .select([
      'a.id',
      'a.title',
      sql<unknown>`quorate.asked_of(a.subject)`.as('asked'),
      'a.subject_kind',
      'a.status',
      'a.risk',
      'a.created_at',
      'a.due_at',
      'r.number',
      'r.subject',
      'w.name as workflow_name',
      'm.name as requested_by_name',
    ])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

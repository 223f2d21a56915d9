import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { listSavedViews } from '#app/components/saved-views/saved-views.server.ts';
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
import { isAway, isDutyOf } from '#app/engine/approvals/work/whose.ts';
import { readWaitingChanges } from '#app/engine/control/waiting-changes.ts';
import { readWaitingTasks } from '#app/engine/runs/waiting-tasks.ts';
import { APPROVAL_VIEWS } from '#app/features/approvals/desk/approval-views.server.ts';
import { type InboxFilter, readApprovalFilter, readInboxFilter } from '#app/features/approvals/desk/read-approval-filter.server.ts';
import { type QuestionState, questionState } from '#app/features/approvals/talk/read-talk.server.ts';

export const INBOX_PAGE_SIZE = 50;
/** To count, or to pass, more would cost more the longer the workspace lives. */
const MOST_PAGES = 200;
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
  /** Whose duty an open one is; null: everyone's who may decide. */
  holder: { name: string; isMe: boolean; standsIn: { for: string; until: string } | null } | null;
  /** Whether a question about it is open, of one that is pending. */
  question: QuestionState;
};

/** The workspace's approvals that the member may see; of the open ones, what is due first stands first, of the others the newest. */
export async function loadApprovalList({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const filter = readInboxFilter(url.searchParams);
  const chosen = readApprovalFilter(url.searchParams);
  const page = Math.max(1, Math.min(MOST_PAGES, Math.trunc(Number(url.searchParams.get('page') ?? '1')) || 1));
  const scope = { workspaceId: member.workspace.id, reader: member.userId, own: !can(member.roles, 'seeAllRuns'), chosen };
  const found = await read(async (db) => {
    const total = await countApprovals(db, scope, filter);
    const ids = await readPage(db, scope, filter, (page - 1) * INBOX_PAGE_SIZE);
    const rows = ids.length === 0 ? [] : await readRows(db, ids);
    return { total, rows, workflows: await readWorkflows(db, member.workspace.id), deciders: await readDeciders(db, member.workspace.id) };
  });
  const titleOf = approvalTitles(context);
  return {
    filter,
    chosen,
    workflows: inReadersLanguage(context, found.workflows),
    deciders: found.deciders,
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
          holder:
            row.holder_name === null
              ? null
              : {
                  name: row.holder_name,
                  isMe: row.holder === member.userId,
                  standsIn:
                    row.stood_in_for === null || row.stands_in_until === null
                      ? null
                      : { for: row.stood_in_for, until: row.stands_in_until.toISOString() },
                },
          question: row.status === 'pending' ? row.question : null,
        }),
      ),
    ),
  };
}

export type LoadedList = Awaited<ReturnType<typeof loadApprovalList>>;

/** This member's own work, shown beside the list: how many decisions, and the forms and control changes that are theirs. */
export async function loadInbox({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const found = await read(async (db) => ({
    changes: await readWaitingChanges(db, member, INBOX_PAGE_SIZE),
    tasks: await readWaitingTasks(db, INBOX_PAGE_SIZE),
    mine: await countPendingApprovals(db, member),
    first: await findNextApproval(db, member, null, readApprovalFilter(url.searchParams)),
    views: await listSavedViews(db, APPROVAL_VIEWS, { workspaceId: member.workspace.id, userId: member.userId }),
  }));
  const mayName = member.roles.some((role) => role === 'approver' || role === 'admin');
  const { tasks, changes } = inReadersLanguage(context, { tasks: found.tasks, changes: found.changes });
  return { ...found, url: APPROVAL_VIEWS.addressOf(url.search), mayName, tasks, changes };
}

export type LoadedInbox = Awaited<ReturnType<typeof loadInbox>>;

type Scope = { workspaceId: string; reader: string; own: boolean; chosen: ApprovalFilter };

/** Members who see only their own approvals are named in the statement: their few rows are found without reading everyone's. */
function approvalsOf(db: Db, { workspaceId, reader, own, chosen }: Scope) {
  const all = db.selectFrom('quorate.approvals as a').where('a.workspace_id', '=', workspaceId).where(fitsFilter(chosen, reader));
  return own ? all.where('a.requested_by', '=', reader) : all;
}

/** As many are offered. */
const MOST_WORKFLOWS = 200;
const MOST_DECIDERS = 200;

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

/** Members to whom an approval may be assigned. */
function readDeciders(db: Db, workspaceId: string) {
  return db
    .selectFrom('quorate.members as m')
    .select(['m.user_id as id', 'm.name'])
    .where('m.workspace_id', '=', workspaceId)
    .where(sql<boolean>`'approver' = any (m.roles)`)
    .orderBy('m.name')
    .limit(MOST_DECIDERS)
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
  const open = (from: number) => readOpen(db, scope, from);
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

/** A page of the open ones: the reader's own duties first, then the others, each in the order in which they are due. */
async function readOpen(db: Db, scope: Scope, offset: number) {
  const own = isDutyOf(scope.reader);
  const all = approvalsOf(db, scope).where('a.status', '=', 'pending');
  const part = (whose: typeof own, from: number, most: number) =>
    all
      .where(whose)
      .select('a.id')
      .orderBy('a.due_at')
      .orderBy('a.created_at', 'desc')
      .orderBy('a.id', 'desc')
      .limit(most)
      .offset(from)
      .execute();
  const { count } = await all
    .where(own)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const first = offset < count ? await part(own, offset, INBOX_PAGE_SIZE) : [];
  const left = INBOX_PAGE_SIZE - first.length;
  return left === 0 ? first : [...first, ...(await part(sql<boolean>`(${own} is not true)`, Math.max(0, offset - count), left))];
}

async function readRows(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('quorate.approvals as a')
    .leftJoin('quorate.runs as r', 'r.id', 'a.run_id')
    .leftJoin('quorate.artifacts as w', 'w.id', 'r.artifact_id')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.user_id', '=', 'a.requested_by').onRef('m.workspace_id', '=', 'a.workspace_id'),
    )
    .leftJoin('quorate.members as h', (join) =>
      join
        .on(sql<boolean>`a.assigned_to is not null and a.status = 'pending' and h.user_id = quorate.holder_here(a)`)
        .onRef('h.workspace_id', '=', 'a.workspace_id'),
    )
    .leftJoin('quorate.deputies as d', (join) =>
      join.on(sql<boolean>`d.workspace_id = a.workspace_id and d.user_id = a.assigned_to and d.deputy_id = h.user_id and ${isAway}`),
    )
    .leftJoin('quorate.members as o', (join) => join.onRef('o.user_id', '=', 'd.user_id').onRef('o.workspace_id', '=', 'd.workspace_id'))
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
      'h.user_id as holder',
      'h.name as holder_name',
      questionState.as('question'),
      'o.name as stood_in_for',
      'd.until_at as stands_in_until',
    ])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
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

/**
 * The workspace's approvals that the member may see; of the open ones, what is due first stands first, of the others the newest. `?after=`
 * is the key of the last one of the page before.
 */
export async function loadApprovalList({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const filter = readInboxFilter(url.searchParams);
  const chosen = readApprovalFilter(url.searchParams);
  const scope = { workspaceId: member.workspace.id, reader: member.userId, own: !can(member.roles, 'seeAllRuns'), chosen };
  const found = await read(async (db) => {
    const after = await findPlace(db, filter, url.searchParams.get('after'));
    const page = await readPage(db, scope, filter, after);
    const rows = page.length === 0 ? [] : await readRows(db, page.slice(0, INBOX_PAGE_SIZE));
    return {
      rows,
      after: after?.key ?? null,
      next: page.length > INBOX_PAGE_SIZE ? (page[INBOX_PAGE_SIZE - 1]?.key ?? null) : null,
      workflows: await readWorkflows(db, member.workspace.id),
      deciders: await readDeciders(db, member.workspace.id),
    };
  });
  const titleOf = approvalTitles(context);
  return {
    filter,
    chosen,
    workflows: inReadersLanguage(context, found.workflows),
    deciders: found.deciders,
    after: found.after,
    next: found.next,
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
    .where('w.kind', 'in', ['workflow', 'gateway'])
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

/** In this order: the reader's own duties, the other open ones, and those that are closed. */
const PARTS = ['mine', 'open', 'closed'] as const;
type Part = (typeof PARTS)[number];
/** `due`, `created`: as the database writes them, which is finer than a date of JavaScript. */
type Place = { key: string; part: Part; id: string; due: string; created: string };

const partsOf = (filter: InboxFilter): readonly Part[] => (filter === 'pending' ? ['mine', 'open'] : filter === 'all' ? PARTS : ['closed']);

/** The row that a key names, whatever became of it meanwhile; null for a key that is none, or of a part that the list does not have. */
async function findPlace(db: Db, filter: InboxFilter, key: string | null): Promise<Place | null> {
  const [part, id] = (key ?? '').split('.', 2);
  const known = partsOf(filter).find((one) => one === part);
  if (key === null || known === undefined || !z.uuid().safeParse(id).success) return null;
  const row = await db
    .selectFrom('quorate.approvals')
    .select(['id', sql<string>`due_at::text`.as('due'), sql<string>`created_at::text`.as('created')])
    .where('id', '=', id ?? '')
    .executeTakeFirst();
  return row === undefined ? null : { key, part: known, ...row };
}

/** One page and one row more, each part in the order of its index. */
async function readPage(db: Db, scope: Scope, filter: InboxFilter, after: Place | null) {
  const parts = partsOf(filter);
  const page: { id: string; key: string }[] = [];
  for (const part of parts.slice(after === null ? 0 : parts.indexOf(after.part))) {
    const left = INBOX_PAGE_SIZE + 1 - page.length;
    if (left === 0) break;
    const from = after?.part === part ? after : null;
    const rows = part === 'closed' ? await readClosed(db, scope, filter, from, left) : await readOpen(db, scope, part, from, left);
    page.push(...rows.map(({ id }) => ({ id, key: `${part}.${id}` })));
  }
  return page;
}

function readClosed(db: Db, scope: Scope, filter: InboxFilter, after: Place | null, most: number) {
  const all = approvalsOf(db, scope);
  const closed = filter === 'all' ? all.where('a.status', '<>', 'pending') : all.where('a.status', '=', filter);
  return closed
    .$if(after !== null, (query) => query.where(sql<boolean>`(a.created_at, a.id) < (${after?.created}::timestamptz, ${after?.id}::uuid)`))
    .select('a.id')
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(most)
    .execute();
}

function readOpen(db: Db, scope: Scope, part: 'mine' | 'open', after: Place | null, most: number) {
  const own = isDutyOf(scope.reader);
  return approvalsOf(db, scope)
    .where('a.status', '=', 'pending')
    .where(part === 'mine' ? own : sql<boolean>`(${own} is not true)`)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(a.due_at >= ${after?.due}::timestamptz
        and (a.due_at > ${after?.due}::timestamptz or (a.created_at, a.id) < (${after?.created}::timestamptz, ${after?.id}::uuid)))`),
    )
    .select('a.id')
    .orderBy('a.due_at')
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(most)
    .execute();
}

async function readRows(db: Db, page: readonly { id: string }[]) {
  const ids = page.map(({ id }) => id);
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
    .where((eb) => eb('a.id', '=', eb.fn.any(eb.val(ids))))
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

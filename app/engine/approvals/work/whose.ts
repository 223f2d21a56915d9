import { sql } from 'kysely';

/** Of `quorate.deputies d`: those for a time that runs now. At most one for each member who is away. */
export const isAway = sql<boolean>`(d.ended_at is null and d.from_at <= statement_timestamp() and d.until_at > statement_timestamp())`;

/** Approvers of the workspace who are not away: found once a statement. */
const present = sql`array(select m.user_id from quorate.members m
  where m.workspace_id = quorate.current_workspace_id() and 'approver' = any (m.roles) and not exists (select from quorate.deputies d
    where d.workspace_id = m.workspace_id and d.user_id = m.user_id and ${isAway}))`;

/**
 * Of `quorate.approvals a`: that whoever it was assigned to is there and could decide it, by the rules of `quorate.decider_refusal`. Where one
 * vote decides, nobody has voted on an open one; whoever started the run is given none.
 */
const isWithAssignee = sql<boolean>`(a.role = 'approver' and a.quorum = 1 and a.assigned_to <> a.requested_by
  and a.assigned_to <> a.version_author_id and a.assigned_to = any (${present}))`;

/**
 * Of `quorate.approvals a`: the member whose duty it is, as `quorate.approval_holder` says; null where it is everyone's who may decide. That
 * function takes a tenth of a millisecond for each row, and thousands are asked about: it is called where the answer is not plain.
 */
export const holder = sql<string | null>`case when a.assigned_to is null then null when ${isWithAssignee} then a.assigned_to
  else quorate.holder_here(a) end`;

/** This member, and everyone whom they stand in for now. */
const standsFor = (userId: string) => sql`array(select ${userId}::uuid union all
  select d.user_id from quorate.deputies d where d.deputy_id = ${userId}::uuid and d.workspace_id = quorate.current_workspace_id() and ${isAway})`;

/** Of `quorate.approvals a`: those that are this member's duty, also as a deputy. */
export const isDutyOf = (userId: string) => sql<boolean>`(a.assigned_to = any (${standsFor(userId)}) and ${holder} = ${userId}::uuid)`;

/** Of `quorate.approvals a`: those that are nobody's duty, but everyone's who may decide. */
export const isNobodysDuty = sql<boolean>`(${holder} is null)`;

/** Of `quorate.approvals a`: those that a member was given, whether it is still their duty or not. */
export const wasAssignedTo = (userId: string) => sql<boolean>`(a.assigned_to = ${userId}::uuid)`;

/** Of `quorate.approvals a`: those that are another member's duty. They may be decided all the same. */
export const isDutyOfAnother = (userId: string) =>
  sql<boolean>`(a.assigned_to is not null and coalesce(${holder} <> ${userId}::uuid, false))`;

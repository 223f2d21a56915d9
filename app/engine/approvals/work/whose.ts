import { sql } from 'kysely';

/** Of `quorate.approvals a`: the member whose duty it is; null where it is everyone's who may decide. Asked of assigned ones only. */
const holder = sql<string | null>`case when a.assigned_to is not null then quorate.holder_here(a) end`;

/** Of `quorate.deputies d`: those for a time that runs now. At most one for each member who is away. */
export const isAway = sql<boolean>`(d.ended_at is null and d.from_at <= statement_timestamp() and d.until_at > statement_timestamp())`;

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

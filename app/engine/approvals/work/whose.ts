import { sql } from 'kysely';

/** Of `quorate.approvals a`: the member whose duty it is; null where it is everyone's who may decide. Asked of assigned ones only. */
const holder = sql<string | null>`case when a.assigned_to is not null then quorate.approval_holder(a) end`;

/** Of `quorate.approvals a`: those that are this member's duty. */
export const isDutyOf = (userId: string) => sql<boolean>`(a.assigned_to = ${userId}::uuid and ${holder} = ${userId}::uuid)`;

/** Of `quorate.approvals a`: those that are nobody's duty, but everyone's who may decide. */
export const isNobodysDuty = sql<boolean>`(${holder} is null)`;

/** Of `quorate.approvals a`: those that a member was given, whether it is still their duty or not. */
export const wasAssignedTo = (userId: string) => sql<boolean>`(a.assigned_to = ${userId}::uuid)`;

/** Of `quorate.approvals a`: those that are another member's duty. They may be decided all the same. */
export const isDutyOfAnother = (userId: string) =>
  sql<boolean>`(a.assigned_to is not null and coalesce(${holder} <> ${userId}::uuid, false))`;

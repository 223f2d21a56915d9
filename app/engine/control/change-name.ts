import { sql } from 'kysely';

/**
 * The name of the policy, workflow, agent, member, connection or workspace that the control change `c` is about, as far as the member may
 * read it; empty where it is gone.
 */
export const changeName = sql<string>`coalesce(quorate.name_of_change(c), '')`;

import { Client } from 'pg';
import { superuser } from '#tests/survival/support/instance.ts';

/**
 * Lets the only workspace of a person be used from other networks than this machine's, as its admins can from one of those. Returns its id.
 */
export async function closeToHere(email: string): Promise<string> {
  const client = new Client(superuser(process.env.QUORATE_E2E_DATA ?? ''));
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `with closed as (
         update quorate.workspaces w set session_rules = jsonb_set(w.session_rules, '{networks}', '["192.0.2.0/24"]')
         from quorate.members m where m.workspace_id = w.id and m.email = $1 returning w.id),
       told as (
         insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
         select gen_random_uuid(), id, 'system', 'workspace.configured', 'workspace', id from closed)
       select id from closed`,
      [email],
    );
    const [workspace] = rows;
    if (workspace === undefined || rows.length > 1) throw new Error(`${email} has not one workspace`);
    return workspace.id;
  } finally {
    await client.end();
  }
}

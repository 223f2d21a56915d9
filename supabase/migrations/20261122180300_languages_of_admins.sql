-- The mails about a log go to each admin in the language that they saved with their account.

create function quorate.admin_addresses(p_workspace uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(
    pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('email', m.email, 'language', p.settings -> 'language') order by m.email), '[]')
  from quorate.members m
  left join quorate.preferences p on p.user_id = m.user_id
  where m.workspace_id = p_workspace and 'admin' = any (m.roles)
$$;

drop function quorate.claim_log_alarms();
-- Findings that nobody was told of yet, with the workspace's admins: their addresses and languages.
create function quorate.claim_log_alarms() returns table (workspace_id uuid, workspace_name text, finding jsonb, admins jsonb)
language sql security definer set search_path = '' as $$
  update quorate.log_audits a set mailed_at = pg_catalog.clock_timestamp() from quorate.workspaces w
  where w.id = a.workspace_id and a.finding is not null and a.mailed_at is null
  returning a.workspace_id, w.name, a.finding, quorate.admin_addresses(a.workspace_id)
$$;

-- The same people, for a worker inside their workspace.
create function quorate.list_admin_addresses() returns jsonb language sql stable security definer set search_path = '' as $$
  select quorate.admin_addresses(quorate.current_workspace_id())
$$;

revoke all on function quorate.admin_addresses(uuid), quorate.claim_log_alarms(), quorate.list_admin_addresses() from public;
grant execute on function quorate.claim_log_alarms() to quorate_app;
grant execute on function quorate.list_admin_addresses() to quorate_worker;

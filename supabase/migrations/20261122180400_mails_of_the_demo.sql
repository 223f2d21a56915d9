-- Mails about the demo put its texts into the language of who gets them, as its screens do (decision 29).
drop function quorate.claim_notifications(int);
create function quorate.claim_notifications(p_limit int)
returns table (
  id uuid, workspace_id uuid, workspace_name text, is_demo boolean, user_id uuid, email text, kind text, subject jsonb, settings jsonb
)
language sql security definer set search_path = '' as $$
  update quorate.notifications n set queued_at = pg_catalog.clock_timestamp()
  from quorate.notifications x
  join quorate.members m on m.workspace_id = x.workspace_id and m.user_id = x.user_id
  join quorate.workspaces w on w.id = x.workspace_id
  left join quorate.preferences p on p.user_id = x.user_id
  where n.id = x.id and x.id in (
    select y.id from quorate.notifications y where y.queued_at is null order by y.created_at limit p_limit for update skip locked
  )
  returning n.id, n.workspace_id, w.name, w.is_demo, n.user_id, m.email, n.kind, n.subject, coalesce(p.settings, '{}')
$$;
revoke all on function quorate.claim_notifications(int) from public;
grant execute on function quorate.claim_notifications(int) to quorate_app;

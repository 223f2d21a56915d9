-- A mark that changes when a session ends or its person's roles in the workspace change: open streams end by it.
create function quorate.list_access_marks(p_users uuid[], p_sessions uuid[], p_workspaces uuid[]) returns table (session_id uuid, workspace_id uuid, mark text)
language sql stable security definer set search_path = '' as $$
  select w.session_id, w.workspace_id,
    (select count(*) from auth.sessions s where s.id = w.session_id and s.user_id = w.user_id and (s.not_after is null or s.not_after > now()))
    || ' ' || coalesce((select array_to_string(m.roles, ',') from quorate.members m where m.workspace_id = w.workspace_id and m.user_id = w.user_id), '')
  from unnest(p_users, p_sessions, p_workspaces) as w (user_id, session_id, workspace_id)
$$;
revoke all on function quorate.list_access_marks(uuid[], uuid[], uuid[]) from public;
grant execute on function quorate.list_access_marks(uuid[], uuid[], uuid[]) to quorate_worker;

-- A session has an end of its own: 30 days after it began, and 7 days after it was last used. The auth service renews for ever whoever
-- keeps asking (embedded), or as a project's settings say (hosted); what holds here is the stricter of the two.

create or replace function quorate.become_member(p_user uuid, p_session uuid, p_workspace uuid) returns text[]
language plpgsql security definer set search_path = '' as $$
declare v_roles text[];
begin
  if not exists (
    select from auth.sessions s left join quorate.user_sessions u on u.session_id = s.id
    where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now())
      and coalesce(s.created_at, now()) > now() - interval '30 days'
      and coalesce(u.last_seen_at, s.created_at, now()) > now() - interval '7 days') then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  if p_workspace is not null then
    select m.roles into v_roles from quorate.members m where m.workspace_id = p_workspace and m.user_id = p_user;
    if v_roles is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  end if;
  perform set_config('quorate.user_id', p_user::text, true), set_config('quorate.workspace_id', coalesce(p_workspace::text, ''), true),
    set_config('quorate.roles', array_to_string(coalesce(v_roles, '{}'), ','), true), set_config('quorate.key_id', '', true);
  return coalesce(v_roles, '{}');
end $$;

create or replace function quorate.list_own_sessions() returns table (session_id uuid, browser text, first_seen_at timestamptz, last_seen_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select s.id, coalesce(u.browser, ''), coalesce(u.first_seen_at, s.created_at), coalesce(u.last_seen_at, s.created_at)
  from auth.sessions s left join quorate.user_sessions u on u.session_id = s.id
  where s.user_id = quorate.current_user_id() and quorate.current_key_id() is null and (s.not_after is null or s.not_after > now())
    and coalesce(s.created_at, now()) > now() - interval '30 days'
    and coalesce(u.last_seen_at, s.created_at, now()) > now() - interval '7 days'
  order by 4 desc, 1
$$;

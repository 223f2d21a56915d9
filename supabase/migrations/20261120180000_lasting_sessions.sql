-- When a session has ended was said in three places, and the data API had missed the 30 and the 7 days of session_limits. Now it is said here.
-- Not for anybody to call: what runs as the owner asks it. No search path of its own, which would keep it from being planned with its caller.
create function quorate.lasting_sessions(p_user uuid)
returns table (session_id uuid, browser text, first_seen_at timestamptz, last_seen_at timestamptz, recovering boolean)
language sql stable as $$
  select s.id, coalesce(u.browser, ''), coalesce(u.first_seen_at, s.created_at), coalesce(u.last_seen_at, s.created_at), coalesce(u.recovering, false)
  from auth.sessions s left join quorate.user_sessions u on u.session_id = s.id
  where s.user_id = p_user and (s.not_after is null or s.not_after > now())
    and coalesce(s.created_at, now()) > now() - interval '30 days'
    and coalesce(u.last_seen_at, s.created_at, now()) > now() - interval '7 days'
$$;
revoke all on function quorate.lasting_sessions(uuid) from public;

create or replace function quorate.become_member(p_user uuid, p_session uuid, p_workspace uuid) returns text[]
language plpgsql security definer set search_path = '' as $$
declare v_roles text[];
begin
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
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
  select s.session_id, s.browser, s.first_seen_at, s.last_seen_at from quorate.lasting_sessions(quorate.current_user_id()) s
  where quorate.current_key_id() is null order by 4 desc, 1
$$;

-- The data API looks at the token, which outlives its session.
create or replace function quorate.session_stands() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from quorate.lasting_sessions(auth.uid()) s
    where s.session_id = (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id')::uuid and not s.recovering)
$$;

-- A link of recovery proves the mailbox. Until it has led to a new password its session opens nothing, whatever marks the browser still has:
-- the mark is here, and goes when the password is set.
alter table quorate.user_sessions add column recovering boolean not null default false;

-- Before anything else is done with a session that a recovery link or code has opened.
create function quorate.begin_recovery(p_user uuid, p_session uuid, p_browser text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.user_sessions as u (session_id, user_id, browser, recovering) values (p_session, p_user, left(p_browser, 300), true)
  on conflict (session_id) do update set recovering = true where u.user_id = p_user;
end $$;
-- The password is set.
create function quorate.end_recovery(p_user uuid, p_session uuid) returns void
language sql security definer set search_path = '' as $$
  update quorate.user_sessions u set recovering = false, last_seen_at = now() where u.session_id = p_session and u.user_id = p_user
$$;
revoke all on function quorate.begin_recovery(uuid, uuid, text), quorate.end_recovery(uuid, uuid) from public;
grant execute on function quorate.begin_recovery(uuid, uuid, text), quorate.end_recovery(uuid, uuid) to quorate_app;

create or replace function quorate.become_member(p_user uuid, p_session uuid, p_workspace uuid) returns text[]
language plpgsql security definer set search_path = '' as $$
declare v_roles text[];
begin
  if not exists (
    select from auth.sessions s left join quorate.user_sessions u on u.session_id = s.id
    where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now())
      and coalesce(s.created_at, now()) > now() - interval '30 days'
      and coalesce(u.last_seen_at, s.created_at, now()) > now() - interval '7 days'
      and not coalesce(u.recovering, false)) then
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

-- The data API, too, is closed to it.
create or replace function quorate.session_stands() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from auth.sessions s left join quorate.user_sessions u on u.session_id = s.id
    where s.id = (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id')::uuid
      and s.user_id = auth.uid() and (s.not_after is null or s.not_after > now()) and not coalesce(u.recovering, false))
$$;

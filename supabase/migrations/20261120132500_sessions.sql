-- One's own sessions. The auth service keeps no browser for calls that a server makes, so when and where a session was seen is ours;
-- which of them still stand is the auth service's word.

-- Written at sign-in and, at most once a minute, on use. What the auth service has forgotten is forgotten here too.
create function quorate.note_session(p_user uuid, p_session uuid, p_browser text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user) then return; end if;
  insert into quorate.user_sessions as u (session_id, user_id, browser) values (p_session, p_user, left(p_browser, 300))
  on conflict (session_id) do update set last_seen_at = now() where u.last_seen_at < now() - interval '1 minute';
  delete from quorate.user_sessions u where u.user_id = p_user and not exists (select from auth.sessions s where s.id = u.session_id);
end $$;
revoke all on function quorate.note_session(uuid, uuid, text) from public;
grant execute on function quorate.note_session(uuid, uuid, text) to quorate_app;

create function quorate.list_own_sessions() returns table (session_id uuid, browser text, first_seen_at timestamptz, last_seen_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select s.id, coalesce(u.browser, ''), coalesce(u.first_seen_at, s.created_at), coalesce(u.last_seen_at, s.created_at)
  from auth.sessions s left join quorate.user_sessions u on u.session_id = s.id
  where s.user_id = quorate.current_user_id() and quorate.current_key_id() is null and (s.not_after is null or s.not_after > now())
  order by 4 desc, 1
$$;

-- Ends one of one's own sessions, as the auth service ends them: its row goes, and its refresh tokens with it. False: there was none.
create function quorate.end_own_session(p_session uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if quorate.current_key_id() is not null then raise exception 'a key has no sessions' using errcode = 'QP005'; end if;
  delete from quorate.user_sessions u where u.session_id = p_session and u.user_id = quorate.current_user_id();
  delete from auth.sessions s where s.id = p_session and s.user_id = quorate.current_user_id();
  return found;
end $$;
revoke all on function quorate.list_own_sessions(), quorate.end_own_session(uuid) from public;
grant execute on function quorate.list_own_sessions(), quorate.end_own_session(uuid) to quorate_member;

-- A member's own statement writes preferences; sessions are written by the function above alone, or a list could be forged.
revoke insert, update, delete on quorate.user_sessions from quorate_member;

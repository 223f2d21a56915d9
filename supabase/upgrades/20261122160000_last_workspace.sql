-- Where a person worked last, so that the next sign-in, in whichever browser, leads there.
alter table quorate.preferences add column last_workspace_id uuid references quorate.workspaces (id) on delete set null;

-- The place is kept only for members: a former one is led nowhere.
drop function quorate.note_session(uuid, uuid, text);
create function quorate.note_session(p_user uuid, p_session uuid, p_browser text, p_workspace uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user) then return; end if;
  insert into quorate.user_sessions as u (session_id, user_id, browser) values (p_session, p_user, left(p_browser, 300))
  on conflict (session_id) do update set last_seen_at = now() where u.last_seen_at < now() - interval '1 minute';
  delete from quorate.user_sessions u where u.user_id = p_user and not exists (select from auth.sessions s where s.id = u.session_id);
  insert into quorate.preferences as p (user_id, last_workspace_id)
  select m.user_id, m.workspace_id from quorate.members m where m.user_id = p_user and m.workspace_id = p_workspace
  on conflict (user_id) do update set last_workspace_id = excluded.last_workspace_id
    where p.last_workspace_id is distinct from excluded.last_workspace_id;
end $$;
revoke all on function quorate.note_session(uuid, uuid, text, uuid) from public;
grant execute on function quorate.note_session(uuid, uuid, text, uuid) to quorate_app;

drop function quorate.memberships_of(uuid, uuid, int);
create function quorate.memberships_of(p_user uuid, p_session uuid, p_count_up_to int)
returns table (workspace_id uuid, roles text[], name text, email text, workspace_name text, slug text, halted_at timestamptz, unread int,
  picture text, is_last boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  return query
    select m.workspace_id, m.roles, m.name, m.email, w.name, w.slug, w.halted_at,
      (select count(*)::int from (
        select from quorate.notifications n
          where n.user_id = p_user and n.workspace_id = m.workspace_id and n.read_at is null limit p_count_up_to) u),
      (select a.digest from quorate.avatars a where a.user_id = p_user),
      exists (select from quorate.preferences p where p.user_id = p_user and p.last_workspace_id = m.workspace_id)
    from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
    where m.user_id = p_user order by m.created_at, m.workspace_id;
end $$;
revoke all on function quorate.memberships_of(uuid, uuid, int) from public;
grant execute on function quorate.memberships_of(uuid, uuid, int) to quorate_app;

-- The open invitation of a signed-in person's confirmed address: the newest, or the one with this id. The address is proved as well by
-- its mailbox as by the link, so that whoever confirmed in another browser than the link was opened in still finds it.
create function quorate.own_invitation(p_user uuid, p_session uuid, p_id uuid) returns table (id uuid, token_hash bytea)
language sql stable security definer set search_path = '' as $$
  select i.id, i.token_hash
  from auth.sessions s join auth.users u on u.id = s.user_id join quorate.invitations i on lower(i.email) = lower(u.email)
  where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()) and u.email_confirmed_at is not null
    and (p_id is null or i.id = p_id)
    and (p_id is not null or (i.accepted_at is null and i.declined_at is null and i.withdrawn_at is null and i.expires_at > now()))
  order by i.created_at desc, i.id desc limit 1
$$;
revoke all on function quorate.own_invitation(uuid, uuid, uuid) from public;
grant execute on function quorate.own_invitation(uuid, uuid, uuid) to quorate_app;

-- As before, and an account with an open invitation gets its profile alone: the workspace of who invited is theirs, and declining founds
-- one of their own at the next look.
create or replace function quorate.ensure_account(p_user uuid, p_email text, p_name text, p_workspace uuid, p_workspace_name text,
  p_slug text, p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare v_ws uuid;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
  select m.workspace_id into v_ws from quorate.members m where m.user_id = p_user order by m.created_at, m.workspace_id limit 1;
  if v_ws is not null then return v_ws; end if;
  if exists (select from quorate.invitations i join auth.users u on lower(u.email) = lower(i.email)
    where u.id = p_user and u.email_confirmed_at is not null and i.accepted_at is null and i.declined_at is null and i.withdrawn_at is null
      and i.expires_at > now()) then
    return null;
  end if;
  perform quorate.found_workspace(p_user, p_email, p_name, p_workspace, p_workspace_name, p_slug, p_event);
  return p_workspace;
end $$;
create index invitations_email on quorate.invitations (lower(email));

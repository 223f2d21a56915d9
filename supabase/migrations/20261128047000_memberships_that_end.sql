-- A membership may end on its own, on a day that its invitation says.
alter table quorate.members add column ends_at timestamptz,
  add constraint members_end check (ends_at is null or not 'admin' = any (roles));
create index members_ending on quorate.members (ends_at) where ends_at is not null;
alter table quorate.invitations add column member_until timestamptz,
  add constraint invitations_end check (member_until is null or not 'admin' = any (roles));

create or replace function quorate.become_member(p_user uuid, p_session uuid, p_workspace uuid) returns text[]
language plpgsql security definer set search_path = '' as $$
declare v_roles text[];
begin
  perform quorate.require_session();
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  if p_workspace is not null then
    select m.roles into v_roles from quorate.members m
      where m.workspace_id = p_workspace and m.user_id = p_user and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp());
    if v_roles is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  end if;
  perform quorate.open_principal(p_user, p_session, p_workspace, v_roles, null, null, null);
  return coalesce(v_roles, '{}');
end $$;

create or replace function quorate.become_key(p_key_hash bytea)
  returns table (key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, roles text[],
    scopes text[], expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare k record;
begin
  perform quorate.require_session();
  select a.id, a.name, a.user_id, a.workspace_id, a.scopes, a.expires_at, a.last_used_at, m.user_id as member_id, m.name as member, m.roles,
    w.name as workspace
    into k from quorate.api_keys a join quorate.workspaces w on w.id = a.workspace_id
    left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.user_id
      and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp())
    where a.key_hash = p_key_hash and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null then raise exception 'unknown key' using errcode = 'QP003'; end if;
  if k.member_id is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  key_id := k.id; key_name := k.name; user_id := k.user_id; user_name := k.member; workspace_id := k.workspace_id;
  workspace_name := k.workspace; scopes := k.scopes; expires_at := k.expires_at;
  -- an admin's key reads what an auditor reads, and administers nothing
  roles := array(select distinct case when r = 'admin' then 'auditor' else r end from unnest(k.roles || '{user}') r order by 1);
  perform quorate.open_principal(k.user_id, null, k.workspace_id, roles, k.id, scopes, null);
  if k.last_used_at is null or k.last_used_at < now() - interval '1 minute' then
    update quorate.api_keys a set last_used_at = now()
      where a.id = k.id and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute');
  end if;
  return next;
end $$;

create or replace function quorate.memberships_of(p_user uuid, p_session uuid, p_count_up_to int)
returns table (
  workspace_id uuid, roles text[], name text, email text, workspace_name text, slug text, halted_at timestamptz,
  unread int, picture text, is_last boolean, is_demo boolean
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  return query
    select m.workspace_id, m.roles, m.name, m.email, w.name, w.slug, w.halted_at,
      (select count(*)::int from (
        select from quorate.notifications n
        where n.user_id = p_user and n.workspace_id = m.workspace_id and n.read_at is null limit p_count_up_to) u),
      (select a.digest from quorate.avatars a where a.user_id = p_user),
      exists (select from quorate.preferences p where p.user_id = p_user and p.last_workspace_id = m.workspace_id),
      w.is_demo
    from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
    where m.user_id = p_user and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp()) order by m.created_at, m.workspace_id;
end $$;

drop function quorate.peek_invitation(bytea);

create function quorate.peek_invitation(p_token_hash bytea)
  returns table (id uuid, workspace_name text, email text, roles text[], state text, member_until timestamptz)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select i.id, w.name, i.email, i.roles, case when i.withdrawn_at is not null then 'withdrawn' when i.accepted_at is not null then
    'accepted' when i.declined_at is not null then 'declined' when least(i.expires_at, i.member_until) <= now() then 'expired'
    else 'open' end, i.member_until
  from quorate.invitations i join quorate.workspaces w on w.id = i.workspace_id where i.token_hash = p_token_hash
$$;

create or replace function quorate.answer_invitation(p_token_hash bytea, p_user uuid, p_session uuid, p_accept boolean, p_name text,
  p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_email text; v_name text; v_roles text[]; v_waits boolean;
begin
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then raise exception 'session is over' using errcode = 'QP001'; end if;
  select u.email into v_email from auth.users u where u.id = p_user and u.email_confirmed_at is not null;
  select * into i from quorate.invitations x where x.token_hash = p_token_hash for update;
  if i.id is null or i.accepted_at is not null or i.declined_at is not null or i.withdrawn_at is not null
    or least(i.expires_at, i.member_until) <= now() then raise exception 'invitation is over' using errcode = 'QP006'; end if;
  if v_email is null or lower(v_email) <> lower(i.email) then raise exception 'invitation is for another address'
    using errcode = 'QP007'; end if;
  update quorate.invitations x set accepted_at = case when p_accept then now() end, declined_at = case when not p_accept then
    now() end where x.id = i.id;
  select coalesce(nullif(p.display_name, ''), p_name) into v_name from public.profiles p where p.id = p_user;
  v_name := coalesce(v_name, p_name);
  v_waits := p_accept and i.roles && array['approver', 'auditor', 'admin']
    and quorate.needs_second_person(i.workspace_id, i.invited_by, p_user)
    and not exists (select from quorate.members m where m.workspace_id = i.workspace_id and m.user_id = p_user);
  v_roles := case when v_waits then array_remove(array_remove(array_remove(i.roles, 'approver'), 'auditor'), 'admin') else i.roles end;
  if cardinality(v_roles) = 0 then v_roles := '{user}'; end if;
  if p_accept then
    insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
    insert into quorate.members (workspace_id, user_id, roles, name, email, ends_at)
      values (i.workspace_id, p_user, v_roles, v_name, v_email, i.member_until) on conflict (workspace_id, user_id) do nothing;
  end if;
  if v_waits then
    perform quorate.ask_for_invited_roles(i.workspace_id, i.invited_by, p_user, v_roles, i.roles);
  end if;
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name,
    payload, salt)
    values (p_event, i.workspace_id, 'member', p_user, v_name, case when p_accept then
      'invitation.accepted'
      else 'invitation.declined' end, 'invitation', i.id::text, i.email,
      jsonb_build_object('roles', v_roles, 'waitsForSecondPerson', v_waits), pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) ||
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  return i.workspace_id;
end $$;

create function quorate.list_ended_memberships(p_limit int) returns table (workspace_id uuid, user_id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select m.workspace_id, m.user_id from quorate.members m
  where m.ends_at <= pg_catalog.clock_timestamp() order by m.ends_at limit least(p_limit, 1000)
$$;

create function quorate.end_membership(p_workspace uuid, p_user uuid, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare m quorate.members;
begin
  perform quorate.require_session();
  perform from quorate.workspaces w where w.id = p_workspace and p_workspace = quorate.current_workspace_id() for no key update;
  if not found then return false; end if;
  delete from quorate.members x
    where x.workspace_id = p_workspace and x.user_id = p_user and x.ends_at <= pg_catalog.clock_timestamp() returning * into m;
  if m.user_id is null then return false; end if;
  perform quorate.append_worker_event(p_workspace, p_event, 'member.ended', 'member', p_user::text, m.name,
    pg_catalog.jsonb_build_object('roles', m.roles, 'until', m.ends_at));
  return true;
end $$;

create or replace function quorate.list_access_marks(p_users uuid[], p_sessions uuid[], p_workspaces uuid[])
  returns table (session_id uuid, workspace_id uuid, mark text)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select w.session_id, w.workspace_id,
    (select count(*) from auth.sessions s
      where s.id = w.session_id and s.user_id = w.user_id and (s.not_after is null or s.not_after > now()))
    || ' ' || coalesce((select array_to_string(m.roles, ',') from quorate.members m
      where m.workspace_id = w.workspace_id and m.user_id = w.user_id
        and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp())), '')
  from unnest(p_users, p_sessions, p_workspaces) as w (user_id, session_id, workspace_id)
$$;

create or replace function quorate.become_trigger(p_trigger uuid, p_lock boolean)
returns table (trigger_id uuid, trigger_name text, kind text, workspace_id uuid, artifact_id uuid, artifact_name text, version_id uuid,
  document json, user_id uuid, settings json, secret_sealed bytea, next_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare t quorate.triggers; a quorate.artifacts; v quorate.versions; v_roles text[];
begin
  perform quorate.require_session();
  if p_lock then
    select * into t from quorate.triggers x where x.id = p_trigger and x.enabled for update skip locked;
  else
    select * into t from quorate.triggers x where x.id = p_trigger and x.enabled;
  end if;
  select * into a from quorate.artifacts x
    where x.id = t.artifact_id and x.workspace_id = t.workspace_id and x.kind = 'workflow' and x.deleted_at is null;
  select * into v from quorate.versions x where x.id = a.published_version_id;
  if t.id is null or v.id is null then raise exception 'no such trigger' using errcode = 'QP004'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = t.workspace_id and m.user_id = v.author_id
    and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp());
  if v_roles is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  -- a trigger starts runs: it neither decides nor administers, whatever its publisher may
  v_roles := array(select distinct r from unnest(v_roles || '{user}') r where r in ('user', 'builder') order by 1);
  perform quorate.open_principal(v.author_id, null, t.workspace_id, v_roles, null, null, t.id);
  return query select t.id, t.name, t.kind, t.workspace_id, a.id, a.name, v.id, v.document::json, v.author_id, t.settings::json,
    t.secret_sealed, t.next_at;
end $$;

revoke all on function quorate.peek_invitation(bytea), quorate.list_ended_memberships(int), quorate.end_membership(uuid, uuid, uuid)
  from public;
grant execute on function quorate.peek_invitation(bytea), quorate.list_ended_memberships(int) to quorate_app;
grant execute on function quorate.end_membership(uuid, uuid, uuid) to quorate_worker;

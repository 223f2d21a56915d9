-- The login's password alone makes nobody any longer: a session is opened by a process that knows the instance's key, and whoever asks is
-- sealed for one transaction of one session.

set check_function_bodies = off;

create table quorate.process_key (
  is_only boolean primary key default true check (is_only),
  inner_pad bytea not null check (octet_length(inner_pad) = 64),
  outer_pad bytea not null check (octet_length(outer_pad) = 64)
);
alter table quorate.process_key enable row level security;

create function quorate.hmac_of(p_message text) returns bytea language plpgsql stable security definer set search_path = '' as $$
declare k quorate.process_key;
begin
  select * into strict k from quorate.process_key;
  return pg_catalog.sha256(k.outer_pad || pg_catalog.sha256(k.inner_pad || pg_catalog.convert_to(p_message, 'UTF8')));
end $$;

create function quorate.open_session(p_at text, p_hmac bytea) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if abs(extract(epoch from pg_catalog.clock_timestamp()) - p_at::numeric) < 60 is not true
    or p_hmac is distinct from quorate.hmac_of('open ' || pg_catalog.pg_backend_pid() || ' ' || p_at) then
    raise exception 'not a process of Quorate' using errcode = 'QP008';
  end if;
  perform pg_catalog.set_config('quorate.session', quorate.hmac_of('session ' || pg_catalog.pg_backend_pid())::text, false);
end $$;

create function quorate.require_session() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if pg_catalog.current_setting('quorate.session', true) is distinct from
      quorate.hmac_of('session ' || pg_catalog.pg_backend_pid())::text
    and not pg_catalog.pg_has_role(session_user, current_user, 'usage') then
    raise exception 'not a process of Quorate' using errcode = 'QP008';
  end if;
end $$;

create function quorate.open_principal(p_user uuid, p_session uuid, p_workspace uuid, p_roles text[], p_key uuid, p_scopes text[],
  p_trigger uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare v_principal text := pg_catalog.format('%s|%s|%s|%s|%s|%s|%s', p_user, p_session, p_workspace,
  pg_catalog.array_to_string(p_roles, ','), p_key, pg_catalog.array_to_string(p_scopes, ','), p_trigger);
begin
  perform pg_catalog.set_config('quorate.principal', v_principal, true), pg_catalog.set_config('quorate.seal',
    quorate.hmac_of(pg_catalog.pg_backend_pid() || ' ' || extract(epoch from now()) || ' ' || v_principal)::text, true);
end $$;

create function quorate.part_of_principal(p_place int) returns text
language plpgsql stable parallel restricted security definer set search_path = '' as $$
declare
  v_principal text := pg_catalog.current_setting('quorate.principal', true);
  v_seal text := pg_catalog.current_setting('quorate.seal', true);
  k quorate.process_key;
begin
  if v_seal is null or v_seal = '' then return null; end if;
  select * into strict k from quorate.process_key;
  if v_seal <> pg_catalog.sha256(k.outer_pad || pg_catalog.sha256(k.inner_pad || pg_catalog.convert_to(
    pg_catalog.pg_backend_pid() || ' ' || extract(epoch from now()) || ' ' || v_principal, 'UTF8')))::text is not false then
    raise exception 'nobody that Quorate knows' using errcode = 'QP008';
  end if;
  return nullif(pg_catalog.split_part(v_principal, '|', p_place), '');
end $$;

create or replace function quorate.current_user_id() returns uuid language sql stable parallel restricted
  as $$ select quorate.part_of_principal(1)::uuid $$;

create function quorate.current_session_id() returns uuid language sql stable parallel restricted
  as $$ select quorate.part_of_principal(2)::uuid $$;

create or replace function quorate.current_workspace_id() returns uuid language sql stable parallel restricted
  as $$ select quorate.part_of_principal(3)::uuid $$;

create or replace function quorate.current_key_id() returns uuid language sql stable parallel restricted
  as $$ select quorate.part_of_principal(5)::uuid $$;

create or replace function quorate.current_trigger_id() returns uuid language sql stable parallel restricted
  as $$ select quorate.part_of_principal(7)::uuid $$;

create or replace function quorate.has_role(variadic wanted text[]) returns boolean language sql stable parallel restricted as $$
  select coalesce(string_to_array(quorate.part_of_principal(4), ',') && wanted, false)
$$;

create or replace function quorate.sees_all_runs() returns boolean language sql stable parallel restricted
  as $$ select quorate.has_role('builder', 'approver', 'auditor', 'admin') $$;

create or replace function quorate.may_start_runs() returns boolean language sql stable parallel restricted
  as $$ select quorate.has_role('user', 'builder', 'approver', 'auditor', 'admin') $$;

create or replace function quorate.key_may(variadic wanted text[]) returns boolean language sql stable parallel restricted as $$
  select coalesce(string_to_array(quorate.part_of_principal(6), ',') && wanted,
    quorate.part_of_principal(1) is not null and quorate.part_of_principal(5) is null)
$$;

create or replace function quorate.note_session(p_user uuid, p_session uuid, p_browser text, p_workspace uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user) then return; end if;
  insert into quorate.user_sessions as u (session_id, user_id, browser) values (p_session, p_user, left(p_browser, 300))
  on conflict (session_id) do update set last_seen_at = now() where u.last_seen_at < now() - interval '1 minute';
  delete from quorate.user_sessions u where u.user_id = p_user and not exists (select from auth.sessions s where s.id = u.session_id);
  insert into quorate.preferences as p (user_id, last_workspace_id)
  select m.user_id, m.workspace_id from quorate.members m where m.user_id = p_user and m.workspace_id = p_workspace
  on conflict (user_id) do update set last_workspace_id = excluded.last_workspace_id
    where p.last_workspace_id is distinct from excluded.last_workspace_id;
end $$;

create or replace function quorate.has_second_factor(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare v_has boolean := false;
begin
  perform quorate.require_session();
  if pg_catalog.to_regclass('auth.mfa_factors') is not null then
    execute 'select exists (select from auth.mfa_factors f where f.user_id = $1 and f.status::text = ''verified'')' into v_has using p_user;
  end if;
  return v_has;
end $$;

create or replace function quorate.owes_second_factor(p_user uuid, p_session uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select quorate.has_second_factor(p_user)
    and not exists (select from quorate.recovered_sessions r where r.session_id = p_session and r.user_id = p_user)
$$;

create or replace function quorate.use_recovery_code(p_user uuid, p_session uuid, p_hash bytea) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then
    return false;
  end if;
  update quorate.recovery_codes c set used_at = now() where c.user_id = p_user and c.code_hash = p_hash and c.used_at is null;
  if not found then return false; end if;
  delete from quorate.recovered_sessions r where r.user_id = p_user and not exists (select from auth.sessions s where s.id = r.session_id);
  insert into quorate.recovered_sessions (session_id, user_id) values (p_session, p_user) on conflict do nothing;
  perform quorate.note_account_event(p_user, 'account.recoveryCodeUsed');
  return true;
end $$;

create or replace function quorate.drop_lost_factor(p_user uuid, p_session uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (
    select from quorate.recovered_sessions r join auth.sessions s on s.id = r.session_id
    where r.session_id = p_session and r.user_id = p_user and s.user_id = p_user and (s.not_after is null or s.not_after > now())
  ) then return false; end if;
  execute 'delete from auth.mfa_factors f where f.user_id = $1' using p_user;
  delete from quorate.recovery_codes c where c.user_id = p_user;
  delete from quorate.recovered_sessions r where r.user_id = p_user;
  perform quorate.note_account_event(p_user, 'account.factorRemoved');
  return true;
end $$;

create or replace function quorate.begin_recovery(p_user uuid, p_session uuid, p_browser text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  insert into quorate.user_sessions as u (session_id, user_id, browser, recovering) values (p_session, p_user, left(p_browser, 300), true)
  on conflict (session_id) do update set recovering = true where u.user_id = p_user;
end $$;

create or replace function quorate.end_recovery(p_user uuid, p_session uuid) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.user_sessions u set recovering = false, last_seen_at = now() where u.session_id = p_session and u.user_id = p_user
$$;

create or replace function quorate.adopt_email(p_user uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare m quorate.members; v_email text;
begin
  perform quorate.require_session();
  select u.email into v_email from auth.users u where u.id = p_user and u.email_confirmed_at is not null;
  for m in select * from quorate.members x where x.user_id = p_user and v_email is not null and x.email <> v_email loop
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name,
      payload, salt)
      values (pg_catalog.gen_random_uuid(), m.workspace_id, 'member', p_user, m.name, 'member.emailChanged', 'member', p_user::text, m.name,
        '{}', pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    update quorate.members x set email = v_email where x.workspace_id = m.workspace_id and x.user_id = p_user;
  end loop;
end $$;

create or replace function quorate.ensure_account(p_user uuid, p_email text, p_name text, p_workspace uuid, p_workspace_name text,
  p_slug text,
  p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare v_ws uuid;
begin
  perform quorate.require_session();
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

create or replace function quorate.become_member(p_user uuid, p_session uuid, p_workspace uuid) returns text[]
language plpgsql security definer set search_path = '' as $$
declare v_roles text[];
begin
  perform quorate.require_session();
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  if p_workspace is not null then
    select m.roles into v_roles from quorate.members m where m.workspace_id = p_workspace and m.user_id = p_user;
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

create or replace function quorate.become_worker(p_workspace uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from quorate.workspaces w where w.id = p_workspace)
    and not exists (select from quorate.audit_events e where e.workspace_id = p_workspace and e.leaf_index is null)
  then raise exception 'unknown workspace' using errcode = 'QP004'; end if;
  perform quorate.open_principal(null, null, p_workspace, null, null, null, null);
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
    where m.user_id = p_user order by m.created_at, m.workspace_id;
end $$;

create or replace function quorate.create_workspace(p_user uuid, p_session uuid, p_name text, p_workspace uuid, p_workspace_name text,
  p_slug text,
  p_event uuid, p_most int) returns boolean
language plpgsql security definer set search_path = '' as $$
declare v_email text;
begin
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then raise exception 'session is over' using errcode = 'QP001'; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  if (select count(*) from quorate.members m where m.user_id = p_user and 'admin' = any (m.roles)) >= p_most then return false; end if;
  select u.email into strict v_email from auth.users u where u.id = p_user;
  perform quorate.found_workspace(p_user, v_email, p_name, p_workspace, p_workspace_name, p_slug, p_event);
  return true;
end $$;

create or replace function quorate.peek_invitation(p_token_hash bytea)
  returns table (id uuid, workspace_name text, email text, roles text[], state text)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select i.id, w.name, i.email, i.roles, case when i.withdrawn_at is not null then 'withdrawn' when i.accepted_at is not null then
    'accepted' when i.declined_at is not null then 'declined' when i.expires_at <= now() then 'expired' else 'open' end
  from quorate.invitations i join quorate.workspaces w on w.id = i.workspace_id where i.token_hash = p_token_hash
$$;

create or replace function quorate.answer_invitation(p_token_hash bytea, p_user uuid, p_session uuid, p_accept boolean, p_name text,
  p_event uuid)
  returns uuid
language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_email text; v_name text; v_roles text[]; v_waits boolean;
begin
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then raise exception 'session is over' using errcode = 'QP001'; end if;
  select u.email into v_email from auth.users u where u.id = p_user and u.email_confirmed_at is not null;
  select * into i from quorate.invitations x where x.token_hash = p_token_hash for update;
  if i.id is null or i.accepted_at is not null or i.declined_at is not null or i.withdrawn_at is not null or i.expires_at <= now() then
    raise exception 'invitation is over' using errcode = 'QP006'; end if;
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
    insert into quorate.members (workspace_id, user_id, roles, name, email)
      values (i.workspace_id, p_user, v_roles, v_name, v_email) on conflict (workspace_id, user_id) do nothing;
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

create or replace function quorate.own_invitation(p_user uuid, p_session uuid, p_id uuid) returns table (id uuid, token_hash bytea)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select i.id, i.token_hash
  from auth.sessions s join auth.users u on u.id = s.user_id join quorate.invitations i on lower(i.email) = lower(u.email)
  where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()) and u.email_confirmed_at is not null
    and (p_id is null or i.id = p_id)
    and (p_id is not null or (i.accepted_at is null and i.declined_at is null and i.withdrawn_at is null and i.expires_at > now()))
  order by i.created_at desc, i.id desc limit 1
$$;

create or replace function quorate.list_access_marks(p_users uuid[], p_sessions uuid[], p_workspaces uuid[])
  returns table (session_id uuid, workspace_id uuid, mark text)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select w.session_id, w.workspace_id,
    (select count(*) from auth.sessions s
      where s.id = w.session_id and s.user_id = w.user_id and (s.not_after is null or s.not_after > now()))
    || ' ' || coalesce((select array_to_string(m.roles, ',') from quorate.members m
      where m.workspace_id = w.workspace_id and m.user_id = w.user_id), '')
  from unnest(p_users, p_sessions, p_workspaces) as w (user_id, session_id, workspace_id)
$$;

create or replace function quorate.take_limit(p_key text, p_max int, p_window_seconds int) returns int
language plpgsql security definer set search_path = '' as $$
declare r quorate.rate_limits;
begin
  perform quorate.require_session();
  insert into quorate.rate_limits as l (key, window_started_at, hits) values (p_key, clock_timestamp(), 1)
  on conflict (key) do update set
    hits = case when l.window_started_at < clock_timestamp() - make_interval(secs => p_window_seconds) then 1 else l.hits + 1 end,
    window_started_at = case when l.window_started_at < clock_timestamp() - make_interval(secs => p_window_seconds) then
      clock_timestamp() else l.window_started_at end
  returning * into r;
  if r.hits = 1 then
    delete from quorate.rate_limits d where d.key in
      (select o.key from quorate.rate_limits o
        where o.window_started_at < clock_timestamp() - interval '1 day' order by o.window_started_at limit 2 for update skip locked);
  end if;
  if r.hits <= p_max then return 0; end if;
  return greatest(1, ceil(extract(epoch from r.window_started_at + make_interval(secs => p_window_seconds) - clock_timestamp()))::int);
end $$;

create or replace function quorate.give_back_limit(p_key text) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.rate_limits set hits = greatest(hits - 1, 0) where key = p_key
$$;

create or replace function quorate.keep_file(p_id uuid, p_owner uuid, p_name text, p_media_type text, p_content bytea) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  insert into quorate.files (id, owner_id, name, media_type, content) values (p_id, p_owner, p_name, p_media_type, p_content)
$$;

create or replace function quorate.read_file(p_name text) returns table (media_type text, content bytea)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select f.media_type, f.content from quorate.files f where f.workspace_id is null and f.name = p_name
$$;

create or replace function quorate.remove_files(p_names text[]) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  delete from quorate.files f where f.workspace_id is null and f.name = any (p_names)
$$;

create or replace function quorate.list_files(p_folder text, p_limit integer, p_offset integer) returns table (name text)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select f.name from quorate.files f where f.workspace_id is null and pg_catalog.starts_with(f.name, p_folder || '/')
    order by f.name limit p_limit offset p_offset
$$;

create or replace function quorate.pending_log_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  with recursive w (id) as (
    (select e.workspace_id from quorate.audit_events e where e.leaf_index is null order by e.workspace_id limit 1)
    union all
    select (select e.workspace_id from quorate.audit_events e where e.leaf_index is null and e.workspace_id > w.id
      order by e.workspace_id limit 1)
    from w where w.id is not null
  )
  select w.id from w where w.id is not null
$$;

create or replace function quorate.due_checkpoint_workspaces(p_every interval) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select s.id from quorate.workspaces s
  cross join lateral (select c.delivered_at from quorate.checkpoints c where c.workspace_id = s.id order by c.size desc limit 1) newest
  where newest.delivered_at is null and s.created_at <= now() - p_every
    and not exists (select from quorate.checkpoints d where d.workspace_id = s.id and d.delivered_at > now() - p_every)
$$;

create or replace function quorate.claim_log_audit(p_started timestamptz, p_lease interval)
  returns table (workspace_id uuid, whole_from bigint, finding jsonb)
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  return query update quorate.log_audits a set next_at = clock_timestamp() + p_lease,
    whole_from = coalesce(a.whole_from, case
      when a.whole_at is null or a.whole_at < p_started or a.whole_at < clock_timestamp() - interval '36 hours'
      or (a.whole_at < clock_timestamp() - interval '20 hours' and extract(hour from clock_timestamp() at time zone 'UTC') between 1 and 4)
        then 0 end)
  where a.workspace_id = (select x.workspace_id from quorate.log_audits x
    where x.next_at <= clock_timestamp() order by x.next_at limit 1 for update skip locked)
  returning a.workspace_id, a.whole_from, a.finding;
end $$;

create or replace function quorate.settle_log_audit(p_workspace uuid, p_finding jsonb, p_whole_from bigint, p_whole_ended boolean,
  p_next interval)
  returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.log_audits a set sampled_at = clock_timestamp(), whole_from = p_whole_from, next_at = clock_timestamp() + p_next,
    whole_at = case when p_whole_ended then clock_timestamp() else a.whole_at end, finding = p_finding,
    found_at = case when p_finding is null then null when a.finding is null then clock_timestamp() else a.found_at end,
    mailed_at = case when p_finding is null or p_finding -> 'code' is distinct from a.finding -> 'code' then null else a.mailed_at end
  where a.workspace_id = p_workspace
$$;

create or replace function quorate.list_admin_addresses() returns jsonb language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select quorate.admin_addresses(quorate.current_workspace_id())
$$;

create or replace function quorate.claim_log_alarms() returns table (workspace_id uuid, workspace_name text, finding jsonb, admins jsonb)
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.log_audits a set mailed_at = pg_catalog.clock_timestamp() from quorate.workspaces w
  where w.id = a.workspace_id and a.finding is not null and a.mailed_at is null
  returning a.workspace_id, w.name, a.finding, quorate.admin_addresses(a.workspace_id)
$$;

create or replace function quorate.read_version(p_workspace uuid, p_version uuid) returns json
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select case when a.kind = 'inspection' then (
    select pg_catalog.json_object_agg(m.key, m.value order by m.place) from (
      select e.key, e.value, e.place from pg_catalog.json_each(v.document) with ordinality as e (key, value, place)
      union all select 'inspects', 'true', null) m)
    else v.document end
  from quorate.versions v join quorate.artifacts a on a.id = v.artifact_id where v.id = p_version and v.workspace_id = p_workspace
$$;

create or replace function quorate.list_due_triggers(p_now timestamptz, p_limit int) returns table (trigger_id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select t.id from quorate.triggers t
    join quorate.artifacts a on a.id = t.artifact_id and a.deleted_at is null
    join quorate.versions v on v.id = a.published_version_id
    join quorate.members m on m.workspace_id = t.workspace_id and m.user_id = v.author_id
  where t.enabled and t.kind = 'schedule' and t.next_at <= p_now order by t.next_at limit least(p_limit, 1000)
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
  select m.roles into v_roles from quorate.members m where m.workspace_id = t.workspace_id and m.user_id = v.author_id;
  if v_roles is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  -- a trigger starts runs: it neither decides nor administers, whatever its publisher may
  v_roles := array(select distinct r from unnest(v_roles || '{user}') r where r in ('user', 'builder') order by 1);
  perform quorate.open_principal(v.author_id, null, t.workspace_id, v_roles, null, null, t.id);
  return query select t.id, t.name, t.kind, t.workspace_id, a.id, a.name, v.id, v.document::json, v.author_id, t.settings::json,
    t.secret_sealed, t.next_at;
end $$;

create or replace function quorate.mark_trigger(p_at timestamptz, p_next timestamptz, p_run uuid, p_refusal text) returns void
language sql security definer set search_path = '' as $$
  update quorate.triggers t set last_at = p_at, next_at = p_next, last_run_id = coalesce(p_run, t.last_run_id), last_refusal = p_refusal
  where t.id = quorate.current_trigger_id()
$$;

create or replace function quorate.read_run_config(p_workspace uuid) returns json
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select pg_catalog.json_build_object('revision', w.config_revision, 'privateNetwork', w.private_network,
    'timeZone', w.settings ->> 'timeZone',
    'connections', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', c.id, 'kind', c.kind, 'name', c.name,
      'slug', c.slug, 'endpoint', c.endpoint, 'status', c.status, 'credential', pg_catalog.encode(c.sealed_credential, 'base64'),
      'personalDataAllowed', c.personal_data_allowed, 'settings', c.settings, 'paused', c.paused_at is not null,
      'idempotent', c.idempotent)), '[]')
      from quorate.connections c where c.workspace_id = w.id and c.deleted_at is null),
    'capabilities', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', k.id, 'connectionId', k.connection_id,
      'kind', k.kind, 'name', k.name, 'title', k.title, 'description', k.description,
      'inputSchema', k.input_schema, 'fingerprint', k.fingerprint, 'approvedFingerprint', k.approved_fingerprint,
      'annotations', k.definition -> 'annotations', 'effect', k.definition -> 'effect') order by k.id), '[]')
      from quorate.capabilities k join quorate.connections c on c.id = k.connection_id and c.deleted_at is null
      where k.workspace_id = w.id and k.removed_at is null),
    'policies', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'name', a.name, 'version', v.number,
      'contentHash', v.content_hash, 'document', v.document) order by a.id), '[]')
      from quorate.artifacts a left join quorate.versions v on v.id = a.published_version_id
      where a.workspace_id = w.id and a.kind = 'policy' and a.status = 'active' and a.deleted_at is null),
    'agents', (select coalesce(pg_catalog.json_object_agg(a.id, a.status = 'active'), '{}') from quorate.artifacts a
      where a.workspace_id = w.id and a.kind = 'agent' and a.deleted_at is null))
  from quorate.workspaces w where w.id = p_workspace
$$;

create or replace function quorate.read_capability_records(p_workspace uuid)
  returns table (capability_id uuid, calls int, errors int, p95_ms double precision)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select k.id, count(s.run_id)::int, (count(*) filter (where s.status = 'error'))::int,
    coalesce(percentile_cont(0.95) within
      group (order by extract(epoch from s.finished_at - s.started_at) * 1000) filter (where s.status = 'success'), 0)
  from quorate.capabilities k cross
    join lateral (select x.run_id, x.status, x.started_at, x.finished_at from quorate.steps x
    where x.capability_id = k.id and x.finished_at is not null order by x.started_at desc limit 50) s
  where k.workspace_id = p_workspace and k.removed_at is null group by k.id
$$;

create or replace function quorate.claim_connection_checks(p_limit int, p_lease interval)
returns table (connection_id uuid, workspace_id uuid)
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.connections n set next_check_at = pg_catalog.clock_timestamp() + p_lease
  where n.id in (select x.id from quorate.connections x
    where x.deleted_at is null and x.paused_at is null and x.next_check_at <= pg_catalog.clock_timestamp()
    order by x.next_check_at limit p_limit for update skip locked)
  returning n.id, n.workspace_id
$$;

create or replace function quorate.request_checks_of(p_endpoint text) returns void language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.connections n set next_check_at = pg_catalog.clock_timestamp()
    where n.endpoint = p_endpoint and n.deleted_at is null and n.next_check_at > pg_catalog.clock_timestamp()
$$;

create or replace function quorate.list_run_marks(p_workspaces uuid[], p_runs uuid[]) returns table (run_id uuid, mark text)
-- half of a large table is of one run, and what is outside its loops is few: the planner takes the two for independent
language plpgsql stable security definer set search_path = '' set enable_seqscan = off as $$
begin
  perform quorate.require_session();
  return query
  select r.id, r.status || ' ' || r.attempt || ' ' || r.updated_at || ' ' || (
      select count(*) || ' ' || coalesce(max(greatest(s.started_at, s.finished_at))::text, '') || ' ' || coalesce(sum(s.attempt), 0)
        || ' ' || count(*) filter (where s.status in ('waiting', 'pending'))
        || ' ' || coalesce(pg_catalog.string_agg(quorate.mark_of_loop(s), ',' order by s.path)
          filter (where s.status = 'processing' and s.kind in ('for_each', 'repeat')), '')
      from quorate.steps s where s.run_id = r.id and s.within is null and s.item_index is null)
    || ' ' || (
      select coalesce(pg_catalog.string_agg(a.status, ',' order by a.id), '') || (
        select count(*) from quorate.approval_votes v join quorate.approvals b on b.id = v.approval_id where b.run_id = r.id)
      from quorate.approvals a where a.run_id = r.id)
    || ' ' || (select coalesce(pg_catalog.string_agg(b.id::text, ',' order by b.id), '') from quorate.list_asks_below(r.id) b)
  from unnest(p_workspaces, p_runs) as w (workspace_id, run_id)
  join quorate.runs r on r.id = w.run_id and r.workspace_id = w.workspace_id;
end $$;

create or replace function quorate.wake_run(p_workspace uuid, p_run uuid) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.runs x set wake = true
    where x.id = p_run and (x.workspace_id = p_workspace and x.status = 'processing' and not x.wake) is true
$$;

create or replace function quorate.list_cancelled_runs(p_worker uuid) returns table (run_id uuid)
  language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select r.id from quorate.runs r
    where r.claimed_by = p_worker and r.status = 'processing'
      and (r.cancel_requested_at is not null or (r.caller_run_id is not null and quorate.has_lost_caller(r)))
$$;

create or replace function quorate.read_items(p_workspace uuid, p_run uuid, p_attempt int, p_loop text, p_from int, p_limit int)
returns json
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if (quorate.hold_run(p_workspace, p_run, p_attempt)).id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('index', i.item_index, 'output', i.output, 'error', i.error,
    'reason', i.reason) order by i.item_index), '[]')
  from (select * from quorate.steps x where x.run_id = p_run and x.item_of = p_loop and x.item_index >= p_from
    and x.status in ('success', 'error') order by x.item_index limit p_limit) i);
end $$;

create or replace function quorate.start_step(p_workspace uuid, p_run uuid, p_attempt int, p_revision bigint, p_step json, p_local json)
returns json language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; w quorate.workspaces; s quorate.steps; v_step jsonb := p_step; v_input json := p_step -> 'input';
  d jsonb := v_step -> 'decision'; v_verdict text := d ->> 'verdict'; v_approval jsonb; v_call jsonb; v_approves boolean;
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  select * into w from quorate.workspaces x where x.id = p_workspace;
  if r.cancel_requested_at is null and (w.id is null or w.halted_at is not null) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  select * into s from quorate.steps x where x.run_id = p_run and x.path = v_step ->> 'path';
  if s.status in ('success', 'error', 'skipped') then
    return pg_catalog.json_build_object('state', 'done', 'status', s.status, 'output', s.output, 'error', s.error);
  end if;
  if s.decision_id = (d ->> 'id')::uuid and s.status = 'processing' then
    return pg_catalog.json_build_object('state', 'started', 'place', exists (select from quorate.connection_calls x
      where x.run_id = p_run and x.path = s.path and x.state = 'calling'));
  end if;
  if w.config_revision <> p_revision then
    return pg_catalog.json_build_object('state', 'stale', 'revision', w.config_revision);
  end if;
  if v_verdict is null or d ->> 'actionDigest' is null then raise exception 'a step needs its decision' using errcode = 'QR001'; end if;
  -- of a dry run, calls that only read may start, and those that policies deny are refused as ever
  if v_verdict = 'require_approval' or (v_verdict <> 'deny' and not quorate.only_reads((v_step ->> 'capabilityId')::uuid)) then
    perform quorate.refuse_in_dry_run(r);
  end if;

  v_approves := v_verdict = 'require_approval' or v_step -> 'approval' is not null;
  if v_verdict in ('allow', 'warn', 'transform', 'require_approval') and v_step ->> 'connectionId' is not null
    and (not v_approves or exists (select from quorate.approvals a where a.run_id = p_run and a.step_path = v_step ->> 'path'
      and a.action_digest = d ->> 'actionDigest'
      and (a.status = 'consumed' or (a.status = 'approved' and a.due_at > clock_timestamp())))) then
    v_call := quorate.take_call(p_workspace, (v_step ->> 'connectionId')::uuid, p_run, v_step ->> 'path');
    if v_call ->> 'state' = 'full' then
      perform quorate.write_step(r, v_step - 'decision', v_input, 'waiting', null, null);
      return '{"state":"full"}';
    end if;
  end if;

  -- a policy that an approval has released decides 'allow' and still comes with the approval that it needs
  if v_approves then
    v_approval := quorate.take_approval(r, v_step ->> 'path', v_step ->> 'key', d ->> 'actionDigest', v_step -> 'approval',
      p_step #> '{approval,subject}');
  end if;
  insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest,
    policy_version)
  values ((d ->> 'id')::uuid, p_workspace, p_run, v_step ->> 'path', (v_step ->> 'attempt')::int, d ->> 'action', v_verdict, d -> 'rules',
    d -> 'reason', d -> 'context', d ->> 'actionDigest', d ->> 'policyVersion')
  on conflict (id) do nothing;

  if v_approval is not null and v_approval ->> 'state' <> 'approved' then
    delete from quorate.connection_calls x where x.run_id = p_run and x.path = v_step ->> 'path';
    perform quorate.write_step(r, v_step, v_input, case when v_approval ->> 'state' = 'waiting' then 'waiting' else 'pending' end,
      (v_approval ->> 'id')::uuid, null);
    return v_approval::json;
  end if;
  if v_verdict not in ('allow', 'warn', 'transform', 'require_approval') then
    perform quorate.write_step(r, v_step, v_input, 'error', null, v_step -> 'refusal');
    return '{"state":"refused"}';
  end if;
  perform quorate.write_step(r, v_step, v_input, 'processing', (v_approval ->> 'id')::uuid, null);
  return pg_catalog.json_build_object('state', 'started', 'place', coalesce((v_call ->> 'place')::boolean, false));
end $$;

create or replace function quorate.ask_approval(p_workspace uuid, p_run uuid, p_attempt int, p_step json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v jsonb; v_step jsonb := p_step;
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  perform quorate.refuse_in_dry_run(r);
  v := quorate.take_approval(r, v_step ->> 'path', v_step ->> 'key', v_step ->> 'actionDigest', v_step -> 'approval',
    p_step #> '{approval,subject}');
  perform quorate.write_step(r, v_step, p_step -> 'input', case v ->> 'state' when 'waiting' then 'waiting' else 'pending' end,
    (v ->> 'id')::uuid, null);
  return v;
end $$;

create or replace function quorate.ask_outcome(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_question json, p_local json)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; a quorate.approvals; v_held boolean := false; q jsonb := p_question;
begin
  perform quorate.require_session();
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null then
    v_held := quorate.is_held(r);
    if not v_held then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  select * into a from quorate.approvals x where x.id = (q ->> 'id')::uuid;
  if a.id is null then
    insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, quorum, requested_by,
      version_author_id, due_at, subject_kind)
    select (q ->> 'id')::uuid, r.workspace_id, r.id, p_path, q ->> 'title', p_question -> 'subject', q ->> 'digest', q -> 'reason',
      'medium', 1, r.initiator_id, v.author_id, clock_timestamp() + pg_catalog.make_interval(hours => (q ->> 'dueHours')::int), 'outcome'
    from quorate.versions v where v.id = r.version_id and v.workspace_id = r.workspace_id
    returning * into a;
    update quorate.steps s set status = 'waiting', error = q -> 'error', approval_id = a.id, run_attempt = p_attempt, finished_at = null,
      frames = coalesce(p_question -> 'frames', s.frames)
    where s.run_id = p_run and s.path = p_path and s.status = 'processing';
    if not found then raise exception 'no call is under way' using errcode = 'QR004'; end if;
  end if;
  -- the halt keeps what was asked: nothing starts by it
  if v_held then return '{"state":"halted"}'; end if;
  return pg_catalog.jsonb_build_object('state', 'waiting', 'id', a.id, 'dueAt', a.due_at);
end $$;

create or replace function quorate.settle_outcome(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_event uuid, p_confirmed text)
  returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; s quorate.steps; a quorate.approvals; v_state text; v_votes jsonb; v_done text;
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  select * into s from quorate.steps x where x.run_id = p_run and x.path = p_path;
  select * into a from quorate.approvals x where x.id = s.approval_id and x.subject_kind = 'outcome' for update;
  if a.id is null then return '{"state":"none"}'; end if;
  if s.status <> 'waiting' then
    -- this very statement said twice: its first answer was lost
    return pg_catalog.jsonb_build_object('state', case when s.run_attempt <> p_attempt then 'none' when s.status = 'success' then
      'done' when s.status = 'pending' then 'again' else 'none' end);
  end if;
  v_state := a.status;
  if a.status in ('pending', 'approved') and a.due_at <= clock_timestamp() then
    update quorate.approvals x set status = 'expired' where x.id = a.id;
    perform quorate.append_worker_event(r.workspace_id, p_event, 'approval.expired', 'approval', a.id::text, a.title,
      pg_catalog.jsonb_build_object('run', r.id, 'step', p_path, 'digest', a.action_digest));
    v_state := 'expired';
  elsif a.status = 'pending' then
    return pg_catalog.jsonb_build_object('state', 'waiting', 'id', a.id, 'dueAt', a.due_at);
  end if;
  select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', v.voter_name, 'vote', v.vote, 'reason', v.reason)
    order by v.voted_at), '[]'),
    max(v.voter_name) filter (where v.vote = 'done') into v_votes, v_done from quorate.approval_votes v where v.approval_id = a.id;
  if v_state = 'approved' then
    update quorate.approvals x set status = 'consumed', consumed_at = clock_timestamp(), consumed_key = s.idempotency_key where x.id = a.id;
    if v_done is not null then
      update quorate.steps x set status = 'success', output = null, error = null, run_attempt = p_attempt, finished_at = clock_timestamp(),
        reason = pg_catalog.jsonb_build_object('key', p_confirmed, 'values', pg_catalog.jsonb_build_object('name', v_done))
          where x.run_id = p_run and x.path = p_path;
      return '{"state":"done"}';
    end if;
    update quorate.steps x set status = 'pending', error = s.error - 'unknown', next_attempt_at = clock_timestamp(), run_attempt = p_attempt
      where x.run_id = p_run and x.path = p_path;
    return '{"state":"again"}';
  end if;
  update quorate.steps x set run_attempt = p_attempt where x.run_id = p_run and x.path = p_path;
  return pg_catalog.jsonb_build_object('state', v_state, 'id', a.id, 'dueAt', a.due_at, 'votes', v_votes);
end $$;

create or replace function quorate.finish_step(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_result json, p_local json)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_held boolean := false; v_result jsonb := p_result; u jsonb := v_result -> 'usage';
  v_output json := p_result -> 'output';
begin
  perform quorate.require_session();
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null then
    v_held := quorate.is_held(r);
    if not v_held then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  end if;
  if u is not null then
    -- an attempt is under way as 'processing' and ends once: a repeated statement finds it over and adds nothing
    update quorate.steps s set tokens_in = coalesce(s.tokens_in, 0) + (u ->> 'tokensIn')::bigint,
      tokens_out = coalesce(s.tokens_out, 0) + (u ->> 'tokensOut')::bigint,
      cost_micros = case when u ->> 'costMicros' is null then s.cost_micros
        else coalesce(s.cost_micros, 0) + (u ->> 'costMicros')::bigint end
    where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status = 'processing';
    if found then
      update quorate.runs x set tokens_in = coalesce(x.tokens_in, 0) + (u ->> 'tokensIn')::bigint,
        tokens_out = coalesce(x.tokens_out, 0) + (u ->> 'tokensOut')::bigint,
        cost_micros = case when u ->> 'costMicros' is null then x.cost_micros
          else coalesce(x.cost_micros, 0) + (u ->> 'costMicros')::bigint end
      where x.id = p_run;
    end if;
  end if;
  if v_result ->> 'status' = 'pending' then
    insert into quorate.step_attempts (workspace_id, run_id, path, attempt, error)
    select p_workspace, p_run, p_path, s.attempt, v_result -> 'error' from quorate.steps s
    where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status = 'processing'
    on conflict do nothing;
    -- of a step that fails again and again, the last are kept
    delete from quorate.step_attempts a using quorate.steps s where s.run_id = p_run and s.path = p_path
      and a.run_id = p_run and a.path = p_path and a.attempt <= s.attempt - 20;
  end if;
  update quorate.steps s set status = v_result ->> 'status',
    output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end, output_digest = v_result ->> 'outputDigest',
    error = nullif(v_result -> 'error', 'null'), next_attempt_at = (v_result ->> 'nextAttemptAt')::timestamptz,
    finished_at = clock_timestamp(), frames = coalesce(p_result -> 'frames', s.frames)
  where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status in ('processing', 'waiting', 'pending');
  return pg_catalog.jsonb_build_object('state', case when v_held then 'halted' else 'ok' end,
    'cancelled', r.cancel_requested_at is not null);
end $$;

create or replace function quorate.journal_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local);
  return '{"state":"ok"}';
end $$;

create or replace function quorate.settle_run(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform quorate.require_session();
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  if p_local is not null and quorate.is_held(r)
    and exists (select from pg_catalog.json_to_recordset(p_local) as l (path text)
      where not exists (select from quorate.steps x where x.run_id = p_run and x.path = l.path)) then
    return '{"halted":true}';
  end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  -- what was under way when the run ended has no result
  update quorate.steps s set status = 'error', error = '{"key":"stepAbandoned","values":{}}', finished_at = clock_timestamp()
    where s.run_id = p_run and s.status in ('pending', 'processing', 'waiting');
  return pg_catalog.json_build_object(
    'steps', (select coalesce(pg_catalog.json_agg(pg_catalog.to_json(s)), '[]') from quorate.steps s where s.run_id = p_run),
    'decisions', (select coalesce(pg_catalog.json_agg(pg_catalog.to_json(d)), '[]') from quorate.decisions d where d.run_id = p_run));
end $$;

create or replace function quorate.park_run(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform quorate.require_session();
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null and not quorate.is_held(r) then
    perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local);
  end if;
  if r.wake or r.cancel_requested_at is not null then return '{"state":"wake"}'; end if;
  update quorate.runs x set status = 'waiting', claimed_by = null, waiting_since = clock_timestamp(), updated_at = clock_timestamp()
    where x.id = p_run;
  return '{"state":"parked"}';
end $$;

create or replace function quorate.close_run(p_workspace uuid, p_run uuid, p_attempt int, p_close json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_name text; v_steps int; v_decisions int; v_events jsonb; v_form uuid; v_close jsonb := p_close;
  v_output json := p_close -> 'output'; v_status text := v_close ->> 'status'; v_at timestamptz;
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then
    return pg_catalog.jsonb_build_object('state', case when exists (select from quorate.runs x where x.id = p_run
      and (x.workspace_id = p_workspace and x.attempt = p_attempt and x.status in ('completed', 'failed', 'cancelled')) is true)
      then 'closed' else 'fenced' end);
  end if;
  -- a cancellation that came while the last step ended still counts
  if r.cancel_requested_at is not null and v_status <> 'cancelled' then return '{"state":"cancelled"}'; end if;
  select count(*) into v_steps from quorate.steps s where s.run_id = p_run;
  select count(*) into v_decisions from quorate.decisions d where d.run_id = p_run;
  if v_steps <> (v_close #>> '{journal,steps}')::int or v_decisions <> (v_close #>> '{journal,decisions}')::int then
    raise exception 'the journal is not what was hashed' using errcode = 'QR002';
  end if;
  update quorate.approvals a set status = 'withdrawn' where a.run_id = p_run and a.status in ('pending', 'approved');
  for v_form in update quorate.human_tasks t set status = 'withdrawn' where t.run_id = p_run and t.status = 'pending' returning t.id loop
    perform quorate.close_task_notices(v_form);
  end loop;
  if r.trial ->> 'kind' = 'dry' and r.caller_run_id is null then perform quorate.drop_dry_files(p_run); end if;
  v_at := clock_timestamp();
  update quorate.runs x set status = v_status, output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end,
    error = nullif(v_close -> 'error', 'null'), journal_hash = v_close #>> '{journal,journal}', claimed_by = null, wake = false,
    finished_at = v_at, updated_at = v_at where x.id = p_run;
  select coalesce(pg_catalog.jsonb_agg(e.id order by e.at, e.id), '[]') into v_events from (
    select x.id, x.at from quorate.audit_events x
    where x.workspace_id = p_workspace and x.resource_kind = 'run' and x.resource_id = p_run::text
    union all select x.id, x.at from quorate.approvals a join quorate.audit_events x on x.workspace_id = p_workspace
      and x.resource_kind = 'approval' and x.resource_id = a.id::text
    where a.run_id = p_run) e;
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.append_worker_event(p_workspace, (v_close ->> 'eventId')::uuid, 'run.' || v_status, 'run', p_run::text, v_name,
    (v_close -> 'journal')
      || pg_catalog.jsonb_build_object('mode', r.mode, 'version', r.version_id, 'attempts', r.attempt, 'events', v_events));
  return pg_catalog.jsonb_build_object('state', 'closed', 'at', v_at, 'related', quorate.wake_related_runs(r, v_status));
end $$;

create or replace function quorate.note_step(p_workspace uuid, p_run uuid, p_attempt int, p_revision bigint, p_step json, p_output json,
  p_local json)
returns json language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_revision bigint; v_step jsonb := p_step; d jsonb := v_step -> 'decision';
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if (r.trial ->> 'kind' = 'dry') is not true then raise exception 'only a dry run notes a step' using errcode = 'QR005'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if exists (select from quorate.steps x where x.run_id = p_run and x.path = v_step ->> 'path'
    and x.status in ('success', 'error', 'skipped')) then
    return '{"state":"noted"}';
  end if;
  select x.config_revision into v_revision from quorate.workspaces x where x.id = p_workspace;
  if v_revision <> p_revision then return pg_catalog.json_build_object('state', 'stale', 'revision', v_revision); end if;
  insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest,
    policy_version)
  values ((d ->> 'id')::uuid, p_workspace, p_run, v_step ->> 'path', (v_step ->> 'attempt')::int, d ->> 'action', d ->> 'verdict',
    d -> 'rules', d -> 'reason', d -> 'context', d ->> 'actionDigest', d ->> 'policyVersion')
  on conflict (id) do nothing;
  perform quorate.write_step(r, v_step, p_step -> 'input', 'skipped', null, null);
  update quorate.steps s set output = p_output, output_digest = v_step ->> 'outputDigest', finished_at = clock_timestamp()
    where s.run_id = p_run and s.path = v_step ->> 'path';
  return '{"state":"noted"}';
end $$;

create or replace function quorate.renew_lease(p_worker uuid) returns boolean language plpgsql security definer set search_path = '' as $$
declare v_revoked boolean; v_now timestamptz := clock_timestamp();
begin
  perform quorate.require_session();
  select l.revoked into v_revoked from quorate.worker_leases l where l.worker_id = p_worker for update;
  if not found then
    insert into quorate.worker_leases (worker_id, renewed_at) values (p_worker, v_now);
    -- those of workers that ended long ago
    delete from quorate.worker_leases l
      where l.renewed_at < v_now - interval '1 day'
      and not exists (select from quorate.runs r where r.claimed_by = l.worker_id and r.status = 'processing');
    return true;
  end if;
  update quorate.worker_leases l set renewed_at = v_now, revoked = false where l.worker_id = p_worker;
  return not v_revoked;
end $$;

create or replace function quorate.claim_run(p_workspace uuid, p_run uuid, p_worker uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; w quorate.workspaces;
begin
  perform quorate.require_session();
  select * into r from quorate.runs x where x.id = p_run and (x.workspace_id = p_workspace) is true for update;
  if r.id is null or r.status in ('completed', 'failed', 'cancelled') then return '{"state":"done"}'; end if;
  if r.status = 'processing' and r.claimed_by is not null and r.claimed_by <> p_worker then
    update quorate.runs x set wake = true where x.id = p_run and not x.wake;
    return '{"state":"busy"}';
  end if;
  select * into w from quorate.workspaces x where x.id = p_workspace;
  if w.halted_at is not null and r.cancel_requested_at is null then
    -- the release puts every open run into the queue again
    if r.status = 'processing' then
      update quorate.runs x set status = 'waiting', claimed_by = null, waiting_since = clock_timestamp(), updated_at = clock_timestamp()
        where x.id = p_run;
    end if;
    return '{"state":"halted"}';
  end if;
  update quorate.runs x set status = 'processing', attempt = x.attempt + 1, claimed_by = p_worker, wake = false,
    started_at = coalesce(x.started_at, clock_timestamp()), updated_at = clock_timestamp(), waiting_ms = x.waiting_ms
      + case when x.waiting_since is null then 0 else (extract(epoch from clock_timestamp() - x.waiting_since) * 1000)::bigint end,
    waiting_since = null
    where x.id = p_run returning * into r;
  return quorate.describe_claim(r, w.config_revision);
end $$;

create or replace function quorate.list_claimed_runs(p_worker uuid) returns table (run_id uuid, workspace_id uuid)
  language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select r.id, r.workspace_id from quorate.runs r where r.claimed_by = p_worker and r.status = 'processing'
$$;

create or replace function quorate.list_stalled_runs() returns table (run_id uuid, workspace_id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select r.id, r.workspace_id from quorate.runs r join quorate.workspaces w on w.id = r.workspace_id
  where r.status in ('pending', 'waiting') and (r.status = 'pending' or r.wake or r.cancel_requested_at is not null or r.place = 'granted')
    and (r.place is null or r.place = 'granted' or r.cancel_requested_at is not null)
    and r.updated_at < clock_timestamp() - interval '2 seconds'
    and (w.halted_at is null or r.cancel_requested_at is not null) limit 200
$$;

create or replace function quorate.list_lost_workers(p_worker uuid) returns table (worker_id uuid)
  language sql volatile security definer set search_path = '' as $$
  select quorate.require_session();
  select c.claimed_by from (select distinct r.claimed_by from quorate.runs r
    where r.status = 'processing' and r.claimed_by is not null and r.claimed_by <> p_worker) c
  left join quorate.worker_leases l on l.worker_id = c.claimed_by
  where case
    when not exists (select from pg_catalog.pg_locks k where k.locktype = 'advisory' and k.granted and k.objsubid = 1
      and k.classid::bigint = ((quorate.worker_lock(c.claimed_by) >> 32) & 4294967295)
        and k.objid::bigint = (quorate.worker_lock(c.claimed_by) & 4294967295)
      and k.database = (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()))
      then coalesce(l.renewed_at < clock_timestamp() - quorate.lock_grace(), true)
    else coalesce(l.renewed_at < clock_timestamp() - quorate.lease_length(), false)
  end
$$;

create or replace function quorate.release_lost_worker(p_worker uuid) returns table (run_id uuid, workspace_id uuid)
language plpgsql security definer set search_path = '' as $$
declare v_renewed timestamptz;
begin
  perform quorate.require_session();
  -- it renews, and waits for this; or it has renewed since it was listed, and keeps what it holds
  select l.renewed_at into v_renewed from quorate.worker_leases l where l.worker_id = p_worker for update;
  if not pg_catalog.pg_try_advisory_xact_lock(quorate.worker_lock(p_worker))
    and coalesce(v_renewed >= clock_timestamp() - quorate.lease_length(), true) then return; end if;
  if v_renewed >= clock_timestamp() - quorate.lock_grace() then return; end if;
  update quorate.worker_leases l set revoked = true where l.worker_id = p_worker;
  -- a row that a stuck session of the lost worker still holds is left for the next look
  return query update quorate.runs r set claimed_by = null
    where r.id in (select x.id from quorate.runs x where x.claimed_by = p_worker and x.status = 'processing' for no key update skip locked)
      returning r.id, r.workspace_id;
end $$;

create or replace function quorate.claim_run_within_limits(p_workspace uuid, p_run uuid, p_worker uuid, p_ceiling int)
returns table (a json, granted uuid[], limited boolean)
language plpgsql security definer set search_path = '' as $$
declare r record; v_limit int; v_place text; v_granted uuid[] := '{}'; v_limited boolean;
begin
  perform quorate.require_session();
  select x.status, x.place, x.artifact_id, x.cancel_requested_at, t.runs_at_once as of_workflow,
    quorate.runs_at_once(w.settings, p_ceiling) as of_workspace
    into r from quorate.runs x join quorate.artifacts t on t.id = x.artifact_id join quorate.workspaces w on w.id = x.workspace_id
    where x.id = p_run and (x.workspace_id = p_workspace) is true;
  v_limited := r.of_workspace is not null or r.of_workflow is not null;
  if r.status in ('pending', 'waiting') and (v_limited or r.place is not null) then
    if r.cancel_requested_at is null then
      perform pg_catalog.pg_advisory_xact_lock(quorate.places_lock(p_workspace));
      -- first those that wait, each in its turn
      v_granted := quorate.grant_places(p_workspace, p_ceiling);
      select x.place into v_place from quorate.runs x where x.id = p_run;
      if v_place is null then
        v_place := case
          when r.of_workspace <= quorate.places_taken(p_workspace, null) then 'workspace'
          when r.of_workflow <= quorate.places_taken(p_workspace, r.artifact_id) then 'workflow' end;
        if v_place is not null then
          update quorate.runs x set place = v_place, updated_at = clock_timestamp()
            where x.id = p_run and x.status in ('pending', 'waiting');
        end if;
      end if;
      if v_place in ('workspace', 'workflow') then
        return query select pg_catalog.json_build_object('state', 'full'), v_granted, v_limited;
        return;
      end if;
      v_granted := pg_catalog.array_remove(v_granted, p_run);
    end if;
    update quorate.runs x set place = null where x.id = p_run and x.place is not null;
  end if;
  return query select quorate.claim_run(p_workspace, p_run, p_worker)::json, v_granted, coalesce(v_limited, false);
end $$;

create or replace function quorate.free_place(p_workspace uuid, p_ceiling int) returns uuid[]
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from quorate.runs r where r.workspace_id = p_workspace and r.place in ('workspace', 'workflow')) then
    return '{}';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(quorate.places_lock(p_workspace));
  return quorate.grant_places(p_workspace, p_ceiling);
end $$;

create or replace function quorate.free_places(p_ceiling int) returns table (run_id uuid, workspace_id uuid)
language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid;
begin
  perform quorate.require_session();
  loop
    select r.workspace_id into v_workspace from quorate.runs r
      where r.place in ('workspace', 'workflow') and (v_workspace is null or r.workspace_id > v_workspace) order by r.workspace_id limit 1;
    exit when v_workspace is null;
    -- who holds the lock is giving out these places
    if pg_catalog.pg_try_advisory_xact_lock(quorate.places_lock(v_workspace)) then
      return query select g.id, v_workspace from unnest(quorate.grant_places(v_workspace, p_ceiling)) as g (id);
    end if;
  end loop;
end $$;

create or replace function quorate.free_call(p_workspace uuid, p_connection uuid, p_run uuid, p_path text) returns uuid[]
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from quorate.connections c where c.id = p_connection and c.workspace_id = p_workspace) then return '{}'; end if;
  delete from quorate.connection_calls x
    where x.run_id = p_run and x.path = p_path and x.connection_id = p_connection and x.state = 'calling';
  return quorate.grant_calls(p_connection);
end $$;

create or replace function quorate.free_calls() returns table (run_id uuid, workspace_id uuid)
language plpgsql security definer set search_path = '' as $$
declare v_connection uuid; v_workspace uuid;
begin
  perform quorate.require_session();
  -- most of the time there is nothing
  if not exists (select from quorate.connection_traffic) then return; end if;
  for v_connection, v_workspace in
    select t.connection_id, t.workspace_id from quorate.connection_traffic t
    where exists (select from quorate.connection_calls x where x.connection_id = t.connection_id and x.state in ('waiting', 'granted'))
    -- who holds the row is giving out these places
    order by t.connection_id for update of t skip locked
  loop
    return query select g.id, v_workspace from unnest(quorate.grant_calls(v_connection)) as g (id);
  end loop;
  delete from quorate.connection_traffic t using quorate.connections c
    where c.id = t.connection_id and c.calls_at_once is null and c.calls_a_minute is null
      and coalesce(t.paused_until, '-infinity') < clock_timestamp() - interval '10 minutes'
      and not exists (select from quorate.connection_calls x where x.connection_id = t.connection_id);
end $$;

create or replace function quorate.pause_calls(p_workspace uuid, p_connection uuid, p_seconds double precision) returns timestamptz
language plpgsql security definer set search_path = '' as $$
declare t quorate.connection_traffic; v_now timestamptz := clock_timestamp(); v_until timestamptz;
begin
  perform quorate.require_session();
  insert into quorate.connection_traffic (connection_id, workspace_id)
    select c.id, c.workspace_id from quorate.connections c where c.id = p_connection and c.workspace_id = p_workspace
    on conflict do nothing;
  select * into t from quorate.connection_traffic x
    where x.connection_id = p_connection and (x.workspace_id = p_workspace) is true for update;
  if t.connection_id is null then return v_now; end if;
  if p_seconds is not null then
    v_until := v_now + pg_catalog.make_interval(secs => least(greatest(p_seconds, 1), 300));
  elsif t.paused_until > v_now then
    -- one of several calls that were refused together
    return t.paused_until;
  else
    t.pauses := case when t.paused_until > v_now - interval '2 minutes' then least(t.pauses + 1, 20) else 1 end;
    v_until := v_now + pg_catalog.make_interval(secs => least(2 ^ t.pauses, 300) * (0.75 + random() / 4));
  end if;
  v_until := greatest(v_until, t.paused_until);
  update quorate.connection_traffic x set paused_until = v_until, pauses = t.pauses where x.connection_id = p_connection;
  return v_until;
end $$;

create or replace function quorate.watch_runs(p_process uuid, p_workspaces uuid[], p_runs uuid[], p_seconds int) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  insert into quorate.watching as x (run_id, process_id, workspace_id, until)
  select r.id, p_process, r.workspace_id, clock_timestamp() + pg_catalog.make_interval(secs => p_seconds)
  from unnest(p_workspaces, p_runs) as w (workspace_id, run_id)
    join quorate.runs r on r.id = w.run_id and (r.workspace_id = w.workspace_id) is true
  on conflict (run_id, process_id) do update set until = excluded.until;
end $$;

create or replace function quorate.unwatch_runs(p_process uuid, p_runs uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  delete from quorate.watching x where x.process_id = p_process and (p_runs is null or x.run_id = any (p_runs));
  delete from quorate.watching x where x.until < clock_timestamp();
end $$;

create or replace function quorate.announce_runs(p_runs uuid[], p_changes text[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_process uuid; v_payload text;
begin
  perform quorate.require_session();
  for v_process, v_payload in
    select x.process_id, pg_catalog.string_agg(x.run_id::text || ' ' || c.change, ',')
    from unnest(p_runs, p_changes) as c (run_id, change) join quorate.watching x on x.run_id = c.run_id
    where x.until > clock_timestamp() group by x.process_id
  loop
    perform pg_catalog.set_config('synchronous_commit', 'off', true);
    perform pg_catalog.pg_notify('quorate_process_' || v_process::text, v_payload);
  end loop;
end $$;

create or replace function quorate.ask_partial_texts(p_workspace uuid, p_run uuid, p_seconds int) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  insert into quorate.text_readers as x (run_id, workspace_id, until)
  select r.id, r.workspace_id, clock_timestamp() + pg_catalog.make_interval(secs => p_seconds)
  from quorate.runs r where r.id = p_run and (r.workspace_id = p_workspace) is true
  on conflict (run_id) do update set until = greatest(x.until, excluded.until);
  delete from quorate.text_readers x where x.until < clock_timestamp();
  delete from quorate.partial_texts x where x.written_at < clock_timestamp() - interval '1 hour';
end $$;

create or replace function quorate.list_text_readers(p_runs uuid[]) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select x.run_id from quorate.text_readers x where x.run_id = any (p_runs) and x.until > clock_timestamp()
$$;

create or replace function quorate.write_partial_text(p_workspace uuid, p_run uuid, p_path text, p_begun timestamptz, p_chars int,
  p_text text)
returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  insert into quorate.partial_texts as x (run_id, path, workspace_id, begun_at, written_at, chars, text)
  select r.id, p_path, r.workspace_id, p_begun, clock_timestamp(), p_chars, p_text
  from quorate.runs r where r.id = p_run and (r.workspace_id = p_workspace) is true
  on conflict (run_id, path) do update set begun_at = excluded.begun_at, written_at = excluded.written_at,
    chars = excluded.chars, text = excluded.text where x.begun_at <= excluded.begun_at;
end $$;

create or replace function quorate.end_partial_text(p_run uuid, p_path text, p_begun timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  delete from quorate.partial_texts x where x.run_id = p_run and x.path = p_path and x.begun_at = p_begun;
end $$;

create or replace function quorate.receive_event(p_run uuid, p_step text, p_body json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_state text; v_path text := pg_catalog.replace(p_step, '~', '/');
begin
  perform quorate.require_session();
  select * into r from quorate.runs x where x.id = p_run for no key update;
  if r.id is null then return '{"state":"unknown"}'; end if;
  if exists (select from quorate.run_events e where e.run_id = p_run and e.step_id = p_step) then
    v_state := 'repeated';
  elsif r.status in ('completed', 'failed', 'cancelled') or r.cancel_requested_at is not null
    or exists (select from quorate.steps s where s.run_id = p_run and s.status in ('success', 'error', 'skipped')
      and (s.step_id = p_step or (v_path <> p_step and (s.path = v_path
        or (s.item_index is not null and pg_catalog.starts_with(v_path, s.path || '/')))))) then
    return '{"state":"late"}';
  else
    insert into quorate.run_events (run_id, step_id, workspace_id, body) values (p_run, p_step, r.workspace_id, p_body);
    v_state := 'received';
  end if;
  if r.status = 'processing' then update quorate.runs x set wake = true where x.id = p_run; end if;
  return pg_catalog.json_build_object('state', v_state, 'workspaceId', r.workspace_id);
end $$;

create or replace function quorate.read_event(p_workspace uuid, p_run uuid, p_attempt int, p_step text) returns json
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if (quorate.hold_run(p_workspace, p_run, p_attempt)).id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('body', e.body, 'at', e.received_at) from quorate.run_events e
    where e.run_id = p_run and e.step_id = p_step);
end $$;

create or replace function quorate.list_overdue_approvals(p_limit int) returns table (approval_id uuid, run_id uuid, workspace_id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select a.id, a.run_id, a.workspace_id from quorate.approvals a
    where a.status in ('pending', 'approved') and a.due_at <= pg_catalog.clock_timestamp() order by a.due_at limit least(p_limit, 1000)
$$;

create or replace function quorate.expire_approval(p_workspace uuid, p_approval uuid, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals;
begin
  perform quorate.require_session();
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = p_workspace;
  if a.id is null then return false; end if;
  perform from quorate.runs r where r.id = a.run_id for no key update;
  update quorate.approvals x set status = 'expired', decided_at = pg_catalog.clock_timestamp()
    where x.id = p_approval and x.status in ('pending', 'approved') and x.due_at <= pg_catalog.clock_timestamp() returning * into a;
  if a.id is null then return false; end if;
  perform quorate.append_worker_event(a.workspace_id, p_event, 'approval.expired', 'approval', a.id::text, a.title,
    pg_catalog.jsonb_build_object('run', a.run_id, 'step', a.step_path, 'digest', a.action_digest));
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
  return true;
end $$;

create or replace function quorate.find_called_workflow(p_workspace uuid, p_run uuid, p_attempt int, p_artifact uuid, p_number int)
returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; a quorate.artifacts; v_version uuid; v_number int; v_callers uuid[];
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  select * into a from quorate.artifacts x
    where x.id = p_artifact and x.workspace_id = p_workspace and x.kind = 'workflow' and x.deleted_at is null;
  select v.id, v.number into v_version, v_number from quorate.versions v
    where v.artifact_id = a.id and case when p_number is null then v.id = a.published_version_id else v.number = p_number end;
  if v_version is null then return '{"state":"unknown"}'; end if;
  if r.mode = 'live' and a.status <> 'active' then
    return pg_catalog.json_build_object('state', 'paused', 'name', a.name);
  end if;
  with recursive callers as (
    select x.id, x.artifact_id, x.caller_run_id from quorate.runs x where x.id = p_run
    union all
    select x.id, x.artifact_id, x.caller_run_id from callers c join quorate.runs x on x.id = c.caller_run_id)
  select pg_catalog.array_agg(c.artifact_id) into v_callers from callers c;
  if a.id = any (v_callers) then return pg_catalog.json_build_object('state', 'cycle', 'name', a.name); end if;
  if pg_catalog.cardinality(v_callers) >= 8 then return pg_catalog.json_build_object('state', 'deep', 'name', a.name); end if;
  return (select pg_catalog.json_build_object('state', 'found', 'versionId', v_version, 'number', v_number, 'name', a.name,
    'plan', w.plan, 'trialEndsAt', w.trial_ends_at) from quorate.workspaces w where w.id = p_workspace);
end $$;

create or replace function quorate.read_failed_call(p_workspace uuid, p_run uuid, p_attempt int, p_called uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('number', v.number, 'input', x.input,
    'statuses', (select coalesce(pg_catalog.json_object_agg(s.path, s.status), '{}') from quorate.steps s
      where s.run_id = x.id and s.within is null and s.item_index is null))
  from quorate.runs x join quorate.versions v on v.id = x.version_id
  where x.id = p_called and x.caller_run_id = r.parent_run_id and x.status in ('failed', 'cancelled'));
end $$;

create or replace function quorate.start_called_run(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_call json, p_local json)
returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_version quorate.versions; v_name text; v_id uuid := (p_call ->> 'runId')::uuid;
  v_quota int := (p_call ->> 'quota')::int; c jsonb := p_call -> 'continues';
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if exists (select from quorate.runs x where x.caller_run_id = p_run and x.caller_path = p_path) then return '{"state":"started"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.mode = 'live' and v_quota is not null then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('executions:' || p_workspace::text, 0));
    if (select count(*) from (select from quorate.runs x where x.workspace_id = p_workspace and x.mode = 'live'
      and x.created_at >= (p_call ->> 'since')::timestamptz limit v_quota) m) >= v_quota then
      return '{"state":"full"}';
    end if;
  end if;
  select * into v_version from quorate.versions v where v.id = (p_call ->> 'versionId')::uuid and v.workspace_id = p_workspace;
  select a.name into v_name from quorate.artifacts a where a.id = v_version.artifact_id;
  insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, caller_run_id, caller_path,
    parent_run_id, trial, subject)
  values (v_id, p_workspace, v_version.artifact_id, v_version.id, r.mode, 'workflow', r.initiator_id, p_call -> 'input', p_run, p_path,
    (c ->> 'run')::uuid,
    -- what a dry run calls is dry itself
    case when r.trial ->> 'kind' = 'dry' then '{"kind":"dry","outputs":{},"pinned":[],"around":{}}'::json end,
    nullif((p_call -> 'subject')::jsonb, 'null'));
  perform quorate.append_worker_event(p_workspace, (p_call ->> 'eventId')::uuid, 'run.started', 'run', v_id::text, v_name,
    pg_catalog.jsonb_build_object('workflow', v_version.artifact_id, 'version', v_version.id, 'mode', r.mode, 'trigger', 'workflow',
      'caller', p_run, 'callerStep', p_path)
      || case when c is null then '{}' else pg_catalog.jsonb_build_object('from', c -> 'run', 'fromStep', c #> '{begun,0}') end);
  if c is not null then
    if not exists (select from quorate.runs x where x.id = (c ->> 'run')::uuid and x.caller_run_id = r.parent_run_id
      and x.caller_path = p_path and x.version_id = v_version.id and x.status in ('failed', 'cancelled')) then
      raise exception 'this run does not go on from that one' using errcode = 'QP005';
    end if;
    perform quorate.copy_kept((c ->> 'run')::uuid, v_id, array(select pg_catalog.jsonb_array_elements_text(c -> 'kept')),
      array(select pg_catalog.jsonb_array_elements_text(c -> 'open')));
    perform quorate.copy_begun((c ->> 'run')::uuid, v_id, b) from pg_catalog.jsonb_array_elements_text(c -> 'begun') b;
    -- the first walk reads the journal, as one that takes over does
    update quorate.runs x set attempt = 1 where x.id = v_id;
  end if;
  return '{"state":"started"}';
end $$;

create or replace function quorate.read_called_run(p_workspace uuid, p_run uuid, p_attempt int, p_path text) returns json
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if (quorate.hold_run(p_workspace, p_run, p_attempt)).id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('runId', x.id, 'status', x.status, 'output', x.output, 'error', x.error)
    from quorate.runs x where x.caller_run_id = p_run and x.caller_path = p_path);
end $$;

create or replace function quorate.begin_cleanup(p_workspace uuid, p_run uuid, p_attempt int, p_event uuid, p_row json, p_local json)
returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_name text; v_related uuid[]; v_ended text := p_row #>> '{0,input,ended}'; v_path text := p_row #>> '{0,path}';
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  -- said a second time, since the first answer was lost
  if exists (select from quorate.steps s where s.run_id = p_run and s.path = v_path) then return '{"state":"begun","related":[]}'; end if;
  if r.cancel_requested_at is not null and v_ended <> 'cancelled' then return '{"state":"cancelled"}'; end if;
  if p_local is not null and not quorate.is_held(r) then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_row);
  v_related := array(select x::uuid from pg_catalog.jsonb_array_elements_text(quorate.withdraw_asks(p_run, null) -> 'runs') x);
  delete from quorate.connection_calls x where x.run_id = p_run and x.state <> 'calling';
  update quorate.runs x set cancel_requested_at = null, updated_at = clock_timestamp() where x.id = p_run;
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.append_worker_event(p_workspace, p_event, 'run.cleanupStarted', 'run', p_run::text, v_name,
    pg_catalog.jsonb_build_object('ended', v_ended, 'step', v_path));
  return pg_catalog.json_build_object('state', 'begun', 'related', v_related);
end $$;

create or replace function quorate.ask_human_task(p_workspace uuid, p_run uuid, p_attempt int, p_step json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; t quorate.human_tasks; v_step jsonb := p_step; q jsonb := v_step -> 'task'; v_to text := q ->> 'to';
  v_path text := v_step ->> 'path'; v_users uuid[]; v_name text; v_remind int := (q ->> 'remindHours')::int;
  v_due timestamptz := clock_timestamp() + pg_catalog.make_interval(hours => (q ->> 'dueHours')::int);
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  perform quorate.refuse_in_dry_run(r);
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  select * into t from quorate.human_tasks x where x.run_id = p_run and x.step_path = v_path for update;
  if t.id is null then
    select coalesce(pg_catalog.array_agg(m.user_id), '{}') into v_users from quorate.members m where m.workspace_id = p_workspace
      and case v_to when 'starter' then m.user_id = r.initiator_id
        when 'member' then pg_catalog.lower(m.email) = pg_catalog.lower(q ->> 'member') else v_to = any (m.roles) end;
    if pg_catalog.cardinality(v_users) = 0 then return '{"state":"nobody"}'; end if;
    insert into quorate.human_tasks (id, workspace_id, run_id, step_path, title, workflow, question, shown, fields, role, user_id, due_at,
      late, remind_at)
    values ((q ->> 'id')::uuid, p_workspace, p_run, v_path, v_step ->> 'name', v_name, q ->> 'question', p_step #> '{task,shown}',
      q -> 'fields', case when v_to not in ('starter', 'member') then v_to end, case when v_to in ('starter', 'member') then v_users[1] end,
      v_due, q ->> 'late',
      case when v_remind between 1 and (q ->> 'dueHours')::int - 1 then v_due - pg_catalog.make_interval(hours => v_remind)
        when q ->> 'late' = 'keep' then v_due end)
    returning * into t;
    perform quorate.append_worker_event(p_workspace, (q ->> 'eventId')::uuid, 'humanTask.asked', 'run', p_run::text, v_name,
      pg_catalog.jsonb_build_object('task', t.id, 'step', v_path));
    perform quorate.notify(p_workspace, v_users, 'task', 'notifyTask',
      pg_catalog.jsonb_build_object('title', t.title, 'workflow', v_name),
      pg_catalog.jsonb_build_object('kind', 'task', 'id', t.id), 'task:' || t.id);
  elsif t.status = 'pending' and t.due_at <= clock_timestamp() and t.late <> 'keep' then
    update quorate.human_tasks x set status = 'expired' where x.id = t.id returning * into t;
    perform quorate.close_task_notices(t.id);
    perform quorate.append_worker_event(p_workspace, (q ->> 'eventId')::uuid, 'humanTask.expired', 'run', p_run::text, v_name,
      pg_catalog.jsonb_build_object('task', t.id, 'step', v_path));
  end if;
  -- written by this attempt, which is then the one that may end it
  perform quorate.write_step(r, v_step, p_step -> 'input', case t.status when 'pending' then 'waiting' else 'pending' end, null, null);
  return pg_catalog.json_build_object('state', case t.status when 'pending' then 'waiting' else t.status end, 'id', t.id,
    'dueAt', case when t.late <> 'keep' then t.due_at end,
    'answer', t.answer, 'by', (select m.name from quorate.members m where m.workspace_id = p_workspace and m.user_id = t.answered_by));
end $$;

create or replace function quorate.remind_human_tasks() returns int language plpgsql security definer set search_path = '' as $$
declare t quorate.human_tasks; v_count int := 0; v_late boolean;
begin
  perform quorate.require_session();
  for t in select * from quorate.human_tasks x where x.status = 'pending' and x.remind_at <= pg_catalog.clock_timestamp()
    order by x.remind_at limit 200 for update skip locked loop
    v_late := t.due_at <= pg_catalog.clock_timestamp();
    update quorate.human_tasks x set remind_at = case when t.late = 'keep' and not v_late then t.due_at end where x.id = t.id;
    continue when exists (select from quorate.runs r where r.id = t.run_id and r.status in ('completed', 'failed', 'cancelled'));
    perform quorate.notify(t.workspace_id, quorate.human_task_people(t), 'task',
      case when v_late then 'notifyTaskOverdue' else 'notifyTaskDue' end,
      pg_catalog.jsonb_build_object('title', t.title, 'workflow', t.workflow,
        'due', pg_catalog.to_char(t.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC'),
      pg_catalog.jsonb_build_object('kind', 'task', 'id', t.id), case when v_late then 'task-overdue:' else 'task-due:' end || t.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

create or replace function quorate.leave_steps(p_workspace uuid, p_run uuid, p_attempt int, p_left json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_taken jsonb; v_name text; v_paths text[] := array(select pg_catalog.json_array_elements_text(p_left -> 'paths'));
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  update quorate.steps s set status = 'error', error = (p_left -> 'error')::jsonb, next_attempt_at = null,
    finished_at = clock_timestamp()
  where s.run_id = p_run and s.status in ('pending', 'processing', 'waiting') and quorate.is_below(s.path, v_paths);
  delete from quorate.connection_calls x where x.run_id = p_run and x.state <> 'calling' and quorate.is_below(x.path, v_paths);
  v_taken := quorate.withdraw_asks(p_run, v_paths);
  if v_taken <> '{"approvals":[],"forms":[],"runs":[]}' then
    select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
    perform quorate.append_worker_event(p_workspace, (p_left ->> 'eventId')::uuid, 'run.asksWithdrawn', 'run', p_run::text, v_name,
      v_taken || pg_catalog.jsonb_build_object('step', p_left -> 'within'));
  end if;
  return pg_catalog.json_build_object('state', 'left', 'related', v_taken -> 'runs');
end $$;

create or replace function quorate.keep_run_file(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_file json, p_local json)
returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_id uuid; v_count int; v_bytes bigint;
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  select count(*), coalesce(sum(f.size), 0) into v_count, v_bytes from quorate.run_files f
    where f.workspace_id = p_workspace and f.run_id = p_run and f.step_path is distinct from p_path;
  if v_count >= 1000 or v_bytes + (p_file ->> 'size')::int > 104857600 then return '{"state":"full"}'; end if;
  insert into quorate.run_files as f (id, workspace_id, run_id, step_path, owner_id, name, media_type, size, sha256, stored_name)
  values ((p_file ->> 'id')::uuid, p_workspace, p_run, p_path, r.initiator_id, p_file ->> 'name', p_file ->> 'mediaType',
    (p_file ->> 'size')::int, p_file ->> 'sha256', p_file ->> 'storedName')
  on conflict (run_id, step_path) where step_path is not null do update set name = excluded.name, media_type = excluded.media_type,
    size = excluded.size, sha256 = excluded.sha256, stored_name = excluded.stored_name
  returning f.id into v_id;
  return pg_catalog.json_build_object('state', 'kept', 'id', v_id);
end $$;

create or replace function quorate.find_run_file(p_workspace uuid, p_run uuid, p_attempt int, p_file uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('name', f.name, 'sha256', f.sha256, 'storedName', f.stored_name) from quorate.run_files f
    where f.id = p_file and f.workspace_id = p_workspace and (f.run_id = p_run or f.owner_id = r.initiator_id
      or (f.run_id is not null and exists (select from quorate.members m where m.workspace_id = p_workspace and m.user_id = r.initiator_id
        and m.roles && array['builder', 'approver', 'auditor', 'admin']))));
end $$;

create or replace function quorate.list_file_removals(p_limit int) returns table (stored_name text)
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  delete from quorate.run_files f where f.run_id is null and f.created_at < clock_timestamp() - interval '1 day';
  return query select x.stored_name from quorate.file_removals x order by x.removed_at limit p_limit;
end $$;

create or replace function quorate.forget_file_removals(p_names text[]) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  delete from quorate.file_removals x where x.stored_name = any (p_names)
$$;

create or replace function quorate.list_overdue_changes(p_limit int) returns table (change_id uuid, workspace_id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select d.id, d.workspace_id from (
    (select c.id, c.workspace_id, c.due_at from quorate.control_changes c
      where c.status = 'pending' and c.due_at <= pg_catalog.clock_timestamp() order by c.due_at limit least(p_limit, 1000))
    union all
    (select b.change_id, b.workspace_id, b.ends_at from quorate.break_glass b
      where b.ended_at is null and b.ends_at <= pg_catalog.clock_timestamp() order by b.ends_at limit least(p_limit, 1000))) d
  order by d.due_at limit least(p_limit, 1000)
$$;

create or replace function quorate.expire_control_change(p_workspace uuid, p_change uuid, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare c quorate.control_changes; v_outcome text;
begin
  perform quorate.require_session();
  perform from quorate.workspaces w where w.id = p_workspace for no key update;
  select * into c from quorate.control_changes x where x.id = p_change and x.workspace_id = p_workspace for update;
  if c.status = 'emergency' and exists (select from quorate.break_glass b
    where b.change_id = c.id and b.ends_at <= pg_catalog.clock_timestamp()) then
    v_outcome := quorate.end_break_glass(c, null, 'expired');
  elsif c.status = 'pending' and c.due_at <= pg_catalog.clock_timestamp() then
    update quorate.control_changes x set status = 'expired', decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  else return false; end if;
  perform quorate.append_worker_event(c.workspace_id, p_event,
    case when v_outcome is null then 'change.expired' else 'breakGlass.ended' end, 'change', c.id::text, c.kind,
    pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object('change', c.id, 'kind', c.kind, 'resource', c.resource_id,
      'digest', c.digest, 'outcome', v_outcome)));
  return true;
end $$;

create or replace function quorate.begin_deputies() returns int language plpgsql security definer set search_path = '' as $$
declare d quorate.deputies; v_count int := 0; v_name text;
begin
  perform quorate.require_session();
  for d in select * from quorate.deputies x where x.ended_at is null and x.told_at is null and x.from_at <= pg_catalog.clock_timestamp()
    order by x.from_at limit 200 for update skip locked loop
    update quorate.deputies x set told_at = pg_catalog.clock_timestamp() where x.id = d.id;
    continue when d.until_at <= pg_catalog.clock_timestamp();
    select m.name into v_name from quorate.members m where m.workspace_id = d.workspace_id and m.user_id = d.user_id;
    perform quorate.notify(d.workspace_id, array[d.deputy_id], 'approval', 'notifyDeputyBegins',
      pg_catalog.jsonb_build_object('name', v_name, 'until', quorate.deputy_time(d.until_at)),
      pg_catalog.jsonb_build_object('kind', 'deputies', 'id', d.id), 'deputy-begins:' || d.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

create or replace function quorate.forget_deputies() returns void language sql security definer set search_path = '' as $$
  select quorate.require_session();
  delete from quorate.deputies x where coalesce(x.ended_at, x.until_at) < pg_catalog.clock_timestamp() - interval '30 days'
$$;

create or replace function quorate.notify_expired_invitations() returns int language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_told int := 0;
begin
  perform quorate.require_session();
  for i in select * from quorate.invitations x
    where x.accepted_at is null and x.declined_at is null and x.withdrawn_at is null and x.expires_at <= now()
    and x.expires_at > now() - interval '30 days'
    and not exists (select from quorate.notifications n where n.once = 'invitation-expired:' || x.id) order by x.expires_at limit 200 loop
    perform quorate.notify_invitation(i, 'expired');
    v_told := v_told + 1;
  end loop;
  return v_told;
end $$;

create or replace function quorate.claim_notifications(p_limit int)
returns table (
  id uuid, workspace_id uuid, workspace_name text, is_demo boolean, user_id uuid, email text, kind text, subject jsonb, settings jsonb,
  run json, approval json
)
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.notifications n set queued_at = pg_catalog.clock_timestamp()
  from quorate.notifications x
  join quorate.members m on m.workspace_id = x.workspace_id and m.user_id = x.user_id
  join quorate.workspaces w on w.id = x.workspace_id
  left join quorate.preferences p on p.user_id = x.user_id
  where n.id = x.id and x.id in (
    select y.id from quorate.notifications y where y.queued_at is null order by y.created_at limit p_limit for update skip locked
  )
  returning n.id, n.workspace_id, w.name, w.is_demo, n.user_id, m.email, n.kind, n.subject, coalesce(p.settings, '{}'),
    quorate.run_of_notice(n), quorate.approval_of_notice(n)
$$;

create or replace function quorate.list_inbox_marks(p_workspaces uuid[], p_users uuid[])
returns table (user_id uuid, workspace_id uuid, mark text)
  language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select w.user_id, w.workspace_id,
    coalesce((select n.created_at || ' ' || n.id from quorate.notifications n
      where n.user_id = w.user_id and n.workspace_id = w.workspace_id order by n.created_at desc limit 1), '')
    || ' ' || (select count(*)
      from (select from quorate.notifications n
      where n.user_id = w.user_id and n.workspace_id = w.workspace_id and n.read_at is null limit 100) u)
    || ' ' || (select count(*)
      from (select from quorate.approvals a where a.workspace_id = w.workspace_id and a.status = 'pending' limit 100) a)
    || ' ' || (select count(*)
      from (select from quorate.human_tasks t where t.workspace_id = w.workspace_id and t.status = 'pending' limit 100) t)
  from unnest(p_workspaces, p_users) as w (workspace_id, user_id)
$$;

create or replace function quorate.list_desk_marks(p_workspaces uuid[]) returns table (workspace_id uuid, mark text)
  language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select w.workspace_id, pg_catalog.md5(pg_catalog.concat_ws(' ',
    (select r.id from quorate.runs r where r.workspace_id = w.workspace_id order by r.created_at desc, r.id desc limit 1),
    (select pg_catalog.string_agg(o.status || o.runs, ' ' order by o.status) from (
      select x.status, pg_catalog.count(*) as runs from (select r.status from quorate.runs r
        where r.workspace_id = w.workspace_id and r.status in ('pending', 'processing', 'waiting') limit 1000) x group by x.status) o),
    (select pg_catalog.count(*)
      from (select from quorate.approvals a where a.workspace_id = w.workspace_id and a.status = 'pending' limit 100) a),
    (select pg_catalog.count(*)
      from (select from quorate.human_tasks t where t.workspace_id = w.workspace_id and t.status = 'pending' limit 100) t),
    (select e.id from quorate.audit_events e where e.workspace_id = w.workspace_id order by e.at desc, e.id desc limit 1)))
  from unnest(p_workspaces) as w (workspace_id)
$$;

create or replace function quorate.remind_approval() returns boolean language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_holder uuid;
begin
  perform quorate.require_session();
  select * into a from quorate.approvals x where x.status = 'pending' and x.remind_at <= pg_catalog.clock_timestamp()
    order by x.remind_at limit 1 for update skip locked;
  if a.id is null then return false; end if;
  update quorate.approvals x set reminders = a.reminders + 1, remind_at = case a.reminders
    when 0 then a.due_at - least((a.due_at - a.created_at) / 8, interval '8 hours')
    when 1 then a.due_at - least((a.due_at - a.created_at) / 16, interval '2 hours') end where x.id = a.id;
  if a.due_at <= pg_catalog.clock_timestamp()
    or exists (select from quorate.runs r where r.id = a.run_id and r.status in ('completed', 'failed', 'cancelled')) then
    return true;
  end if;
  if a.reminders > 0 then
    perform quorate.escalate_approval(a);
    return true;
  end if;
  v_holder := quorate.approval_holder(a);
  perform quorate.notify(a.workspace_id, array[v_holder], 'approval',
    case when v_holder = a.assigned_to then 'notifyApprovalDue' else 'notifyApprovalDueFor' end,
    pg_catalog.jsonb_build_object('title', a.title, 'due', quorate.deputy_time(a.due_at)) || coalesce(quorate.absence_values(a), '{}'),
    pg_catalog.jsonb_build_object('kind', 'approval', 'id', a.id), 'approval-due:' || a.id);
  return true;
end $$;

create or replace function quorate.send_message(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_message json, p_local json)
returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_to text[]; v_users uuid[]; v_addresses text[]; v_wrong text[];
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  perform quorate.refuse_in_dry_run(r);
  select coalesce(pg_catalog.array_agg(x), '{}') into v_to from pg_catalog.json_array_elements_text(p_message -> 'to') x;
  select coalesce(pg_catalog.array_agg(distinct pg_catalog.lower(x)), '{}') into v_addresses
    from pg_catalog.json_array_elements_text(p_message -> 'members') x;
  select pg_catalog.array_agg(x order by x) into v_wrong from unnest(v_addresses) x where not exists (
    select from quorate.members m where m.workspace_id = p_workspace and pg_catalog.lower(m.email) = x);
  if v_wrong is not null then return pg_catalog.json_build_object('state', 'unknown', 'addresses', v_wrong); end if;
  select pg_catalog.array_agg(pg_catalog.lower(m.email) order by m.email) into v_wrong from quorate.members m
    where m.workspace_id = p_workspace and pg_catalog.lower(m.email) = any (v_addresses) and m.user_id <> r.initiator_id
      and not m.roles && array['builder', 'approver', 'auditor', 'admin'];
  if v_wrong is not null then return pg_catalog.json_build_object('state', 'unseen', 'addresses', v_wrong); end if;
  if r.mode = 'test' then v_addresses := '{}'; end if;
  select coalesce(pg_catalog.array_agg(m.user_id), '{}') into v_users from quorate.members m
    where m.workspace_id = p_workspace and (m.roles && pg_catalog.array_remove(v_to, 'starter')
      or (m.user_id = r.initiator_id and 'starter' = any (v_to)) or pg_catalog.lower(m.email) = any (v_addresses));
  perform quorate.notify(p_workspace, v_users, 'message', 'notifyMessage',
    pg_catalog.jsonb_build_object('title', p_message ->> 'title',
      'workflow', (select a.name from quorate.artifacts a where a.id = r.artifact_id)),
    pg_catalog.jsonb_build_object('kind', 'run', 'id', p_run), 'message:' || p_run || '/' || p_path);
  if p_message ->> 'mail' = 'false' then
    update quorate.notifications n set subject = n.subject || '{"mail": false}' where n.once = 'message:' || p_run || '/' || p_path;
  end if;
  return pg_catalog.json_build_object('state', 'sent', 'recipients', pg_catalog.cardinality(v_users));
end $$;

create or replace function quorate.queue_deliveries(p_deliveries jsonb) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  insert into quorate.deliveries (id, workspace_id, kind, target, subject, body, sealed_secret, secret_context,
    notices, format)
  select (d ->> 'id')::uuid, (d ->> 'workspaceId')::uuid, d ->> 'kind', d ->> 'target', d ->> 'subject', d ->> 'body',
    pg_catalog.decode(d ->> 'sealedSecret', 'base64'), d ->> 'secretContext',
    case when d ? 'notices' then array(select x::uuid from pg_catalog.jsonb_array_elements_text(d -> 'notices') x) end,
    coalesce(d ->> 'format', 'json')
  from pg_catalog.jsonb_array_elements(p_deliveries) d
$$;

create or replace function quorate.claim_deliveries(p_limit int, p_lease interval)
returns table (id uuid, workspace_id uuid, kind text, target text, subject text, body text, attempts int, sealed_secret bytea,
  secret_context text, private_network jsonb, format text, run json, approval json)
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.deliveries d set attempts = d.attempts + 1, next_attempt_at = now() + p_lease
  where d.id in (select x.id from quorate.deliveries x where x.status = 'pending' and x.next_attempt_at <= now()
    order by x.next_attempt_at limit p_limit for update skip locked)
  returning d.id, d.workspace_id, d.kind, d.target, d.subject, d.body, d.attempts, d.sealed_secret, d.secret_context,
    (select w.private_network from quorate.workspaces w where w.id = d.workspace_id), d.format,
    (select quorate.run_of_notice(n) from quorate.notifications n
      where d.kind = 'webhook' and n.id = d.notices[1] and n.workspace_id = d.workspace_id),
    (select quorate.approval_of_notice(n) from quorate.notifications n
      where d.kind = 'webhook' and n.id = d.notices[1] and n.workspace_id = d.workspace_id)
$$;

create or replace function quorate.settle_delivery(p_id uuid, p_attempt int, p_delivered boolean, p_error text, p_retry_at timestamptz)
returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.deliveries d set
    status = case when p_delivered then 'success' when p_retry_at is null then 'failed' else 'pending' end,
    body = case when d.kind = 'mail' and (p_delivered or p_retry_at is null) then '' else d.body end,
    subject = case when d.kind = 'mail' and d.notices is not null and (p_delivered or p_retry_at is null) then '' else d.subject end,
    last_error = p_error,
    next_attempt_at = coalesce(p_retry_at, d.next_attempt_at),
    delivered_at = case when p_delivered then clock_timestamp() end
  where d.id = p_id and d.attempts = p_attempt and d.status = 'pending'
$$;

create or replace function quorate.catch_mail(p_id uuid, p_recipient text, p_subject text, p_text text, p_html text) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  insert into quorate.caught_mails (id, recipient, subject, text_body, html_body) values (p_id, p_recipient, p_subject, p_text, p_html)
$$;

create or replace function quorate.list_caught_mails(p_limit int) returns setof quorate.caught_mails
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select * from quorate.caught_mails order by caught_at desc limit least(p_limit, 500)
$$;

create or replace function quorate.subscribe_newsletter(p_email text, p_language text, p_sharing_refused boolean) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  insert into quorate.newsletter_subscribers as s (email, language, sharing_refused) values (lower(p_email), p_language, p_sharing_refused)
  -- A later refusal to share counts; a refusal is never taken back by a form that anybody may send for any address.
  on conflict (email) do update set sharing_refused = true where excluded.sharing_refused and not s.sharing_refused
$$;

create or replace function quorate.request_contact(
  p_id uuid, p_topic text, p_name text, p_email text, p_company text, p_message text, p_language text, p_sharing_refused boolean
) returns boolean
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  with stored as (
    insert into quorate.contact_requests (id, topic, name, email, company, message, language, sharing_refused)
    select p_id, p_topic, p_name, p_email, p_company, p_message, p_language, p_sharing_refused
    where not exists (
      select 1 from quorate.contact_requests c
      where lower(c.email) = lower(p_email) and c.created_at > now() - interval '1 day' and c.topic = p_topic and c.message = p_message
    )
    returning id
  )
  select exists (select 1 from stored)
$$;

create or replace function quorate.delete_account(p_user uuid, p_session uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare v_email text; w uuid; v_gone uuid[]; v_erased jsonb; v_names text[];
begin
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  perform quorate.open_principal(p_user, p_session, null, null, null, null, null);
  if exists (select from quorate.list_own_farewells() f where f.fate = 'blocks') then raise exception 'a workspace needs an admin'
    using errcode = 'QM001'; end if;
  v_gone := array(select f.workspace_id from quorate.list_own_farewells() f where f.fate = 'goes');
  -- a body can be erased once its digest stands in the tree
  if exists (select from quorate.audit_events e
    where e.leaf_index is null and (e.actor_id = p_user or e.resource_id = p_user::text or e.workspace_id = any (v_gone))) then
    raise exception 'the log has not caught up' using errcode = 'QM003';
  end if;
  select u.email into v_email from auth.users u where u.id = p_user;

  foreach w in array v_gone loop
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, action, resource_kind, resource_id, payload, salt)
      values (pg_catalog.gen_random_uuid(), w, 'member', p_user, 'workspace.deleted', 'workspace', w::text, '{}',
        pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    delete from quorate.runs r where r.workspace_id = w;
    update quorate.artifacts a set published_version_id = null where a.workspace_id = w and a.published_version_id is not null;
    delete from quorate.artifacts a where a.workspace_id = w;
    delete from quorate.workspaces x where x.id = w;
  end loop;

  -- also where they were once: their votes and the entries by and about them carry their name
  for w in select distinct x.workspace_id from (
      select m.workspace_id from quorate.members m where m.user_id = p_user
      union all select v.workspace_id from quorate.approval_votes v where v.user_id = p_user
      union all select c.workspace_id from quorate.approval_comments c where c.author_id = p_user
      union all select v.workspace_id from quorate.control_votes v where v.user_id = p_user
      union all select i.workspace_id from quorate.invitations i where lower(i.email) = lower(v_email)
      union all select e.workspace_id from quorate.audit_events e where e.salt is not null and (e.actor_id = p_user
        or (e.resource_kind = 'member' and e.resource_id = p_user::text)
          or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)))) x
    where exists (select from quorate.workspaces s where s.id = x.workspace_id) loop
    -- what is erased below, as stretches of the log: a blank body that no entry names could have been blanked by anybody
    select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(s.low, s.high) order by s.low), '[]') into v_erased from (
      select min(p.leaf_index) as low, max(p.leaf_index) + 1 as high from (
        select e.leaf_index, e.leaf_index - pg_catalog.row_number() over (order by e.leaf_index) as stretch from quorate.audit_events e
        where e.workspace_id = w and e.leaf_index is not null and e.salt is not null and (e.actor_id = p_user
          or (e.resource_kind = 'member' and e.resource_id = p_user::text)
            or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)))) p
      group by p.stretch) s;
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, action, resource_kind, resource_id, payload, salt)
      values (pg_catalog.gen_random_uuid(), w, 'member', p_user, 'account.deleted', 'member', p_user::text,
        pg_catalog.jsonb_build_object('erased', v_erased), pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) ||
        pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    v_names := array(select v_email
      union select m.name from quorate.members m where m.workspace_id = w and m.user_id = p_user
      union select v.voter_name from quorate.approval_votes v where v.workspace_id = w and v.user_id = p_user
      union select v.voter_name from quorate.control_votes v where v.workspace_id = w and v.user_id = p_user
      union select c.author_name from quorate.approval_comments c where c.workspace_id = w and c.author_id = p_user);
    perform quorate.erase_run_texts(w, p_user, v_names), quorate.erase_approval_comments(w, p_user, v_names);
    update quorate.approval_votes v set voter_name = '' where v.workspace_id = w and v.user_id = p_user;
    update quorate.control_votes v set voter_name = '' where v.workspace_id = w and v.user_id = p_user;
    delete from quorate.invitations i where i.workspace_id = w and lower(i.email) = lower(v_email);
    delete from quorate.members m where m.workspace_id = w and m.user_id = p_user;
  end loop;

  update quorate.audit_events e set actor_name = null, salt = null where e.actor_id = p_user and e.leaf_index is not null;
  update quorate.audit_events e set actor_name = case when e.actor_id = p_user then
    null else e.actor_name end, resource_name = null, payload = '{}', salt = null
    where e.leaf_index is not null
      and ((e.resource_kind = 'member' and e.resource_id = p_user::text)
      or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)));
  update quorate.audit_events e set actor_name = null, resource_name = null, payload = '{}', salt = null
    where e.workspace_id = any (v_gone) and e.leaf_index is not null;
  delete from quorate.deliveries d where lower(d.target) = lower(v_email);
  delete from quorate.caught_mails c where lower(c.recipient) = lower(v_email);
  delete from quorate.newsletter_subscribers n where lower(n.email) = lower(v_email);
  delete from quorate.contact_requests c where lower(c.email) = lower(v_email);
  delete from quorate.notifications n where n.user_id = p_user;
  delete from quorate.saved_views v where v.user_id = p_user;
  delete from quorate.files f where f.owner_id = p_user;
  delete from quorate.preferences x where x.user_id = p_user;
  delete from quorate.user_sessions s where s.user_id = p_user;
  -- profile and sessions go with it
  delete from auth.users u where u.id = p_user;
end $$;

create or replace function quorate.is_untouched() returns boolean language sql stable security definer set search_path = ''
  as $$
  select quorate.require_session();
  select not exists (select from quorate.workspaces)
$$;

create or replace function quorate.make_demo_workspace(p_workspace uuid, p_name text, p_slug text, p_people jsonb, p_event uuid)
returns uuid
language plpgsql security definer set search_path = '' as $$
declare v_ws uuid;
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('demo workspace', 0));
  select w.id into v_ws from quorate.workspaces w where w.is_demo;
  if v_ws is not null then return v_ws; end if;
  if exists (select from quorate.workspaces) then raise exception 'a demo is made on the very first start alone'
    using errcode = 'QP006'; end if;
  insert into public.profiles (id, display_name) select (p ->> 'id')::uuid, p ->> 'name'
    from pg_catalog.jsonb_array_elements(p_people) p on conflict (id) do nothing;
  -- whoever looks around in the demo is one person in turn: a publication that waits for the next would only stop them
  insert into quorate.workspaces (id, name, slug, plan, is_demo, reviews_effects)
    values (p_workspace, p_name, p_slug, 'enterprise', true, false);
  insert into quorate.members (workspace_id, user_id, roles, name, email)
    select p_workspace, u.id, array(select pg_catalog.jsonb_array_elements_text(p -> 'roles')), p ->> 'name', u.email
    from pg_catalog.jsonb_array_elements(p_people) p join auth.users u on u.id = (p ->> 'id')::uuid and u.email_confirmed_at is not null;
  if (select count(*) from quorate.members m where m.workspace_id = p_workspace) <> pg_catalog.jsonb_array_length(p_people) then
    raise exception 'a person of the demo has no confirmed account' using errcode = 'QP007';
  end if;
  insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, resource_name, payload, salt)
    values (p_event, p_workspace, 'system', 'workspace.created', 'workspace', p_workspace::text, p_name, '{"demo": true}',
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  return p_workspace;
end $$;

create or replace function quorate.index_run_texts(p_limit int) returns boolean language plpgsql security definer set search_path = '' as $$
declare v_mark xid8; v_to xid8; v_found xid8[]; v_runs uuid[];
begin
  perform quorate.require_session();
  select m.read_to into v_mark from quorate.run_text_mark m for update skip locked;
  if not found then return false; end if;
  -- what commits from here on is read the next time; a database that was restored has begun to count again
  v_to := pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot());
  if v_mark >= v_to then v_mark := '0'; end if;
  v_found := array(select e.xid from quorate.audit_events e where e.xid > v_mark and e.xid < v_to order by e.xid limit p_limit);
  if pg_catalog.cardinality(v_found) = 0 then return false; end if;
  v_to := v_found[pg_catalog.cardinality(v_found)];
  v_runs := array(select distinct e.resource_id::uuid from quorate.audit_events e
    where e.xid > v_mark and e.xid <= v_to and e.resource_kind = 'run');
  insert into quorate.run_texts as t (run_id, workspace_id, initiator_id, text)
  select r.id, r.workspace_id, r.initiator_id, quorate.text_of_run(r) from quorate.runs r
  where r.id = any (v_runs) and (r.status in ('completed', 'failed', 'cancelled')
      or not exists (select from quorate.run_texts x where x.run_id = r.id))
    and (r.trigger_kind <> 'manual' or exists (select from public.profiles p where p.id = r.initiator_id))
  on conflict (run_id) do update set text = excluded.text where t.text <> excluded.text;
  update quorate.run_text_mark m set read_to = v_to;
  return pg_catalog.cardinality(v_found) = p_limit;
end $$;

revoke all on function quorate.hmac_of(text), quorate.open_session(text, bytea), quorate.require_session(),
  quorate.open_principal(uuid, uuid, uuid, text[], uuid, text[], uuid), quorate.part_of_principal(int),
  quorate.current_session_id() from public;
grant execute on function quorate.open_session(text, bytea) to quorate_app;
grant execute on function quorate.part_of_principal(int) to quorate_member, quorate_worker;

reset check_function_bodies;

-- Everything that supabase/schemas declares, in its order: the first version of a database made from now on.
-- A database of an earlier version gets here by supabase/upgrades.

-- The ground: schema, roles, and who is asking. Principals are settings of our own that the policies read: whoever forgets to become one
-- sees nothing. Runs as the owner, who on hosted Supabase is no superuser and does not own the schema auth.
-- Only public.profiles is served by the data API; everything else lives in quorate, which no API exposes.

-- A function may name what a later file brings.
set check_function_bodies = off;

create schema if not exists quorate;

do $$
begin
  if not exists (select from pg_roles where rolname = 'quorate_member') then create role quorate_member nologin noinherit; end if;
  if not exists (select from pg_roles where rolname = 'quorate_worker') then create role quorate_worker nologin noinherit; end if;
  if not exists (select from pg_roles where rolname = 'quorate_app') then create role quorate_app nologin noinherit nobypassrls; end if;
end $$;
grant quorate_member, quorate_worker to quorate_app;
grant usage on schema quorate to quorate_app, quorate_member, quorate_worker;
revoke all on schema quorate from public;
-- A process that stands still in the middle of a transaction holds its locks: no transaction of ours waits for anything but the database.
alter role quorate_app set idle_in_transaction_session_timeout = '15s';

-- Documents, inputs, outputs and subjects keep the order of keys in which they were written: jsonb sorts keys by length.
-- The check reads the text as jsonb once, so that whatever jsonb refuses (U+0000, half a surrogate pair) stays refused
-- and a query may always read the column as jsonb.
create domain quorate.ordered_json as json check ((value::jsonb is null) = (value is null));

create function quorate.current_user_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('quorate.user_id', true), '')::uuid $$;

create function quorate.current_workspace_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('quorate.workspace_id', true), '')::uuid $$;

create function quorate.current_key_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('quorate.key_id', true), '')::uuid $$;

create function quorate.current_trigger_id() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('quorate.trigger_id', true), '')::uuid
$$;

create function quorate.has_role(variadic wanted text[]) returns boolean language sql stable parallel safe
  as $$ select string_to_array(coalesce(current_setting('quorate.roles', true), ''), ',') && wanted $$;

create function quorate.sees_all_runs() returns boolean language sql stable parallel safe
  as $$ select quorate.has_role('builder', 'approver', 'auditor', 'admin') $$;

-- True for people; for a key, when it has one of these scopes.
create function quorate.key_may(variadic wanted text[]) returns boolean language sql stable parallel safe as $$
  select coalesce(current_setting('quorate.key_id', true), '') = ''
    or string_to_array(coalesce(current_setting('quorate.scopes', true), ''), ',') && wanted
$$;

-- UUIDv7 (RFC 9562 section 5.7) for rows that the database itself makes.
create function quorate.make_id() returns uuid language sql volatile set search_path = '' as $$
  select pg_catalog.encode(pg_catalog.set_bit(pg_catalog.set_bit(overlay(pg_catalog.uuid_send(pg_catalog.gen_random_uuid())
    placing substring(pg_catalog.int8send(floor(extract(epoch from pg_catalog.clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52,
      1), 53, 1), 'hex')::uuid
$$;

-- Locks. Halting takes the first exclusively, starting a step takes it shared: whoever starts has committed before the halt has.
create function quorate.halt_lock(p_workspace uuid) returns bigint language sql immutable parallel safe
  as $$ select pg_catalog.hashtextextended('halt:' || p_workspace::text, 0) $$;

-- A published version never changes.
create function quorate.refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception '% is immutable', tg_table_name using errcode = 'QA003';
end $$;

-- Rule: a change without exactly one audit event does not commit. Found by the transaction's own index: a plan made while the log was short
-- would walk all of a workspace's events at every change. The row is not turned into JSON for it: its values may be large.
create function quorate.require_audit_event() returns trigger language plpgsql security definer set search_path = '' as $$
declare ws uuid; n int;
begin
  if tg_table_name = 'workspaces' then
    if tg_op = 'DELETE' then ws := old.id; else ws := new.id; end if;
  else
    if tg_op = 'DELETE' then ws := old.workspace_id; else ws := new.workspace_id; end if;
  end if;
  select count(*) filter (where e.workspace_id = ws) into n from quorate.audit_events e where e.xid = pg_catalog.pg_current_xact_id();
  if n <> 1 then
    raise exception 'a change to %.% needs exactly one audit event in its transaction, found %', tg_table_schema, tg_table_name, n
      using errcode = 'QA001';
  end if;
  return null;
end $$;

-- A worker keeps policies, connections and capabilities in memory by this number; starting a step compares it.
create function quorate.bump_config_revision() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.workspaces set config_revision = config_revision + 1
    where id = (case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end);
  return null;
end $$;

create function quorate.bump_network_revision() returns trigger language plpgsql set search_path = '' as $$
begin
  new.config_revision := old.config_revision + 1;
  return new;
end $$;

revoke all on function quorate.current_user_id(), quorate.current_workspace_id(), quorate.current_key_id(), quorate.current_trigger_id(),
  quorate.has_role(text[]), quorate.sees_all_runs(), quorate.key_may(text[]), quorate.make_id(), quorate.halt_lock(uuid),
  quorate.refuse_change(), quorate.require_audit_event(), quorate.bump_config_revision(), quorate.bump_network_revision() from public;
grant execute on function quorate.current_user_id(), quorate.current_workspace_id(), quorate.current_key_id(), quorate.current_trigger_id(),
  quorate.has_role(text[]), quorate.sees_all_runs(), quorate.key_may(text[]), quorate.halt_lock(uuid) to quorate_member;
grant execute on function quorate.current_user_id(), quorate.current_workspace_id(), quorate.current_key_id(), quorate.has_role(text[]),
  quorate.sees_all_runs(), quorate.halt_lock(uuid) to quorate_worker;

-- Accounts: the profile behind the data API, sessions, the second factor, recovery, preferences and pictures.

-- Profiles: the one table behind the data API.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  role text not null default 'user' check (role in ('user', 'admin')),
  display_name text check (length(display_name) <= 120),
  updated_at timestamptz not null default now()
);
alter table public.profiles enable row level security;

create table quorate.user_sessions (
  session_id uuid primary key,
  user_id uuid not null,
  browser text not null default '',
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  -- A link of recovery proves the mailbox. Until it has led to a new password its session opens nothing, whatever marks the browser still
  -- has: the mark is here, and goes when the password is set.
  recovering boolean not null default false
);
create index user_sessions_user on quorate.user_sessions (user_id);
alter table quorate.user_sessions enable row level security;

-- Second factors are the auth service's; which session owes one, and the codes for who has lost theirs, are ours.
create table quorate.recovery_codes (
  user_id uuid not null references public.profiles (id) on delete cascade,
  -- SHA-256: the codes have 80 random bits, so nothing slower is needed
  code_hash bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
alter table quorate.recovery_codes enable row level security;

create table quorate.recovered_sessions (
  session_id uuid primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  at timestamptz not null default now()
);
create index recovered_sessions_user on quorate.recovered_sessions (user_id);
alter table quorate.recovered_sessions enable row level security;

-- Column grants do not survive the embedded auth service, which grants everything anew at each start: a trigger holds.
create function public.guard_profile_role() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = (select tableowner from pg_catalog.pg_tables where schemaname = 'public' and tablename = 'profiles') then
    return new; end if;
  if tg_op = 'INSERT' and new.role <> 'user' then
    -- an upsert that meets an existing row fires this first: the row that stands decides below
    if not exists (select from public.profiles p where p.id = new.id and p.role = new.role) then
      raise exception 'profile role is set by the server alone' using errcode = '42501';
    end if;
  end if;
  if tg_op = 'UPDATE' and (new.role is distinct from old.role or new.id is distinct from old.id) then
    raise exception 'profile role is set by the server alone' using errcode = '42501';
  end if;
  new.updated_at := now();
  return new;
end $$;

-- Which sessions of a person stand, in the one place that says when a session has ended. Not for anybody to call: what runs as the owner
-- asks it. No search path of its own, which would keep it from being planned with its caller.
create function quorate.lasting_sessions(p_user uuid)
returns table (session_id uuid, browser text, first_seen_at timestamptz, last_seen_at timestamptz, recovering boolean)
language sql stable as $$
  select s.id, coalesce(u.browser, ''), coalesce(u.first_seen_at, s.created_at), coalesce(u.last_seen_at, s.created_at),
    coalesce(u.recovering, false)
  from auth.sessions s left join quorate.user_sessions u on u.session_id = s.id
  where s.user_id = p_user and (s.not_after is null or s.not_after > now())
    and coalesce(s.created_at, now()) > now() - interval '30 days'
    and coalesce(u.last_seen_at, s.created_at, now()) > now() - interval '7 days'
$$;

-- The data API looks at the token alone, which outlives its session by up to an hour, so the policies look at the session: whoever signed
-- out, or was signed out, is at once nobody here too.
create function quorate.session_stands() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (
    select from quorate.lasting_sessions(auth.uid()) s
    where s.session_id = (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id')::uuid and not s.recovering)
$$;

-- Written at sign-in and, at most once a minute, on use. What the auth service has forgotten is forgotten here too.
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

-- The sessions of the person of this transaction, the newest first.
create function quorate.list_own_sessions()
  returns table (session_id uuid, browser text, first_seen_at timestamptz, last_seen_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select s.session_id, s.browser, s.first_seen_at, s.last_seen_at from quorate.lasting_sessions(quorate.current_user_id()) s
  where quorate.current_key_id() is null order by 4 desc, 1
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

-- Whether an authenticator of this person has been verified. A service without this table has no factors.
create function quorate.has_second_factor(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare v_has boolean := false;
begin
  if pg_catalog.to_regclass('auth.mfa_factors') is not null then
    execute 'select exists (select from auth.mfa_factors f where f.user_id = $1 and f.status::text = ''verified'')' into v_has using p_user;
  end if;
  return v_has;
end $$;

-- Whether this session, which has shown a password alone, has to show a factor before anything else.
create function quorate.owes_second_factor(p_user uuid, p_session uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select quorate.has_second_factor(p_user)
    and not exists (select from quorate.recovered_sessions r where r.session_id = p_session and r.user_id = p_user)
$$;

-- What the person of this transaction may know of their own.
create function quorate.own_second_factor(p_session uuid) returns table (enrolled boolean, recovered boolean, codes_left integer)
language sql stable security definer set search_path = '' as $$
  select quorate.has_second_factor(quorate.current_user_id()),
    exists (select from quorate.recovered_sessions r where r.session_id = p_session and r.user_id = quorate.current_user_id()),
    (select count(*)::integer from quorate.recovery_codes c where c.user_id = quorate.current_user_id() and c.used_at is null)
  where quorate.current_user_id() is not null and quorate.current_key_id() is null
$$;

create function quorate.replace_recovery_codes(p_hashes bytea[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if quorate.current_user_id() is null or quorate.current_key_id() is not null then raise exception 'only people have codes'
    using errcode = 'QP005'; end if;
  delete from quorate.recovery_codes c where c.user_id = quorate.current_user_id();
  insert into quorate.recovery_codes (user_id, code_hash) select quorate.current_user_id(), h from pg_catalog.unnest(p_hashes) h;
end $$;

-- An event in each workspace of a person, of what they did to their account.
create function quorate.note_account_event(p_user uuid, p_action text) returns void
language sql security definer set search_path = '' as $$
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name,
    payload, salt)
  select pg_catalog.gen_random_uuid(), m.workspace_id, 'member', p_user, m.name, p_action, 'member', p_user::text, m.name, '{}',
    pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid())
  from quorate.members m where m.user_id = p_user
$$;

-- Takes one code, once; from then on this session owes no factor. False: there is no such code, or it was used.
create function quorate.use_recovery_code(p_user uuid, p_session uuid, p_hash bytea) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
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

-- For who came in by a recovery code: the service would ask for the very factor that is lost. False: this session did not.
create function quorate.drop_lost_factor(p_user uuid, p_session uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
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

-- After a confirmed change of address: memberships carry the new one, an event in each workspace says so (without the address).
create function quorate.adopt_email(p_user uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare m quorate.members; v_email text;
begin
  select u.email into v_email from auth.users u where u.id = p_user and u.email_confirmed_at is not null;
  for m in select * from quorate.members x where x.user_id = p_user and v_email is not null and x.email <> v_email loop
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name,
      payload, salt)
      values (pg_catalog.gen_random_uuid(), m.workspace_id, 'member', p_user, m.name, 'member.emailChanged', 'member', p_user::text, m.name,
        '{}', pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    update quorate.members x set email = v_email where x.workspace_id = m.workspace_id and x.user_id = p_user;
  end loop;
end $$;

-- Profile, and a workspace of one's own where one is admin and builder, for a confirmed account. Idempotent. An account with an open
-- invitation gets its profile alone: the workspace of who invited is theirs, and declining founds one of their own at the next look.
create function quorate.ensure_account(p_user uuid, p_email text, p_name text, p_workspace uuid, p_workspace_name text, p_slug text,
  p_event uuid) returns uuid
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

create trigger guard_profile_role before insert or update on public.profiles for each row execute function public.guard_profile_role();

create policy profiles_own_select on public.profiles for select to authenticated
  using (id = (select auth.uid()) and (select quorate.session_stands()));
create policy profiles_own_insert on public.profiles for insert to authenticated
  with check (id = (select auth.uid()) and (select quorate.session_stands()));
create policy profiles_own_update on public.profiles for update to authenticated
  using (id = (select auth.uid()) and (select quorate.session_stands()))
    with check (id = (select auth.uid()) and (select quorate.session_stands()));

create policy own on quorate.user_sessions for all to quorate_member
  using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null)
  with check (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);

grant select on quorate.user_sessions to quorate_member;
grant select on quorate.user_sessions to quorate_worker;
grant select, insert, update on public.profiles to authenticated;
revoke all on function quorate.lasting_sessions(uuid), quorate.session_stands(), quorate.note_session(uuid,uuid,text,uuid),
  quorate.list_own_sessions(), quorate.end_own_session(uuid), quorate.has_second_factor(uuid), quorate.owes_second_factor(uuid,uuid),
  quorate.own_second_factor(uuid), quorate.replace_recovery_codes(bytea[]), quorate.note_account_event(uuid,text),
  quorate.use_recovery_code(uuid,uuid,bytea), quorate.drop_lost_factor(uuid,uuid), quorate.begin_recovery(uuid,uuid,text),
  quorate.end_recovery(uuid,uuid), quorate.adopt_email(uuid), quorate.ensure_account(uuid,text,text,uuid,text,text,uuid) from public;
grant execute on function quorate.session_stands() to authenticated;
grant execute on function quorate.note_session(uuid,uuid,text,uuid), quorate.has_second_factor(uuid), quorate.owes_second_factor(uuid,uuid),
  quorate.use_recovery_code(uuid,uuid,bytea), quorate.drop_lost_factor(uuid,uuid), quorate.begin_recovery(uuid,uuid,text),
  quorate.end_recovery(uuid,uuid), quorate.adopt_email(uuid), quorate.ensure_account(uuid,text,text,uuid,text,text,uuid) to quorate_app;
grant execute on function quorate.list_own_sessions(), quorate.end_own_session(uuid), quorate.own_second_factor(uuid),
  quorate.replace_recovery_codes(bytea[]) to quorate_member;

-- Workspaces, their members, invitations, API keys and requests for a role.

create table quorate.workspaces (
  id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  slug text not null unique check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$'),
  plan text not null default 'professional' check (plan in ('starter', 'professional', 'enterprise')),
  trial_ends_at timestamptz,
  settings jsonb not null default '{}',
  is_demo boolean not null default false,
  halted_at timestamptz,
  halted_by uuid,
  config_revision bigint not null default 1,
  created_at timestamptz not null default now(),
  -- A halt says why, and another person than the one who asks lifts it: the release is an approval like any other, whose subject is this
  -- one halt. Only where the workspace has no other approver an administrator lifts it alone.
  halt_reason text check (length(halt_reason) between 1 and 500),
  -- What a workspace may reach inside, within what the instance allows: a list of hosts and networks. A new workspace reaches nothing.
  -- Those that there are keep all that the instance allows until an admin saves a list, so that no connection fails with the upgrade.
  private_network jsonb not null default '[]'
);
-- The demo workspace of the very first start: one at most, made whole or not at all.
create unique index workspaces_one_demo on quorate.workspaces (is_demo) where is_demo;
alter table quorate.workspaces enable row level security;

create table quorate.members (
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  roles text[] not null default '{user}' check (cardinality(roles) > 0
    and roles <@ array['user', 'builder', 'approver', 'auditor', 'admin']),
  name text not null check (length(name) between 1 and 120),
  email text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index members_user on quorate.members (user_id);
alter table quorate.members enable row level security;

create table quorate.preferences (
  user_id uuid primary key,
  settings jsonb not null default '{}',
  updated_at timestamptz not null default now(),
  -- Where a person worked last, so that the next sign-in, in whichever browser, leads there.
  last_workspace_id uuid references quorate.workspaces (id) on delete set null
);
alter table quorate.preferences enable row level security;

create table quorate.invitations (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  email text not null,
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['user', 'builder', 'approver', 'auditor', 'admin']),
  token_hash bytea not null unique,
  invited_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  withdrawn_at timestamptz
);
create index invitations_workspace on quorate.invitations (workspace_id, created_at desc);
-- One link at a time works for an address.
create unique index invitations_one_open on quorate.invitations (workspace_id, lower(email))
  where accepted_at is null and declined_at is null and withdrawn_at is null;
create index invitations_expiring on quorate.invitations (expires_at)
  where accepted_at is null and declined_at is null and withdrawn_at is null;
create index invitations_email on quorate.invitations (lower(email));
alter table quorate.invitations enable row level security;

create table quorate.api_keys (
  id uuid primary key,
  workspace_id uuid not null,
  user_id uuid not null,
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  scopes text[] not null check (scopes <@ array['runs:read', 'runs:start', 'workflows:read', 'workflows:write', 'approvals:read',
    'audit:read']),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade,
  constraint api_keys_lifetime check (expires_at <= created_at + interval '367 days')
);
create index api_keys_list on quorate.api_keys (workspace_id, created_at desc);
alter table quorate.api_keys enable row level security;

-- Who makes an approver makes somebody who can release what they themselves start: where there is a second person to ask, they agree first.
create table quorate.role_requests (
  id uuid primary key,
  workspace_id uuid not null,
  user_id uuid not null,
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['user', 'builder', 'approver', 'auditor', 'admin']),
  requested_by uuid not null,
  created_at timestamptz not null default now(),
  decided_by uuid,
  decided_at timestamptz,
  outcome text check (outcome in ('granted', 'refused', 'withdrawn')),
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade
);
create unique index role_requests_one_open on quorate.role_requests (workspace_id, user_id) where outcome is null;
alter table quorate.role_requests enable row level security;

-- A session has an end of its own: 30 days after it began, and 7 days after it was last used. The auth service renews for ever whoever
-- keeps asking (embedded), or as a project's settings say (hosted); what holds here is the stricter of the two.
create function quorate.become_member(p_user uuid, p_session uuid, p_workspace uuid) returns text[]
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

-- An API key acts as its member, with the intersection of its scopes and the member's present roles; it never approves.
create function quorate.become_key(p_key_hash bytea)
  returns table (key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, roles text[],
    scopes text[], expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare k quorate.api_keys; m quorate.members; v_roles text[];
begin
  select * into k from quorate.api_keys a
    where a.key_hash = p_key_hash and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null then raise exception 'unknown key' using errcode = 'QP003'; end if;
  select * into m from quorate.members x where x.workspace_id = k.workspace_id and x.user_id = k.user_id;
  if m.user_id is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  -- an admin's key reads what an auditor reads, and administers nothing
  v_roles := array(select distinct case when r = 'admin' then 'auditor' else r end from unnest(m.roles || '{user}') r order by 1);
  perform set_config('quorate.user_id', k.user_id::text, true), set_config('quorate.workspace_id', k.workspace_id::text, true),
    set_config('quorate.roles', array_to_string(v_roles, ','), true), set_config('quorate.key_id', k.id::text, true),
    set_config('quorate.scopes', array_to_string(k.scopes, ','), true);
  update quorate.api_keys a set last_used_at = now()
    where a.id = k.id and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute');
  return query select k.id, k.name, k.user_id, m.name, k.workspace_id, w.name, v_roles, k.scopes, k.expires_at from quorate.workspaces w
    where w.id = k.workspace_id;
end $$;

-- A worker acts inside one workspace and nowhere else.
create function quorate.become_worker(p_workspace uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from quorate.workspaces w where w.id = p_workspace) then raise exception 'unknown workspace'
    using errcode = 'QP004'; end if;
  perform set_config('quorate.user_id', '', true), set_config('quorate.workspace_id', p_workspace::text, true),
    set_config('quorate.roles', '', true), set_config('quorate.key_id', '', true);
end $$;

-- What every page begins with, in one round trip: whether the session stands, where this person belongs, and what the frame of the page
-- says of them. For the login alone, before anybody is a member: who has become one reads by their own rights.
create function quorate.memberships_of(p_user uuid, p_session uuid, p_count_up_to int)
returns table (
  workspace_id uuid, roles text[], name text, email text, workspace_name text, slug text, halted_at timestamptz,
  unread int, picture text, is_last boolean, is_demo boolean
)
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
      exists (select from quorate.preferences p where p.user_id = p_user and p.last_workspace_id = m.workspace_id),
      w.is_demo
    from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
    where m.user_id = p_user order by m.created_at, m.workspace_id;
end $$;

-- A workspace with its first admin: one path, for who signs up and for who founds another one.
create function quorate.found_workspace(p_user uuid, p_email text, p_name text, p_workspace uuid, p_workspace_name text, p_slug text,
  p_event uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.workspaces (id, name, slug, plan, trial_ends_at)
    values (p_workspace, p_workspace_name, p_slug, 'professional', now() + interval '30 days');
  insert into quorate.members (workspace_id, user_id, roles, name, email)
    values (p_workspace, p_user, '{user,builder,admin}', p_name, p_email);
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name,
    payload, salt)
    values (p_event, p_workspace, 'member', p_user, p_name, 'workspace.created', 'workspace', p_workspace::text, p_workspace_name, '{}',
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
end $$;

-- False: this person rules as many workspaces as one may.
create function quorate.create_workspace(p_user uuid, p_session uuid, p_name text, p_workspace uuid, p_workspace_name text, p_slug text,
  p_event uuid, p_most int) returns boolean
language plpgsql security definer set search_path = '' as $$
declare v_email text;
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then raise exception 'session is over' using errcode = 'QP001'; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  if (select count(*) from quorate.members m where m.user_id = p_user and 'admin' = any (m.roles)) >= p_most then return false; end if;
  select u.email into strict v_email from auth.users u where u.id = p_user;
  perform quorate.found_workspace(p_user, v_email, p_name, p_workspace, p_workspace_name, p_slug, p_event);
  return true;
end $$;

-- An invitation as its holder sees it before signing in: nothing but what the mail said.
create function quorate.peek_invitation(p_token_hash bytea)
  returns table (id uuid, workspace_name text, email text, roles text[], state text)
language sql stable security definer set search_path = '' as $$
  select i.id, w.name, i.email, i.roles, case when i.withdrawn_at is not null then 'withdrawn' when i.accepted_at is not null then
    'accepted' when i.declined_at is not null then 'declined' when i.expires_at <= now() then 'expired' else 'open' end
  from quorate.invitations i join quorate.workspaces w on w.id = i.workspace_id where i.token_hash = p_token_hash
$$;

-- Single use, bound to the confirmed e-mail address of the session's user. The new member carries the name given at sign-up. An invitation
-- does not go around the second person: roles that need an agreement wait for it, the others are given at once.
create function quorate.answer_invitation(p_token_hash bytea, p_user uuid, p_session uuid, p_accept boolean, p_name text, p_event uuid)
  returns uuid
language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_email text; v_name text; v_roles text[]; v_waits boolean;
begin
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
  v_waits := p_accept and 'approver' = any (i.roles) and quorate.has_second_person(i.workspace_id, i.invited_by, p_user)
    and not exists (select from quorate.members m where m.workspace_id = i.workspace_id and m.user_id = p_user);
  v_roles := case when v_waits then array_remove(i.roles, 'approver') else i.roles end;
  if cardinality(v_roles) = 0 then v_roles := '{user}'; end if;
  if p_accept then
    insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
    insert into quorate.members (workspace_id, user_id, roles, name, email)
      values (i.workspace_id, p_user, v_roles, v_name, v_email) on conflict (workspace_id, user_id) do nothing;
  end if;
  if v_waits then
    insert into quorate.role_requests (id, workspace_id, user_id, roles, requested_by)
      values (pg_catalog.gen_random_uuid(), i.workspace_id, p_user, i.roles, i.invited_by);
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

-- A workspace keeps an admin, whoever changes members and however many do so at once: each change waits for the one before.
create function quorate.guard_last_admin() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform 1 from quorate.workspaces w where w.id = old.workspace_id for update;
  -- the workspace itself is going
  if not found then return null; end if;
  if not exists (select from quorate.members m where m.workspace_id = old.workspace_id and 'admin' = any (m.roles)) then
    raise exception 'a workspace needs an admin' using errcode = 'QM001';
  end if;
  return null;
end $$;

-- Everybody may change how they are called in the current workspace; their roles stay an admin's matter.
create function quorate.rename_self(p_name text) returns void
language sql security definer set search_path = '' as $$
  update quorate.members set name = p_name
  where workspace_id = quorate.current_workspace_id() and user_id = quorate.current_user_id() and quorate.current_key_id() is null
$$;

-- Per member: open sessions, when they last signed in, and wrong passwords that count against the account now. The table of limits holds
-- digests of addresses; only here is one compared, for members of the reader's own workspace.
create function quorate.read_member_security(p_window interval)
returns table (user_id uuid, sessions int, last_seen_at timestamptz, last_sign_in_at timestamptz, wrong_passwords int)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not quorate.has_role('admin', 'auditor') or quorate.current_key_id() is not null then raise exception 'not for this member'
    using errcode = '42501'; end if;
  return query
    select m.user_id, coalesce(s.n, 0), s.seen, u.last_sign_in_at::timestamptz, coalesce(l.hits, 0)
    from quorate.members m
    join auth.users u on u.id = m.user_id
    left join lateral (select count(*)::int as n, max(coalesce(x.last_seen_at, a.created_at)) as seen
      from auth.sessions a left join quorate.user_sessions x on x.session_id = a.id
      where a.user_id = m.user_id and (a.not_after is null or a.not_after > now())) s on true
    left join quorate.rate_limits l on l.window_started_at > now() - p_window
      and l.key = 'signInAccount:' ||
        pg_catalog.rtrim(pg_catalog.translate(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(lower(u.email), 'UTF8')), 'base64'),
        '+/', '-_'), '=')
    where m.workspace_id = quorate.current_workspace_id()
    order by m.name, m.user_id;
end $$;

-- Keys that still work and end soon, whoever they belong to. Never a hash.
create function quorate.list_ending_keys(p_until timestamptz)
returns table (id uuid, name text, prefix text, owner text, expires_at timestamptz, last_used_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not quorate.has_role('admin', 'auditor') or quorate.current_key_id() is not null then raise exception 'not for this member'
    using errcode = '42501'; end if;
  return query
    select k.id, k.name, k.prefix, m.name, k.expires_at, k.last_used_at
    from quorate.api_keys k join quorate.members m on m.workspace_id = k.workspace_id and m.user_id = k.user_id
    where k.workspace_id = quorate.current_workspace_id() and k.revoked_at is null and k.expires_at > now() and k.expires_at <= p_until
    order by k.expires_at, k.id limit 100;
end $$;

-- Somebody other than these two who could agree: an admin or an approver.
create function quorate.has_second_person(p_workspace uuid, p_first uuid, p_subject uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.members m
    where m.workspace_id = p_workspace and m.user_id not in (p_first, p_subject) and m.roles && array['admin', 'approver'])
$$;

create function quorate.guard_approver_grant() returns trigger language plpgsql set search_path = '' as $$
begin
  -- the function below changes roles as the owner, after a second person has agreed
  if current_user = 'quorate_member' and quorate.has_second_person(new.workspace_id, quorate.current_user_id(), new.user_id) then
    raise exception 'a second person agrees to a new approver' using errcode = 'QM002';
  end if;
  return new;
end $$;

-- The second person grants or refuses; who asked may take it back. What was asked by somebody who is no admin any more is not granted.
create function quorate.decide_role_request(p_request uuid, p_outcome text)
  returns table (user_id uuid, name text, before text[], roles text[])
language plpgsql security definer set search_path = '' as $$
declare r quorate.role_requests; m quorate.members; v_me uuid := quorate.current_user_id();
begin
  select * into r from quorate.role_requests x where x.id = p_request and x.workspace_id = quorate.current_workspace_id() for update;
  if r.id is null then raise exception 'no such request' using errcode = 'QP004'; end if;
  if r.outcome is not null then raise exception 'decided already' using errcode = 'QP006'; end if;
  if quorate.current_key_id() is not null then raise exception 'a key decides nothing' using errcode = 'QP005'; end if;
  if p_outcome = 'withdrawn' then
    if r.requested_by <> v_me then raise exception 'who asked takes it back' using errcode = 'QP005'; end if;
  elsif p_outcome not in ('granted', 'refused') or v_me in (r.requested_by, r.user_id) or not quorate.has_role('admin', 'approver') then
    raise exception 'a second person decides' using errcode = 'QP005';
  end if;
  if p_outcome = 'granted'
    and not exists (select from quorate.members a
    where a.workspace_id = r.workspace_id and a.user_id = r.requested_by and 'admin' = any (a.roles)) then
    raise exception 'who asked is no admin any more' using errcode = 'QP005';
  end if;
  select * into m from quorate.members x where x.workspace_id = r.workspace_id and x.user_id = r.user_id for update;
  update quorate.role_requests x set outcome = p_outcome, decided_by = v_me, decided_at = now() where x.id = r.id;
  if p_outcome = 'granted' then
    update quorate.members x set roles = r.roles where x.workspace_id = r.workspace_id and x.user_id = r.user_id;
  end if;
  return query select m.user_id, m.name, m.roles, r.roles;
end $$;

-- A mark that changes when a session ends or its person's roles in the workspace change: open streams end by it.
create function quorate.list_access_marks(p_users uuid[], p_sessions uuid[], p_workspaces uuid[])
  returns table (session_id uuid, workspace_id uuid, mark text)
language sql stable security definer set search_path = '' as $$
  select w.session_id, w.workspace_id,
    (select count(*) from auth.sessions s
      where s.id = w.session_id and s.user_id = w.user_id and (s.not_after is null or s.not_after > now()))
    || ' ' || coalesce((select array_to_string(m.roles, ',') from quorate.members m
      where m.workspace_id = w.workspace_id and m.user_id = w.user_id), '')
  from unnest(p_users, p_sessions, p_workspaces) as w (user_id, session_id, workspace_id)
$$;

-- Distinct people who did something in a stretch of the log, whom only auditors and admins may read one by one. A key counts
-- as its member. One probe of the index a person: the log itself is not read.
create function quorate.count_active_users(p_workspace uuid, p_from timestamptz, p_until timestamptz) returns int
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_workspace is distinct from quorate.current_workspace_id() or not quorate.sees_all_runs() then raise exception 'not for this member'
    using errcode = '42501'; end if;
  return (
    with recursive a (actor) as (
      (select e.actor_id from quorate.audit_events e
        where e.workspace_id = p_workspace and e.actor_id is not null order by e.actor_id limit 1)
      union all
      select (select e.actor_id from quorate.audit_events e
        where e.workspace_id = p_workspace and e.actor_id > a.actor order by e.actor_id limit 1) from a where a.actor is not null
    )
    select count(distinct coalesce(k.user_id, a.actor))::int
      from a left join quorate.api_keys k on k.id = a.actor and k.workspace_id = p_workspace
    where a.actor is not null and exists (
      select from quorate.audit_events e
        where e.workspace_id = p_workspace and e.actor_id = a.actor and e.at >= p_from and e.at < p_until
        and e.actor_kind in ('member', 'key')));
end $$;

create constraint trigger audited after insert or update or delete on quorate.members
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.invitations
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert
  or delete on quorate.api_keys deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.api_keys deferrable initially deferred for each row
  when (row(old.name, old.scopes, old.expires_at, old.revoked_at) is distinct from row(new.name, new.scopes, new.expires_at,
    new.revoked_at)) execute function quorate.require_audit_event();
create constraint trigger audited after insert
  or delete on quorate.workspaces deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger guard_last_admin_update after update of roles on quorate.members for each row
  when ('admin' = any (old.roles) and not 'admin' = any (new.roles)) execute function quorate.guard_last_admin();
create trigger guard_last_admin_delete after delete on quorate.members for each row
  when ('admin' = any (old.roles)) execute function quorate.guard_last_admin();
create trigger stays_revoked before update of revoked_at on quorate.api_keys for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function quorate.refuse_change();
create constraint trigger audited after insert
  or update on quorate.role_requests deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger guard_approver_grant before update of roles on quorate.members for each row
  when ('approver' = any (new.roles) and not 'approver' = any (old.roles)) execute function quorate.guard_approver_grant();
create constraint trigger audited_update after update on quorate.workspaces deferrable initially deferred for each row
  when (row(old.name, old.slug, old.plan, old.settings, old.private_network, old.halted_at)
    is distinct from row(new.name, new.slug, new.plan, new.settings, new.private_network, new.halted_at))
  execute function quorate.require_audit_event();
create trigger network_changed before update on quorate.workspaces for each row
  when (old.private_network is distinct from new.private_network)
  execute function quorate.bump_network_revision();

create policy worker_reads on quorate.workspaces for select to quorate_worker using (id = (select quorate.current_workspace_id()));
create policy read_own on quorate.workspaces for select to quorate_member
  using (id = (select quorate.current_workspace_id())
    or ((select quorate.current_key_id()) is null
    and exists (select from quorate.members m where m.workspace_id = id and m.user_id = (select quorate.current_user_id()))));
create policy admin_updates on quorate.workspaces for update to quorate_member
  using (id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')))
    with check (id = (select quorate.current_workspace_id()));
create policy key_inserts on quorate.workspaces as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.workspaces as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.workspaces as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy read_workspace on quorate.members for select to quorate_member using (workspace_id = (select quorate.current_workspace_id()));
create policy worker_reads on quorate.members for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_self on quorate.members for select to quorate_member
  using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);
create policy admin_writes on quorate.members for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')))
    with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
create policy key_inserts on quorate.members as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.members as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.members as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy own on quorate.preferences for all to quorate_member
  using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null)
  with check (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);

create policy admin_all on quorate.invitations for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')))
    with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
create policy key_inserts on quorate.invitations as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.invitations as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.invitations as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy read_keys on quorate.api_keys for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('admin'))));
create policy make_keys on quorate.api_keys for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and user_id = (select quorate.current_user_id()));
create policy revoke_keys on quorate.api_keys for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('admin'))))
  with check (workspace_id = (select quorate.current_workspace_id()));

create policy read_requests on quorate.role_requests for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and ((select quorate.has_role('admin', 'approver')) or user_id = (select quorate.current_user_id())));
create policy admin_requests on quorate.role_requests for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and requested_by = (select quorate.current_user_id()) and (select quorate.has_role('admin')));

grant select on quorate.workspaces to quorate_member;
grant select on quorate.workspaces to quorate_worker;
grant update (name, slug, plan, trial_ends_at, settings, halted_at, halted_by, halt_reason,
  private_network) on quorate.workspaces to quorate_member;
grant select, delete on quorate.members to quorate_member;
grant select on quorate.members to quorate_worker;
grant update (roles, name) on quorate.members to quorate_member;
grant select, insert, update on quorate.preferences to quorate_member;
grant select on quorate.preferences to quorate_worker;
grant select, insert on quorate.invitations to quorate_member;
grant select on quorate.invitations to quorate_worker;
grant update (withdrawn_at) on quorate.invitations to quorate_member;
grant select, insert on quorate.api_keys to quorate_member;
grant select on quorate.api_keys to quorate_worker;
grant update (name, revoked_at) on quorate.api_keys to quorate_member;
grant select on quorate.role_requests to quorate_member;
grant insert (id, workspace_id, user_id, roles, requested_by) on quorate.role_requests to quorate_member;
revoke all on function quorate.become_member(uuid,uuid,uuid), quorate.become_key(bytea), quorate.become_worker(uuid),
  quorate.memberships_of(uuid,uuid,integer), quorate.found_workspace(uuid,text,text,uuid,text,text,uuid),
  quorate.create_workspace(uuid,uuid,text,uuid,text,text,uuid,integer), quorate.peek_invitation(bytea),
  quorate.answer_invitation(bytea,uuid,uuid,boolean,text,uuid), quorate.own_invitation(uuid,uuid,uuid), quorate.guard_last_admin(),
  quorate.rename_self(text), quorate.read_member_security(interval), quorate.list_ending_keys(timestamp with time zone),
  quorate.has_second_person(uuid,uuid,uuid), quorate.guard_approver_grant(), quorate.decide_role_request(uuid,text),
  quorate.list_access_marks(uuid[],uuid[],uuid[]),
  quorate.count_active_users(uuid,timestamp with time zone,timestamp with time zone) from public;
grant execute on function quorate.memberships_of(uuid,uuid,integer), quorate.create_workspace(uuid,uuid,text,uuid,text,text,uuid,integer),
  quorate.peek_invitation(bytea), quorate.answer_invitation(bytea,uuid,uuid,boolean,text,uuid),
  quorate.own_invitation(uuid,uuid,uuid) to quorate_app;
grant execute on function quorate.become_member(uuid,uuid,uuid), quorate.become_key(bytea), quorate.rename_self(text),
  quorate.read_member_security(interval), quorate.list_ending_keys(timestamp with time zone), quorate.has_second_person(uuid,uuid,uuid),
  quorate.decide_role_request(uuid,text),
  quorate.count_active_users(uuid,timestamp with time zone,timestamp with time zone) to quorate_member;
grant execute on function quorate.become_worker(uuid), quorate.list_access_marks(uuid[],uuid[],uuid[]) to quorate_worker;

-- Attempts and places that callers share across processes.

-- Instance-wide, reached through the functions below alone: RLS is on and no policy lets anybody in.
create table quorate.rate_limits (
  key text primary key,
  window_started_at timestamptz not null,
  hits int not null
);
-- Whoever asks under ever new names would make this table grow for ever: each hit clears away two counts that are long over
-- (the longest window is an hour), so that it shrinks faster than anybody fills it. What somebody else holds is left to the next.
create index rate_limits_over on quorate.rate_limits (window_started_at);
alter table quorate.rate_limits enable row level security;

-- Counts a hit; answers 0 when allowed, else the seconds to wait. Holds across processes.
create function quorate.take_limit(p_key text, p_max int, p_window_seconds int) returns int
language plpgsql security definer set search_path = '' as $$
declare r quorate.rate_limits;
begin
  delete from quorate.rate_limits d where d.key in
    (select o.key from quorate.rate_limits o
      where o.window_started_at < clock_timestamp() - interval '1 day' order by o.window_started_at limit 2 for update skip locked);
  insert into quorate.rate_limits as l (key, window_started_at, hits) values (p_key, clock_timestamp(), 1)
  on conflict (key) do update set
    hits = case when l.window_started_at < clock_timestamp() - make_interval(secs => p_window_seconds) then 1 else l.hits + 1 end,
    window_started_at = case when l.window_started_at < clock_timestamp() - make_interval(secs => p_window_seconds) then
      clock_timestamp() else l.window_started_at end
  returning * into r;
  if r.hits <= p_max then return 0; end if;
  return greatest(1, ceil(extract(epoch from r.window_started_at + make_interval(secs => p_window_seconds) - clock_timestamp()))::int);
end $$;

-- Only wrong attempts add up: one that turned out right is taken back. A caller can give back no more than was counted.
create function quorate.give_back_limit(p_key text) returns void
language sql security definer set search_path = '' as $$
  update quorate.rate_limits set hits = greatest(hits - 1, 0) where key = p_key
$$;

revoke all on function quorate.take_limit(text,integer,integer), quorate.give_back_limit(text) from public;
grant execute on function quorate.take_limit(text,integer,integer), quorate.give_back_limit(text) to quorate_app;

-- Files, and the pictures of people, which stand under a path of their owner.

create table quorate.files (
  id uuid primary key,
  workspace_id uuid references quorate.workspaces (id) on delete cascade,
  owner_id uuid not null,
  name text not null,
  media_type text not null,
  content bytea not null check (octet_length(content) <= 10485760),
  created_at timestamptz not null default now()
);
create index files_workspace on quorate.files (workspace_id, name);
create unique index files_personal on quorate.files (name) where workspace_id is null;
alter table quorate.files enable row level security;

create table quorate.avatars (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  file_name text not null,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- SHA-256 of the content, in hex: the entity tag
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  updated_at timestamptz not null default now()
);
alter table quorate.avatars enable row level security;

-- Whether this person and the one of the transaction have a workspace in common.
create function quorate.shares_workspace(p_user uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from quorate.members mine join quorate.members theirs on theirs.workspace_id = mine.workspace_id
    where mine.user_id = quorate.current_user_id() and theirs.user_id = p_user)
$$;

-- The file store of an instance without Supabase Storage. Whoever calls it has decided already who may.
create function quorate.keep_file(p_id uuid, p_owner uuid, p_name text, p_media_type text, p_content bytea) returns void
language sql security definer set search_path = '' as $$
  insert into quorate.files (id, owner_id, name, media_type, content) values (p_id, p_owner, p_name, p_media_type, p_content)
$$;

create function quorate.read_file(p_name text) returns table (media_type text, content bytea)
language sql stable security definer set search_path = '' as $$
  select f.media_type, f.content from quorate.files f where f.workspace_id is null and f.name = p_name
$$;

create function quorate.remove_files(p_names text[]) returns void
language sql security definer set search_path = '' as $$
  delete from quorate.files f where f.workspace_id is null and f.name = any (p_names)
$$;

create function quorate.list_files(p_folder text, p_limit integer, p_offset integer) returns table (name text)
language sql stable security definer set search_path = '' as $$
  select f.name from quorate.files f where f.workspace_id is null and pg_catalog.starts_with(f.name, p_folder || '/')
    order by f.name limit p_limit offset p_offset
$$;

create policy worker_reads on quorate.files for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy own on quorate.files for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id()))
    with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id()));
create policy key_reads on quorate.files as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.files as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.files as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.files as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy colleagues_see on quorate.avatars for select to quorate_member
  using ((select quorate.current_key_id()) is null and (user_id = (select quorate.current_user_id()) or quorate.shares_workspace(user_id)));
create policy own_insert on quorate.avatars for insert to quorate_member
  with check (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);
create policy own_update on quorate.avatars for update to quorate_member
  using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null)
  with check (user_id = (select quorate.current_user_id()));
create policy own_delete on quorate.avatars for delete to quorate_member
  using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);

grant select, insert, delete on quorate.files to quorate_member;
grant select on quorate.files to quorate_worker;
grant select, insert, update, delete on quorate.avatars to quorate_member;
revoke all on function quorate.shares_workspace(uuid), quorate.keep_file(uuid,uuid,text,text,bytea), quorate.read_file(text),
  quorate.remove_files(text[]), quorate.list_files(text,integer,integer) from public;
grant execute on function quorate.keep_file(uuid,uuid,text,text,bytea), quorate.read_file(text), quorate.remove_files(text[]),
  quorate.list_files(text,integer,integer) to quorate_app;
grant execute on function quorate.shares_workspace(uuid) to quorate_member;

-- The log: one event a change, sealed into a Merkle tree, checkpointed, and audited by itself.

create table quorate.audit_events (
  id uuid primary key,
  workspace_id uuid not null, -- no foreign key: the log outlives what it speaks of
  actor_kind text not null check (actor_kind in ('member', 'key', 'trigger', 'peer', 'worker', 'system')),
  actor_id uuid,
  actor_name text,
  action text not null,
  resource_kind text not null,
  resource_id text not null,
  resource_name text,
  payload jsonb not null default '{}',
  salt bytea default pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()),
  at timestamptz(3) not null default clock_timestamp(),
  xid xid8 not null default pg_current_xact_id(),
  body_digest bytea, -- SHA-256 of salt and body; stays when the body is erased
  leaf_index bigint,
  leaf_hash bytea,
  unique (workspace_id, leaf_index)
);
create index audit_events_pending on quorate.audit_events (workspace_id, at, id) where leaf_index is null;
create index audit_events_list on quorate.audit_events (workspace_id, at desc, id desc);
create index audit_events_xid on quorate.audit_events (xid);
create index audit_events_resource on quorate.audit_events (workspace_id, resource_kind, resource_id);
-- The audit page: its list by action, and which actions there are, without reading the log.
create index audit_events_action on quorate.audit_events (workspace_id, action, at desc, id desc);
create index audit_events_actor on quorate.audit_events (workspace_id, actor_id, at desc, id desc);
alter table quorate.audit_events enable row level security;

-- Hashes of complete subtrees (RFC 9162 section 2.1): level 0 are leaves.
create table quorate.audit_nodes (
  workspace_id uuid not null,
  level int not null,
  idx bigint not null,
  hash bytea not null,
  primary key (workspace_id, level, idx)
);
alter table quorate.audit_nodes enable row level security;

create table quorate.checkpoints (
  workspace_id uuid not null,
  size bigint not null,
  root bytea not null,
  note text not null, -- C2SP tlog-checkpoint, signed (Ed25519)
  signed_at timestamptz not null default clock_timestamp(),
  delivered_at timestamptz,
  primary key (workspace_id, size)
);
create index checkpoints_delivered on quorate.checkpoints (workspace_id, delivered_at desc) where delivered_at is not null;
alter table quorate.checkpoints enable row level security;

-- What Quorate finds when it audits its own logs, one row a workspace. Not part of the log: it says whether the log can be believed.
create table quorate.log_audits (
  workspace_id uuid primary key references quorate.workspaces on delete cascade,
  next_at timestamptz not null default clock_timestamp(),
  sampled_at timestamptz,
  whole_from bigint, -- next place of a whole audit under way
  whole_at timestamptz, -- when the last whole one ended
  finding jsonb, -- code and values; null: nothing found
  found_at timestamptz,
  mailed_at timestamptz
);
create index log_audits_due on quorate.log_audits (next_at);
create index log_audits_alarms on quorate.log_audits (workspace_id) where finding is not null and mailed_at is null;
alter table quorate.log_audits enable row level security;

-- The log only grows: an event is placed once; later only its body may be erased.
create function quorate.guard_audit_event() returns trigger language plpgsql set search_path = '' as $$
begin
  if row(new.id, new.workspace_id, new.at, new.xid) is distinct from row(old.id, old.workspace_id, old.at, old.xid)
    or (old.leaf_index is not null
      and row(new.leaf_index, new.leaf_hash, new.body_digest) is distinct from row(old.leaf_index, old.leaf_hash, old.body_digest))
    or (row(new.actor_kind, new.actor_id, new.actor_name, new.action, new.resource_kind, new.resource_id, new.resource_name, new.payload,
      new.salt)
        is distinct from row(old.actor_kind, old.actor_id, old.actor_name, old.action, old.resource_kind, old.resource_id,
          old.resource_name, old.payload, old.salt)
        and not (new.salt is null and old.leaf_index is not null)) then
    raise exception 'the audit log only grows' using errcode = 'QA002';
  end if;
  return new;
end $$;

-- Workspaces with events that have no place yet. Jumps from one workspace to the next, so that a backlog costs nothing.
create function quorate.pending_log_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  with recursive w (id) as (
    (select e.workspace_id from quorate.audit_events e where e.leaf_index is null order by e.workspace_id limit 1)
    union all
    select (select e.workspace_id from quorate.audit_events e
      where e.leaf_index is null and e.workspace_id > w.id order by e.workspace_id limit 1)
    from w where w.id is not null
  )
  select w.id from w where w.id is not null and exists (select from quorate.workspaces s where s.id = w.id)
$$;

-- Workspaces as old as the interval given whose newest checkpoint has not left the instance for that long.
create function quorate.due_checkpoint_workspaces(p_every interval) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select s.id from quorate.workspaces s
  cross join lateral (select c.delivered_at from quorate.checkpoints c where c.workspace_id = s.id order by c.size desc limit 1) newest
  where newest.delivered_at is null and s.created_at <= now() - p_every
    and not exists (select from quorate.checkpoints d where d.workspace_id = s.id and d.delivered_at > now() - p_every)
$$;

-- The log only grows, for the owner too: removing a row takes switching a trigger off, which the audit below finds as well.
create function quorate.refuse_log_removal() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'the audit log only grows' using errcode = 'QA002';
end $$;

-- The log that is due longest, for the length of a lease. A whole audit begins after each start, by night, and at the latest after 36
-- hours.
create function quorate.claim_log_audit(p_started timestamptz, p_lease interval)
  returns table (workspace_id uuid, whole_from bigint, finding jsonb)
language plpgsql security definer set search_path = '' as $$
begin
  return query update quorate.log_audits a set next_at = clock_timestamp() + p_lease,
    whole_from = coalesce(a.whole_from, case
      when a.whole_at is null or a.whole_at < p_started or a.whole_at < clock_timestamp() - interval '36 hours'
      or (a.whole_at < clock_timestamp() - interval '20 hours' and extract(hour from clock_timestamp() at time zone 'UTC') between 1 and 4)
        then 0 end)
  where a.workspace_id = (select x.workspace_id from quorate.log_audits x
    where x.next_at <= clock_timestamp() order by x.next_at limit 1 for update skip locked)
  returning a.workspace_id, a.whole_from, a.finding;
end $$;

-- New workspaces are audited from their first minute on.
create function quorate.add_log_audit() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.log_audits (workspace_id) values (new.id);
  return null;
end $$;

-- p_whole_from: where a whole audit continues, null where none is under way. Another finding than before is mailed again.
create function quorate.settle_log_audit(p_workspace uuid, p_finding jsonb, p_whole_from bigint, p_whole_ended boolean, p_next interval)
  returns void
language sql security definer set search_path = '' as $$
  update quorate.log_audits a set sampled_at = clock_timestamp(), whole_from = p_whole_from, next_at = clock_timestamp() + p_next,
    whole_at = case when p_whole_ended then clock_timestamp() else a.whole_at end, finding = p_finding,
    found_at = case when p_finding is null then null when a.finding is null then clock_timestamp() else a.found_at end,
    mailed_at = case when p_finding is null or p_finding -> 'code' is distinct from a.finding -> 'code' then null else a.mailed_at end
  where a.workspace_id = p_workspace
$$;

-- Findings that nobody was told of yet, with the addresses of the workspace's admins.
create function quorate.claim_log_alarms() returns table (workspace_id uuid, workspace_name text, finding jsonb, admins text[])
language sql security definer set search_path = '' as $$
  update quorate.log_audits a set mailed_at = clock_timestamp() from quorate.workspaces w
  where w.id = a.workspace_id and a.finding is not null and a.mailed_at is null
  returning a.workspace_id, w.name, a.finding,
    array(select m.email from quorate.members m where m.workspace_id = a.workspace_id and 'admin' = any (m.roles) order by m.email)
$$;

-- For every member, as the other figures of health are.
create function quorate.read_log_audit() returns table (finding jsonb, sampled_at timestamptz, whole_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select a.finding, a.sampled_at, a.whole_at from (select quorate.current_workspace_id() as id) w left
    join quorate.log_audits a on a.workspace_id = w.id
$$;

create constraint trigger audited after insert
  on quorate.audit_events deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger guard_audit_event before update on quorate.audit_events for each row execute function quorate.guard_audit_event();
create trigger immutable before update on quorate.checkpoints for each row
  when (row(new.workspace_id, new.size, new.root, new.note) is distinct from row(old.workspace_id, old.size, old.root,
  old.note)) execute function quorate.refuse_change();
create trigger guard_removal before delete on quorate.audit_events for each row execute function quorate.refuse_log_removal();
create trigger guard_truncate before truncate on quorate.audit_events for each statement execute function quorate.refuse_log_removal();
create trigger guard_change before update or delete on quorate.audit_nodes for each row execute function quorate.refuse_log_removal();
create trigger guard_truncate before truncate on quorate.audit_nodes for each statement execute function quorate.refuse_log_removal();
create trigger guard_removal before delete on quorate.checkpoints for each row execute function quorate.refuse_log_removal();
create trigger guard_truncate before truncate on quorate.checkpoints for each statement execute function quorate.refuse_log_removal();
create trigger log_audited after insert on quorate.workspaces for each row execute function quorate.add_log_audit();

create policy worker_reads on quorate.audit_events for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
-- Proof. Auditors and admins read the whole log, others what they did themselves. Nobody but the sequencer updates it.
create policy read_log on quorate.audit_events for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.has_role('auditor', 'admin')) or actor_id = (select quorate.current_user_id())));
create policy append on quorate.audit_events for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id())
    and actor_id = coalesce((select quorate.current_key_id()), (select quorate.current_user_id())) and actor_kind = case
    when (select quorate.current_trigger_id()) is not null then 'trigger' when (select quorate.current_key_id()) is not null then
    'key' else 'member' end and leaf_index is null);
create policy worker_appends on quorate.audit_events for insert to quorate_worker
  with check (workspace_id = (select quorate.current_workspace_id()) and leaf_index is null);
create policy place on quorate.audit_events for update to quorate_worker using (workspace_id = (select quorate.current_workspace_id()))
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.audit_events as restrictive for select to quorate_member using ((select quorate.key_may('audit:read')));

create policy read_workspace on quorate.audit_nodes for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy worker_reads on quorate.audit_nodes for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy place on quorate.audit_nodes for insert to quorate_worker with check (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.audit_nodes as restrictive for select to quorate_member using ((select quorate.key_may('audit:read')));

create policy read_workspace on quorate.checkpoints for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy worker_reads on quorate.checkpoints for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy place on quorate.checkpoints for all to quorate_worker using (workspace_id = (select quorate.current_workspace_id()))
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.checkpoints as restrictive for select to quorate_member using ((select quorate.key_may('audit:read')));

grant select on quorate.audit_events to quorate_member;
grant select on quorate.audit_events to quorate_worker;
grant insert (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload,
  salt) on quorate.audit_events to quorate_member;
grant insert (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload,
  salt) on quorate.audit_events to quorate_worker;
grant update (body_digest, leaf_index, leaf_hash) on quorate.audit_events to quorate_worker;
grant select on quorate.audit_nodes to quorate_member;
grant select, insert on quorate.audit_nodes to quorate_worker;
grant select on quorate.checkpoints to quorate_member;
grant select, insert on quorate.checkpoints to quorate_worker;
grant update (delivered_at) on quorate.checkpoints to quorate_worker;
revoke all on function quorate.guard_audit_event(), quorate.pending_log_workspaces(), quorate.due_checkpoint_workspaces(interval),
  quorate.refuse_log_removal(), quorate.claim_log_audit(timestamp with time zone,interval), quorate.add_log_audit(),
  quorate.settle_log_audit(uuid,jsonb,bigint,boolean,interval), quorate.claim_log_alarms(), quorate.read_log_audit() from public;
grant execute on function quorate.pending_log_workspaces(), quorate.due_checkpoint_workspaces(interval),
  quorate.claim_log_audit(timestamp with time zone,interval), quorate.settle_log_audit(uuid,jsonb,bigint,boolean,interval),
  quorate.claim_log_alarms() to quorate_app;
grant execute on function quorate.read_log_audit() to quorate_member;

-- What people author: workflows, agents, policies, their drafts, versions and triggers.

-- `unique (workspace_id, id)` comes after a table's other indexes: while a table is empty all of them seem to cost the same,
-- the planner takes the newest, and sessions keep the plans of their foreign keys.
create table quorate.artifacts (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  kind text not null check (kind in ('workflow', 'agent', 'policy', 'inspection')),
  name text not null check (length(name) between 1 and 120),
  description text not null default '' check (length(description) <= 2000),
  owner_id uuid not null,
  tags text[] not null default '{}',
  status text not null default 'inactive' check (status in ('inactive', 'pending', 'active')),
  published_version_id uuid,
  draft_revision int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  runs_at_once int check (runs_at_once between 1 and 99999)
);
create index artifacts_list on quorate.artifacts (workspace_id, kind, updated_at desc) where deleted_at is null;
create index artifacts_inspections on quorate.artifacts (workspace_id, name) where kind = 'inspection';
create index artifacts_agents on quorate.artifacts (workspace_id, name, id) where kind = 'agent' and deleted_at is null;
alter table quorate.artifacts add unique (workspace_id, id);
alter table quorate.artifacts enable row level security;

-- Every saved state of a draft: undo moves artifacts.draft_revision back; saving after an undo drops what came later.
create table quorate.drafts (
  workspace_id uuid not null,
  artifact_id uuid not null,
  revision int not null,
  document quorate.ordered_json not null,
  author_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (artifact_id, revision),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade
);
alter table quorate.drafts enable row level security;

create table quorate.versions (
  id uuid primary key,
  workspace_id uuid not null,
  artifact_id uuid not null,
  number int, -- null: the snapshot that a test run of a draft ran on
  document quorate.ordered_json not null,
  content_hash text not null,
  author_id uuid not null,
  created_at timestamptz not null default now(),
  unique (artifact_id, number),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade
);
create index versions_hash on quorate.versions (artifact_id, content_hash);
alter table quorate.versions add unique (workspace_id, id);
alter table quorate.artifacts add foreign key (workspace_id, published_version_id) references quorate.versions (workspace_id, id);
alter table quorate.versions enable row level security;

create table quorate.triggers (
  id uuid primary key,
  workspace_id uuid not null,
  artifact_id uuid not null,
  kind text not null check (kind in ('manual', 'schedule', 'webhook', 'a2a', 'mcp', 'event')),
  settings quorate.ordered_json not null default '{}',
  secret_sealed bytea,
  enabled boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  -- Schedules and webhooks start runs. A trigger acts as the publisher of the version in force and ends with their membership.
  name text not null default '',
  -- of a schedule: when it is due; null: never again
  next_at timestamptz,
  -- when it last tried to start a run
  last_at timestamptz,
  last_run_id uuid,
  -- why the last attempt started nothing
  last_refusal text,
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade
);
create index triggers_artifact on quorate.triggers (artifact_id);
create index triggers_due on quorate.triggers (next_at) where enabled and kind = 'schedule';
create index triggers_list on quorate.triggers (workspace_id, created_at desc);
alter table quorate.triggers enable row level security;

create table quorate.saved_views (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null,
  area text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default now()
);
create index saved_views_mine on quorate.saved_views (user_id, workspace_id, area);
alter table quorate.saved_views enable row level security;

-- A version as it is run. A call from the inspector reaches the peer like that of a live run: policies judge it as one. The mark is the
-- database's, not the author's.
create function quorate.read_version(p_workspace uuid, p_version uuid) returns json
language sql stable security definer set search_path = '' as $$
  select case when a.kind = 'inspection' then (
    select pg_catalog.json_object_agg(m.key, m.value order by m.place) from (
      select e.key, e.value, e.place from pg_catalog.json_each(v.document) with ordinality as e (key, value, place)
      union all select 'inspects', 'true', null) m)
    else v.document end
  from quorate.versions v join quorate.artifacts a on a.id = v.artifact_id where v.id = p_version and v.workspace_id = p_workspace
$$;

-- What is due, over all workspaces: names only what may act, so that one whose publisher has left is not tried for ever.
create function quorate.list_due_triggers(p_now timestamptz, p_limit int) returns table (trigger_id uuid)
language sql stable security definer set search_path = '' as $$
  select t.id from quorate.triggers t
    join quorate.artifacts a on a.id = t.artifact_id and a.deleted_at is null
    join quorate.versions v on v.id = a.published_version_id
    join quorate.members m on m.workspace_id = t.workspace_id and m.user_id = v.author_id
  where t.enabled and t.kind = 'schedule' and t.next_at <= p_now order by t.next_at limit least(p_limit, 1000)
$$;

-- `p_lock`: for a schedule, of which one worker at a time may decide; who comes second finds nothing.
create function quorate.become_trigger(p_trigger uuid, p_lock boolean)
returns table (trigger_id uuid, trigger_name text, kind text, workspace_id uuid, artifact_id uuid, artifact_name text, version_id uuid,
  document json, user_id uuid, settings json, secret_sealed bytea, next_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare t quorate.triggers; a quorate.artifacts; v quorate.versions; v_roles text[];
begin
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
  perform set_config('quorate.user_id', v.author_id::text, true), set_config('quorate.workspace_id', t.workspace_id::text, true),
    set_config('quorate.roles', array_to_string(v_roles, ','), true), set_config('quorate.key_id', '', true),
    set_config('quorate.trigger_id', t.id::text, true);
  return query select t.id, t.name, t.kind, t.workspace_id, a.id, a.name, v.id, v.document::json, v.author_id, t.settings::json,
    t.secret_sealed, t.next_at;
end $$;

-- What a trigger says of itself. The run or the refusal, and when it is due again, commit together.
create function quorate.mark_trigger(p_at timestamptz, p_next timestamptz, p_run uuid, p_refusal text) returns void
language sql security definer set search_path = '' as $$
  update quorate.triggers t set last_at = p_at, next_at = p_next, last_run_id = coalesce(p_run, t.last_run_id), last_refusal = p_refusal
  where t.id = nullif(current_setting('quorate.trigger_id', true), '')::uuid
$$;

create constraint trigger audited after insert or update or delete on quorate.drafts
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.versions
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.triggers
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update
  or delete on quorate.artifacts deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger immutable before update on quorate.versions for each row execute function quorate.refuse_change();
create trigger config_changed after insert or update on quorate.artifacts for each row
  when (new.kind = 'policy') execute function quorate.bump_config_revision();
create trigger agent_changed after update on quorate.artifacts for each row
  when (new.kind = 'agent'
    and row(old.status, old.deleted_at) is distinct from row(new.status, new.deleted_at)) execute function quorate.bump_config_revision();

create policy worker_reads on quorate.artifacts for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
-- Authored. A plain user sees what is published; builders author workflows and agents, admins policies.
create policy read_published on quorate.artifacts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and (published_version_id is not null or owner_id = (select quorate.current_user_id())
    or (select quorate.has_role('builder', 'auditor', 'admin', 'approver'))));
create policy author_inserts on quorate.artifacts for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id())
    and ((kind in ('workflow', 'agent') and (select quorate.has_role('builder')))
    or (kind = 'policy' and (select quorate.has_role('admin')))));
create policy author_updates on quorate.artifacts for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((kind in ('workflow', 'agent') and (select quorate.has_role('builder')))
    or (kind = 'policy' and (select quorate.has_role('admin')))))
  with check (workspace_id = (select quorate.current_workspace_id()));
-- A run is told with the name of its workflow: a key that reads runs alone found none, for it might not read that name.
create policy key_reads on quorate.artifacts as restrictive for select to quorate_member
  using ((select quorate.key_may('workflows:read', 'workflows:write', 'runs:start', 'runs:read')));
create policy key_inserts on quorate.artifacts as restrictive for insert to quorate_member
  with check ((select quorate.key_may('workflows:write')));
create policy key_updates on quorate.artifacts as restrictive for update to quorate_member
  using ((select quorate.key_may('workflows:write')));
create policy key_deletes on quorate.artifacts as restrictive for delete to quorate_member
  using ((select quorate.key_may('workflows:write')));
create policy inspection_inserts on quorate.artifacts for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id())
    and kind = 'inspection'
    and published_version_id is null and (select quorate.current_key_id()) is null and (select quorate.has_role('builder')));

create policy worker_reads on quorate.drafts for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_drafts on quorate.drafts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.has_role('builder', 'auditor', 'admin', 'approver'))
    or exists (select from quorate.artifacts a where a.id = artifact_id and a.owner_id = (select quorate.current_user_id()))));
create policy author_writes on quorate.drafts for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and exists (select from quorate.artifacts a
    where a.id = artifact_id
    and ((a.kind in ('workflow', 'agent') and (select quorate.has_role('builder')))
    or (a.kind = 'policy' and (select quorate.has_role('admin'))))))
  with check (workspace_id = (select quorate.current_workspace_id()) and author_id = (select quorate.current_user_id())
    and exists (select from quorate.artifacts a
      where a.id = artifact_id
      and ((a.kind in ('workflow', 'agent') and (select quorate.has_role('builder')))
      or (a.kind = 'policy' and (select quorate.has_role('admin'))))));
create policy key_reads on quorate.drafts as restrictive for select to quorate_member
  using ((select quorate.key_may('workflows:read', 'workflows:write')));
create policy key_inserts on quorate.drafts as restrictive for insert to quorate_member
  with check ((select quorate.key_may('workflows:write')));
create policy key_updates on quorate.drafts as restrictive for update to quorate_member using ((select quorate.key_may('workflows:write')));
create policy key_deletes on quorate.drafts as restrictive for delete to quorate_member using ((select quorate.key_may('workflows:write')));

create policy worker_reads on quorate.versions for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_versions on quorate.versions for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.has_role('builder', 'auditor', 'admin', 'approver'))
    or exists (select from quorate.artifacts a where a.id = artifact_id)));
create policy author_inserts on quorate.versions for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and author_id = (select quorate.current_user_id())
    and exists (select from quorate.artifacts a
      where a.id = artifact_id
      and ((a.kind in ('workflow', 'agent') and (select quorate.has_role('builder')))
      or (a.kind = 'policy' and (select quorate.has_role('admin'))))));
create policy key_reads on quorate.versions as restrictive for select to quorate_member
  using ((select quorate.key_may('workflows:read', 'workflows:write', 'runs:start', 'runs:read')));
create policy key_inserts on quorate.versions as restrictive for insert to quorate_member
  with check ((select quorate.key_may('workflows:write')));
create policy key_updates on quorate.versions as restrictive for update to quorate_member
  using ((select quorate.key_may('workflows:write')));
create policy key_deletes on quorate.versions as restrictive for delete to quorate_member
  using ((select quorate.key_may('workflows:write')));
create policy inspection_inserts on quorate.versions for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and author_id = (select quorate.current_user_id()) and number is null
    and (select quorate.current_key_id()) is null and (select quorate.has_role('builder'))
    and exists (select from quorate.artifacts a where a.id = artifact_id and a.kind = 'inspection'));

create policy worker_reads on quorate.triggers for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy author_all on quorate.triggers for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')))
    with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
create policy key_reads on quorate.triggers as restrictive for select to quorate_member
  using ((select quorate.key_may('workflows:read', 'workflows:write')));
create policy key_inserts on quorate.triggers as restrictive for insert to quorate_member
  with check ((select quorate.key_may('workflows:write')));
create policy key_updates on quorate.triggers as restrictive for update to quorate_member
  using ((select quorate.key_may('workflows:write')));
create policy key_deletes on quorate.triggers as restrictive for delete to quorate_member
  using ((select quorate.key_may('workflows:write')));

create policy own on quorate.saved_views for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()))
    with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()));
create policy key_reads on quorate.saved_views as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.saved_views as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.saved_views as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.saved_views as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant select, insert on quorate.artifacts to quorate_member;
grant select on quorate.artifacts to quorate_worker;
grant update (name, description, owner_id, tags, status, published_version_id, draft_revision, updated_at, deleted_at,
  runs_at_once) on quorate.artifacts to quorate_member;
grant select, insert, delete on quorate.drafts to quorate_member;
grant select on quorate.drafts to quorate_worker;
grant select, insert on quorate.versions to quorate_member;
grant select on quorate.versions to quorate_worker;
grant select, insert, update, delete on quorate.triggers to quorate_member;
grant select on quorate.triggers to quorate_worker;
grant select, insert, update, delete on quorate.saved_views to quorate_member;
grant select on quorate.saved_views to quorate_worker;
revoke all on function quorate.read_version(uuid,uuid), quorate.list_due_triggers(timestamp with time zone,integer),
  quorate.become_trigger(uuid,boolean), quorate.mark_trigger(timestamp with time zone,timestamp with time zone,uuid,text) from public;
grant execute on function quorate.list_due_triggers(timestamp with time zone,integer), quorate.become_trigger(uuid,boolean) to quorate_app;
grant execute on function quorate.mark_trigger(timestamp with time zone,timestamp with time zone,uuid,text) to quorate_member;
grant execute on function quorate.read_version(uuid,uuid) to quorate_worker;

-- What a workspace reaches: connections and their capabilities.

create table quorate.connections (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  kind text not null check (kind in ('mcp', 'a2a', 'model', 'app')),
  name text not null check (length(name) between 1 and 120),
  slug text not null check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$'),
  description text not null default '',
  endpoint text not null, -- an http(s) address, or builtin:tools, builtin:compliance-copilot
  sealed_credential bytea,
  settings jsonb not null default '{}',
  status text not null default 'pending' check (status in ('pending', 'connected', 'disconnected', 'error')),
  personal_data_allowed boolean not null default false,
  protocol_version text,
  last_check_at timestamptz,
  last_error jsonb,
  owner_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  paused_at timestamptz,
  -- Somebody stated that this connection honours the idempotency key.
  idempotent boolean not null default false,
  -- Connections are checked again by themselves: each has a time, and whoever takes it puts the time off, so that processes share the work.
  -- `failed_checks`: failures in a row, since one lost answer says nothing of a peer.
  next_check_at timestamptz not null default (now() + interval '1 hour'),
  failed_checks int not null default 0
);
create unique index connections_slug on quorate.connections (workspace_id, slug) where deleted_at is null;
create index connections_list on quorate.connections (workspace_id, kind, name) where deleted_at is null;
create index connections_due on quorate.connections (next_check_at) where deleted_at is null;
alter table quorate.connections add unique (workspace_id, id);
alter table quorate.connections enable row level security;

create table quorate.capabilities (
  id uuid primary key,
  workspace_id uuid not null,
  connection_id uuid not null,
  kind text not null check (kind in ('tool', 'skill', 'model')),
  name text not null,
  title text not null default '',
  description text not null default '',
  input_schema quorate.ordered_json,
  output_schema quorate.ordered_json,
  definition quorate.ordered_json not null, -- what the peer says now, and what fingerprint covers
  fingerprint text not null, -- SHA-256 of RFC 8785 of definition
  approved_fingerprint text, -- null: pending; differs: changed since approval
  approved_definition quorate.ordered_json,
  approved_by uuid,
  approved_at timestamptz,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  removed_at timestamptz,
  unique (connection_id, kind, name),
  foreign key (workspace_id, connection_id) references quorate.connections (workspace_id, id) on delete cascade
);
create index capabilities_workspace on quorate.capabilities (workspace_id, name);
alter table quorate.capabilities add unique (workspace_id, id);
alter table quorate.capabilities enable row level security;

-- Who connects may list and pin; only an approver or an admin approves, and only what the peer says now.
create function quorate.guard_capability_approval() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and new.approved_fingerprint is distinct from old.approved_fingerprint
    and new.approved_fingerprint is not null
    and not (quorate.has_role('approver', 'admin') and quorate.current_key_id() is null and new.approved_by = quorate.current_user_id()
      and new.approved_fingerprint = new.fingerprint) then
    raise exception 'only an approver or an admin approves a capability, as it is now' using errcode = 'QP005';
  end if;
  return new;
end $$;

-- Personal data may go to a connection, and calls may be repeated, only when an approver or an admin has said so. What was allowed for one
-- address must not serve another, so a connection keeps its address; only who may connect may change anything of it but the permission.
create function quorate.guard_connection_approval() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user <> 'quorate_member' then return new; end if;
  if new.personal_data_allowed and (tg_op = 'INSERT' or not old.personal_data_allowed)
    and not (quorate.has_role('approver', 'admin') and quorate.current_key_id() is null) then
    raise exception 'only an approver or an admin allows personal data' using errcode = 'QP005';
  end if;
  if new.idempotent and (tg_op = 'INSERT' or not old.idempotent)
    and not (quorate.has_role('approver', 'admin') and quorate.current_key_id() is null) then
    raise exception 'only an approver or an admin allows repeated calls' using errcode = 'QP005';
  end if;
  if tg_op = 'UPDATE' then
    if row(new.kind, new.endpoint) is distinct from row(old.kind, old.endpoint) then
      raise exception 'a connection keeps its address' using errcode = 'QP005';
    end if;
    if not quorate.has_role('builder', 'admin')
      and row(new.name, new.slug, new.description, new.sealed_credential, new.settings, new.status, new.protocol_version, new.last_check_at,
        new.last_error, new.deleted_at)
        is distinct from row(old.name, old.slug, old.description, old.sealed_credential, old.settings, old.status, old.protocol_version,
          old.last_check_at, old.last_error, old.deleted_at) then
      raise exception 'only a builder or an admin changes a connection' using errcode = 'QP005';
    end if;
  end if;
  return new;
end $$;

-- Who may not connect may not pause.
create function quorate.guard_connection_pause() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and new.paused_at is distinct from old.paused_at and not quorate.has_role('builder', 'admin') then
    raise exception 'only a builder or an admin pauses a connection' using errcode = 'QP005';
  end if;
  return new;
end $$;

-- Everything a decision and a route depend on, at one revision: what is paused, which agents are in force, what may be repeated, and what
-- the workspace may reach inside.
create function quorate.read_run_config(p_workspace uuid) returns json
language sql stable security definer set search_path = '' as $$
  select pg_catalog.json_build_object('revision', w.config_revision, 'privateNetwork', w.private_network,
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

-- How each capability did lately: for routing alone.
create function quorate.read_capability_records(p_workspace uuid)
  returns table (capability_id uuid, calls int, errors int, p95_ms double precision)
language sql stable security definer set search_path = '' as $$
  select k.id, count(s.run_id)::int, (count(*) filter (where s.status = 'error'))::int,
    coalesce(percentile_cont(0.95) within
      group (order by extract(epoch from s.finished_at - s.started_at) * 1000) filter (where s.status = 'success'), 0)
  from quorate.capabilities k cross
    join lateral (select x.run_id, x.status, x.started_at, x.finished_at from quorate.steps x
    where x.capability_id = k.id and x.finished_at is not null order by x.started_at desc limit 50) s
  where k.workspace_id = p_workspace and k.removed_at is null group by k.id
$$;

-- How each capability did lately, for members who route a task by hand: the same numbers as the engine routes by, numbers alone.
create function quorate.list_capability_records(p_workspace uuid)
  returns table (capability_id uuid, calls int, errors int, p95_ms double precision)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_workspace is distinct from quorate.current_workspace_id() then raise exception 'another workspace' using errcode = '42501'; end if;
  return query select r.capability_id, r.calls, r.errors, r.p95_ms from quorate.read_capability_records(p_workspace) r;
end $$;

create function quorate.claim_connection_checks(p_limit int, p_lease interval) returns table (connection_id uuid, workspace_id uuid)
language sql security definer set search_path = '' as $$
  update quorate.connections n set next_check_at = pg_catalog.clock_timestamp() + p_lease
  where n.id in (select x.id from quorate.connections x
    where x.deleted_at is null and x.paused_at is null and x.next_check_at <= pg_catalog.clock_timestamp()
    order by x.next_check_at limit p_limit for update skip locked)
  returning n.id, n.workspace_id
$$;

-- A peer said that its list has changed: to whoever is connected to that address.
create function quorate.request_checks_of(p_endpoint text) returns void language sql security definer set search_path = '' as $$
  update quorate.connections n set next_check_at = pg_catalog.clock_timestamp()
    where n.endpoint = p_endpoint and n.deleted_at is null and n.next_check_at > pg_catalog.clock_timestamp()
$$;

create constraint trigger audited after insert
  or delete on quorate.connections deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.connections deferrable initially deferred for each row
  when (row(old.name, old.endpoint, old.sealed_credential, old.personal_data_allowed, old.deleted_at,
    old.settings) is distinct from row(new.name, new.endpoint, new.sealed_credential, new.personal_data_allowed, new.deleted_at,
    new.settings)) execute function quorate.require_audit_event();
create constraint trigger audited after insert
  or delete on quorate.capabilities deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.capabilities deferrable initially deferred for each row
  when (row(old.fingerprint, old.approved_fingerprint, old.removed_at) is distinct from row(new.fingerprint, new.approved_fingerprint,
    new.removed_at)) execute function quorate.require_audit_event();
create trigger config_changed after insert or delete on quorate.connections for each row execute function quorate.bump_config_revision();
create trigger config_updated after update on quorate.connections for each row
  when (row(old.name, old.slug, old.endpoint, old.sealed_credential, old.settings, old.status, old.personal_data_allowed, old.deleted_at)
    is distinct from row(new.name, new.slug, new.endpoint, new.sealed_credential, new.settings, new.status, new.personal_data_allowed,
      new.deleted_at)) execute function quorate.bump_config_revision();
create trigger config_changed after insert or delete on quorate.capabilities for each row execute function quorate.bump_config_revision();
create trigger config_updated after update on quorate.capabilities for each row
  when (row(old.fingerprint, old.approved_fingerprint, old.removed_at) is distinct from row(new.fingerprint, new.approved_fingerprint,
    new.removed_at)) execute function quorate.bump_config_revision();
create trigger guard_capability_approval before update
  on quorate.capabilities for each row execute function quorate.guard_capability_approval();
create trigger guard_connection_approval before insert
  or update on quorate.connections for each row execute function quorate.guard_connection_approval();
create trigger pause_changed after update on quorate.connections for each row
  when (old.paused_at is distinct from new.paused_at) execute function quorate.bump_config_revision();
create trigger guard_connection_pause before update on quorate.connections for each row execute function quorate.guard_connection_pause();
create trigger idempotence_changed after update on quorate.connections for each row
  when (old.idempotent is distinct from new.idempotent) execute function quorate.bump_config_revision();

-- What everyone in the workspace may read.
create policy read_workspace on quorate.connections for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy worker_reads on quorate.connections for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
-- Reachable. Builders connect; approvers and admins accept what a connection offers.
create policy builder_inserts on quorate.connections for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id())
    and (select quorate.has_role('builder')));
create policy builder_updates on quorate.connections for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'admin')))
    with check (workspace_id = (select quorate.current_workspace_id()));
-- An approver decides whether a connection may receive personal data, without being able to change the connection itself.
create policy approver_updates on quorate.connections for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('approver')))
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.connections as restrictive for select to quorate_member
  using ((select quorate.key_may('workflows:read', 'workflows:write', 'runs:start')));
create policy key_inserts on quorate.connections as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.connections as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.connections as restrictive for delete to quorate_member using ((select quorate.key_may('')));
-- A worker lists and pins what a peer offers now, and never approves it: the columns of an approval are not granted.
create policy worker_checks on quorate.connections for update to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));

create policy read_workspace on quorate.capabilities for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy worker_reads on quorate.capabilities for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy builder_inserts on quorate.capabilities for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'admin'))
    and approved_fingerprint is null);
create policy writes on quorate.capabilities for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'approver', 'admin')))
    with check (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.capabilities as restrictive for select to quorate_member
  using ((select quorate.key_may('workflows:read', 'workflows:write', 'runs:start')));
create policy key_inserts on quorate.capabilities as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.capabilities as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.capabilities as restrictive for delete to quorate_member using ((select quorate.key_may('')));
create policy worker_lists on quorate.capabilities for insert to quorate_worker
  with check (workspace_id = (select quorate.current_workspace_id()) and approved_fingerprint is null and approved_by is null);
create policy worker_pins on quorate.capabilities for update to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));

grant select, insert on quorate.connections to quorate_member;
grant select on quorate.connections to quorate_worker;
grant update (name, slug, description, endpoint, sealed_credential, settings, status, personal_data_allowed, protocol_version,
  last_check_at, last_error, updated_at, deleted_at, paused_at, idempotent) on quorate.connections to quorate_member;
grant update (status, protocol_version, last_check_at, last_error, updated_at, next_check_at,
  failed_checks) on quorate.connections to quorate_worker;
grant select, insert on quorate.capabilities to quorate_member;
grant select on quorate.capabilities to quorate_worker;
grant update (title, description, input_schema, output_schema, definition, fingerprint, approved_fingerprint, approved_definition,
  approved_by, approved_at, last_seen_at, removed_at) on quorate.capabilities to quorate_member;
grant insert (id, workspace_id, connection_id, kind, name, title, description, input_schema, output_schema, definition, fingerprint,
  first_seen_at, last_seen_at) on quorate.capabilities to quorate_worker;
grant update (title, description, input_schema, output_schema, definition, fingerprint, last_seen_at,
  removed_at) on quorate.capabilities to quorate_worker;
revoke all on function quorate.guard_capability_approval(), quorate.guard_connection_approval(), quorate.guard_connection_pause(),
  quorate.read_run_config(uuid), quorate.read_capability_records(uuid), quorate.list_capability_records(uuid),
  quorate.claim_connection_checks(integer,interval), quorate.request_checks_of(text) from public;
grant execute on function quorate.claim_connection_checks(integer,interval), quorate.request_checks_of(text) to quorate_app;
grant execute on function quorate.list_capability_records(uuid) to quorate_member;
grant execute on function quorate.read_run_config(uuid), quorate.read_capability_records(uuid) to quorate_worker;

-- Runs, their steps and decisions, and what reads them.

create table quorate.runs (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  artifact_id uuid not null,
  version_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  trigger_kind text not null default 'manual',
  initiator_id uuid not null,
  parent_run_id uuid,
  status text not null default 'pending' check (status in ('pending', 'processing', 'waiting', 'completed', 'failed', 'cancelled')),
  input quorate.ordered_json not null default '{}',
  output quorate.ordered_json,
  error jsonb,
  attempt int not null default 0, -- the fence: raised by every claim
  claimed_by uuid,
  wake boolean not null default false, -- something happened while it was being driven: walk once more before waiting
  cancel_requested_at timestamptz,
  cancelled_by uuid,
  request_key text, -- of the form or caller that started it: a second post starts nothing
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  waiting_since timestamptz,
  waiting_ms bigint not null default 0,
  journal_hash text,
  updated_at timestamptz not null default clock_timestamp(),
  -- The sums over a run's steps; null: no model was called, or its price is not known.
  tokens_in bigint,
  tokens_out bigint,
  cost_micros bigint,
  -- workspace, workflow: it waits for a place under that limit; granted: it holds one, and a worker is about to drive it.
  place text check (place in ('workspace', 'workflow', 'granted')),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id),
  foreign key (workspace_id, version_id) references quorate.versions (workspace_id, id)
);
create index runs_open on quorate.runs (workspace_id, status) where status in ('pending', 'processing', 'waiting');
create index runs_claimed on quorate.runs (claimed_by) where status = 'processing';
create unique index runs_request_key on quorate.runs (workspace_id, initiator_id, request_key) where request_key is not null;
create index runs_parent on quorate.runs (parent_run_id) where parent_run_id is not null;
create index runs_list on quorate.runs (workspace_id, created_at desc, id desc)
  include (mode, status, artifact_id, version_id, initiator_id, started_at, finished_at, waiting_ms);
create index runs_artifact on quorate.runs (artifact_id, created_at desc, id desc)
  include (workspace_id, mode, status, initiator_id, started_at, finished_at, waiting_ms);
create index runs_initiator on quorate.runs (workspace_id, initiator_id, created_at desc, id desc);
-- What ended badly is rare, and asked for; what ended well never gets into this one.
create index runs_ended_badly on quorate.runs (workspace_id, status, created_at desc, id desc) where status in ('failed', 'cancelled');
create index runs_waiting_for_place on quorate.runs (workspace_id, artifact_id, id) where place in ('workspace', 'workflow');
create index runs_granted_a_place on quorate.runs (workspace_id, artifact_id) where place = 'granted';
alter table quorate.runs add unique (workspace_id, id);
alter table quorate.runs add constraint runs_parent_run foreign key (workspace_id, parent_run_id) references quorate.runs (workspace_id, id)
  on delete set null (parent_run_id);
alter table quorate.runs enable row level security;

create table quorate.steps (
  run_id uuid not null,
  workspace_id uuid not null,
  path text not null, -- place in the run: step ids and branch labels joined by '/'
  step_id text not null,
  position bigint generated always as identity,
  kind text not null check (kind in ('tool', 'agent', 'approval', 'branch', 'transform', 'model')),
  name text not null,
  status text not null check (status in ('pending', 'processing', 'waiting', 'success', 'error', 'skipped')),
  attempt int not null default 1,
  run_attempt int not null,
  idempotency_key text not null,
  protocol text, -- 'mcp' | 'a2a' | null
  connection_id uuid,
  capability_id uuid,
  capability_fingerprint text,
  candidates jsonb, -- [{ capabilityId, name, protocol, score, parts, excluded }]
  reason jsonb, -- { key, values }: a sentence in the reader's language
  input quorate.ordered_json,
  output quorate.ordered_json,
  error jsonb,
  input_digest text,
  output_digest text,
  decision_id uuid,
  approval_id uuid,
  next_attempt_at timestamptz,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- Tokens as the provider counted them; cost in millionths of a US dollar by the price that the connection had at the call. frames:
  -- requests and answers of a test run's call, credentials taken out; for the inspector alone.
  tokens_in bigint,
  tokens_out bigint,
  cost_micros bigint,
  frames quorate.ordered_json,
  -- Which agent a step stands for, where it is one of the workspace's own.
  agent_id uuid,
  primary key (run_id, path),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index steps_capability on quorate.steps (capability_id, started_at desc) where capability_id is not null;
-- What the screens of routing, decisions and figures read. The step's own place breaks ties, so that a page ends exactly where
-- the next begins; nothing that changes is in the index, so that finishing a step stays a cheap update.
create index steps_window on quorate.steps (workspace_id, started_at desc, position desc);
create index steps_agent on quorate.steps (agent_id, started_at desc) where agent_id is not null;
alter table quorate.steps enable row level security;

create table quorate.decisions (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  step_path text not null,
  attempt int not null,
  action text not null,
  verdict text not null check (verdict in ('allow', 'warn', 'transform', 'require_approval', 'deny')),
  rules jsonb not null default '[]', -- [{ policyId, policyName, version, rule, verdict }]
  reason jsonb not null, -- { key, values }
  context jsonb not null default '{}', -- what the policy was asked with (no payloads)
  action_digest text not null,
  policy_version text not null, -- digest over the policies in force
  decided_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index decisions_run on quorate.decisions (run_id, decided_at);
-- What policies did. A violation is a warn or a deny; an allow without a rule, by far the most, is not in the index.
create index decisions_determined on quorate.decisions (workspace_id, decided_at desc) where verdict <> 'allow' or rules <> '[]'::jsonb;
create index decisions_list on quorate.decisions (workspace_id, decided_at desc, id desc);
alter table quorate.decisions enable row level security;

-- Whether a halt holds this run: a local step that is not written yet then did not start, and the walk after the release does it.
-- A cancelled run may end all the same. The caller has taken the halt's lock, before the run's row: whoever halts waits for both.
create function quorate.is_held(p_run quorate.runs) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  return p_run.cancel_requested_at is null
    and exists (select from quorate.workspaces x where x.id = p_run.workspace_id and x.halted_at is not null);
end $$;

-- A mark that changes whenever something of a run does; only for runs named with their own workspace.
create function quorate.list_run_marks(p_workspaces uuid[], p_runs uuid[]) returns table (run_id uuid, mark text)
  language sql stable security definer set search_path = '' as $$
  select r.id, r.status || ' ' || r.attempt || ' ' || r.updated_at ||
    ' ' || (select count(*) || ' ' || coalesce(max(greatest(s.started_at, s.finished_at))::text, '') || ' ' || coalesce(sum(s.attempt), 0)
      || ' ' || count(*) filter (where s.status in ('waiting', 'pending')) from quorate.steps s where s.run_id = r.id)
    || ' ' || (select coalesce(pg_catalog.string_agg(a.status, ',' order by a.id), '') || (select count(*)
      from quorate.approval_votes v join quorate.approvals b on b.id = v.approval_id where b.run_id = r.id) from quorate.approvals a
      where a.run_id = r.id)
  from unnest(p_workspaces, p_runs) as w (workspace_id, run_id) join quorate.runs r on r.id = w.run_id and r.workspace_id = w.workspace_id
$$;

-- Live runs of a month, counted no further than the limit. A plain user sees only their own runs; a quota is the workspace's.
create function quorate.count_live_runs(p_workspace uuid, p_since timestamptz, p_limit int) returns int
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_workspace is distinct from quorate.current_workspace_id() then raise exception 'another workspace' using errcode = '42501'; end if;
  return (select count(*)::int
    from (select from quorate.runs r where r.workspace_id = p_workspace and r.mode = 'live' and r.created_at >= p_since limit p_limit) x);
end $$;

-- Something happened to a run that this worker is driving already.
create function quorate.wake_run(p_workspace uuid, p_run uuid) returns void language sql security definer set search_path = '' as $$
  update quorate.runs x set wake = true
    where x.id = p_run and (x.workspace_id = p_workspace and x.status = 'processing' and not x.wake) is true
$$;

-- Copies steps of an ended run into a run of the caller's own that has not begun, of the same version with the same input.
-- `p_paths`: ended steps to keep; `p_open`: branches that the place lies in, whose choice is kept. Answers how many were copied.
create function quorate.copy_journal(p_from uuid, p_to uuid, p_paths text[], p_open text[]) returns int
language plpgsql security definer set search_path = '' as $$
declare f quorate.runs; t quorate.runs; n int;
begin
  select * into f from quorate.runs x where x.id = p_from and (x.workspace_id = quorate.current_workspace_id()) is true;
  select * into t from quorate.runs x where x.id = p_to and (x.workspace_id = quorate.current_workspace_id()) is true for update;
  if f.id is null or t.id is null
    or (quorate.sees_all_runs() or f.initiator_id = quorate.current_user_id()) is not true
    or f.status not in ('completed', 'failed', 'cancelled')
    or t.initiator_id <> quorate.current_user_id() or t.parent_run_id is distinct from f.id or t.status <> 'pending' or t.attempt <> 0
    or row(t.artifact_id, t.version_id, t.mode, t.input::jsonb) is distinct from row(f.artifact_id, f.version_id, f.mode, f.input::jsonb)
    or exists (select from quorate.steps s where s.run_id = p_to) then
    raise exception 'this run does not go on from that one' using errcode = 'QP005';
  end if;
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
    connection_id, capability_id, capability_fingerprint, candidates, reason, input, output, error, input_digest, output_digest,
    started_at, finished_at)
  select p_to, s.workspace_id, s.path, s.step_id, s.kind, s.name, case when s.path = any(p_open) then 'processing' else s.status end,
    s.attempt, 0, p_to::text || '/' || s.path, s.protocol, s.connection_id, s.capability_id, s.capability_fingerprint, s.candidates,
    case when s.path = any(p_open) then s.reason
      else pg_catalog.jsonb_build_object('key', 'stepKept', 'values', pg_catalog.jsonb_build_object('run', p_from)) end,
    s.input, case when s.path = any(p_open) then null else s.output end, s.error, s.input_digest,
    case when s.path = any(p_open) then null else s.output_digest end, s.started_at,
    case when s.path = any(p_open) then null else s.finished_at end
  from quorate.steps s where s.run_id = p_from and s.kind <> 'approval'
    and ((s.path = any(p_paths) and s.status in ('success', 'skipped', 'error'))
      or (s.path = any(p_open) and s.kind = 'branch' and s.input is not null))
  order by s.position;
  get diagnostics n = row_count;
  -- the first walk reads the journal, as one that takes over does
  update quorate.runs x set attempt = 1 where x.id = p_to;
  return n;
end $$;

-- Runs that this worker drives and somebody wants to end.
create function quorate.list_cancelled_runs(p_worker uuid) returns table (run_id uuid)
  language sql stable security definer set search_path = '' as $$
  select r.id from quorate.runs r where r.claimed_by = p_worker and r.status = 'processing' and r.cancel_requested_at is not null
$$;

-- Which of these runs wait for a person to decide. A caller that may see a run but no approvals learns this much: a run also waits for a
-- later attempt, for the release of its workspace, or a moment between a decision and the worker that takes it up.
create function quorate.list_asking_runs(p_runs uuid[]) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select distinct a.run_id from quorate.approvals a
    where a.run_id = any (p_runs) and a.status = 'pending' and (a.workspace_id = quorate.current_workspace_id()) is true;
end $$;

-- How many runs of a workspace wait for their start, counted no further than the limit.
create function quorate.count_queued_runs(p_workspace uuid, p_limit int) returns int
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_workspace is distinct from quorate.current_workspace_id() then raise exception 'another workspace' using errcode = '42501'; end if;
  return (select count(*)::int from (
    select from quorate.runs r where r.workspace_id = p_workspace and r.status = 'pending' limit p_limit) x);
end $$;

-- Seconds until so many runs of the workspace will have left the queue, by the pace of the last hundred that did. A queue that stands
-- still slows the pace down the longer it does. Null: none has left it for an hour.
create function quorate.queue_wait(p_workspace uuid, p_runs int) returns double precision
language plpgsql stable security definer set search_path = '' as $$
declare v_count int; v_first timestamptz;
begin
  if p_workspace is distinct from quorate.current_workspace_id() then raise exception 'another workspace' using errcode = '42501'; end if;
  select count(*), min(x.started_at) into v_count, v_first from (
    select r.started_at from quorate.runs r
    where r.workspace_id = p_workspace and r.status <> 'pending' and r.started_at > clock_timestamp() - interval '1 hour'
    order by r.created_at desc, r.id desc limit 100) x;
  return p_runs * extract(epoch from clock_timestamp() - v_first) / nullif(v_count, 0);
end $$;

create constraint trigger audited after insert
  or delete on quorate.runs deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.runs deferrable initially deferred for each row
  when ((new.status is distinct from old.status and new.status in ('completed', 'failed', 'cancelled'))
    or new.cancel_requested_at is distinct from old.cancel_requested_at) execute function quorate.require_audit_event();
create trigger immutable before update on quorate.decisions for each row execute function quorate.refuse_change();

create policy worker_reads on quorate.runs for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
-- Happened. A plain user sees their own runs.
create policy read_runs on quorate.runs for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or initiator_id = (select quorate.current_user_id())));
create policy start_runs on quorate.runs for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and initiator_id = (select quorate.current_user_id())
    and status = 'pending' and (mode = 'live' or (select quorate.has_role('builder')))
    and (select quorate.has_role('user', 'builder', 'approver', 'auditor', 'admin')));
create policy cancel_runs on quorate.runs for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and (initiator_id = (select quorate.current_user_id()) or (select quorate.has_role('builder', 'admin'))))
    with check (workspace_id = (select quorate.current_workspace_id())
    and (cancelled_by is null or cancelled_by = (select quorate.current_user_id())));
create policy key_reads on quorate.runs as restrictive for select to quorate_member
  using ((select quorate.key_may('runs:read', 'runs:start')));
create policy key_inserts on quorate.runs as restrictive for insert to quorate_member with check ((select quorate.key_may('runs:start')));
create policy key_updates on quorate.runs as restrictive for update to quorate_member using ((select quorate.key_may('runs:start')));
create policy key_deletes on quorate.runs as restrictive for delete to quorate_member using ((select quorate.key_may('runs:start')));

create policy worker_reads on quorate.steps for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_steps on quorate.steps for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.steps as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));

create policy worker_reads on quorate.decisions for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_decisions on quorate.decisions for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.decisions as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));

grant select on quorate.runs to quorate_member;
grant select on quorate.runs to quorate_worker;
grant insert (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, parent_run_id, status, input,
  request_key) on quorate.runs to quorate_member;
grant update (cancel_requested_at, cancelled_by, updated_at) on quorate.runs to quorate_member;
grant select on quorate.steps to quorate_member;
grant select on quorate.steps to quorate_worker;
grant select on quorate.decisions to quorate_member;
grant select on quorate.decisions to quorate_worker;
revoke all on function quorate.is_held(quorate.runs), quorate.list_run_marks(uuid[],uuid[]),
  quorate.count_live_runs(uuid,timestamp with time zone,integer), quorate.wake_run(uuid,uuid),
  quorate.copy_journal(uuid,uuid,text[],text[]), quorate.list_cancelled_runs(uuid), quorate.list_asking_runs(uuid[]),
  quorate.count_queued_runs(uuid,integer), quorate.queue_wait(uuid,integer) from public;
grant execute on function quorate.count_live_runs(uuid,timestamp with time zone,integer), quorate.copy_journal(uuid,uuid,text[],text[]),
  quorate.list_asking_runs(uuid[]), quorate.count_queued_runs(uuid,integer), quorate.queue_wait(uuid,integer) to quorate_member;
grant execute on function quorate.list_run_marks(uuid[],uuid[]), quorate.wake_run(uuid,uuid),
  quorate.list_cancelled_runs(uuid) to quorate_worker;

-- The journal of a run: what a worker writes while it drives one. Every statement holds the fence.

create function quorate.append_worker_event(p_workspace uuid, p_id uuid, p_action text, p_kind text, p_resource text, p_name text,
  p_payload jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, resource_name, payload, salt)
  values (p_id, p_workspace, 'worker', p_action, p_kind, p_resource, p_name, p_payload,
    pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
end $$;

-- The fence: locks the run's row and answers it while the caller still drives it, else nothing. A run that was taken from its worker is
-- held by nobody: what that worker still says counts no more, even before somebody else drives the run.
create function quorate.hold_run(p_workspace uuid, p_run uuid, p_attempt int) returns quorate.runs
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  select * into r from quorate.runs x
    where x.id = p_run and (x.workspace_id = p_workspace and x.attempt = p_attempt and x.status = 'processing'
    and x.claimed_by is not null) is true for no key update;
  return r;
end $$;

-- Steps without an effect: branch, transform, skipped, and an agent that a step stands for.
create function quorate.write_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_rows json) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, reason, input, output,
    error, input_digest, output_digest, started_at, finished_at, agent_id)
  select p_run, p_workspace, r.path, r."stepId", r.kind, r.name, r.status, p_attempt, p_run::text || '/' || r.path, r.reason, r.input,
    r.output, r.error, r."inputDigest", r."outputDigest", r."startedAt", r."finishedAt", r."agentId"
  from pg_catalog.json_to_recordset(p_rows) as r (path text, "stepId" text, kind text, name text, status text, reason jsonb, input json,
    output json, error jsonb, "inputDigest" text, "outputDigest" text, "startedAt" timestamptz, "finishedAt" timestamptz, "agentId" uuid)
  on conflict (run_id, path) do update set status = excluded.status, output = excluded.output, output_digest = excluded.output_digest,
    error = excluded.error, finished_at = excluded.finished_at
    -- a branch and an agent of the workspace stand as processing while their steps run; everything else is written once
    where (quorate.steps.kind = 'branch' or quorate.steps.agent_id is not null) and quorate.steps.status = 'processing'
      and excluded.status <> 'processing';
end $$;

-- The steps of a run in their order, with what a budget is counted by.
create function quorate.read_journal(p_run uuid) returns json language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('path', s.path, 'stepId', s.step_id, 'kind', s.kind,
    'status', s.status, 'attempt', s.attempt, 'runAttempt', s.run_attempt, 'connectionId', s.connection_id,
    'capabilityId', s.capability_id, 'candidates', s.candidates, 'reason', s.reason, 'input', s.input, 'output', s.output,
    'error', s.error, 'approvalId', s.approval_id, 'nextAttemptAt', s.next_attempt_at, 'startedAt', s.started_at,
    'tokensIn', s.tokens_in, 'tokensOut', s.tokens_out, 'costMicros', s.cost_micros)), '[]')
  from quorate.steps s where s.run_id = p_run);
end $$;

-- Writes a step with its attempt.
create function quorate.write_step(p_run quorate.runs, p_step jsonb, p_input json, p_status text, p_approval uuid, p_error jsonb)
returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.steps as s (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
    connection_id, capability_id, capability_fingerprint, candidates, reason, input, input_digest, decision_id, approval_id, error,
    finished_at)
  values (p_run.id, p_run.workspace_id, p_step ->> 'path', p_step ->> 'stepId', p_step ->> 'kind', p_step ->> 'name', p_status,
    (p_step ->> 'attempt')::int, p_run.attempt, p_step ->> 'key', p_step ->> 'protocol', (p_step ->> 'connectionId')::uuid,
    (p_step ->> 'capabilityId')::uuid, p_step ->> 'fingerprint', p_step -> 'candidates', p_step -> 'reason', p_input,
    p_step ->> 'inputDigest', (p_step #>> '{decision,id}')::uuid, p_approval, p_error,
    case when p_status = 'error' then clock_timestamp() end)
  on conflict (run_id, path) do update set status = p_status, attempt = excluded.attempt, run_attempt = excluded.run_attempt,
    protocol = excluded.protocol, connection_id = excluded.connection_id, capability_id = excluded.capability_id,
    capability_fingerprint = excluded.capability_fingerprint, candidates = excluded.candidates, reason = excluded.reason,
    input = excluded.input, input_digest = excluded.input_digest, decision_id = excluded.decision_id,
    approval_id = coalesce(excluded.approval_id, s.approval_id), error = coalesce(excluded.error, s.error), next_attempt_at = null,
    finished_at = excluded.finished_at;
end $$;

-- Starts a step with an effect, or says why not. Answers { state }: started | waiting | refused | halted | cancelled | stale | fenced |
-- done, and rejected | expired | withdrawn for its approval. The decision row stands before the step does, in the same transaction.
create function quorate.start_step(p_workspace uuid, p_run uuid, p_attempt int, p_revision bigint, p_step json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; w quorate.workspaces; s quorate.steps; v_step jsonb := p_step; v_input json := p_step -> 'input';
  d jsonb := v_step -> 'decision'; v_verdict text := d ->> 'verdict'; v_approval jsonb;
begin
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
  if s.decision_id = (d ->> 'id')::uuid and s.status = 'processing' then return '{"state":"started"}'; end if;
  if w.config_revision <> p_revision then
    return pg_catalog.json_build_object('state', 'stale', 'revision', w.config_revision);
  end if;
  if v_verdict is null or d ->> 'actionDigest' is null then raise exception 'a step needs its decision' using errcode = 'QR001'; end if;

  -- a policy that an approval has released decides 'allow' and still comes with the approval that it needs
  if v_verdict = 'require_approval' or v_step -> 'approval' is not null then
    v_approval := quorate.take_approval(r, v_step ->> 'path', v_step ->> 'key', d ->> 'actionDigest', v_step -> 'approval',
      p_step #> '{approval,subject}');
  end if;
  insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest,
    policy_version)
  values ((d ->> 'id')::uuid, p_workspace, p_run, v_step ->> 'path', (v_step ->> 'attempt')::int, d ->> 'action', v_verdict, d -> 'rules',
    d -> 'reason', d -> 'context', d ->> 'actionDigest', d ->> 'policyVersion')
  on conflict (id) do nothing;

  if v_approval is not null and v_approval ->> 'state' <> 'approved' then
    perform quorate.write_step(r, v_step, v_input, case when v_approval ->> 'state' = 'waiting' then 'waiting' else 'pending' end,
      (v_approval ->> 'id')::uuid, null);
    return v_approval::json;
  end if;
  if v_verdict not in ('allow', 'warn', 'transform', 'require_approval') then
    perform quorate.write_step(r, v_step, v_input, 'error', null, v_step -> 'refusal');
    return '{"state":"refused"}';
  end if;
  perform quorate.write_step(r, v_step, v_input, 'processing', (v_approval ->> 'id')::uuid, null);
  return '{"state":"started"}';
end $$;

-- An approval of exactly this action for exactly this step. Answers { state: approved | waiting | rejected | expired | withdrawn, id, votes
-- }. The first attempt of the step consumes it; later attempts carry the same idempotency key. A closed one is never asked again.
create function quorate.take_approval(p_run quorate.runs, p_path text, p_key text, p_digest text, p_request jsonb, p_subject json)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_state text;
begin
  select * into a from quorate.approvals x where x.run_id = p_run.id and x.step_path = p_path and x.action_digest = p_digest
    order by x.created_at desc limit 1 for update;
  if a.id is null then
    insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, quorum, requested_by,
      version_author_id, due_at)
    select (p_request ->> 'id')::uuid, p_run.workspace_id, p_run.id, p_path, p_request ->> 'title', p_subject, p_digest,
      p_request -> 'reason', p_request ->> 'risk', coalesce((p_request ->> 'quorum')::int, 1), p_run.initiator_id, v.author_id,
      clock_timestamp() + pg_catalog.make_interval(hours => (p_request ->> 'dueHours')::int)
    from quorate.versions v where v.id = p_run.version_id and v.workspace_id = p_run.workspace_id
    returning * into a;
    return pg_catalog.jsonb_build_object('state', 'waiting', 'id', a.id, 'dueAt', a.due_at);
  end if;
  v_state := a.status;
  if a.status = 'consumed' then
    v_state := case when a.consumed_key = p_key then 'approved' else 'withdrawn' end;
  elsif a.status = 'approved' and a.due_at > clock_timestamp() then
    update quorate.approvals x set status = 'consumed', consumed_at = clock_timestamp(), consumed_key = p_key where x.id = a.id;
  elsif a.status in ('pending', 'approved') and a.due_at <= clock_timestamp() then
    update quorate.approvals x set status = 'expired' where x.id = a.id;
    perform quorate.append_worker_event(p_run.workspace_id, (p_request ->> 'eventId')::uuid, 'approval.expired', 'approval', a.id::text,
      a.title, pg_catalog.jsonb_build_object('run', p_run.id, 'step', p_path, 'digest', p_digest));
    v_state := 'expired';
  elsif a.status = 'pending' then
    v_state := 'waiting';
  end if;
  return pg_catalog.jsonb_build_object('state', v_state, 'id', a.id, 'dueAt', a.due_at, 'votes',
    (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', v.voter_name, 'vote', v.vote, 'reason', v.reason)
      order by v.voted_at), '[]') from quorate.approval_votes v where v.approval_id = a.id));
end $$;

-- A step of the kind approval: asks, waits, or takes what people decided. Answers { state: approved | waiting | rejected | expired |
-- withdrawn | fenced | halted | cancelled, votes }.
create function quorate.ask_approval(p_workspace uuid, p_run uuid, p_attempt int, p_step json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v jsonb; v_step jsonb := p_step;
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  v := quorate.take_approval(r, v_step ->> 'path', v_step ->> 'key', v_step ->> 'actionDigest', v_step -> 'approval',
    p_step #> '{approval,subject}');
  perform quorate.write_step(r, v_step, p_step -> 'input', case v ->> 'state' when 'waiting' then 'waiting' else 'pending' end,
    (v ->> 'id')::uuid, null);
  return v;
end $$;

-- A call was made and nobody knows what became of it: the step waits for a person. Saying it twice is the same as once.
create function quorate.ask_outcome(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_question json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; a quorate.approvals; v_held boolean := false; q jsonb := p_question;
begin
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

-- Takes the answer exactly once; p_confirmed is the sentence of a step that was confirmed. { state }: done | again | waiting | rejected |
-- expired | withdrawn | cancelled | fenced, and none for a step that asks nothing.
create function quorate.settle_outcome(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_event uuid, p_confirmed text)
  returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; s quorate.steps; a quorate.approvals; v_state text; v_votes jsonb; v_done text;
begin
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

-- What a started step came to: success, error, or pending until its next attempt. Saying it twice is the same as once. Usage goes onto the
-- step and the run once, with the statement that ends the attempt. 'halted': the result is kept, the local steps in hand are not.
create function quorate.finish_step(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_result json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_held boolean := false; v_result jsonb := p_result; u jsonb := v_result -> 'usage';
  v_output json := p_result -> 'output';
begin
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
  update quorate.steps s set status = v_result ->> 'status',
    output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end, output_digest = v_result ->> 'outputDigest',
    error = nullif(v_result -> 'error', 'null'), next_attempt_at = (v_result ->> 'nextAttemptAt')::timestamptz,
    finished_at = clock_timestamp(), frames = coalesce(p_result -> 'frames', s.frames)
  where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status in ('processing', 'waiting', 'pending');
  return pg_catalog.jsonb_build_object('state', case when v_held then 'halted' else 'ok' end,
    'cancelled', r.cancel_requested_at is not null);
end $$;

-- Writes the local steps still in hand; answers whether the fence holds.
create function quorate.journal_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local);
  return '{"state":"ok"}';
end $$;

-- The rows that the closing event will hash, as { steps, decisions }: nobody else writes them while the fence holds.
create function quorate.settle_run(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
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

-- Lets go of a run that waits. 'wake': something happened meanwhile, so the caller claims it again.
create function quorate.park_run(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
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

-- Ends a run: status, output, hash of the journal and the one event that says so, together. p_close.journal is what was hashed. The entry
-- names every entry of the run and of its approvals before it.
create function quorate.close_run(p_workspace uuid, p_run uuid, p_attempt int, p_close json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_name text; v_steps int; v_decisions int; v_events jsonb; v_close jsonb := p_close;
  v_output json := p_close -> 'output'; v_status text := v_close ->> 'status';
begin
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
  update quorate.runs x set status = v_status, output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end,
    error = nullif(v_close -> 'error', 'null'), journal_hash = v_close #>> '{journal,journal}', claimed_by = null, wake = false,
    finished_at = clock_timestamp(), updated_at = clock_timestamp() where x.id = p_run;
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
  return '{"state":"closed"}';
end $$;

revoke all on function quorate.append_worker_event(uuid,uuid,text,text,text,text,jsonb), quorate.hold_run(uuid,uuid,integer),
  quorate.write_local_steps(uuid,uuid,integer,json), quorate.read_journal(uuid),
  quorate.write_step(quorate.runs,jsonb,json,text,uuid,jsonb), quorate.start_step(uuid,uuid,integer,bigint,json,json),
  quorate.take_approval(quorate.runs,text,text,text,jsonb,json), quorate.ask_approval(uuid,uuid,integer,json,json),
  quorate.ask_outcome(uuid,uuid,integer,text,json,json), quorate.settle_outcome(uuid,uuid,integer,text,uuid,text),
  quorate.finish_step(uuid,uuid,integer,text,json,json), quorate.journal_local_steps(uuid,uuid,integer,json),
  quorate.settle_run(uuid,uuid,integer,json), quorate.park_run(uuid,uuid,integer,json),
  quorate.close_run(uuid,uuid,integer,json) from public;
grant execute on function quorate.start_step(uuid,uuid,integer,bigint,json,json), quorate.ask_approval(uuid,uuid,integer,json,json),
  quorate.ask_outcome(uuid,uuid,integer,text,json,json), quorate.settle_outcome(uuid,uuid,integer,text,uuid,text),
  quorate.finish_step(uuid,uuid,integer,text,json,json), quorate.journal_local_steps(uuid,uuid,integer,json),
  quorate.settle_run(uuid,uuid,integer,json), quorate.park_run(uuid,uuid,integer,json),
  quorate.close_run(uuid,uuid,integer,json) to quorate_worker;

-- Workers: claiming runs, leases, and taking over from the lost.

-- A worker holds its runs by a lease of time beside the lock of its session: the lock ends with a process that is killed, the lease with
-- one that stands still. Whoever judges another looks several times, a second apart: after an outage of the database everybody renews
-- first.
create table quorate.worker_leases (
  worker_id uuid primary key,
  renewed_at timestamptz not null,
  revoked boolean not null default false -- its runs were given to others, which it has not heard yet
);
alter table quorate.worker_leases enable row level security;

-- How long a worker may be silent before its runs go to others; how long one whose lock is gone.
create function quorate.lease_length() returns interval language sql immutable parallel safe as $$ select interval '20 seconds' $$;

create function quorate.lock_grace() returns interval language sql immutable parallel safe as $$ select interval '3 seconds' $$;

-- Held by a worker's session as long as it lives: who obtains it knows that the worker is gone.
create function quorate.worker_lock(p_worker uuid) returns bigint language sql immutable parallel safe
  as $$ select pg_catalog.hashtextextended('worker:' || p_worker::text, 0) $$;

-- Says that the worker is there. Answers false, once, where its runs were given to others. An outage of the database takes nothing from
-- anybody.
create function quorate.renew_lease(p_worker uuid) returns boolean language plpgsql security definer set search_path = '' as $$
declare v_revoked boolean; v_now timestamptz := clock_timestamp();
begin
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

-- Makes a run this worker's own and raises the fence. 'busy': somebody drives it and will walk once more; 'done': nothing left to do.
create function quorate.claim_run(p_workspace uuid, p_run uuid, p_worker uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; w quorate.workspaces; v_author uuid;
begin
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
  select v.author_id into v_author from quorate.versions v where v.id = r.version_id and (v.workspace_id = p_workspace) is true;
  return pg_catalog.json_build_object('state', 'claimed', 'attempt', r.attempt, 'versionId', r.version_id, 'artifactId', r.artifact_id,
    'mode', r.mode, 'input', r.input, 'initiatorId', r.initiator_id,
    'initiatorRoles', coalesce((select pg_catalog.to_json(m.roles) from quorate.members m
      where m.workspace_id = p_workspace and m.user_id = r.initiator_id), '[]'),
    'versionAuthorId', v_author, 'createdAt', r.created_at, 'cancelled', r.cancel_requested_at is not null, 'waitingMs', r.waiting_ms,
    'revision', w.config_revision,
    'steps', case when r.attempt = 1 then '[]'::json else quorate.read_journal(p_run) end,
    'approvals', case when r.attempt = 1 then '[]'::json else (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'path', a.step_path, 'status', a.status,
        'digest', a.action_digest, 'dueAt', a.due_at,
        'approvedBy', (select coalesce(pg_catalog.json_agg(v.user_id), '[]') from quorate.approval_votes v
          where v.approval_id = a.id and v.vote = 'approve'))), '[]')
      from quorate.approvals a where a.run_id = p_run) end);
end $$;

create function quorate.list_claimed_runs(p_worker uuid) returns table (run_id uuid, workspace_id uuid)
  language sql stable security definer set search_path = '' as $$
  select r.id, r.workspace_id from quorate.runs r where r.claimed_by = p_worker and r.status = 'processing'
$$;

-- Open runs that nobody drives although something is to be done, for longer than a job takes to be fetched and claimed: their job went down
-- with a worker between the two, or with one that had granted a place and not queued the run yet. Runs that wait for a place are left out.
-- Only of use to who has just found the queue empty.
create function quorate.list_stalled_runs() returns table (run_id uuid, workspace_id uuid)
language sql stable security definer set search_path = '' as $$
  select r.id, r.workspace_id from quorate.runs r join quorate.workspaces w on w.id = r.workspace_id
  where r.status in ('pending', 'waiting') and (r.status = 'pending' or r.wake or r.cancel_requested_at is not null or r.place = 'granted')
    and (r.place is null or r.place = 'granted' or r.cancel_requested_at is not null)
    and r.updated_at < clock_timestamp() - interval '2 seconds'
    and (w.halted_at is null or r.cancel_requested_at is not null) limit 200
$$;

-- Workers that hold runs but no longer their lock, or whose lease is over: one that stands still keeps its session and its lock. One look
-- may fall into a reconnection: who asks looks twice.
create function quorate.list_lost_workers(p_worker uuid) returns table (worker_id uuid)
  language sql volatile security definer set search_path = '' as $$
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

-- Lets go of everything a lost worker held. The caller puts these runs into the queue in the same transaction.
create function quorate.release_lost_worker(p_worker uuid) returns table (run_id uuid, workspace_id uuid)
language plpgsql security definer set search_path = '' as $$
declare v_renewed timestamptz;
begin
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

revoke all on function quorate.lease_length(), quorate.lock_grace(), quorate.worker_lock(uuid), quorate.renew_lease(uuid),
  quorate.claim_run(uuid,uuid,uuid), quorate.list_claimed_runs(uuid), quorate.list_stalled_runs(), quorate.list_lost_workers(uuid),
  quorate.release_lost_worker(uuid) from public;
grant execute on function quorate.worker_lock(uuid), quorate.renew_lease(uuid), quorate.list_lost_workers(uuid),
  quorate.release_lost_worker(uuid) to quorate_app;
grant execute on function quorate.worker_lock(uuid), quorate.claim_run(uuid,uuid,uuid), quorate.list_claimed_runs(uuid),
  quorate.list_stalled_runs() to quorate_worker;

-- Limits of how many runs a workspace and a workflow drive at once. A run that is being driven holds a place, and so does one that was
-- just granted one. The status of runs is the account: a worker that dies takes no place along, its runs keep theirs until they end.

-- Whoever gives out places of a workspace holds this lock until the commit.
create function quorate.places_lock(p_workspace uuid) returns bigint language sql immutable parallel safe
  as $$ select pg_catalog.hashtextextended('places:' || p_workspace::text, 0) $$;

-- How many runs the settings of a workspace let be driven at once, within the ceiling of the instance. Null: any number.
create function quorate.runs_at_once(p_settings jsonb, p_ceiling int) returns int language sql immutable parallel safe as $$
  select least(case when p_settings #>> '{limits,runsAtOnce}' ~ '^[1-9][0-9]{0,4}$' then (p_settings #>> '{limits,runsAtOnce}')::int end,
    p_ceiling)
$$;

-- The places taken in a workspace, or by one of its workflows.
create function quorate.places_taken(p_workspace uuid, p_artifact uuid) returns int
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select count(*) from quorate.runs r where r.workspace_id = p_workspace and r.status = 'processing'
      and (p_artifact is null or r.artifact_id = p_artifact))
    + (select count(*) from quorate.runs r where r.workspace_id = p_workspace and r.place = 'granted' and r.status in ('pending', 'waiting')
      and (p_artifact is null or r.artifact_id = p_artifact));
end $$;

-- Grants free places to the runs that wait longest for one and whose workflow has room. The caller holds the lock, and queues these runs.
create function quorate.grant_places(p_workspace uuid, p_ceiling int) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare v_limit int; v_left int; v_next uuid; v_granted uuid[] := '{}';
begin
  if not exists (select from quorate.runs r where r.workspace_id = p_workspace and r.place in ('workspace', 'workflow')) then
    return v_granted;
  end if;
  select quorate.runs_at_once(w.settings, p_ceiling) into v_limit from quorate.workspaces w where w.id = p_workspace;
  v_left := least(coalesce(v_limit - quorate.places_taken(p_workspace, null), 500), 500);
  while v_left > 0 loop
    -- the first of each workflow, by steps through the index: thousands of one workflow are not walked for the others
    with recursive first as (
      (select r.artifact_id, r.id from quorate.runs r where r.workspace_id = p_workspace and r.place in ('workspace', 'workflow')
        order by r.artifact_id, r.id limit 1)
      union all
      select n.artifact_id, n.id from first f cross join lateral (
        select r.artifact_id, r.id from quorate.runs r where r.workspace_id = p_workspace and r.place in ('workspace', 'workflow')
          and r.artifact_id > f.artifact_id order by r.artifact_id, r.id limit 1) n)
    select f.id into v_next from first f join quorate.artifacts a on a.id = f.artifact_id
      where a.runs_at_once is null or a.runs_at_once > quorate.places_taken(p_workspace, f.artifact_id) order by f.id limit 1;
    exit when v_next is null;
    update quorate.runs r set place = 'granted', updated_at = clock_timestamp() where r.id = v_next;
    v_granted := v_granted || v_next;
    v_left := v_left - 1;
  end loop;
  return v_granted;
end $$;

-- Claims a run where its workspace and its workflow have a free place. Otherwise it waits for one (state 'full'), and whoever frees a
-- place queues it again. `granted`: runs that got a place here and that the caller queues; `limited`: the end of this run frees a place.
create function quorate.claim_run_within_limits(p_workspace uuid, p_run uuid, p_worker uuid, p_ceiling int)
returns table (a json, granted uuid[], limited boolean)
language plpgsql security definer set search_path = '' as $$
declare r record; v_limit int; v_place text; v_granted uuid[] := '{}'; v_limited boolean;
begin
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

-- After a run has let go of its place: the runs that got one, for the caller to queue.
create function quorate.free_place(p_workspace uuid, p_ceiling int) returns uuid[]
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from quorate.runs r where r.workspace_id = p_workspace and r.place in ('workspace', 'workflow')) then
    return '{}';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(quorate.places_lock(p_workspace));
  return quorate.grant_places(p_workspace, p_ceiling);
end $$;

-- The same for all workspaces, now and then: a limit was raised, or a worker died before it could say that a place was free.
create function quorate.free_places(p_ceiling int) returns table (run_id uuid, workspace_id uuid)
language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid;
begin
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

revoke all on function quorate.places_lock(uuid), quorate.runs_at_once(jsonb,integer), quorate.places_taken(uuid,uuid),
  quorate.grant_places(uuid,integer), quorate.claim_run_within_limits(uuid,uuid,uuid,integer), quorate.free_place(uuid,integer),
  quorate.free_places(integer) from public;
grant execute on function quorate.claim_run_within_limits(uuid,uuid,uuid,integer), quorate.free_place(uuid,integer),
  quorate.free_places(integer) to quorate_worker;

-- Waiting for runs across processes.

-- Which process has callers or pages that wait for a run, so that a worker in another process tells that one and no other. A row is no
-- data: it is lost with a crash of the database, and whoever waits looks every few seconds all the same.
create unlogged table quorate.watching (
  run_id uuid not null,
  process_id uuid not null,
  workspace_id uuid not null,
  until timestamptz not null,
  primary key (run_id, process_id)
);
create index watching_process on quorate.watching (process_id);
alter table quorate.watching enable row level security;

-- Registers what a process waits for. Whoever registers reads how the runs stand afterwards, in another statement: what changes once this
-- has committed is announced, what changed before is read. Nothing for a run that is not the named workspace's.
create function quorate.watch_runs(p_process uuid, p_workspaces uuid[], p_runs uuid[], p_seconds int) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  insert into quorate.watching as x (run_id, process_id, workspace_id, until)
  select r.id, p_process, r.workspace_id, clock_timestamp() + pg_catalog.make_interval(secs => p_seconds)
  from unnest(p_workspaces, p_runs) as w (workspace_id, run_id)
    join quorate.runs r on r.id = w.run_id and (r.workspace_id = w.workspace_id) is true
  on conflict (run_id, process_id) do update set until = excluded.until;
end $$;

-- Forgets runs that nobody of a process waits for any longer, and with them what ended processes have left. Null: everything of the
-- process.
create function quorate.unwatch_runs(p_process uuid, p_runs uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  delete from quorate.watching x where x.process_id = p_process and (p_runs is null or x.run_id = any (p_runs));
  delete from quorate.watching x where x.until < clock_timestamp();
end $$;

-- Tells the processes that wait for these runs what became of them. A transaction of its own, whose commit is not flushed: the lock under
-- which notifications are written would else queue every writer behind the disk.
create function quorate.announce_runs(p_runs uuid[], p_changes text[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_process uuid; v_payload text;
begin
  for v_process, v_payload in
    select x.process_id, pg_catalog.string_agg(x.run_id::text || ' ' || c.change, ',')
    from unnest(p_runs, p_changes) as c (run_id, change) join quorate.watching x on x.run_id = c.run_id
    where x.until > clock_timestamp() group by x.process_id
  loop
    perform pg_catalog.set_config('synchronous_commit', 'off', true);
    perform pg_catalog.pg_notify('quorate_process_' || v_process::text, v_payload);
  end loop;
end $$;

revoke all on function quorate.watch_runs(uuid,uuid[],uuid[],integer), quorate.unwatch_runs(uuid,uuid[]),
  quorate.announce_runs(uuid[],text[]) from public;
grant execute on function quorate.watch_runs(uuid,uuid[],uuid[],integer), quorate.unwatch_runs(uuid,uuid[]),
  quorate.announce_runs(uuid[],text[]) to quorate_worker;

-- Approvals: questions to people, their votes, and the release of a halt.

create table quorate.approvals (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid,
  step_path text not null,
  title text not null,
  subject quorate.ordered_json not null, -- exactly what the digest covers
  action_digest text not null,
  reason jsonb not null, -- why it stopped: { key, values }
  risk text not null check (risk in ('low', 'medium', 'high')),
  role text not null default 'approver',
  quorum int not null default 1 check (quorum between 1 and 9),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'expired', 'withdrawn', 'consumed')),
  requested_by uuid not null,
  version_author_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  decided_at timestamptz,
  consumed_at timestamptz,
  consumed_key text,
  subject_kind text not null default 'step', -- idempotency key of the one step that it released
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade,
  check (subject_kind in ('step', 'outcome', 'release')),
  check ((subject_kind = 'release') = (run_id is null))
);
create unique index approvals_one_open on quorate.approvals (run_id, step_path, action_digest) where status in ('pending', 'approved');
create index approvals_inbox on quorate.approvals (workspace_id, status, due_at);
create index approvals_run on quorate.approvals (run_id);
create index approvals_overdue on quorate.approvals (due_at) where status in ('pending', 'approved');
create unique index approvals_one_release on quorate.approvals (workspace_id)
  where subject_kind = 'release' and status in ('pending', 'approved');
-- What is closed stands newest first, what is open by its time (approvals_inbox).
create index approvals_closed on quorate.approvals (workspace_id, created_at desc, id desc) where status <> 'pending';
create index approvals_status on quorate.approvals (workspace_id, status, created_at desc, id desc);
create index approvals_requester on quorate.approvals (workspace_id, requested_by, created_at desc, id desc);
alter table quorate.approvals add unique (workspace_id, id);
alter table quorate.approvals enable row level security;

create table quorate.approval_votes (
  workspace_id uuid not null,
  approval_id uuid not null,
  user_id uuid not null,
  voter_name text not null,
  vote text not null,
  reason text not null default '' check (length(reason) <= 2000),
  action_digest text not null,
  reauthenticated boolean not null,
  voted_at timestamptz not null default clock_timestamp(),
  primary key (approval_id, user_id),
  foreign key (workspace_id, approval_id) references quorate.approvals (workspace_id, id) on delete cascade,
  -- Of an outcome: done, the call took effect; again, it did not, so it is made again; reject, the step fails.
  check (vote in ('approve', 'reject', 'done', 'again'))
);
alter table quorate.approval_votes enable row level security;

-- Why this person may not decide, as the SQLSTATE that a vote would end with; null: they may. Digest and re-authentication come with the
-- vote.
create function quorate.approval_refusal(a quorate.approvals, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_roles text[];
begin
  if quorate.current_key_id() is not null then return 'QV003'; end if;
  if a.status not in ('pending') then return 'QV008'; end if;
  if a.due_at <= pg_catalog.clock_timestamp() then return 'QV009'; end if;
  if a.requested_by = p_user then return 'QV004'; end if;
  if exists (select from quorate.runs r where r.id = a.run_id and r.initiator_id = p_user) then return 'QV006'; end if;
  if a.version_author_id = p_user then return 'QV005'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = p_user;
  -- both: the roles as they stand now, and those with which this transaction came in
  if v_roles is null or not a.role = any (v_roles) or not quorate.has_role(a.role) then return 'QV002'; end if;
  if exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = p_user) then return 'QV010'; end if;
  return null;
end $$;

-- The same for who asks, so that a screen says it before somebody writes a reason.
create function quorate.my_approval_refusal(p_approval uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.approval_refusal(a, quorate.current_user_id()) from quorate.approvals a
    where a.id = p_approval and a.workspace_id = quorate.current_workspace_id()
$$;

-- One person's vote. Answers the approval's status afterwards: pending until the quorum is reached, approved, or rejected by the first who
-- rejects. An outcome is answered with 'done', 'again' or 'reject'.
create function quorate.vote_approval(p_approval uuid, p_vote text, p_reason text, p_digest text, p_reauthenticated boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  a quorate.approvals;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_status text;
begin
  if v_user is null or v_workspace is null then raise exception 'nobody votes' using errcode = 'QV001'; end if;
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = v_workspace;
  if a.id is null then raise exception 'no such approval' using errcode = 'QV001'; end if;
  -- a worker locks the run before its approval, who halts or asks the workspace: the other order here would be a deadlock
  if a.subject_kind = 'release' then perform from quorate.workspaces w where w.id = v_workspace for no key update;
  else perform from quorate.runs r where r.id = a.run_id for no key update;
  end if;
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = v_workspace for update;
  v_refusal := quorate.approval_refusal(a, v_user);
  if v_refusal is not null then raise exception 'this vote is not possible' using errcode = v_refusal; end if;
  if p_digest is distinct from a.action_digest then raise exception 'another action than the one shown' using errcode = 'QV007'; end if;
  if a.subject_kind = 'release' and not quorate.is_halt_of(v_workspace, a.subject) then raise exception 'another halt than the one shown'
    using errcode = 'QV007'; end if;
  if a.risk = 'high' and p_reauthenticated is not true then raise exception 'the risk is high: authenticate again'
    using errcode = 'QV011'; end if;
  if coalesce(p_vote, '') <> all (case a.subject_kind when 'outcome' then
    array['done', 'again', 'reject'] else array['approve', 'reject'] end) or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  insert into quorate.approval_votes (workspace_id, approval_id, user_id, voter_name, vote, reason, action_digest, reauthenticated)
  select a.workspace_id, a.id, v_user, m.name, p_vote, coalesce(p_reason, ''), a.action_digest, coalesce(p_reauthenticated, false)
  from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = v_user;
  v_status := case
    when p_vote = 'reject' then 'rejected'
    when (select count(*) from quorate.approval_votes v where v.approval_id = a.id and v.vote <> 'reject') >= a.quorum then 'approved'
    else 'pending' end;
  if v_status = 'pending' then return v_status; end if;
  if a.subject_kind = 'release' and v_status = 'approved' then
    -- consumed by the one release that it allows, in this same transaction
    update quorate.approvals x
      set status = 'consumed', decided_at = pg_catalog.clock_timestamp(), consumed_at = pg_catalog.clock_timestamp(),
      consumed_key = 'release' where x.id = a.id;
    update quorate.workspaces w set halted_at = null, halted_by = null, halt_reason = null where w.id = v_workspace;
    return v_status;
  end if;
  update quorate.approvals x set status = v_status, decided_at = pg_catalog.clock_timestamp() where x.id = a.id;
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
  return v_status;
end $$;

-- Who asked takes the question back: who started the run, or who asked for the release.
create function quorate.withdraw_approval(p_approval uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_user uuid := quorate.current_user_id(); v_asker uuid;
begin
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = quorate.current_workspace_id();
  if a.id is null then raise exception 'no such approval' using errcode = 'QV001'; end if;
  if a.subject_kind = 'release' then v_asker := a.requested_by;
  else select r.initiator_id into v_asker from quorate.runs r where r.id = a.run_id for no key update;
  end if;
  select * into a from quorate.approvals x where x.id = p_approval for update;
  if v_user is null or v_asker is distinct from v_user then raise exception 'only who asked withdraws' using errcode = 'QV013'; end if;
  if a.status <> 'pending' then raise exception 'the approval is closed' using errcode = 'QV008'; end if;
  update quorate.approvals x set status = 'withdrawn', decided_at = pg_catalog.clock_timestamp() where x.id = a.id;
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
end $$;

-- Expiry: a run's own walk closes what is late; this finds what nobody walks past.
create function quorate.list_overdue_approvals(p_limit int) returns table (approval_id uuid, run_id uuid, workspace_id uuid)
language sql stable security definer set search_path = '' as $$
  select a.id, a.run_id, a.workspace_id from quorate.approvals a
    where a.status in ('pending', 'approved') and a.due_at <= pg_catalog.clock_timestamp() order by a.due_at limit least(p_limit, 1000)
$$;

-- Answers false when somebody was quicker. One a transaction: each has an audit event of its own.
create function quorate.expire_approval(p_workspace uuid, p_approval uuid, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals;
begin
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

-- Approvers other than the one who asks: who could decide on a release.
create function quorate.count_other_approvers() returns int language sql stable security definer set search_path = '' as $$
  select count(*)::int from quorate.members m
    where m.workspace_id = quorate.current_workspace_id() and 'approver' = any (m.roles) and m.user_id <> quorate.current_user_id()
$$;

-- Nobody lifts or rewrites a halt past the approval, by whatever path; a key never lifts one.
create function quorate.guard_release() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and old.halted_at is not null
    and row(new.halted_at, new.halted_by, new.halt_reason) is distinct from row(old.halted_at, old.halted_by, old.halt_reason)
    and (new.halted_at is not null or quorate.current_key_id() is not null or quorate.count_other_approvers() > 0) then
    raise exception 'a halt is lifted by another person''s approval' using errcode = 'QP005';
  end if;
  return new;
end $$;

-- What asked for the release of a halt that is over has nothing to decide any more.
create function quorate.close_release_requests() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.approvals a set status = 'withdrawn', decided_at = pg_catalog.clock_timestamp()
    where a.workspace_id = new.id and a.subject_kind = 'release' and a.status = 'pending';
  return null;
end $$;

-- The halt that a subject speaks of, as it stands now. Moments leave the database in milliseconds.
create function quorate.is_halt_of(p_workspace uuid, p_subject json) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.workspaces w where w.id = p_workspace and w.id::text = p_subject ->> 'workspaceId'
    and pg_catalog.date_trunc('milliseconds', w.halted_at) = (p_subject ->> 'haltedAt')::timestamptz)
$$;

-- An administrator asks for the release of the halt as it stands. One question at a time.
create function quorate.request_release(p_approval uuid, p_title text, p_subject json, p_digest text, p_reason jsonb, p_due timestamptz)
returns void language plpgsql security definer set search_path = '' as $$
declare v_user uuid := quorate.current_user_id(); v_workspace uuid := quorate.current_workspace_id();
begin
  if v_user is null or v_workspace is null or not quorate.has_role('admin') or quorate.current_key_id() is not null then
    raise exception 'only an administrator asks for a release' using errcode = 'QP005';
  end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  if p_subject ->> 'kind' is distinct from 'release' or not quorate.is_halt_of(v_workspace, p_subject) then
    raise exception 'the workspace is not halted so' using errcode = 'QP006';
  end if;
  if exists (select from quorate.approvals a where a.workspace_id = v_workspace and a.subject_kind = 'release'
    and a.status in ('pending', 'approved')) then
    raise exception 'a release is asked for already' using errcode = 'QP006';
  end if;
  insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by,
    version_author_id, due_at, subject_kind)
  values (p_approval, v_workspace, null, '', p_title, p_subject, p_digest, p_reason, 'high', v_user, v_user, p_due, 'release');
end $$;

create constraint trigger audited after insert or update or delete on quorate.approval_votes
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.approvals deferrable initially deferred for each row
  when (new.status is distinct from old.status and new.status <> 'consumed') execute function quorate.require_audit_event();
create trigger guard_release before update on quorate.workspaces for each row execute function quorate.guard_release();
create trigger close_release_requests after update on quorate.workspaces for each row
  when (old.halted_at is not null and new.halted_at is null) execute function quorate.close_release_requests();
create trigger immutable before update on quorate.approval_votes for each row
  when ((pg_catalog.to_jsonb(new) - 'voter_name') is distinct from (pg_catalog.to_jsonb(old) - 'voter_name')
    or new.voter_name <> '') execute function quorate.refuse_change();

create policy worker_reads on quorate.approvals for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_approvals on quorate.approvals for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or requested_by = (select quorate.current_user_id())));
create policy key_reads on quorate.approvals as restrictive for select to quorate_member using ((select quorate.key_may('approvals:read')));

create policy worker_reads on quorate.approval_votes for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy read_votes on quorate.approval_votes for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.approvals a where a.id = approval_id)));
create policy key_reads on quorate.approval_votes as restrictive for select to quorate_member
  using ((select quorate.key_may('approvals:read')));

grant select on quorate.approvals to quorate_member;
grant select on quorate.approvals to quorate_worker;
grant select on quorate.approval_votes to quorate_member;
grant select on quorate.approval_votes to quorate_worker;
revoke all on function quorate.approval_refusal(quorate.approvals,uuid), quorate.my_approval_refusal(uuid),
  quorate.vote_approval(uuid,text,text,text,boolean), quorate.withdraw_approval(uuid), quorate.list_overdue_approvals(integer),
  quorate.expire_approval(uuid,uuid,uuid), quorate.count_other_approvers(), quorate.guard_release(), quorate.close_release_requests(),
  quorate.is_halt_of(uuid,json), quorate.request_release(uuid,text,json,text,jsonb,timestamp with time zone) from public;
grant execute on function quorate.list_overdue_approvals(integer) to quorate_app;
grant execute on function quorate.my_approval_refusal(uuid), quorate.vote_approval(uuid,text,text,text,boolean),
  quorate.withdraw_approval(uuid), quorate.count_other_approvers(),
  quorate.request_release(uuid,text,json,text,jsonb,timestamp with time zone) to quorate_member;
grant execute on function quorate.list_overdue_approvals(integer), quorate.expire_approval(uuid,uuid,uuid) to quorate_worker;

-- The shipped policies, and what policies came to.

-- The shipped policies, in force from a workspace's first moment. Their author is the product: the nil id. An approval stands before what
-- leaves or pays, not before a check or a redaction inside this instance.
create function quorate.shipped_policies() returns table (name text, description text, tag text, body text)
language sql immutable set search_path = '' as $$
  values
  ('Personal data stays', 'Personal data must not leave to a connection that is not approved for personal data.', 'personal-data-stays',
$policy$// Personal data stays with connections that somebody approved for it.
// What is built into this instance sends nothing anywhere.
@id("personal_data_leaves")
@verdict("deny")
@reason("policyPersonalDataLeaves")
forbid(principal, action, resource)
when { !context.personalData.isEmpty() }
unless { resource.connection.personalDataAllowed || resource.connection.builtin };
$policy$),
  ('High risk needs an approver', 'After a high-risk finding, a named approver decides before anything leaves this instance.',
    'high-risk-needs-an-approver',
$policy$// After a high-risk finding a named person decides on every call that leaves this instance.
// What is built into it checks, redacts and computes: it pays nobody and sends nothing anywhere.
@id("high_risk_finding")
@verdict("require_approval")
@reason("policyHighRiskNeedsApprover")
forbid(principal, action, resource)
when { context.risk == "high" }
unless { resource.connection.builtin };
$policy$),
  ('Only approved definitions', 'A tool whose definition changed, or was never approved, may not be called.', 'only-approved-definitions',
$policy$// A tool or an agent's skill is called only as it was approved.
@id("definition_approved")
@verdict("deny")
@reason("policyCapabilityNotApproved")
forbid(principal, action, resource)
unless { resource.state == "approved" };
$policy$)
$$;

create function quorate.put_shipped_policies_in_force() returns trigger language plpgsql security definer set search_path = '' as $$
declare p record; v_artifact uuid; v_version uuid; v_nobody constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  for p in select * from quorate.shipped_policies() loop
    v_artifact := quorate.make_id();
    v_version := quorate.make_id();
    insert into quorate.artifacts (id, workspace_id, kind, name, description, owner_id, tags, status)
      values (v_artifact, new.id, 'policy', p.name, p.description, v_nobody, array['shipped', p.tag], 'inactive');
    -- the hash is over the canonical JSON (RFC 8785) of the document: keys in order, strings as JSON escapes them
    insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id)
    values (v_version, new.id, v_artifact, 1, pg_catalog.jsonb_build_object('format', 'quorate.policy/1', 'text', p.body),
      pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to('{"format":"quorate.policy/1","text":' ||
        pg_catalog.to_json(p.body)::text || '}', 'UTF8')), 'hex'), v_nobody);
    update quorate.artifacts x set status = 'active', published_version_id = v_version where x.id = v_artifact;
  end loop;
  return null;
end $$;

-- Numbers alone, so that everybody who may read a policy reads the same ones.
create function quorate.count_violations(p_since timestamptz) returns int
language sql stable security definer set search_path = '' as $$
  select count(*)::int from quorate.decisions d
  where d.workspace_id = quorate.current_workspace_id() and d.decided_at >= p_since and d.verdict in ('warn', 'deny')
    and (d.verdict <> 'allow' or d.rules <> '[]'::jsonb)
$$;

create function quorate.count_policy_decisions(p_since timestamptz) returns table (policy_id text, decisions int)
language sql stable security definer set search_path = '' as $$
  select rule ->> 'policyId', count(distinct d.id)::int
    from quorate.decisions d cross join lateral pg_catalog.jsonb_array_elements(d.rules) rule
  where d.workspace_id = quorate.current_workspace_id() and d.decided_at >= p_since and (d.verdict <> 'allow' or d.rules <> '[]'::jsonb)
    group by 1
$$;

create trigger put_shipped_policies_in_force after insert
  on quorate.workspaces for each row execute function quorate.put_shipped_policies_in_force();

revoke all on function quorate.shipped_policies(), quorate.put_shipped_policies_in_force(),
  quorate.count_violations(timestamp with time zone), quorate.count_policy_decisions(timestamp with time zone) from public;
grant execute on function quorate.count_violations(timestamp with time zone),
  quorate.count_policy_decisions(timestamp with time zone) to quorate_member;

-- What people are told.

create table quorate.notifications (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null,
  kind text not null,
  subject jsonb not null default '{}',
  created_at timestamptz not null default now(),
  read_at timestamptz,
  -- `once`: the same thing is told to a person once. `queued_at`: mails and webhooks of it have been queued.
  once text,
  queued_at timestamptz
);
create unique index notifications_once on quorate.notifications (once, user_id) where once is not null;
create index notifications_unread on quorate.notifications (user_id, workspace_id) where read_at is null;
create index notifications_unqueued on quorate.notifications (created_at) where queued_at is null;
create index notifications_kind on quorate.notifications (user_id, workspace_id, kind, created_at desc);
create index notifications_inbox on quorate.notifications (user_id, workspace_id, created_at desc, id desc);
alter table quorate.notifications enable row level security;

-- Tells the members among the people given. A kind that somebody does not want in the page comes as read already.
create function quorate.notify(p_workspace uuid, p_users uuid[], p_kind text, p_key text, p_values jsonb, p_about jsonb, p_once text)
  returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.notifications as n (id, workspace_id, user_id, kind, subject, once, read_at)
  select quorate.make_id(), p_workspace, m.user_id, p_kind,
    pg_catalog.jsonb_build_object('key', p_key, 'values', p_values, 'about', p_about), p_once,
    case when p.settings #>> array['notifications', p_kind, 'page'] = 'false' then pg_catalog.clock_timestamp() end
  from quorate.members m left join quorate.preferences p on p.user_id = m.user_id
  where m.workspace_id = p_workspace and m.user_id = any (p_users)
  on conflict (once, user_id) where once is not null do update
    set subject = pg_catalog.jsonb_set(n.subject, '{values,count}', pg_catalog.to_jsonb((n.subject #>> '{values,count}')::int + 1))
      where n.subject #> '{values,count}' is not null;
end $$;

create function quorate.members_with(p_workspace uuid, variadic p_roles text[]) returns uuid[]
  language sql stable security definer set search_path = '' as $$
  select coalesce(pg_catalog.array_agg(m.user_id), '{}') from quorate.members m where m.workspace_id = p_workspace and m.roles && p_roles
$$;

-- An approval waits: whoever may decide it is told.
create function quorate.notify_approvers() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_asker text;
begin
  select m.name into v_asker from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.requested_by;
  perform quorate.notify(new.workspace_id,
    pg_catalog.array_remove(pg_catalog.array_remove(quorate.members_with(new.workspace_id, new.role), new.requested_by),
    new.version_author_id),
    'approval', 'notifyApprovalWaiting', pg_catalog.jsonb_build_object('title', new.title, 'name', coalesce(v_asker, '–')),
    pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id), 'approval:' || new.id);
  return null;
end $$;

-- It is decided: who asked. For all others nothing waits any more.
create function quorate.notify_decision() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = 'approval:' || new.id and n.read_at is null;
  if new.status in ('approved', 'rejected', 'expired') then
    perform quorate.notify(new.workspace_id, array[new.requested_by], 'approval',
      case new.status when 'approved' then 'notifyApprovalApproved' when 'rejected' then
        'notifyApprovalRejected' else 'notifyApprovalExpired' end,
      pg_catalog.jsonb_build_object('title', new.title), pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id), 'approval-' ||
        new.status || ':' || new.id);
  end if;
  return null;
end $$;

-- A live run failed: who started it, and the workflow's owner as far as they may see the run.
create function quorate.notify_failure() returns trigger language plpgsql security definer set search_path = '' as $$
declare a quorate.artifacts;
begin
  select * into a from quorate.artifacts x where x.id = new.artifact_id;
  perform quorate.notify(new.workspace_id,
    array[new.initiator_id] ||
      coalesce((select pg_catalog.array_agg(m.user_id) from quorate.members m
      where m.workspace_id = new.workspace_id and m.user_id = a.owner_id and m.roles && array['builder', 'approver', 'auditor', 'admin']),
      '{}'),
    'failure', 'notifyRunFailed', pg_catalog.jsonb_build_object('workflow', coalesce(a.name, '–')),
      pg_catalog.jsonb_build_object('kind', 'run', 'id', new.id), 'run-failed:' || new.id);
  return null;
end $$;

-- An approved tool says something else of itself: whoever may approve it again, who builds with it, and who connected it. One check, one
-- message.
create function quorate.notify_changed_tool() returns trigger language plpgsql security definer set search_path = '' as $$
declare c quorate.connections;
begin
  select * into c from quorate.connections x where x.id = new.connection_id;
  perform quorate.notify(new.workspace_id, quorate.members_with(new.workspace_id, 'approver', 'admin', 'builder') || c.owner_id,
    'changed_tool', 'notifyToolsChanged',
    pg_catalog.jsonb_build_object('capability', coalesce(nullif(new.title, ''), new.name), 'connection', c.name, 'count', 1),
    pg_catalog.jsonb_build_object('kind', case c.kind when 'a2a' then 'agent' else 'plugin' end, 'id', c.id), 'changed:' || c.id || ':' ||
      pg_catalog.pg_current_xact_id());
  return null;
end $$;

-- An invitation was answered, or its time is over: who invited, or the admins where they have left.
create function quorate.notify_invitation(i quorate.invitations, p_outcome text) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.notify(i.workspace_id,
    case when exists (select from quorate.members m
      where m.workspace_id = i.workspace_id and m.user_id = i.invited_by and 'admin' = any (m.roles)) then
      array[i.invited_by] else quorate.members_with(i.workspace_id, 'admin') end,
    'invitation', case p_outcome when 'accepted' then 'notifyInvitationAccepted' when 'declined' then
      'notifyInvitationDeclined' else 'notifyInvitationExpired' end,
    pg_catalog.jsonb_build_object('email', i.email), pg_catalog.jsonb_build_object('kind', 'members', 'id', i.id), 'invitation-' ||
      p_outcome || ':' || i.id);
end $$;

create function quorate.notify_answer() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.notify_invitation(new, case when new.accepted_at is not null then 'accepted' else 'declined' end);
  return null;
end $$;

-- Time passes without an event: asked now and then. Answers how many were told.
create function quorate.notify_expired_invitations() returns int language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_told int := 0;
begin
  for i in select * from quorate.invitations x
    where x.accepted_at is null and x.declined_at is null and x.withdrawn_at is null and x.expires_at <= now()
    and x.expires_at > now() - interval '30 days'
    and not exists (select from quorate.notifications n where n.once = 'invitation-expired:' || x.id) order by x.expires_at limit 200 loop
    perform quorate.notify_invitation(i, 'expired');
    v_told := v_told + 1;
  end loop;
  return v_told;
end $$;

-- 80 and 100 percent of a month's executions: the admins, once a month each. Counts by itself, no further than the limit.
create function quorate.notify_quota(p_limit int) returns void language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.current_workspace_id(); v_month timestamptz := pg_catalog.date_trunc('month', now(), 'UTC'); v_used int;
  v_level int;
begin
  if v_workspace is null or p_limit is null or p_limit < 1 then return; end if;
  v_used := quorate.count_live_runs(v_workspace, v_month, p_limit);
  v_level := case when v_used >= p_limit then 100 when v_used >= p_limit * 0.8 then 80 end;
  if v_level is null then return; end if;
  perform quorate.notify(v_workspace, quorate.members_with(v_workspace, 'admin'), 'quota', case v_level when 100 then
    'notifyQuotaReached' else 'notifyQuotaNear' end,
    pg_catalog.jsonb_build_object('used', v_used, 'limit', p_limit), pg_catalog.jsonb_build_object('kind', 'runs', 'id', v_workspace),
    'quota-' || v_level || ':' || v_workspace || ':' || pg_catalog.to_char(v_month, 'YYYY-MM'));
end $$;

-- Roles that wait for a second person's agreement: whoever can agree is told, and who asked what became of it.
create function quorate.notify_role_request() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_name text; v_asker text; v_about jsonb := pg_catalog.jsonb_build_object('kind', 'members', 'id', new.id);
  v_once text := 'roles:' || new.id;
begin
  select m.name into v_name from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.user_id;
  select m.name into v_asker from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.requested_by;
  if tg_op = 'INSERT' then
    perform quorate.notify(new.workspace_id,
      pg_catalog.array_remove(pg_catalog.array_remove(quorate.members_with(new.workspace_id, 'admin', 'approver'), new.requested_by),
        new.user_id),
      'approval', 'notifyRolesWaiting', pg_catalog.jsonb_build_object('name', coalesce(v_name, '–'), 'asker', coalesce(v_asker, '–')),
        v_about, v_once);
    return null;
  end if;
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = v_once and n.read_at is null;
  if new.outcome <> 'withdrawn' then
    perform quorate.notify(new.workspace_id, array[new.requested_by], 'approval', case new.outcome when 'granted' then
      'notifyRolesGranted' else 'notifyRolesRefused' end,
      pg_catalog.jsonb_build_object('name', coalesce(v_name, '–')), v_about, v_once || ':' || new.outcome);
  end if;
  return null;
end $$;

-- Out of the page: the web server, which has the words, takes what is new and queues mails and webhooks in one transaction.
create function quorate.claim_notifications(p_limit int)
returns table (id uuid, workspace_id uuid, workspace_name text, user_id uuid, email text, kind text, subject jsonb, settings jsonb)
language sql security definer set search_path = '' as $$
  update quorate.notifications n set queued_at = pg_catalog.clock_timestamp()
  from quorate.notifications x
  join quorate.members m on m.workspace_id = x.workspace_id and m.user_id = x.user_id
  join quorate.workspaces w on w.id = x.workspace_id
  left join quorate.preferences p on p.user_id = x.user_id
  where n.id = x.id and x.id in (select y.id from quorate.notifications y
    where y.queued_at is null order by y.created_at limit p_limit for update skip locked)
  returning n.id, n.workspace_id, w.name, n.user_id, m.email, n.kind, n.subject, coalesce(p.settings, '{}')
$$;

-- A mark that changes whenever something of a person's inbox, or of what waits for decisions, does.
create function quorate.list_inbox_marks(p_workspaces uuid[], p_users uuid[]) returns table (user_id uuid, workspace_id uuid, mark text)
  language sql stable security definer set search_path = '' as $$
  select w.user_id, w.workspace_id,
    coalesce((select n.created_at || ' ' || n.id from quorate.notifications n
      where n.user_id = w.user_id and n.workspace_id = w.workspace_id order by n.created_at desc limit 1), '')
    || ' ' || (select count(*)
      from (select from quorate.notifications n
      where n.user_id = w.user_id and n.workspace_id = w.workspace_id and n.read_at is null limit 100) u)
    || ' ' || (select count(*)
      from (select from quorate.approvals a where a.workspace_id = w.workspace_id and a.status = 'pending' limit 100) a)
  from unnest(p_workspaces, p_users) as w (workspace_id, user_id)
$$;

create trigger notify_approvers after insert on quorate.approvals for each row execute function quorate.notify_approvers();
create trigger notify_decision after update of status on quorate.approvals for each row
  when (old.status = 'pending' and new.status <> 'pending') execute function quorate.notify_decision();
create trigger notify_failure after update of status on quorate.runs for each row
  when (new.status = 'failed' and old.status <> 'failed' and new.mode = 'live') execute function quorate.notify_failure();
create trigger notify_changed_tool after update of fingerprint on quorate.capabilities for each row
  when (new.fingerprint is distinct from old.fingerprint
    and old.fingerprint = old.approved_fingerprint) execute function quorate.notify_changed_tool();
create trigger notify_answer after update of accepted_at, declined_at on quorate.invitations for each row
  when (old.accepted_at is null and old.declined_at is null
    and (new.accepted_at is not null or new.declined_at is not null)) execute function quorate.notify_answer();
create trigger notify_role_request after insert on quorate.role_requests for each row execute function quorate.notify_role_request();
create trigger notify_role_outcome after update of outcome on quorate.role_requests for each row
  when (old.outcome is null and new.outcome is not null) execute function quorate.notify_role_request();

create policy worker_reads on quorate.notifications for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy own on quorate.notifications for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()))
    with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()));
create policy key_reads on quorate.notifications as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.notifications as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.notifications as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.notifications as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant select on quorate.notifications to quorate_member;
grant select on quorate.notifications to quorate_worker;
grant update (read_at) on quorate.notifications to quorate_member;
revoke all on function quorate.notify(uuid,uuid[],text,text,jsonb,jsonb,text), quorate.members_with(uuid,text[]),
  quorate.notify_approvers(), quorate.notify_decision(), quorate.notify_failure(), quorate.notify_changed_tool(),
  quorate.notify_invitation(quorate.invitations,text), quorate.notify_answer(), quorate.notify_expired_invitations(),
  quorate.notify_quota(integer), quorate.notify_role_request(), quorate.claim_notifications(integer),
  quorate.list_inbox_marks(uuid[],uuid[]) from public;
grant execute on function quorate.notify_expired_invitations(), quorate.claim_notifications(integer) to quorate_app;
grant execute on function quorate.notify_quota(integer) to quorate_member;
grant execute on function quorate.list_inbox_marks(uuid[],uuid[]) to quorate_worker;

-- Mails and webhooks on their way out.

create table quorate.deliveries (
  id uuid primary key,
  workspace_id uuid references quorate.workspaces (id) on delete cascade,
  kind text not null check (kind in ('mail', 'webhook')),
  target text not null,
  subject text not null default '',
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'success', 'failed')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  -- A webhook of a person is signed with a secret of its own, sealed; without one the workspace's secret signs.
  sealed_secret bytea,
  secret_context text
);
create index deliveries_due on quorate.deliveries (next_attempt_at) where status = 'pending';
-- Webhooks alone, newest first, among any number of mails.
create index deliveries_webhooks on quorate.deliveries (workspace_id, created_at desc, id desc) where kind = 'webhook';
create index deliveries_workspace on quorate.deliveries (workspace_id, created_at desc, id desc);
alter table quorate.deliveries enable row level security;

create table quorate.caught_mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null default '',
  caught_at timestamptz not null default now()
);
create index caught_mails_newest on quorate.caught_mails (caught_at desc);
alter table quorate.caught_mails enable row level security;

create function quorate.queue_deliveries(p_deliveries jsonb) returns void language sql security definer set search_path = '' as $$
  insert into quorate.deliveries (id, workspace_id, kind, target, subject, body, sealed_secret, secret_context)
  select (d ->> 'id')::uuid, (d ->> 'workspaceId')::uuid, d ->> 'kind', d ->> 'target', d ->> 'subject', d ->> 'body',
    pg_catalog.decode(d ->> 'sealedSecret', 'base64'), d ->> 'secretContext'
  from pg_catalog.jsonb_array_elements(p_deliveries) d
$$;

-- Takes what is due for the length of a lease: whoever dies with it leaves it to the next.
create function quorate.claim_deliveries(p_limit int, p_lease interval)
returns table (id uuid, workspace_id uuid, kind text, target text, subject text, body text, attempts int, sealed_secret bytea,
  secret_context text, private_network jsonb)
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set attempts = d.attempts + 1, next_attempt_at = now() + p_lease
  where d.id in (select x.id from quorate.deliveries x where x.status = 'pending' and x.next_attempt_at <= now()
    order by x.next_attempt_at limit p_limit for update skip locked)
  returning d.id, d.workspace_id, d.kind, d.target, d.subject, d.body, d.attempts, d.sealed_secret, d.secret_context,
    (select w.private_network from quorate.workspaces w where w.id = d.workspace_id)
$$;

-- Closes an attempt: delivered, to be tried again at p_retry_at, or given up. Late answers of an attempt that lost its lease change
-- nothing. A webhook may be sent again, so it keeps what it says; a mail keeps no text.
create function quorate.settle_delivery(p_id uuid, p_attempt int, p_delivered boolean, p_error text, p_retry_at timestamptz) returns void
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set
    status = case when p_delivered then 'success' when p_retry_at is null then 'failed' else 'pending' end,
    body = case when d.kind = 'mail' and (p_delivered or p_retry_at is null) then '' else d.body end,
    last_error = p_error,
    next_attempt_at = coalesce(p_retry_at, d.next_attempt_at),
    delivered_at = case when p_delivered then clock_timestamp() end
  where d.id = p_id and d.attempts = p_attempt and d.status = 'pending'
$$;

-- Puts a webhook that has ended, or waits for its next attempt, at the front of the queue. Answers whether there was one.
create function quorate.resend_delivery(p_id uuid) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  if not quorate.has_role('builder', 'admin') or quorate.current_key_id() is not null then
    raise exception 'only a builder or an admin sends again' using errcode = 'QP005';
  end if;
  update quorate.deliveries d
    set status = 'pending', attempts = 0, next_attempt_at = clock_timestamp(), last_error = null, delivered_at = null
    where d.id = p_id and d.kind = 'webhook' and (d.workspace_id = quorate.current_workspace_id()) is true;
  return found;
end $$;

create function quorate.catch_mail(p_id uuid, p_recipient text, p_subject text, p_text text, p_html text) returns void
language sql security definer set search_path = '' as $$
  insert into quorate.caught_mails (id, recipient, subject, text_body, html_body) values (p_id, p_recipient, p_subject, p_text, p_html)
$$;

create function quorate.list_caught_mails(p_limit int) returns setof quorate.caught_mails
language sql stable security definer set search_path = '' as $$
  select * from quorate.caught_mails order by caught_at desc limit least(p_limit, 500)
$$;

create policy worker_reads on quorate.deliveries for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy admin_reads on quorate.deliveries for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin', 'auditor')));
create policy member_queues on quorate.deliveries for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and status = 'pending');
create policy worker_queues on quorate.deliveries for insert to quorate_worker
  with check (workspace_id = (select quorate.current_workspace_id()));
-- Who builds on webhooks sees how they arrive; mails stay with admins and auditors.
create policy builder_reads_webhooks on quorate.deliveries for select to quorate_member
  using (kind = 'webhook' and workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
create policy key_inserts on quorate.deliveries as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.deliveries as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.deliveries as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant insert on quorate.deliveries to quorate_member;
grant select, insert on quorate.deliveries to quorate_worker;
grant select (id, workspace_id, kind, target, subject, status, attempts, next_attempt_at, last_error, created_at,
  delivered_at) on quorate.deliveries to quorate_member;
revoke all on function quorate.queue_deliveries(jsonb), quorate.claim_deliveries(integer,interval),
  quorate.settle_delivery(uuid,integer,boolean,text,timestamp with time zone), quorate.resend_delivery(uuid),
  quorate.catch_mail(uuid,text,text,text,text), quorate.list_caught_mails(integer) from public;
grant execute on function quorate.queue_deliveries(jsonb), quorate.claim_deliveries(integer,interval),
  quorate.settle_delivery(uuid,integer,boolean,text,timestamp with time zone), quorate.catch_mail(uuid,text,text,text,text),
  quorate.list_caught_mails(integer) to quorate_app;
grant execute on function quorate.resend_delivery(uuid) to quorate_member;

-- Calls by programs.

-- Digest of the workflows in force, as programs see them: other whenever one is published, renamed, paused, resumed or deleted. Versions
-- never change, so that whoever keeps what they read by this digest never serves anything old. `limit` as in `listServedWorkflows`.
create function quorate.served_revision(p_workspace uuid) returns text
language sql stable security invoker set search_path = '' as $$
  select pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(coalesce(pg_catalog.string_agg(
      pg_catalog.jsonb_build_array(x.id, x.published_version_id, x.name, x.description)::text, ',' order by x.id), ''), 'UTF8')), 'hex')
  from (
    select a.id, a.published_version_id, a.name, a.description from quorate.artifacts a
    where a.workspace_id = p_workspace and a.kind = 'workflow' and a.status = 'active' and a.deleted_at is null
      and a.published_version_id is not null
    order by a.id limit 500
  ) x
$$;

-- Who calls by this key, and the seconds that the key has to wait for its pace: at most as many calls a minute as the workspace has chosen,
-- or `p_usual`, within `p_ceiling`. `revision` only where it is asked for and the key need not wait. Refuses as `become_key`. What is
-- written here need not outlive a crash, so that no call waits for the disk.
create function quorate.open_call(p_key_hash bytea, p_usual int, p_ceiling int, p_serves boolean) returns table (
  key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, slug text,
  roles text[], scopes text[], expires_at timestamptz, wait int, revision text
)
language plpgsql volatile security invoker set search_path = '' as $$
declare v_chosen jsonb; v_pace numeric := p_usual;
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true), pg_catalog.set_config('role', 'quorate_member', true);
  select k.key_id, k.key_name, k.user_id, k.user_name, k.workspace_id, k.workspace_name, k.roles, k.scopes, k.expires_at
  into key_id, key_name, user_id, user_name, workspace_id, workspace_name, roles, scopes, expires_at from quorate.become_key(p_key_hash) k;
  select w.slug, w.settings #> '{paces,keys}' into slug, v_chosen from quorate.workspaces w where w.id = open_call.workspace_id;
  if not found then raise exception 'unknown key' using errcode = 'QP003'; end if;
  if pg_catalog.jsonb_typeof(v_chosen) = 'number' then
    if v_chosen::numeric >= 1 and v_chosen::numeric = pg_catalog.trunc(v_chosen::numeric) then v_pace := v_chosen::numeric; end if;
  end if;
  perform pg_catalog.set_config('role', 'none', true);
  wait := quorate.take_limit('keyPace:' || pg_catalog.translate(pg_catalog.encode(pg_catalog.sha256(
    pg_catalog.convert_to(key_id::text, 'UTF8')), 'base64'), '+/=', '-_'), least(v_pace, p_ceiling)::int, 60);
  if p_serves and wait = 0 then
    perform pg_catalog.set_config('role', 'quorate_member', true);
    revision := quorate.served_revision(open_call.workspace_id);
  end if;
  return next;
end $$;

-- A run as the program with this key may see it, or no row. Refuses as `become_key`.
create function quorate.read_run_by_key(p_key_hash bytea, p_run uuid) returns table (
  id uuid, workflow_id uuid, workflow text, status text, mode text, input json, output json, error jsonb, request_key text,
  created_at timestamptz, updated_at timestamptz, finished_at timestamptz, asks boolean, approval_id uuid
)
language plpgsql volatile security invoker set search_path = '' as $$
declare v_workspace uuid;
begin
  perform pg_catalog.set_config('role', 'quorate_member', true);
  select k.workspace_id into v_workspace from quorate.become_key(p_key_hash) k;
  return query
    select r.id, r.artifact_id, a.name, r.status, r.mode, r.input::json, r.output::json, r.error, r.request_key, r.created_at, r.updated_at,
      r.finished_at, r.status = 'waiting' and exists (select from quorate.list_asking_runs(array[r.id])),
      case when r.status = 'waiting'
        then (select p.id from quorate.approvals p where p.run_id = r.id and p.status = 'pending' order by p.id limit 1) end
    from quorate.runs r join quorate.artifacts a on a.id = r.artifact_id
    where r.id = p_run and r.workspace_id = v_workspace;
end $$;

revoke all on function quorate.served_revision(uuid), quorate.open_call(bytea,integer,integer,boolean),
  quorate.read_run_by_key(bytea,uuid) from public;
grant execute on function quorate.open_call(bytea,integer,integer,boolean), quorate.read_run_by_key(bytea,uuid) to quorate_app;
grant execute on function quorate.served_revision(uuid) to quorate_member;

-- What strangers ask of the operator, and the health of the instance.

create table quorate.newsletter_subscribers (
email text primary key,
 language text not null,
 subscribed_at timestamptz not null default now(),
  -- The newsletter is asked for by somebody who is nobody yet: one verb, which stores an address once and never says whether it was there.
  sharing_refused boolean not null default false
);
alter table quorate.newsletter_subscribers enable row level security;

create table quorate.contact_requests (
id uuid primary key,
 name text not null,
 email text not null,
 company text not null default '',
 message text not null,
 topic text not null,
 created_at timestamptz not null default now(),
  -- Somebody who is nobody yet writes to the operator: one verb, which stores the same words of the same address once a day.
  language text not null default 'en',
  sharing_refused boolean not null default false,
  -- Requests to the operator are seen and answered. The operator's workspace is the instance's first one: whoever set the instance up made
  -- it, and its admins read what strangers write. They are told in their inbox, and by mail unless they do not want that.
  answered_at timestamptz,
  answered_by uuid references public.profiles (id) on delete set null
);
create index contact_requests_email_idx on quorate.contact_requests (lower(email), created_at);
create index contact_requests_newest on quorate.contact_requests (created_at desc, id desc);
create index contact_requests_open on quorate.contact_requests (created_at desc, id desc) where answered_at is null;
alter table quorate.contact_requests enable row level security;

create function quorate.operator_workspace_id() returns uuid language sql stable security definer set search_path = '' as $$
  select w.id from quorate.workspaces w order by w.created_at, w.id limit 1
$$;

create function quorate.runs_instance() returns boolean language sql stable security definer set search_path = '' as $$
  select quorate.current_key_id() is null and quorate.has_role('admin') and quorate.current_workspace_id() = quorate.operator_workspace_id()
$$;

create function quorate.subscribe_newsletter(p_email text, p_language text, p_sharing_refused boolean) returns void
language sql security definer set search_path = '' as $$
  insert into quorate.newsletter_subscribers as s (email, language, sharing_refused) values (lower(p_email), p_language, p_sharing_refused)
  -- A later refusal to share counts; a refusal is never taken back by a form that anybody may send for any address.
  on conflict (email) do update set sharing_refused = true where excluded.sharing_refused and not s.sharing_refused
$$;

create function quorate.request_contact(
  p_id uuid, p_topic text, p_name text, p_email text, p_company text, p_message text, p_language text, p_sharing_refused boolean
) returns boolean
language sql security definer set search_path = '' as $$
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

-- Says that somebody wrote and what about, nothing of what they typed.
create function quorate.notify_contact() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.operator_workspace_id();
begin
  if v_workspace is null then return null; end if;
  perform quorate.notify(v_workspace, quorate.members_with(v_workspace, 'admin'), 'contact', 'notifyContactRequest', '{}',
    pg_catalog.jsonb_build_object('kind', 'contact', 'id', new.id), 'contact:' || new.id);
  return null;
end $$;

-- What a workspace's work depends on, in numbers alone: every member reads the same ones, whatever runs they may see.
create function quorate.read_health() returns table (
  measured_at timestamptz, queued int, queued_since timestamptz, connections int, failed_checks int, checked_at timestamptz,
  unplaced_since timestamptz, checkpoint_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select pg_catalog.clock_timestamp(), q.n, q.since, c.n, c.failed, c.checked,
    (select e.at from quorate.audit_events e where e.workspace_id = w.id and e.leaf_index is null order by e.at, e.id limit 1),
    (select p.signed_at from quorate.checkpoints p where p.workspace_id = w.id order by p.size desc limit 1)
  from (select quorate.current_workspace_id() as id) w
  -- ready to go on, and nobody drives it
  cross join lateral (select count(*)::int as n, min(case when r.status = 'pending' then r.created_at else r.updated_at end) as since
    from quorate.runs r where r.workspace_id = w.id and r.status in ('pending', 'waiting') and (r.status = 'pending' or r.wake)) q
  cross join lateral (select count(*)::int as n, (count(*) filter (where x.status = 'error'))::int as failed,
    min(x.last_check_at) as checked
    from quorate.connections x where x.workspace_id = w.id and x.deleted_at is null and x.status <> 'disconnected') c
$$;

-- What the status of a control is computed from, in numbers alone: every member reads the same ones.
create function quorate.read_control_figures(p_since timestamptz)
returns table (members int, approvers int, approvers_apart int, admins int, decisions boolean, first_event_at timestamptz,
  unplaced_since timestamptz,
  checkpoint_at timestamptz, checkpoint_sent_at timestamptz, halted_at timestamptz, connections int, unchecked int, failing int,
  changed_definitions int, endless_keys int, decided_approvals int, expired_approvals int)
language sql stable security definer set search_path = '' as $$
  select m.n, m.approvers, m.apart, m.admins,
    exists (select from quorate.decisions d where d.workspace_id = w.id and d.decided_at >= p_since),
    (select e.at from quorate.audit_events e where e.workspace_id = w.id order by e.at limit 1),
    (select e.at from quorate.audit_events e where e.workspace_id = w.id and e.leaf_index is null order by e.at, e.id limit 1),
    (select p.signed_at from quorate.checkpoints p where p.workspace_id = w.id order by p.size desc limit 1),
    (select p.delivered_at from quorate.checkpoints p
      where p.workspace_id = w.id and p.delivered_at is not null order by p.size desc limit 1),
    (select e.at from quorate.audit_events e where e.workspace_id = w.id and e.action = 'workspace.halted' order by e.at desc limit 1),
    c.n, c.unchecked, c.failing,
    (select count(*)::int from quorate.capabilities y join quorate.connections x on x.id = y.connection_id and x.deleted_at is null
      where y.workspace_id = w.id and y.removed_at is null and y.approved_fingerprint is not null
        and y.approved_fingerprint <> y.fingerprint),
    (select count(*)::int from quorate.api_keys k where k.workspace_id = w.id and k.revoked_at is null and k.expires_at is null),
    a.decided, a.expired
  from (select quorate.current_workspace_id() as id) w
  cross join lateral (select count(*)::int as n, (count(*) filter (where 'approver' = any (x.roles)))::int as approvers,
      (count(*) filter (where 'approver' = any (x.roles) and not 'builder' = any (x.roles)))::int as apart,
        (count(*) filter (where 'admin' = any (x.roles)))::int as admins
    from quorate.members x where x.workspace_id = w.id) m
  cross join lateral (select count(*)::int as n,
    (count(*) filter (where x.last_check_at is null or x.last_check_at < p_since))::int as unchecked,
    (count(*) filter (where x.status = 'error'))::int as failing
    from quorate.connections x where x.workspace_id = w.id and x.deleted_at is null and x.status <> 'disconnected') c
  cross join lateral (select (count(*) filter (where x.status in ('approved', 'consumed', 'rejected')))::int as decided,
    (count(*) filter (where x.status = 'expired'))::int as expired
    from quorate.approvals x where x.workspace_id = w.id and x.created_at >= p_since) a
$$;

-- Which versions of Quorate's own schema stand here, for processes that may not read the list itself: code that does not know all of them
-- must not run on it. The list is shared with the project's other migrations, which never name our schema.
create function quorate.list_migrations() returns setof text
language sql stable security definer set search_path = '' as $$
  select m.version from supabase_migrations.schema_migrations m
  where pg_catalog.array_to_string(m.statements, ' ') like '%quorate.%' order by m.version
$$;

create trigger notify_contact after insert on quorate.contact_requests for each row execute function quorate.notify_contact();

create policy operator_reads on quorate.contact_requests for select to quorate_member using ((select quorate.runs_instance()));
create policy operator_answers on quorate.contact_requests for update to quorate_member
  using ((select quorate.runs_instance())) with check ((select quorate.runs_instance()));

grant select on quorate.contact_requests to quorate_member;
grant update (answered_at, answered_by) on quorate.contact_requests to quorate_member;
revoke all on function quorate.operator_workspace_id(), quorate.runs_instance(), quorate.subscribe_newsletter(text,text,boolean),
  quorate.request_contact(uuid,text,text,text,text,text,text,boolean), quorate.notify_contact(), quorate.read_health(),
  quorate.read_control_figures(timestamp with time zone), quorate.list_migrations() from public;
grant execute on function quorate.subscribe_newsletter(text,text,boolean),
  quorate.request_contact(uuid,text,text,text,text,text,text,boolean), quorate.list_migrations() to quorate_app;
grant execute on function quorate.runs_instance(), quorate.read_health(),
  quorate.read_control_figures(timestamp with time zone) to quorate_member;

-- A person's own data: taken out, and erased.

-- Everything about the person of this transaction, over all workspaces. No hash, no token, nothing about anybody else.
create function quorate.export_own_data() returns json language plpgsql stable security definer set search_path = '' as $$
declare p uuid := quorate.current_user_id(); v_email text;
begin
  if p is null or quorate.current_key_id() is not null then
    raise exception 'only people have data of their own' using errcode = 'QP005';
  end if;
  select u.email into v_email from auth.users u where u.id = p;
  return pg_catalog.json_build_object(
    'profile', (select pg_catalog.to_json(x) from public.profiles x where x.id = p),
    'account', (select pg_catalog.json_build_object('id', u.id, 'email', u.email, 'createdAt', u.created_at,
      'emailConfirmedAt', u.email_confirmed_at, 'lastSignInAt', u.last_sign_in_at) from auth.users u where u.id = p),
    'memberships', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspace', w.name, 'workspaceId', w.id,
      'name', m.name, 'email', m.email, 'roles', m.roles, 'since', m.created_at) order by m.created_at), '[]')
      from quorate.members m join quorate.workspaces w on w.id = m.workspace_id where m.user_id = p),
    'invitations', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspaceId', i.workspace_id, 'email', i.email,
      'roles', i.roles, 'sentAt', i.created_at, 'acceptedAt', i.accepted_at, 'declinedAt', i.declined_at) order by i.created_at), '[]')
      from quorate.invitations i where lower(i.email) = lower(v_email)),
    'sessions', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(s) - 'user_id' order by s.last_seen_at desc), '[]')
      from quorate.user_sessions s where s.user_id = p),
    'apiKeys', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(k) - 'key_hash' - 'user_id' order by k.created_at), '[]')
      from quorate.api_keys k where k.user_id = p),
    'preferences', (select x.settings from quorate.preferences x where x.user_id = p),
    'savedViews', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(v) - 'user_id' order by v.created_at), '[]')
      from quorate.saved_views v where v.user_id = p),
    'notifications', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(n) - 'user_id' order by n.created_at), '[]')
      from quorate.notifications n where n.user_id = p),
    'files', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('name', f.name, 'mediaType', f.media_type,
      'createdAt', f.created_at, 'content', pg_catalog.encode(f.content, 'base64')) order by f.created_at), '[]')
      from quorate.files f where f.owner_id = p),
    'approvalVotes', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('approvalId', v.approval_id, 'vote', v.vote,
      'reason', v.reason, 'votedAt', v.voted_at) order by v.voted_at), '[]') from quorate.approval_votes v where v.user_id = p),
    'runsStarted', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', r.id, 'workspaceId', r.workspace_id,
      'mode', r.mode, 'status', r.status, 'input', r.input, 'createdAt', r.created_at) order by r.created_at), '[]')
      from quorate.runs r where r.initiator_id = p),
    'auditEvents', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', e.id, 'workspaceId', e.workspace_id,
      'action', e.action, 'resourceKind', e.resource_kind, 'resourceId', e.resource_id, 'resourceName', e.resource_name,
      'payload', e.payload, 'at', e.at) order by e.at), '[]') from quorate.audit_events e where e.actor_id = p),
    'newsletter', (select pg_catalog.json_build_object('language', n.language, 'subscribedAt', n.subscribed_at)
      from quorate.newsletter_subscribers n where lower(n.email) = lower(v_email)),
    'contactRequests', (select coalesce(pg_catalog.json_agg(pg_catalog.to_json(c) order by c.created_at), '[]')
      from quorate.contact_requests c where lower(c.email) = lower(v_email))
  );
end $$;

-- Workspaces of this person: 'goes' (nobody else is in it, so it is deleted with the account), 'blocks' (others are, and no other admin),
-- 'stays'.
create function quorate.list_own_farewells() returns table (workspace_id uuid, name text, fate text)
language sql stable security definer set search_path = '' as $$
  select w.id, w.name, case
    when not exists (select from quorate.members o where o.workspace_id = w.id and o.user_id <> m.user_id) then 'goes'
    when 'admin' = any (m.roles)
      and not exists (select from quorate.members o where o.workspace_id = w.id and o.user_id <> m.user_id and 'admin' = any (o.roles)) then
      'blocks'
    else 'stays' end
  from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
  where m.user_id = quorate.current_user_id() and quorate.current_key_id() is null order by w.name, w.id
$$;

-- Erases a person: account, memberships, workspaces that nobody else is in, and every name and address of theirs. What they did stays in
-- the log under their id: its leaves are salted digests, whose proofs hold without the erased bodies. The entry names the places whose
-- contents it erases.
create function quorate.delete_account(p_user uuid, p_session uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare v_email text; w uuid; v_gone uuid[]; v_erased jsonb;
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  perform pg_catalog.set_config('quorate.user_id', p_user::text, true), pg_catalog.set_config('quorate.key_id', '', true);
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
    update quorate.approval_votes v set voter_name = '' where v.workspace_id = w and v.user_id = p_user;
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

revoke all on function quorate.export_own_data(), quorate.list_own_farewells(), quorate.delete_account(uuid,uuid) from public;
grant execute on function quorate.delete_account(uuid,uuid) to quorate_app;
grant execute on function quorate.export_own_data(), quorate.list_own_farewells() to quorate_member;

-- The demo.

-- True until anybody has a workspace: the only state in which a demo is begun.
create function quorate.is_untouched() returns boolean language sql stable security definer set search_path = ''
  as $$ select not exists (select from quorate.workspaces) $$;

-- Profiles, workspace and members of the people given ([{ id, name, email, roles }]), whose accounts are confirmed.
-- Idempotent: answers the workspace that stands.
create function quorate.make_demo_workspace(p_workspace uuid, p_name text, p_slug text, p_people jsonb, p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare v_ws uuid;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('demo workspace', 0));
  select w.id into v_ws from quorate.workspaces w where w.is_demo;
  if v_ws is not null then return v_ws; end if;
  if exists (select from quorate.workspaces) then raise exception 'a demo is made on the very first start alone'
    using errcode = 'QP006'; end if;
  insert into public.profiles (id, display_name) select (p ->> 'id')::uuid, p ->> 'name'
    from pg_catalog.jsonb_array_elements(p_people) p on conflict (id) do nothing;
  insert into quorate.workspaces (id, name, slug, plan, is_demo) values (p_workspace, p_name, p_slug, 'enterprise', true);
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

revoke all on function quorate.is_untouched(), quorate.make_demo_workspace(uuid,text,text,jsonb,uuid) from public;
grant execute on function quorate.is_untouched(), quorate.make_demo_workspace(uuid,text,text,jsonb,uuid) to quorate_app;

-- Search over everything a member may see. Row level security keeps the planner of a member's query off these indexes (their operators
-- are not leakproof), so candidates come from here, held to what the member may see, and whoever asks reads the rows themselves under row
-- level security once more.

do $$
declare v_schema text;
begin
  select n.nspname into v_schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
  if v_schema is null then
    -- hosted Supabase keeps extensions in a schema of their own; public is served by the data API
    v_schema := case when exists (select from pg_namespace where nspname = 'extensions') then 'extensions' else 'quorate' end;
    execute format('create extension pg_trgm with schema %I', v_schema);
  end if;
  execute format('create index artifacts_search on quorate.artifacts
    using gin (name %1$I.gin_trgm_ops, description %1$I.gin_trgm_ops)', v_schema);
  execute format('create index connections_search on quorate.connections
    using gin (name %1$I.gin_trgm_ops, description %1$I.gin_trgm_ops) where deleted_at is null', v_schema);
  execute format('create index members_search on quorate.members using gin (name %1$I.gin_trgm_ops, email %1$I.gin_trgm_ops)', v_schema);
  execute format('create index approvals_search on quorate.approvals using gin (title %I.gin_trgm_ops)', v_schema);
  execute format($create$
    create function quorate.search_candidates(p_words text, p_limit int) returns table (kind text, id uuid, score real)
    language plpgsql stable security definer set search_path = pg_catalog, %I as $f$
    declare
      v_workspace uuid := quorate.current_workspace_id();
      v_user uuid := quorate.current_user_id();
      v_all boolean := quorate.sees_all_runs();
      v_drafts boolean := quorate.has_role('builder', 'auditor', 'admin', 'approver');
      v_like text := '%%' || replace(replace(replace(p_words, '\', '\\'), '%%', '\%%'), '_', '\_') || '%%';
      v_hex text := lower(replace(p_words, '-', ''));
      v_matched uuid[];
    begin
      if v_workspace is null or v_user is null or length(p_words) not between 1 and 200 then return; end if;
      -- two letters that changed places leave three of eight trigrams in common; with few letters that would be anything
      perform set_config('pg_trgm.word_similarity_threshold', case when length(p_words) < 5 then '0.5' else '0.3' end, true);

      select array_agg(x.id) into v_matched from (
        select a.id from quorate.artifacts a where a.workspace_id = v_workspace and a.kind in ('workflow', 'agent')
          and (p_words <%% a.name or a.name ilike v_like)
        order by (a.name ilike v_like) desc, word_similarity(p_words, a.name) desc, a.updated_at desc limit 20) x;

      return query select k.kind, x.id, x.score from unnest(array['workflow', 'agent', 'policy']) k (kind) cross join lateral (
        select a.id, (word_similarity(p_words, a.name) + case when a.name ilike v_like then 1 else 0 end)::real as score
        from quorate.artifacts a
        where a.workspace_id = v_workspace and a.kind = k.kind and a.deleted_at is null
          and (a.published_version_id is not null or a.owner_id = v_user or v_drafts)
          and (p_words <%% a.name or a.name ilike v_like or a.description ilike v_like)
        order by 2 desc, a.updated_at desc limit p_limit) x;

      return query select 'connection'::text, c.id,
          (word_similarity(p_words, c.name) + case when c.name ilike v_like then 1 else 0 end)::real
        from quorate.connections c
        where c.workspace_id = v_workspace and c.deleted_at is null
          and (p_words <%% c.name or c.name ilike v_like or c.description ilike v_like)
        order by 3 desc, c.name limit p_limit;

      return query select 'member'::text, m.user_id, (greatest(word_similarity(p_words, m.name), word_similarity(p_words, m.email))
          + case when m.name ilike v_like or m.email ilike v_like then 1 else 0 end)::real
        from quorate.members m
        where m.workspace_id = v_workspace
          and (p_words <%% m.name or m.name ilike v_like or p_words <%% m.email or m.email ilike v_like)
        order by 3 desc, m.name limit p_limit;

      -- Most approvals share a few titles: a bounded number of matches is looked at, what waits first.
      return query select 'approval'::text, y.id, y.score from (
        select x.id, x.created_at, (word_similarity(p_words, x.title) + case when x.status = 'pending' then 1 else 0 end)::real as score
        from (
          (select a.id, a.title, a.status, a.created_at from quorate.approvals a
            where a.workspace_id = v_workspace and a.status = 'pending' and (v_all or a.requested_by = v_user)
              and (p_words <%% a.title or a.title ilike v_like) limit 200)
          union
          (select a.id, a.title, a.status, a.created_at from quorate.approvals a
            where a.workspace_id = v_workspace and (v_all or a.requested_by = v_user)
              and (p_words <%% a.title or a.title ilike v_like) limit 200)) x) y
        order by y.score desc, y.created_at desc limit p_limit;

      -- The newest runs of what is called so, and a run by the beginning of its id.
      if v_all then
        return query select 'run'::text, r.id, 0.5::real from unnest(v_matched) m (artifact) cross join lateral (
          select x.id, x.created_at from quorate.runs x where x.artifact_id = m.artifact and x.workspace_id = v_workspace
          order by x.created_at desc limit p_limit) r
        order by r.created_at desc limit p_limit;
      else
        return query select 'run'::text, r.id, 0.5::real from (
          select x.id, x.artifact_id, x.created_at from quorate.runs x where x.workspace_id = v_workspace and x.initiator_id = v_user
          order by x.created_at desc limit 1000) r
          where r.artifact_id = any (v_matched) order by r.created_at desc limit p_limit;
      end if;
      if v_hex ~ '^[0-9a-f]{6,32}$' then
        return query select 'run'::text, r.id, 2::real from quorate.runs r
          where r.id between rpad(v_hex, 32, '0')::uuid and rpad(v_hex, 32, 'f')::uuid and r.workspace_id = v_workspace
            and (v_all or r.initiator_id = v_user) limit p_limit;
      end if;
    end $f$ $create$, v_schema);
end $$;

revoke all on function quorate.search_candidates(text,integer) from public;
grant execute on function quorate.search_candidates(text,integer) to quorate_member;

reset check_function_bodies;

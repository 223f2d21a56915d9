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
  recovering boolean not null default false,
  -- The longest time between two uses, in seconds: later use does not make a session that was idle another one.
  longest_idle integer not null default 0
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
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user) then return; end if;
  insert into quorate.user_sessions as u (session_id, user_id, browser) values (p_session, p_user, left(p_browser, 300))
  on conflict (session_id) do update set last_seen_at = now(),
    longest_idle = greatest(u.longest_idle, extract(epoch from now() - u.last_seen_at)::integer)
    where u.last_seen_at < now() - interval '1 minute';
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

-- Whether this person has a factor: a passkey, an authenticator app of ours, or one that the account service has verified.
create function quorate.has_second_factor(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare v_has boolean := false;
begin
  perform quorate.require_session();
  if exists (select from quorate.passkeys k where k.user_id = p_user)
    or exists (select from quorate.authenticators a where a.user_id = p_user) then return true; end if;
  if pg_catalog.to_regclass('auth.mfa_factors') is not null then
    execute 'select exists (select from auth.mfa_factors f where f.user_id = $1 and f.status::text = ''verified'')' into v_has using p_user;
  end if;
  return v_has;
end $$;

-- Whether this person has a factor of ours that this session has not shown. Where the account service has it, its token says so.
create function quorate.lacks_factor(p_user uuid, p_session uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  return quorate.has_second_factor(p_user)
    and not exists (select from quorate.session_factors f where f.session_id = p_session and f.user_id = p_user);
end $$;

-- Whether this session, which has shown a password alone, has to show a factor before anything else.
create function quorate.owes_second_factor(p_user uuid, p_session uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select quorate.lacks_factor(p_user, p_session)
    and not exists (select from quorate.recovered_sessions r where r.session_id = p_session and r.user_id = p_user)
$$;

-- The person of this transaction's own account, as far as they may know it. `app`: an authenticator app is set up.
create function quorate.own_second_factor(p_session uuid)
  returns table (enrolled boolean, recovered boolean, codes_left integer, app boolean, passkeys integer)
language plpgsql stable security definer set search_path = '' as $$
declare v_user uuid := quorate.current_user_id();
begin
  if v_user is null or quorate.current_key_id() is not null then return; end if;
  enrolled := quorate.has_second_factor(v_user);
  recovered := exists (select from quorate.recovered_sessions r where r.session_id = p_session and r.user_id = v_user);
  codes_left := (select count(*)::integer from quorate.recovery_codes c where c.user_id = v_user and c.used_at is null);
  app := exists (select from quorate.authenticators a where a.user_id = v_user);
  passkeys := (select count(*)::integer from quorate.passkeys k where k.user_id = v_user);
  if pg_catalog.to_regclass('auth.mfa_factors') is not null and not app then
    execute 'select exists (select from auth.mfa_factors f where f.user_id = $1 and f.status::text = ''verified'')' into app using v_user;
  end if;
  return next;
end $$;

-- After a factor of the account service was added or removed, or for new codes alone: `p_done`, the event that says so.
create function quorate.replace_recovery_codes(p_user uuid, p_session uuid, p_hashes bytea[], p_done text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_standing(p_user, p_session);
  if p_done not in ('account.factorAdded', 'account.factorRemoved', 'account.recoveryCodesRenewed') then
    raise exception 'no event of recovery codes' using errcode = '22023';
  end if;
  delete from quorate.recovery_codes c where c.user_id = p_user;
  insert into quorate.recovery_codes (user_id, code_hash) select p_user, h from pg_catalog.unnest(p_hashes) h;
  perform quorate.note_account_event(p_user, p_done);
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

-- For who came in by a recovery code: they would be asked for the very factor that is lost. All of them go. False: this session did not.
create function quorate.drop_lost_factor(p_user uuid, p_session uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (
    select from quorate.recovered_sessions r join auth.sessions s on s.id = r.session_id
    where r.session_id = p_session and r.user_id = p_user and s.user_id = p_user and (s.not_after is null or s.not_after > now())
  ) then return false; end if;
  if pg_catalog.to_regclass('auth.mfa_factors') is not null then
    execute 'delete from auth.mfa_factors f where f.user_id = $1' using p_user;
  end if;
  delete from quorate.passkeys k where k.user_id = p_user;
  delete from quorate.authenticators a where a.user_id = p_user;
  delete from quorate.session_factors f where f.user_id = p_user;
  delete from quorate.recovery_codes c where c.user_id = p_user;
  delete from quorate.recovered_sessions r where r.user_id = p_user;
  perform quorate.note_account_event(p_user, 'account.factorRemoved');
  return true;
end $$;

-- Before anything else is done with a session that a recovery link or code has opened.
create function quorate.begin_recovery(p_user uuid, p_session uuid, p_browser text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  insert into quorate.user_sessions as u (session_id, user_id, browser, recovering) values (p_session, p_user, left(p_browser, 300), true)
  on conflict (session_id) do update set recovering = true where u.user_id = p_user;
end $$;

-- The password is set.
create function quorate.end_recovery(p_user uuid, p_session uuid) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.user_sessions u set recovering = false, last_seen_at = now() where u.session_id = p_session and u.user_id = p_user
$$;

-- After a confirmed change of address: memberships carry the new one, an event in each workspace says so (without the address).
create function quorate.adopt_email(p_user uuid) returns void
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

-- Profile, and a workspace of one's own where one is admin and builder, for a confirmed account. Idempotent. An account with an open
-- invitation gets its profile alone: the workspace of who invited is theirs, and declining founds one of their own at the next look.
-- p_founds: always; first, as long as there is none but the demo's; never, which is what anything else means.
create function quorate.ensure_account(p_user uuid, p_email text, p_name text, p_workspace uuid, p_workspace_name text, p_slug text,
  p_event uuid, p_founds text) returns uuid
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
  if p_founds is distinct from 'always' then
    if p_founds is distinct from 'first' then return null; end if;
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('first workspace', 0));
    if exists (select from quorate.workspaces w where not w.is_demo) then return null; end if;
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
revoke all on function quorate.lasting_sessions(uuid), quorate.session_stands(), quorate.note_session(uuid, uuid, text, uuid),
  quorate.list_own_sessions(), quorate.end_own_session(uuid), quorate.has_second_factor(uuid), quorate.lacks_factor(uuid, uuid),
  quorate.owes_second_factor(uuid, uuid), quorate.own_second_factor(uuid), quorate.replace_recovery_codes(uuid, uuid, bytea[], text),
  quorate.note_account_event(uuid, text), quorate.use_recovery_code(uuid, uuid, bytea), quorate.drop_lost_factor(uuid, uuid),
  quorate.begin_recovery(uuid, uuid, text), quorate.end_recovery(uuid, uuid), quorate.adopt_email(uuid),
  quorate.ensure_account(uuid, text, text, uuid, text, text, uuid, text) from public;
grant execute on function quorate.session_stands() to authenticated;
grant execute on function quorate.note_session(uuid, uuid, text, uuid), quorate.has_second_factor(uuid),
  quorate.lacks_factor(uuid, uuid), quorate.owes_second_factor(uuid, uuid), quorate.use_recovery_code(uuid, uuid, bytea),
  quorate.replace_recovery_codes(uuid, uuid, bytea[], text), quorate.drop_lost_factor(uuid, uuid),
  quorate.begin_recovery(uuid, uuid, text), quorate.end_recovery(uuid, uuid), quorate.adopt_email(uuid),
  quorate.ensure_account(uuid, text, text, uuid, text, text, uuid, text) to quorate_app;
grant execute on function quorate.list_own_sessions(), quorate.end_own_session(uuid), quorate.own_second_factor(uuid)
  to quorate_member;

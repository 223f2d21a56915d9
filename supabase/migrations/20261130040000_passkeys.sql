-- Passkeys on both backends, authenticator apps where the account service has none, and what a workspace asks of sessions.
alter table quorate.workspaces add column session_rules jsonb not null
  default '{"hours": null, "idleMinutes": null, "factor": false, "networks": []}';
grant update (session_rules) on quorate.workspaces to quorate_member;
alter table quorate.user_sessions add column longest_idle integer not null default 0;
alter table quorate.reauthentications drop constraint reauthentications_method_check,
  add constraint reauthentications_method_check check (method in ('password', 'password_and_factor', 'passkey'));
alter table quorate.approval_votes drop constraint approval_votes_method_check,
  add constraint approval_votes_method_check check (method in ('session', 'password', 'password_and_factor', 'passkey'));
alter table quorate.control_votes drop constraint control_votes_method_check,
  add constraint control_votes_method_check check (method in ('password', 'password_and_factor', 'passkey'));
alter table quorate.break_glass drop constraint break_glass_method_check,
  add constraint break_glass_method_check check (method in ('password', 'password_and_factor', 'passkey'));
alter table quorate.control_changes drop constraint control_changes_kind_check, add constraint control_changes_kind_check check (
  kind in ('policy_publish', 'policy_pause', 'policy_activate', 'member_roles', 'member_remove',
    'workflow_publish', 'agent_publish', 'workspace_settings', 'workspace_proof', 'workspace_network', 'workspace_checkpoints',
    'workspace_sign_in', 'workspace_groups', 'workspace_sessions', 'connection_approve', 'connection_permits', 'connection_credential',
    'inventory_risk', 'evidence_export'));

-- A network (CIDR), or an address, without the interface that an address of a link may name; null for anything else.
create function quorate.network_of(p_text text) returns inet language plpgsql immutable set search_path = '' as $$
begin
  -- an IPv4 address in the clothes of IPv6 is that IPv4 address
  return pg_catalog.regexp_replace(pg_catalog.regexp_replace(p_text, '%.*$', ''), '^::ffff:(\d+\.\d+\.\d+\.\d+)$', '\1', 'i')::inet;
exception when others then return null;
end $$;

-- Whether an address is of one of these networks, or there are none. False on doubt.
create function quorate.is_within(p_address text, p_networks jsonb) returns boolean language sql immutable set search_path = '' as $$
  select p_networks = '[]' or exists (select from pg_catalog.jsonb_array_elements_text(p_networks) n
    where coalesce(quorate.network_of(p_address) operator(pg_catalog.<<=) quorate.network_of(n), false))
$$;

create function quorate.is_session_rules(p_rules jsonb) returns boolean language plpgsql immutable set search_path = '' as $$
declare v_limit record;
begin
  if p_rules is distinct from pg_catalog.jsonb_build_object('hours', p_rules -> 'hours', 'idleMinutes', p_rules -> 'idleMinutes',
    'factor', p_rules -> 'factor', 'networks', p_rules -> 'networks') or pg_catalog.jsonb_typeof(p_rules -> 'factor') <> 'boolean'
    or pg_catalog.jsonb_typeof(p_rules -> 'networks') <> 'array' then return false; end if;
  for v_limit in select * from (values ('hours', 1, 720), ('idleMinutes', 5, 10080)) l (name, least, most) loop
    if p_rules -> v_limit.name = 'null' then continue; end if;
    if pg_catalog.jsonb_typeof(p_rules -> v_limit.name) <> 'number' then return false; end if;
    if (p_rules ->> v_limit.name)::numeric not between v_limit.least and v_limit.most
      or (p_rules ->> v_limit.name)::numeric % 1 <> 0 then return false; end if;
  end loop;
  return pg_catalog.jsonb_array_length(p_rules -> 'networks') <= 50
    and not exists (select from pg_catalog.jsonb_array_elements(p_rules -> 'networks') n
      where pg_catalog.jsonb_typeof(n) <> 'string' or quorate.network_of(n #>> '{}') is null);
end $$;

-- Whether these rules let a session through that those would not have.
create function quorate.loosens_sessions(p_before jsonb, p_after jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(
    (p_before -> 'factor')::boolean and not (p_after -> 'factor')::boolean
    or exists (select from unnest(array['hours', 'idleMinutes']) l where p_before -> l <> 'null'
      and (p_after -> l = 'null' or (p_after ->> l)::numeric > (p_before ->> l)::numeric))
    or p_before -> 'networks' <> '[]' and (p_after -> 'networks' = '[]' or exists (
      select from pg_catalog.jsonb_array_elements_text(p_after -> 'networks') n where not quorate.is_within(n, p_before -> 'networks'))),
    true)
$$;

-- Nobody loosens them alone, and what may not count is nobody's to write.
create function quorate.guard_session_rules() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' then
    if not quorate.is_session_rules(new.session_rules) then
      raise exception 'these cannot be the rules of sessions' using errcode = 'QS004';
    end if;
    if quorate.loosens_sessions(old.session_rules, new.session_rules)
      and quorate.needs_second_person(new.id, quorate.current_user_id(), null) then
      raise exception 'a second person agrees to looser sessions' using errcode = 'QP005';
    end if;
  end if;
  return new;
end $$;

-- Whether a workspace of this person asks its people for a second factor.
create function quorate.is_asked_for_factor(p_user uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
    where m.user_id = p_user and (w.session_rules -> 'factor')::boolean
      and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp()))
$$;

-- What this session still owes a workspace: `address`, it is used from elsewhere; `again`, it is too old or was idle too long; `factor`, it
-- has shown none; null: nothing. Whoever is exempt from the sign-in of the company is from the networks too, so that a network that is
-- gone locks nobody out. Of a session that was idle once, later use does not make another one. A factor counts that was shown to us, to the
-- account service (`aal`), or to the company's provider, which says so (RFC 8176).
create function quorate.session_owes(p_user uuid, p_session uuid, p_workspace uuid, p_address text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare r jsonb; v_exempt boolean; v_begun timestamptz; v_idle numeric; v_aal text;
begin
  select w.session_rules, coalesce(w.sign_in -> 'exempt' ? p_user::text, false) into r, v_exempt
    from quorate.workspaces w where w.id = p_workspace;
  if r is null or r = '{"hours": null, "idleMinutes": null, "factor": false, "networks": []}' then return null; end if;
  if not v_exempt and not quorate.is_within(coalesce(p_address, ''), r -> 'networks') then return 'address'; end if;
  select coalesce(s.created_at, u.first_seen_at, 'epoch'), pg_catalog.to_jsonb(s) ->> 'aal',
      greatest(u.longest_idle, extract(epoch from now() - coalesce(u.last_seen_at, s.created_at, 'epoch')))
    into v_begun, v_aal, v_idle
    from auth.sessions s left join quorate.user_sessions u on u.session_id = s.id where s.id = p_session and s.user_id = p_user;
  if v_begun is null or r -> 'hours' <> 'null' and v_begun <= now() - pg_catalog.make_interval(hours => (r -> 'hours')::int)
    or r -> 'idleMinutes' <> 'null' and v_idle >= (r -> 'idleMinutes')::int * 60 then return 'again'; end if;
  if (r -> 'factor')::boolean and v_aal is distinct from 'aal2'
    and not exists (select from quorate.session_factors f where f.session_id = p_session and f.user_id = p_user)
    and not exists (select from quorate.recovered_sessions c where c.session_id = p_session and c.user_id = p_user)
    and not exists (select from quorate.company_sessions c where c.session_id = p_session and c.workspace_id = p_workspace
      and c.amr && array['mfa', 'otp', 'hwk', 'swk', 'sc', 'fpt', 'face']) then return 'factor'; end if;
  return null;
end $$;

create table quorate.passkeys (
  id uuid primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null check (octet_length(public_key) between 32 and 2048), -- COSE (RFC 9052)
  counter bigint not null check (counter between 0 and 4294967295),
  transports text[] not null default '{}' check (cardinality(transports) <= 10),
  backed_up boolean not null default false, -- kept by its provider for several devices
  name text not null check (length(name) between 1 and 80),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  doubted_at timestamptz -- when its counter last went back: there may be a copy of it
);
create index passkeys_user on quorate.passkeys (user_id, created_at, id);
alter table quorate.passkeys enable row level security;

-- Challenges that were answered, until nobody would take them any more: each counts once.
create table quorate.used_challenges (
  id text primary key check (length(id) = 43), -- SHA-256, base64url
  expires_at timestamptz not null
);
create index used_challenges_over on quorate.used_challenges (expires_at);
alter table quorate.used_challenges enable row level security;

create table quorate.authenticators (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  sealed_secret bytea not null check (octet_length(sealed_secret) <= 500),
  last_step bigint not null, -- the newest time step of which a code was taken: a code counts once
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
alter table quorate.authenticators enable row level security;

-- Which factor of ours a session has shown. Where the account service has factors itself, its token says so.
create table quorate.session_factors (
  session_id uuid primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  method text not null check (method in ('passkey', 'code')),
  at timestamptz not null default clock_timestamp()
);
create index session_factors_user on quorate.session_factors (user_id);
alter table quorate.session_factors enable row level security;

-- Refuses whoever has no session that stands.
create function quorate.require_standing(p_user uuid, p_session uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
end $$;

-- Takes a challenge. False: it was taken before.
create function quorate.take_challenge(p_id text) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  delete from quorate.used_challenges c where c.id in (select x.id from quorate.used_challenges x
    where x.expires_at < pg_catalog.clock_timestamp() order by x.expires_at limit 20 for update skip locked);
  insert into quorate.used_challenges (id, expires_at) values (p_id, pg_catalog.clock_timestamp() + interval '15 minutes')
    on conflict do nothing;
  return found;
end $$;

create function quorate.keep_session_factor(p_user uuid, p_session uuid, p_method text) returns void
language sql security definer set search_path = '' as $$
  delete from quorate.session_factors f where f.user_id = p_user and not exists (select from auth.sessions s where s.id = f.session_id);
  insert into quorate.session_factors as f (session_id, user_id, method) values (p_session, p_user, p_method)
    on conflict (session_id) do update set method = excluded.method, at = excluded.at;
$$;

-- Codes for who loses the first factor; who has some keeps them.
create function quorate.keep_first_codes(p_user uuid, p_hashes bytea[]) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from quorate.recovery_codes c where c.user_id = p_user and c.used_at is null) then return false; end if;
  delete from quorate.recovery_codes c where c.user_id = p_user;
  insert into quorate.recovery_codes (user_id, code_hash) select p_user, h from pg_catalog.unnest(p_hashes) h;
  return true;
end $$;

-- The passkeys of who is signed in, also by a link of recovery: they are asked for a factor before the new password.
create function quorate.list_passkeys(p_user uuid, p_session uuid)
  returns table (id uuid, credential_id bytea, transports text[], name text, backed_up boolean, created_at timestamptz,
    last_used_at timestamptz, doubted_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  return query select k.id, k.credential_id, k.transports, k.name, k.backed_up, k.created_at, k.last_used_at, k.doubted_at
    from quorate.passkeys k where k.user_id = p_user order by k.created_at, k.id;
end $$;

-- Registers what was checked. Outcomes: added; added_with_codes, these codes are now the person's; replayed, the challenge was answered
-- before; known, somebody has this credential; full.
create function quorate.add_passkey(p_user uuid, p_session uuid, p_id uuid, p_credential bytea, p_key bytea, p_counter bigint,
  p_transports text[], p_backed_up boolean, p_name text, p_challenge text, p_codes bytea[]) returns text
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_standing(p_user, p_session);
  if not quorate.take_challenge(p_challenge) then return 'replayed'; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('factors:' || p_user::text, 0));
  if (select count(*) from quorate.passkeys k where k.user_id = p_user) >= 20 then return 'full'; end if;
  insert into quorate.passkeys (id, user_id, credential_id, public_key, counter, transports, backed_up, name)
    values (p_id, p_user, p_credential, p_key, p_counter, p_transports, p_backed_up, p_name) on conflict (credential_id) do nothing;
  if not found then return 'known'; end if;
  perform quorate.keep_session_factor(p_user, p_session, 'passkey');
  perform quorate.note_account_event(p_user, 'account.passkeyAdded');
  return case when quorate.keep_first_codes(p_user, p_codes) then 'added_with_codes' else 'added' end;
end $$;

-- Whose credential this is, for whoever checks its signature. Of accounts whose address is confirmed alone.
create function quorate.find_passkey(p_credential bytea)
  returns table (id uuid, user_id uuid, email text, public_key bytea, counter bigint, transports text[])
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select k.id, k.user_id, u.email::text, k.public_key, k.counter, k.transports
  from quorate.passkeys k join auth.users u on u.id = k.user_id
  where k.credential_id = p_credential and u.email_confirmed_at is not null
$$;

-- Counts one use of a passkey whose signature was checked. `p_session`: the session that has shown it; null where it opens one, which on
-- the embedded account service `p_hash` does, once. Outcomes: used; replayed; gone; doubted, its counter went back: its owner is told.
create function quorate.use_passkey(p_id uuid, p_counter bigint, p_backed_up boolean, p_challenge text, p_user uuid, p_session uuid,
  p_hash text) returns text
language plpgsql security definer set search_path = '' as $$
declare k quorate.passkeys;
begin
  perform quorate.require_session();
  if p_session is not null and not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  if not quorate.take_challenge(p_challenge) then return 'replayed'; end if;
  select * into k from quorate.passkeys x where x.id = p_id and x.user_id = p_user for update;
  if k.id is null then return 'gone'; end if;
  if (p_counter > 0 or k.counter > 0) and p_counter <= k.counter then
    update quorate.passkeys x set doubted_at = pg_catalog.clock_timestamp() where x.id = k.id;
    perform quorate.note_account_event(p_user, 'account.passkeyDoubted');
    return 'doubted';
  end if;
  update quorate.passkeys x set counter = p_counter, backed_up = p_backed_up, last_used_at = pg_catalog.clock_timestamp()
    where x.id = k.id;
  if p_session is not null then perform quorate.keep_session_factor(p_user, p_session, 'passkey'); end if;
  if p_hash is not null then
    update auth.users u set recovery_token = p_hash, recovery_sent_at = now() where u.id = p_user;
  end if;
  return 'used';
end $$;

-- The session that a passkey has just opened has shown it.
create function quorate.note_passkey_session(p_id uuid, p_user uuid, p_session uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user)
    and exists (select from quorate.passkeys k where k.id = p_id and k.user_id = p_user
      and k.last_used_at > pg_catalog.clock_timestamp() - interval '1 minute') then
    perform quorate.keep_session_factor(p_user, p_session, 'passkey');
  end if;
end $$;

create function quorate.rename_passkey(p_user uuid, p_session uuid, p_id uuid, p_name text) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_standing(p_user, p_session);
  update quorate.passkeys k set name = p_name where k.id = p_id and k.user_id = p_user;
  if not found then return false; end if;
  perform quorate.note_account_event(p_user, 'account.passkeyRenamed');
  return true;
end $$;

-- With the last factor go the codes for its loss.
create function quorate.settle_factors(p_user uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  if quorate.has_second_factor(p_user) then return; end if;
  delete from quorate.recovery_codes c where c.user_id = p_user;
  delete from quorate.recovered_sessions r where r.user_id = p_user;
  delete from quorate.session_factors f where f.user_id = p_user;
end $$;

-- Whether a factor may go: one of several, or nobody asks for one. `p_kept`: the factors of ours that stay.
create function quorate.may_lose_factor(p_user uuid, p_kept bigint) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare v_theirs boolean := false;
begin
  if p_kept > 0 then return true; end if;
  if pg_catalog.to_regclass('auth.mfa_factors') is not null then
    execute 'select exists (select from auth.mfa_factors f where f.user_id = $1 and f.status::text = ''verified'')'
      into v_theirs using p_user;
  end if;
  return v_theirs or not quorate.is_asked_for_factor(p_user);
end $$;

-- The same of the factors of the account service, which go all at once.
create function quorate.may_lose_their_factors(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  return exists (select from quorate.passkeys k where k.user_id = p_user) or not quorate.is_asked_for_factor(p_user);
end $$;

-- Outcomes: removed; gone; last, a workspace of theirs asks for a factor, and there is no other.
create function quorate.remove_passkey(p_user uuid, p_session uuid, p_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_standing(p_user, p_session);
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('factors:' || p_user::text, 0));
  if not exists (select from quorate.passkeys k where k.id = p_id and k.user_id = p_user) then return 'gone'; end if;
  if not quorate.may_lose_factor(p_user, (select count(*) from quorate.passkeys k where k.user_id = p_user and k.id <> p_id)
    + (select count(*) from quorate.authenticators a where a.user_id = p_user)) then return 'last'; end if;
  delete from quorate.passkeys k where k.id = p_id and k.user_id = p_user;
  perform quorate.settle_factors(p_user);
  perform quorate.note_account_event(p_user, 'account.passkeyRemoved');
  return 'removed';
end $$;

-- The secret of an authenticator app whose first code was right. Outcomes: added; added_with_codes; there, one is set up already.
create function quorate.add_authenticator(p_user uuid, p_session uuid, p_sealed bytea, p_step bigint, p_codes bytea[]) returns text
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_standing(p_user, p_session);
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('factors:' || p_user::text, 0));
  insert into quorate.authenticators (user_id, sealed_secret, last_step) values (p_user, p_sealed, p_step) on conflict do nothing;
  if not found then return 'there'; end if;
  perform quorate.keep_session_factor(p_user, p_session, 'code');
  perform quorate.note_account_event(p_user, 'account.factorAdded');
  return case when quorate.keep_first_codes(p_user, p_codes) then 'added_with_codes' else 'added' end;
end $$;

create function quorate.read_authenticator(p_user uuid) returns table (sealed_secret bytea, last_step bigint)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select a.sealed_secret, a.last_step from quorate.authenticators a where a.user_id = p_user
$$;

-- Takes a code of this time step, once. False: it, or a later one, was taken before.
create function quorate.use_authenticator(p_user uuid, p_session uuid, p_step bigint) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  update quorate.authenticators a set last_step = p_step, last_used_at = pg_catalog.clock_timestamp()
    where a.user_id = p_user and a.last_step < p_step;
  if not found then return false; end if;
  perform quorate.keep_session_factor(p_user, p_session, 'code');
  return true;
end $$;

-- Outcomes as of a passkey.
create function quorate.remove_authenticator(p_user uuid, p_session uuid) returns text
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_standing(p_user, p_session);
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('factors:' || p_user::text, 0));
  if not exists (select from quorate.authenticators a where a.user_id = p_user) then return 'gone'; end if;
  if not quorate.may_lose_factor(p_user, (select count(*) from quorate.passkeys k where k.user_id = p_user)) then return 'last'; end if;
  delete from quorate.authenticators a where a.user_id = p_user;
  perform quorate.settle_factors(p_user);
  perform quorate.note_account_event(p_user, 'account.factorRemoved');
  return 'removed';
end $$;

create policy own on quorate.passkeys for select to quorate_member
  using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);

grant select (id, user_id, name, backed_up, created_at, last_used_at, doubted_at) on quorate.passkeys to quorate_member;
revoke all on function quorate.require_standing(uuid, uuid), quorate.take_challenge(text),
  quorate.keep_session_factor(uuid, uuid, text), quorate.keep_first_codes(uuid, bytea[]), quorate.list_passkeys(uuid, uuid),
  quorate.add_passkey(uuid, uuid, uuid, bytea, bytea, bigint, text[], boolean, text, text, bytea[]), quorate.find_passkey(bytea),
  quorate.use_passkey(uuid, bigint, boolean, text, uuid, uuid, text), quorate.note_passkey_session(uuid, uuid, uuid),
  quorate.rename_passkey(uuid, uuid, uuid, text), quorate.settle_factors(uuid), quorate.may_lose_factor(uuid, bigint),
  quorate.may_lose_their_factors(uuid),
  quorate.remove_passkey(uuid, uuid, uuid), quorate.add_authenticator(uuid, uuid, bytea, bigint, bytea[]),
  quorate.read_authenticator(uuid), quorate.use_authenticator(uuid, uuid, bigint), quorate.remove_authenticator(uuid, uuid) from public;
grant execute on function quorate.list_passkeys(uuid, uuid),
  quorate.add_passkey(uuid, uuid, uuid, bytea, bytea, bigint, text[], boolean, text, text, bytea[]), quorate.find_passkey(bytea),
  quorate.use_passkey(uuid, bigint, boolean, text, uuid, uuid, text), quorate.note_passkey_session(uuid, uuid, uuid),
  quorate.rename_passkey(uuid, uuid, uuid, text), quorate.remove_passkey(uuid, uuid, uuid),
  quorate.add_authenticator(uuid, uuid, bytea, bigint, bytea[]), quorate.read_authenticator(uuid),
  quorate.use_authenticator(uuid, uuid, bigint), quorate.remove_authenticator(uuid, uuid),
  quorate.may_lose_their_factors(uuid) to quorate_app;

drop function quorate.own_second_factor(uuid);
drop function quorate.become_member(uuid, uuid, uuid);
drop function quorate.memberships_of(uuid, uuid, int);
drop function quorate.replace_recovery_codes(bytea[]);

create or replace function quorate.note_session(p_user uuid, p_session uuid, p_browser text, p_workspace uuid) returns void
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

create or replace function quorate.has_second_factor(p_user uuid) returns boolean
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

create function quorate.lacks_factor(p_user uuid, p_session uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  return quorate.has_second_factor(p_user)
    and not exists (select from quorate.session_factors f where f.session_id = p_session and f.user_id = p_user);
end $$;

create or replace function quorate.owes_second_factor(p_user uuid, p_session uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select quorate.lacks_factor(p_user, p_session)
    and not exists (select from quorate.recovered_sessions r where r.session_id = p_session and r.user_id = p_user)
$$;

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

create or replace function quorate.drop_lost_factor(p_user uuid, p_session uuid) returns boolean
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

create function quorate.become_member(p_user uuid, p_session uuid, p_workspace uuid, p_address text default null) returns text[]
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
    if quorate.owes_company_sign_in(p_user, p_session, p_workspace) then
      raise exception 'the workspace asks for its own sign-in' using errcode = 'QP014';
    end if;
    if quorate.session_owes(p_user, p_session, p_workspace, p_address) is not null then
      raise exception 'the workspace asks more of a session' using errcode = 'QP015';
    end if;
  end if;
  perform quorate.open_principal(p_user, p_session, p_workspace, v_roles, null, null, null);
  return coalesce(v_roles, '{}');
end $$;

create or replace function quorate.become_key(p_key_hash bytea)
  returns table (key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, roles text[],
    scopes text[], expires_at timestamptz, resource text, networks text[])
language plpgsql security definer set search_path = '' as $$
declare k record;
begin
  perform quorate.require_session();
  select a.id, a.name, a.user_id, a.workspace_id, a.scopes, a.expires_at, a.last_used_at, m.user_id as member_id, m.name as member, m.roles,
    w.name as workspace, a.grant_id, a.resource, a.networks, w.session_rules -> 'networks' as session_networks,
    coalesce(w.sign_in -> 'exempt' ? a.user_id::text, false) as exempt
    into k from quorate.api_keys a join quorate.workspaces w on w.id = a.workspace_id
    left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.user_id
      and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp())
    where a.id = coalesce((select x.id from quorate.api_keys x where x.key_hash = p_key_hash), quorate.key_of_token(p_key_hash))
      and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null then raise exception 'unknown key' using errcode = 'QP003'; end if;
  if k.member_id is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  key_id := k.id; key_name := k.name; user_id := k.user_id; user_name := k.member; workspace_id := k.workspace_id;
  workspace_name := k.workspace; scopes := k.scopes; expires_at := k.expires_at; resource := k.resource;
  networks := k.networks;
  if k.grant_id is not null then
    scopes := quorate.scopes_of_token(p_key_hash, k.scopes);
    -- What a person lets a client do is bound to the networks of the workspace as they are themselves.
    if k.session_networks <> '[]' and not k.exempt then
      networks := array(select pg_catalog.jsonb_array_elements_text(k.session_networks));
    end if;
  end if;
  -- an admin's key reads what an auditor reads, and administers nothing
  roles := array(select distinct case when r = 'admin' then 'auditor' else r end from unnest(k.roles || '{user}') r order by 1);
  perform quorate.open_principal(k.user_id, null, k.workspace_id, roles, k.id, scopes, null);
  if k.last_used_at is null or k.last_used_at < now() - interval '1 minute' then
    update quorate.api_keys a set last_used_at = now()
      where a.id = k.id and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute');
  end if;
  return next;
end $$;

create function quorate.memberships_of(p_user uuid, p_session uuid, p_count_up_to int, p_address text default null)
returns table (
  workspace_id uuid, roles text[], name text, email text, workspace_name text, slug text, halted_at timestamptz,
  unread int, picture text, is_last boolean, is_demo boolean, owes_company boolean, owes_session text, owes_factor boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare v_owes_factor boolean;
begin
  perform quorate.require_session();
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  v_owes_factor := quorate.owes_second_factor(p_user, p_session);
  return query
    select m.workspace_id, m.roles, m.name, m.email, w.name, w.slug, w.halted_at,
      (select count(*)::int from (
        select from quorate.notifications n
        where n.user_id = p_user and n.workspace_id = m.workspace_id and n.read_at is null limit p_count_up_to) u),
      (select a.digest from quorate.avatars a where a.user_id = p_user),
      exists (select from quorate.preferences p where p.user_id = p_user and p.last_workspace_id = m.workspace_id),
      w.is_demo, quorate.owes_company_sign_in(p_user, p_session, m.workspace_id),
      quorate.session_owes(p_user, p_session, m.workspace_id, p_address), v_owes_factor
    from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
    where m.user_id = p_user and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp()) order by m.created_at, m.workspace_id;
end $$;

create or replace function quorate.vote_approval(p_approval uuid, p_vote text, p_reason text, p_digest text, p_meaning text default null,
  p_zone text default null) returns text
language plpgsql security definer set search_path = '' as $$
declare
  a quorate.approvals;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_status text;
  v_method text;
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
  if coalesce(p_vote, '') <> all (case a.subject_kind when 'outcome' then
    array['done', 'again', 'reject'] else array['approve', 'reject'] end) or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '')
    or p_meaning not in ('reviewed', 'approved', 'responsible') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  if p_vote = 'approve' and p_meaning <> a.meaning then raise exception 'another meaning than what is asked for' using errcode = 'QV020';
  end if;
  v_method := quorate.take_reauthentication('vote', a.id);
  if (a.risk = 'high' or a.meaning is not null or a.reauthenticate is not null) and v_method is null then
    raise exception 'authenticate again' using errcode = 'QV011';
  end if;
  if a.reauthenticate = 'factor' and v_method not in ('password_and_factor', 'passkey') then
    raise exception 'a second factor is asked for' using errcode = 'QV021';
  end if;
  insert into quorate.approval_votes (workspace_id, approval_id, user_id, voter_name, vote, reason, action_digest, method, meaning, zone)
  select a.workspace_id, a.id, v_user, m.name, p_vote, coalesce(p_reason, ''), a.action_digest, coalesce(v_method, 'session'),
    case p_vote when 'reject' then 'rejected' when 'approve' then coalesce(p_meaning, a.meaning, 'approved') else 'responsible' end, p_zone
  from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = v_user;
  v_status := case
    when p_vote = 'reject' then 'rejected'
    when (select count(*) from quorate.approval_votes v where v.approval_id = a.id and v.vote <> 'reject') >= a.quorum then 'approved'
    else 'pending' end;
  if v_status = 'pending' then return v_status; end if;
  if a.subject_kind = 'release' and v_status = 'approved' then
    if not 'admin' = any (quorate.lasting_roles(v_workspace, a.requested_by)) then
      raise exception 'who asked may not any more' using errcode = 'QV015';
    end if;
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

create or replace function quorate.state_of_control(p_workspace uuid, p_kind text, p_resource uuid, p_asked jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case when quorate.artifact_of_control(p_kind) is not null then
    (select pg_catalog.jsonb_build_object('status', a.status, 'versionId', a.published_version_id)
      from quorate.artifacts a where a.id = p_resource and a.workspace_id = p_workspace and a.kind = quorate.artifact_of_control(p_kind)
        and a.deleted_at is null)
  when p_kind = 'workspace_settings' then
    (select pg_catalog.jsonb_build_object('reviewsEffects', w.reviews_effects)
      from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'workspace_proof' then
    (select pg_catalog.jsonb_build_object('proof', w.proof) from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'workspace_network' then
    (select pg_catalog.jsonb_build_object('network', w.private_network)
      from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'workspace_checkpoints' then
    (select quorate.state_of_checkpoints(w.settings -> 'checkpoints')
      from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'workspace_sign_in' then
    (select w.sign_in from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'workspace_sessions' then
    (select w.session_rules from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'workspace_groups' then
    (select quorate.state_of_groups(w.id) from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'connection_credential' then
    (select pg_catalog.jsonb_build_object('credential', pg_catalog.encode(pg_catalog.sha256(n.sealed_credential), 'hex'))
      from quorate.connections n where n.id = p_resource and n.workspace_id = p_workspace and n.deleted_at is null)
  when p_kind = 'connection_approve' then
    (select pg_catalog.jsonb_build_object('approved', pg_catalog.jsonb_object_agg(c.id, c.approved_fingerprint))
      from quorate.capabilities c join quorate.connections n on n.id = c.connection_id
      where n.id = p_resource and n.workspace_id = p_workspace and n.deleted_at is null and c.removed_at is null
        and p_asked -> 'approved' ? c.id::text)
  when p_kind = 'inventory_risk' then quorate.state_of_risk(p_workspace, p_resource)
  when p_kind = 'evidence_export' then
    (select pg_catalog.jsonb_build_object('export', p_asked -> 'export', 'granted', exists (select from quorate.evidence_grants g
        where g.workspace_id = w.id and g.export = p_asked -> 'export' and g.ends_at > pg_catalog.clock_timestamp()))
      from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'connection_permits' then
    (select pg_catalog.jsonb_build_object('personalData', n.personal_data_allowed, 'repeats', n.idempotent)
      from quorate.connections n where n.id = p_resource and n.workspace_id = p_workspace and n.deleted_at is null)
  else
    (select pg_catalog.jsonb_build_object('roles', m.roles)
      from quorate.members m where m.workspace_id = p_workspace and m.user_id = p_resource)
  end
$$;

create or replace function quorate.leads_to(p_kind text, p_resource uuid, p_before jsonb, p_after jsonb) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(case p_kind
    when 'policy_pause' then p_after = p_before || '{"status":"inactive"}' and p_before <> p_after
    when 'policy_activate' then p_after = p_before || '{"status":"active"}' and p_before <> p_after
    when 'member_roles' then p_after = pg_catalog.jsonb_build_object('roles', p_after -> 'roles')
      and pg_catalog.jsonb_array_length(p_after -> 'roles') > 0
      and p_after -> 'roles' <@ '["user", "builder", "approver", "auditor", "admin"]'
    when 'member_remove' then p_after = 'null'
    when 'workspace_settings' then p_after = pg_catalog.jsonb_build_object('reviewsEffects', p_after -> 'reviewsEffects')
      and pg_catalog.jsonb_typeof(p_after -> 'reviewsEffects') = 'boolean' and p_before <> p_after
    when 'workspace_proof' then p_after = pg_catalog.jsonb_build_object('proof', p_after -> 'proof')
      and quorate.is_proof(p_after -> 'proof') and p_before <> p_after
    when 'workspace_network' then p_before <> p_after and p_after = pg_catalog.jsonb_build_object('network', p_after -> 'network')
      and (p_after -> 'network' = '"instance"' or pg_catalog.jsonb_typeof(p_after -> 'network') = 'array')
    when 'workspace_checkpoints' then p_before <> p_after
      and p_after = pg_catalog.jsonb_build_object('mail', p_after -> 'mail', 'webhook', p_after -> 'webhook')
      and pg_catalog.jsonb_typeof(p_after -> 'mail') = 'boolean'
      and (p_after -> 'webhook' = 'null' or p_after #>> '{webhook,digest}' ~ '^[0-9a-f]{64}$')
    when 'workspace_sign_in' then p_before <> p_after and quorate.is_sign_in(p_resource, p_after)
    when 'workspace_sessions' then p_before <> p_after and quorate.is_session_rules(p_after)
    when 'workspace_groups' then p_before <> p_after and p_after = pg_catalog.jsonb_build_object('groups', p_after -> 'groups')
      and quorate.is_group_roles(p_after -> 'groups')
    when 'connection_credential' then p_before <> p_after
      and p_after = pg_catalog.jsonb_build_object('credential', p_after -> 'credential') and p_after ->> 'credential' ~ '^[0-9a-f]{64}$'
    when 'inventory_risk' then p_after = pg_catalog.jsonb_build_object('riskClass', p_after -> 'riskClass')
      and quorate.lowers_risk(p_before ->> 'riskClass', p_after ->> 'riskClass')
      and (p_after -> 'riskClass' = 'null' or p_after ->> 'riskClass' in ('minimal', 'limited', 'high'))
    when 'evidence_export' then p_before ->> 'granted' = 'false' and p_after = p_before || '{"granted":true}'
      and quorate.is_export(p_after -> 'export')
    when 'connection_permits' then p_before <> p_after
      and p_after = pg_catalog.jsonb_build_object('personalData', p_after -> 'personalData', 'repeats', p_after -> 'repeats')
      and pg_catalog.jsonb_typeof(p_after -> 'personalData') = 'boolean' and pg_catalog.jsonb_typeof(p_after -> 'repeats') = 'boolean'
    when 'connection_approve' then p_before <> p_after and p_after = (
      select pg_catalog.jsonb_build_object('approved', pg_catalog.jsonb_object_agg(c.id, c.fingerprint)) from quorate.capabilities c
        where c.connection_id = p_resource and c.removed_at is null and p_before -> 'approved' ? c.id::text)
    -- of a policy, a workflow or an agent
    else p_kind like '%publish' and p_before || '{"status":"active"}' || jsonb_build_object('versionId', p_after -> 'versionId') = p_after
      and exists (select from quorate.versions v where v.artifact_id = p_resource and v.id::text = p_after ->> 'versionId') end, false)
$$;

create or replace function quorate.apply_control_change(c quorate.control_changes) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not quorate.lasting_roles(c.workspace_id, c.requested_by) && quorate.askers_of_control(c.kind) then
    raise exception 'who asked may not any more' using errcode = 'QV015';
  end if;
  if quorate.artifact_of_control(c.kind) is not null then
    perform from quorate.artifacts a where a.id = c.resource_id and a.workspace_id = c.workspace_id for update;
  elsif c.kind = 'connection_approve' then
    perform from quorate.capabilities x
      where x.connection_id = c.resource_id and (c.subject #> '{before,approved}')::jsonb ? x.id::text for update;
  elsif c.kind in ('connection_permits', 'connection_credential') then
    perform from quorate.connections n where n.id = c.resource_id and n.workspace_id = c.workspace_id for update;
  elsif c.kind = 'inventory_risk' then
    perform quorate.lock_agent_record(c.workspace_id, c.resource_id);
  elsif c.kind like 'member_%' then
    perform from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id for update;
  end if;
  if quorate.state_of_control(c.workspace_id, c.kind, c.resource_id, (c.subject -> 'before')::jsonb)
      is distinct from (c.subject -> 'before')::jsonb
    or not quorate.leads_to(c.kind, c.resource_id, (c.subject -> 'before')::jsonb, (c.subject -> 'after')::jsonb) then
    raise exception 'it is not so any more' using errcode = 'QV016';
  end if;
  if quorate.artifact_of_control(c.kind) is not null then
    update quorate.artifacts a
      set status = c.subject #>> '{after,status}', published_version_id = (c.subject #>> '{after,versionId}')::uuid,
        updated_at = pg_catalog.clock_timestamp()
      where a.id = c.resource_id and a.workspace_id = c.workspace_id;
  elsif c.kind = 'member_roles' then
    update quorate.members m
      set roles = array(select r from pg_catalog.json_array_elements_text(c.subject #> '{after,roles}') r)
      where m.workspace_id = c.workspace_id and m.user_id = c.resource_id;
  elsif c.kind = 'member_remove' then
    delete from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id;
  elsif c.kind = 'inventory_risk' then
    perform quorate.put_risk_class(c.workspace_id, c.resource_id, c.subject #>> '{after,riskClass}');
  elsif c.kind = 'evidence_export' then
    insert into quorate.evidence_grants (change_id, workspace_id, user_id, export, ends_at)
    values (c.id, c.workspace_id, c.requested_by, (c.subject #> '{after,export}')::jsonb,
      coalesce((select b.ends_at from quorate.break_glass b where b.change_id = c.id), pg_catalog.clock_timestamp() + interval '24 hours'));
  elsif c.kind = 'connection_permits' then
    update quorate.connections n
      set personal_data_allowed = (c.subject #>> '{after,personalData}')::boolean, idempotent = (c.subject #>> '{after,repeats}')::boolean,
        updated_at = pg_catalog.clock_timestamp()
      where n.id = c.resource_id and n.workspace_id = c.workspace_id;
  elsif c.kind = 'connection_approve' then
    update quorate.capabilities x
      set approved_fingerprint = x.fingerprint, approved_definition = x.definition, approved_by = c.requested_by,
        approved_at = pg_catalog.clock_timestamp()
      where x.connection_id = c.resource_id and (c.subject #> '{after,approved}')::jsonb ? x.id::text;
  elsif c.kind = 'workspace_proof' then
    update quorate.workspaces w set proof = (c.subject #> '{after,proof}')::jsonb where w.id = c.workspace_id;
  elsif c.kind = 'workspace_network' then
    update quorate.workspaces w set private_network = (c.subject #> '{after,network}')::jsonb where w.id = c.workspace_id;
  elsif c.kind = 'workspace_sign_in' then
    update quorate.workspaces w set sign_in = (c.subject -> 'after')::jsonb where w.id = c.workspace_id;
  elsif c.kind = 'workspace_sessions' then
    update quorate.workspaces w set session_rules = (c.subject -> 'after')::jsonb where w.id = c.workspace_id;
  elsif c.kind = 'workspace_groups' then
    delete from quorate.group_roles g where g.workspace_id = c.workspace_id;
    insert into quorate.group_roles (workspace_id, group_name, roles)
      select c.workspace_id, g.key, array(select pg_catalog.json_array_elements_text(g.value))
      from pg_catalog.json_each(c.subject #> '{after,groups}') g;
  elsif c.kind = 'workspace_checkpoints' then
    update quorate.workspaces w
      set settings = w.settings || pg_catalog.jsonb_build_object('checkpoints', pg_catalog.convert_from(s.secret, 'UTF8')::jsonb)
      from quorate.control_secrets s where w.id = c.workspace_id and s.change_id = c.id;
  elsif c.kind = 'connection_credential' then
    update quorate.connections n
      set sealed_credential = s.secret, status = 'connected', last_error = null, updated_at = pg_catalog.clock_timestamp()
      from quorate.control_secrets s where n.id = c.resource_id and n.workspace_id = c.workspace_id and s.change_id = c.id;
  else
    update quorate.workspaces w set reviews_effects = (c.subject #>> '{after,reviewsEffects}')::boolean where w.id = c.workspace_id;
  end if;
end $$;

create trigger guard_session_rules before update on quorate.workspaces for each row
  when (old.session_rules is distinct from new.session_rules) execute function quorate.guard_session_rules();

revoke all on function quorate.network_of(text), quorate.is_within(text, jsonb), quorate.is_session_rules(jsonb),
  quorate.loosens_sessions(jsonb, jsonb), quorate.guard_session_rules(), quorate.is_asked_for_factor(uuid),
  quorate.session_owes(uuid, uuid, uuid, text) from public;
grant execute on function quorate.network_of(text), quorate.is_within(text, jsonb), quorate.is_session_rules(jsonb),
  quorate.loosens_sessions(jsonb, jsonb) to quorate_member;
revoke all on function quorate.lacks_factor(uuid, uuid), quorate.own_second_factor(uuid), quorate.become_member(uuid, uuid, uuid, text),
  quorate.memberships_of(uuid, uuid, int, text), quorate.replace_recovery_codes(uuid, uuid, bytea[], text) from public;
grant execute on function quorate.lacks_factor(uuid, uuid), quorate.memberships_of(uuid, uuid, int, text),
  quorate.replace_recovery_codes(uuid, uuid, bytea[], text) to quorate_app;
grant execute on function quorate.own_second_factor(uuid), quorate.become_member(uuid, uuid, uuid, text) to quorate_member;

drop trigger audited_update on quorate.workspaces;
create constraint trigger audited_update after update on quorate.workspaces deferrable initially deferred for each row
  when (row(old.name, old.slug, old.plan, old.settings, old.private_network, old.halted_at, old.reviews_effects, old.proof, old.sign_in,
      old.session_rules)
    is distinct from row(new.name, new.slug, new.plan, new.settings, new.private_network, new.halted_at, new.reviews_effects, new.proof,
      new.sign_in, new.session_rules))
  execute function quorate.require_audit_event();

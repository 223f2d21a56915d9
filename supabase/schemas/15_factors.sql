-- Factors of ours: passkeys (WebAuthn) beside whichever account service, and authenticator apps (TOTP) where that has none.

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

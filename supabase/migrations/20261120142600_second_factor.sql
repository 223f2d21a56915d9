-- Second factors are the auth service's; which session owes one, and the codes for who has lost theirs, are ours.

create table quorate.recovery_codes (
  user_id uuid not null references public.profiles (id) on delete cascade,
  -- SHA-256: the codes have 80 random bits, so nothing slower is needed
  code_hash bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
create table quorate.recovered_sessions (
  session_id uuid primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  at timestamptz not null default now()
);
create index recovered_sessions_user on quorate.recovered_sessions (user_id);
-- Only the functions below reach them.
alter table quorate.recovery_codes enable row level security;
alter table quorate.recovered_sessions enable row level security;
revoke all on quorate.recovery_codes, quorate.recovered_sessions from quorate_member, quorate_worker, quorate_app;

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
  if quorate.current_user_id() is null or quorate.current_key_id() is not null then raise exception 'only people have codes' using errcode = 'QP005'; end if;
  delete from quorate.recovery_codes c where c.user_id = quorate.current_user_id();
  insert into quorate.recovery_codes (user_id, code_hash) select quorate.current_user_id(), h from pg_catalog.unnest(p_hashes) h;
end $$;

-- An event in each workspace of a person, of what they did to their account.
create function quorate.note_account_event(p_user uuid, p_action text) returns void
language sql security definer set search_path = '' as $$
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
  select pg_catalog.gen_random_uuid(), m.workspace_id, 'member', p_user, m.name, p_action, 'member', p_user::text, m.name, '{}',
    pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid())
  from quorate.members m where m.user_id = p_user
$$;

-- Takes one code, once; from then on this session owes no factor. False: there is no such code, or it was used.
create function quorate.use_recovery_code(p_user uuid, p_session uuid, p_hash bytea) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now())) then
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

revoke all on function quorate.has_second_factor(uuid), quorate.owes_second_factor(uuid, uuid), quorate.own_second_factor(uuid), quorate.replace_recovery_codes(bytea[]),
  quorate.note_account_event(uuid, text), quorate.use_recovery_code(uuid, uuid, bytea), quorate.drop_lost_factor(uuid, uuid) from public;
grant execute on function quorate.has_second_factor(uuid), quorate.owes_second_factor(uuid, uuid), quorate.use_recovery_code(uuid, uuid, bytea), quorate.drop_lost_factor(uuid, uuid) to quorate_app;
grant execute on function quorate.own_second_factor(uuid), quorate.replace_recovery_codes(bytea[]) to quorate_member;

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
  -- a company's directory, with the token that a workspace gave it: it reaches what came by provisioning, and nothing else
  if not exists (select from pg_roles where rolname = 'quorate_directory') then create role quorate_directory nologin noinherit; end if;
  if not exists (select from pg_roles where rolname = 'quorate_app') then create role quorate_app nologin noinherit nobypassrls; end if;
end $$;
grant quorate_member, quorate_worker, quorate_directory to quorate_app;
grant usage on schema quorate to quorate_app, quorate_member, quorate_worker, quorate_directory;
revoke all on schema quorate from public;
-- A process that stands still in the middle of a transaction holds its locks: no transaction of ours waits for anything but the database.
alter role quorate_app set idle_in_transaction_session_timeout = '15s';

-- Documents, inputs, outputs and subjects keep the order of keys in which they were written: jsonb sorts keys by length.
-- The check reads the text as jsonb once, so that whatever jsonb refuses (U+0000, half a surrogate pair) stays refused
-- and a query may always read the column as jsonb.
create domain quorate.ordered_json as json check ((value::jsonb is null) = (value is null));

-- The key by which the database knows a process of Quorate and its own seals: of HMAC-SHA-256 (RFC 2104), as the two pads that are hashed.
-- It follows from QUORATE_SECRET_KEY, is written at each start, and is read by nobody but the owner (decision 52).
create table quorate.process_key (
  is_only boolean primary key default true check (is_only),
  inner_pad bytea not null check (octet_length(inner_pad) = 64),
  outer_pad bytea not null check (octet_length(outer_pad) = 64)
);
alter table quorate.process_key enable row level security;

-- HMAC-SHA-256.
create function quorate.hmac_of(p_message text) returns bytea language plpgsql stable security definer set search_path = '' as $$
declare k quorate.process_key;
begin
  select * into strict k from quorate.process_key;
  return pg_catalog.sha256(k.outer_pad || pg_catalog.sha256(k.inner_pad || pg_catalog.convert_to(p_message, 'UTF8')));
end $$;

-- The login's password alone opens nothing: a session begins with an HMAC over its own number and the time by the database's clock, not a
-- minute ago. Sent as parameters, since a login is shown the text of what its other sessions run.
create function quorate.open_session(p_at text, p_hmac bytea) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if abs(extract(epoch from pg_catalog.clock_timestamp()) - p_at::numeric) < 60 is not true
    or p_hmac is distinct from quorate.hmac_of('open ' || pg_catalog.pg_backend_pid() || ' ' || p_at) then
    raise exception 'not a process of Quorate' using errcode = 'QP008';
  end if;
  perform pg_catalog.set_config('quorate.session', quorate.hmac_of('session ' || pg_catalog.pg_backend_pid())::text, false);
end $$;

-- Refuses a session that no process of Quorate has opened. Whoever may act as the owner of the functions needs none.
create function quorate.require_session() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if pg_catalog.current_setting('quorate.session', true) is distinct from
      quorate.hmac_of('session ' || pg_catalog.pg_backend_pid())::text
    and not pg_catalog.pg_has_role(session_user, current_user, 'usage') then
    raise exception 'not a process of Quorate' using errcode = 'QP008';
  end if;
end $$;

-- Whoever is asking, until the transaction ends: user, session, workspace, roles, key, scopes and trigger, sealed for this session and this
-- transaction. For the functions that know; the login may write the settings, but not the seal.
create function quorate.open_principal(p_user uuid, p_session uuid, p_workspace uuid, p_roles text[], p_key uuid, p_scopes text[],
  p_trigger uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare v_principal text := pg_catalog.format('%s|%s|%s|%s|%s|%s|%s', p_user, p_session, p_workspace,
  pg_catalog.array_to_string(p_roles, ','), p_key, pg_catalog.array_to_string(p_scopes, ','), p_trigger);
begin
  perform pg_catalog.set_config('quorate.principal', v_principal, true), pg_catalog.set_config('quorate.seal',
    quorate.hmac_of(pg_catalog.pg_backend_pid() || ' ' || extract(epoch from now()) || ' ' || v_principal)::text, true);
end $$;

-- One part of who is asking; null where nobody is. What has changed since it was sealed, or was sealed elsewhere, is refused. Asked several
-- times by each statement, so that it hashes without the function above. Restricted to the first process of a query, whose number the seal
-- holds.
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

create function quorate.current_user_id() returns uuid language sql stable parallel restricted
  as $$ select quorate.part_of_principal(1)::uuid $$;

-- The session by which a person is signed in.
create function quorate.current_session_id() returns uuid language sql stable parallel restricted
  as $$ select quorate.part_of_principal(2)::uuid $$;

create function quorate.current_workspace_id() returns uuid language sql stable parallel restricted
  as $$ select quorate.part_of_principal(3)::uuid $$;

create function quorate.current_key_id() returns uuid language sql stable parallel restricted
  as $$ select quorate.part_of_principal(5)::uuid $$;

create function quorate.current_trigger_id() returns uuid language sql stable parallel restricted
  as $$ select quorate.part_of_principal(7)::uuid $$;

create function quorate.has_role(variadic wanted text[]) returns boolean language sql stable parallel restricted as $$
  select coalesce(string_to_array(quorate.part_of_principal(4), ',') && wanted, false)
$$;

create function quorate.sees_all_runs() returns boolean language sql stable parallel restricted
  as $$ select quorate.has_role('builder', 'approver', 'auditor', 'admin') $$;

-- Any member.
create function quorate.may_start_runs() returns boolean language sql stable parallel restricted
  as $$ select quorate.has_role('user', 'builder', 'approver', 'auditor', 'admin') $$;

-- True for people; for a key, when it has one of these scopes.
create function quorate.key_may(variadic wanted text[]) returns boolean language sql stable parallel restricted as $$
  select coalesce(string_to_array(quorate.part_of_principal(6), ',') && wanted,
    quorate.part_of_principal(1) is not null and quorate.part_of_principal(5) is null)
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

revoke all on function quorate.hmac_of(text), quorate.open_session(text, bytea), quorate.require_session(),
  quorate.open_principal(uuid, uuid, uuid, text[], uuid, text[], uuid), quorate.part_of_principal(int), quorate.current_user_id(),
  quorate.current_session_id(), quorate.current_workspace_id(), quorate.current_key_id(), quorate.current_trigger_id(),
  quorate.has_role(text[]), quorate.sees_all_runs(), quorate.may_start_runs(), quorate.key_may(text[]), quorate.make_id(),
  quorate.halt_lock(uuid), quorate.refuse_change(), quorate.require_audit_event(), quorate.bump_config_revision(),
  quorate.bump_network_revision() from public;
grant execute on function quorate.open_session(text, bytea) to quorate_app;
grant execute on function quorate.part_of_principal(int), quorate.current_user_id(), quorate.current_workspace_id(),
  quorate.current_key_id(), quorate.current_trigger_id(), quorate.has_role(text[]), quorate.sees_all_runs(), quorate.may_start_runs(),
  quorate.key_may(text[]), quorate.halt_lock(uuid) to quorate_member;
grant execute on function quorate.part_of_principal(int), quorate.current_user_id(), quorate.current_workspace_id(),
  quorate.current_key_id(), quorate.has_role(text[]), quorate.sees_all_runs(), quorate.halt_lock(uuid) to quorate_worker;
grant execute on function quorate.part_of_principal(int), quorate.current_workspace_id(), quorate.current_key_id() to quorate_directory;

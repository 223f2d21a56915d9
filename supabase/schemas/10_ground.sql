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

-- Any member.
create function quorate.may_start_runs() returns boolean language sql stable parallel safe
  as $$ select quorate.has_role('user', 'builder', 'approver', 'auditor', 'admin') $$;

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
  quorate.has_role(text[]), quorate.sees_all_runs(), quorate.may_start_runs(), quorate.key_may(text[]), quorate.make_id(),
  quorate.halt_lock(uuid), quorate.refuse_change(), quorate.require_audit_event(), quorate.bump_config_revision(),
  quorate.bump_network_revision() from public;
grant execute on function quorate.current_user_id(), quorate.current_workspace_id(), quorate.current_key_id(), quorate.current_trigger_id(),
  quorate.has_role(text[]), quorate.sees_all_runs(), quorate.may_start_runs(), quorate.key_may(text[]), quorate.halt_lock(uuid)
  to quorate_member;
grant execute on function quorate.current_user_id(), quorate.current_workspace_id(), quorate.current_key_id(), quorate.has_role(text[]),
  quorate.sees_all_runs(), quorate.halt_lock(uuid) to quorate_worker;

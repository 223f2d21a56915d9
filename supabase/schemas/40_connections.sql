-- Connections of a workspace and their capabilities.

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
  failed_checks int not null default 0,
  -- Limits of a connection's own: calls at once and calls a minute, kept over all processes; and the pause that a peer asks for. A call
  -- that finds no room leaves its worker and waits in line. Connections with neither limit nor pause have no row here, and nothing is
  -- counted.
  calls_at_once int check (calls_at_once between 1 and 9999),
  calls_a_minute int check (calls_a_minute between 1 and 99999)
);
create unique index connections_slug on quorate.connections (workspace_id, slug) where deleted_at is null;
create index connections_list on quorate.connections (workspace_id, kind, name, id) where deleted_at is null;
-- Plugins list tools of both kinds by name.
create index connections_plugins on quorate.connections (workspace_id, name, id) where deleted_at is null and kind in ('mcp', 'app');
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

-- A member who may connect may list and pin; only an approver or an admin approves, and only what the peer says now.
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

-- Pausing takes the right to connect.
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

-- How each capability did lately: for routing alone.
create function quorate.read_capability_records(p_workspace uuid)
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
  select quorate.require_session();
  update quorate.connections n set next_check_at = pg_catalog.clock_timestamp() + p_lease
  where n.id in (select x.id from quorate.connections x
    where x.deleted_at is null and x.paused_at is null and x.next_check_at <= pg_catalog.clock_timestamp()
    order by x.next_check_at limit p_limit for update skip locked)
  returning n.id, n.workspace_id
$$;

-- A peer said that its list has changed: to whoever is connected to that address.
create function quorate.request_checks_of(p_endpoint text) returns void language sql security definer set search_path = '' as $$
  select quorate.require_session();
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

-- The columns that everyone in the workspace may read.
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
  last_check_at, last_error, updated_at, deleted_at, paused_at, idempotent, calls_at_once,
  calls_a_minute) on quorate.connections to quorate_member;
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
  quorate.claim_connection_checks(int, interval), quorate.request_checks_of(text) from public;
grant execute on function quorate.claim_connection_checks(int, interval), quorate.request_checks_of(text) to quorate_app;
grant execute on function quorate.list_capability_records(uuid) to quorate_member;
grant execute on function quorate.read_run_config(uuid), quorate.read_capability_records(uuid) to quorate_worker;

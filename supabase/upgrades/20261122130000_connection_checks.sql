-- Connections are checked again by themselves: each has a time, and whoever takes it puts the time off, so that processes share the work.
-- `failed_checks`: failures in a row, since one lost answer says nothing of a peer.
alter table quorate.connections
  add column next_check_at timestamptz not null default (now() + interval '1 hour'),
  add column failed_checks int not null default 0;
create index connections_due on quorate.connections (next_check_at) where deleted_at is null;

-- A worker lists and pins what a peer offers now, and never approves it: the columns of an approval are not granted.
create policy worker_checks on quorate.connections for update to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));
grant update (status, protocol_version, last_check_at, last_error, updated_at, next_check_at, failed_checks)
  on quorate.connections to quorate_worker;
create policy worker_lists on quorate.capabilities for insert to quorate_worker
  with check (workspace_id = (select quorate.current_workspace_id()) and approved_fingerprint is null and approved_by is null);
create policy worker_pins on quorate.capabilities for update to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));
grant insert (id, workspace_id, connection_id, kind, name, title, description, input_schema, output_schema, definition, fingerprint,
  first_seen_at, last_seen_at) on quorate.capabilities to quorate_worker;
grant update (title, description, input_schema, output_schema, definition, fingerprint, last_seen_at, removed_at)
  on quorate.capabilities to quorate_worker;

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
revoke all on function quorate.claim_connection_checks(int, interval), quorate.request_checks_of(text) from public;
grant execute on function quorate.claim_connection_checks(int, interval), quorate.request_checks_of(text) to quorate_app;

-- An approved tool says something else of itself: whoever may approve it again, who builds with it, and who connected it. One check, one
-- message.
create or replace function quorate.notify_changed_tool() returns trigger language plpgsql security definer set search_path = '' as $$
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

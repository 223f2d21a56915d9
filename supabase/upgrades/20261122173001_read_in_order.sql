-- What is read of runs and capabilities comes in the order of its author: the columns are json since 20261122170000.
drop function quorate.read_run_config(uuid);
drop function quorate.read_run_by_key(bytea, uuid);

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
revoke all on function quorate.read_run_config(uuid), quorate.read_run_by_key(bytea, uuid) from public;
grant execute on function quorate.read_run_config(uuid) to quorate_worker;
grant execute on function quorate.read_run_by_key(bytea, uuid) to quorate_app;

-- The ways of a program with a key in one statement each. As statements of their own in one transaction, the same took ten round trips a
-- call.

-- Digest of the workflows in force, as programs see them: other whenever one is published, renamed, paused, resumed or deleted. Versions
-- never
-- change, so that whoever keeps what they read by this digest never serves anything old. `limit` as in `listServedWorkflows`.
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
revoke all on function quorate.served_revision(uuid) from public;
grant execute on function quorate.served_revision(uuid) to quorate_member;

-- Who calls by this key, and the seconds that the key has to wait for its pace: at most as many calls a minute as the workspace has chosen,
-- or
-- `p_usual`, within `p_ceiling`. `revision` only where it is asked for and the key need not wait. Refuses as `become_key`. What is written
-- here need not outlive a crash, so that no call waits for the disk.
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
revoke all on function quorate.open_call(bytea, int, int, boolean) from public;
grant execute on function quorate.open_call(bytea, int, int, boolean) to quorate_app;

-- A run as the program with this key may see it, or no row. Refuses as `become_key`.
create function quorate.read_run_by_key(p_key_hash bytea, p_run uuid) returns table (
  id uuid, workflow_id uuid, workflow text, status text, mode text, input jsonb, output jsonb, error jsonb, request_key text,
  created_at timestamptz, updated_at timestamptz, finished_at timestamptz, asks boolean, approval_id uuid
)
language plpgsql volatile security invoker set search_path = '' as $$
declare v_workspace uuid;
begin
  perform pg_catalog.set_config('role', 'quorate_member', true);
  select k.workspace_id into v_workspace from quorate.become_key(p_key_hash) k;
  return query
    select r.id, r.artifact_id, a.name, r.status, r.mode, r.input, r.output, r.error, r.request_key, r.created_at, r.updated_at,
      r.finished_at,
      r.status = 'waiting' and exists (select from quorate.list_asking_runs(array[r.id])),
      case when r.status = 'waiting'
        then (select p.id from quorate.approvals p where p.run_id = r.id and p.status = 'pending' order by p.id limit 1) end
    from quorate.runs r join quorate.artifacts a on a.id = r.artifact_id
    where r.id = p_run and r.workspace_id = v_workspace;
end $$;
revoke all on function quorate.read_run_by_key(bytea, uuid) from public;
grant execute on function quorate.read_run_by_key(bytea, uuid) to quorate_app;

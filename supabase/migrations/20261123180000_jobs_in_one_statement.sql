-- The job of a run is written by one statement, whoever starts it.
-- Puts runs into the queue in the caller's transaction: the jobs are what pg-boss writes for some without options of their own. Places as
-- in `RunQueue`, the highest last. A member sends runs of the workspace that is open.
create function quorate.send_run_jobs(p_workspaces uuid[], p_runs uuid[], p_places int[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if pg_catalog.current_setting('role') = 'quorate_member'
    and exists (select from unnest(p_workspaces) as x (id) where x.id is distinct from quorate.current_workspace_id()) then
    raise exception 'another workspace' using errcode = '42501';
  end if;
  insert into pgboss.job (
    name, data, priority, start_after, created_on, expire_seconds, deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff,
    retry_delay_max, policy, dead_letter, heartbeat_seconds, blocked, blocking, pending_dependencies)
  select q.name, pg_catalog.jsonb_build_object('runId', j.run, 'workspaceId', j.workspace), -j.place, pgboss.job_now(),
    pgboss.job_now(), q.expire_seconds, q.deletion_seconds, pgboss.job_now() + q.retention_seconds * interval '1s', q.retry_limit,
    q.retry_delay, coalesce(q.retry_backoff, false), q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds, false, false, 0
  from pgboss.queue q, unnest(p_workspaces, p_runs, p_places) as j (workspace, run, place) where q.name = 'drive_run';
  if not found then raise exception 'the queue is missing'; end if;
  perform pg_catalog.pg_notify('quorate_runs', '');
end $$;

revoke all on function quorate.send_run_jobs(uuid[], uuid[], int[]) from public;
grant execute on function quorate.send_run_jobs(uuid[], uuid[], int[]) to quorate_app, quorate_member, quorate_worker;

create or replace function quorate.start_run_by_key(
  p_key_hash bytea, p_run uuid, p_artifact uuid, p_version uuid, p_trigger text, p_input json, p_request_key text, p_room int,
  p_since timestamptz, p_below int, p_place int, p_event uuid, p_name text, p_payload jsonb, p_salt bytea, p_worker uuid, p_ceiling int
) returns table (created_at timestamptz, claim json, granted uuid[], limited boolean)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare k record;
begin
  perform pg_catalog.set_config('role', 'quorate_member', true);
  select * into k from quorate.become_key(p_key_hash);
  perform from quorate.workspaces w join quorate.artifacts a on a.workspace_id = w.id
    where w.id = k.workspace_id and w.halted_at is null and a.id = p_artifact and a.status = 'active' and a.deleted_at is null;
  if not found then return; end if;
  if quorate.count_queued_runs(k.workspace_id, p_room) >= p_room then return; end if;
  if p_below is not null then
    if quorate.count_live_runs(k.workspace_id, p_since, p_below) >= p_below then return; end if;
  end if;
  insert into quorate.runs as r (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, request_key)
  values (p_run, k.workspace_id, p_artifact, p_version, 'live', p_trigger, k.user_id, p_input, p_request_key)
  on conflict (workspace_id, initiator_id, request_key) where request_key is not null do nothing
  returning r.created_at into start_run_by_key.created_at;
  if not found then return; end if;
  insert into quorate.audit_events (
    id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
  values (p_event, k.workspace_id, 'key', k.key_id, k.key_name, 'run.started', 'run', p_run::text, p_name, p_payload, p_salt);
  if p_worker is not null then
    perform pg_catalog.set_config('role', 'quorate_worker', true);
    select c.a, c.granted, c.limited into claim, granted, limited
    from quorate.claim_run_within_limits(k.workspace_id, p_run, p_worker, p_ceiling) c;
    return next;
    return;
  end if;
  perform quorate.send_run_jobs(array[k.workspace_id], array[p_run], array[p_place]);
  return next;
end $$;

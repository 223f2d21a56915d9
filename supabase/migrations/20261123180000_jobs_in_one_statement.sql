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

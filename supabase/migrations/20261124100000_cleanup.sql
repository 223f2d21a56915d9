-- Steps that run when a run has failed or was cancelled.
alter table quorate.steps drop constraint steps_kind_check;
alter table quorate.steps add constraint steps_kind_check
  check (kind in ('tool', 'agent', 'approval', 'branch', 'transform', 'model', 'for_each', 'wait', 'try', 'http', 'repeat',
    'sub_workflow', 'message', 'cleanup'));

-- Steps without an effect: branch, loop, item of a loop, transform, skipped, and an agent that a step stands for.
create or replace function quorate.write_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_rows json) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, reason, input, output,
    error, input_digest, output_digest, started_at, finished_at, agent_id, item_of, item_index, within)
  select p_run, p_workspace, r.path, r."stepId", r.kind, r.name, r.status, p_attempt, p_run::text || '/' || r.path, r.reason, r.input,
    r.output, r.error, r."inputDigest", r."outputDigest", r."startedAt", r."finishedAt", r."agentId",
    quorate.loop_of_item(r.path), quorate.index_of_item(r.path), quorate.item_around(r.path)
  from pg_catalog.json_to_recordset(p_rows) as r (path text, "stepId" text, kind text, name text, status text, reason jsonb, input json,
    output json, error jsonb, "inputDigest" text, "outputDigest" text, "startedAt" timestamptz, "finishedAt" timestamptz, "agentId" uuid)
  on conflict (run_id, path) do update set status = excluded.status, output = excluded.output, output_digest = excluded.output_digest,
    error = excluded.error, finished_at = excluded.finished_at, reason = coalesce(excluded.reason, quorate.steps.reason),
    input = coalesce(quorate.steps.input, excluded.input), input_digest = coalesce(quorate.steps.input_digest, excluded.input_digest)
    -- what holds steps or waits, and an agent of the workspace, stands as processing until it ends; everything else is written once
    where (quorate.steps.kind in ('branch', 'for_each', 'repeat', 'wait', 'try', 'sub_workflow', 'cleanup')
        or quorate.steps.agent_id is not null)
      and quorate.steps.status = 'processing'
      -- a try learns of the error that it has caught on the way
      and (excluded.status <> 'processing' or quorate.steps.kind = 'try');
end $$;

-- Whether nobody waits for this run any more: its caller has ended without it, or runs the steps for a bad end and the call is none of
-- them. A run that cleans up for that reason has heard of it.
create or replace function quorate.has_lost_caller(p_run quorate.runs) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_run.caller_run_id is not null
    and exists (select from quorate.runs c where c.id = p_run.caller_run_id and (c.status in ('failed', 'cancelled')
      or exists (select from quorate.steps s where s.run_id = c.id and s.within is null and s.item_index is null and s.kind = 'cleanup'
        and s.status <> 'skipped' and not pg_catalog.starts_with(p_run.caller_path, s.path || '/'))))
    and not exists (select from quorate.steps s where s.run_id = p_run.id and s.within is null and s.item_index is null
      and s.kind = 'cleanup');
end $$;

-- Runs that this worker drives and somebody wants to end, or nobody waits for any more.
create or replace function quorate.list_cancelled_runs(p_worker uuid) returns table (run_id uuid)
  language sql stable security definer set search_path = '' as $$
  select r.id from quorate.runs r
    where r.claimed_by = p_worker and r.status = 'processing'
      and (r.cancel_requested_at is not null or (r.caller_run_id is not null and quorate.has_lost_caller(r)))
$$;

-- Writes how the run ends (the row of the step that holds the steps for it) with the rows that come before it. Approvals that are still
-- asked for are withdrawn, no step of it stands in line any more, and runs that its steps have started are cancelled by whoever drives
-- them next; these are answered, and the caller queues them. A cancellation has been heard by this: another one ends the cleanup.
-- `cancelled`: one came while the steps for a failure were about to begin.
create function quorate.begin_cleanup(p_workspace uuid, p_run uuid, p_attempt int, p_event uuid, p_row json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_name text; v_related uuid[]; v_ended text := p_row #>> '{0,input,ended}'; v_path text := p_row #>> '{0,path}';
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  -- said a second time, since the first answer was lost
  if exists (select from quorate.steps s where s.run_id = p_run and s.path = v_path) then return '{"state":"begun","related":[]}'; end if;
  if r.cancel_requested_at is not null and v_ended <> 'cancelled' then return '{"state":"cancelled"}'; end if;
  if p_local is not null and not quorate.is_held(r) then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_row);
  update quorate.approvals a set status = 'withdrawn' where a.run_id = p_run and a.status in ('pending', 'approved');
  delete from quorate.connection_calls x where x.run_id = p_run and x.state <> 'calling';
  update quorate.runs x set cancel_requested_at = null, updated_at = clock_timestamp() where x.id = p_run;
  with woken as (
    update quorate.runs x set wake = true
      where x.caller_run_id = p_run and x.status in ('pending', 'processing', 'waiting') returning x.id)
  select coalesce(pg_catalog.array_agg(w.id), '{}') into v_related from woken w;
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.append_worker_event(p_workspace, p_event, 'run.cleanupStarted', 'run', p_run::text, v_name,
    pg_catalog.jsonb_build_object('ended', v_ended, 'step', v_path));
  return pg_catalog.json_build_object('state', 'begun', 'related', v_related);
end $$;

revoke all on function quorate.begin_cleanup(uuid, uuid, int, uuid, json, json) from public;
grant execute on function quorate.begin_cleanup(uuid, uuid, int, uuid, json, json) to quorate_worker;

-- Steps that run another workflow as a run of its own.
alter table quorate.runs add column caller_run_id uuid;
alter table quorate.runs add column caller_path text;
create unique index runs_caller on quorate.runs (caller_run_id, caller_path) where caller_run_id is not null;
alter table quorate.runs add constraint runs_caller_run foreign key (workspace_id, caller_run_id)
  references quorate.runs (workspace_id, id) on delete set null (caller_run_id);

alter table quorate.steps drop constraint steps_kind_check;
alter table quorate.steps add constraint steps_kind_check
  check (kind in ('tool', 'agent', 'approval', 'branch', 'transform', 'model', 'for_each', 'wait', 'try', 'http', 'repeat',
    'sub_workflow'));

-- What a step may start: the version in force of a workflow, or the one with a number. `cycle`: a run that waits for this one is of that
-- workflow already; `deep`: as many wait for one another as may.
create function quorate.find_called_workflow(p_workspace uuid, p_run uuid, p_attempt int, p_artifact uuid, p_number int) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; a quorate.artifacts; v_version uuid; v_number int; v_callers uuid[];
begin
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  select * into a from quorate.artifacts x
    where x.id = p_artifact and x.workspace_id = p_workspace and x.kind = 'workflow' and x.deleted_at is null;
  select v.id, v.number into v_version, v_number from quorate.versions v
    where v.artifact_id = a.id and case when p_number is null then v.id = a.published_version_id else v.number = p_number end;
  if v_version is null then return '{"state":"unknown"}'; end if;
  if r.mode = 'live' and a.status <> 'active' then
    return pg_catalog.json_build_object('state', 'paused', 'name', a.name);
  end if;
  with recursive callers as (
    select x.id, x.artifact_id, x.caller_run_id from quorate.runs x where x.id = p_run
    union all
    select x.id, x.artifact_id, x.caller_run_id from callers c join quorate.runs x on x.id = c.caller_run_id)
  select pg_catalog.array_agg(c.artifact_id) into v_callers from callers c;
  if a.id = any (v_callers) then return pg_catalog.json_build_object('state', 'cycle', 'name', a.name); end if;
  if pg_catalog.cardinality(v_callers) >= 8 then return pg_catalog.json_build_object('state', 'deep', 'name', a.name); end if;
  return (select pg_catalog.json_build_object('state', 'found', 'versionId', v_version, 'number', v_number, 'name', a.name,
    'plan', w.plan, 'trialEndsAt', w.trial_ends_at) from quorate.workspaces w where w.id = p_workspace);
end $$;

-- Starts the run of a step, with the rows that come before it, the first time; later it is there already. `full`: the plan's executions of
-- the month are used up. The caller queues it; lost on the way, it is found as stalled.
create function quorate.start_called_run(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_call json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_version quorate.versions; v_name text; v_id uuid := (p_call ->> 'runId')::uuid;
  v_quota int := (p_call ->> 'quota')::int;
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if exists (select from quorate.runs x where x.caller_run_id = p_run and x.caller_path = p_path) then return '{"state":"started"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.mode = 'live' and v_quota is not null then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('executions:' || p_workspace::text, 0));
    if (select count(*) from (select from quorate.runs x where x.workspace_id = p_workspace and x.mode = 'live'
      and x.created_at >= (p_call ->> 'since')::timestamptz limit v_quota) m) >= v_quota then
      return '{"state":"full"}';
    end if;
  end if;
  select * into v_version from quorate.versions v where v.id = (p_call ->> 'versionId')::uuid and v.workspace_id = p_workspace;
  select a.name into v_name from quorate.artifacts a where a.id = v_version.artifact_id;
  insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, caller_run_id, caller_path)
  values (v_id, p_workspace, v_version.artifact_id, v_version.id, r.mode, 'workflow', r.initiator_id, p_call -> 'input', p_run, p_path);
  perform quorate.append_worker_event(p_workspace, (p_call ->> 'eventId')::uuid, 'run.started', 'run', v_id::text, v_name,
    pg_catalog.jsonb_build_object('workflow', v_version.artifact_id, 'version', v_version.id, 'mode', r.mode, 'trigger', 'workflow',
      'caller', p_run, 'callerStep', p_path));
  return '{"state":"started"}';
end $$;

-- The run that a step has started, as far as it is. Null: none, or it was deleted meanwhile.
create function quorate.read_called_run(p_workspace uuid, p_run uuid, p_attempt int, p_path text) returns json
language plpgsql security definer set search_path = '' as $$
begin
  if (quorate.hold_run(p_workspace, p_run, p_attempt)).id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('runId', x.id, 'status', x.status, 'output', x.output, 'error', x.error)
    from quorate.runs x where x.caller_run_id = p_run and x.caller_path = p_path);
end $$;

-- Whether nobody waits for this run any more: its caller has ended without it.
create function quorate.has_lost_caller(p_run quorate.runs) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_run.caller_run_id is not null
    and exists (select from quorate.runs c where c.id = p_run.caller_run_id and c.status in ('failed', 'cancelled'));
end $$;

-- The end of a run, for those around it: its caller walks on, and unless it has completed, what it called itself is cancelled by whoever
-- drives it next. Answers these runs, which the caller of this function queues.
create function quorate.wake_related_runs(p_run quorate.runs, p_status text) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare v_related uuid[];
begin
  if p_run.caller_run_id is null and p_status = 'completed' then return '{}'; end if;
  with woken as (
    update quorate.runs x set wake = true
      where (x.id = p_run.caller_run_id or (p_status <> 'completed' and x.caller_run_id = p_run.id))
        and x.status in ('pending', 'processing', 'waiting') returning x.id)
  select coalesce(pg_catalog.array_agg(w.id), '{}') into v_related from woken w;
  return v_related;
end $$;

revoke all on function quorate.find_called_workflow(uuid, uuid, int, uuid, int),
  quorate.start_called_run(uuid, uuid, int, text, json, json), quorate.read_called_run(uuid, uuid, int, text),
  quorate.has_lost_caller(quorate.runs), quorate.wake_related_runs(quorate.runs, text) from public;
grant execute on function quorate.find_called_workflow(uuid, uuid, int, uuid, int),
  quorate.start_called_run(uuid, uuid, int, text, json, json), quorate.read_called_run(uuid, uuid, int, text) to quorate_worker;

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
    where (quorate.steps.kind in ('branch', 'for_each', 'repeat', 'wait', 'try', 'sub_workflow') or quorate.steps.agent_id is not null)
      and quorate.steps.status = 'processing'
      -- a try learns of the error that it has caught on the way
      and (excluded.status <> 'processing' or quorate.steps.kind = 'try');
end $$;

create or replace function quorate.close_run(p_workspace uuid, p_run uuid, p_attempt int, p_close json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_name text; v_steps int; v_decisions int; v_events jsonb; v_close jsonb := p_close;
  v_output json := p_close -> 'output'; v_status text := v_close ->> 'status'; v_at timestamptz;
begin
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then
    return pg_catalog.jsonb_build_object('state', case when exists (select from quorate.runs x where x.id = p_run
      and (x.workspace_id = p_workspace and x.attempt = p_attempt and x.status in ('completed', 'failed', 'cancelled')) is true)
      then 'closed' else 'fenced' end);
  end if;
  -- a cancellation that came while the last step ended still counts
  if r.cancel_requested_at is not null and v_status <> 'cancelled' then return '{"state":"cancelled"}'; end if;
  select count(*) into v_steps from quorate.steps s where s.run_id = p_run;
  select count(*) into v_decisions from quorate.decisions d where d.run_id = p_run;
  if v_steps <> (v_close #>> '{journal,steps}')::int or v_decisions <> (v_close #>> '{journal,decisions}')::int then
    raise exception 'the journal is not what was hashed' using errcode = 'QR002';
  end if;
  update quorate.approvals a set status = 'withdrawn' where a.run_id = p_run and a.status in ('pending', 'approved');
  v_at := clock_timestamp();
  update quorate.runs x set status = v_status, output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end,
    error = nullif(v_close -> 'error', 'null'), journal_hash = v_close #>> '{journal,journal}', claimed_by = null, wake = false,
    finished_at = v_at, updated_at = v_at where x.id = p_run;
  select coalesce(pg_catalog.jsonb_agg(e.id order by e.at, e.id), '[]') into v_events from (
    select x.id, x.at from quorate.audit_events x
    where x.workspace_id = p_workspace and x.resource_kind = 'run' and x.resource_id = p_run::text
    union all select x.id, x.at from quorate.approvals a join quorate.audit_events x on x.workspace_id = p_workspace
      and x.resource_kind = 'approval' and x.resource_id = a.id::text
    where a.run_id = p_run) e;
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.append_worker_event(p_workspace, (v_close ->> 'eventId')::uuid, 'run.' || v_status, 'run', p_run::text, v_name,
    (v_close -> 'journal')
      || pg_catalog.jsonb_build_object('mode', r.mode, 'version', r.version_id, 'attempts', r.attempt, 'events', v_events));
  return pg_catalog.jsonb_build_object('state', 'closed', 'at', v_at, 'related', quorate.wake_related_runs(r, v_status));
end $$;

create or replace function quorate.claim_run(p_workspace uuid, p_run uuid, p_worker uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; w quorate.workspaces; v_author uuid;
begin
  select * into r from quorate.runs x where x.id = p_run and (x.workspace_id = p_workspace) is true for update;
  if r.id is null or r.status in ('completed', 'failed', 'cancelled') then return '{"state":"done"}'; end if;
  if r.status = 'processing' and r.claimed_by is not null and r.claimed_by <> p_worker then
    update quorate.runs x set wake = true where x.id = p_run and not x.wake;
    return '{"state":"busy"}';
  end if;
  select * into w from quorate.workspaces x where x.id = p_workspace;
  if w.halted_at is not null and r.cancel_requested_at is null then
    -- the release puts every open run into the queue again
    if r.status = 'processing' then
      update quorate.runs x set status = 'waiting', claimed_by = null, waiting_since = clock_timestamp(), updated_at = clock_timestamp()
        where x.id = p_run;
    end if;
    return '{"state":"halted"}';
  end if;
  update quorate.runs x set status = 'processing', attempt = x.attempt + 1, claimed_by = p_worker, wake = false,
    started_at = coalesce(x.started_at, clock_timestamp()), updated_at = clock_timestamp(), waiting_ms = x.waiting_ms
      + case when x.waiting_since is null then 0 else (extract(epoch from clock_timestamp() - x.waiting_since) * 1000)::bigint end,
    waiting_since = null
    where x.id = p_run returning * into r;
  select v.author_id into v_author from quorate.versions v where v.id = r.version_id and (v.workspace_id = p_workspace) is true;
  return pg_catalog.json_build_object('state', 'claimed', 'attempt', r.attempt, 'versionId', r.version_id, 'artifactId', r.artifact_id,
    'mode', r.mode, 'input', r.input, 'initiatorId', r.initiator_id,
    'initiatorRoles', coalesce((select pg_catalog.to_json(m.roles) from quorate.members m
      where m.workspace_id = p_workspace and m.user_id = r.initiator_id), '[]'),
    'versionAuthorId', v_author, 'createdAt', r.created_at,
    'cancelled', r.cancel_requested_at is not null or quorate.has_lost_caller(r), 'waitingMs', r.waiting_ms,
    'revision', w.config_revision,
    'steps', case when r.attempt = 1 then '[]'::json else quorate.read_journal(p_run) end,
    'loops', case when r.attempt = 1 then '[]'::json else quorate.list_loops(p_run) end,
    'approvals', case when r.attempt = 1 then '[]'::json else (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'path', a.step_path, 'status', a.status,
        'digest', a.action_digest, 'dueAt', a.due_at,
        'approvedBy', (select coalesce(pg_catalog.json_agg(v.user_id), '[]') from quorate.approval_votes v
          where v.approval_id = a.id and v.vote = 'approve'))), '[]')
      from quorate.approvals a where a.run_id = p_run) end);
end $$;

create or replace function quorate.list_cancelled_runs(p_worker uuid) returns table (run_id uuid)
  language sql stable security definer set search_path = '' as $$
  select r.id from quorate.runs r left join quorate.runs c on c.id = r.caller_run_id
    where r.claimed_by = p_worker and r.status = 'processing'
      and (r.cancel_requested_at is not null or c.status in ('failed', 'cancelled'))
$$;

-- Runs that steps of other runs start: the caller waits for their end.

-- The version that a step may start: the one in force of a workflow, or the one with a number. `cycle`: a run that waits for this one is
-- of that workflow already; `deep`: as many wait for one another as may.
create function quorate.find_called_workflow(p_workspace uuid, p_run uuid, p_attempt int, p_artifact uuid, p_number int) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; a quorate.artifacts; v_version uuid; v_number int; v_callers uuid[];
begin
  perform quorate.require_session();
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

-- The failed run that a step is to continue, called by the run from which this one continues. Null: it was deleted meanwhile. `statuses`:
-- those of its steps outside loops, by path.
create function quorate.read_failed_call(p_workspace uuid, p_run uuid, p_attempt int, p_called uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('number', v.number, 'input', x.input,
    'statuses', (select coalesce(pg_catalog.json_object_agg(s.path, s.status), '{}') from quorate.steps s
      where s.run_id = x.id and s.within is null and s.item_index is null))
  from quorate.runs x join quorate.versions v on v.id = x.version_id
  where x.id = p_called and x.caller_run_id = r.parent_run_id and x.status in ('failed', 'cancelled'));
end $$;

-- Starts the run of a step, with the rows that come before it, the first time; later it is there already. `full`: the plan's executions of
-- the month are used up. The caller queues it; lost on the way, it is found as stalled. p_call.continues: the failed run of an earlier call
-- of this step, with its steps that are kept, the branches whose choice is kept, and the steps that had failed.
create function quorate.start_called_run(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_call json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_version quorate.versions; v_name text; v_id uuid := (p_call ->> 'runId')::uuid;
  v_quota int := (p_call ->> 'quota')::int; c jsonb := p_call -> 'continues';
begin
  perform quorate.require_session();
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
  insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, caller_run_id, caller_path,
    parent_run_id, trial, subject)
  values (v_id, p_workspace, v_version.artifact_id, v_version.id, r.mode, 'workflow', r.initiator_id, p_call -> 'input', p_run, p_path,
    (c ->> 'run')::uuid,
    -- what a dry run calls is dry itself
    case when r.trial ->> 'kind' = 'dry' then '{"kind":"dry","outputs":{},"pinned":[],"around":{}}'::json end,
    nullif((p_call -> 'subject')::jsonb, 'null'));
  perform quorate.append_worker_event(p_workspace, (p_call ->> 'eventId')::uuid, 'run.started', 'run', v_id::text, v_name,
    pg_catalog.jsonb_build_object('workflow', v_version.artifact_id, 'version', v_version.id, 'mode', r.mode, 'trigger', 'workflow',
      'caller', p_run, 'callerStep', p_path)
      || case when c is null then '{}' else pg_catalog.jsonb_build_object('from', c -> 'run', 'fromStep', c #> '{begun,0}') end);
  if c is not null then
    if not exists (select from quorate.runs x where x.id = (c ->> 'run')::uuid and x.caller_run_id = r.parent_run_id
      and x.caller_path = p_path and x.version_id = v_version.id and x.status in ('failed', 'cancelled')) then
      raise exception 'this run does not go on from that one' using errcode = 'QP005';
    end if;
    perform quorate.copy_kept((c ->> 'run')::uuid, v_id, array(select pg_catalog.jsonb_array_elements_text(c -> 'kept')),
      array(select pg_catalog.jsonb_array_elements_text(c -> 'open')));
    perform quorate.copy_begun((c ->> 'run')::uuid, v_id, b) from pg_catalog.jsonb_array_elements_text(c -> 'begun') b;
    -- the first walk reads the journal, as one that takes over does
    update quorate.runs x set attempt = 1 where x.id = v_id;
  end if;
  return '{"state":"started"}';
end $$;

-- The run that a step has started, as far as it is. Null: none, or it was deleted meanwhile.
create function quorate.read_called_run(p_workspace uuid, p_run uuid, p_attempt int, p_path text) returns json
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if (quorate.hold_run(p_workspace, p_run, p_attempt)).id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('runId', x.id, 'status', x.status, 'output', x.output, 'error', x.error)
    from quorate.runs x where x.caller_run_id = p_run and x.caller_path = p_path);
end $$;

-- Whether nobody waits for this run any more: its caller has ended without it, has moved past the step that called, or runs the steps for a
-- bad end and the call is none of them. A run that cleans up for that reason has heard of it.
create function quorate.has_lost_caller(p_run quorate.runs) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_run.caller_run_id is not null
    and exists (select from quorate.runs c where c.id = p_run.caller_run_id and (c.status in ('failed', 'cancelled')
      or exists (select from quorate.steps s where s.run_id = c.id and s.path = p_run.caller_path and s.status in ('error', 'skipped'))
      or exists (select from quorate.steps s where s.run_id = c.id and s.within is null and s.item_index is null and s.kind = 'cleanup'
        and s.status <> 'skipped' and not pg_catalog.starts_with(p_run.caller_path, s.path || '/'))))
    and not exists (select from quorate.steps s where s.run_id = p_run.id and s.within is null and s.item_index is null
      and s.kind = 'cleanup');
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

revoke all on function quorate.find_called_workflow(uuid, uuid, int, uuid, int), quorate.read_failed_call(uuid, uuid, int, uuid),
  quorate.start_called_run(uuid, uuid, int, text, json, json), quorate.read_called_run(uuid, uuid, int, text),
  quorate.has_lost_caller(quorate.runs), quorate.wake_related_runs(quorate.runs, text) from public;
grant execute on function quorate.find_called_workflow(uuid, uuid, int, uuid, int), quorate.read_failed_call(uuid, uuid, int, uuid),
  quorate.start_called_run(uuid, uuid, int, text, json, json), quorate.read_called_run(uuid, uuid, int, text) to quorate_worker;

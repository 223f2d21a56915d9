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

-- The run that a step had called, or was to go on with when its own run ended; null: none that is still there.
create function quorate.call_before(s quorate.steps) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select x.id from quorate.runs x where x.caller_run_id = s.run_id and x.caller_path = s.path),
    (select x.id from quorate.runs x where x.workspace_id = s.workspace_id and x.id = case when s.kind = 'sub_workflow'
      and s.reason ->> 'key' in ('calledRunContinues', 'calledRunAwaited', 'calledRunContinued')
      then (s.reason #>> '{values,run}')::uuid end));
end $$;

-- A called run, and the runs in which people have tried it again: no run has called these.
create function quorate.list_tries(p_called uuid) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with recursive tries (id) as (
    select p_called
    union all
    select x.id from tries t join quorate.runs x on x.parent_run_id = t.id where x.caller_run_id is null)
  select t.id from tries t;
end $$;

-- The run among these that a step goes on with, if it asks for this version (null: any). One that has completed comes before one that is
-- open, and that before the one that has done most.
create function quorate.find_try(p_called uuid, p_number int) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select r.id from quorate.list_tries(p_called) t join quorate.runs r on r.id = t join quorate.versions v on v.id = r.version_id
    where r.id = p_called or p_number is null or v.number = p_number
    order by case when r.status = 'completed' then 0 when r.status in ('failed', 'cancelled') then 2 else 1 end,
      (select count(*) from quorate.steps s where s.run_id = r.id and s.status = 'success') desc, r.created_at desc limit 1);
end $$;

-- What has become of that run, for the page before a run continues. Null: the step calls a run of its own again.
create function quorate.read_try(s quorate.steps, p_number int) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select r.status from quorate.runs r where r.id = quorate.find_try(quorate.call_before(s), p_number)
    and s.status = 'error' and r.workspace_id = quorate.current_workspace_id());
end $$;

-- Whether somebody has put other data into this run, one that it continues, or one that it has called.
create function quorate.has_changed_data(p_run quorate.runs) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from quorate.steps s where s.run_id = p_run.id and s.reason #> '{values,changed}' = 'true');
end $$;

-- The run that a step is to go on with (see find_try). Null: it was deleted meanwhile. `statuses`: those of its steps outside loops, by
-- path.
create function quorate.read_call_before(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_number int) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; s quorate.steps;
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  select * into s from quorate.steps x where x.run_id = p_run and x.path = p_path;
  return (select pg_catalog.json_build_object('runId', x.id, 'status', x.status, 'number', v.number, 'name', a.name, 'input', x.input,
    'output', x.output, 'changed', quorate.has_changed_data(x),
    'statuses', (select coalesce(pg_catalog.json_object_agg(y.path, y.status), '{}') from quorate.steps y
      where y.run_id = x.id and y.within is null and y.item_index is null))
  from quorate.runs x join quorate.versions v on v.id = x.version_id join quorate.artifacts a on a.id = x.artifact_id
  where x.id = quorate.find_try(quorate.call_before(s), p_number));
end $$;

-- Starts the run of a step, with the rows that come before it, the first time; later it is there already. `full`: the plan's executions of
-- the month are used up. The caller queues it; lost on the way, it is found as stalled. p_call.continues: the failed run of an earlier call
-- of this step or one in which it was tried again, with its steps that are kept, the branches whose choice is kept, and the steps that had
-- failed.
create function quorate.start_called_run(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_call json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_version quorate.versions; v_name text; v_id uuid := (p_call ->> 'runId')::uuid;
  s quorate.steps; v_quota int := (p_call ->> 'quota')::int; c jsonb := p_call -> 'continues';
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if exists (select from quorate.runs x where x.caller_run_id = p_run and x.caller_path = p_path) then return '{"state":"started"}'; end if;
  select * into s from quorate.steps x where x.run_id = p_run and x.path = p_path;
  if c is not null and not exists (select from quorate.list_tries(quorate.call_before(s)) t join quorate.runs x on x.id = t
    where x.id = (c ->> 'run')::uuid and x.version_id = (p_call ->> 'versionId')::uuid and x.status in ('failed', 'cancelled')) then
    raise exception 'this run does not go on from that one' using errcode = 'QP005';
  end if;
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
  return (select pg_catalog.json_build_object('runId', x.id, 'status', x.status, 'output', x.output, 'error', x.error,
    'changed', x.parent_run_id is not null and quorate.has_changed_data(x))
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

-- Open runs that may wait to go on with this one: they continue the run that had called it, or the one that it tries again.
create function quorate.list_waiting_for_try(p_run quorate.runs) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with recursive tried (id, caller, parent) as (
    select p_run.id, p_run.caller_run_id, p_run.parent_run_id
    union all
    select x.id, x.caller_run_id, x.parent_run_id from tried t join quorate.runs x on x.id = t.parent where t.caller is null),
  continued (id) as (
    select x.id from tried t join quorate.runs x on x.parent_run_id = t.caller
    union all
    select x.id from continued c join quorate.runs x on x.parent_run_id = c.id)
  select c.id from continued c join quorate.runs x on x.id = c.id where x.status in ('pending', 'processing', 'waiting');
end $$;

-- The end of a run, for those around it: its caller walks on, and whoever goes on with it; unless it has completed, what it called itself
-- is cancelled by whoever drives it next. Answers these runs, which the caller of this function queues.
create function quorate.wake_related_runs(p_run quorate.runs, p_status text) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare v_related uuid[];
begin
  if p_run.caller_run_id is null and p_run.parent_run_id is null and p_status = 'completed' then return '{}'; end if;
  with woken as (
    update quorate.runs x set wake = true
      where (x.id = p_run.caller_run_id or (p_status <> 'completed' and x.caller_run_id = p_run.id)
        or ((p_run.caller_run_id is not null or p_run.parent_run_id is not null)
          and x.id in (select quorate.list_waiting_for_try(p_run))))
        and x.status in ('pending', 'processing', 'waiting') returning x.id)
  select coalesce(pg_catalog.array_agg(w.id), '{}') into v_related from woken w;
  return v_related;
end $$;

revoke all on function quorate.find_called_workflow(uuid, uuid, int, uuid, int), quorate.call_before(quorate.steps),
  quorate.list_tries(uuid), quorate.find_try(uuid, int), quorate.read_try(quorate.steps, int), quorate.has_changed_data(quorate.runs),
  quorate.read_call_before(uuid, uuid, int, text, int), quorate.start_called_run(uuid, uuid, int, text, json, json),
  quorate.read_called_run(uuid, uuid, int, text), quorate.has_lost_caller(quorate.runs), quorate.list_waiting_for_try(quorate.runs),
  quorate.wake_related_runs(quorate.runs, text) from public;
grant execute on function quorate.read_try(quorate.steps, int) to quorate_member;
grant execute on function quorate.find_called_workflow(uuid, uuid, int, uuid, int), quorate.read_call_before(uuid, uuid, int, text, int),
  quorate.start_called_run(uuid, uuid, int, text, json, json), quorate.read_called_run(uuid, uuid, int, text) to quorate_worker;

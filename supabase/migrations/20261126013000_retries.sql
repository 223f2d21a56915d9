-- A run that continues from a loop keeps its items that succeeded, and from a sub-workflow the failed run that was called.

drop function quorate.copy_journal(uuid, uuid, text[], text[], json);

-- Copies steps of an ended run into another one. `p_paths`: ended steps to keep; `p_open`: branches that the place lies in, whose choice is
-- kept. Answers how many were copied.
create or replace function quorate.copy_kept(p_from uuid, p_to uuid, p_paths text[], p_open text[]) returns int
language plpgsql security definer set search_path = '' as $$
declare n int;
begin
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
    connection_id, capability_id, capability_fingerprint, candidates, reason, input, output, error, input_digest, output_digest,
    started_at, finished_at)
  select p_to, s.workspace_id, s.path, s.step_id, s.kind, s.name, case when s.path = any(p_open) then 'processing' else s.status end,
    s.attempt, 0, p_to::text || '/' || s.path, s.protocol, s.connection_id, s.capability_id, s.capability_fingerprint, s.candidates,
    case when s.path = any(p_open) or s.reason #> '{values,changed}' = 'true' then s.reason
      else pg_catalog.jsonb_build_object('key', 'stepKept', 'values', pg_catalog.jsonb_build_object('run', p_from)) end,
    s.input, case when s.path = any(p_open) then null else s.output end, s.error, s.input_digest,
    case when s.path = any(p_open) then null else s.output_digest end, s.started_at,
    case when s.path = any(p_open) then null else s.finished_at end
  from quorate.steps s where s.run_id = p_from and s.kind <> 'approval'
    and ((s.path = any(p_paths) and s.status in ('success', 'skipped', 'error'))
      or (s.path = any(p_open) and s.kind = 'branch' and s.input is not null))
  order by s.position;
  get diagnostics n = row_count;
  return n;
end $$;

-- Whether what a step has come to is taken over when a run continues from it: a loop over items that failed or of which an item failed.
create or replace function quorate.is_resumed(s quorate.steps) returns boolean
language sql stable security definer set search_path = '' as $$
  select s.kind = 'for_each' and s.input is not null and (s.status <> 'success' or exists (select from quorate.steps i
    where i.run_id = s.run_id and i.item_of = s.path and i.item_index is not null and i.status = 'error'))
$$;

-- Copies what the step that a run continues from had done, so that only the rest is done again. Of a loop over items: its list, the items
-- that succeeded, and in the others the steps that did; an agent or a repetition among these begins again. Of a step that runs another
-- workflow: that its failed run is to be continued. Answers how many rows it copied.
create or replace function quorate.copy_begun(p_from uuid, p_to uuid, p_step text) returns int
language plpgsql security definer set search_path = '' as $$
declare s quorate.steps; n int; v_count int := 0; v_anew text[] := '{}';
begin
  select * into s from quorate.steps x where x.run_id = p_from and x.path = p_step;
  if quorate.is_resumed(s) then
    select coalesce(pg_catalog.array_agg(x.path), '{}') into v_anew from quorate.steps x where x.run_id = p_from and x.item_index is null
      and x.status <> 'success' and (x.kind = 'repeat' or x.agent_id is not null) and quorate.is_below(x.path, array[p_step]);
    insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
      connection_id, capability_id, capability_fingerprint, candidates, reason, input, output, input_digest, output_digest, started_at,
      finished_at, item_of, item_index, within)
    select p_to, x.workspace_id, x.path, x.step_id, x.kind, x.name, case when e.ended then 'success' else 'processing' end, x.attempt, 0,
      p_to::text || '/' || x.path, x.protocol, x.connection_id, x.capability_id, x.capability_fingerprint, x.candidates,
      -- the reason of an item holds what its steps have found
      case when not e.ended or x.item_index is not null then x.reason
        else pg_catalog.jsonb_build_object('key', 'stepKept', 'values', pg_catalog.jsonb_build_object('run', p_from)) end,
      x.input, case when e.ended then x.output end, x.input_digest, case when e.ended then x.output_digest end, x.started_at,
      case when e.ended then x.finished_at end, x.item_of, x.item_index, x.within
    from quorate.steps x cross join lateral (select x.status = 'success' and x.path <> p_step as ended) e
    where x.run_id = p_from and x.kind <> 'approval' and quorate.is_below(x.path, array[p_step]) and not quorate.is_below(x.path, v_anew)
      and (e.ended or x.item_index is not null or quorate.is_resumed(x))
    order by x.position;
    get diagnostics v_count = row_count;
  end if;
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, reason, within)
  select p_to, x.workspace_id, x.path, x.step_id, x.kind, x.name, 'pending', 0, p_to::text || '/' || x.path,
    pg_catalog.jsonb_build_object('key', 'calledRunContinues', 'values', pg_catalog.jsonb_build_object('run', c.id)), x.within
  from quorate.steps x join quorate.runs c on c.caller_run_id = x.run_id and c.caller_path = x.path and c.status in ('failed', 'cancelled')
  where x.run_id = p_from and x.kind = 'sub_workflow' and x.status = 'error' and (x.path = p_step or v_count > 0)
    and quorate.is_below(x.path, array[p_step]) and not quorate.is_below(x.path, v_anew)
  order by x.position;
  get diagnostics n = row_count;
  return v_count + n;
end $$;

-- Copies steps of an ended run into a run of the caller's own that has not begun, of the same version with the same input: those to keep
-- (see copy_kept), and what the step that it continues from had done, unless data was changed. `p_changed`: what an author of workflows
-- has put in place of the result of a step that is kept, or of the input of a call that is made again; each says so from then on.
create or replace function quorate.copy_journal(p_from uuid, p_to uuid, p_step text, p_paths text[], p_open text[], p_changed json)
returns int
language plpgsql security definer set search_path = '' as $$
declare
  f quorate.runs; t quorate.runs; n int; v_path text := p_changed ->> 'path'; v_input boolean := p_changed ->> 'part' = 'input';
  v_reason jsonb := pg_catalog.jsonb_build_object('key', case when v_input then 'stepInputChanged' else 'stepChanged' end,
    'values', pg_catalog.jsonb_build_object('run', p_from, 'changed', true));
begin
  select * into f from quorate.runs x where x.id = p_from and (x.workspace_id = quorate.current_workspace_id()) is true;
  select * into t from quorate.runs x where x.id = p_to and (x.workspace_id = quorate.current_workspace_id()) is true for update;
  if f.id is null or t.id is null
    or (quorate.sees_all_runs() or f.initiator_id = quorate.current_user_id()) is not true
    or f.status not in ('completed', 'failed', 'cancelled')
    or t.initiator_id <> quorate.current_user_id() or t.parent_run_id is distinct from f.id or t.status <> 'pending' or t.attempt <> 0
    or row(t.artifact_id, t.version_id, t.mode, t.input::jsonb, t.trial::jsonb)
      is distinct from row(f.artifact_id, f.version_id, f.mode, f.input::jsonb, f.trial::jsonb)
    or exists (select from quorate.steps s where s.run_id = p_to) then
    raise exception 'this run does not go on from that one' using errcode = 'QP005';
  end if;
  n := quorate.copy_kept(p_from, p_to, p_paths, p_open);
  if p_changed is null then n := n + quorate.copy_begun(p_from, p_to, p_step); end if;
  if p_changed is not null then
    if quorate.current_key_id() is not null or not quorate.has_role('builder') then
      raise exception 'data is changed by who may change the workflow' using errcode = 'QP005';
    end if;
    if v_input then
      insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, reason,
        input, input_digest)
      select p_to, s.workspace_id, s.path, s.step_id, s.kind, s.name, 'pending', 1, 0, p_to::text || '/' || s.path, v_reason,
        p_changed -> 'value', p_changed ->> 'after'
      from quorate.steps s where s.run_id = p_from and s.path = v_path and s.capability_id is not null and not s.path = any(p_paths);
    else
      update quorate.steps s set output = case when pg_catalog.json_typeof(p_changed -> 'value') <> 'null' then p_changed -> 'value' end,
        output_digest = p_changed ->> 'after', reason = v_reason
      where s.run_id = p_to and s.path = v_path and s.status = 'success';
    end if;
    if not found then raise exception 'no data of this run is there' using errcode = 'QP005'; end if;
  end if;
  -- the first walk reads the journal, as one that takes over does
  update quorate.runs x set attempt = 1 where x.id = p_to;
  return n;
end $$;

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
      -- a try learns of the error that it has caught on the way; a step that continues a run of an earlier one has yet to start it
      and ((quorate.steps.status = 'processing' and (excluded.status <> 'processing' or quorate.steps.kind = 'try'))
        or (quorate.steps.status = 'pending' and quorate.steps.kind = 'sub_workflow'));
end $$;

-- The failed run that a step is to continue, called by the run from which this one continues. Null: it was deleted meanwhile. `statuses`:
-- those of its steps outside loops, by path.
create or replace function quorate.read_failed_call(p_workspace uuid, p_run uuid, p_attempt int, p_called uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
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
create or replace function quorate.start_called_run(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_call json, p_local json)
returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_version quorate.versions; v_name text; v_id uuid := (p_call ->> 'runId')::uuid;
  v_quota int := (p_call ->> 'quota')::int; c jsonb := p_call -> 'continues';
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
  insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, caller_run_id, caller_path,
    parent_run_id, trial)
  values (v_id, p_workspace, v_version.artifact_id, v_version.id, r.mode, 'workflow', r.initiator_id, p_call -> 'input', p_run, p_path,
    (c ->> 'run')::uuid,
    -- what a dry run calls is dry itself
    case when r.trial ->> 'kind' = 'dry' then '{"kind":"dry","outputs":{},"pinned":[],"around":{}}'::json end);
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

revoke all on function quorate.copy_kept(uuid, uuid, text[], text[]), quorate.is_resumed(quorate.steps),
  quorate.copy_begun(uuid, uuid, text), quorate.copy_journal(uuid, uuid, text, text[], text[], json),
  quorate.read_failed_call(uuid, uuid, int, uuid) from public;
grant execute on function quorate.is_resumed(quorate.steps),
  quorate.copy_journal(uuid, uuid, text, text[], text[], json) to quorate_member;
grant execute on function quorate.read_failed_call(uuid, uuid, int, uuid) to quorate_worker;

-- A run that continues from an agent of the workspace takes over its task, and the turns and calls that it had done.

-- Whether a step is done for a run that continues one around it. Of an agent this is also a failed call of which its model has been told,
-- or that may have taken effect; an answer that the agent could not read is not.
create function quorate.is_done(s quorate.steps) returns boolean language plpgsql stable security definer set search_path = '' as $$
declare
  m text[] := case when s.status in ('success', 'error') then pg_catalog.regexp_match(s.path, '^(.*)/turn_([0-9]+)(_call_[0-9]+)?$') end;
  a quorate.steps; v_told boolean;
begin
  if m is not null then
    select * into a from quorate.steps x where x.run_id = s.run_id and x.path = m[1] and x.agent_id is not null;
  end if;
  if a.run_id is null then return s.status = 'success'; end if;
  v_told := exists (select from quorate.steps x where x.run_id = s.run_id and x.path = m[1] || '/turn_' || (m[2]::int + 1)
    and x.status = 'success');
  if s.status = 'success' then
    return m[3] is not null or v_told or a.error ->> 'key' is distinct from 'agentAnswerUnreadable';
  end if;
  return m[3] is not null and (v_told or (s.error ->> 'unknown' = 'true') is true);
end $$;

-- Whether what a step has come to is taken over when a run continues from it: a loop that failed, or of which an item failed, and an agent
-- that its model has answered before it failed.
create or replace function quorate.is_resumed(s quorate.steps) returns boolean
language sql stable security definer set search_path = '' as $$
  select case
    when s.kind = 'repeat' or (s.kind = 'for_each' and s.input is not null) then s.status <> 'success' or exists (
      select from quorate.steps i where i.run_id = s.run_id and i.item_of = s.path and i.item_index is not null and i.status = 'error')
    when s.agent_id is not null and s.input is not null then s.status <> 'success' and exists (
      select from quorate.steps t where t.run_id = s.run_id and t.path = s.path || '/turn_1' and quorate.is_done(t))
    else false end
$$;

-- Copies what a step had done that a run continues, so that only the rest is done again. Of a loop: its list, the items or rounds that
-- succeeded, and in the others the steps that did. Of an agent, also of one within: its task, and its turns and calls that are done. Of a
-- step that runs another workflow: the run that it is to go on with. Answers how many rows it copied.
create or replace function quorate.copy_begun(p_from uuid, p_to uuid, p_step text) returns int
language plpgsql security definer set search_path = '' as $$
declare s quorate.steps; n int; v_count int := 0;
begin
  select * into s from quorate.steps x where x.run_id = p_from and x.path = p_step;
  if quorate.is_resumed(s) then
    insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
      connection_id, capability_id, capability_fingerprint, candidates, reason, input, output, error, input_digest, output_digest,
      started_at, finished_at, agent_id, item_of, item_index, within)
    select p_to, x.workspace_id, x.path, x.step_id, x.kind, x.name,
      -- an agent's time begins when it is reached
      case when e.ended then x.status when x.agent_id is not null then 'pending' else 'processing' end, x.attempt, 0,
      p_to::text || '/' || x.path, x.protocol, x.connection_id, x.capability_id, x.capability_fingerprint, x.candidates,
      -- the reason of an item holds what its steps have found
      case when not e.ended then quorate.resumed_reason(x) when x.item_index is not null then x.reason
        else pg_catalog.jsonb_build_object('key', 'stepKept', 'values', pg_catalog.jsonb_build_object('run', p_from)) end,
      x.input, case when e.ended then x.output end, case when e.ended then x.error end, x.input_digest,
      case when e.ended then x.output_digest end, x.started_at, case when e.ended then x.finished_at end,
      case when not e.ended then x.agent_id end, x.item_of, x.item_index, x.within
    from quorate.steps x cross join lateral (select x.path <> p_step and quorate.is_done(x) as ended) e
    where x.run_id = p_from and x.kind <> 'approval' and quorate.is_below(x.path, array[p_step])
      and (e.ended or x.item_index is not null or quorate.is_resumed(x))
    order by x.position;
    get diagnostics v_count = row_count;
  end if;
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, reason, within)
  select p_to, x.workspace_id, x.path, x.step_id, x.kind, x.name, 'pending', 0, p_to::text || '/' || x.path,
    pg_catalog.jsonb_build_object('key', 'calledRunContinues', 'values', pg_catalog.jsonb_build_object('run', c.id)), x.within
  from quorate.steps x cross join lateral (select quorate.call_before(x) as id) c
  where x.run_id = p_from and x.kind = 'sub_workflow' and x.status = 'error' and (x.path = p_step or v_count > 0) and c.id is not null
    and quorate.is_below(x.path, array[p_step])
  order by x.position;
  get diagnostics n = row_count;
  return v_count + n;
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
    -- an agent that was taken over begins as it is reached
    started_at = case when quorate.steps.agent_id is not null and quorate.steps.status = 'pending' then excluded.started_at
      else quorate.steps.started_at end,
    input = case when quorate.steps.agent_id is not null and quorate.steps.status = 'pending'
      then coalesce(excluded.input, quorate.steps.input) else coalesce(quorate.steps.input, excluded.input) end,
    input_digest = case when quorate.steps.agent_id is not null and quorate.steps.status = 'pending'
      then coalesce(excluded.input_digest, quorate.steps.input_digest) else coalesce(quorate.steps.input_digest, excluded.input_digest) end
    -- what holds steps or waits, and an agent of the workspace, stands as processing until it ends; everything else is written once
    where (quorate.steps.kind in ('branch', 'for_each', 'repeat', 'wait', 'try', 'sub_workflow', 'cleanup')
        or quorate.steps.agent_id is not null)
      -- a try learns of the error that it has caught on the way; a step that goes on with a run of an earlier one may have to wait for it
      and ((quorate.steps.status = 'processing' and (excluded.status <> 'processing' or quorate.steps.kind = 'try'))
        or (quorate.steps.status in ('pending', 'waiting') and quorate.steps.kind = 'sub_workflow')
        or (quorate.steps.status = 'pending' and quorate.steps.agent_id is not null));
end $$;

revoke all on function quorate.is_done(quorate.steps) from public;

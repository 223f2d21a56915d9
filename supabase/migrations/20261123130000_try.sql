-- A kind of step with another way for an error.
alter table quorate.steps drop constraint steps_kind_check;
alter table quorate.steps add constraint steps_kind_check
  check (kind in ('tool', 'agent', 'approval', 'branch', 'transform', 'model', 'for_each', 'wait', 'try'));

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
    -- a branch, a loop, a wait, a try and an agent of the workspace stand as processing until they end; everything else is written once
    where (quorate.steps.kind in ('branch', 'for_each', 'wait', 'try') or quorate.steps.agent_id is not null)
      and quorate.steps.status = 'processing'
      -- a try learns of the error that it has caught on the way
      and (excluded.status <> 'processing' or quorate.steps.kind = 'try');
end $$;

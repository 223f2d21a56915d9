-- Requests to HTTP APIs, steps that are repeated until a condition holds, and waits for an event.
alter table quorate.steps drop constraint steps_kind_check;
alter table quorate.steps add constraint steps_kind_check
  check (kind in ('tool', 'agent', 'approval', 'branch', 'transform', 'model', 'for_each', 'wait', 'try', 'http', 'repeat'));

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
    where (quorate.steps.kind in ('branch', 'for_each', 'repeat', 'wait', 'try') or quorate.steps.agent_id is not null)
      and quorate.steps.status = 'processing'
      -- a try learns of the error that it has caught on the way
      and (excluded.status <> 'processing' or quorate.steps.kind = 'try');
end $$;

create or replace function quorate.list_loops(p_run uuid) returns json language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('path', l.path, 'ok', e.ok, 'failed', e.failed, 'bytes', e.bytes,
    'ended', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(pg_catalog.lower(x), pg_catalog.upper(x))), '[]')
      from pg_catalog.unnest(e.ended) x),
    'error', (select pg_catalog.json_build_object('index', i.item_index, 'error', i.error) from quorate.steps i
      where i.run_id = p_run and i.item_of = l.path and i.item_index is not null and i.status = 'error' order by i.item_index limit 1))),
    '[]')
  from quorate.steps l cross join lateral (
    select count(*) filter (where i.status = 'success') as ok, count(*) filter (where i.status = 'error') as failed,
      coalesce(sum(pg_catalog.octet_length(i.output::text)), 0) as bytes,
      pg_catalog.range_agg(pg_catalog.int4range(i.item_index, i.item_index + 1)) as ended
    from quorate.steps i where i.run_id = p_run and i.item_of = l.path and i.item_index is not null and i.status in ('success', 'error')) e
  where l.run_id = p_run and l.kind in ('for_each', 'repeat') and l.item_index is null and l.status = 'processing' and e.ok + e.failed > 0);
end $$;

-- The first event of a step counts. It may come before the run gets to the step, and stays here until the run is deleted.
create table quorate.run_events (
  run_id uuid not null,
  step_id text not null,
  workspace_id uuid not null,
  body quorate.ordered_json not null default 'null',
  received_at timestamptz not null default clock_timestamp(),
  primary key (run_id, step_id),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
alter table quorate.run_events enable row level security;

-- Takes an event in for a run that has not ended. The caller has verified the address that it came to, and queues the run: also where the
-- event was `repeated`, since the call before it may have been lost in between. `late`: the step or the run has ended without it.
create function quorate.receive_event(p_run uuid, p_step text, p_body json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_state text;
begin
  select * into r from quorate.runs x where x.id = p_run for no key update;
  if r.id is null then return '{"state":"unknown"}'; end if;
  if exists (select from quorate.run_events e where e.run_id = p_run and e.step_id = p_step) then
    v_state := 'repeated';
  elsif r.status in ('completed', 'failed', 'cancelled') or r.cancel_requested_at is not null
    or exists (select from quorate.steps s where s.run_id = p_run and s.step_id = p_step
      and s.status in ('success', 'error', 'skipped')) then
    return '{"state":"late"}';
  else
    insert into quorate.run_events (run_id, step_id, workspace_id, body) values (p_run, p_step, r.workspace_id, p_body);
    v_state := 'received';
  end if;
  if r.status = 'processing' then update quorate.runs x set wake = true where x.id = p_run; end if;
  return pg_catalog.json_build_object('state', v_state, 'workspaceId', r.workspace_id);
end $$;

-- What has come for a step of a run that the caller drives, or null.
create function quorate.read_event(p_workspace uuid, p_run uuid, p_attempt int, p_step text) returns json
language plpgsql security definer set search_path = '' as $$
begin
  if (quorate.hold_run(p_workspace, p_run, p_attempt)).id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('body', e.body, 'at', e.received_at) from quorate.run_events e
    where e.run_id = p_run and e.step_id = p_step);
end $$;

revoke all on function quorate.receive_event(uuid, text, json), quorate.read_event(uuid, uuid, int, text) from public;
grant execute on function quorate.receive_event(uuid, text, json) to quorate_app;
grant execute on function quorate.read_event(uuid, uuid, int, text) to quorate_worker;

-- A kind of step that runs its steps for each item of a list: rows of items in the journal, and claims that leave out those that ended.
alter table quorate.steps drop constraint steps_kind_check;
alter table quorate.steps add constraint steps_kind_check
  check (kind in ('tool', 'agent', 'approval', 'branch', 'transform', 'model', 'for_each'));
alter table quorate.steps add column item_of text, add column item_index int, add column within text;
create index steps_items on quorate.steps (run_id, item_of, item_index) where item_index is not null;
create index steps_within on quorate.steps (run_id, within) where within is not null;

create or replace function quorate.loop_of_item(p_path text) returns text language sql immutable parallel safe
  as $$ select substring(p_path from '^(.+)/[0-9]+$') $$;

create or replace function quorate.index_of_item(p_path text) returns int language sql immutable parallel safe
  as $$ select substring(p_path from '/([0-9]+)$')::int $$;

create or replace function quorate.item_around(p_path text) returns text language sql immutable parallel safe
  as $$ select substring(p_path from '^(.*/[0-9]+)/.+$') $$;

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
    error = excluded.error, finished_at = excluded.finished_at, reason = coalesce(excluded.reason, quorate.steps.reason)
    -- a branch, a loop and an agent of the workspace stand as processing while their steps run; everything else is written once
    where (quorate.steps.kind in ('branch', 'for_each') or quorate.steps.agent_id is not null) and quorate.steps.status = 'processing'
      and excluded.status <> 'processing';
end $$;

create or replace function quorate.read_journal(p_run uuid) returns json language plpgsql stable security definer set search_path = '' as $$
begin
  return (with under_way as materialized (select * from quorate.steps i
    where i.run_id = p_run and i.item_index is not null and i.status not in ('success', 'error'))
  select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('path', s.path, 'stepId', s.step_id, 'kind', s.kind,
    'status', s.status, 'attempt', s.attempt, 'runAttempt', s.run_attempt, 'connectionId', s.connection_id,
    'capabilityId', s.capability_id, 'candidates', s.candidates, 'reason', s.reason, 'input', s.input, 'output', s.output,
    'error', s.error, 'approvalId', s.approval_id, 'nextAttemptAt', s.next_attempt_at, 'startedAt', s.started_at,
    'tokensIn', s.tokens_in, 'tokensOut', s.tokens_out, 'costMicros', s.cost_micros)), '[]')
  from (select * from quorate.steps x where x.run_id = p_run and x.within is null and x.item_index is null
    union all select * from under_way
    union all select x.* from under_way o join quorate.steps x on x.run_id = p_run and x.within = o.path and x.item_index is null) s);
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
  where l.run_id = p_run and l.kind = 'for_each' and l.item_index is null and l.status = 'processing' and e.ok + e.failed > 0);
end $$;

create or replace function quorate.read_items(p_workspace uuid, p_run uuid, p_attempt int, p_loop text, p_from int, p_limit int)
returns json language plpgsql security definer set search_path = '' as $$
begin
  if (quorate.hold_run(p_workspace, p_run, p_attempt)).id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('index', i.item_index, 'output', i.output, 'error', i.error,
    'reason', i.reason) order by i.item_index), '[]')
  from (select * from quorate.steps x where x.run_id = p_run and x.item_of = p_loop and x.item_index >= p_from
    and x.status in ('success', 'error') order by x.item_index limit p_limit) i);
end $$;

create or replace function quorate.write_step(p_run quorate.runs, p_step jsonb, p_input json, p_status text, p_approval uuid, p_error jsonb)
returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.steps as s (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
    connection_id, capability_id, capability_fingerprint, candidates, reason, input, input_digest, decision_id, approval_id, error,
    finished_at, within)
  values (p_run.id, p_run.workspace_id, p_step ->> 'path', p_step ->> 'stepId', p_step ->> 'kind', p_step ->> 'name', p_status,
    (p_step ->> 'attempt')::int, p_run.attempt, p_step ->> 'key', p_step ->> 'protocol', (p_step ->> 'connectionId')::uuid,
    (p_step ->> 'capabilityId')::uuid, p_step ->> 'fingerprint', p_step -> 'candidates', p_step -> 'reason', p_input,
    p_step ->> 'inputDigest', (p_step #>> '{decision,id}')::uuid, p_approval, p_error,
    case when p_status = 'error' then clock_timestamp() end, quorate.item_around(p_step ->> 'path'))
  on conflict (run_id, path) do update set status = p_status, attempt = excluded.attempt, run_attempt = excluded.run_attempt,
    protocol = excluded.protocol, connection_id = excluded.connection_id, capability_id = excluded.capability_id,
    capability_fingerprint = excluded.capability_fingerprint, candidates = excluded.candidates, reason = excluded.reason,
    input = excluded.input, input_digest = excluded.input_digest, decision_id = excluded.decision_id,
    approval_id = coalesce(excluded.approval_id, s.approval_id), error = coalesce(excluded.error, s.error), next_attempt_at = null,
    finished_at = excluded.finished_at;
end $$;

create or replace function quorate.journal_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local);
  return '{"state":"ok"}';
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
    'versionAuthorId', v_author, 'createdAt', r.created_at, 'cancelled', r.cancel_requested_at is not null, 'waitingMs', r.waiting_ms,
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

revoke all on function quorate.list_loops(uuid), quorate.read_items(uuid, uuid, int, text, int, int), quorate.loop_of_item(text),
  quorate.index_of_item(text), quorate.item_around(text) from public;
grant execute on function quorate.read_items(uuid, uuid, int, text, int, int) to quorate_worker;

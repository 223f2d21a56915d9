-- Documents, inputs, outputs and subjects keep the order of keys in which they were written: jsonb sorts keys by length.
-- The check reads the text as jsonb once, so that whatever jsonb refuses (U+0000, half a surrogate pair) stays refused
-- and a query may always read the column as jsonb.
create domain quorate.ordered_json as json check ((value::jsonb is null) = (value is null));

alter table quorate.drafts alter column document type quorate.ordered_json using document::json;
alter table quorate.versions alter column document type quorate.ordered_json using document::json;
alter table quorate.triggers
  alter column settings drop default,
  alter column settings type quorate.ordered_json using settings::json,
  alter column settings set default '{}';
alter table quorate.capabilities
  alter column input_schema type quorate.ordered_json using input_schema::json,
  alter column output_schema type quorate.ordered_json using output_schema::json,
  alter column definition type quorate.ordered_json using definition::json,
  alter column approved_definition type quorate.ordered_json using approved_definition::json;
alter table quorate.runs
  alter column input drop default,
  alter column input type quorate.ordered_json using input::json,
  alter column input set default '{}',
  alter column output type quorate.ordered_json using output::json;
alter table quorate.steps
  alter column input type quorate.ordered_json using input::json,
  alter column output type quorate.ordered_json using output::json,
  alter column frames type quorate.ordered_json using frames::json;
alter table quorate.approvals alter column subject type quorate.ordered_json using subject::json;

-- Functions that take or return such a value take and return json. What they only read, they read as jsonb, which is parsed once.
drop function quorate.claim_run(uuid, uuid, uuid);
drop function quorate.start_step(uuid, uuid, int, bigint, jsonb, jsonb);
drop function quorate.ask_approval(uuid, uuid, int, jsonb, jsonb);
drop function quorate.ask_outcome(uuid, uuid, int, text, jsonb, jsonb);
drop function quorate.finish_step(uuid, uuid, int, text, jsonb, jsonb);
drop function quorate.journal_local_steps(uuid, uuid, int, jsonb);
drop function quorate.settle_run(uuid, uuid, int, jsonb);
drop function quorate.park_run(uuid, uuid, int, jsonb);
drop function quorate.close_run(uuid, uuid, int, jsonb);
drop function quorate.write_local_steps(uuid, uuid, int, jsonb);
drop function quorate.read_journal(uuid);
drop function quorate.take_approval(quorate.runs, text, text, text, jsonb);
drop function quorate.write_step(quorate.runs, jsonb, text, uuid, jsonb);
drop function quorate.read_version(uuid, uuid);
drop function quorate.request_release(uuid, text, jsonb, text, jsonb, timestamptz);
drop function quorate.is_halt_of(uuid, jsonb);
drop function quorate.become_trigger(uuid, boolean);
drop function quorate.export_own_data();

create function quorate.write_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_rows json) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, reason, input, output,
    error, input_digest, output_digest, started_at, finished_at, agent_id)
  select p_run, p_workspace, r.path, r."stepId", r.kind, r.name, r.status, p_attempt, p_run::text || '/' || r.path, r.reason, r.input,
    r.output, r.error, r."inputDigest", r."outputDigest", r."startedAt", r."finishedAt", r."agentId"
  from pg_catalog.json_to_recordset(p_rows) as r (path text, "stepId" text, kind text, name text, status text, reason jsonb, input json,
    output json, error jsonb, "inputDigest" text, "outputDigest" text, "startedAt" timestamptz, "finishedAt" timestamptz, "agentId" uuid)
  on conflict (run_id, path) do update set status = excluded.status, output = excluded.output, output_digest = excluded.output_digest,
    error = excluded.error, finished_at = excluded.finished_at
    -- a branch and an agent of the workspace stand as processing while their steps run; everything else is written once
    where (quorate.steps.kind = 'branch' or quorate.steps.agent_id is not null) and quorate.steps.status = 'processing'
      and excluded.status <> 'processing';
end $$;

create function quorate.read_journal(p_run uuid) returns json language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('path', s.path, 'stepId', s.step_id, 'kind', s.kind,
    'status', s.status, 'attempt', s.attempt, 'runAttempt', s.run_attempt, 'connectionId', s.connection_id,
    'capabilityId', s.capability_id, 'candidates', s.candidates, 'reason', s.reason, 'input', s.input, 'output', s.output,
    'error', s.error, 'approvalId', s.approval_id, 'nextAttemptAt', s.next_attempt_at, 'startedAt', s.started_at,
    'tokensIn', s.tokens_in, 'tokensOut', s.tokens_out, 'costMicros', s.cost_micros)), '[]')
  from quorate.steps s where s.run_id = p_run);
end $$;

create function quorate.claim_run(p_workspace uuid, p_run uuid, p_worker uuid) returns json
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
    'approvals', case when r.attempt = 1 then '[]'::json else (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'path', a.step_path, 'status', a.status,
        'digest', a.action_digest, 'dueAt', a.due_at,
        'approvedBy', (select coalesce(pg_catalog.json_agg(v.user_id), '[]') from quorate.approval_votes v
          where v.approval_id = a.id and v.vote = 'approve'))), '[]')
      from quorate.approvals a where a.run_id = p_run) end);
end $$;

create function quorate.take_approval(p_run quorate.runs, p_path text, p_key text, p_digest text, p_request jsonb, p_subject json)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_state text;
begin
  select * into a from quorate.approvals x where x.run_id = p_run.id and x.step_path = p_path and x.action_digest = p_digest
    order by x.created_at desc limit 1 for update;
  if a.id is null then
    insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, quorum, requested_by,
      version_author_id, due_at)
    select (p_request ->> 'id')::uuid, p_run.workspace_id, p_run.id, p_path, p_request ->> 'title', p_subject, p_digest,
      p_request -> 'reason', p_request ->> 'risk', coalesce((p_request ->> 'quorum')::int, 1), p_run.initiator_id, v.author_id,
      clock_timestamp() + pg_catalog.make_interval(hours => (p_request ->> 'dueHours')::int)
    from quorate.versions v where v.id = p_run.version_id and v.workspace_id = p_run.workspace_id
    returning * into a;
    return pg_catalog.jsonb_build_object('state', 'waiting', 'id', a.id, 'dueAt', a.due_at);
  end if;
  v_state := a.status;
  if a.status = 'consumed' then
    v_state := case when a.consumed_key = p_key then 'approved' else 'withdrawn' end;
  elsif a.status = 'approved' and a.due_at > clock_timestamp() then
    update quorate.approvals x set status = 'consumed', consumed_at = clock_timestamp(), consumed_key = p_key where x.id = a.id;
  elsif a.status in ('pending', 'approved') and a.due_at <= clock_timestamp() then
    update quorate.approvals x set status = 'expired' where x.id = a.id;
    perform quorate.append_worker_event(p_run.workspace_id, (p_request ->> 'eventId')::uuid, 'approval.expired', 'approval', a.id::text,
      a.title, pg_catalog.jsonb_build_object('run', p_run.id, 'step', p_path, 'digest', p_digest));
    v_state := 'expired';
  elsif a.status = 'pending' then
    v_state := 'waiting';
  end if;
  return pg_catalog.jsonb_build_object('state', v_state, 'id', a.id, 'dueAt', a.due_at, 'votes',
    (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', v.voter_name, 'vote', v.vote, 'reason', v.reason)
      order by v.voted_at), '[]') from quorate.approval_votes v where v.approval_id = a.id));
end $$;

create function quorate.write_step(p_run quorate.runs, p_step jsonb, p_input json, p_status text, p_approval uuid, p_error jsonb)
returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.steps as s (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
    connection_id, capability_id, capability_fingerprint, candidates, reason, input, input_digest, decision_id, approval_id, error,
    finished_at)
  values (p_run.id, p_run.workspace_id, p_step ->> 'path', p_step ->> 'stepId', p_step ->> 'kind', p_step ->> 'name', p_status,
    (p_step ->> 'attempt')::int, p_run.attempt, p_step ->> 'key', p_step ->> 'protocol', (p_step ->> 'connectionId')::uuid,
    (p_step ->> 'capabilityId')::uuid, p_step ->> 'fingerprint', p_step -> 'candidates', p_step -> 'reason', p_input,
    p_step ->> 'inputDigest', (p_step #>> '{decision,id}')::uuid, p_approval, p_error,
    case when p_status = 'error' then clock_timestamp() end)
  on conflict (run_id, path) do update set status = p_status, attempt = excluded.attempt, run_attempt = excluded.run_attempt,
    protocol = excluded.protocol, connection_id = excluded.connection_id, capability_id = excluded.capability_id,
    capability_fingerprint = excluded.capability_fingerprint, candidates = excluded.candidates, reason = excluded.reason,
    input = excluded.input, input_digest = excluded.input_digest, decision_id = excluded.decision_id,
    approval_id = coalesce(excluded.approval_id, s.approval_id), error = coalesce(excluded.error, s.error), next_attempt_at = null,
    finished_at = excluded.finished_at;
end $$;

create function quorate.start_step(p_workspace uuid, p_run uuid, p_attempt int, p_revision bigint, p_step json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; w quorate.workspaces; s quorate.steps; v_step jsonb := p_step; v_input json := p_step -> 'input';
  d jsonb := v_step -> 'decision'; v_verdict text := d ->> 'verdict'; v_approval jsonb;
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  select * into w from quorate.workspaces x where x.id = p_workspace;
  if r.cancel_requested_at is null and (w.id is null or w.halted_at is not null) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  select * into s from quorate.steps x where x.run_id = p_run and x.path = v_step ->> 'path';
  if s.status in ('success', 'error', 'skipped') then
    return pg_catalog.json_build_object('state', 'done', 'status', s.status, 'output', s.output, 'error', s.error);
  end if;
  if s.decision_id = (d ->> 'id')::uuid and s.status = 'processing' then return '{"state":"started"}'; end if;
  if w.config_revision <> p_revision then
    return pg_catalog.json_build_object('state', 'stale', 'revision', w.config_revision);
  end if;
  if v_verdict is null or d ->> 'actionDigest' is null then raise exception 'a step needs its decision' using errcode = 'QR001'; end if;

  -- a policy that an approval has released decides 'allow' and still comes with the approval that it needs
  if v_verdict = 'require_approval' or v_step -> 'approval' is not null then
    v_approval := quorate.take_approval(r, v_step ->> 'path', v_step ->> 'key', d ->> 'actionDigest', v_step -> 'approval',
      p_step #> '{approval,subject}');
  end if;
  insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest,
    policy_version)
  values ((d ->> 'id')::uuid, p_workspace, p_run, v_step ->> 'path', (v_step ->> 'attempt')::int, d ->> 'action', v_verdict, d -> 'rules',
    d -> 'reason', d -> 'context', d ->> 'actionDigest', d ->> 'policyVersion')
  on conflict (id) do nothing;

  if v_approval is not null and v_approval ->> 'state' <> 'approved' then
    perform quorate.write_step(r, v_step, v_input, case when v_approval ->> 'state' = 'waiting' then 'waiting' else 'pending' end,
      (v_approval ->> 'id')::uuid, null);
    return v_approval::json;
  end if;
  if v_verdict not in ('allow', 'warn', 'transform', 'require_approval') then
    perform quorate.write_step(r, v_step, v_input, 'error', null, v_step -> 'refusal');
    return '{"state":"refused"}';
  end if;
  perform quorate.write_step(r, v_step, v_input, 'processing', (v_approval ->> 'id')::uuid, null);
  return '{"state":"started"}';
end $$;

create function quorate.ask_approval(p_workspace uuid, p_run uuid, p_attempt int, p_step json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v jsonb; v_step jsonb := p_step;
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  v := quorate.take_approval(r, v_step ->> 'path', v_step ->> 'key', v_step ->> 'actionDigest', v_step -> 'approval',
    p_step #> '{approval,subject}');
  perform quorate.write_step(r, v_step, p_step -> 'input', case v ->> 'state' when 'waiting' then 'waiting' else 'pending' end,
    (v ->> 'id')::uuid, null);
  return v;
end $$;

create function quorate.ask_outcome(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_question json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; a quorate.approvals; v_held boolean := false; q jsonb := p_question;
begin
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null then
    v_held := quorate.is_held(r);
    if not v_held then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  select * into a from quorate.approvals x where x.id = (q ->> 'id')::uuid;
  if a.id is null then
    insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, quorum, requested_by,
      version_author_id, due_at, subject_kind)
    select (q ->> 'id')::uuid, r.workspace_id, r.id, p_path, q ->> 'title', p_question -> 'subject', q ->> 'digest', q -> 'reason',
      'medium', 1, r.initiator_id, v.author_id, clock_timestamp() + pg_catalog.make_interval(hours => (q ->> 'dueHours')::int), 'outcome'
    from quorate.versions v where v.id = r.version_id and v.workspace_id = r.workspace_id
    returning * into a;
    update quorate.steps s set status = 'waiting', error = q -> 'error', approval_id = a.id, run_attempt = p_attempt, finished_at = null,
      frames = coalesce(p_question -> 'frames', s.frames)
    where s.run_id = p_run and s.path = p_path and s.status = 'processing';
    if not found then raise exception 'no call is under way' using errcode = 'QR004'; end if;
  end if;
  -- the halt keeps what was asked: nothing starts by it
  if v_held then return '{"state":"halted"}'; end if;
  return pg_catalog.jsonb_build_object('state', 'waiting', 'id', a.id, 'dueAt', a.due_at);
end $$;

create function quorate.finish_step(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_result json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_held boolean := false; v_result jsonb := p_result; u jsonb := v_result -> 'usage';
  v_output json := p_result -> 'output';
begin
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null then
    v_held := quorate.is_held(r);
    if not v_held then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  end if;
  if u is not null then
    -- an attempt is under way as 'processing' and ends once: a repeated statement finds it over and adds nothing
    update quorate.steps s set tokens_in = coalesce(s.tokens_in, 0) + (u ->> 'tokensIn')::bigint,
      tokens_out = coalesce(s.tokens_out, 0) + (u ->> 'tokensOut')::bigint,
      cost_micros = case when u ->> 'costMicros' is null then s.cost_micros
        else coalesce(s.cost_micros, 0) + (u ->> 'costMicros')::bigint end
    where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status = 'processing';
    if found then
      update quorate.runs x set tokens_in = coalesce(x.tokens_in, 0) + (u ->> 'tokensIn')::bigint,
        tokens_out = coalesce(x.tokens_out, 0) + (u ->> 'tokensOut')::bigint,
        cost_micros = case when u ->> 'costMicros' is null then x.cost_micros
          else coalesce(x.cost_micros, 0) + (u ->> 'costMicros')::bigint end
      where x.id = p_run;
    end if;
  end if;
  update quorate.steps s set status = v_result ->> 'status',
    output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end, output_digest = v_result ->> 'outputDigest',
    error = nullif(v_result -> 'error', 'null'), next_attempt_at = (v_result ->> 'nextAttemptAt')::timestamptz,
    finished_at = clock_timestamp(), frames = coalesce(p_result -> 'frames', s.frames)
  where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status in ('processing', 'waiting', 'pending');
  return pg_catalog.jsonb_build_object('state', case when v_held then 'halted' else 'ok' end,
    'cancelled', r.cancel_requested_at is not null);
end $$;

create function quorate.journal_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local);
  return '{"state":"ok"}';
end $$;

create function quorate.settle_run(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  if p_local is not null and quorate.is_held(r)
    and exists (select from pg_catalog.json_to_recordset(p_local) as l (path text)
      where not exists (select from quorate.steps x where x.run_id = p_run and x.path = l.path)) then
    return '{"halted":true}';
  end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  -- what was under way when the run ended has no result
  update quorate.steps s set status = 'error', error = '{"key":"stepAbandoned","values":{}}', finished_at = clock_timestamp()
    where s.run_id = p_run and s.status in ('pending', 'processing', 'waiting');
  return pg_catalog.json_build_object(
    'steps', (select coalesce(pg_catalog.json_agg(pg_catalog.to_json(s)), '[]') from quorate.steps s where s.run_id = p_run),
    'decisions', (select coalesce(pg_catalog.json_agg(pg_catalog.to_json(d)), '[]') from quorate.decisions d where d.run_id = p_run));
end $$;

create function quorate.park_run(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null and not quorate.is_held(r) then
    perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local);
  end if;
  if r.wake or r.cancel_requested_at is not null then return '{"state":"wake"}'; end if;
  update quorate.runs x set status = 'waiting', claimed_by = null, waiting_since = clock_timestamp(), updated_at = clock_timestamp()
    where x.id = p_run;
  return '{"state":"parked"}';
end $$;

create function quorate.close_run(p_workspace uuid, p_run uuid, p_attempt int, p_close json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_name text; v_steps int; v_decisions int; v_events jsonb; v_close jsonb := p_close;
  v_output json := p_close -> 'output'; v_status text := v_close ->> 'status';
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
  update quorate.runs x set status = v_status, output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end,
    error = nullif(v_close -> 'error', 'null'), journal_hash = v_close #>> '{journal,journal}', claimed_by = null, wake = false,
    finished_at = clock_timestamp(), updated_at = clock_timestamp() where x.id = p_run;
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
  return '{"state":"closed"}';
end $$;

create function quorate.read_version(p_workspace uuid, p_version uuid) returns json
language sql stable security definer set search_path = '' as $$
  select case when a.kind = 'inspection' then (
    select pg_catalog.json_object_agg(m.key, m.value order by m.place) from (
      select e.key, e.value, e.place from pg_catalog.json_each(v.document) with ordinality as e (key, value, place)
      union all select 'inspects', 'true', null) m)
    else v.document end
  from quorate.versions v join quorate.artifacts a on a.id = v.artifact_id where v.id = p_version and v.workspace_id = p_workspace
$$;

create or replace function quorate.copy_journal(p_from uuid, p_to uuid, p_paths text[], p_open text[]) returns int
language plpgsql security definer set search_path = '' as $$
declare f quorate.runs; t quorate.runs; n int;
begin
  select * into f from quorate.runs x where x.id = p_from and (x.workspace_id = quorate.current_workspace_id()) is true;
  select * into t from quorate.runs x where x.id = p_to and (x.workspace_id = quorate.current_workspace_id()) is true for update;
  if f.id is null or t.id is null
    or (quorate.sees_all_runs() or f.initiator_id = quorate.current_user_id()) is not true
    or f.status not in ('completed', 'failed', 'cancelled')
    or t.initiator_id <> quorate.current_user_id() or t.parent_run_id is distinct from f.id or t.status <> 'pending' or t.attempt <> 0
    or row(t.artifact_id, t.version_id, t.mode, t.input::jsonb) is distinct from row(f.artifact_id, f.version_id, f.mode, f.input::jsonb)
    or exists (select from quorate.steps s where s.run_id = p_to) then
    raise exception 'this run does not go on from that one' using errcode = 'QP005';
  end if;
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
    connection_id, capability_id, capability_fingerprint, candidates, reason, input, output, error, input_digest, output_digest,
    started_at, finished_at)
  select p_to, s.workspace_id, s.path, s.step_id, s.kind, s.name, case when s.path = any(p_open) then 'processing' else s.status end,
    s.attempt, 0, p_to::text || '/' || s.path, s.protocol, s.connection_id, s.capability_id, s.capability_fingerprint, s.candidates,
    case when s.path = any(p_open) then s.reason
      else pg_catalog.jsonb_build_object('key', 'stepKept', 'values', pg_catalog.jsonb_build_object('run', p_from)) end,
    s.input, case when s.path = any(p_open) then null else s.output end, s.error, s.input_digest,
    case when s.path = any(p_open) then null else s.output_digest end, s.started_at,
    case when s.path = any(p_open) then null else s.finished_at end
  from quorate.steps s where s.run_id = p_from and s.kind <> 'approval'
    and ((s.path = any(p_paths) and s.status in ('success', 'skipped', 'error'))
      or (s.path = any(p_open) and s.kind = 'branch' and s.input is not null))
  order by s.position;
  get diagnostics n = row_count;
  -- the first walk reads the journal, as one that takes over does
  update quorate.runs x set attempt = 1 where x.id = p_to;
  return n;
end $$;

create function quorate.is_halt_of(p_workspace uuid, p_subject json) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.workspaces w where w.id = p_workspace and w.id::text = p_subject ->> 'workspaceId'
    and pg_catalog.date_trunc('milliseconds', w.halted_at) = (p_subject ->> 'haltedAt')::timestamptz)
$$;

create function quorate.request_release(p_approval uuid, p_title text, p_subject json, p_digest text, p_reason jsonb, p_due timestamptz)
returns void language plpgsql security definer set search_path = '' as $$
declare v_user uuid := quorate.current_user_id(); v_workspace uuid := quorate.current_workspace_id();
begin
  if v_user is null or v_workspace is null or not quorate.has_role('admin') or quorate.current_key_id() is not null then
    raise exception 'only an administrator asks for a release' using errcode = 'QP005';
  end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  if p_subject ->> 'kind' is distinct from 'release' or not quorate.is_halt_of(v_workspace, p_subject) then
    raise exception 'the workspace is not halted so' using errcode = 'QP006';
  end if;
  if exists (select from quorate.approvals a where a.workspace_id = v_workspace and a.subject_kind = 'release'
    and a.status in ('pending', 'approved')) then
    raise exception 'a release is asked for already' using errcode = 'QP006';
  end if;
  insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by,
    version_author_id, due_at, subject_kind)
  values (p_approval, v_workspace, null, '', p_title, p_subject, p_digest, p_reason, 'high', v_user, v_user, p_due, 'release');
end $$;

create function quorate.become_trigger(p_trigger uuid, p_lock boolean)
returns table (trigger_id uuid, trigger_name text, kind text, workspace_id uuid, artifact_id uuid, artifact_name text, version_id uuid,
  document json, user_id uuid, settings json, secret_sealed bytea, next_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare t quorate.triggers; a quorate.artifacts; v quorate.versions; v_roles text[];
begin
  if p_lock then
    select * into t from quorate.triggers x where x.id = p_trigger and x.enabled for update skip locked;
  else
    select * into t from quorate.triggers x where x.id = p_trigger and x.enabled;
  end if;
  select * into a from quorate.artifacts x
    where x.id = t.artifact_id and x.workspace_id = t.workspace_id and x.kind = 'workflow' and x.deleted_at is null;
  select * into v from quorate.versions x where x.id = a.published_version_id;
  if t.id is null or v.id is null then raise exception 'no such trigger' using errcode = 'QP004'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = t.workspace_id and m.user_id = v.author_id;
  if v_roles is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  -- a trigger starts runs: it neither decides nor administers, whatever its publisher may
  v_roles := array(select distinct r from unnest(v_roles || '{user}') r where r in ('user', 'builder') order by 1);
  perform set_config('quorate.user_id', v.author_id::text, true), set_config('quorate.workspace_id', t.workspace_id::text, true),
    set_config('quorate.roles', array_to_string(v_roles, ','), true), set_config('quorate.key_id', '', true),
    set_config('quorate.trigger_id', t.id::text, true);
  return query select t.id, t.name, t.kind, t.workspace_id, a.id, a.name, v.id, v.document::json, v.author_id, t.settings::json,
    t.secret_sealed, t.next_at;
end $$;

create function quorate.export_own_data() returns json language plpgsql stable security definer set search_path = '' as $$
declare p uuid := quorate.current_user_id(); v_email text;
begin
  if p is null or quorate.current_key_id() is not null then
    raise exception 'only people have data of their own' using errcode = 'QP005';
  end if;
  select u.email into v_email from auth.users u where u.id = p;
  return pg_catalog.json_build_object(
    'profile', (select pg_catalog.to_json(x) from public.profiles x where x.id = p),
    'account', (select pg_catalog.json_build_object('id', u.id, 'email', u.email, 'createdAt', u.created_at,
      'emailConfirmedAt', u.email_confirmed_at, 'lastSignInAt', u.last_sign_in_at) from auth.users u where u.id = p),
    'memberships', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspace', w.name, 'workspaceId', w.id,
      'name', m.name, 'email', m.email, 'roles', m.roles, 'since', m.created_at) order by m.created_at), '[]')
      from quorate.members m join quorate.workspaces w on w.id = m.workspace_id where m.user_id = p),
    'invitations', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspaceId', i.workspace_id, 'email', i.email,
      'roles', i.roles, 'sentAt', i.created_at, 'acceptedAt', i.accepted_at, 'declinedAt', i.declined_at) order by i.created_at), '[]')
      from quorate.invitations i where lower(i.email) = lower(v_email)),
    'sessions', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(s) - 'user_id' order by s.last_seen_at desc), '[]')
      from quorate.user_sessions s where s.user_id = p),
    'apiKeys', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(k) - 'key_hash' - 'user_id' order by k.created_at), '[]')
      from quorate.api_keys k where k.user_id = p),
    'preferences', (select x.settings from quorate.preferences x where x.user_id = p),
    'savedViews', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(v) - 'user_id' order by v.created_at), '[]')
      from quorate.saved_views v where v.user_id = p),
    'notifications', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(n) - 'user_id' order by n.created_at), '[]')
      from quorate.notifications n where n.user_id = p),
    'files', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('name', f.name, 'mediaType', f.media_type,
      'createdAt', f.created_at, 'content', pg_catalog.encode(f.content, 'base64')) order by f.created_at), '[]')
      from quorate.files f where f.owner_id = p),
    'approvalVotes', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('approvalId', v.approval_id, 'vote', v.vote,
      'reason', v.reason, 'votedAt', v.voted_at) order by v.voted_at), '[]') from quorate.approval_votes v where v.user_id = p),
    'runsStarted', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', r.id, 'workspaceId', r.workspace_id,
      'mode', r.mode, 'status', r.status, 'input', r.input, 'createdAt', r.created_at) order by r.created_at), '[]')
      from quorate.runs r where r.initiator_id = p),
    'auditEvents', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', e.id, 'workspaceId', e.workspace_id,
      'action', e.action, 'resourceKind', e.resource_kind, 'resourceId', e.resource_id, 'resourceName', e.resource_name,
      'payload', e.payload, 'at', e.at) order by e.at), '[]') from quorate.audit_events e where e.actor_id = p),
    'newsletter', (select pg_catalog.json_build_object('language', n.language, 'subscribedAt', n.subscribed_at)
      from quorate.newsletter_subscribers n where lower(n.email) = lower(v_email)),
    'contactRequests', (select coalesce(pg_catalog.json_agg(pg_catalog.to_json(c) order by c.created_at), '[]')
      from quorate.contact_requests c where lower(c.email) = lower(v_email))
  );
end $$;

-- `union` needs equality, which json has not: approvals are compared by the columns that are read.
do $$
declare v_schema text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm');
begin
  execute format($create$
    create or replace function quorate.search_candidates(p_words text, p_limit int) returns table (kind text, id uuid, score real)
    language plpgsql stable security definer set search_path = pg_catalog, %I as $f$
    declare
      v_workspace uuid := quorate.current_workspace_id();
      v_user uuid := quorate.current_user_id();
      v_all boolean := quorate.sees_all_runs();
      v_drafts boolean := quorate.has_role('builder', 'auditor', 'admin', 'approver');
      v_like text := '%%' || replace(replace(replace(p_words, '\', '\\'), '%%', '\%%'), '_', '\_') || '%%';
      v_hex text := lower(replace(p_words, '-', ''));
      v_matched uuid[];
    begin
      if v_workspace is null or v_user is null or length(p_words) not between 1 and 200 then return; end if;
      -- two letters that changed places leave three of eight trigrams in common; with few letters that would be anything
      perform set_config('pg_trgm.word_similarity_threshold', case when length(p_words) < 5 then '0.5' else '0.3' end, true);

      select array_agg(x.id) into v_matched from (
        select a.id from quorate.artifacts a where a.workspace_id = v_workspace and a.kind in ('workflow', 'agent')
          and (p_words <%% a.name or a.name ilike v_like)
        order by (a.name ilike v_like) desc, word_similarity(p_words, a.name) desc, a.updated_at desc limit 20) x;

      return query select k.kind, x.id, x.score from unnest(array['workflow', 'agent', 'policy']) k (kind) cross join lateral (
        select a.id, (word_similarity(p_words, a.name) + case when a.name ilike v_like then 1 else 0 end)::real as score
        from quorate.artifacts a
        where a.workspace_id = v_workspace and a.kind = k.kind and a.deleted_at is null
          and (a.published_version_id is not null or a.owner_id = v_user or v_drafts)
          and (p_words <%% a.name or a.name ilike v_like or a.description ilike v_like)
        order by 2 desc, a.updated_at desc limit p_limit) x;

      return query select 'connection'::text, c.id,
          (word_similarity(p_words, c.name) + case when c.name ilike v_like then 1 else 0 end)::real
        from quorate.connections c
        where c.workspace_id = v_workspace and c.deleted_at is null
          and (p_words <%% c.name or c.name ilike v_like or c.description ilike v_like)
        order by 3 desc, c.name limit p_limit;

      return query select 'member'::text, m.user_id, (greatest(word_similarity(p_words, m.name), word_similarity(p_words, m.email))
          + case when m.name ilike v_like or m.email ilike v_like then 1 else 0 end)::real
        from quorate.members m
        where m.workspace_id = v_workspace
          and (p_words <%% m.name or m.name ilike v_like or p_words <%% m.email or m.email ilike v_like)
        order by 3 desc, m.name limit p_limit;

      -- Most approvals share a few titles: a bounded number of matches is looked at, what waits first.
      return query select 'approval'::text, y.id, y.score from (
        select x.id, x.created_at, (word_similarity(p_words, x.title) + case when x.status = 'pending' then 1 else 0 end)::real as score
        from (
          (select a.id, a.title, a.status, a.created_at from quorate.approvals a
            where a.workspace_id = v_workspace and a.status = 'pending' and (v_all or a.requested_by = v_user)
              and (p_words <%% a.title or a.title ilike v_like) limit 200)
          union
          (select a.id, a.title, a.status, a.created_at from quorate.approvals a
            where a.workspace_id = v_workspace and (v_all or a.requested_by = v_user)
              and (p_words <%% a.title or a.title ilike v_like) limit 200)) x) y
        order by y.score desc, y.created_at desc limit p_limit;

      -- The newest runs of what is called so, and a run by the beginning of its id.
      if v_all then
        return query select 'run'::text, r.id, 0.5::real from unnest(v_matched) m (artifact) cross join lateral (
          select x.id, x.created_at from quorate.runs x where x.artifact_id = m.artifact and x.workspace_id = v_workspace
          order by x.created_at desc limit p_limit) r
        order by r.created_at desc limit p_limit;
      else
        return query select 'run'::text, r.id, 0.5::real from (
          select x.id, x.artifact_id, x.created_at from quorate.runs x where x.workspace_id = v_workspace and x.initiator_id = v_user
          order by x.created_at desc limit 1000) r
          where r.artifact_id = any (v_matched) order by r.created_at desc limit p_limit;
      end if;
      if v_hex ~ '^[0-9a-f]{6,32}$' then
        return query select 'run'::text, r.id, 2::real from quorate.runs r
          where r.id between rpad(v_hex, 32, '0')::uuid and rpad(v_hex, 32, 'f')::uuid and r.workspace_id = v_workspace
            and (v_all or r.initiator_id = v_user) limit p_limit;
      end if;
    end $f$ $create$, v_schema);
end $$;

revoke all on function
  quorate.write_local_steps(uuid, uuid, int, json), quorate.read_journal(uuid), quorate.claim_run(uuid, uuid, uuid),
  quorate.take_approval(quorate.runs, text, text, text, jsonb, json),
  quorate.write_step(quorate.runs, jsonb, json, text, uuid, jsonb),
  quorate.start_step(uuid, uuid, int, bigint, json, json), quorate.ask_approval(uuid, uuid, int, json, json),
  quorate.ask_outcome(uuid, uuid, int, text, json, json), quorate.finish_step(uuid, uuid, int, text, json, json),
  quorate.journal_local_steps(uuid, uuid, int, json), quorate.settle_run(uuid, uuid, int, json),
  quorate.park_run(uuid, uuid, int, json), quorate.close_run(uuid, uuid, int, json),
  quorate.read_version(uuid, uuid), quorate.is_halt_of(uuid, json),
  quorate.request_release(uuid, text, json, text, jsonb, timestamptz), quorate.become_trigger(uuid, boolean),
  quorate.export_own_data()
  from public;
grant execute on function
  quorate.claim_run(uuid, uuid, uuid), quorate.start_step(uuid, uuid, int, bigint, json, json),
  quorate.ask_approval(uuid, uuid, int, json, json), quorate.ask_outcome(uuid, uuid, int, text, json, json),
  quorate.finish_step(uuid, uuid, int, text, json, json), quorate.journal_local_steps(uuid, uuid, int, json),
  quorate.settle_run(uuid, uuid, int, json), quorate.park_run(uuid, uuid, int, json), quorate.close_run(uuid, uuid, int, json),
  quorate.read_version(uuid, uuid)
  to quorate_worker;
grant execute on function
  quorate.request_release(uuid, text, json, text, jsonb, timestamptz), quorate.export_own_data()
  to quorate_member;
grant execute on function quorate.become_trigger(uuid, boolean) to quorate_app;

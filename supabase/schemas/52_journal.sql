-- The journal of a run: what a worker writes while it drives one. Every statement holds the fence.

create function quorate.append_worker_event(p_workspace uuid, p_id uuid, p_action text, p_kind text, p_resource text, p_name text,
  p_payload jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, resource_name, payload, salt)
  values (p_id, p_workspace, 'worker', p_action, p_kind, p_resource, p_name, p_payload,
    pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
end $$;

-- The fence: locks the run's row and answers it while the caller still drives it, else nothing. A run that was taken from its worker is
-- held by nobody: what that worker still says counts no more, even before somebody else drives the run.
create function quorate.hold_run(p_workspace uuid, p_run uuid, p_attempt int) returns quorate.runs
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  select * into r from quorate.runs x
    where x.id = p_run and (x.workspace_id = p_workspace and x.attempt = p_attempt and x.status = 'processing'
    and x.claimed_by is not null) is true for no key update;
  return r;
end $$;

-- A path's places in loops. Ids and labels begin with a letter, so that a part of digits is the number of an item.
create function quorate.loop_of_item(p_path text) returns text language sql immutable parallel safe
  as $$ select substring(p_path from '^(.+)/[0-9]+$') $$;

create function quorate.index_of_item(p_path text) returns int language sql immutable parallel safe
  as $$ select substring(p_path from '/([0-9]+)$')::int $$;

create function quorate.item_around(p_path text) returns text language sql immutable parallel safe
  as $$ select substring(p_path from '^(.*/[0-9]+)/.+$') $$;

-- Steps without an effect: branch, loop, item of a loop, transform, skipped, and an agent that a step stands for.
create function quorate.write_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_rows json) returns void
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

-- The steps that a walk needs, with what a budget is counted by: all outside of items, and those of items that have not ended. Ended items
-- are counted by list_loops.
create function quorate.read_journal(p_run uuid) returns json language plpgsql stable security definer set search_path = '' as $$
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

-- The loops under way, with what of them has ended: ranges of items [from, to), how many succeeded and failed, the bytes of the results,
-- and the error of the first item that failed.
create function quorate.list_loops(p_run uuid) returns json language plpgsql stable security definer set search_path = '' as $$
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

-- Ended items of a loop in their order, from p_from on, as many as p_limit.
create function quorate.read_items(p_workspace uuid, p_run uuid, p_attempt int, p_loop text, p_from int, p_limit int) returns json
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if (quorate.hold_run(p_workspace, p_run, p_attempt)).id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('index', i.item_index, 'output', i.output, 'error', i.error,
    'reason', i.reason) order by i.item_index), '[]')
  from (select * from quorate.steps x where x.run_id = p_run and x.item_of = p_loop and x.item_index >= p_from
    and x.status in ('success', 'error') order by x.item_index limit p_limit) i);
end $$;

-- Writes a step with its attempt.
create function quorate.write_step(p_run quorate.runs, p_step jsonb, p_input json, p_status text, p_approval uuid, p_error jsonb)
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

-- As before, and a call has its place at its connection before it starts: nothing of an approval is used up while it waits for one.
create function quorate.start_step(p_workspace uuid, p_run uuid, p_attempt int, p_revision bigint, p_step json, p_local json)
returns json language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; w quorate.workspaces; s quorate.steps; v_step jsonb := p_step; v_input json := p_step -> 'input';
  d jsonb := v_step -> 'decision'; v_verdict text := d ->> 'verdict'; v_approval jsonb; v_call jsonb; v_approves boolean;
begin
  perform quorate.require_session();
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
  if s.decision_id = (d ->> 'id')::uuid and s.status = 'processing' then
    return pg_catalog.json_build_object('state', 'started', 'place', exists (select from quorate.connection_calls x
      where x.run_id = p_run and x.path = s.path and x.state = 'calling'));
  end if;
  if w.config_revision <> p_revision then
    return pg_catalog.json_build_object('state', 'stale', 'revision', w.config_revision);
  end if;
  if v_verdict is null or d ->> 'actionDigest' is null then raise exception 'a step needs its decision' using errcode = 'QR001'; end if;
  -- of a dry run, calls that only read may start, and those that policies deny are refused as ever
  if v_verdict = 'require_approval' or (v_verdict <> 'deny' and not quorate.only_reads((v_step ->> 'capabilityId')::uuid)) then
    perform quorate.refuse_in_dry_run(r);
  end if;

  v_approves := v_verdict = 'require_approval' or v_step -> 'approval' is not null;
  if v_verdict in ('allow', 'warn', 'transform', 'require_approval') and v_step ->> 'connectionId' is not null
    and (not v_approves or exists (select from quorate.approvals a where a.run_id = p_run and a.step_path = v_step ->> 'path'
      and a.action_digest = d ->> 'actionDigest'
      and (a.status = 'consumed' or (a.status = 'approved' and a.due_at > clock_timestamp())))) then
    v_call := quorate.take_call(p_workspace, (v_step ->> 'connectionId')::uuid, p_run, v_step ->> 'path');
    if v_call ->> 'state' = 'full' then
      perform quorate.write_step(r, v_step - 'decision', v_input, 'waiting', null, null);
      return '{"state":"full"}';
    end if;
  end if;

  -- a policy that an approval has released decides 'allow' and still comes with the approval that it needs
  if v_approves then
    v_approval := quorate.take_approval(r, v_step ->> 'path', v_step ->> 'key', d ->> 'actionDigest', v_step -> 'approval',
      p_step #> '{approval,subject}');
  end if;
  insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest,
    policy_version)
  values ((d ->> 'id')::uuid, p_workspace, p_run, v_step ->> 'path', (v_step ->> 'attempt')::int, d ->> 'action', v_verdict, d -> 'rules',
    d -> 'reason', d -> 'context', d ->> 'actionDigest', d ->> 'policyVersion')
  on conflict (id) do nothing;

  if v_approval is not null and v_approval ->> 'state' <> 'approved' then
    delete from quorate.connection_calls x where x.run_id = p_run and x.path = v_step ->> 'path';
    perform quorate.write_step(r, v_step, v_input, case when v_approval ->> 'state' = 'waiting' then 'waiting' else 'pending' end,
      (v_approval ->> 'id')::uuid, null);
    return v_approval::json;
  end if;
  if v_verdict not in ('allow', 'warn', 'transform', 'require_approval') then
    perform quorate.write_step(r, v_step, v_input, 'error', null, v_step -> 'refusal');
    return '{"state":"refused"}';
  end if;
  perform quorate.write_step(r, v_step, v_input, 'processing', (v_approval ->> 'id')::uuid, null);
  return pg_catalog.json_build_object('state', 'started', 'place', coalesce((v_call ->> 'place')::boolean, false));
end $$;

-- An approval of exactly this action for exactly this step. Answers { state: approved | waiting | rejected | expired | withdrawn, id, votes
-- }. The first attempt of the step consumes it; later attempts carry the same idempotency key. A closed one is never asked again.
create function quorate.take_approval(p_run quorate.runs, p_path text, p_key text, p_digest text, p_request jsonb, p_subject json)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_state text;
begin
  select * into a from quorate.approvals x where x.run_id = p_run.id and x.step_path = p_path and x.action_digest = p_digest
    order by x.created_at desc limit 1 for update;
  if a.id is null then
    insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, quorum, requested_by,
      version_author_id, due_at, meaning, role, groups, reauthenticate)
    select (p_request ->> 'id')::uuid, p_run.workspace_id, p_run.id, p_path, p_request ->> 'title', p_subject, p_digest,
      p_request -> 'reason', p_request ->> 'risk', coalesce((p_request ->> 'quorum')::int, 1), p_run.initiator_id, v.author_id,
      clock_timestamp() + pg_catalog.make_interval(hours => (p_request ->> 'dueHours')::int), p_request ->> 'meaning',
      coalesce(p_request ->> 'role', 'approver'),
      case when p_request -> 'groups' is not null then array(select pg_catalog.jsonb_array_elements_text(p_request -> 'groups')) end,
      p_request ->> 'reauthenticate'
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

-- A step of the kind approval: asks, waits, or takes what people decided. Answers { state: approved | waiting | rejected | expired |
-- withdrawn | fenced | halted | cancelled, votes }.
create function quorate.ask_approval(p_workspace uuid, p_run uuid, p_attempt int, p_step json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v jsonb; v_step jsonb := p_step;
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  perform quorate.refuse_in_dry_run(r);
  v := quorate.take_approval(r, v_step ->> 'path', v_step ->> 'key', v_step ->> 'actionDigest', v_step -> 'approval',
    p_step #> '{approval,subject}');
  perform quorate.write_step(r, v_step, p_step -> 'input', case v ->> 'state' when 'waiting' then 'waiting' else 'pending' end,
    (v ->> 'id')::uuid, null);
  return v;
end $$;

-- A call was made and nobody knows what became of it: the step waits for a person. Saying it twice is the same as once.
create function quorate.ask_outcome(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_question json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; a quorate.approvals; v_held boolean := false; q jsonb := p_question;
begin
  perform quorate.require_session();
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

-- Takes the answer exactly once; p_confirmed is the sentence of a step that was confirmed. { state }: done | again | waiting | rejected |
-- expired | withdrawn | cancelled | fenced, and none for a step that asks nothing.
create function quorate.settle_outcome(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_event uuid, p_confirmed text)
  returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; s quorate.steps; a quorate.approvals; v_state text; v_votes jsonb; v_done text;
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  select * into s from quorate.steps x where x.run_id = p_run and x.path = p_path;
  select * into a from quorate.approvals x where x.id = s.approval_id and x.subject_kind = 'outcome' for update;
  if a.id is null then return '{"state":"none"}'; end if;
  if s.status <> 'waiting' then
    -- this very statement said twice: its first answer was lost
    return pg_catalog.jsonb_build_object('state', case when s.run_attempt <> p_attempt then 'none' when s.status = 'success' then
      'done' when s.status = 'pending' then 'again' else 'none' end);
  end if;
  v_state := a.status;
  if a.status in ('pending', 'approved') and a.due_at <= clock_timestamp() then
    update quorate.approvals x set status = 'expired' where x.id = a.id;
    perform quorate.append_worker_event(r.workspace_id, p_event, 'approval.expired', 'approval', a.id::text, a.title,
      pg_catalog.jsonb_build_object('run', r.id, 'step', p_path, 'digest', a.action_digest));
    v_state := 'expired';
  elsif a.status = 'pending' then
    return pg_catalog.jsonb_build_object('state', 'waiting', 'id', a.id, 'dueAt', a.due_at);
  end if;
  select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', v.voter_name, 'vote', v.vote, 'reason', v.reason)
    order by v.voted_at), '[]'),
    max(v.voter_name) filter (where v.vote = 'done') into v_votes, v_done from quorate.approval_votes v where v.approval_id = a.id;
  if v_state = 'approved' then
    update quorate.approvals x set status = 'consumed', consumed_at = clock_timestamp(), consumed_key = s.idempotency_key where x.id = a.id;
    if v_done is not null then
      update quorate.steps x set status = 'success', output = null, error = null, run_attempt = p_attempt, finished_at = clock_timestamp(),
        reason = pg_catalog.jsonb_build_object('key', p_confirmed, 'values', pg_catalog.jsonb_build_object('name', v_done))
          where x.run_id = p_run and x.path = p_path;
      return '{"state":"done"}';
    end if;
    update quorate.steps x set status = 'pending', error = s.error - 'unknown', next_attempt_at = clock_timestamp(), run_attempt = p_attempt
      where x.run_id = p_run and x.path = p_path;
    return '{"state":"again"}';
  end if;
  update quorate.steps x set run_attempt = p_attempt where x.run_id = p_run and x.path = p_path;
  return pg_catalog.jsonb_build_object('state', v_state, 'id', a.id, 'dueAt', a.due_at, 'votes', v_votes);
end $$;

-- Writes the outcome of a started step: success, error, or pending until its next attempt. Saying it twice is the same as once. Usage
-- goes onto the step and the run once, with the statement that ends the attempt. 'halted': the result is kept, the local steps in hand
-- are not.
create function quorate.finish_step(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_result json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_held boolean := false; v_result jsonb := p_result; u jsonb := v_result -> 'usage';
  v_output json := p_result -> 'output';
begin
  perform quorate.require_session();
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
  if v_result ->> 'status' = 'pending' then
    insert into quorate.step_attempts (workspace_id, run_id, path, attempt, error)
    select p_workspace, p_run, p_path, s.attempt, v_result -> 'error' from quorate.steps s
    where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status = 'processing'
    on conflict do nothing;
    -- of a step that fails again and again, the last are kept
    delete from quorate.step_attempts a using quorate.steps s where s.run_id = p_run and s.path = p_path
      and a.run_id = p_run and a.path = p_path and a.attempt <= s.attempt - 20;
  end if;
  update quorate.steps s set status = v_result ->> 'status',
    output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end, output_digest = v_result ->> 'outputDigest',
    error = nullif(v_result -> 'error', 'null'), next_attempt_at = (v_result ->> 'nextAttemptAt')::timestamptz,
    finished_at = clock_timestamp(), frames = coalesce(p_result -> 'frames', s.frames)
  where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status in ('processing', 'waiting', 'pending');
  return pg_catalog.jsonb_build_object('state', case when v_held then 'halted' else 'ok' end,
    'cancelled', r.cancel_requested_at is not null);
end $$;

-- Writes the local steps in hand. { state }: ok | fenced | halted | cancelled; nothing is written under a halt.
create function quorate.journal_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local);
  return '{"state":"ok"}';
end $$;

-- The rows that the closing event will hash, as { steps, decisions }: nobody else writes them while the fence holds.
create function quorate.settle_run(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform quorate.require_session();
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

-- Lets go of a run that waits. 'wake': something happened meanwhile, so the caller claims it again.
create function quorate.park_run(p_workspace uuid, p_run uuid, p_attempt int, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform quorate.require_session();
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

-- Ends a run: status, output, hash of the journal and the one event that says so, together. p_close.journal is what was hashed. The entry
-- names every entry of the run and of its approvals before it, and the approvals and forms that are withdrawn with the end.
create function quorate.close_run(p_workspace uuid, p_run uuid, p_attempt int, p_close json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_name text; v_steps int; v_decisions int; v_events jsonb; v_taken jsonb; v_close jsonb := p_close;
  v_output json := p_close -> 'output'; v_status text := v_close ->> 'status'; v_at timestamptz;
begin
  perform quorate.require_session();
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
  v_taken := quorate.take_back_asks(p_run, null);
  if r.trial ->> 'kind' = 'dry' and r.caller_run_id is null then perform quorate.drop_dry_files(p_run); end if;
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
      || pg_catalog.jsonb_build_object('mode', r.mode, 'version', r.version_id, 'attempts', r.attempt, 'events', v_events)
      || case when v_taken = '{"approvals":[],"forms":[]}' then '{}' else pg_catalog.jsonb_build_object('withdrawn', v_taken) end);
  return pg_catalog.jsonb_build_object('state', 'closed', 'at', v_at, 'related', quorate.wake_related_runs(r, v_status));
end $$;

revoke all on function quorate.append_worker_event(uuid, uuid, text, text, text, text, jsonb), quorate.hold_run(uuid, uuid, int),
  quorate.write_local_steps(uuid, uuid, int, json), quorate.read_journal(uuid), quorate.list_loops(uuid),
  quorate.read_items(uuid, uuid, int, text, int, int), quorate.loop_of_item(text), quorate.index_of_item(text), quorate.item_around(text),
  quorate.write_step(quorate.runs, jsonb, json, text, uuid, jsonb), quorate.start_step(uuid, uuid, int, bigint, json, json),
  quorate.take_approval(quorate.runs, text, text, text, jsonb, json), quorate.ask_approval(uuid, uuid, int, json, json),
  quorate.ask_outcome(uuid, uuid, int, text, json, json), quorate.settle_outcome(uuid, uuid, int, text, uuid, text),
  quorate.finish_step(uuid, uuid, int, text, json, json), quorate.journal_local_steps(uuid, uuid, int, json),
  quorate.settle_run(uuid, uuid, int, json), quorate.park_run(uuid, uuid, int, json), quorate.close_run(uuid, uuid, int, json) from public;
grant execute on function quorate.start_step(uuid, uuid, int, bigint, json, json), quorate.ask_approval(uuid, uuid, int, json, json),
  quorate.ask_outcome(uuid, uuid, int, text, json, json), quorate.settle_outcome(uuid, uuid, int, text, uuid, text),
  quorate.finish_step(uuid, uuid, int, text, json, json), quorate.journal_local_steps(uuid, uuid, int, json),
  quorate.settle_run(uuid, uuid, int, json), quorate.park_run(uuid, uuid, int, json),
  quorate.close_run(uuid, uuid, int, json), quorate.read_items(uuid, uuid, int, text, int, int) to quorate_worker;

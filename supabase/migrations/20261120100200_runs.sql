-- Durable runs: the journal's only writers. Each function is one round trip, checks that the run is the workspace's and that
-- the caller still holds the fence (runs.attempt), and leaves everything else to the row locks it takes.
-- A job of the queue is a wake-up call and no more: what is true stands here.

-- Whatever runs for every step is plpgsql: its plans are kept by the session, those of the language sql are made anew each time.

-- As in the first migration, found by the transaction's own index: a plan made while the log was short would walk all of a
-- workspace's events at every change. The row is not turned into JSON for it: its values may be large.
create or replace function quorate.require_audit_event() returns trigger language plpgsql security definer set search_path = '' as $$
declare ws uuid; n int;
begin
  if tg_table_name = 'workspaces' then
    if tg_op = 'DELETE' then ws := old.id; else ws := new.id; end if;
  else
    if tg_op = 'DELETE' then ws := old.workspace_id; else ws := new.workspace_id; end if;
  end if;
  select count(*) filter (where e.workspace_id = ws) into n from quorate.audit_events e where e.xid = pg_catalog.pg_current_xact_id();
  if n <> 1 then
    raise exception 'a change to %.% needs exactly one audit event in its transaction, found %', tg_table_schema, tg_table_name, n
      using errcode = 'QA001';
  end if;
  return null;
end $$;

-- A row is looked up by its id, and `(workspace_id = …) is true` only checks it: as plain conditions both could be answered by
-- an index on the workspace, and a plan made while the table was empty, when all cost the same, walks the whole workspace.

-- Locks. Halting takes the first exclusively, starting a step takes it shared: whoever starts has committed before the halt has.
create function quorate.halt_lock(p_workspace uuid) returns bigint language sql immutable parallel safe
  as $$ select pg_catalog.hashtextextended('halt:' || p_workspace::text, 0) $$;
-- Held by a worker's session as long as it lives: who obtains it knows that the worker is gone.
create function quorate.worker_lock(p_worker uuid) returns bigint language sql immutable parallel safe
  as $$ select pg_catalog.hashtextextended('worker:' || p_worker::text, 0) $$;

create function quorate.append_worker_event(p_workspace uuid, p_id uuid, p_action text, p_kind text, p_resource text, p_name text, p_payload jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, resource_name, payload, salt)
  values (p_id, p_workspace, 'worker', p_action, p_kind, p_resource, p_name, p_payload, pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
end $$;

-- Steps without an effect: branch, transform, skipped.
create function quorate.write_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_rows jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, reason, input, output, error, input_digest, output_digest, started_at, finished_at)
  select p_run, p_workspace, r.path, r."stepId", r.kind, r.name, r.status, p_attempt, p_run::text || '/' || r.path, r.reason, r.input, r.output, r.error, r."inputDigest", r."outputDigest", r."startedAt", r."finishedAt"
  from pg_catalog.jsonb_to_recordset(p_rows) as r (path text, "stepId" text, kind text, name text, status text, reason jsonb, input jsonb, output jsonb, error jsonb, "inputDigest" text, "outputDigest" text, "startedAt" timestamptz, "finishedAt" timestamptz)
  on conflict (run_id, path) do update set status = excluded.status, output = excluded.output, output_digest = excluded.output_digest, error = excluded.error, finished_at = excluded.finished_at
    -- a branch stands as processing while its steps run; everything else is written once
    where quorate.steps.kind = 'branch' and quorate.steps.status = 'processing' and excluded.status <> 'processing';
end $$;

create function quorate.read_journal(p_run uuid) returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('path', s.path, 'stepId', s.step_id, 'kind', s.kind, 'status', s.status, 'attempt', s.attempt, 'runAttempt', s.run_attempt,
    'connectionId', s.connection_id, 'capabilityId', s.capability_id, 'candidates', s.candidates, 'reason', s.reason, 'input', s.input, 'output', s.output, 'error', s.error, 'approvalId', s.approval_id,
    'nextAttemptAt', s.next_attempt_at)), '[]')
  from quorate.steps s where s.run_id = p_run);
end $$;

-- Makes a run this worker's own and raises the fence. 'busy': somebody drives it and will walk once more; 'done': nothing left to do.
create function quorate.claim_run(p_workspace uuid, p_run uuid, p_worker uuid) returns jsonb
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
    if r.status = 'processing' then update quorate.runs x set status = 'waiting', claimed_by = null, waiting_since = clock_timestamp(), updated_at = clock_timestamp() where x.id = p_run; end if;
    return '{"state":"halted"}';
  end if;
  update quorate.runs x set status = 'processing', attempt = x.attempt + 1, claimed_by = p_worker, wake = false,
    started_at = coalesce(x.started_at, clock_timestamp()), updated_at = clock_timestamp(),
    waiting_ms = x.waiting_ms + case when x.waiting_since is null then 0 else (extract(epoch from clock_timestamp() - x.waiting_since) * 1000)::bigint end, waiting_since = null
    where x.id = p_run returning * into r;
  select v.author_id into v_author from quorate.versions v where v.id = r.version_id and (v.workspace_id = p_workspace) is true;
  return pg_catalog.jsonb_build_object('state', 'claimed', 'attempt', r.attempt, 'versionId', r.version_id, 'artifactId', r.artifact_id, 'mode', r.mode, 'input', r.input,
    'initiatorId', r.initiator_id, 'initiatorRoles', coalesce((select pg_catalog.to_jsonb(m.roles) from quorate.members m where m.workspace_id = p_workspace and m.user_id = r.initiator_id), '[]'), 'versionAuthorId', v_author, 'createdAt', r.created_at, 'cancelled', r.cancel_requested_at is not null, 'revision', w.config_revision,
    'steps', case when r.attempt = 1 then '[]'::jsonb else quorate.read_journal(p_run) end,
    'approvals', case when r.attempt = 1 then '[]'::jsonb else (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', a.id, 'path', a.step_path, 'status', a.status, 'digest', a.action_digest, 'dueAt', a.due_at,
        'approvedBy', (select coalesce(pg_catalog.jsonb_agg(v.user_id), '[]') from quorate.approval_votes v where v.approval_id = a.id and v.vote = 'approve'))), '[]')
      from quorate.approvals a where a.run_id = p_run) end);
end $$;

-- Something happened to a run that this worker is driving already.
create function quorate.wake_run(p_workspace uuid, p_run uuid) returns void language sql security definer set search_path = '' as $$
  update quorate.runs x set wake = true where x.id = p_run and (x.workspace_id = p_workspace and x.status = 'processing' and not x.wake) is true
$$;

-- The fence: locks the run's row and answers it while the caller still drives it, else nothing.
create function quorate.hold_run(p_workspace uuid, p_run uuid, p_attempt int) returns quorate.runs
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  select * into r from quorate.runs x where x.id = p_run and (x.workspace_id = p_workspace and x.attempt = p_attempt and x.status = 'processing') is true for no key update;
  return r;
end $$;

-- Whether a halt holds this run: a local step that is not written yet then did not start, and the walk after the release does it.
-- A cancelled run may end all the same. The caller has taken the halt's lock, before the run's row: whoever halts waits for both.
create function quorate.is_held(p_run quorate.runs) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  return p_run.cancel_requested_at is null and exists (select from quorate.workspaces x where x.id = p_run.workspace_id and x.halted_at is not null);
end $$;

-- An approval of exactly this action for exactly this step. Answers { state: approved | waiting | rejected | expired | withdrawn, id, votes }.
-- The first attempt of the step consumes it; later attempts carry the same idempotency key. A closed one is never asked again.
create function quorate.take_approval(p_run quorate.runs, p_path text, p_key text, p_digest text, p_request jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_state text;
begin
  select * into a from quorate.approvals x where x.run_id = p_run.id and x.step_path = p_path and x.action_digest = p_digest order by x.created_at desc limit 1 for update;
  if a.id is null then
    insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, quorum, requested_by, version_author_id, due_at)
    select (p_request ->> 'id')::uuid, p_run.workspace_id, p_run.id, p_path, p_request ->> 'title', p_request -> 'subject', p_digest, p_request -> 'reason', p_request ->> 'risk',
      coalesce((p_request ->> 'quorum')::int, 1), p_run.initiator_id, v.author_id, clock_timestamp() + pg_catalog.make_interval(hours => (p_request ->> 'dueHours')::int)
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
    perform quorate.append_worker_event(p_run.workspace_id, (p_request ->> 'eventId')::uuid, 'approval.expired', 'approval', a.id::text, a.title, pg_catalog.jsonb_build_object('run', p_run.id, 'step', p_path, 'digest', p_digest));
    v_state := 'expired';
  elsif a.status = 'pending' then
    v_state := 'waiting';
  end if;
  return pg_catalog.jsonb_build_object('state', v_state, 'id', a.id, 'dueAt', a.due_at, 'votes',
    (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', v.voter_name, 'vote', v.vote, 'reason', v.reason) order by v.voted_at), '[]') from quorate.approval_votes v where v.approval_id = a.id));
end $$;

create function quorate.write_step(p_run quorate.runs, p_step jsonb, p_status text, p_approval uuid, p_error jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.steps as s (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol, connection_id, capability_id, capability_fingerprint,
    candidates, reason, input, input_digest, decision_id, approval_id, error, finished_at)
  values (p_run.id, p_run.workspace_id, p_step ->> 'path', p_step ->> 'stepId', p_step ->> 'kind', p_step ->> 'name', p_status, (p_step ->> 'attempt')::int, p_run.attempt, p_step ->> 'key', p_step ->> 'protocol',
    (p_step ->> 'connectionId')::uuid, (p_step ->> 'capabilityId')::uuid, p_step ->> 'fingerprint', p_step -> 'candidates', p_step -> 'reason', p_step -> 'input', p_step ->> 'inputDigest',
    (p_step #>> '{decision,id}')::uuid, p_approval, p_error, case when p_status = 'error' then clock_timestamp() end)
  on conflict (run_id, path) do update set status = p_status, attempt = excluded.attempt, run_attempt = excluded.run_attempt, protocol = excluded.protocol, connection_id = excluded.connection_id,
    capability_id = excluded.capability_id, capability_fingerprint = excluded.capability_fingerprint, candidates = excluded.candidates, reason = excluded.reason, input = excluded.input, input_digest = excluded.input_digest,
    decision_id = excluded.decision_id, approval_id = coalesce(excluded.approval_id, s.approval_id), error = coalesce(excluded.error, s.error), next_attempt_at = null, finished_at = excluded.finished_at;
end $$;

-- Starts a step with an effect, or says why not. Answers { state }: started | waiting | refused | halted | cancelled | stale | fenced | done, and
-- rejected | expired | withdrawn for its approval. The decision row stands before the step does, in the same transaction.
create function quorate.start_step(p_workspace uuid, p_run uuid, p_attempt int, p_revision bigint, p_step jsonb, p_local jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; w quorate.workspaces; s quorate.steps; d jsonb := p_step -> 'decision'; v_approval jsonb; v_verdict text := p_step #>> '{decision,verdict}';
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  select * into w from quorate.workspaces x where x.id = p_workspace;
  if r.cancel_requested_at is null and (w.id is null or w.halted_at is not null) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  select * into s from quorate.steps x where x.run_id = p_run and x.path = p_step ->> 'path';
  if s.status in ('success', 'error', 'skipped') then
    return pg_catalog.jsonb_build_object('state', 'done', 'status', s.status, 'output', s.output, 'error', s.error);
  end if;
  if s.decision_id = (d ->> 'id')::uuid and s.status = 'processing' then return pg_catalog.jsonb_build_object('state', 'started'); end if;
  if w.config_revision <> p_revision then return pg_catalog.jsonb_build_object('state', 'stale', 'revision', w.config_revision); end if;
  if v_verdict is null or d ->> 'actionDigest' is null then raise exception 'a step needs its decision' using errcode = 'QR001'; end if;

  -- a policy that an approval has released decides 'allow' and still comes with the approval that it needs
  if v_verdict = 'require_approval' or p_step -> 'approval' is not null then
    v_approval := quorate.take_approval(r, p_step ->> 'path', p_step ->> 'key', d ->> 'actionDigest', p_step -> 'approval');
  end if;
  insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest, policy_version)
  values ((d ->> 'id')::uuid, p_workspace, p_run, p_step ->> 'path', (p_step ->> 'attempt')::int, d ->> 'action', v_verdict, d -> 'rules', d -> 'reason', d -> 'context', d ->> 'actionDigest', d ->> 'policyVersion')
  on conflict (id) do nothing;

  if v_approval is not null and v_approval ->> 'state' <> 'approved' then
    perform quorate.write_step(r, p_step, case when v_approval ->> 'state' = 'waiting' then 'waiting' else 'pending' end, (v_approval ->> 'id')::uuid, null);
    return v_approval;
  end if;
  if v_verdict not in ('allow', 'warn', 'transform', 'require_approval') then
    perform quorate.write_step(r, p_step, 'error', null, p_step -> 'refusal');
    return '{"state":"refused"}';
  end if;
  perform quorate.write_step(r, p_step, 'processing', (v_approval ->> 'id')::uuid, null);
  return pg_catalog.jsonb_build_object('state', 'started');
end $$;

-- A step of the kind approval: asks, waits, or takes what people decided. Answers { state: approved | waiting | rejected | expired | withdrawn | fenced | halted | cancelled, votes }.
create function quorate.ask_approval(p_workspace uuid, p_run uuid, p_attempt int, p_step jsonb, p_local jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v jsonb;
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  v := quorate.take_approval(r, p_step ->> 'path', p_step ->> 'key', p_step ->> 'actionDigest', p_step -> 'approval');
  perform quorate.write_step(r, p_step, case v ->> 'state' when 'waiting' then 'waiting' else 'pending' end, (v ->> 'id')::uuid, null);
  return v;
end $$;

-- What a started step came to: success, error, or pending until its next attempt. Saying it twice is the same as once.
-- 'halted': the result is kept, the local steps in hand are not.
create function quorate.finish_step(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_result jsonb, p_local jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_held boolean := false;
begin
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null then
    v_held := quorate.is_held(r);
    if not v_held then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  end if;
  update quorate.steps s set status = p_result ->> 'status', output = nullif(p_result -> 'output', 'null'), output_digest = p_result ->> 'outputDigest', error = nullif(p_result -> 'error', 'null'),
    next_attempt_at = (p_result ->> 'nextAttemptAt')::timestamptz, finished_at = clock_timestamp()
  where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status in ('processing', 'waiting', 'pending');
  return pg_catalog.jsonb_build_object('state', case when v_held then 'halted' else 'ok' end, 'cancelled', r.cancel_requested_at is not null);
end $$;

-- Writes the local steps still in hand; answers whether the fence holds.
create function quorate.journal_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_local jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local);
  return '{"state":"ok"}';
end $$;

-- The rows that the closing event will hash, as { steps, decisions }: nobody else writes them while the fence holds.
create function quorate.settle_run(p_workspace uuid, p_run uuid, p_attempt int, p_local jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  if p_local is not null and quorate.is_held(r)
    and exists (select from pg_catalog.jsonb_to_recordset(p_local) as l (path text) where not exists (select from quorate.steps x where x.run_id = p_run and x.path = l.path)) then
    return '{"halted":true}';
  end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  -- what was under way when the run ended has no result
  update quorate.steps s set status = 'error', error = '{"key":"stepAbandoned","values":{}}', finished_at = clock_timestamp() where s.run_id = p_run and s.status in ('pending', 'processing', 'waiting');
  return pg_catalog.jsonb_build_object(
    'steps', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(s)), '[]') from quorate.steps s where s.run_id = p_run),
    'decisions', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(d)), '[]') from quorate.decisions d where d.run_id = p_run));
end $$;

-- Lets go of a run that waits. 'wake': something happened meanwhile, so the caller claims it again.
create function quorate.park_run(p_workspace uuid, p_run uuid, p_attempt int, p_local jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null and not quorate.is_held(r) then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.wake or r.cancel_requested_at is not null then return '{"state":"wake"}'; end if;
  update quorate.runs x set status = 'waiting', claimed_by = null, waiting_since = clock_timestamp(), updated_at = clock_timestamp() where x.id = p_run;
  return '{"state":"parked"}';
end $$;

-- Ends a run: status, output, hash of the journal and the one event that says so, together. p_close.journal is what was hashed.
create function quorate.close_run(p_workspace uuid, p_run uuid, p_attempt int, p_close jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_name text; v_steps int; v_decisions int;
begin
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then
    return pg_catalog.jsonb_build_object('state', case when exists (select from quorate.runs x where x.id = p_run and (x.workspace_id = p_workspace and x.attempt = p_attempt and x.status in ('completed', 'failed', 'cancelled')) is true) then 'closed' else 'fenced' end);
  end if;
  -- a cancellation that came while the last step ended still counts
  if r.cancel_requested_at is not null and p_close ->> 'status' <> 'cancelled' then return '{"state":"cancelled"}'; end if;
  select count(*) into v_steps from quorate.steps s where s.run_id = p_run;
  select count(*) into v_decisions from quorate.decisions d where d.run_id = p_run;
  if v_steps <> (p_close #>> '{journal,steps}')::int or v_decisions <> (p_close #>> '{journal,decisions}')::int then
    raise exception 'the journal is not what was hashed' using errcode = 'QR002';
  end if;
  update quorate.approvals a set status = 'withdrawn' where a.run_id = p_run and a.status in ('pending', 'approved');
  update quorate.runs x set status = p_close ->> 'status', output = nullif(p_close -> 'output', 'null'), error = nullif(p_close -> 'error', 'null'), journal_hash = p_close #>> '{journal,journal}', claimed_by = null, wake = false,
    finished_at = clock_timestamp(), updated_at = clock_timestamp() where x.id = p_run;
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.append_worker_event(p_workspace, (p_close ->> 'eventId')::uuid, 'run.' || (p_close ->> 'status'), 'run', p_run::text, v_name,
    (p_close -> 'journal') || pg_catalog.jsonb_build_object('mode', r.mode, 'version', r.version_id, 'attempts', r.attempt));
  return '{"state":"closed"}';
end $$;

-- Runs that this worker drives and somebody wants to end.
create function quorate.list_cancelled_runs(p_worker uuid) returns table (run_id uuid) language sql stable security definer set search_path = '' as $$
  select r.id from quorate.runs r where r.claimed_by = p_worker and r.status = 'processing' and r.cancel_requested_at is not null
$$;
create function quorate.list_claimed_runs(p_worker uuid) returns table (run_id uuid, workspace_id uuid) language sql stable security definer set search_path = '' as $$
  select r.id, r.workspace_id from quorate.runs r where r.claimed_by = p_worker and r.status = 'processing'
$$;
-- Open runs that nobody drives although something is to be done, for longer than a job takes to be fetched and claimed: their
-- job went down with a worker between the two. Only of use to who has just found the queue empty.
create function quorate.list_stalled_runs() returns table (run_id uuid, workspace_id uuid) language sql stable security definer set search_path = '' as $$
  select r.id, r.workspace_id from quorate.runs r join quorate.workspaces w on w.id = r.workspace_id
  where r.status in ('pending', 'waiting') and (r.status = 'pending' or r.wake or r.cancel_requested_at is not null) and r.updated_at < clock_timestamp() - interval '2 seconds'
    and (w.halted_at is null or r.cancel_requested_at is not null) limit 200
$$;
-- Workers that hold runs but no longer their lock. One look may fall into a reconnection: who asks looks twice.
create function quorate.list_lost_workers(p_worker uuid) returns table (worker_id uuid) language sql volatile security definer set search_path = '' as $$
  select c.claimed_by from (select distinct r.claimed_by from quorate.runs r where r.status = 'processing' and r.claimed_by is not null and r.claimed_by <> p_worker) c
  where not exists (select from pg_catalog.pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 1
    and l.classid::bigint = ((quorate.worker_lock(c.claimed_by) >> 32) & 4294967295) and l.objid::bigint = (quorate.worker_lock(c.claimed_by) & 4294967295)
    and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()))
$$;
-- Lets go of everything a dead worker held; the caller puts these runs into the queue in the same transaction.
create function quorate.release_lost_worker(p_worker uuid) returns table (run_id uuid, workspace_id uuid)
language plpgsql security definer set search_path = '' as $$
begin
  if not pg_catalog.pg_try_advisory_xact_lock(quorate.worker_lock(p_worker)) then return; end if;
  return query update quorate.runs r set claimed_by = null where r.claimed_by = p_worker and r.status = 'processing' returning r.id, r.workspace_id;
end $$;

create function quorate.read_version(p_workspace uuid, p_version uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select v.document from quorate.versions v where v.id = p_version and v.workspace_id = p_workspace
$$;

-- Everything a decision and a route depend on, at one revision.
create function quorate.read_run_config(p_workspace uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select pg_catalog.jsonb_build_object('revision', w.config_revision,
    'connections', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', c.id, 'kind', c.kind, 'name', c.name, 'slug', c.slug, 'endpoint', c.endpoint, 'status', c.status,
      'credential', pg_catalog.encode(c.sealed_credential, 'base64'), 'personalDataAllowed', c.personal_data_allowed, 'settings', c.settings)), '[]')
      from quorate.connections c where c.workspace_id = w.id and c.deleted_at is null),
    'capabilities', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', k.id, 'connectionId', k.connection_id, 'kind', k.kind, 'name', k.name, 'title', k.title, 'description', k.description,
      'inputSchema', k.input_schema, 'fingerprint', k.fingerprint, 'approvedFingerprint', k.approved_fingerprint) order by k.id), '[]')
      from quorate.capabilities k join quorate.connections c on c.id = k.connection_id and c.deleted_at is null where k.workspace_id = w.id and k.removed_at is null),
    'policies', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', a.id, 'name', a.name, 'version', v.number, 'contentHash', v.content_hash, 'document', v.document) order by a.id), '[]')
      from quorate.artifacts a left join quorate.versions v on v.id = a.published_version_id where a.workspace_id = w.id and a.kind = 'policy' and a.status = 'active' and a.deleted_at is null))
  from quorate.workspaces w where w.id = p_workspace
$$;

-- How each capability did lately: for routing alone.
create function quorate.read_capability_records(p_workspace uuid) returns table (capability_id uuid, calls int, errors int, p95_ms double precision)
language sql stable security definer set search_path = '' as $$
  select k.id, count(s.run_id)::int, (count(*) filter (where s.status = 'error'))::int,
    coalesce(percentile_cont(0.95) within group (order by extract(epoch from s.finished_at - s.started_at) * 1000) filter (where s.status = 'success'), 0)
  from quorate.capabilities k cross join lateral (select x.run_id, x.status, x.started_at, x.finished_at from quorate.steps x where x.capability_id = k.id and x.finished_at is not null order by x.started_at desc limit 50) s
  where k.workspace_id = p_workspace and k.removed_at is null group by k.id
$$;

-- A mark that changes whenever something of a run does; only for runs named with their own workspace.
create function quorate.list_run_marks(p_workspaces uuid[], p_runs uuid[]) returns table (run_id uuid, mark text) language sql stable security definer set search_path = '' as $$
  select r.id, r.status || ' ' || r.attempt || ' ' || r.updated_at || ' ' || (select count(*) || ' ' || coalesce(max(greatest(s.started_at, s.finished_at))::text, '') || ' ' || coalesce(sum(s.attempt), 0)
      || ' ' || count(*) filter (where s.status in ('waiting', 'pending')) from quorate.steps s where s.run_id = r.id)
    || ' ' || (select coalesce(pg_catalog.string_agg(a.status, ',' order by a.id), '') || (select count(*) from quorate.approval_votes v join quorate.approvals b on b.id = v.approval_id where b.run_id = r.id) from quorate.approvals a where a.run_id = r.id)
  from unnest(p_workspaces, p_runs) as w (workspace_id, run_id) join quorate.runs r on r.id = w.run_id and r.workspace_id = w.workspace_id
$$;

-- Live runs of a month, counted no further than the limit. A plain user sees only their own runs; a quota is the workspace's.
create function quorate.count_live_runs(p_workspace uuid, p_since timestamptz, p_limit int) returns int language plpgsql stable security definer set search_path = '' as $$
begin
  if p_workspace is distinct from quorate.current_workspace_id() then raise exception 'another workspace' using errcode = '42501'; end if;
  return (select count(*)::int from (select from quorate.runs r where r.workspace_id = p_workspace and r.mode = 'live' and r.created_at >= p_since limit p_limit) x);
end $$;

do $$
declare f regprocedure;
begin
  for f in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'quorate'::regnamespace and p.proname in ('halt_lock', 'worker_lock', 'append_worker_event', 'write_local_steps', 'read_journal', 'claim_run',
    'wake_run', 'hold_run', 'is_held', 'take_approval', 'write_step', 'start_step', 'ask_approval', 'finish_step', 'journal_local_steps', 'park_run', 'close_run', 'list_cancelled_runs', 'list_claimed_runs', 'list_stalled_runs', 'list_lost_workers',
    'release_lost_worker', 'settle_run', 'list_run_marks', 'count_live_runs', 'read_version', 'read_run_config', 'read_capability_records') loop
    execute format('revoke all on function %s from public', f);
  end loop;
end $$;
grant execute on function quorate.halt_lock(uuid) to quorate_member, quorate_worker;
grant execute on function quorate.worker_lock(uuid) to quorate_app, quorate_worker;
grant execute on function quorate.claim_run(uuid, uuid, uuid), quorate.wake_run(uuid, uuid), quorate.start_step(uuid, uuid, int, bigint, jsonb, jsonb), quorate.ask_approval(uuid, uuid, int, jsonb, jsonb),
  quorate.finish_step(uuid, uuid, int, text, jsonb, jsonb), quorate.journal_local_steps(uuid, uuid, int, jsonb), quorate.park_run(uuid, uuid, int, jsonb), quorate.close_run(uuid, uuid, int, jsonb), quorate.settle_run(uuid, uuid, int, jsonb),
  quorate.list_run_marks(uuid[], uuid[]), quorate.list_cancelled_runs(uuid), quorate.list_claimed_runs(uuid), quorate.list_stalled_runs(), quorate.read_version(uuid, uuid), quorate.read_run_config(uuid), quorate.read_capability_records(uuid) to quorate_worker;
grant execute on function quorate.count_live_runs(uuid, timestamptz, int) to quorate_member;
grant execute on function quorate.list_lost_workers(uuid), quorate.release_lost_worker(uuid) to quorate_app;

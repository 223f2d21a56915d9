-- Dry runs of drafts: they record what each effect would be, and call nothing that writes.

-- Whether the calls of a capability change nothing, as its peer declares. A model answers and changes nothing.
create function quorate.only_reads(p_capability uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select c.kind = 'model' or c.definition ->> 'effect' = 'reads'
      or ((c.definition ->> 'effect' in ('reads', 'writes')) is not true and c.definition #>> '{annotations,readOnlyHint}' = 'true')
    from quorate.capabilities c where c.id = p_capability), false);
end $$;

-- Refuses what a dry run never does, whatever a worker asks for.
create function quorate.refuse_in_dry_run(p_run quorate.runs) returns void language plpgsql set search_path = '' as $$
begin
  if p_run.trial ->> 'kind' = 'dry' then raise exception 'a dry run has no effect' using errcode = 'QR005'; end if;
end $$;

-- Writes a step that a dry run does not carry out, with the decision on it and the output that later steps see in its place. Answers
-- { state: noted | stale | fenced | halted | cancelled }.
create function quorate.note_step(p_workspace uuid, p_run uuid, p_attempt int, p_revision bigint, p_step json, p_output json, p_local json)
returns json language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_revision bigint; v_step jsonb := p_step; d jsonb := v_step -> 'decision';
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if (r.trial ->> 'kind' = 'dry') is not true then raise exception 'only a dry run notes a step' using errcode = 'QR005'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if exists (select from quorate.steps x where x.run_id = p_run and x.path = v_step ->> 'path'
    and x.status in ('success', 'error', 'skipped')) then
    return '{"state":"noted"}';
  end if;
  select x.config_revision into v_revision from quorate.workspaces x where x.id = p_workspace;
  if v_revision <> p_revision then return pg_catalog.json_build_object('state', 'stale', 'revision', v_revision); end if;
  insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, rules, reason, context, action_digest,
    policy_version)
  values ((d ->> 'id')::uuid, p_workspace, p_run, v_step ->> 'path', (v_step ->> 'attempt')::int, d ->> 'action', d ->> 'verdict',
    d -> 'rules', d -> 'reason', d -> 'context', d ->> 'actionDigest', d ->> 'policyVersion')
  on conflict (id) do nothing;
  perform quorate.write_step(r, v_step, p_step -> 'input', 'skipped', null, null);
  update quorate.steps s set output = p_output, output_digest = v_step ->> 'outputDigest', finished_at = clock_timestamp()
    where s.run_id = p_run and s.path = v_step ->> 'path';
  return '{"state":"noted"}';
end $$;

revoke all on function quorate.only_reads(uuid), quorate.refuse_in_dry_run(quorate.runs),
  quorate.note_step(uuid, uuid, int, bigint, json, json, json) from public;
grant execute on function quorate.note_step(uuid, uuid, int, bigint, json, json, json) to quorate_worker;

create or replace function quorate.start_step(p_workspace uuid, p_run uuid, p_attempt int, p_revision bigint, p_step json, p_local json)
returns json language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; w quorate.workspaces; s quorate.steps; v_step jsonb := p_step; v_input json := p_step -> 'input';
  d jsonb := v_step -> 'decision'; v_verdict text := d ->> 'verdict'; v_approval jsonb; v_call jsonb; v_approves boolean;
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

create or replace function quorate.ask_approval(p_workspace uuid, p_run uuid, p_attempt int, p_step json, p_local json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v jsonb; v_step jsonb := p_step;
begin
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

create or replace function quorate.start_called_run(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_call json, p_local json)
returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_version quorate.versions; v_name text; v_id uuid := (p_call ->> 'runId')::uuid;
  v_quota int := (p_call ->> 'quota')::int;
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
    trial)
  values (v_id, p_workspace, v_version.artifact_id, v_version.id, r.mode, 'workflow', r.initiator_id, p_call -> 'input', p_run, p_path,
    -- what a dry run calls is dry itself
    case when r.trial ->> 'kind' = 'dry' then '{"kind":"dry","outputs":{},"pinned":[],"around":{}}'::json end);
  perform quorate.append_worker_event(p_workspace, (p_call ->> 'eventId')::uuid, 'run.started', 'run', v_id::text, v_name,
    pg_catalog.jsonb_build_object('workflow', v_version.artifact_id, 'version', v_version.id, 'mode', r.mode, 'trigger', 'workflow',
      'caller', p_run, 'callerStep', p_path));
  return '{"state":"started"}';
end $$;

create or replace function quorate.ask_human_task(p_workspace uuid, p_run uuid, p_attempt int, p_step json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; t quorate.human_tasks; v_step jsonb := p_step; q jsonb := v_step -> 'task'; v_to text := q ->> 'to';
  v_path text := v_step ->> 'path'; v_users uuid[]; v_name text;
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  perform quorate.refuse_in_dry_run(r);
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  select * into t from quorate.human_tasks x where x.run_id = p_run and x.step_path = v_path for update;
  if t.id is null then
    select coalesce(pg_catalog.array_agg(m.user_id), '{}') into v_users from quorate.members m where m.workspace_id = p_workspace
      and case v_to when 'starter' then m.user_id = r.initiator_id
        when 'member' then pg_catalog.lower(m.email) = pg_catalog.lower(q ->> 'member') else v_to = any (m.roles) end;
    if pg_catalog.cardinality(v_users) = 0 then return '{"state":"nobody"}'; end if;
    insert into quorate.human_tasks (id, workspace_id, run_id, step_path, title, workflow, question, shown, fields, role, user_id, due_at)
    values ((q ->> 'id')::uuid, p_workspace, p_run, v_path, v_step ->> 'name', v_name, q ->> 'question', p_step #> '{task,shown}',
      q -> 'fields', case when v_to not in ('starter', 'member') then v_to end, case when v_to in ('starter', 'member') then v_users[1] end,
      clock_timestamp() + pg_catalog.make_interval(hours => (q ->> 'dueHours')::int))
    returning * into t;
    perform quorate.append_worker_event(p_workspace, (q ->> 'eventId')::uuid, 'humanTask.asked', 'run', p_run::text, v_name,
      pg_catalog.jsonb_build_object('task', t.id, 'step', v_path));
    perform quorate.notify(p_workspace, v_users, 'task', 'notifyTask',
      pg_catalog.jsonb_build_object('title', t.title, 'workflow', v_name),
      pg_catalog.jsonb_build_object('kind', 'task', 'id', t.id), 'task:' || t.id);
  elsif t.status = 'pending' and t.due_at <= clock_timestamp() then
    update quorate.human_tasks x set status = 'expired' where x.id = t.id returning * into t;
    perform quorate.close_task_notices(t.id);
    perform quorate.append_worker_event(p_workspace, (q ->> 'eventId')::uuid, 'humanTask.expired', 'run', p_run::text, v_name,
      pg_catalog.jsonb_build_object('task', t.id, 'step', v_path));
  end if;
  -- written by this attempt, which is then the one that may end it
  perform quorate.write_step(r, v_step, p_step -> 'input', case t.status when 'pending' then 'waiting' else 'pending' end, null, null);
  return pg_catalog.json_build_object('state', case t.status when 'pending' then 'waiting' else t.status end, 'id', t.id, 'dueAt', t.due_at,
    'answer', t.answer, 'by', (select m.name from quorate.members m where m.workspace_id = p_workspace and m.user_id = t.answered_by));
end $$;

create or replace function quorate.send_message(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_message json, p_local json)
returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_to text[]; v_users uuid[];
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  perform quorate.refuse_in_dry_run(r);
  select coalesce(pg_catalog.array_agg(x), '{}') into v_to from pg_catalog.json_array_elements_text(p_message -> 'to') x;
  select coalesce(pg_catalog.array_agg(m.user_id), '{}') into v_users from quorate.members m
    where m.workspace_id = p_workspace and (m.roles && pg_catalog.array_remove(v_to, 'starter')
      or (m.user_id = r.initiator_id and 'starter' = any (v_to)));
  perform quorate.notify(p_workspace, v_users, 'message', 'notifyMessage',
    pg_catalog.jsonb_build_object('title', p_message ->> 'title',
      'workflow', (select a.name from quorate.artifacts a where a.id = r.artifact_id)),
    pg_catalog.jsonb_build_object('kind', 'run', 'id', p_run), 'message:' || p_run || '/' || p_path);
  return pg_catalog.json_build_object('state', 'sent', 'recipients', pg_catalog.cardinality(v_users));
end $$;

-- Agents written in the workspace run inside a step: each call of a model or a tool is a step of its own below it. An agent,
-- written here or remote, can be paused: from the commit on none of its steps starts.

-- Which agent a step stands for, where it is one of the workspace's own.
alter table quorate.steps add column agent_id uuid;
create index steps_agent on quorate.steps (agent_id, started_at desc) where agent_id is not null;
alter table quorate.connections add column paused_at timestamptz;

create trigger agent_changed after update on quorate.artifacts for each row
  when (new.kind = 'agent' and row(old.status, old.deleted_at) is distinct from row(new.status, new.deleted_at)) execute function quorate.bump_config_revision();
create trigger pause_changed after update on quorate.connections for each row
  when (old.paused_at is distinct from new.paused_at) execute function quorate.bump_config_revision();
create index artifacts_agents on quorate.artifacts (workspace_id, name, id) where kind = 'agent' and deleted_at is null;
grant update (paused_at) on quorate.connections to quorate_member;

-- As before, and who may not connect may not pause.
create function quorate.guard_connection_pause() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and new.paused_at is distinct from old.paused_at and not quorate.has_role('builder', 'admin') then
    raise exception 'only a builder or an admin pauses a connection' using errcode = 'QP005';
  end if;
  return new;
end $$;
create trigger guard_connection_pause before update on quorate.connections for each row execute function quorate.guard_connection_pause();

-- As before, with the agent that a step stands for.
create or replace function quorate.write_local_steps(p_workspace uuid, p_run uuid, p_attempt int, p_rows jsonb) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, reason, input, output, error, input_digest, output_digest, started_at, finished_at, agent_id)
  select p_run, p_workspace, r.path, r."stepId", r.kind, r.name, r.status, p_attempt, p_run::text || '/' || r.path, r.reason, r.input, r.output, r.error, r."inputDigest", r."outputDigest", r."startedAt", r."finishedAt", r."agentId"
  from pg_catalog.jsonb_to_recordset(p_rows) as r (path text, "stepId" text, kind text, name text, status text, reason jsonb, input jsonb, output jsonb, error jsonb, "inputDigest" text, "outputDigest" text, "startedAt" timestamptz, "finishedAt" timestamptz, "agentId" uuid)
  on conflict (run_id, path) do update set status = excluded.status, output = excluded.output, output_digest = excluded.output_digest, error = excluded.error, finished_at = excluded.finished_at
    -- a branch and an agent of the workspace stand as processing while their steps run; everything else is written once
    where (quorate.steps.kind = 'branch' or quorate.steps.agent_id is not null) and quorate.steps.status = 'processing' and excluded.status <> 'processing';
end $$;

-- As before, with what a budget is counted by.
create or replace function quorate.read_journal(p_run uuid) returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('path', s.path, 'stepId', s.step_id, 'kind', s.kind, 'status', s.status, 'attempt', s.attempt, 'runAttempt', s.run_attempt,
    'connectionId', s.connection_id, 'capabilityId', s.capability_id, 'candidates', s.candidates, 'reason', s.reason, 'input', s.input, 'output', s.output, 'error', s.error, 'approvalId', s.approval_id,
    'nextAttemptAt', s.next_attempt_at, 'startedAt', s.started_at, 'tokensIn', s.tokens_in, 'tokensOut', s.tokens_out, 'costMicros', s.cost_micros)), '[]')
  from quorate.steps s where s.run_id = p_run);
end $$;

create or replace function quorate.claim_run(p_workspace uuid, p_run uuid, p_worker uuid) returns jsonb
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
    'initiatorId', r.initiator_id, 'initiatorRoles', coalesce((select pg_catalog.to_jsonb(m.roles) from quorate.members m where m.workspace_id = p_workspace and m.user_id = r.initiator_id), '[]'), 'versionAuthorId', v_author, 'createdAt', r.created_at, 'cancelled', r.cancel_requested_at is not null, 'waitingMs', r.waiting_ms, 'revision', w.config_revision,
    'steps', case when r.attempt = 1 then '[]'::jsonb else quorate.read_journal(p_run) end,
    'approvals', case when r.attempt = 1 then '[]'::jsonb else (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', a.id, 'path', a.step_path, 'status', a.status, 'digest', a.action_digest, 'dueAt', a.due_at,
        'approvedBy', (select coalesce(pg_catalog.jsonb_agg(v.user_id), '[]') from quorate.approval_votes v where v.approval_id = a.id and v.vote = 'approve'))), '[]')
      from quorate.approvals a where a.run_id = p_run) end);
end $$;

-- As before, with what is paused. `agents`: by id, whether it is in force.
create or replace function quorate.read_run_config(p_workspace uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select pg_catalog.jsonb_build_object('revision', w.config_revision,
    'connections', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', c.id, 'kind', c.kind, 'name', c.name, 'slug', c.slug, 'endpoint', c.endpoint, 'status', c.status,
      'credential', pg_catalog.encode(c.sealed_credential, 'base64'), 'personalDataAllowed', c.personal_data_allowed, 'settings', c.settings, 'paused', c.paused_at is not null)), '[]')
      from quorate.connections c where c.workspace_id = w.id and c.deleted_at is null),
    'capabilities', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', k.id, 'connectionId', k.connection_id, 'kind', k.kind, 'name', k.name, 'title', k.title, 'description', k.description,
      'inputSchema', k.input_schema, 'fingerprint', k.fingerprint, 'approvedFingerprint', k.approved_fingerprint) order by k.id), '[]')
      from quorate.capabilities k join quorate.connections c on c.id = k.connection_id and c.deleted_at is null where k.workspace_id = w.id and k.removed_at is null),
    'policies', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', a.id, 'name', a.name, 'version', v.number, 'contentHash', v.content_hash, 'document', v.document) order by a.id), '[]')
      from quorate.artifacts a left join quorate.versions v on v.id = a.published_version_id where a.workspace_id = w.id and a.kind = 'policy' and a.status = 'active' and a.deleted_at is null),
    'agents', (select coalesce(pg_catalog.jsonb_object_agg(a.id, a.status = 'active'), '{}') from quorate.artifacts a where a.workspace_id = w.id and a.kind = 'agent' and a.deleted_at is null))
  from quorate.workspaces w where w.id = p_workspace
$$;

-- A program's run is written as claimed by one insert; old counts are cleared away with the first hit of a new one.

-- Any member.
create function quorate.may_start_runs() returns boolean language sql stable parallel safe
  as $$ select quorate.has_role('user', 'builder', 'approver', 'auditor', 'admin') $$;

revoke all on function quorate.may_start_runs() from public;
grant execute on function quorate.may_start_runs() to quorate_member;

drop policy start_runs on quorate.runs;
create policy start_runs on quorate.runs for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and initiator_id = (select quorate.current_user_id())
    and status = 'pending' and (mode = 'live' or (select quorate.has_role('builder'))) and (select quorate.may_start_runs()));

-- Counts a hit; answers 0 when allowed, else the seconds to wait. Holds across processes.
create or replace function quorate.take_limit(p_key text, p_max int, p_window_seconds int) returns int
language plpgsql security definer set search_path = '' as $$
declare r quorate.rate_limits;
begin
  insert into quorate.rate_limits as l (key, window_started_at, hits) values (p_key, clock_timestamp(), 1)
  on conflict (key) do update set
    hits = case when l.window_started_at < clock_timestamp() - make_interval(secs => p_window_seconds) then 1 else l.hits + 1 end,
    window_started_at = case when l.window_started_at < clock_timestamp() - make_interval(secs => p_window_seconds) then
      clock_timestamp() else l.window_started_at end
  returning * into r;
  if r.hits = 1 then
    delete from quorate.rate_limits d where d.key in
      (select o.key from quorate.rate_limits o
        where o.window_started_at < clock_timestamp() - interval '1 day' order by o.window_started_at limit 2 for update skip locked);
  end if;
  if r.hits <= p_max then return 0; end if;
  return greatest(1, ceil(extract(epoch from r.window_started_at + make_interval(secs => p_window_seconds) - clock_timestamp()))::int);
end $$;

-- What a worker learns of the run that it has claimed.
create function quorate.describe_claim(r quorate.runs, p_revision bigint) returns json
language plpgsql security definer set search_path = '' as $$
begin
  return pg_catalog.json_build_object('state', 'claimed', 'attempt', r.attempt, 'versionId', r.version_id, 'artifactId', r.artifact_id,
    'mode', r.mode, 'input', r.input, 'initiatorId', r.initiator_id,
    'initiatorRoles', coalesce((select pg_catalog.to_json(m.roles) from quorate.members m
      where m.workspace_id = r.workspace_id and m.user_id = r.initiator_id), '[]'),
    'versionAuthorId', (select v.author_id from quorate.versions v where v.id = r.version_id and v.workspace_id = r.workspace_id),
    'createdAt', r.created_at, 'waitingMs', r.waiting_ms, 'revision', p_revision,
    'cancelled', r.cancel_requested_at is not null or (r.caller_run_id is not null and quorate.has_lost_caller(r)),
    'steps', case when r.attempt = 1 then '[]'::json else quorate.read_journal(r.id) end,
    'loops', case when r.attempt = 1 then '[]'::json else quorate.list_loops(r.id) end,
    'approvals', case when r.attempt = 1 then '[]'::json else (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'path', a.step_path, 'status', a.status,
        'digest', a.action_digest, 'dueAt', a.due_at,
        'approvedBy', (select coalesce(pg_catalog.json_agg(v.user_id), '[]') from quorate.approval_votes v
          where v.approval_id = a.id and v.vote = 'approve'))), '[]')
      from quorate.approvals a where a.run_id = r.id) end);
end $$;

revoke all on function quorate.describe_claim(quorate.runs, bigint) from public;

-- Makes a run this worker's own and raises the fence. 'busy': somebody drives it and will walk once more; 'done': nothing left to do.
create or replace function quorate.claim_run(p_workspace uuid, p_run uuid, p_worker uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; w quorate.workspaces;
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
  return quorate.describe_claim(r, w.config_revision);
end $$;

-- A run of the caller's that `p_worker` drives from its first moment: as two statements, the second wrote each of the row's nine places in
-- indexes again. Nobody may insert such a row, so what the policies of `runs` ask is asked here. Nulls for a used request key.
create function quorate.insert_claimed_run(p_run uuid, p_artifact uuid, p_version uuid, p_trigger text, p_input json, p_request_key text,
  p_worker uuid, p_revision bigint, out created_at timestamptz, out claim json)
language plpgsql volatile security definer set search_path = '' as $$
declare r quorate.runs; v_now timestamptz := clock_timestamp();
begin
  if (quorate.may_start_runs() and quorate.key_may('runs:start')) is not true then
    raise exception 'may not start runs' using errcode = '42501';
  end if;
  insert into quorate.runs as x (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, request_key, status,
    attempt, claimed_by, created_at, started_at, updated_at)
  values (p_run, quorate.current_workspace_id(), p_artifact, p_version, 'live', p_trigger, quorate.current_user_id(), p_input,
    p_request_key, 'processing', 1, p_worker, v_now, v_now, v_now)
  on conflict (workspace_id, initiator_id, request_key) where request_key is not null do nothing
  returning * into r;
  if r.id is null then return; end if;
  created_at := r.created_at;
  claim := quorate.describe_claim(r, p_revision);
end $$;

revoke all on function quorate.insert_claimed_run(uuid, uuid, uuid, text, json, text, uuid, bigint) from public;
grant execute on function quorate.insert_claimed_run(uuid, uuid, uuid, text, json, text, uuid, bigint) to quorate_member;

-- Starts a live run by a key: row and event, under the same policies as one by one. No row, and nothing written, wherever anything is not
-- plain: halted, paused, `p_room` runs waiting, `p_below` live runs since `p_since` (null: unlimited), a used request
-- key. Whoever asks then goes the long way, which tells why. Refuses as `become_key`. `p_worker` claims the run at once and drives it
-- without a job: were it lost, whoever takes over what it holds would find this run, too. Null: the job is what pg-boss writes for one
-- without options of its own.
create or replace function quorate.start_run_by_key(
  p_key_hash bytea, p_run uuid, p_artifact uuid, p_version uuid, p_trigger text, p_input json, p_request_key text, p_room int,
  p_since timestamptz, p_below int, p_place int, p_event uuid, p_name text, p_payload jsonb, p_salt bytea, p_worker uuid, p_ceiling int
) returns table (created_at timestamptz, claim json, granted uuid[], limited boolean)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare k record; v_revision bigint;
begin
  perform pg_catalog.set_config('role', 'quorate_member', true);
  select * into k from quorate.become_key(p_key_hash);
  select quorate.runs_at_once(w.settings, p_ceiling) is not null or a.runs_at_once is not null, w.config_revision into limited, v_revision
    from quorate.workspaces w join quorate.artifacts a on a.workspace_id = w.id
    where w.id = k.workspace_id and w.halted_at is null and a.id = p_artifact and a.status = 'active' and a.deleted_at is null;
  if not found then return; end if;
  if quorate.count_queued_runs(k.workspace_id, p_room) >= p_room then return; end if;
  if p_below is not null then
    if quorate.count_live_runs(k.workspace_id, p_since, p_below) >= p_below then return; end if;
  end if;
  if p_worker is null or limited then
    insert into quorate.runs as x (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, request_key)
    values (p_run, k.workspace_id, p_artifact, p_version, 'live', p_trigger, k.user_id, p_input, p_request_key)
    on conflict (workspace_id, initiator_id, request_key) where request_key is not null do nothing
    returning x.created_at into start_run_by_key.created_at;
    if not found then return; end if;
  else
    select i.created_at, i.claim into created_at, claim
    from quorate.insert_claimed_run(p_run, p_artifact, p_version, p_trigger, p_input, p_request_key, p_worker, v_revision) i;
    if claim is null then return; end if;
    granted := '{}';
  end if;
  insert into quorate.audit_events (
    id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
  values (p_event, k.workspace_id, 'key', k.key_id, k.key_name, 'run.started', 'run', p_run::text, p_name, p_payload, p_salt);
  if p_worker is null then
    perform quorate.send_run_jobs(array[k.workspace_id], array[p_run], array[p_place]);
  elsif limited then
    perform pg_catalog.set_config('role', 'quorate_worker', true);
    select c.a, c.granted, c.limited into claim, granted, limited
    from quorate.claim_run_within_limits(k.workspace_id, p_run, p_worker, p_ceiling) c;
  end if;
  return next;
end $$;

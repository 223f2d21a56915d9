-- Workers: claiming runs, leases, and taking over from the lost.

-- A worker holds its runs by a lease of time beside the lock of its session: the lock ends with a process that is killed, the lease with
-- one that stands still. Whoever judges another looks several times, a second apart: after an outage of the database everybody renews
-- first.
create table quorate.worker_leases (
  worker_id uuid primary key,
  renewed_at timestamptz not null,
  revoked boolean not null default false -- its runs were given to others, which it has not heard yet
);
alter table quorate.worker_leases enable row level security;

-- How long a worker may be silent before its runs go to others; how long one whose lock is gone.
create function quorate.lease_length() returns interval language sql immutable parallel safe as $$ select interval '20 seconds' $$;

create function quorate.lock_grace() returns interval language sql immutable parallel safe as $$ select interval '3 seconds' $$;

-- Held by a worker's session as long as it lives: who obtains it knows that the worker is gone.
create function quorate.worker_lock(p_worker uuid) returns bigint language sql immutable parallel safe
  as $$ select pg_catalog.hashtextextended('worker:' || p_worker::text, 0) $$;

-- Says that the worker is there. Answers false, once, where its runs were given to others. An outage of the database takes nothing from
-- anybody.
create function quorate.renew_lease(p_worker uuid) returns boolean language plpgsql security definer set search_path = '' as $$
declare v_revoked boolean; v_now timestamptz := clock_timestamp();
begin
  perform quorate.require_session();
  select l.revoked into v_revoked from quorate.worker_leases l where l.worker_id = p_worker for update;
  if not found then
    insert into quorate.worker_leases (worker_id, renewed_at) values (p_worker, v_now);
    -- those of workers that ended long ago
    delete from quorate.worker_leases l
      where l.renewed_at < v_now - interval '1 day'
      and not exists (select from quorate.runs r where r.claimed_by = l.worker_id and r.status = 'processing');
    return true;
  end if;
  update quorate.worker_leases l set renewed_at = v_now, revoked = false where l.worker_id = p_worker;
  return not v_revoked;
end $$;

-- Steps of a run that chose something to call, the items of loops included, and what all of them cost.
create function quorate.count_calls(p_run uuid) returns int language sql stable security definer set search_path = '' as $$
  select count(*)::int from quorate.steps s where s.run_id = p_run and s.capability_id is not null
$$;

create function quorate.sum_cost(p_run uuid) returns bigint language sql stable security definer set search_path = '' as $$
  select coalesce(sum(s.cost_micros), 0)::bigint from quorate.steps s where s.run_id = p_run
$$;

-- How the first of the runs that called one another was started.
create function quorate.first_trigger_kind(p_run uuid) returns text language sql stable security definer set search_path = '' as $$
  with recursive up as (
    select r.caller_run_id, r.trigger_kind from quorate.runs r where r.id = p_run
    union all select r.caller_run_id, r.trigger_kind from up join quorate.runs r on r.id = up.caller_run_id)
  select u.trigger_kind from up u where not exists (select from quorate.runs r where r.id = u.caller_run_id) limit 1
$$;

-- Describes a claimed run to the worker that has claimed it.
create function quorate.describe_claim(r quorate.runs, p_revision bigint) returns json
language plpgsql security definer set search_path = '' as $$
begin
  return pg_catalog.json_build_object('state', 'claimed', 'attempt', r.attempt, 'versionId', r.version_id, 'artifactId', r.artifact_id,
    'artifactName', (select a.name from quorate.artifacts a where a.id = r.artifact_id and a.workspace_id = r.workspace_id),
    'mode', r.mode, 'input', r.input, 'initiatorId', r.initiator_id,
    'triggerKind', case when r.caller_run_id is null then r.trigger_kind else quorate.first_trigger_kind(r.id) end,
    'initiatorRoles', coalesce((select pg_catalog.to_json(m.roles) from quorate.members m
      where m.workspace_id = r.workspace_id and m.user_id = r.initiator_id), '[]'),
    'versionAuthorId', (select v.author_id from quorate.versions v where v.id = r.version_id and v.workspace_id = r.workspace_id),
    'createdAt', r.created_at, 'waitingMs', r.waiting_ms, 'revision', p_revision, 'trial', r.trial,
    'cancelled', r.cancel_requested_at is not null or (r.caller_run_id is not null and quorate.has_lost_caller(r)),
    'calls', case when r.attempt = 1 then 0 else quorate.count_calls(r.id) end,
    'costMicros', case when r.attempt = 1 then 0 else quorate.sum_cost(r.id) end,
    'steps', case when r.attempt = 1 then '[]'::json else quorate.read_journal(r.id) end,
    'loops', case when r.attempt = 1 then '[]'::json else quorate.list_loops(r.id) end,
    'approvals', case when r.attempt = 1 then '[]'::json else (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'path', a.step_path, 'status', a.status,
        'digest', a.action_digest, 'dueAt', a.due_at,
        'approvedBy', (select coalesce(pg_catalog.json_agg(v.user_id), '[]') from quorate.approval_votes v
          where v.approval_id = a.id and v.vote = 'approve'))), '[]')
      from quorate.approvals a where a.run_id = r.id) end);
end $$;

-- What policies ask about a call and its run does not know: the groups of whoever started the run, the calls and the cost of their other
-- live runs of the day in this zone, and the live calls that went to the same payee before, with success.
create function quorate.read_outside(p_workspace uuid, p_run uuid, p_path text, p_zone text, p_payee text) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  r quorate.runs;
  v_day timestamptz := (pg_catalog.date_trunc('day', pg_catalog.clock_timestamp() at time zone p_zone)) at time zone p_zone;
  v_calls bigint;
  v_cost bigint;
begin
  perform quorate.require_session();
  select * into r from quorate.runs x where x.id = p_run and x.workspace_id = p_workspace;
  if r.id is null then raise exception 'no such run' using errcode = '22023'; end if;
  select count(*), coalesce(sum(s.cost_micros), 0) into v_calls, v_cost from quorate.runs o join quorate.steps s on s.run_id = o.id
    where o.workspace_id = p_workspace and o.initiator_id = r.initiator_id and o.created_at >= v_day and o.id <> p_run and o.mode = 'live'
      and s.capability_id is not null;
  return pg_catalog.json_build_object(
    'groups', (select coalesce(pg_catalog.json_agg(g.display_name order by g.display_name), '[]')
      from quorate.directory_people p
      join quorate.directory_group_people m on m.workspace_id = p.workspace_id and m.person_id = p.id
      join quorate.directory_groups g on g.id = m.group_id
      where p.workspace_id = p_workspace and p.user_id = r.initiator_id and p.active),
    'callsToday', v_calls, 'costTodayMicros', v_cost,
    'callsToPayee', case when p_payee is null then 0 else (select count(distinct (d.run_id, d.step_path)) from quorate.decisions d
      join quorate.runs o on o.id = d.run_id and o.mode = 'live'
      join quorate.steps s on s.run_id = d.run_id and s.path = d.step_path and s.status = 'success'
      where d.workspace_id = p_workspace and d.context #>> '{circumstances,payee}' = p_payee
        and not (d.run_id = p_run and d.step_path = p_path)) end);
end $$;

-- Makes a run this worker's own and raises the fence. 'busy': somebody drives it and will walk once more; 'done': nothing left to do.
create function quorate.claim_run(p_workspace uuid, p_run uuid, p_worker uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; w quorate.workspaces;
begin
  perform quorate.require_session();
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

create function quorate.list_claimed_runs(p_worker uuid) returns table (run_id uuid, workspace_id uuid)
  language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select r.id, r.workspace_id from quorate.runs r where r.claimed_by = p_worker and r.status = 'processing'
$$;

-- Open runs that nobody drives although something is to be done, for longer than a job takes to be fetched and claimed: their job went down
-- with a worker between the two, or with one that had granted a place and not queued the run yet. Runs that wait for a place are left out.
-- Only of use to who has just found the queue empty.
create function quorate.list_stalled_runs() returns table (run_id uuid, workspace_id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select r.id, r.workspace_id from quorate.runs r join quorate.workspaces w on w.id = r.workspace_id
  where r.status in ('pending', 'waiting') and (r.status = 'pending' or r.wake or r.cancel_requested_at is not null or r.place = 'granted')
    and (r.place is null or r.place = 'granted' or r.cancel_requested_at is not null)
    and r.updated_at < clock_timestamp() - interval '2 seconds'
    and (w.halted_at is null or r.cancel_requested_at is not null) limit 200
$$;

-- Workers that hold runs but no longer their lock, or whose lease is over: one that stands still keeps its session and its lock. One look
-- may fall into a reconnection: who asks looks twice.
create function quorate.list_lost_workers(p_worker uuid) returns table (worker_id uuid)
  language sql volatile security definer set search_path = '' as $$
  select quorate.require_session();
  select c.claimed_by from (select distinct r.claimed_by from quorate.runs r
    where r.status = 'processing' and r.claimed_by is not null and r.claimed_by <> p_worker) c
  left join quorate.worker_leases l on l.worker_id = c.claimed_by
  where case
    when not exists (select from pg_catalog.pg_locks k where k.locktype = 'advisory' and k.granted and k.objsubid = 1
      and k.classid::bigint = ((quorate.worker_lock(c.claimed_by) >> 32) & 4294967295)
        and k.objid::bigint = (quorate.worker_lock(c.claimed_by) & 4294967295)
      and k.database = (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()))
      then coalesce(l.renewed_at < clock_timestamp() - quorate.lock_grace(), true)
    else coalesce(l.renewed_at < clock_timestamp() - quorate.lease_length(), false)
  end
$$;

-- Lets go of everything a lost worker held. The caller puts these runs into the queue in the same transaction.
create function quorate.release_lost_worker(p_worker uuid) returns table (run_id uuid, workspace_id uuid)
language plpgsql security definer set search_path = '' as $$
declare v_renewed timestamptz;
begin
  perform quorate.require_session();
  -- it renews, and waits for this; or it has renewed since it was listed, and keeps what it holds
  select l.renewed_at into v_renewed from quorate.worker_leases l where l.worker_id = p_worker for update;
  if not pg_catalog.pg_try_advisory_xact_lock(quorate.worker_lock(p_worker))
    and coalesce(v_renewed >= clock_timestamp() - quorate.lease_length(), true) then return; end if;
  if v_renewed >= clock_timestamp() - quorate.lock_grace() then return; end if;
  update quorate.worker_leases l set revoked = true where l.worker_id = p_worker;
  -- a row that a stuck session of the lost worker still holds is left for the next look
  return query update quorate.runs r set claimed_by = null
    where r.id in (select x.id from quorate.runs x where x.claimed_by = p_worker and x.status = 'processing' for no key update skip locked)
      returning r.id, r.workspace_id;
end $$;

revoke all on function quorate.lease_length(), quorate.lock_grace(), quorate.worker_lock(uuid), quorate.renew_lease(uuid),
  quorate.count_calls(uuid), quorate.sum_cost(uuid),
  quorate.first_trigger_kind(uuid), quorate.read_outside(uuid, uuid, text, text, text),
  quorate.describe_claim(quorate.runs, bigint), quorate.claim_run(uuid, uuid, uuid),
  quorate.list_claimed_runs(uuid),
  quorate.list_stalled_runs(), quorate.list_lost_workers(uuid),
  quorate.release_lost_worker(uuid) from public;
grant execute on function quorate.worker_lock(uuid), quorate.renew_lease(uuid), quorate.list_lost_workers(uuid),
  quorate.release_lost_worker(uuid) to quorate_app;
grant execute on function quorate.worker_lock(uuid), quorate.claim_run(uuid, uuid, uuid), quorate.list_claimed_runs(uuid),
  quorate.list_stalled_runs(), quorate.read_outside(uuid, uuid, text, text, text) to quorate_worker;

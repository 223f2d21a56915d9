-- A worker holds its runs by a lease of time beside the lock of its session: the lock ends with a process that is killed, the lease with
-- one that stands still. Whoever judges another looks several times, a second apart: after an outage of the database everybody renews
-- first.

create table quorate.worker_leases (
  worker_id uuid primary key,
  renewed_at timestamptz not null,
  revoked boolean not null default false   -- its runs were given to others, which it has not heard yet
);
alter table quorate.worker_leases enable row level security;

-- How long a worker may be silent before its runs go to others; how long one whose lock is gone.
create function quorate.lease_length() returns interval language sql immutable parallel safe as $$ select interval '20 seconds' $$;
create function quorate.lock_grace() returns interval language sql immutable parallel safe as $$ select interval '3 seconds' $$;

-- Says that the worker is there. Answers false, once, where its runs were given to others. An outage of the database takes nothing from
-- anybody.
create function quorate.renew_lease(p_worker uuid) returns boolean language plpgsql security definer set search_path = '' as $$
declare v_revoked boolean; v_now timestamptz := clock_timestamp();
begin
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

-- A worker that stands still keeps its session and its lock: the lease alone says so. One that was killed has lost its lock at once.
create or replace function quorate.list_lost_workers(p_worker uuid) returns table (worker_id uuid)
  language sql volatile security definer set search_path = '' as $$
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

-- As before, and a run that was taken from its worker is nobody's: whatever that one still says counts no more, even before
-- somebody else drives the run.
create or replace function quorate.hold_run(p_workspace uuid, p_run uuid, p_attempt int) returns quorate.runs
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  select * into r from quorate.runs x
    where x.id = p_run and (x.workspace_id = p_workspace and x.attempt = p_attempt and x.status = 'processing'
    and x.claimed_by is not null) is true for no key update;
  return r;
end $$;

-- Lets go of everything a lost worker held. The caller puts these runs into the queue in the same transaction.
create or replace function quorate.release_lost_worker(p_worker uuid) returns table (run_id uuid, workspace_id uuid)
language plpgsql security definer set search_path = '' as $$
declare v_renewed timestamptz;
begin
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

-- A process that stands still in the middle of a transaction holds its locks: no transaction of ours waits for anything but the database.
alter role quorate_app set idle_in_transaction_session_timeout = '15s';

revoke all on function quorate.lease_length(), quorate.lock_grace(), quorate.renew_lease(uuid) from public;
grant execute on function quorate.renew_lease(uuid) to quorate_app;

-- Figures of the whole instance for whoever watches it, in numbers alone: nothing of a workspace can be told from another's.

-- Zero before a moment has come, and where there is none.
create function quorate.seconds_since(p_at timestamptz) returns double precision language sql stable set search_path = '' as $$
  select coalesce(greatest(extract(epoch from pg_catalog.clock_timestamp() - p_at), 0), 0)::float8
$$;

-- Each statement reads an index of what is open, never the past: the figures cost the same after years.
create function quorate.read_metrics() returns table (metric text, label text, value double precision)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select 'runs_open', r.status, count(*)::float8 from quorate.runs r
    where r.status in ('pending', 'processing', 'waiting') group by r.status
  union all
  -- ready to go on, and nobody drives it
  select f.metric, '', f.value from (
    select count(*)::float8 as n, min(case when r.status = 'pending' then r.created_at else r.updated_at end) as since
    from quorate.runs r where r.status in ('pending', 'waiting') and (r.status = 'pending' or r.wake)) q
    cross join lateral (values ('runs_ready', q.n), ('runs_ready_seconds', quorate.seconds_since(q.since))) f (metric, value)
  union all
  select 'waits', 'place', count(*)::float8 from quorate.runs r where r.place in ('workspace', 'workflow')
  union all
  select 'waits', 'sign_in', count(*)::float8 from quorate.sign_in_waits
  union all
  select 'waits', 'form', count(*)::float8 from quorate.human_tasks t where t.status = 'pending'
  union all
  select f.metric, f.label, f.value from (
    select count(*)::float8 as n, min(a.due_at) as due, min(a.created_at) as since from quorate.approvals a where a.status = 'pending') q
    cross join lateral (values ('waits', 'approval', q.n), ('approvals_seconds', '', quorate.seconds_since(q.since)),
      ('approvals_late_seconds', '', quorate.seconds_since(q.due))) f (metric, label, value)
  union all
  select f.metric, '', f.value from (
    select count(*)::float8 as n, min(e.at) as since from quorate.audit_events e where e.leaf_index is null) q
    cross join lateral (values ('log_unplaced', q.n), ('log_unplaced_seconds', quorate.seconds_since(q.since))) f (metric, value)
  union all
  select 'log_alarms', '', count(*)::float8 from quorate.log_audits l where l.finding is not null
  union all
  select f.metric, '', f.value from (
    select count(*)::float8 as n, min(d.next_attempt_at) as due from quorate.deliveries d where d.status = 'pending') q
    cross join lateral (values ('deliveries_pending', q.n), ('deliveries_late_seconds', quorate.seconds_since(q.due))) f (metric, value)
  union all
  select 'connections', c.status, count(*)::float8 from quorate.connections c where c.deleted_at is null group by c.status
  union all
  select 'workers', '', count(*)::float8 from quorate.worker_leases l
    where not l.revoked and l.renewed_at > pg_catalog.clock_timestamp() - quorate.lease_length()
  union all
  select 'workspaces', case when w.halted_at is null then 'open' else 'halted' end, count(*)::float8 from quorate.workspaces w group by 2
  union all
  select 'database_bytes', '', pg_catalog.pg_database_size(pg_catalog.current_database())::float8
$$;

revoke all on function quorate.read_metrics(), quorate.seconds_since(timestamptz) from public;
grant execute on function quorate.read_metrics() to quorate_worker;

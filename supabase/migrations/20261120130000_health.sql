-- What a workspace's work depends on, in numbers alone: every member reads the same ones, whatever runs they may see.
create function quorate.read_health() returns table (
  measured_at timestamptz, queued int, queued_since timestamptz, connections int, failed_checks int, checked_at timestamptz,
  unplaced_since timestamptz, checkpoint_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select pg_catalog.clock_timestamp(), q.n, q.since, c.n, c.failed, c.checked,
    (select e.at from quorate.audit_events e where e.workspace_id = w.id and e.leaf_index is null order by e.at, e.id limit 1),
    (select p.signed_at from quorate.checkpoints p where p.workspace_id = w.id order by p.size desc limit 1)
  from (select quorate.current_workspace_id() as id) w
  -- ready to go on, and nobody drives it
  cross join lateral (select count(*)::int as n, min(case when r.status = 'pending' then r.created_at else r.updated_at end) as since
    from quorate.runs r where r.workspace_id = w.id and r.status in ('pending', 'waiting') and (r.status = 'pending' or r.wake)) q
  cross join lateral (select count(*)::int as n, (count(*) filter (where x.status = 'error'))::int as failed, min(x.last_check_at) as checked
    from quorate.connections x where x.workspace_id = w.id and x.deleted_at is null and x.status <> 'disconnected') c
$$;
revoke all on function quorate.read_health() from public;
grant execute on function quorate.read_health() to quorate_member;

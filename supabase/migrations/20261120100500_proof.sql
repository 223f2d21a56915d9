-- What the sequencer and the deliveries may ask across workspaces; both then work inside one.

-- Workspaces with events that have no place yet. Jumps from one workspace to the next, so that a backlog costs nothing.
create function quorate.pending_log_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  with recursive w (id) as (
    (select e.workspace_id from quorate.audit_events e where e.leaf_index is null order by e.workspace_id limit 1)
    union all
    select (select e.workspace_id from quorate.audit_events e where e.leaf_index is null and e.workspace_id > w.id order by e.workspace_id limit 1)
    from w where w.id is not null
  )
  select w.id from w where w.id is not null and exists (select from quorate.workspaces s where s.id = w.id)
$$;

-- Workspaces as old as the interval given whose newest checkpoint has not left the instance for that long.
create function quorate.due_checkpoint_workspaces(p_every interval) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select s.id from quorate.workspaces s
  cross join lateral (select c.delivered_at from quorate.checkpoints c where c.workspace_id = s.id order by c.size desc limit 1) newest
  where newest.delivered_at is null and s.created_at <= now() - p_every
    and not exists (select from quorate.checkpoints d where d.workspace_id = s.id and d.delivered_at > now() - p_every)
$$;
create index checkpoints_delivered on quorate.checkpoints (workspace_id, delivered_at desc) where delivered_at is not null;

-- Takes what is due for the length of a lease: whoever dies with it leaves it to the next.
create function quorate.claim_deliveries(p_limit int, p_lease interval)
returns table (id uuid, workspace_id uuid, kind text, target text, subject text, body text, attempts int)
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set attempts = d.attempts + 1, next_attempt_at = now() + p_lease
  where d.id in (select x.id from quorate.deliveries x where x.status = 'pending' and x.next_attempt_at <= now() order by x.next_attempt_at limit p_limit for update skip locked)
  returning d.id, d.workspace_id, d.kind, d.target, d.subject, d.body, d.attempts
$$;

-- Closes an attempt: delivered, to be tried again at p_retry_at, or given up. Late answers of an attempt that lost its lease change nothing.
create function quorate.settle_delivery(p_id uuid, p_attempt int, p_delivered boolean, p_error text, p_retry_at timestamptz) returns void
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set
    status = case when p_delivered then 'success' when p_retry_at is null then 'failed' else 'pending' end,
    last_error = p_error,
    next_attempt_at = coalesce(p_retry_at, d.next_attempt_at),
    delivered_at = case when p_delivered then clock_timestamp() end
  where d.id = p_id and d.attempts = p_attempt and d.status = 'pending'
$$;

revoke all on function quorate.pending_log_workspaces(), quorate.due_checkpoint_workspaces(interval),
  quorate.claim_deliveries(int, interval), quorate.settle_delivery(uuid, int, boolean, text, timestamptz) from public;
grant execute on function quorate.pending_log_workspaces(), quorate.due_checkpoint_workspaces(interval),
  quorate.claim_deliveries(int, interval), quorate.settle_delivery(uuid, int, boolean, text, timestamptz) to quorate_app;

-- An event written by a function or by the owner is salted too: without one it could not be told from an erased event.
alter table quorate.audit_events alter column salt set default pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid());

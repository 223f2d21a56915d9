-- What a mail says is for its receiver: the link of an invitation, for one. Members read that a delivery stands, never what is in it, and
-- a mail that is delivered or given up keeps no text.
revoke select on quorate.deliveries from quorate_member;
grant select (id, workspace_id, kind, target, subject, status, attempts, next_attempt_at, last_error, created_at, delivered_at) on quorate.deliveries to quorate_member;

create or replace function quorate.settle_delivery(p_id uuid, p_attempt int, p_delivered boolean, p_error text, p_retry_at timestamptz) returns void
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set
    status = case when p_delivered then 'success' when p_retry_at is null then 'failed' else 'pending' end,
    body = case when p_delivered or p_retry_at is null then '' else d.body end,
    last_error = p_error,
    next_attempt_at = coalesce(p_retry_at, d.next_attempt_at),
    delivered_at = case when p_delivered then clock_timestamp() end
  where d.id = p_id and d.attempts = p_attempt and d.status = 'pending'
$$;

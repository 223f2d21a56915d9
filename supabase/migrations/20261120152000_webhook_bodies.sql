-- A webhook may be sent again, so it keeps what it says; it used to go out empty then. A mail keeps no text, as before.
create or replace function quorate.settle_delivery(p_id uuid, p_attempt int, p_delivered boolean, p_error text, p_retry_at timestamptz) returns void
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set
    status = case when p_delivered then 'success' when p_retry_at is null then 'failed' else 'pending' end,
    body = case when d.kind = 'mail' and (p_delivered or p_retry_at is null) then '' else d.body end,
    last_error = p_error,
    next_attempt_at = coalesce(p_retry_at, d.next_attempt_at),
    delivered_at = case when p_delivered then clock_timestamp() end
  where d.id = p_id and d.attempts = p_attempt and d.status = 'pending'
$$;

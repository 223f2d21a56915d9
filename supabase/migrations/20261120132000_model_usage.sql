-- What calls of models used and cost, and what went over the wire of a test call.

-- Tokens as the provider counted them; cost in millionths of a US dollar by the price that the connection had at the call.
-- frames: requests and answers of a test run's call, credentials taken out; for the inspector alone.
alter table quorate.steps add column tokens_in bigint, add column tokens_out bigint, add column cost_micros bigint, add column frames jsonb;
-- The sums over a run's steps; null: no model was called, or its price is not known.
alter table quorate.runs add column tokens_in bigint, add column tokens_out bigint, add column cost_micros bigint;

-- As before, and beside it: usage goes onto the step and the run once, with the statement that ends the attempt.
create or replace function quorate.finish_step(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_result jsonb, p_local jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_held boolean := false; u jsonb := p_result -> 'usage';
begin
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null then
    v_held := quorate.is_held(r);
    if not v_held then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  end if;
  if u is not null then
    -- an attempt is under way as 'processing' and ends once: a repeated statement finds it over and adds nothing
    update quorate.steps s set tokens_in = coalesce(s.tokens_in, 0) + (u ->> 'tokensIn')::bigint, tokens_out = coalesce(s.tokens_out, 0) + (u ->> 'tokensOut')::bigint,
      cost_micros = case when u ->> 'costMicros' is null then s.cost_micros else coalesce(s.cost_micros, 0) + (u ->> 'costMicros')::bigint end
    where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status = 'processing';
    if found then
      update quorate.runs x set tokens_in = coalesce(x.tokens_in, 0) + (u ->> 'tokensIn')::bigint, tokens_out = coalesce(x.tokens_out, 0) + (u ->> 'tokensOut')::bigint,
        cost_micros = case when u ->> 'costMicros' is null then x.cost_micros else coalesce(x.cost_micros, 0) + (u ->> 'costMicros')::bigint end
      where x.id = p_run;
    end if;
  end if;
  update quorate.steps s set status = p_result ->> 'status', output = nullif(p_result -> 'output', 'null'), output_digest = p_result ->> 'outputDigest', error = nullif(p_result -> 'error', 'null'),
    next_attempt_at = (p_result ->> 'nextAttemptAt')::timestamptz, finished_at = clock_timestamp(), frames = coalesce(p_result -> 'frames', s.frames)
  where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status in ('processing', 'waiting', 'pending');
  return pg_catalog.jsonb_build_object('state', case when v_held then 'halted' else 'ok' end, 'cancelled', r.cancel_requested_at is not null);
end $$;

-- Who builds on webhooks sees how they arrive; mails stay with admins and auditors.
create policy builder_reads_webhooks on quorate.deliveries for select to quorate_member
  using (kind = 'webhook' and workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));

-- Puts a webhook that has ended, or waits for its next attempt, at the front of the queue. Answers whether there was one.
create function quorate.resend_delivery(p_id uuid) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  if not quorate.has_role('builder', 'admin') or quorate.current_key_id() is not null then
    raise exception 'only a builder or an admin sends again' using errcode = 'QP005';
  end if;
  update quorate.deliveries d set status = 'pending', attempts = 0, next_attempt_at = clock_timestamp(), last_error = null, delivered_at = null
    where d.id = p_id and d.kind = 'webhook' and (d.workspace_id = quorate.current_workspace_id()) is true;
  return found;
end $$;
revoke all on function quorate.resend_delivery(uuid) from public;
grant execute on function quorate.resend_delivery(uuid) to quorate_member;

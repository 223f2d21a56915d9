-- Approvals to decide on, forms to fill in and sign-ins that runs wait for, also by way of runs that they have called.

-- Of one run and what it has called, as far as that is open. `of_run`: the run whose step asks; `id`: of a sign-in, the connection. For
-- functions that have checked who asks.
create function quorate.list_asks_below(p_run uuid) returns table (of_run uuid, kind text, id uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with recursive open_runs (id) as (
    select p_run
    union all
    select x.id from open_runs o join quorate.runs x on x.caller_run_id = o.id where x.status in ('pending', 'processing', 'waiting'))
  select o.id, 'approval', a.id from open_runs o join quorate.approvals a on a.run_id = o.id where a.status = 'pending'
  union all
  select o.id, 'form', t.id from open_runs o join quorate.human_tasks t on t.run_id = o.id where t.status = 'pending'
  union all
  select o.id, 'signIn', w.connection_id from open_runs o join quorate.sign_in_waits w on w.run_id = o.id
    join quorate.steps s on s.run_id = w.run_id and s.path = w.path and s.status = 'pending';
end $$;

-- Of these runs of the workspace that is open. A caller that may see a run but no approvals learns this much: a run also waits for a later
-- attempt, for the release of its workspace, or a moment between a decision and the worker that takes it up.
create function quorate.list_asks(p_runs uuid[]) returns table (run_id uuid, of_run uuid, kind text, id uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select r.id, b.of_run, b.kind, b.id from quorate.runs r cross join lateral quorate.list_asks_below(r.id) b
    where r.id = any (p_runs) and r.status in ('pending', 'processing', 'waiting')
      and (r.workspace_id = quorate.current_workspace_id()) is true;
end $$;

-- Takes back what steps of a run still ask people for, at these places or below; null: in the whole run. Answers what it was:
-- { approvals, forms }.
create function quorate.take_back_asks(p_run uuid, p_paths text[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare v_approvals jsonb; v_forms jsonb;
begin
  with taken as (
    update quorate.approvals a set status = 'withdrawn'
      where a.run_id = p_run and a.status in ('pending', 'approved') and quorate.is_below(a.step_path, p_paths) returning a.id)
  select coalesce(pg_catalog.jsonb_agg(t.id order by t.id), '[]') into v_approvals from taken t;
  with taken as (
    update quorate.human_tasks h set status = 'withdrawn'
      where h.run_id = p_run and h.status = 'pending' and quorate.is_below(h.step_path, p_paths) returning h.id)
  select coalesce(pg_catalog.jsonb_agg(t.id order by t.id), '[]') into v_forms from taken t;
  perform quorate.close_task_notices(f::uuid) from pg_catalog.jsonb_array_elements_text(v_forms) f;
  return pg_catalog.jsonb_build_object('approvals', v_approvals, 'forms', v_forms);
end $$;

-- The same, and calls off the runs that these steps have called: they are cancelled by whoever drives them next. Answers what it was:
-- { approvals, forms, runs }.
create function quorate.withdraw_asks(p_run uuid, p_paths text[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare v_taken jsonb := quorate.take_back_asks(p_run, p_paths); v_runs jsonb;
begin
  with woken as (
    update quorate.runs x set wake = true where x.caller_run_id = p_run and x.status in ('pending', 'processing', 'waiting')
      and quorate.is_below(x.caller_path, p_paths) returning x.id)
  select coalesce(pg_catalog.jsonb_agg(w.id order by w.id), '[]') into v_runs from woken w;
  return v_taken || pg_catalog.jsonb_build_object('runs', v_runs);
end $$;

-- Whether a path is one of these or below one; null: all are.
create function quorate.is_below(p_path text, p_paths text[]) returns boolean language sql immutable parallel safe as $$
  select p_paths is null
    or exists (select from pg_catalog.unnest(p_paths) x where p_path = x or pg_catalog.starts_with(p_path, x || '/'))
$$;

-- The run moves past steps that are still open, since one beside them has failed: they end, with what they ask for and the runs that they
-- have called. p_left: { paths, within, error, eventId }, the place whose steps they are and why they end. Written with the rows in
-- hand, which say how the run continues. Answers { state: left | fenced | halted | cancelled, related }; the caller queues these runs.
create function quorate.leave_steps(p_workspace uuid, p_run uuid, p_attempt int, p_left json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_taken jsonb; v_name text; v_paths text[] := array(select pg_catalog.json_array_elements_text(p_left -> 'paths'));
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  update quorate.steps s set status = 'error', error = (p_left -> 'error')::jsonb, next_attempt_at = null,
    finished_at = clock_timestamp()
  where s.run_id = p_run and s.status in ('pending', 'processing', 'waiting') and quorate.is_below(s.path, v_paths);
  delete from quorate.connection_calls x where x.run_id = p_run and x.state <> 'calling' and quorate.is_below(x.path, v_paths);
  v_taken := quorate.withdraw_asks(p_run, v_paths);
  if v_taken <> '{"approvals":[],"forms":[],"runs":[]}' then
    select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
    perform quorate.append_worker_event(p_workspace, (p_left ->> 'eventId')::uuid, 'run.asksWithdrawn', 'run', p_run::text, v_name,
      v_taken || pg_catalog.jsonb_build_object('step', p_left -> 'within'));
  end if;
  return pg_catalog.json_build_object('state', 'left', 'related', v_taken -> 'runs');
end $$;

revoke all on function quorate.list_asks_below(uuid), quorate.list_asks(uuid[]), quorate.take_back_asks(uuid, text[]),
  quorate.withdraw_asks(uuid, text[]), quorate.is_below(text, text[]), quorate.leave_steps(uuid, uuid, int, json, json) from public;
grant execute on function quorate.list_asks(uuid[]) to quorate_member;
grant execute on function quorate.leave_steps(uuid, uuid, int, json, json) to quorate_worker;

-- Questions of steps that a run moves past are closed, and so are forms where a run ends.

-- Whether a path is one of these or below one; null: all are.
create function quorate.is_below(p_path text, p_paths text[]) returns boolean language sql immutable parallel safe as $$
  select p_paths is null
    or exists (select from pg_catalog.unnest(p_paths) x where p_path = x or pg_catalog.starts_with(p_path, x || '/'))
$$;

-- Takes back what steps of a run still ask people for and calls off the runs that they have called, at these places or below; null: in the
-- whole run. Called runs are cancelled by whoever drives them next. Answers what it was: { approvals, forms, runs }.
create function quorate.withdraw_asks(p_run uuid, p_paths text[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare v_approvals jsonb; v_forms jsonb; v_runs jsonb;
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
  with woken as (
    update quorate.runs x set wake = true where x.caller_run_id = p_run and x.status in ('pending', 'processing', 'waiting')
      and quorate.is_below(x.caller_path, p_paths) returning x.id)
  select coalesce(pg_catalog.jsonb_agg(w.id order by w.id), '[]') into v_runs from woken w;
  return pg_catalog.jsonb_build_object('approvals', v_approvals, 'forms', v_forms, 'runs', v_runs);
end $$;

-- The run moves past steps that are still open, since one beside them has failed: they end, with what they ask for and the runs that they
-- have called. p_left: { paths, within, error, eventId }, the place whose steps they are and why they end. Written with the rows in
-- hand, which say how the run continues. Answers { state: left | fenced | halted | cancelled, related }; the caller queues these runs.
create function quorate.leave_steps(p_workspace uuid, p_run uuid, p_attempt int, p_left json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_taken jsonb; v_name text; v_paths text[] := array(select pg_catalog.json_array_elements_text(p_left -> 'paths'));
begin
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

-- Writes how the run ends (the row of the step that holds the steps for it) with the rows that come before it. Approvals and tasks
-- that are still open are withdrawn, no step of it stands in line any more, and runs that its steps have started are cancelled by whoever
-- drives them next; these are answered, and the caller queues them. A cancellation has been heard by this: another one ends the cleanup.
-- `cancelled`: one came while the steps for a failure were about to begin.
create or replace function quorate.begin_cleanup(p_workspace uuid, p_run uuid, p_attempt int, p_event uuid, p_row json, p_local json)
returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_name text; v_related uuid[]; v_ended text := p_row #>> '{0,input,ended}'; v_path text := p_row #>> '{0,path}';
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  -- said a second time, since the first answer was lost
  if exists (select from quorate.steps s where s.run_id = p_run and s.path = v_path) then return '{"state":"begun","related":[]}'; end if;
  if r.cancel_requested_at is not null and v_ended <> 'cancelled' then return '{"state":"cancelled"}'; end if;
  if p_local is not null and not quorate.is_held(r) then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_row);
  v_related := array(select x::uuid from pg_catalog.jsonb_array_elements_text(quorate.withdraw_asks(p_run, null) -> 'runs') x);
  delete from quorate.connection_calls x where x.run_id = p_run and x.state <> 'calling';
  update quorate.runs x set cancel_requested_at = null, updated_at = clock_timestamp() where x.id = p_run;
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.append_worker_event(p_workspace, p_event, 'run.cleanupStarted', 'run', p_run::text, v_name,
    pg_catalog.jsonb_build_object('ended', v_ended, 'step', v_path));
  return pg_catalog.json_build_object('state', 'begun', 'related', v_related);
end $$;

-- Ends a run: status, output, hash of the journal and the one event that says so, together. p_close.journal is what was hashed. The entry
-- names every entry of the run and of its approvals before it.
create or replace function quorate.close_run(p_workspace uuid, p_run uuid, p_attempt int, p_close json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_name text; v_steps int; v_decisions int; v_events jsonb; v_form uuid; v_close jsonb := p_close;
  v_output json := p_close -> 'output'; v_status text := v_close ->> 'status'; v_at timestamptz;
begin
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then
    return pg_catalog.jsonb_build_object('state', case when exists (select from quorate.runs x where x.id = p_run
      and (x.workspace_id = p_workspace and x.attempt = p_attempt and x.status in ('completed', 'failed', 'cancelled')) is true)
      then 'closed' else 'fenced' end);
  end if;
  -- a cancellation that came while the last step ended still counts
  if r.cancel_requested_at is not null and v_status <> 'cancelled' then return '{"state":"cancelled"}'; end if;
  select count(*) into v_steps from quorate.steps s where s.run_id = p_run;
  select count(*) into v_decisions from quorate.decisions d where d.run_id = p_run;
  if v_steps <> (v_close #>> '{journal,steps}')::int or v_decisions <> (v_close #>> '{journal,decisions}')::int then
    raise exception 'the journal is not what was hashed' using errcode = 'QR002';
  end if;
  update quorate.approvals a set status = 'withdrawn' where a.run_id = p_run and a.status in ('pending', 'approved');
  for v_form in update quorate.human_tasks t set status = 'withdrawn' where t.run_id = p_run and t.status = 'pending' returning t.id loop
    perform quorate.close_task_notices(v_form);
  end loop;
  v_at := clock_timestamp();
  update quorate.runs x set status = v_status, output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end,
    error = nullif(v_close -> 'error', 'null'), journal_hash = v_close #>> '{journal,journal}', claimed_by = null, wake = false,
    finished_at = v_at, updated_at = v_at where x.id = p_run;
  select coalesce(pg_catalog.jsonb_agg(e.id order by e.at, e.id), '[]') into v_events from (
    select x.id, x.at from quorate.audit_events x
    where x.workspace_id = p_workspace and x.resource_kind = 'run' and x.resource_id = p_run::text
    union all select x.id, x.at from quorate.approvals a join quorate.audit_events x on x.workspace_id = p_workspace
      and x.resource_kind = 'approval' and x.resource_id = a.id::text
    where a.run_id = p_run) e;
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.append_worker_event(p_workspace, (v_close ->> 'eventId')::uuid, 'run.' || v_status, 'run', p_run::text, v_name,
    (v_close -> 'journal')
      || pg_catalog.jsonb_build_object('mode', r.mode, 'version', r.version_id, 'attempts', r.attempt, 'events', v_events));
  return pg_catalog.jsonb_build_object('state', 'closed', 'at', v_at, 'related', quorate.wake_related_runs(r, v_status));
end $$;

-- Whether nobody waits for this run any more: its caller has ended without it, has moved past the step that called, or runs the steps for a
-- bad end and the call is none of them. A run that cleans up for that reason has heard of it.
create or replace function quorate.has_lost_caller(p_run quorate.runs) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return p_run.caller_run_id is not null
    and exists (select from quorate.runs c where c.id = p_run.caller_run_id and (c.status in ('failed', 'cancelled')
      or exists (select from quorate.steps s where s.run_id = c.id and s.path = p_run.caller_path and s.status in ('error', 'skipped'))
      or exists (select from quorate.steps s where s.run_id = c.id and s.within is null and s.item_index is null and s.kind = 'cleanup'
        and s.status <> 'skipped' and not pg_catalog.starts_with(p_run.caller_path, s.path || '/'))))
    and not exists (select from quorate.steps s where s.run_id = p_run.id and s.within is null and s.item_index is null
      and s.kind = 'cleanup');
end $$;

revoke all on function quorate.withdraw_asks(uuid, text[]), quorate.is_below(text, text[]),
  quorate.leave_steps(uuid, uuid, int, json, json) from public;
grant execute on function quorate.leave_steps(uuid, uuid, int, json, json) to quorate_worker;

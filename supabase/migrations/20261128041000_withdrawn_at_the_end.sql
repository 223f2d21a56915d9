-- What a run still asks people for as it ends is recorded when it is taken back.

-- Takes back what steps of a run still ask people for, at these places or below; null: in the whole run. Answers what it was:
-- { approvals, forms }.
create or replace function quorate.take_back_asks(p_run uuid, p_paths text[]) returns jsonb
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
create or replace function quorate.withdraw_asks(p_run uuid, p_paths text[]) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare v_taken jsonb := quorate.take_back_asks(p_run, p_paths); v_runs jsonb;
begin
  with woken as (
    update quorate.runs x set wake = true where x.caller_run_id = p_run and x.status in ('pending', 'processing', 'waiting')
      and quorate.is_below(x.caller_path, p_paths) returning x.id)
  select coalesce(pg_catalog.jsonb_agg(w.id order by w.id), '[]') into v_runs from woken w;
  return v_taken || pg_catalog.jsonb_build_object('runs', v_runs);
end $$;

-- Writes how the run ends (the row of the step that holds the steps for it) with the rows that come before it. Approvals and tasks
-- that are still open are withdrawn, no step of it stands in line any more, and runs that its steps have started are cancelled by whoever
-- drives them next; these are answered, and the caller queues them. A cancellation has been heard by this: another one ends the cleanup.
-- `cancelled`: one came while the steps for a failure were about to begin.
create or replace function quorate.begin_cleanup(p_workspace uuid, p_run uuid, p_attempt int, p_event uuid, p_row json, p_local json)
returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_name text; v_taken jsonb; v_ended text := p_row #>> '{0,input,ended}'; v_path text := p_row #>> '{0,path}';
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  -- said a second time, since the first answer was lost
  if exists (select from quorate.steps s where s.run_id = p_run and s.path = v_path) then return '{"state":"begun","related":[]}'; end if;
  if r.cancel_requested_at is not null and v_ended <> 'cancelled' then return '{"state":"cancelled"}'; end if;
  if p_local is not null and not quorate.is_held(r) then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_row);
  v_taken := quorate.withdraw_asks(p_run, null);
  delete from quorate.connection_calls x where x.run_id = p_run and x.state <> 'calling';
  update quorate.runs x set cancel_requested_at = null, updated_at = clock_timestamp() where x.id = p_run;
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.append_worker_event(p_workspace, p_event, 'run.cleanupStarted', 'run', p_run::text, v_name,
    pg_catalog.jsonb_build_object('ended', v_ended, 'step', v_path)
      || case when v_taken = '{"approvals":[],"forms":[],"runs":[]}' then '{}' else pg_catalog.jsonb_build_object('withdrawn', v_taken)
        end);
  return pg_catalog.json_build_object('state', 'begun', 'related', v_taken -> 'runs');
end $$;

-- Ends a run: status, output, hash of the journal and the one event that says so, together. p_close.journal is what was hashed. The entry
-- names every entry of the run and of its approvals before it, and the approvals and forms that are withdrawn with the end.
create or replace function quorate.close_run(p_workspace uuid, p_run uuid, p_attempt int, p_close json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_name text; v_steps int; v_decisions int; v_events jsonb; v_taken jsonb; v_close jsonb := p_close;
  v_output json := p_close -> 'output'; v_status text := v_close ->> 'status'; v_at timestamptz;
begin
  perform quorate.require_session();
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
  v_taken := quorate.take_back_asks(p_run, null);
  if r.trial ->> 'kind' = 'dry' and r.caller_run_id is null then perform quorate.drop_dry_files(p_run); end if;
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
      || pg_catalog.jsonb_build_object('mode', r.mode, 'version', r.version_id, 'attempts', r.attempt, 'events', v_events)
      || case when v_taken = '{"approvals":[],"forms":[]}' then '{}' else pg_catalog.jsonb_build_object('withdrawn', v_taken) end);
  return pg_catalog.jsonb_build_object('state', 'closed', 'at', v_at, 'related', quorate.wake_related_runs(r, v_status));
end $$;

revoke all on function quorate.take_back_asks(uuid, text[]) from public;

-- The steps for a run that has failed or was cancelled: they run before it ends as that.

-- Writes how the run ends (the row of the step that holds the steps for it) with the rows that come before it. Approvals and tasks
-- that are still open are withdrawn, no step of it stands in line any more, and runs that its steps have started are cancelled by whoever
-- drives them next; these are answered, and the caller queues them. A cancellation has been heard by this: another one ends the cleanup.
-- `cancelled`: one came while the steps for a failure were about to begin.
create function quorate.begin_cleanup(p_workspace uuid, p_run uuid, p_attempt int, p_event uuid, p_row json, p_local json) returns json
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

revoke all on function quorate.begin_cleanup(uuid, uuid, int, uuid, json, json) from public;
grant execute on function quorate.begin_cleanup(uuid, uuid, int, uuid, json, json) to quorate_worker;

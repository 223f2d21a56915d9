-- A dry run keeps no document.

-- Documents that a dry run has made, and the runs that it has called, go when it ends: a trial shows what would be, and keeps nothing.
create function quorate.drop_dry_files(p_run uuid) returns void language sql security definer set search_path = '' as $$
  with recursive called (id) as (
    select p_run union all select r.id from called c join quorate.runs r on r.caller_run_id = c.id)
  delete from quorate.run_files f using called c where f.run_id = c.id and f.step_path is not null
$$;

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
      || pg_catalog.jsonb_build_object('mode', r.mode, 'version', r.version_id, 'attempts', r.attempt, 'events', v_events));
  return pg_catalog.jsonb_build_object('state', 'closed', 'at', v_at, 'related', quorate.wake_related_runs(r, v_status));
end $$;

revoke all on function quorate.drop_dry_files(uuid) from public;

-- Events for the items of loops.

-- Takes an event in for a run that has not ended. The caller has verified the address that it came to, and queues the run: also where the
-- event was `repeated`, since the call before it may have been lost in between. `late`: the step or the run has ended without it.
create or replace function quorate.receive_event(p_run uuid, p_step text, p_body json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_state text; v_path text := pg_catalog.replace(p_step, '~', '/');
begin
  select * into r from quorate.runs x where x.id = p_run for no key update;
  if r.id is null then return '{"state":"unknown"}'; end if;
  if exists (select from quorate.run_events e where e.run_id = p_run and e.step_id = p_step) then
    v_state := 'repeated';
  elsif r.status in ('completed', 'failed', 'cancelled') or r.cancel_requested_at is not null
    or exists (select from quorate.steps s where s.run_id = p_run and s.status in ('success', 'error', 'skipped')
      and (s.step_id = p_step or (v_path <> p_step and (s.path = v_path
        or (s.item_index is not null and pg_catalog.starts_with(v_path, s.path || '/')))))) then
    return '{"state":"late"}';
  else
    insert into quorate.run_events (run_id, step_id, workspace_id, body) values (p_run, p_step, r.workspace_id, p_body);
    v_state := 'received';
  end if;
  if r.status = 'processing' then update quorate.runs x set wake = true where x.id = p_run; end if;
  return pg_catalog.json_build_object('state', v_state, 'workspaceId', r.workspace_id);
end $$;

-- Events that runs wait for: what came to a step's callback address.

-- The first event of a step counts. It may come before the run gets to the step, and stays here until the run is deleted.
create table quorate.run_events (
  run_id uuid not null,
  step_id text not null, -- inside a loop its path, with ~ for each slash
  workspace_id uuid not null,
  body quorate.ordered_json not null default 'null',
  received_at timestamptz not null default clock_timestamp(),
  primary key (run_id, step_id),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
alter table quorate.run_events enable row level security;

-- Takes an event in for a run that has not ended. The caller has verified the address that it came to, and queues the run: also where the
-- event was `repeated`, since the call before it may have been lost in between. `late`: the step or the run has ended without it.
create function quorate.receive_event(p_run uuid, p_step text, p_body json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_state text; v_path text := pg_catalog.replace(p_step, '~', '/');
begin
  perform quorate.require_session();
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

-- The same from a member, or a program by their key, for a run that they may see.
create function quorate.send_event(p_run uuid, p_step text, p_body json) returns json
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from quorate.runs r where r.id = p_run and r.workspace_id = quorate.current_workspace_id()
    and quorate.key_may('runs:start') and (quorate.sees_all_runs() or r.initiator_id = quorate.current_user_id())) then
    return '{"state":"unknown"}';
  end if;
  return quorate.receive_event(p_run, p_step, p_body);
end $$;

-- The event that has come for a step of a run that the caller drives, or null.
create function quorate.read_event(p_workspace uuid, p_run uuid, p_attempt int, p_step text) returns json
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if (quorate.hold_run(p_workspace, p_run, p_attempt)).id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('body', e.body, 'at', e.received_at) from quorate.run_events e
    where e.run_id = p_run and e.step_id = p_step);
end $$;

revoke all on function quorate.receive_event(uuid, text, json), quorate.send_event(uuid, text, json),
  quorate.read_event(uuid, uuid, int, text) from public;
grant execute on function quorate.receive_event(uuid, text, json) to quorate_app;
grant execute on function quorate.send_event(uuid, text, json) to quorate_member;
grant execute on function quorate.read_event(uuid, uuid, int, text) to quorate_worker;

-- Messages that steps of runs send to people: notifications with the step's name, whose link leads to the run.

-- Notifies the starter of the run and whoever has one of these roles, as far as they are members, each once a step. Answers how many
-- they are.
create function quorate.send_message(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_message json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_to text[]; v_users uuid[];
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  perform quorate.refuse_in_dry_run(r);
  select coalesce(pg_catalog.array_agg(x), '{}') into v_to from pg_catalog.json_array_elements_text(p_message -> 'to') x;
  select coalesce(pg_catalog.array_agg(m.user_id), '{}') into v_users from quorate.members m
    where m.workspace_id = p_workspace and (m.roles && pg_catalog.array_remove(v_to, 'starter')
      or (m.user_id = r.initiator_id and 'starter' = any (v_to)));
  perform quorate.notify(p_workspace, v_users, 'message', 'notifyMessage',
    pg_catalog.jsonb_build_object('title', p_message ->> 'title',
      'workflow', (select a.name from quorate.artifacts a where a.id = r.artifact_id)),
    pg_catalog.jsonb_build_object('kind', 'run', 'id', p_run), 'message:' || p_run || '/' || p_path);
  return pg_catalog.json_build_object('state', 'sent', 'recipients', pg_catalog.cardinality(v_users));
end $$;

revoke all on function quorate.send_message(uuid, uuid, int, text, json, json) from public;
grant execute on function quorate.send_message(uuid, uuid, int, text, json, json) to quorate_worker;

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

revoke all on function quorate.send_event(uuid, text, json) from public;
grant execute on function quorate.send_event(uuid, text, json) to quorate_member;

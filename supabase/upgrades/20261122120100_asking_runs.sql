-- Which of these runs wait for a person to decide. A caller that may see a run but no approvals learns this much: a run also waits for a
-- later attempt, for the release of its workspace, or a moment between a decision and the worker that takes it up.
create function quorate.list_asking_runs(p_runs uuid[]) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select distinct a.run_id from quorate.approvals a
    where a.run_id = any (p_runs) and a.status = 'pending' and (a.workspace_id = quorate.current_workspace_id()) is true;
end $$;
revoke all on function quorate.list_asking_runs(uuid[]) from public;
grant execute on function quorate.list_asking_runs(uuid[]) to quorate_member;

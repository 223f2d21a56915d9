-- Approvals to decide on and forms to fill in that runs wait for, also by way of runs that they have called.

-- Of one run and what it has called, as far as that is open. `of_run`: the run whose step asks. For functions that have checked who asks.
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
  select o.id, 'form', t.id from open_runs o join quorate.human_tasks t on t.run_id = o.id where t.status = 'pending';
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

revoke all on function quorate.list_asks_below(uuid), quorate.list_asks(uuid[]) from public;
grant execute on function quorate.list_asks(uuid[]) to quorate_member;

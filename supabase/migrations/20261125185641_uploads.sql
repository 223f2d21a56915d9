-- Files that people and programs upload for the input of runs.
-- Uploads that no run has taken are taken by one that has just been started by who uploaded them, and go with it.
create function quorate.take_run_files(p_run uuid, p_files uuid[]) returns void language sql security definer set search_path = '' as $$
  update quorate.run_files f set run_id = r.id from quorate.runs r
    where r.id = p_run and r.workspace_id = quorate.current_workspace_id() and r.initiator_id = quorate.current_user_id()
      and r.status = 'pending' and f.id = any (p_files) and f.workspace_id = r.workspace_id and f.owner_id = r.initiator_id
      and f.run_id is null
$$;

create policy own_upload on quorate.run_files for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id())
    and run_id is null and step_path is null);
create policy key_inserts on quorate.run_files as restrictive for insert to quorate_member
  with check ((select quorate.key_may('runs:start')));
create constraint trigger audited after insert on quorate.run_files deferrable initially deferred for each row
  when (new.step_path is null) execute function quorate.require_audit_event();
grant insert on quorate.run_files to quorate_member;
revoke all on function quorate.take_run_files(uuid, uuid[]) from public;
grant execute on function quorate.take_run_files(uuid, uuid[]) to quorate_member;

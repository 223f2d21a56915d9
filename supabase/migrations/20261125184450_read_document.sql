-- Steps that read documents.
alter table quorate.steps drop constraint steps_kind_check;
alter table quorate.steps add constraint steps_kind_check
  check (kind in ('tool', 'agent', 'approval', 'branch', 'transform', 'model', 'for_each', 'wait', 'try', 'http', 'repeat',
      'sub_workflow', 'message', 'cleanup', 'human_task', 'create_document', 'read_document'));

-- A file that a step of the run reads: one that whoever started the run uploaded, or whose run they may see. Null: there is none for it.
create function quorate.find_run_file(p_workspace uuid, p_run uuid, p_attempt int, p_file uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('name', f.name, 'sha256', f.sha256, 'storedName', f.stored_name) from quorate.run_files f
    where f.id = p_file and f.workspace_id = p_workspace and (f.run_id = p_run or f.owner_id = r.initiator_id
      or (f.run_id is not null and exists (select from quorate.members m where m.workspace_id = p_workspace and m.user_id = r.initiator_id
        and m.roles && array['builder', 'approver', 'auditor', 'admin']))));
end $$;

revoke all on function quorate.find_run_file(uuid, uuid, int, uuid) from public;
grant execute on function quorate.find_run_file(uuid, uuid, int, uuid) to quorate_worker;

-- A notification keeps no copy of an approval's sentence: it is looked up as it is shown or sent, as the name of its run is.
create or replace function quorate.notify_approvers() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_asker text;
begin
  select m.name into v_asker from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.requested_by;
  perform quorate.notify(new.workspace_id,
    pg_catalog.array_remove(pg_catalog.array_remove(quorate.members_with(new.workspace_id, new.role), new.requested_by),
    new.version_author_id),
    'approval', 'notifyApprovalWaiting', pg_catalog.jsonb_build_object('title', new.title, 'name', coalesce(v_asker, '–')),
    pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id), 'approval:' || new.id);
  return null;
end $$;
create or replace function quorate.notify_decision() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = 'approval:' || new.id and n.read_at is null;
  if new.status in ('approved', 'rejected', 'expired') then
    perform quorate.notify(new.workspace_id, array[new.requested_by], 'approval',
      case new.status when 'approved' then 'notifyApprovalApproved' when 'rejected' then
        'notifyApprovalRejected' else 'notifyApprovalExpired' end,
      pg_catalog.jsonb_build_object('title', new.title),
      pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id), 'approval-' || new.status || ':' || new.id);
  end if;
  return null;
end $$;
create or replace function quorate.run_of_notice(n quorate.notifications) returns json language sql stable set search_path = '' as $$
  select pg_catalog.json_build_object('id', r.id, 'number', r.number, 'subject', r.subject,
    'workflow', coalesce(a.name, n.subject #>> '{values,workflow}', '–'),
    'asked', case n.subject #>> '{about,kind}' when 'approval' then
      (select quorate.asked_of(x.subject) from quorate.approvals x where x.id = (n.subject #>> '{about,id}')::uuid) end)
  from quorate.runs r left join quorate.artifacts a on a.id = r.artifact_id
  where r.workspace_id = n.workspace_id
    and r.id = case n.subject #>> '{about,kind}' when 'run' then (n.subject #>> '{about,id}')::uuid
      when 'approval' then (select x.run_id from quorate.approvals x where x.id = (n.subject #>> '{about,id}')::uuid)
      when 'task' then (select t.run_id from quorate.human_tasks t where t.id = (n.subject #>> '{about,id}')::uuid) end
    and (r.initiator_id = n.user_id or exists (select from quorate.members m where m.workspace_id = n.workspace_id
      and m.user_id = n.user_id and m.roles && array['builder', 'approver', 'auditor', 'admin']))
$$;
update quorate.notifications set subject = subject #- '{about,asked}' where subject #> '{about,asked}' is not null;

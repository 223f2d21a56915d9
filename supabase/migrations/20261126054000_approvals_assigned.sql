-- An open approval can be one member's duty. That gives nobody a right to vote.
alter table quorate.approvals add column assigned_to uuid, add column assignments int not null default 0;
create index approvals_assigned on quorate.approvals (workspace_id, assigned_to, due_at)
  where status = 'pending' and assigned_to is not null;
drop trigger audited_update on quorate.approvals;
create constraint trigger audited_update after update on quorate.approvals deferrable initially deferred for each row
  when ((new.status is distinct from old.status and new.status <> 'consumed') or new.assigned_to is distinct from old.assigned_to)
  execute function quorate.require_audit_event();

-- Why this member could not decide, now and with their present roles: null where they could, else the SQLSTATE of quorate.approval_refusal.
create function quorate.decider_refusal(a quorate.approvals, p_user uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when a.requested_by = p_user then 'QV004'
    when exists (select from quorate.runs r where r.id = a.run_id and r.initiator_id = p_user) then 'QV006'
    when a.version_author_id = p_user then 'QV005'
    when not exists (select from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = p_user and a.role = any (m.roles))
      then 'QV002'
    when exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = p_user) then 'QV010' end
$$;

-- The member whose duty it is; null where it is everyone's who may decide, also because who has it can decide no longer.
create function quorate.approval_holder(a quorate.approvals) returns uuid
language sql stable security definer set search_path = '' as $$
  select case when a.assigned_to is not null and quorate.decider_refusal(a, a.assigned_to) is null then a.assigned_to end
$$;

-- Why this person may not assign it: null, or the SQLSTATE. Whoever has its role may, and an admin.
create function quorate.assign_refusal(a quorate.approvals, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_roles text[];
begin
  if quorate.current_key_id() is not null then return 'QV003'; end if;
  if a.status <> 'pending' then return 'QV008'; end if;
  if a.due_at <= pg_catalog.clock_timestamp() then return 'QV009'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = p_user;
  if (a.role = any (v_roles) and quorate.has_role(a.role)) or ('admin' = any (v_roles) and quorate.has_role('admin')) then
    return null;
  end if;
  return 'QV002';
end $$;

create function quorate.my_assign_refusal(p_approval uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.assign_refusal(a, quorate.current_user_id()) from quorate.approvals a
    where a.id = p_approval and a.workspace_id = quorate.current_workspace_id()
$$;

-- Makes it the duty of one member, who is told, or (null) of everyone who may decide. p_seen: whose duty it was where the caller looked.
-- Answers { runId, step, title }. Refused with QW001 where someone was quicker, with QW and the number of quorate.decider_refusal where
-- that member could not decide.
create function quorate.assign_approval(p_approval uuid, p_to uuid, p_seen uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_user uuid := quorate.current_user_id(); v_refusal text; v_by text;
begin
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = quorate.current_workspace_id() for update;
  if a.id is null or v_user is null then raise exception 'no such approval' using errcode = 'QV001'; end if;
  v_refusal := quorate.assign_refusal(a, v_user);
  if v_refusal is not null then raise exception 'this approval cannot be assigned' using errcode = v_refusal; end if;
  if a.assigned_to is distinct from p_seen then raise exception 'it was assigned meanwhile' using errcode = 'QW001'; end if;
  v_refusal := case when p_to is not null then quorate.decider_refusal(a, p_to) end;
  if v_refusal is not null then raise exception 'not to this member' using errcode = 'QW' || pg_catalog."right"(v_refusal, 3); end if;
  perform quorate.close_assigned_notices(a);
  update quorate.approvals x set assigned_to = p_to, assignments = x.assignments + 1 where x.id = a.id returning * into a;
  if p_to <> v_user then
    select m.name into v_by from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = v_user;
    perform quorate.notify(a.workspace_id, array[p_to], 'approval', 'notifyApprovalAssigned',
      pg_catalog.jsonb_build_object('title', a.title, 'name', coalesce(v_by, '–')),
      pg_catalog.jsonb_build_object('kind', 'approval', 'id', a.id), 'approval-assigned:' || a.id || ':' || a.assignments);
  end if;
  return pg_catalog.json_build_object('runId', a.run_id, 'step', a.step_path, 'title', a.title);
end $$;

-- Whoever was told that it is their duty has nothing to look at any longer.
create function quorate.close_assigned_notices(a quorate.approvals) returns void
language sql security definer set search_path = '' as $$
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.read_at is null and n.once = 'approval-assigned:' || a.id || ':' || a.assignments
$$;

create function quorate.close_work_of_approval() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.close_assigned_notices(new);
  return null;
end $$;

create trigger close_work after update of status on quorate.approvals for each row
  when (old.status = 'pending' and new.status <> 'pending') execute function quorate.close_work_of_approval();

revoke all on function quorate.decider_refusal(quorate.approvals, uuid), quorate.approval_holder(quorate.approvals),
  quorate.assign_refusal(quorate.approvals, uuid), quorate.my_assign_refusal(uuid), quorate.assign_approval(uuid, uuid, uuid),
  quorate.close_assigned_notices(quorate.approvals), quorate.close_work_of_approval() from public;
grant execute on function quorate.decider_refusal(quorate.approvals, uuid), quorate.approval_holder(quorate.approvals),
  quorate.my_assign_refusal(uuid), quorate.assign_approval(uuid, uuid, uuid) to quorate_member;

-- Groups of a company's directory and the roles that they give in a workspace: by a sign-in that names the person's groups, and by the
-- directory itself.

create table quorate.group_roles (
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  group_name text not null check (length(group_name) between 1 and 256),
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['user', 'builder', 'approver', 'auditor', 'admin']),
  primary key (workspace_id, group_name)
);
alter table quorate.group_roles enable row level security;

-- Nobody decides alone whom a directory makes an approver. The functions of control changes do as their owner.
create function quorate.guard_group_roles() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member'
    and quorate.needs_second_person(quorate.current_workspace_id(), quorate.current_user_id(), null) then
    raise exception 'a second person agrees to the roles of groups' using errcode = 'QP005';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

create constraint trigger audited after insert or update or delete on quorate.group_roles
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger guard_group_roles before insert or update or delete on quorate.group_roles
  for each row execute function quorate.guard_group_roles();

create policy read_roles on quorate.group_roles for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin', 'approver', 'auditor'))
    and (select quorate.current_key_id()) is null);
create policy admin_inserts on quorate.group_roles for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null);
create policy admin_deletes on quorate.group_roles for delete to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null);

grant select, insert, delete on quorate.group_roles to quorate_member;
revoke all on function quorate.guard_group_roles() from public;

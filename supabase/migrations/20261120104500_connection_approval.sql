-- An approver decides whether a connection may receive personal data, without being able to change the connection itself.
create policy approver_updates on quorate.connections for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('approver')))
  with check (workspace_id = (select quorate.current_workspace_id()));

-- What was allowed for one address must not serve another, so a connection keeps its address; and only who may connect
-- may change anything of it but the permission.
create or replace function quorate.guard_connection_approval() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user <> 'quorate_member' then return new; end if;
  if new.personal_data_allowed and (tg_op = 'INSERT' or not old.personal_data_allowed)
    and not (quorate.has_role('approver', 'admin') and quorate.current_key_id() is null) then
    raise exception 'only an approver or an admin allows personal data' using errcode = 'QP005';
  end if;
  if tg_op = 'UPDATE' then
    if row(new.kind, new.endpoint) is distinct from row(old.kind, old.endpoint) then
      raise exception 'a connection keeps its address' using errcode = 'QP005';
    end if;
    if not quorate.has_role('builder', 'admin')
      and row(new.name, new.slug, new.description, new.sealed_credential, new.settings, new.status, new.protocol_version, new.last_check_at, new.last_error, new.deleted_at)
        is distinct from row(old.name, old.slug, old.description, old.sealed_credential, old.settings, old.status, old.protocol_version, old.last_check_at, old.last_error, old.deleted_at) then
      raise exception 'only a builder or an admin changes a connection' using errcode = 'QP005';
    end if;
  end if;
  return new;
end $$;

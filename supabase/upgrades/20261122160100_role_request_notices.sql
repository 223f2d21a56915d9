-- Roles that wait for a second person's agreement: whoever can agree is told, and who asked what became of it.
create function quorate.notify_role_request() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_name text; v_asker text; v_about jsonb := pg_catalog.jsonb_build_object('kind', 'members', 'id', new.id);
  v_once text := 'roles:' || new.id;
begin
  select m.name into v_name from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.user_id;
  select m.name into v_asker from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.requested_by;
  if tg_op = 'INSERT' then
    perform quorate.notify(new.workspace_id,
      pg_catalog.array_remove(pg_catalog.array_remove(quorate.members_with(new.workspace_id, 'admin', 'approver'), new.requested_by),
        new.user_id),
      'approval', 'notifyRolesWaiting', pg_catalog.jsonb_build_object('name', coalesce(v_name, '–'), 'asker', coalesce(v_asker, '–')),
        v_about, v_once);
    return null;
  end if;
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = v_once and n.read_at is null;
  if new.outcome <> 'withdrawn' then
    perform quorate.notify(new.workspace_id, array[new.requested_by], 'approval', case new.outcome when 'granted' then
      'notifyRolesGranted' else 'notifyRolesRefused' end,
      pg_catalog.jsonb_build_object('name', coalesce(v_name, '–')), v_about, v_once || ':' || new.outcome);
  end if;
  return null;
end $$;
revoke all on function quorate.notify_role_request() from public;
create trigger notify_role_request after insert on quorate.role_requests for each row execute function quorate.notify_role_request();
create trigger notify_role_outcome after update of outcome on quorate.role_requests for each row
  when (old.outcome is null and new.outcome is not null) execute function quorate.notify_role_request();

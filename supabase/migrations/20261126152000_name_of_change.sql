-- One rule names the policy, workflow, agent, member, connection or workspace that a change is about: pages, the log and notices each
-- looked it up, with differing fallbacks.

create function quorate.name_of_change(c quorate.control_changes) returns text language sql stable set search_path = '' as $$
  select case
    when quorate.artifact_of_control(c.kind) is not null then
      (select a.name from quorate.artifacts a where a.workspace_id = c.workspace_id and a.id = c.resource_id)
    when c.kind = 'workspace_settings' then (select w.name from quorate.workspaces w where w.id = c.resource_id)
    when c.kind = 'connection_approve' then
      (select n.name from quorate.connections n where n.workspace_id = c.workspace_id and n.id = c.resource_id)
    else (select m.name from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id) end
$$;

create or replace function quorate.notify_control_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  v_about jsonb := pg_catalog.jsonb_build_object('kind', 'change', 'id', new.id);
  v_once text := 'change:' || new.id;
  v_asker text;
  v_name text := coalesce(quorate.name_of_change(new), '–');
  v_roles boolean := new.kind = 'member_roles';
  v_key text := case new.status
    when 'pending' then case when v_roles then 'notifyRolesWaiting' else 'notifyChangeWaiting' end
    when 'approved' then case when v_roles then 'notifyRolesGranted' else 'notifyChangeApproved' end
    when 'rejected' then case when v_roles then 'notifyRolesRefused' else 'notifyChangeRejected' end
    when 'expired' then 'notifyChangeExpired' end;
begin
  if tg_op = 'INSERT' then
    select m.name into v_asker from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.requested_by;
    perform quorate.notify(new.workspace_id, array(
      select u from unnest(quorate.members_with(new.workspace_id, 'admin', 'approver')) u
        where u <> new.requested_by and coalesce(quorate.control_refusal(new, u), '') <> 'QV014'),
      'approval', v_key, pg_catalog.jsonb_build_object('name', v_name, 'asker', coalesce(v_asker, '–')), v_about, v_once);
    return null;
  end if;
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = v_once and n.read_at is null;
  if v_key is not null then
    perform quorate.notify(new.workspace_id, array[new.requested_by], 'approval', v_key,
      pg_catalog.jsonb_build_object('name', v_name), v_about, v_once || ':' || new.status);
  end if;
  return null;
end $$;

revoke all on function quorate.name_of_change(quorate.control_changes) from public;
grant execute on function quorate.artifact_of_control(text), quorate.name_of_change(quorate.control_changes) to quorate_member;

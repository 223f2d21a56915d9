-- Requests to the operator are seen and answered. The operator's workspace is the instance's first one: whoever set the instance up made it, and
-- its admins read what strangers write. They are told in their inbox, and by mail unless they do not want that.
alter table quorate.contact_requests
  add column answered_at timestamptz,
  add column answered_by uuid references public.profiles (id) on delete set null;
create index contact_requests_newest on quorate.contact_requests (created_at desc, id desc);
create index contact_requests_open on quorate.contact_requests (created_at desc, id desc) where answered_at is null;

create function quorate.operator_workspace_id() returns uuid language sql stable security definer set search_path = '' as $$
  select w.id from quorate.workspaces w order by w.created_at, w.id limit 1
$$;
create function quorate.runs_instance() returns boolean language sql stable security definer set search_path = '' as $$
  select quorate.current_key_id() is null and quorate.has_role('admin') and quorate.current_workspace_id() = quorate.operator_workspace_id()
$$;

create policy operator_reads on quorate.contact_requests for select to quorate_member using ((select quorate.runs_instance()));
create policy operator_answers on quorate.contact_requests for update to quorate_member
  using ((select quorate.runs_instance())) with check ((select quorate.runs_instance()));
grant select, update (answered_at, answered_by) on quorate.contact_requests to quorate_member;

-- Says that somebody wrote and what about, nothing of what they typed.
create function quorate.notify_contact() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.operator_workspace_id();
begin
  if v_workspace is null then return null; end if;
  perform quorate.notify(v_workspace, quorate.members_with(v_workspace, 'admin'), 'contact', 'notifyContactRequest', '{}',
    pg_catalog.jsonb_build_object('kind', 'contact', 'id', new.id), 'contact:' || new.id);
  return null;
end $$;
create trigger notify_contact after insert on quorate.contact_requests for each row execute function quorate.notify_contact();

revoke all on function quorate.operator_workspace_id(), quorate.runs_instance(), quorate.notify_contact() from public;
grant execute on function quorate.runs_instance() to quorate_member;

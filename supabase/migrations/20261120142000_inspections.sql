-- A call of one capability to see what goes over the wire: a test run like any other, of an artifact that no list of workflows shows
-- and no plan counts.

alter table quorate.artifacts drop constraint artifacts_kind_check;
alter table quorate.artifacts add constraint artifacts_kind_check check (kind in ('workflow', 'agent', 'policy', 'inspection'));

create policy inspection_inserts on quorate.artifacts for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id()) and kind = 'inspection'
    and published_version_id is null and (select quorate.current_key_id()) is null and (select quorate.has_role('builder')));
create policy inspection_inserts on quorate.versions for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and author_id = (select quorate.current_user_id()) and number is null
    and (select quorate.current_key_id()) is null and (select quorate.has_role('builder'))
    and exists (select from quorate.artifacts a where a.id = artifact_id and a.kind = 'inspection'));
create index artifacts_inspections on quorate.artifacts (workspace_id, name) where kind = 'inspection';

-- Webhooks alone, newest first, among any number of mails.
create index deliveries_webhooks on quorate.deliveries (workspace_id, created_at desc, id desc) where kind = 'webhook';

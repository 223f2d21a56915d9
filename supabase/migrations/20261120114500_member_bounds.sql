-- What a member may write, to the column: whoever gets a statement past the screens still forges nothing.

-- A member says when a run is to end. What became of it, when it was made and which transaction logged it is not theirs to say.
revoke update (status, finished_at, wake) on quorate.runs from quorate_member;
revoke insert on quorate.runs from quorate_member;
grant insert (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, parent_run_id, status, input, request_key) on quorate.runs to quorate_member;
alter policy cancel_runs on quorate.runs
  with check (workspace_id = (select quorate.current_workspace_id()) and (cancelled_by is null or cancelled_by = (select quorate.current_user_id())));

-- The transaction's id is what the rule of the one event counts by: it is the database's own word, as the time is.
revoke insert on quorate.audit_events from quorate_member, quorate_worker;
grant insert (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt) on quorate.audit_events to quorate_member, quorate_worker;
alter policy append on quorate.audit_events
  with check (workspace_id = (select quorate.current_workspace_id()) and actor_id = coalesce((select quorate.current_key_id()), (select quorate.current_user_id()))
    and actor_kind = case when (select quorate.current_key_id()) is null then 'member' else 'key' end and leaf_index is null);

-- A key acts as its member: made for another, it would start runs in their name, which its maker may then approve.
drop policy own_keys on quorate.api_keys;
create policy read_keys on quorate.api_keys for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('admin'))));
create policy make_keys on quorate.api_keys for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null and user_id = (select quorate.current_user_id()));
create policy revoke_keys on quorate.api_keys for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('admin'))))
  with check (workspace_id = (select quorate.current_workspace_id()));
create trigger stays_revoked before update of revoked_at on quorate.api_keys for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function quorate.refuse_change();

-- Nobody becomes a member but by an invitation that they accept (answer_invitation).
revoke insert on quorate.members from quorate_member;

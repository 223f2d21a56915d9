-- Personal data to a connection, and calls of it that are repeated, are permitted by two.

alter table quorate.control_changes drop constraint control_changes_kind_check;
alter table quorate.control_changes add constraint control_changes_kind_check
  check (kind in ('policy_publish', 'policy_pause', 'policy_activate', 'member_roles', 'member_remove',
    'workflow_publish', 'agent_publish', 'workspace_settings', 'connection_approve', 'connection_permits'));

create or replace function quorate.state_of_control(p_workspace uuid, p_kind text, p_resource uuid, p_asked jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case when quorate.artifact_of_control(p_kind) is not null then
    (select pg_catalog.jsonb_build_object('status', a.status, 'versionId', a.published_version_id)
      from quorate.artifacts a where a.id = p_resource and a.workspace_id = p_workspace and a.kind = quorate.artifact_of_control(p_kind)
        and a.deleted_at is null)
  when p_kind = 'workspace_settings' then
    (select pg_catalog.jsonb_build_object('reviewsEffects', w.reviews_effects)
      from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'connection_approve' then
    (select pg_catalog.jsonb_build_object('approved', pg_catalog.jsonb_object_agg(c.id, c.approved_fingerprint))
      from quorate.capabilities c join quorate.connections n on n.id = c.connection_id
      where n.id = p_resource and n.workspace_id = p_workspace and n.deleted_at is null and c.removed_at is null
        and p_asked -> 'approved' ? c.id::text)
  when p_kind = 'connection_permits' then
    (select pg_catalog.jsonb_build_object('personalData', n.personal_data_allowed, 'repeats', n.idempotent)
      from quorate.connections n where n.id = p_resource and n.workspace_id = p_workspace and n.deleted_at is null)
  else
    (select pg_catalog.jsonb_build_object('roles', m.roles)
      from quorate.members m where m.workspace_id = p_workspace and m.user_id = p_resource)
  end
$$;

create or replace function quorate.leads_to(p_kind text, p_resource uuid, p_before jsonb, p_after jsonb) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(case p_kind
    when 'policy_pause' then p_after = p_before || '{"status":"inactive"}' and p_before <> p_after
    when 'policy_activate' then p_after = p_before || '{"status":"active"}' and p_before <> p_after
    when 'member_roles' then p_after = pg_catalog.jsonb_build_object('roles', p_after -> 'roles')
      and pg_catalog.jsonb_array_length(p_after -> 'roles') > 0
      and p_after -> 'roles' <@ '["user", "builder", "approver", "auditor", "admin"]'
    when 'member_remove' then p_after = 'null'
    when 'workspace_settings' then p_after = pg_catalog.jsonb_build_object('reviewsEffects', p_after -> 'reviewsEffects')
      and pg_catalog.jsonb_typeof(p_after -> 'reviewsEffects') = 'boolean' and p_before <> p_after
    when 'connection_permits' then p_before <> p_after
      and p_after = pg_catalog.jsonb_build_object('personalData', p_after -> 'personalData', 'repeats', p_after -> 'repeats')
      and pg_catalog.jsonb_typeof(p_after -> 'personalData') = 'boolean' and pg_catalog.jsonb_typeof(p_after -> 'repeats') = 'boolean'
    when 'connection_approve' then p_before <> p_after and p_after = (
      select pg_catalog.jsonb_build_object('approved', pg_catalog.jsonb_object_agg(c.id, c.fingerprint)) from quorate.capabilities c
        where c.connection_id = p_resource and c.removed_at is null and p_before -> 'approved' ? c.id::text)
    -- of a policy, a workflow or an agent
    else p_kind like '%publish' and p_before || '{"status":"active"}' || jsonb_build_object('versionId', p_after -> 'versionId') = p_after
      and exists (select from quorate.versions v where v.artifact_id = p_resource and v.id::text = p_after ->> 'versionId') end, false)
$$;

create or replace function quorate.askers_of_control(p_kind text) returns text[] language sql immutable set search_path = '' as $$
  select case when p_kind in ('workflow_publish', 'agent_publish') then array['builder']
    when p_kind in ('connection_approve', 'connection_permits') then array['approver', 'admin'] else array['admin'] end
$$;

create or replace function quorate.apply_control_change(c quorate.control_changes) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not quorate.lasting_roles(c.workspace_id, c.requested_by) && quorate.askers_of_control(c.kind) then
    raise exception 'who asked may not any more' using errcode = 'QV015';
  end if;
  if quorate.artifact_of_control(c.kind) is not null then
    perform from quorate.artifacts a where a.id = c.resource_id and a.workspace_id = c.workspace_id for update;
  elsif c.kind = 'connection_approve' then
    perform from quorate.capabilities x
      where x.connection_id = c.resource_id and (c.subject #> '{before,approved}')::jsonb ? x.id::text for update;
  elsif c.kind = 'connection_permits' then
    perform from quorate.connections n where n.id = c.resource_id and n.workspace_id = c.workspace_id for update;
  elsif c.kind like 'member_%' then
    perform from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id for update;
  end if;
  if quorate.state_of_control(c.workspace_id, c.kind, c.resource_id, (c.subject -> 'before')::jsonb)
      is distinct from (c.subject -> 'before')::jsonb
    or not quorate.leads_to(c.kind, c.resource_id, (c.subject -> 'before')::jsonb, (c.subject -> 'after')::jsonb) then
    raise exception 'it is not so any more' using errcode = 'QV016';
  end if;
  if quorate.artifact_of_control(c.kind) is not null then
    update quorate.artifacts a
      set status = c.subject #>> '{after,status}', published_version_id = (c.subject #>> '{after,versionId}')::uuid,
        updated_at = pg_catalog.clock_timestamp()
      where a.id = c.resource_id and a.workspace_id = c.workspace_id;
  elsif c.kind = 'member_roles' then
    update quorate.members m
      set roles = array(select r from pg_catalog.json_array_elements_text(c.subject #> '{after,roles}') r)
      where m.workspace_id = c.workspace_id and m.user_id = c.resource_id;
  elsif c.kind = 'member_remove' then
    delete from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id;
  elsif c.kind = 'connection_permits' then
    update quorate.connections n
      set personal_data_allowed = (c.subject #>> '{after,personalData}')::boolean, idempotent = (c.subject #>> '{after,repeats}')::boolean,
        updated_at = pg_catalog.clock_timestamp()
      where n.id = c.resource_id and n.workspace_id = c.workspace_id;
  elsif c.kind = 'connection_approve' then
    update quorate.capabilities x
      set approved_fingerprint = x.fingerprint, approved_definition = x.definition, approved_by = c.requested_by,
        approved_at = pg_catalog.clock_timestamp()
      where x.connection_id = c.resource_id and (c.subject #> '{after,approved}')::jsonb ? x.id::text;
  else
    update quorate.workspaces w set reviews_effects = (c.subject #>> '{after,reviewsEffects}')::boolean where w.id = c.workspace_id;
  end if;
end $$;

create or replace function quorate.name_of_change(c quorate.control_changes) returns text language sql stable set search_path = '' as $$
  select case
    when quorate.artifact_of_control(c.kind) is not null then
      (select a.name from quorate.artifacts a where a.workspace_id = c.workspace_id and a.id = c.resource_id)
    when c.kind = 'workspace_settings' then (select w.name from quorate.workspaces w where w.id = c.resource_id)
    when c.kind in ('connection_approve', 'connection_permits') then
      (select n.name from quorate.connections n where n.workspace_id = c.workspace_id and n.id = c.resource_id)
    else (select m.name from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id) end
$$;

create or replace function quorate.revert_control_change(c quorate.control_changes, b quorate.break_glass) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_before jsonb := c.subject -> 'before';
  v_after jsonb := c.subject -> 'after';
  v_rows int := 0;
begin
  if c.kind = 'connection_approve' then
    update quorate.capabilities x set approved_fingerprint = h.value ->> 'approved_fingerprint',
        approved_definition = case when h.value ->> 'approved_fingerprint' is null then null else h.value -> 'approved_definition' end,
        approved_by = (h.value ->> 'approved_by')::uuid, approved_at = (h.value ->> 'approved_at')::timestamptz
      from pg_catalog.json_each(b.held) h
      where x.id = h.key::uuid and x.connection_id = c.resource_id
        and x.approved_fingerprint = v_after #>> array['approved', x.id::text]
        and not exists (select from quorate.control_changes o where o.workspace_id = c.workspace_id and o.resource_id = c.resource_id
          and o.status = 'approved' and o.decided_at >= b.started_at and (o.subject #> '{after,approved}')::jsonb ? x.id::text);
  elsif exists (select from quorate.control_changes o where o.workspace_id = c.workspace_id and o.resource_id = c.resource_id
    and o.status = 'approved' and o.decided_at >= b.started_at and o.kind <> 'connection_approve') then return false;
  elsif quorate.artifact_of_control(c.kind) is not null then
    update quorate.artifacts a set published_version_id = (v_before ->> 'versionId')::uuid, updated_at = pg_catalog.clock_timestamp(),
        status = case when a.status = v_after ->> 'status' then v_before ->> 'status' else a.status end
      where a.id = c.resource_id and a.workspace_id = c.workspace_id and a.deleted_at is null
        and a.published_version_id is not distinct from (v_after ->> 'versionId')::uuid;
  elsif c.kind = 'connection_permits' then
    -- each that break-glass gave is taken, whatever became of the other
    update quorate.connections n
      set personal_data_allowed = n.personal_data_allowed and (v_before ->> 'personalData')::boolean,
        idempotent = n.idempotent and (v_before ->> 'repeats')::boolean, updated_at = pg_catalog.clock_timestamp()
      where n.id = c.resource_id and n.workspace_id = c.workspace_id and n.deleted_at is null;
  else
    begin
      update quorate.members m set roles = array(
          select r from unnest(m.roles) r where v_before -> 'roles' ? r or not v_after -> 'roles' ? r
          union all
          select r from pg_catalog.jsonb_array_elements_text(v_before -> 'roles') r
            where not v_after -> 'roles' ? r and not r = any (m.roles))
        where m.workspace_id = c.workspace_id and m.user_id = c.resource_id;
    -- the last admin left meanwhile: the workspace keeps the one that break-glass made
    exception when sqlstate 'QM001' then return false;
    end;
  end if;
  get diagnostics v_rows = row_count;
  return v_rows > 0;
end $$;

create function quorate.guard_permits() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.needs_second_person(new.workspace_id, quorate.current_user_id(), null) then
    raise exception 'a second person agrees to what a connection may have' using errcode = 'QP005';
  end if;
  return new;
end $$;

create trigger guard_new_permits before insert on quorate.connections for each row
  when ((new.personal_data_allowed or new.idempotent) and new.endpoint not like 'builtin:%') execute function quorate.guard_permits();
create trigger guard_permits before update on quorate.connections for each row
  when ((new.personal_data_allowed and not old.personal_data_allowed or new.idempotent and not old.idempotent)
    and new.endpoint not like 'builtin:%')
  execute function quorate.guard_permits();
revoke all on function quorate.guard_permits() from public;

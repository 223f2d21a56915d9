-- Versions with effects are published by two where the workspace asks for it. Workspaces that there are publish as they did until an admin
-- turns it on; new ones ask from the start.
alter table quorate.workspaces add column reviews_effects boolean not null default false;
alter table quorate.workspaces alter column reviews_effects set default true;
grant update (reviews_effects) on quorate.workspaces to quorate_member;
drop trigger audited_update on quorate.workspaces;
create constraint trigger audited_update after update on quorate.workspaces deferrable initially deferred for each row
  when (row(old.name, old.slug, old.plan, old.settings, old.private_network, old.halted_at, old.reviews_effects)
    is distinct from row(new.name, new.slug, new.plan, new.settings, new.private_network, new.halted_at, new.reviews_effects))
  execute function quorate.require_audit_event();

alter table quorate.control_changes drop constraint control_changes_kind_check;
alter table quorate.control_changes add constraint control_changes_kind_check check (kind in ('policy_publish', 'policy_pause',
  'policy_activate', 'member_roles', 'member_remove', 'workflow_publish', 'agent_publish', 'workspace_settings'));

create function quorate.artifact_of_control(p_kind text) returns text language sql immutable set search_path = '' as $$
  select case when split_part(p_kind, '_', 1) in ('policy', 'workflow', 'agent') then split_part(p_kind, '_', 1) end
$$;

create or replace function quorate.state_of_control(p_workspace uuid, p_kind text, p_resource uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case when quorate.artifact_of_control(p_kind) is not null then
    (select pg_catalog.jsonb_build_object('status', a.status, 'versionId', a.published_version_id)
      from quorate.artifacts a where a.id = p_resource and a.workspace_id = p_workspace and a.kind = quorate.artifact_of_control(p_kind)
        and a.deleted_at is null)
  when p_kind = 'workspace_settings' then
    (select pg_catalog.jsonb_build_object('reviewsEffects', w.reviews_effects)
      from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
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
    -- of a policy, a workflow or an agent
    else p_kind like '%publish' and p_before || '{"status":"active"}' || jsonb_build_object('versionId', p_after -> 'versionId') = p_after
      and exists (select from quorate.versions v where v.artifact_id = p_resource and v.id::text = p_after ->> 'versionId') end, false)
$$;

create function quorate.asker_of_control(p_kind text) returns text language sql immutable set search_path = '' as $$
  select case when p_kind in ('workflow_publish', 'agent_publish') then 'builder' else 'admin' end
$$;

create or replace function quorate.request_control_change(p_id uuid, p_subject json, p_due timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_kind text := p_subject ->> 'kind';
  v_resource uuid := (p_subject ->> 'resource')::uuid;
begin
  if v_user is null or v_workspace is null or not quorate.has_role(quorate.asker_of_control(v_kind))
    or quorate.current_key_id() is not null then
    raise exception 'not whoever asks for this control change' using errcode = 'QP005';
  end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  if p_subject ->> 'workspace' is distinct from v_workspace::text
    or quorate.state_of_control(v_workspace, v_kind, v_resource) is distinct from (p_subject -> 'before')::jsonb
    or not quorate.leads_to(v_kind, v_resource, (p_subject -> 'before')::jsonb, (p_subject -> 'after')::jsonb) then
    raise exception 'it is not so any more' using errcode = 'QP006';
  end if;
  if p_due > pg_catalog.clock_timestamp() + interval '30 days' then raise exception 'too late' using errcode = '22023'; end if;
  insert into quorate.control_changes (id, workspace_id, kind, resource_id, subject, digest, requested_by, due_at)
  values (p_id, v_workspace, v_kind, v_resource, p_subject,
    pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(p_subject::text, 'UTF8')), 'hex'), v_user, p_due);
end $$;

create or replace function quorate.control_refusal(c quorate.control_changes, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_roles text[];
begin
  if quorate.current_key_id() is not null then return 'QV003'; end if;
  if c.status <> 'pending' then return 'QV008'; end if;
  if c.due_at <= pg_catalog.clock_timestamp() then return 'QV009'; end if;
  if c.requested_by = p_user then return 'QV004'; end if;
  if c.subject #>> '{after,versionId}' is distinct from c.subject #>> '{before,versionId}'
    and exists (select from quorate.versions v
    where v.id = (c.subject #>> '{after,versionId}')::uuid and v.author_id = p_user) then return 'QV005'; end if;
  if c.kind = 'member_roles' and c.resource_id = p_user and exists (
    select from pg_catalog.json_array_elements_text(c.subject #> '{after,roles}') r
    where not (c.subject #> '{before,roles}')::jsonb ? r) then return 'QV014'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = p_user;
  -- both: the roles as they stand now, and those with which this transaction came in
  if v_roles is null or not v_roles && array['admin', 'approver'] or not quorate.has_role('admin', 'approver') then return 'QV002'; end if;
  return null;
end $$;

create or replace function quorate.apply_control_change(c quorate.control_changes) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from quorate.members m
    where m.workspace_id = c.workspace_id and m.user_id = c.requested_by and quorate.asker_of_control(c.kind) = any (m.roles)) then
    raise exception 'who asked may not any more' using errcode = 'QV015';
  end if;
  if quorate.artifact_of_control(c.kind) is not null then
    perform from quorate.artifacts a where a.id = c.resource_id and a.workspace_id = c.workspace_id for update;
  elsif c.kind like 'member_%' then
    perform from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id for update;
  end if;
  if quorate.state_of_control(c.workspace_id, c.kind, c.resource_id) is distinct from (c.subject -> 'before')::jsonb then
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
  else
    update quorate.workspaces w set reviews_effects = (c.subject #>> '{after,reviewsEffects}')::boolean where w.id = c.workspace_id;
  end if;
end $$;

create or replace function quorate.notify_control_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  v_about jsonb := pg_catalog.jsonb_build_object('kind', 'change', 'id', new.id);
  v_once text := 'change:' || new.id;
  v_asker text;
  v_name text := coalesce(case when quorate.artifact_of_control(new.kind) is not null then
    (select a.name from quorate.artifacts a where a.id = new.resource_id)
    when new.kind = 'workspace_settings' then (select w.name from quorate.workspaces w where w.id = new.resource_id)
    else (select m.name from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.resource_id) end, '–');
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

drop policy read_changes on quorate.control_changes;
create policy read_changes on quorate.control_changes for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and ((select quorate.has_role('admin', 'approver', 'auditor'))
    or (select quorate.current_user_id()) in (resource_id, requested_by)));
revoke all on function quorate.artifact_of_control(text), quorate.asker_of_control(text) from public;

create function quorate.has_effects(p_workspace uuid, p_document jsonb) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_document is null or exists (select from pg_catalog.jsonb_path_query(p_document, 'strict $.** ? (exists(@.kind))') x
    where x ->> 'kind' in ('message', 'sub_workflow')
      or (x ->> 'kind' = 'http' and coalesce(x ->> 'capability', '') not in ('GET', 'HEAD'))
      or (x ->> 'kind' in ('tool', 'skill', 'agent') and coalesce(x ->> 'connection', '') <> '@agents' and not exists (
        select from quorate.connections n join quorate.capabilities c on c.connection_id = n.id
          where n.workspace_id = p_workspace and n.slug = x ->> 'connection' and n.deleted_at is null and c.name = x ->> 'capability'
            and (n.endpoint like 'builtin:%' or c.definition ->> 'effect' = 'reads'
              or c.definition #>> '{annotations,readOnlyHint}' = 'true'))))
$$;

create function quorate.review_of_version(p_workspace uuid, p_document jsonb) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when not coalesce((select w.reviews_effects from quorate.workspaces w where w.id = p_workspace), true) then 'none'
    when not quorate.has_effects(p_workspace, p_document) then 'none'
    when quorate.needs_second_person(p_workspace, quorate.current_user_id(), null) then 'needed'
    else 'alone' end
$$;

create function quorate.my_review_of_version(p_document json) returns text language sql stable security definer set search_path = '' as $$
  select quorate.review_of_version(quorate.current_workspace_id(), p_document::jsonb)
$$;

create function quorate.guard_version_in_force() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.review_of_version(new.workspace_id,
    (select v.document::jsonb from quorate.versions v where v.id = new.published_version_id)) = 'needed' then
    raise exception 'a second person agrees to what is in force' using errcode = 'QP005';
  end if;
  return new;
end $$;

create function quorate.guard_settings() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.needs_second_person(new.id, quorate.current_user_id(), null) then
    raise exception 'a second person agrees to weaker settings' using errcode = 'QP005';
  end if;
  return new;
end $$;

create trigger guard_new_version before insert on quorate.artifacts for each row
  when (new.kind in ('workflow', 'agent') and new.published_version_id is not null) execute function quorate.guard_version_in_force();
create trigger guard_version_in_force before update on quorate.artifacts for each row
  when (new.kind in ('workflow', 'agent') and new.published_version_id is not null
    and old.published_version_id is distinct from new.published_version_id) execute function quorate.guard_version_in_force();
create trigger guard_settings before update on quorate.workspaces for each row
  when (old.reviews_effects and not new.reviews_effects) execute function quorate.guard_settings();

revoke all on function quorate.has_effects(uuid, jsonb), quorate.review_of_version(uuid, jsonb), quorate.my_review_of_version(json),
  quorate.guard_version_in_force(), quorate.guard_settings() from public;
grant execute on function quorate.review_of_version(uuid, jsonb), quorate.my_review_of_version(json) to quorate_member;
create or replace function quorate.make_demo_workspace(p_workspace uuid, p_name text, p_slug text, p_people jsonb,
  p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare v_ws uuid;
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('demo workspace', 0));
  select w.id into v_ws from quorate.workspaces w where w.is_demo;
  if v_ws is not null then return v_ws; end if;
  if exists (select from quorate.workspaces) then raise exception 'a demo is made on the very first start alone'
    using errcode = 'QP006'; end if;
  insert into public.profiles (id, display_name) select (p ->> 'id')::uuid, p ->> 'name'
    from pg_catalog.jsonb_array_elements(p_people) p on conflict (id) do nothing;
  -- whoever looks around in the demo is one person in turn: a publication that waits for the next would only stop them
  insert into quorate.workspaces (id, name, slug, plan, is_demo, reviews_effects)
    values (p_workspace, p_name, p_slug, 'enterprise', true, false);
  insert into quorate.members (workspace_id, user_id, roles, name, email)
    select p_workspace, u.id, array(select pg_catalog.jsonb_array_elements_text(p -> 'roles')), p ->> 'name', u.email
    from pg_catalog.jsonb_array_elements(p_people) p join auth.users u on u.id = (p ->> 'id')::uuid and u.email_confirmed_at is not null;
  if (select count(*) from quorate.members m where m.workspace_id = p_workspace) <> pg_catalog.jsonb_array_length(p_people) then
    raise exception 'a person of the demo has no confirmed account' using errcode = 'QP007';
  end if;
  insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, resource_name, payload, salt)
    values (p_event, p_workspace, 'system', 'workspace.created', 'workspace', p_workspace::text, p_name, '{"demo": true}',
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  return p_workspace;
end $$;


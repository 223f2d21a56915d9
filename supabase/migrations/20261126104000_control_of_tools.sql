-- The approval of tools with effects waits for another person, and whoever could lift a halt counts for seven days.
alter table quorate.control_terms add column role text check (role in ('admin', 'approver'));
alter table quorate.control_terms drop constraint control_terms_pkey;
drop index quorate.control_terms_one_open;
-- which role an ended term had is not known: it counts as both
update quorate.control_terms t set role = 'approver'
  where t.until is not null or exists (select from quorate.members m
    where m.workspace_id = t.workspace_id and m.user_id = t.user_id and 'approver' = any (m.roles));
insert into quorate.control_terms (workspace_id, user_id, since, until, role)
  select t.workspace_id, t.user_id, t.since, t.until, 'admin' from quorate.control_terms t
    where t.role = 'approver' and (t.until is not null or exists (select from quorate.members m
      where m.workspace_id = t.workspace_id and m.user_id = t.user_id and 'admin' = any (m.roles)));
update quorate.control_terms t set role = 'admin' where t.role is null;
alter table quorate.control_terms alter column role set not null;
alter table quorate.control_terms add primary key (workspace_id, user_id, role, since);
create unique index control_terms_one_open on quorate.control_terms (workspace_id, user_id, role) where until is null;

alter table quorate.control_changes drop constraint control_changes_kind_check;
alter table quorate.control_changes add constraint control_changes_kind_check check (kind in ('policy_publish', 'policy_pause',
  'policy_activate', 'member_roles', 'member_remove', 'workflow_publish', 'agent_publish', 'workspace_settings', 'connection_approve'));
drop function quorate.state_of_control(uuid, text, uuid);
drop function quorate.asker_of_control(text);

create or replace function quorate.keep_control_terms() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' then
    update quorate.control_terms t set until = pg_catalog.clock_timestamp()
      where t.workspace_id = old.workspace_id and t.user_id = old.user_id and t.until is null
        and (tg_op = 'DELETE' or not t.role = any (new.roles));
  end if;
  if tg_op <> 'DELETE' then
    insert into quorate.control_terms (workspace_id, user_id, role)
      select new.workspace_id, new.user_id, r from unnest(new.roles) r
        where r in ('admin', 'approver') and (tg_op = 'INSERT' or not r = any (old.roles));
  end if;
  return null;
end $$;

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
    when 'connection_approve' then p_before <> p_after and p_after = (
      select pg_catalog.jsonb_build_object('approved', pg_catalog.jsonb_object_agg(c.id, c.fingerprint)) from quorate.capabilities c
        where c.connection_id = p_resource and c.removed_at is null and p_before -> 'approved' ? c.id::text)
    -- of a policy, a workflow or an agent
    else p_kind like '%publish' and p_before || '{"status":"active"}' || jsonb_build_object('versionId', p_after -> 'versionId') = p_after
      and exists (select from quorate.versions v where v.artifact_id = p_resource and v.id::text = p_after ->> 'versionId') end, false)
$$;

create or replace function quorate.askers_of_control(p_kind text) returns text[] language sql immutable set search_path = '' as $$
  select case when p_kind in ('workflow_publish', 'agent_publish') then array['builder']
    when p_kind = 'connection_approve' then array['approver', 'admin'] else array['admin'] end
$$;

create or replace function quorate.request_control_change(p_id uuid, p_subject json, p_due timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_kind text := p_subject ->> 'kind';
  v_resource uuid := (p_subject ->> 'resource')::uuid;
begin
  if v_user is null or v_workspace is null or not quorate.has_role(variadic quorate.askers_of_control(v_kind))
    or quorate.current_key_id() is not null then
    raise exception 'not whoever asks for this control change' using errcode = 'QP005';
  end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  if p_subject ->> 'workspace' is distinct from v_workspace::text
    or quorate.state_of_control(v_workspace, v_kind, v_resource, (p_subject -> 'before')::jsonb)
      is distinct from (p_subject -> 'before')::jsonb
    or not quorate.leads_to(v_kind, v_resource, (p_subject -> 'before')::jsonb, (p_subject -> 'after')::jsonb) then
    raise exception 'it is not so any more' using errcode = 'QP006';
  end if;
  if p_due > pg_catalog.clock_timestamp() + interval '30 days' then raise exception 'too late' using errcode = '22023'; end if;
  insert into quorate.control_changes (id, workspace_id, kind, resource_id, subject, digest, requested_by, due_at)
  values (p_id, v_workspace, v_kind, v_resource, p_subject,
    pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(p_subject::text, 'UTF8')), 'hex'), v_user, p_due);
end $$;

create or replace function quorate.apply_control_change(c quorate.control_changes) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from quorate.members m
    where m.workspace_id = c.workspace_id and m.user_id = c.requested_by and m.roles && quorate.askers_of_control(c.kind)) then
    raise exception 'who asked may not any more' using errcode = 'QV015';
  end if;
  if quorate.artifact_of_control(c.kind) is not null then
    perform from quorate.artifacts a where a.id = c.resource_id and a.workspace_id = c.workspace_id for update;
  elsif c.kind = 'connection_approve' then
    perform from quorate.capabilities x
      where x.connection_id = c.resource_id and (c.subject #> '{before,approved}')::jsonb ? x.id::text for update;
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
  elsif c.kind = 'connection_approve' then
    update quorate.capabilities x
      set approved_fingerprint = x.fingerprint, approved_definition = x.definition, approved_by = c.requested_by,
        approved_at = pg_catalog.clock_timestamp()
      where x.connection_id = c.resource_id and (c.subject #> '{after,approved}')::jsonb ? x.id::text;
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
    when new.kind = 'connection_approve' then (select n.name from quorate.connections n where n.id = new.resource_id)
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

create or replace function quorate.count_other_approvers() returns int language plpgsql stable security definer set search_path = '' as $$
begin
  return (select count(distinct t.user_id)::int from quorate.control_terms t
    where t.workspace_id = quorate.current_workspace_id() and t.role = 'approver' and t.user_id <> quorate.current_user_id()
      and (t.until is null or t.until > pg_catalog.clock_timestamp() - interval '7 days'));
end $$;

create or replace function quorate.tool_has_effects(p_kind text, p_endpoint text, p_definition jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select p_kind <> 'model' and not coalesce(p_endpoint like 'builtin:%', false) and case
    when p_definition ->> 'effect' in ('reads', 'writes') then p_definition ->> 'effect' = 'writes'
    else p_definition #>> '{annotations,readOnlyHint}' is distinct from 'true' end
$$;

create or replace function quorate.has_effects(p_workspace uuid, p_document jsonb) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_document is null or exists (select from pg_catalog.jsonb_path_query(p_document, 'strict $.** ? (exists(@.kind))') x
    where x ->> 'kind' in ('message', 'sub_workflow')
      or (x ->> 'kind' = 'http' and coalesce(x ->> 'capability', '') not in ('GET', 'HEAD'))
      or (x ->> 'kind' in ('tool', 'skill', 'agent') and coalesce(x ->> 'connection', '') <> '@agents' and not exists (
        select from quorate.connections n join quorate.capabilities c on c.connection_id = n.id
          where n.workspace_id = p_workspace and n.slug = x ->> 'connection' and n.deleted_at is null and c.name = x ->> 'capability'
            and not quorate.tool_has_effects(c.kind, n.endpoint, c.definition::jsonb))))
$$;

create or replace function quorate.review_of_tool(p_capability uuid) returns text language sql stable security definer
set search_path = '' as $$
  select case
    when not exists (select from quorate.capabilities c
      join quorate.connections n on n.id = c.connection_id join quorate.workspaces w on w.id = n.workspace_id
      where c.id = p_capability and w.id = quorate.current_workspace_id() and w.reviews_effects
        and quorate.tool_has_effects(c.kind, n.endpoint, c.definition::jsonb)) then 'none'
    when quorate.needs_second_person(quorate.current_workspace_id(), quorate.current_user_id(), null) then 'needed'
    else 'alone' end
$$;

create or replace function quorate.guard_tool() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and new.approved_fingerprint is not null
    and (select w.reviews_effects from quorate.workspaces w where w.id = new.workspace_id)
    and exists (select from unnest(array[new.definition::jsonb, new.approved_definition::jsonb]) d
      where quorate.tool_has_effects(new.kind, (select n.endpoint from quorate.connections n where n.id = new.connection_id), d))
    and quorate.needs_second_person(new.workspace_id, quorate.current_user_id(), null) then
    raise exception 'a second person agrees to what has effects' using errcode = 'QP005';
  end if;
  return new;
end $$;

create trigger guard_new_tool before insert on quorate.capabilities for each row
  when (new.approved_fingerprint is not null) execute function quorate.guard_tool();
create trigger guard_tool before update on quorate.capabilities for each row
  when (row(old.approved_fingerprint, old.approved_definition::text) is distinct from
    row(new.approved_fingerprint, new.approved_definition::text))
  execute function quorate.guard_tool();

revoke all on function quorate.state_of_control(uuid, text, uuid, jsonb), quorate.askers_of_control(text),
  quorate.tool_has_effects(text, text, jsonb), quorate.review_of_tool(uuid), quorate.guard_tool() from public;
grant execute on function quorate.tool_has_effects(text, text, jsonb), quorate.review_of_tool(uuid) to quorate_member;

-- Asked of another person from now on: a wider private network, checkpoints that go elsewhere, and another credential of a connection.

set check_function_bodies = off;

alter table quorate.control_changes drop constraint control_changes_kind_check;
alter table quorate.control_changes add constraint control_changes_kind_check
  check (kind in ('policy_publish', 'policy_pause', 'policy_activate', 'member_roles', 'member_remove',
    'workflow_publish', 'agent_publish', 'workspace_settings', 'workspace_proof', 'workspace_network', 'workspace_checkpoints',
    'connection_approve', 'connection_permits', 'connection_credential'));

create table quorate.control_secrets (
  change_id uuid primary key,
  workspace_id uuid not null,
  secret bytea not null,
  foreign key (workspace_id, change_id) references quorate.control_changes (workspace_id, id) on delete cascade
);
alter table quorate.control_secrets enable row level security;

drop function quorate.request_control_change(uuid, json, timestamptz);

create function quorate.state_of_checkpoints(p_stored jsonb) returns jsonb language sql immutable set search_path = '' as $$
  select pg_catalog.jsonb_build_object('mail', coalesce(p_stored -> 'mail', 'true'), 'webhook',
    case when p_stored ->> 'webhook' is not null then pg_catalog.jsonb_build_object(
      'host', coalesce(substring(p_stored ->> 'webhook' from '^[A-Za-z]+://(?:[^/?#@]*@)?([^/?#]*)'), ''), 'digest',
      pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(p_stored ->> 'webhook', 'UTF8')), 'hex')) end)
$$;

create function quorate.sends_less(p_before jsonb, p_after jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce((b ->> 'mail')::boolean and not (a ->> 'mail')::boolean
      or (b -> 'webhook' <> 'null' and b -> 'webhook' is distinct from a -> 'webhook'), true)
    from (select quorate.state_of_checkpoints(p_before), quorate.state_of_checkpoints(p_after)) s (b, a)
$$;

create function quorate.reaches_more(p_before jsonb, p_after jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(p_before <> p_after and p_before <> '"instance"' and not p_after <@ p_before, true)
$$;

create function quorate.guard_reach() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.needs_second_person(new.id, quorate.current_user_id(), null)
    and (quorate.reaches_more(old.private_network, new.private_network)
      or quorate.sends_less(old.settings -> 'checkpoints', new.settings -> 'checkpoints')) then
    raise exception 'a second person agrees to this setting' using errcode = 'QP005';
  end if;
  return new;
end $$;

create function quorate.guard_credential() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.needs_second_person(new.workspace_id, quorate.current_user_id(), null) then
    raise exception 'a second person agrees to another credential' using errcode = 'QP005';
  end if;
  return new;
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
  when p_kind = 'workspace_proof' then
    (select pg_catalog.jsonb_build_object('proof', w.proof) from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'workspace_network' then
    (select pg_catalog.jsonb_build_object('network', w.private_network)
      from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'workspace_checkpoints' then
    (select quorate.state_of_checkpoints(w.settings -> 'checkpoints')
      from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'connection_credential' then
    (select pg_catalog.jsonb_build_object('credential', pg_catalog.encode(pg_catalog.sha256(n.sealed_credential), 'hex'))
      from quorate.connections n where n.id = p_resource and n.workspace_id = p_workspace and n.deleted_at is null)
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
    when 'workspace_proof' then p_after = pg_catalog.jsonb_build_object('proof', p_after -> 'proof')
      and quorate.is_proof(p_after -> 'proof') and p_before <> p_after
    when 'workspace_network' then p_before <> p_after and p_after = pg_catalog.jsonb_build_object('network', p_after -> 'network')
      and (p_after -> 'network' = '"instance"' or pg_catalog.jsonb_typeof(p_after -> 'network') = 'array')
    when 'workspace_checkpoints' then p_before <> p_after
      and p_after = pg_catalog.jsonb_build_object('mail', p_after -> 'mail', 'webhook', p_after -> 'webhook')
      and pg_catalog.jsonb_typeof(p_after -> 'mail') = 'boolean'
      and (p_after -> 'webhook' = 'null' or p_after #>> '{webhook,digest}' ~ '^[0-9a-f]{64}$')
    when 'connection_credential' then p_before <> p_after
      and p_after = pg_catalog.jsonb_build_object('credential', p_after -> 'credential') and p_after ->> 'credential' ~ '^[0-9a-f]{64}$'
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
    when p_kind in ('connection_approve', 'connection_permits') then array['approver', 'admin']
    when p_kind = 'connection_credential' then array['builder', 'admin'] else array['admin'] end
$$;

create function quorate.is_secret_of(p_kind text, p_after jsonb, p_secret bytea) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  if p_kind = 'connection_credential' then
    return coalesce(pg_catalog.encode(pg_catalog.sha256(p_secret), 'hex') = p_after ->> 'credential', false);
  elsif p_kind = 'workspace_checkpoints' then
    return coalesce(quorate.state_of_checkpoints(pg_catalog.convert_from(p_secret, 'UTF8')::jsonb) = p_after, false);
  end if;
  return p_secret is null;
end $$;

create function quorate.request_control_change(p_id uuid, p_subject json, p_due timestamptz, p_secret bytea default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_kind text := p_subject ->> 'kind';
  v_resource uuid := (p_subject ->> 'resource')::uuid;
begin
  if v_user is null or v_workspace is null or not quorate.has_role(variadic quorate.askers_of_control(v_kind))
    or not quorate.lasting_roles(v_workspace, v_user) && quorate.askers_of_control(v_kind) or quorate.current_key_id() is not null then
    raise exception 'not whoever asks for this control change' using errcode = 'QP005';
  end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  if p_subject ->> 'workspace' is distinct from v_workspace::text
    or quorate.state_of_control(v_workspace, v_kind, v_resource, (p_subject -> 'before')::jsonb)
      is distinct from (p_subject -> 'before')::jsonb
    or not quorate.leads_to(v_kind, v_resource, (p_subject -> 'before')::jsonb, (p_subject -> 'after')::jsonb) then
    raise exception 'it is not so any more' using errcode = 'QP006';
  end if;
  if not quorate.is_secret_of(v_kind, (p_subject -> 'after')::jsonb, p_secret) then
    raise exception 'another secret than the subject names' using errcode = '22023';
  end if;
  if p_due > pg_catalog.clock_timestamp() + interval '30 days' then raise exception 'too late' using errcode = '22023'; end if;
  insert into quorate.control_changes (id, workspace_id, kind, resource_id, subject, digest, requested_by, due_at)
  values (p_id, v_workspace, v_kind, v_resource, p_subject,
    pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(p_subject::text, 'UTF8')), 'hex'), v_user, p_due);
  if p_secret is not null then
    insert into quorate.control_secrets (change_id, workspace_id, secret) values (p_id, v_workspace, p_secret);
  end if;
end $$;

create function quorate.forget_control_secret() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from quorate.control_secrets s where s.change_id = new.id;
  return null;
end $$;

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
  elsif c.kind in ('connection_permits', 'connection_credential') then
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
  elsif c.kind = 'workspace_proof' then
    update quorate.workspaces w set proof = (c.subject #> '{after,proof}')::jsonb where w.id = c.workspace_id;
  elsif c.kind = 'workspace_network' then
    update quorate.workspaces w set private_network = (c.subject #> '{after,network}')::jsonb where w.id = c.workspace_id;
  elsif c.kind = 'workspace_checkpoints' then
    update quorate.workspaces w
      set settings = w.settings || pg_catalog.jsonb_build_object('checkpoints', pg_catalog.convert_from(s.secret, 'UTF8')::jsonb)
      from quorate.control_secrets s where w.id = c.workspace_id and s.change_id = c.id;
  elsif c.kind = 'connection_credential' then
    update quorate.connections n
      set sealed_credential = s.secret, status = 'connected', last_error = null, updated_at = pg_catalog.clock_timestamp()
      from quorate.control_secrets s where n.id = c.resource_id and n.workspace_id = c.workspace_id and s.change_id = c.id;
  else
    update quorate.workspaces w set reviews_effects = (c.subject #>> '{after,reviewsEffects}')::boolean where w.id = c.workspace_id;
  end if;
end $$;

create or replace function quorate.name_of_change(c quorate.control_changes) returns text language sql stable set search_path = '' as $$
  select case
    when quorate.artifact_of_control(c.kind) is not null then
      (select a.name from quorate.artifacts a where a.workspace_id = c.workspace_id and a.id = c.resource_id)
    when c.kind like 'workspace_%' then (select w.name from quorate.workspaces w where w.id = c.resource_id)
    when c.kind like 'connection_%' then
      (select n.name from quorate.connections n where n.workspace_id = c.workspace_id and n.id = c.resource_id)
    else (select m.name from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id) end
$$;

create or replace function quorate.break_glass_refusal(c quorate.control_changes, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if quorate.current_key_id() is not null then return 'QV003'; end if;
  if c.status <> 'pending' then return 'QV008'; end if;
  if c.due_at <= pg_catalog.clock_timestamp() then return 'QV009'; end if;
  if not quorate.lasting_roles(c.workspace_id, p_user) && quorate.askers_of_control(c.kind)
    or not quorate.has_role(variadic quorate.askers_of_control(c.kind)) then return 'QV019'; end if;
  if c.kind in ('member_remove', 'connection_credential') or c.kind like 'workspace_%' then return 'QV017'; end if;
  if exists (select from quorate.break_glass b where b.workspace_id = c.workspace_id and b.resource_id = c.resource_id
    and (b.ended_at is null or b.ended_at > pg_catalog.clock_timestamp() - interval '7 days')) then return 'QV018'; end if;
  return null;
end $$;

create trigger guard_reach before update of private_network, settings on quorate.workspaces for each row
  when (row(old.private_network, old.settings -> 'checkpoints') is distinct from row(new.private_network, new.settings -> 'checkpoints'))
  execute function quorate.guard_reach();
create trigger guard_credential before update of sealed_credential on quorate.connections for each row
  when (new.sealed_credential is not null and new.sealed_credential is distinct from old.sealed_credential)
  execute function quorate.guard_credential();
-- At the end of the transaction: the change itself reads it.
create constraint trigger forget_secret after update of status on quorate.control_changes deferrable initially deferred for each row
  when (new.status not in ('pending', 'emergency')) execute function quorate.forget_control_secret();

revoke all on function quorate.state_of_checkpoints(jsonb), quorate.sends_less(jsonb, jsonb), quorate.reaches_more(jsonb, jsonb),
  quorate.guard_reach(), quorate.guard_credential(), quorate.is_secret_of(text, jsonb, bytea), quorate.forget_control_secret(),
  quorate.request_control_change(uuid, json, timestamptz, bytea) from public;
grant execute on function quorate.request_control_change(uuid, json, timestamptz, bytea), quorate.state_of_checkpoints(jsonb),
  quorate.sends_less(jsonb, jsonb), quorate.reaches_more(jsonb, jsonb) to quorate_member;

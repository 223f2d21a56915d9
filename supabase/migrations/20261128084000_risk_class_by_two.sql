-- Whoever lowers the risk class of an agent asks another person first.

alter table quorate.control_changes drop constraint control_changes_kind_check,
  add constraint control_changes_kind_check check (kind in (
  'policy_publish', 'policy_pause', 'policy_activate', 'member_roles', 'member_remove', 'workflow_publish', 'agent_publish',
  'workspace_settings', 'workspace_proof', 'workspace_network', 'workspace_checkpoints', 'workspace_sign_in', 'workspace_groups',
  'connection_approve', 'connection_permits', 'connection_credential', 'inventory_risk'));

create or replace function quorate.state_of_risk(p_workspace uuid, p_agent uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select pg_catalog.jsonb_build_object('riskClass', r.risk_class) from quorate.agent_records r
    where r.agent_id = p_agent and r.workspace_id = p_workspace and quorate.is_agent(p_workspace, p_agent));
end $$;

create or replace function quorate.lock_agent_record(p_workspace uuid, p_agent uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from quorate.agent_records r where r.agent_id = p_agent and r.workspace_id = p_workspace for update;
end $$;

create or replace function quorate.put_risk_class(p_workspace uuid, p_agent uuid, p_class text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update quorate.agent_records r set risk_class = p_class where r.agent_id = p_agent and r.workspace_id = p_workspace;
end $$;

create or replace function quorate.name_of_agent(p_workspace uuid, p_agent uuid) returns text language sql stable set search_path = '' as $$
  select coalesce((select a.name from quorate.artifacts a where a.workspace_id = p_workspace and a.id = p_agent),
    (select n.name from quorate.connections n where n.workspace_id = p_workspace and n.id = p_agent))
$$;

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
  when p_kind = 'workspace_sign_in' then
    (select w.sign_in from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'workspace_groups' then
    (select quorate.state_of_groups(w.id) from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
  when p_kind = 'connection_credential' then
    (select pg_catalog.jsonb_build_object('credential', pg_catalog.encode(pg_catalog.sha256(n.sealed_credential), 'hex'))
      from quorate.connections n where n.id = p_resource and n.workspace_id = p_workspace and n.deleted_at is null)
  when p_kind = 'connection_approve' then
    (select pg_catalog.jsonb_build_object('approved', pg_catalog.jsonb_object_agg(c.id, c.approved_fingerprint))
      from quorate.capabilities c join quorate.connections n on n.id = c.connection_id
      where n.id = p_resource and n.workspace_id = p_workspace and n.deleted_at is null and c.removed_at is null
        and p_asked -> 'approved' ? c.id::text)
  when p_kind = 'inventory_risk' then quorate.state_of_risk(p_workspace, p_resource)
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
    when 'workspace_sign_in' then p_before <> p_after and quorate.is_sign_in(p_resource, p_after)
    when 'workspace_groups' then p_before <> p_after and p_after = pg_catalog.jsonb_build_object('groups', p_after -> 'groups')
      and quorate.is_group_roles(p_after -> 'groups')
    when 'connection_credential' then p_before <> p_after
      and p_after = pg_catalog.jsonb_build_object('credential', p_after -> 'credential') and p_after ->> 'credential' ~ '^[0-9a-f]{64}$'
    when 'inventory_risk' then p_after = pg_catalog.jsonb_build_object('riskClass', p_after -> 'riskClass')
      and quorate.lowers_risk(p_before ->> 'riskClass', p_after ->> 'riskClass')
      and (p_after -> 'riskClass' = 'null' or p_after ->> 'riskClass' in ('minimal', 'limited', 'high'))
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
    when p_kind = 'inventory_risk' then array['builder', 'approver', 'admin']
    when p_kind = 'connection_credential' then array['builder', 'admin'] else array['admin'] end
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
  elsif c.kind in ('connection_permits', 'connection_credential') then
    perform from quorate.connections n where n.id = c.resource_id and n.workspace_id = c.workspace_id for update;
  elsif c.kind = 'inventory_risk' then
    perform quorate.lock_agent_record(c.workspace_id, c.resource_id);
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
  elsif c.kind = 'inventory_risk' then
    perform quorate.put_risk_class(c.workspace_id, c.resource_id, c.subject #>> '{after,riskClass}');
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
  elsif c.kind = 'workspace_sign_in' then
    update quorate.workspaces w set sign_in = (c.subject -> 'after')::jsonb where w.id = c.workspace_id;
  elsif c.kind = 'workspace_groups' then
    delete from quorate.group_roles g where g.workspace_id = c.workspace_id;
    insert into quorate.group_roles (workspace_id, group_name, roles)
      select c.workspace_id, g.key, array(select pg_catalog.json_array_elements_text(g.value))
      from pg_catalog.json_each(c.subject #> '{after,groups}') g;
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
    when c.kind = 'inventory_risk' then quorate.name_of_agent(c.workspace_id, c.resource_id)
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
  if c.kind in ('member_remove', 'connection_credential', 'inventory_risk') or c.kind like 'workspace_%' then return 'QV017'; end if;
  if exists (select from quorate.break_glass b where b.workspace_id = c.workspace_id and b.resource_id = c.resource_id
    and (b.ended_at is null or b.ended_at > pg_catalog.clock_timestamp() - interval '7 days')) then return 'QV018'; end if;
  return null;
end $$;

create or replace function quorate.put_agent_record(p_agent uuid, p_record jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.current_workspace_id(); v_owner uuid := (p_record ->> 'owner')::uuid; v_before text;
begin
  if quorate.current_user_id() is null or quorate.current_key_id() is not null
    or not quorate.has_role('builder', 'approver', 'admin') then
    raise exception 'builders, approvers and admins keep the inventory' using errcode = 'QI002';
  end if;
  if not quorate.is_agent(v_workspace, p_agent) then raise exception 'no such agent' using errcode = 'QI001'; end if;
  if v_owner is not null and not exists (select from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_owner) then
    raise exception 'the owner is no member' using errcode = 'QI006';
  end if;
  select r.risk_class into v_before from quorate.agent_records r where r.agent_id = p_agent for update;
  if quorate.lowers_risk(v_before, p_record ->> 'riskClass')
    and quorate.needs_second_person(v_workspace, quorate.current_user_id(), null) then
    raise exception 'a second person agrees to a lower risk class' using errcode = 'QP005';
  end if;
  insert into quorate.agent_records as r (agent_id, workspace_id, owner_id, purpose, risk_class, data_classes, review_on, reviewed_by)
  values (p_agent, v_workspace, v_owner, p_record ->> 'purpose', p_record ->> 'riskClass',
    (select coalesce(pg_catalog.array_agg(c), '{}') from pg_catalog.jsonb_array_elements_text(p_record -> 'dataClasses') c),
    (p_record ->> 'reviewOn')::date, quorate.current_user_id())
  on conflict (agent_id) do update set owner_id = excluded.owner_id, purpose = excluded.purpose, risk_class = excluded.risk_class,
    data_classes = excluded.data_classes, review_on = excluded.review_on, reviewed_by = excluded.reviewed_by,
    reviewed_at = pg_catalog.clock_timestamp();
end $$;

revoke all on function quorate.state_of_risk(uuid, uuid), quorate.lock_agent_record(uuid, uuid),
  quorate.put_risk_class(uuid, uuid, text), quorate.name_of_agent(uuid, uuid) from public;
grant execute on function quorate.name_of_agent(uuid, uuid) to quorate_member;

-- Whoever takes evidence out asks another person first.

alter table quorate.control_changes drop constraint control_changes_kind_check,
  add constraint control_changes_kind_check check (kind in (
  'policy_publish', 'policy_pause', 'policy_activate', 'member_roles', 'member_remove', 'workflow_publish', 'agent_publish',
  'workspace_settings', 'workspace_proof', 'workspace_network', 'workspace_checkpoints', 'workspace_sign_in', 'workspace_groups',
  'connection_approve', 'connection_permits', 'connection_credential', 'inventory_risk', 'evidence_export'));
drop index quorate.control_changes_one_open;
create unique index control_changes_one_open on quorate.control_changes (workspace_id, resource_id)
  where status = 'pending' and kind <> 'evidence_export';
-- Of evidence, one question about one export: others ask about theirs at the same time, and settings of the workspace wait for none.
create unique index control_changes_one_export on quorate.control_changes (workspace_id, (subject #>> '{after,export}'))
  where status = 'pending' and kind = 'evidence_export';

-- What another person agreed may leave, for whoever asked: each file of it once, within a day.
create table quorate.evidence_grants (
  change_id uuid primary key,
  workspace_id uuid not null,
  user_id uuid not null, -- who asked, and takes it
  -- { by, kind, framework, from, until, seed } of a pack, { by, kind, from, until } of the log, by places in it, the last one included, or
  -- { by, kind, list, filter } of a table, with the query of its address
  export jsonb not null,
  granted_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null,
  taken text[] not null default '{}', -- the files that have left
  foreign key (workspace_id, change_id) references quorate.control_changes (workspace_id, id) on delete cascade
);
create index evidence_grants_mine on quorate.evidence_grants (workspace_id, user_id, ends_at);
alter table quorate.evidence_grants enable row level security;

create function quorate.is_export(p_export jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(p_export - 'by' = case p_export ->> 'kind'
      when 'pack' then pg_catalog.jsonb_build_object('kind', 'pack', 'framework', p_export ->> 'framework', 'from', p_export ->> 'from',
        'until', p_export ->> 'until', 'seed', p_export ->> 'seed')
      when 'log' then pg_catalog.jsonb_build_object('kind', 'log', 'from', (p_export ->> 'from')::bigint,
        'until', (p_export ->> 'until')::bigint)
      when 'table' then pg_catalog.jsonb_build_object('kind', 'table', 'list', p_export ->> 'list', 'filter', p_export ->> 'filter') end
    and pg_catalog.jsonb_typeof(p_export -> 'by') = 'string' and pg_catalog.length(p_export::text) <= 4000
    and case p_export ->> 'kind'
      when 'pack' then (p_export ->> 'from') || ' ' || (p_export ->> 'until') ~ '^\d{4}-\d\d-\d\d \d{4}-\d\d-\d\d$'
        and p_export ->> 'framework' ~ '^[a-z0-9.-]{1,64}$' and p_export ->> 'seed' ~ '^[A-Za-z0-9._:-]{1,64}$'
      when 'log' then (p_export ->> 'from')::bigint between 0 and (p_export ->> 'until')::bigint
        and (p_export ->> 'until')::bigint < (p_export ->> 'from')::bigint + 10000000
      else p_export ->> 'list' in ('audit', 'runs', 'decisions') and pg_catalog.jsonb_typeof(p_export -> 'filter') = 'string' end, false)
$$;

create function quorate.files_of_export(p_export jsonb) returns text[] language sql immutable set search_path = '' as $$
  select case p_export ->> 'kind'
    when 'pack' then array['pack', 'records', 'oscal', 'assessments']
    when 'log' then array(select g::text from pg_catalog.generate_series(
      (p_export ->> 'from')::bigint, (p_export ->> 'until')::bigint, 5000::bigint) g)
    else array['table'] end
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
  when p_kind = 'evidence_export' then
    (select pg_catalog.jsonb_build_object('export', p_asked -> 'export', 'granted', exists (select from quorate.evidence_grants g
        where g.workspace_id = w.id and g.export = p_asked -> 'export' and g.ends_at > pg_catalog.clock_timestamp()))
      from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
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
    when 'evidence_export' then p_before ->> 'granted' = 'false' and p_after = p_before || '{"granted":true}'
      and quorate.is_export(p_after -> 'export')
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
    when p_kind = 'evidence_export' then array['builder', 'approver', 'auditor', 'admin']
    when p_kind = 'connection_credential' then array['builder', 'admin'] else array['admin'] end
$$;

create or replace function quorate.request_control_change(p_id uuid, p_subject json, p_due timestamptz, p_secret bytea default null)
returns void language plpgsql security definer set search_path = '' as $$
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
  -- nobody takes evidence out on another's name
  if v_kind = 'evidence_export' and p_subject #>> '{after,export,by}' is distinct from v_user::text then
    raise exception 'whoever asks takes it' using errcode = 'QP005';
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
  elsif c.kind = 'evidence_export' then
    insert into quorate.evidence_grants (change_id, workspace_id, user_id, export, ends_at)
    values (c.id, c.workspace_id, c.requested_by, (c.subject #> '{after,export}')::jsonb,
      coalesce((select b.ends_at from quorate.break_glass b where b.change_id = c.id), pg_catalog.clock_timestamp() + interval '24 hours'));
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

create function quorate.take_evidence(p_export jsonb, p_file text) returns uuid language plpgsql security definer set search_path = '' as $$
declare
  g quorate.evidence_grants;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_export jsonb := p_export || pg_catalog.jsonb_build_object('by', v_user);
begin
  if v_user is null or v_workspace is null or quorate.current_key_id() is not null
    or not quorate.has_role(variadic quorate.askers_of_control('evidence_export')) or not quorate.is_export(v_export)
    or not p_file = any (quorate.files_of_export(v_export))
    or (coalesce(p_export ->> 'list', 'audit') = 'audit' and not quorate.has_role('auditor', 'admin')) then
    raise exception 'not whoever takes this evidence' using errcode = 'QP005';
  end if;
  select * into g from quorate.evidence_grants x
    where x.workspace_id = v_workspace and x.user_id = v_user and x.export = v_export and x.ends_at > pg_catalog.clock_timestamp()
      and not p_file = any (x.taken) order by x.granted_at limit 1 for update;
  if g.change_id is null then
    if quorate.needs_second_person(v_workspace, v_user, null) then
      raise exception 'a second person agrees to this export' using errcode = 'QP005';
    end if;
    return null;
  end if;
  update quorate.evidence_grants x set taken = x.taken || p_file,
      -- with the last file it is over
      ends_at = case when x.taken || p_file @> quorate.files_of_export(v_export) then pg_catalog.clock_timestamp() else x.ends_at end
    where x.change_id = g.change_id;
  return g.change_id;
end $$;

create or replace function quorate.name_of_change(c quorate.control_changes) returns text language sql stable set search_path = '' as $$
  select case
    when quorate.artifact_of_control(c.kind) is not null then
      (select a.name from quorate.artifacts a where a.workspace_id = c.workspace_id and a.id = c.resource_id)
    when c.kind like 'workspace_%' or c.kind = 'evidence_export' then (select w.name from quorate.workspaces w where w.id = c.resource_id)
    when c.kind = 'inventory_risk' then quorate.name_of_agent(c.workspace_id, c.resource_id)
    when c.kind like 'connection_%' then
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
  if c.kind = 'evidence_export' then
    -- nothing more leaves; what has left is out
    update quorate.evidence_grants g set ends_at = pg_catalog.clock_timestamp()
      where g.change_id = c.id and g.ends_at > pg_catalog.clock_timestamp();
    return true;
  end if;
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

create or replace function quorate.end_break_glass(c quorate.control_changes, p_by uuid, p_status text) returns text
language plpgsql security definer set search_path = '' as $$
declare b quorate.break_glass; v_outcome text;
begin
  select * into b from quorate.break_glass x where x.change_id = c.id for update;
  if p_status = 'approved' then
    if not quorate.lasting_roles(c.workspace_id, c.requested_by) && quorate.askers_of_control(c.kind) then
      raise exception 'who asked may not any more' using errcode = 'QV015';
    end if;
    -- evidence that has left is agreed to afterwards as well
    if c.kind <> 'evidence_export' and quorate.state_of_control(c.workspace_id, c.kind, c.resource_id, (c.subject -> 'before')::jsonb)
      is distinct from (c.subject -> 'after')::jsonb then
      raise exception 'it is not so any more' using errcode = 'QV016';
    end if;
    v_outcome := 'agreed';
  else
    v_outcome := case when quorate.revert_control_change(c, b) then 'reverted' else 'left' end;
  end if;
  update quorate.break_glass x set ended_at = pg_catalog.clock_timestamp(), ended_by = p_by, outcome = v_outcome where x.change_id = c.id;
  update quorate.control_changes x set status = p_status, decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  return v_outcome;
end $$;

create constraint trigger audited after insert or update on quorate.evidence_grants
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger immutable before update on quorate.evidence_grants for each row
  when ((pg_catalog.to_jsonb(new) - array['taken', 'ends_at']) is distinct from (pg_catalog.to_jsonb(old) - array['taken', 'ends_at'])
    or new.ends_at > old.ends_at or not new.taken @> old.taken) execute function quorate.refuse_change();

create policy read_evidence_grants on quorate.evidence_grants for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('admin', 'approver', 'auditor'))));

grant select on quorate.evidence_grants to quorate_member;
revoke all on function quorate.is_export(jsonb), quorate.files_of_export(jsonb), quorate.take_evidence(jsonb, text) from public;
grant execute on function quorate.take_evidence(jsonb, text) to quorate_member;

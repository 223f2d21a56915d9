-- Control changes. Whoever weakens or moves control over what agents may do asks for it first, and another person agrees to exactly
-- that change, from what stood before to what is to stand after. The agreement makes the change, once.

-- Since when and until when a person could agree, by the role that let them. Whoever could in the last seven days still counts, so that
-- nobody makes room first.
create table quorate.control_terms (
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null,
  since timestamptz not null default clock_timestamp(),
  until timestamptz,
  role text not null check (role in ('admin', 'approver')),
  primary key (workspace_id, user_id, role, since)
);
create unique index control_terms_one_open on quorate.control_terms (workspace_id, user_id, role) where until is null;
alter table quorate.control_terms enable row level security;

create table quorate.control_changes (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  kind text not null check (kind in ('policy_publish', 'policy_pause', 'policy_activate', 'member_roles', 'member_remove',
    'workflow_publish', 'agent_publish', 'workspace_settings', 'workspace_proof', 'workspace_network', 'workspace_checkpoints',
    'workspace_sign_in', 'workspace_groups', 'workspace_sessions', 'connection_approve', 'connection_permits', 'connection_credential',
    'inventory_risk', 'evidence_export')),
  resource_id uuid not null, -- the policy, workflow, agent, member, connection or the workspace itself
  -- RFC 8785: { after, before, kind, reason, resource, workspace }. Before and after of a policy, workflow or agent: { status, versionId },
  -- of a member: { roles }, or null where they are removed, of the workspace: { reviewsEffects }, { proof }, { network }, { mail,
  -- webhook }, { provider, enforced, exempt }, { groups } or { hours, idleMinutes, factor, networks }, of a connection: { approved } with
  -- the fingerprint that is approved of each of its capabilities that it is about, by their ids; null: none; { personalData, repeats },
  -- what it is permitted; or { credential }, SHA-256 (hex) of what is kept sealed; of an agent in the inventory: { riskClass }, which may
  -- be null; of evidence that is to leave: { export, granted }, where export says what, and by whom.
  subject quorate.ordered_json not null,
  digest text not null, -- SHA-256 (hex) over the bytes of the subject
  requested_by uuid not null,
  status text not null default 'pending' check (status in ('pending', 'emergency', 'approved', 'rejected', 'withdrawn', 'expired')),
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  decided_at timestamptz,
  check (digest = pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(subject::text, 'UTF8')), 'hex')),
  unique (workspace_id, id)
);
create unique index control_changes_one_open on quorate.control_changes (workspace_id, resource_id)
  where status = 'pending' and kind <> 'evidence_export';
-- Of evidence, one question about one export: others ask about theirs at the same time, and settings of the workspace wait for none.
create unique index control_changes_one_export on quorate.control_changes (workspace_id, (subject #>> '{after,export}'))
  where status = 'pending' and kind = 'evidence_export';
create index control_changes_list on quorate.control_changes (workspace_id, created_at desc, id desc);
create index control_changes_due on quorate.control_changes (due_at) where status = 'pending';
alter table quorate.control_changes enable row level security;

-- The secret of a change that waits, of which its subject holds a digest: a sealed credential, or where checkpoints go. Gone with the
-- question.
create table quorate.control_secrets (
  change_id uuid primary key,
  workspace_id uuid not null,
  secret bytea not null,
  foreign key (workspace_id, change_id) references quorate.control_changes (workspace_id, id) on delete cascade
);
alter table quorate.control_secrets enable row level security;

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

-- The one answer of another person.
create table quorate.control_votes (
  workspace_id uuid not null,
  change_id uuid not null,
  user_id uuid not null,
  voter_name text not null,
  vote text not null check (vote in ('approve', 'reject')),
  reason text not null default '' check (length(reason) <= 2000),
  digest text not null,
  voted_at timestamptz not null default clock_timestamp(),
  method text not null check (method in ('password', 'password_and_factor', 'passkey')), -- by which they proved that it is them
  -- What they stated with it, and the zone in which they read the time, as of votes on approvals.
  meaning text check (meaning in ('reviewed', 'approved', 'responsible', 'rejected')),
  zone text check (zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
  primary key (change_id, user_id),
  foreign key (workspace_id, change_id) references quorate.control_changes (workspace_id, id) on delete cascade
);
alter table quorate.control_votes enable row level security;

-- Break-glass: what waits takes effect by one person, for a day at most, and is undone when the time is over.
create table quorate.break_glass (
  change_id uuid primary key,
  workspace_id uuid not null,
  resource_id uuid not null, -- that of the change
  user_id uuid not null,
  reason text not null check (length(reason) between 1 and 1000),
  started_at timestamptz not null default clock_timestamp(),
  ends_at timestamptz not null check (ends_at > started_at and ends_at <= started_at + interval '24 hours'),
  ended_at timestamptz,
  ended_by uuid, -- null: the time was over
  -- agreed: another person let it stay; reverted: what was in force before is so again; left: it was changed properly meanwhile
  outcome text check (outcome in ('agreed', 'reverted', 'left')),
  -- Of tools, what was approved before: by id { approved_fingerprint, approved_definition, approved_by, approved_at }.
  held quorate.ordered_json,
  method text not null check (method in ('password', 'password_and_factor', 'passkey')), -- by which they proved that it is them
  check ((ended_at is null) = (outcome is null)),
  foreign key (workspace_id, change_id) references quorate.control_changes (workspace_id, id) on delete cascade
);
create unique index break_glass_one_open on quorate.break_glass (workspace_id, resource_id) where ended_at is null;
create index break_glass_times on quorate.break_glass (workspace_id, started_at);
create index break_glass_due on quorate.break_glass (ends_at) where ended_at is null;
alter table quorate.break_glass enable row level security;

create function quorate.keep_control_terms() returns trigger language plpgsql security definer set search_path = '' as $$
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

-- What waits for a member who goes has nothing to change any more. Not where the workspace itself is going.
create function quorate.close_control_changes() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.control_changes c set status = 'withdrawn', decided_at = pg_catalog.clock_timestamp()
    where c.workspace_id = old.workspace_id and c.resource_id = old.user_id and c.status = 'pending'
      and exists (select from quorate.workspaces w where w.id = old.workspace_id);
  return null;
end $$;

-- Whether anybody but these two could agree, now or in the last seven days.
create function quorate.needs_second_person(p_workspace uuid, p_first uuid, p_subject uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.control_terms t
    where t.workspace_id = p_workspace and t.user_id is distinct from p_first and t.user_id is distinct from p_subject
      and (t.until is null or t.until > pg_catalog.clock_timestamp() - interval '7 days'))
$$;

-- The same for who asks about their own change, so that a screen says it before somebody writes a reason.
create function quorate.second_person_agrees() returns boolean language sql stable security definer set search_path = '' as $$
  select quorate.needs_second_person(quorate.current_workspace_id(), quorate.current_user_id(), null)
$$;

-- Whether a member's new roles need another person's agreement: roles of control that somebody else gains or loses. One's own are given up
-- alone. Of a gain, whoever gains does not count.
create function quorate.roles_need_second_person(p_workspace uuid, p_member uuid, p_before text[], p_after text[]) returns boolean
language sql stable security definer set search_path = '' as $$
  select (exists (select from unnest(p_after) r where r = any (array['approver', 'auditor', 'admin']) and not r = any (p_before))
      and quorate.needs_second_person(p_workspace, quorate.current_user_id(), p_member))
    or (exists (select from unnest(p_before) r where r = any (array['approver', 'auditor', 'admin']) and not r = any (p_after))
      and p_member is distinct from quorate.current_user_id()
      and quorate.needs_second_person(p_workspace, quorate.current_user_id(), null))
$$;

-- Nobody changes control past the agreement, by whatever path. The functions below do as their owner.
create function quorate.guard_roles() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.roles_need_second_person(old.workspace_id, old.user_id, old.roles,
    case tg_op when 'DELETE' then '{}' else new.roles end) then
    raise exception 'a second person agrees to roles of control' using errcode = 'QP005';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

-- Whether a policy in force tells times of day or days apart: then the time zone of the workspace decides with it. So it may be while
-- break-glass keeps one from being in force.
create function quorate.reads_clock(p_workspace uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.artifacts a join quorate.versions v on v.id = a.published_version_id
    where a.workspace_id = p_workspace and p_workspace = quorate.current_workspace_id() and a.kind = 'policy' and a.status = 'active'
      and a.deleted_at is null and coalesce(v.document ->> 'text' ~ '\m(hour|weekday|date|callsToday|costToday)\M', true))
    or exists (select from quorate.break_glass b join quorate.control_changes c on c.id = b.change_id
      where b.workspace_id = p_workspace and p_workspace = quorate.current_workspace_id() and b.ended_at is null and c.kind like 'policy_%')
$$;

-- Nobody moves the clock of policies in force alone: a second person agrees to their pause first.
create function quorate.guard_clock() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.needs_second_person(new.id, quorate.current_user_id(), null)
    and quorate.reads_clock(new.id) then
    raise exception 'a policy in force reads the clock' using errcode = 'QP012';
  end if;
  return new;
end $$;

create function quorate.guard_policy_in_force() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.needs_second_person(new.workspace_id, quorate.current_user_id(), null) then
    raise exception 'a second person agrees to what is in force' using errcode = 'QP005';
  end if;
  return new;
end $$;

-- Where checkpoints go, as a change says it: of an address, which may hold a secret, the host and a digest (SHA-256, hex).
create function quorate.state_of_checkpoints(p_stored jsonb) returns jsonb language sql immutable set search_path = '' as $$
  select pg_catalog.jsonb_build_object('mail', coalesce(p_stored -> 'mail', 'true'), 'webhook',
    case when p_stored ->> 'webhook' is not null then pg_catalog.jsonb_build_object(
      'host', coalesce(substring(p_stored ->> 'webhook' from '^[A-Za-z]+://(?:[^/?#@]*@)?([^/?#]*)'), ''), 'digest',
      pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(p_stored ->> 'webhook', 'UTF8')), 'hex')) end)
$$;

-- Whether these settings send checkpoints to fewer than those, or to somebody else.
create function quorate.sends_less(p_before jsonb, p_after jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce((b ->> 'mail')::boolean and not (a ->> 'mail')::boolean
      or (b -> 'webhook' <> 'null' and b -> 'webhook' is distinct from a -> 'webhook'), true)
    from (select quorate.state_of_checkpoints(p_before), quorate.state_of_checkpoints(p_after)) s (b, a)
$$;

-- Whether this list reaches what that one does not. 'instance' stands for all that the instance lists.
create function quorate.reaches_more(p_before jsonb, p_after jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(p_before <> p_after and p_before <> '"instance"' and not p_after <@ p_before, true)
$$;

-- Nobody widens the private network, sends checkpoints elsewhere or puts another credential into place alone.
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

-- The kind of artifact that a change is about; null where it is about a member, the workspace or a connection.
create function quorate.artifact_of_control(p_kind text) returns text language sql immutable set search_path = '' as $$
  select case when split_part(p_kind, '_', 1) in ('policy', 'workflow', 'agent') then split_part(p_kind, '_', 1) end
$$;

-- The agent in the inventory whose risk class a change lowers, by functions whose bodies are read when they run: its table comes later.
create function quorate.state_of_risk(p_workspace uuid, p_agent uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select pg_catalog.jsonb_build_object('riskClass', r.risk_class) from quorate.agent_records r
    where r.agent_id = p_agent and r.workspace_id = p_workspace and quorate.is_agent(p_workspace, p_agent));
end $$;

create function quorate.lock_agent_record(p_workspace uuid, p_agent uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from quorate.agent_records r where r.agent_id = p_agent and r.workspace_id = p_workspace for update;
end $$;

create function quorate.put_risk_class(p_workspace uuid, p_agent uuid, p_class text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update quorate.agent_records r set risk_class = p_class where r.agent_id = p_agent and r.workspace_id = p_workspace;
end $$;

-- With the rights of whoever asks: an agent that they may not see has no name for them.
create function quorate.name_of_agent(p_workspace uuid, p_agent uuid) returns text language sql stable set search_path = '' as $$
  select coalesce((select a.name from quorate.artifacts a where a.workspace_id = p_workspace and a.id = p_agent),
    (select n.name from quorate.connections n where n.workspace_id = p_workspace and n.id = p_agent))
$$;

create function quorate.lowers_risk(p_before text, p_after text) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(pg_catalog.array_position(array['minimal', 'limited', 'high', 'prohibited'], p_after), 0)
    < coalesce(pg_catalog.array_position(array['minimal', 'limited', 'high', 'prohibited'], p_before), 0)
$$;

-- Whether this says what evidence is to leave.
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

-- The files of an export: of the log as many as there are stretches of 5,000 entries.
create function quorate.files_of_export(p_export jsonb) returns text[] language sql immutable set search_path = '' as $$
  select case p_export ->> 'kind'
    when 'pack' then array['pack', 'records', 'oscal', 'assessments']
    when 'log' then array(select g::text from pg_catalog.generate_series(
      (p_export ->> 'from')::bigint, (p_export ->> 'until')::bigint, 5000::bigint) g)
    else array['table'] end
$$;

-- What the resource of a change is now, in the words of its subject; null where there is none. `p_asked`: the state that the subject has
-- for now, whose capabilities are those of a connection that it is about.
create function quorate.state_of_control(p_workspace uuid, p_kind text, p_resource uuid, p_asked jsonb) returns jsonb
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
  when p_kind = 'workspace_sessions' then
    (select w.session_rules from quorate.workspaces w where w.id = p_resource and w.id = p_workspace)
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

-- Whether a change of this kind may lead from this state to that one: a pause and an activation keep the version, a publication puts a
-- version of this policy, workflow or agent into force, roles are some of those that there are, who is removed has none, a setting of
-- the workspace is another one, and capabilities are approved as they are now.
create function quorate.leads_to(p_kind text, p_resource uuid, p_before jsonb, p_after jsonb) returns boolean
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
    when 'workspace_sessions' then p_before <> p_after and quorate.is_session_rules(p_after)
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

-- The roles that ask for a change, of which who asked must still have one when it is made.
create function quorate.askers_of_control(p_kind text) returns text[] language sql immutable set search_path = '' as $$
  select case when p_kind in ('workflow_publish', 'agent_publish') then array['builder']
    when p_kind in ('connection_approve', 'connection_permits') then array['approver', 'admin']
    when p_kind = 'inventory_risk' then array['builder', 'approver', 'admin']
    when p_kind = 'evidence_export' then array['builder', 'approver', 'auditor', 'admin']
    when p_kind = 'connection_credential' then array['builder', 'admin'] else array['admin'] end
$$;

-- The roles of a member but those that break-glass gave them for now: nobody makes a second person of them.
create function quorate.lasting_roles(p_workspace uuid, p_user uuid) returns text[]
language sql stable security definer set search_path = '' as $$
  select array(select r from quorate.members m cross join unnest(m.roles) r
    where m.workspace_id = p_workspace and m.user_id = p_user and not exists (
      select from quorate.break_glass b join quorate.control_changes c on c.id = b.change_id
        where b.workspace_id = p_workspace and b.resource_id = p_user and b.ended_at is null and c.kind = 'member_roles'
          and not (c.subject #> '{before,roles}')::jsonb ? r))
$$;

-- Whether this secret is the one that the subject of a change names.
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

-- Asks for a change as it stands. One question about one thing at a time. `p_secret`: what its subject has a digest of; null: nothing.
create function quorate.request_control_change(p_id uuid, p_subject json, p_due timestamptz, p_secret bytea default null)
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

-- The secret of a question that is over is nobody's.
create function quorate.forget_control_secret() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from quorate.control_secrets s where s.change_id = new.id;
  return null;
end $$;

-- What an invitation does not give at once: the roles of control, asked for by whoever invited.
create function quorate.ask_for_invited_roles(p_workspace uuid, p_asker uuid, p_member uuid, p_given text[], p_invited text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare v_subject text;
begin
  v_subject := '{"after":{"roles":' || pg_catalog.array_to_json(p_invited)::text || '},"before":{"roles":' ||
    pg_catalog.array_to_json(p_given)::text || '},"kind":"member_roles","reason":"","resource":"' || p_member || '","workspace":"' ||
    p_workspace || '"}';
  insert into quorate.control_changes (id, workspace_id, kind, resource_id, subject, digest, requested_by, due_at)
  values (quorate.make_id(), p_workspace, 'member_roles', p_member, v_subject::json,
    pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(v_subject, 'UTF8')), 'hex'), p_asker,
    pg_catalog.clock_timestamp() + interval '7 days');
end $$;

-- Why this person may not agree, as the SQLSTATE that an answer would end with; null: they may. Whoever gains a role does not agree to it,
-- whoever loses one may. Who wrote a version does not put it into force.
create function quorate.control_refusal(c quorate.control_changes, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare b quorate.break_glass; v_roles text[] := quorate.lasting_roles(c.workspace_id, p_user);
begin
  if quorate.current_key_id() is not null then return 'QV003'; end if;
  if c.status not in ('pending', 'emergency') then return 'QV008'; end if;
  select * into b from quorate.break_glass x where x.change_id = c.id;
  if coalesce(b.ends_at, c.due_at) <= pg_catalog.clock_timestamp() then return 'QV009'; end if;
  if p_user = c.requested_by or p_user = b.user_id then return 'QV004'; end if;
  if c.subject #>> '{after,versionId}' is distinct from c.subject #>> '{before,versionId}'
    and exists (select from quorate.versions v
    where v.id = (c.subject #>> '{after,versionId}')::uuid and v.author_id = p_user) then return 'QV005'; end if;
  if c.kind = 'member_roles' and c.resource_id = p_user and exists (
    select from pg_catalog.json_array_elements_text(c.subject #> '{after,roles}') r
    where not (c.subject #> '{before,roles}')::jsonb ? r) then return 'QV014'; end if;
  -- both: the roles as they stand now, and those with which this transaction came in
  if not v_roles && array['admin', 'approver'] or not quorate.has_role('admin', 'approver') then return 'QV002'; end if;
  return null;
end $$;

create function quorate.my_control_refusal(p_change uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.control_refusal(c, quorate.current_user_id()) from quorate.control_changes c
    where c.id = p_change and c.workspace_id = quorate.current_workspace_id()
$$;

-- The answer of another person, and with an agreement the change itself, consumed in the same transaction. Answers the status afterwards;
-- of a change that break-glass made, the end of that: agreed, reverted or left.
create function quorate.vote_control_change(p_change uuid, p_vote text, p_reason text, p_digest text, p_meaning text default null,
  p_zone text default null)
returns text language plpgsql security definer set search_path = '' as $$
declare
  c quorate.control_changes;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_status text := case p_vote when 'approve' then 'approved' else 'rejected' end;
  v_method text;
begin
  if v_user is null or v_workspace is null then raise exception 'nobody answers' using errcode = 'QV001'; end if;
  -- one control change after the other
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  select * into c from quorate.control_changes x where x.id = p_change and x.workspace_id = v_workspace for update;
  if c.id is null then raise exception 'no such change' using errcode = 'QV001'; end if;
  v_refusal := quorate.control_refusal(c, v_user);
  if v_refusal is not null then raise exception 'this answer is not possible' using errcode = v_refusal; end if;
  if p_digest is distinct from c.digest then raise exception 'another change than the one shown' using errcode = 'QV007'; end if;
  if coalesce(p_vote, '') not in ('approve', 'reject') or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '')
    or p_meaning not in ('reviewed', 'approved', 'responsible') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  v_method := quorate.take_reauthentication('vote', c.id);
  if v_method is null then raise exception 'authenticate again' using errcode = 'QV011'; end if;
  insert into quorate.control_votes (workspace_id, change_id, user_id, voter_name, vote, reason, digest, method, meaning, zone)
  select v_workspace, c.id, v_user, m.name, p_vote, coalesce(p_reason, ''), c.digest, v_method,
    case p_vote when 'reject' then 'rejected' else coalesce(p_meaning, 'approved') end, p_zone
    from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_user;
  if c.status = 'emergency' then return quorate.end_break_glass(c, v_user, v_status); end if;
  update quorate.control_changes x set status = v_status, decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  if p_vote = 'approve' then perform quorate.apply_control_change(c); end if;
  return v_status;
end $$;

create function quorate.apply_control_change(c quorate.control_changes) returns void
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
  elsif c.kind = 'workspace_sessions' then
    update quorate.workspaces w set session_rules = (c.subject -> 'after')::jsonb where w.id = c.workspace_id;
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

-- Takes one file of an export out, in the transaction that records it. Answers the change by which another person agreed to it; null where
-- nobody else could. Once for each file, within its time, and by whoever asked.
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

-- Who asked takes the question back; who broke the glass ends that before its time. Answers how break-glass ended; null: it was none.
create function quorate.withdraw_control_change(p_change uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare c quorate.control_changes; v_user uuid := quorate.current_user_id();
begin
  select * into c from quorate.control_changes x
    where x.id = p_change and x.workspace_id = quorate.current_workspace_id() for update;
  if c.id is null then raise exception 'no such change' using errcode = 'QV001'; end if;
  if quorate.current_key_id() is not null or v_user is null or (v_user <> c.requested_by
    and not exists (select from quorate.break_glass b where b.change_id = c.id and b.user_id = v_user)) then
    raise exception 'only who asked withdraws' using errcode = 'QV013';
  end if;
  if c.status = 'emergency' then return quorate.end_break_glass(c, v_user, 'withdrawn'); end if;
  if c.status <> 'pending' then raise exception 'the change is closed' using errcode = 'QV008'; end if;
  update quorate.control_changes x set status = 'withdrawn', decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  return null;
end $$;

-- Those that nobody decided in time, and those whose break-glass is over.
create function quorate.list_overdue_changes(p_limit int) returns table (change_id uuid, workspace_id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select d.id, d.workspace_id from (
    (select c.id, c.workspace_id, c.due_at from quorate.control_changes c
      where c.status = 'pending' and c.due_at <= pg_catalog.clock_timestamp() order by c.due_at limit least(p_limit, 1000))
    union all
    (select b.change_id, b.workspace_id, b.ends_at from quorate.break_glass b
      where b.ended_at is null and b.ends_at <= pg_catalog.clock_timestamp() order by b.ends_at limit least(p_limit, 1000))) d
  order by d.due_at limit least(p_limit, 1000)
$$;

-- Answers false when somebody was quicker.
create function quorate.expire_control_change(p_workspace uuid, p_change uuid, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare c quorate.control_changes; v_outcome text;
begin
  perform quorate.require_session();
  perform from quorate.workspaces w where w.id = p_workspace for no key update;
  select * into c from quorate.control_changes x where x.id = p_change and x.workspace_id = p_workspace for update;
  if c.status = 'emergency' and exists (select from quorate.break_glass b
    where b.change_id = c.id and b.ends_at <= pg_catalog.clock_timestamp()) then
    v_outcome := quorate.end_break_glass(c, null, 'expired');
  elsif c.status = 'pending' and c.due_at <= pg_catalog.clock_timestamp() then
    update quorate.control_changes x set status = 'expired', decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  else return false; end if;
  perform quorate.append_worker_event(c.workspace_id, p_event,
    case when v_outcome is null then 'change.expired' else 'breakGlass.ended' end, 'change', c.id::text, c.kind,
    pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object('change', c.id, 'kind', c.kind, 'resource', c.resource_id,
      'digest', c.digest, 'outcome', v_outcome)));
  return true;
end $$;

-- The name of the policy, workflow, agent, member, connection or workspace that a change is about, as far as whoever asks may read it;
-- null where it is gone.
create function quorate.name_of_change(c quorate.control_changes) returns text language sql stable set search_path = '' as $$
  select case
    when quorate.artifact_of_control(c.kind) is not null then
      (select a.name from quorate.artifacts a where a.workspace_id = c.workspace_id and a.id = c.resource_id)
    when c.kind like 'workspace_%' or c.kind = 'evidence_export' then (select w.name from quorate.workspaces w where w.id = c.resource_id)
    when c.kind = 'inventory_risk' then quorate.name_of_agent(c.workspace_id, c.resource_id)
    when c.kind like 'connection_%' then
      (select n.name from quorate.connections n where n.workspace_id = c.workspace_id and n.id = c.resource_id)
    else (select m.name from quorate.members m where m.workspace_id = c.workspace_id and m.user_id = c.resource_id) end
$$;

-- Whoever can agree is told of a change that waits, and who asked of what became of it. The name stands in the message as it was.
create function quorate.notify_control_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  v_about jsonb := pg_catalog.jsonb_build_object('kind', 'change', 'id', new.id);
  v_once text := 'change:' || new.id;
  v_asker text;
  v_outcome text;
  v_name text := coalesce(quorate.name_of_change(new), '–');
  v_roles boolean := new.kind = 'member_roles';
  v_key text := case new.status
    when 'pending' then case when v_roles then 'notifyRolesWaiting' else 'notifyChangeWaiting' end
    when 'emergency' then 'notifyBreakGlass'
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
  if 'emergency' in (old.status, new.status) then
    select m.name, b.outcome into v_asker, v_outcome from quorate.break_glass b
      left join quorate.members m on m.workspace_id = b.workspace_id and m.user_id = b.user_id where b.change_id = new.id;
    perform quorate.notify(new.workspace_id, quorate.members_with(new.workspace_id, 'admin', 'approver', 'auditor'), 'approval',
      case v_outcome when 'agreed' then 'notifyBreakGlassAgreed' when 'reverted' then 'notifyBreakGlassReverted'
        when 'left' then 'notifyBreakGlassLeft' else v_key end,
      pg_catalog.jsonb_build_object('name', v_name, 'asker', coalesce(v_asker, '–')), v_about, v_once || ':glass:' || new.status);
    return null;
  end if;
  if v_key is not null then
    perform quorate.notify(new.workspace_id, array[new.requested_by], 'approval', v_key,
      pg_catalog.jsonb_build_object('name', v_name), v_about, v_once || ':' || new.status);
  end if;
  return null;
end $$;

create trigger keep_control_terms after insert or delete or update of roles on quorate.members
  for each row execute function quorate.keep_control_terms();
create trigger close_control_changes after delete on quorate.members
  for each row execute function quorate.close_control_changes();
create trigger guard_roles before update of roles on quorate.members for each row
  when (old.roles is distinct from new.roles) execute function quorate.guard_roles();
create trigger guard_roles_delete before delete on quorate.members for each row execute function quorate.guard_roles();
create trigger guard_new_policy before insert on quorate.artifacts for each row
  when (new.kind = 'policy' and (new.status <> 'inactive' or new.published_version_id is not null))
  execute function quorate.guard_policy_in_force();
create trigger guard_clock before update on quorate.workspaces for each row
  when (coalesce(old.settings ->> 'timeZone', 'UTC') is distinct from coalesce(new.settings ->> 'timeZone', 'UTC'))
  execute function quorate.guard_clock();
create trigger guard_reach before update of private_network, settings on quorate.workspaces for each row
  when (row(old.private_network, old.settings -> 'checkpoints') is distinct from row(new.private_network, new.settings -> 'checkpoints'))
  execute function quorate.guard_reach();
create trigger guard_credential before update of sealed_credential on quorate.connections for each row
  when (new.sealed_credential is not null and new.sealed_credential is distinct from old.sealed_credential)
  execute function quorate.guard_credential();
create trigger guard_policy_in_force before update on quorate.artifacts for each row
  when (old.kind = 'policy' and row(old.kind, old.status, old.published_version_id, old.deleted_at)
    is distinct from row(new.kind, new.status, new.published_version_id, new.deleted_at))
  execute function quorate.guard_policy_in_force();
create constraint trigger audited after insert or update on quorate.control_changes
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update on quorate.evidence_grants
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger immutable before update on quorate.evidence_grants for each row
  when ((pg_catalog.to_jsonb(new) - array['taken', 'ends_at']) is distinct from (pg_catalog.to_jsonb(old) - array['taken', 'ends_at'])
    or new.ends_at > old.ends_at or not new.taken @> old.taken) execute function quorate.refuse_change();
create trigger immutable before update on quorate.control_changes for each row
  when ((pg_catalog.to_jsonb(new) - array['status', 'decided_at']) is distinct from
    (pg_catalog.to_jsonb(old) - array['status', 'decided_at']) or old.status not in ('pending', 'emergency'))
  execute function quorate.refuse_change();
create trigger immutable before update on quorate.control_votes for each row
  when ((pg_catalog.to_jsonb(new) - array['voter_name', 'zone']) is distinct from (pg_catalog.to_jsonb(old) - array['voter_name', 'zone'])
    or new.voter_name <> '' or new.zone is not null) execute function quorate.refuse_change();
-- At the end of the transaction: the change itself reads it.
create constraint trigger forget_secret after update of status on quorate.control_changes deferrable initially deferred for each row
  when (new.status not in ('pending', 'emergency')) execute function quorate.forget_control_secret();
create trigger notify_control_change after insert on quorate.control_changes
  for each row execute function quorate.notify_control_change();
create trigger notify_control_outcome after update of status on quorate.control_changes for each row
  when (old.status <> new.status) execute function quorate.notify_control_change();

-- Whoever decides, audits or administers reads them; everybody the ones about themselves, and those that they asked for.
create policy read_changes on quorate.control_changes for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and ((select quorate.has_role('admin', 'approver', 'auditor'))
    or (select quorate.current_user_id()) in (resource_id, requested_by)));
create policy read_votes on quorate.control_votes for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and exists (select from quorate.control_changes c where c.id = change_id));

create policy read_break_glass on quorate.break_glass for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and exists (select from quorate.control_changes c where c.id = change_id));

-- Whoever asked, and whoever decides or audits.
create policy read_evidence_grants on quorate.evidence_grants for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('admin', 'approver', 'auditor'))));

grant select on quorate.control_changes, quorate.control_votes, quorate.break_glass, quorate.evidence_grants to quorate_member;
revoke all on function quorate.keep_control_terms(), quorate.close_control_changes(), quorate.leads_to(text, uuid, jsonb, jsonb),
  quorate.needs_second_person(uuid, uuid, uuid), quorate.second_person_agrees(),
  quorate.roles_need_second_person(uuid, uuid, text[], text[]), quorate.guard_roles(), quorate.guard_policy_in_force(),
  quorate.reads_clock(uuid), quorate.guard_clock(),
  quorate.artifact_of_control(text), quorate.askers_of_control(text), quorate.lasting_roles(uuid, uuid),
  quorate.state_of_risk(uuid, uuid), quorate.lock_agent_record(uuid, uuid), quorate.put_risk_class(uuid, uuid, text),
  quorate.name_of_agent(uuid, uuid), quorate.lowers_risk(text, text),
  quorate.name_of_change(quorate.control_changes),
  quorate.is_export(jsonb), quorate.files_of_export(jsonb), quorate.take_evidence(jsonb, text),
  quorate.state_of_checkpoints(jsonb), quorate.sends_less(jsonb, jsonb), quorate.reaches_more(jsonb, jsonb), quorate.guard_reach(),
  quorate.guard_credential(), quorate.is_secret_of(text, jsonb, bytea), quorate.forget_control_secret(),
  quorate.state_of_control(uuid, text, uuid, jsonb), quorate.request_control_change(uuid, json, timestamptz, bytea),
  quorate.ask_for_invited_roles(uuid, uuid, uuid, text[], text[]), quorate.control_refusal(quorate.control_changes, uuid),
  quorate.my_control_refusal(uuid),
  quorate.vote_control_change(uuid, text, text, text, text, text), quorate.apply_control_change(quorate.control_changes),
  quorate.withdraw_control_change(uuid), quorate.list_overdue_changes(int), quorate.expire_control_change(uuid, uuid, uuid),
  quorate.notify_control_change() from public;
grant execute on function quorate.needs_second_person(uuid, uuid, uuid), quorate.second_person_agrees(),
  quorate.roles_need_second_person(uuid, uuid, text[], text[]), quorate.request_control_change(uuid, json, timestamptz, bytea),
  quorate.state_of_checkpoints(jsonb), quorate.sends_less(jsonb, jsonb), quorate.reaches_more(jsonb, jsonb),
  quorate.my_control_refusal(uuid), quorate.vote_control_change(uuid, text, text, text, text, text),
  quorate.withdraw_control_change(uuid), quorate.reads_clock(uuid), quorate.artifact_of_control(text),
  quorate.name_of_change(quorate.control_changes), quorate.name_of_agent(uuid, uuid), quorate.take_evidence(jsonb, text)
  to quorate_member;
grant execute on function quorate.list_overdue_changes(int) to quorate_app;
grant execute on function quorate.expire_control_change(uuid, uuid, uuid) to quorate_worker;

-- Others can watch the log: settings of the proof, which are not weakened alone, and the hashes of the log as tiles.

alter table quorate.workspaces
  add column proof jsonb not null default '{"tiles": false, "quorum": 0, "witnesses": [], "authority": null}';
grant update (proof) on quorate.workspaces to quorate_member;
drop trigger audited_update on quorate.workspaces;
create constraint trigger audited_update after update on quorate.workspaces deferrable initially deferred for each row
  when (row(old.name, old.slug, old.plan, old.settings, old.private_network, old.halted_at, old.reviews_effects, old.proof)
    is distinct from row(new.name, new.slug, new.plan, new.settings, new.private_network, new.halted_at, new.reviews_effects, new.proof))
  execute function quorate.require_audit_event();

alter table quorate.control_changes drop constraint control_changes_kind_check;
alter table quorate.control_changes add constraint control_changes_kind_check
  check (kind in ('policy_publish', 'policy_pause', 'policy_activate', 'member_roles', 'member_remove',
    'workflow_publish', 'agent_publish', 'workspace_settings', 'workspace_proof', 'connection_approve', 'connection_permits'));

-- Whether these are settings of the proof: { tiles, quorum, witnesses: [{ key, url }], authority: { url, policy, ca } or null }, where the
-- quorum is a number of the witnesses, and none only where there are none.
create function quorate.is_proof(p jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(p = pg_catalog.jsonb_build_object('tiles', p -> 'tiles', 'quorum', p -> 'quorum', 'witnesses', p -> 'witnesses',
      'authority', p -> 'authority')
    and pg_catalog.jsonb_typeof(p -> 'tiles') = 'boolean'
    and pg_catalog.jsonb_typeof(p -> 'witnesses') = 'array' and pg_catalog.jsonb_array_length(p -> 'witnesses') <= 16
    and pg_catalog.jsonb_typeof(p -> 'quorum') = 'number'
    and (p ->> 'quorum')::numeric between sign(pg_catalog.jsonb_array_length(p -> 'witnesses'))
      and pg_catalog.jsonb_array_length(p -> 'witnesses')
    and (p ->> 'quorum')::numeric % 1 = 0
    and pg_catalog.jsonb_typeof(p -> 'authority') in ('null', 'object'), false)
$$;

-- Whether the proof would be weaker: a witness or the authority is gone or another, or fewer of the old witnesses are needed than before.
-- Each added one counts as one that agrees to everything, so that nobody fills the quorum with their own.
create function quorate.weakens_proof(p_before jsonb, p_after jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce((p_before -> 'authority' <> 'null' and p_before -> 'authority' <> p_after -> 'authority')
    or not (p_after -> 'witnesses') @> (p_before -> 'witnesses')
    or ((p_before ->> 'quorum')::int > 0 and (p_after ->> 'quorum')::int
      - (pg_catalog.jsonb_array_length(p_after -> 'witnesses') - pg_catalog.jsonb_array_length(p_before -> 'witnesses'))
        < (p_before ->> 'quorum')::int), true)
$$;

-- Whoever may read the hashes of a workspace's log: anybody where it says so, its members and their keys always.
create function quorate.may_read_log(p_workspace uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce(exists (select from quorate.workspaces w where w.id = p_workspace and w.proof -> 'tiles' = 'true')
    or (p_workspace = quorate.current_workspace_id() and quorate.key_may('audit:read')), false)
$$;

-- The newest checkpoint as a signed note, and whoever signed it with us; nothing where there is none, or it is not for the reader.
create function quorate.read_log_checkpoint(p_workspace uuid) returns table (note text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  return query select c.note || coalesce((select string_agg(s.line || E'\n', '' order by s.witness) from quorate.cosignatures s
      where s.workspace_id = p_workspace and s.size = c.size), '')
    from quorate.checkpoints c where c.workspace_id = p_workspace and quorate.may_read_log(p_workspace) order by c.size desc limit 1;
end $$;

-- The first p_width hashes of the tile at this level and index: 256 nodes wide, each of them over 256 of the level below.
create function quorate.read_log_tile(p_workspace uuid, p_level int, p_index bigint, p_width int) returns table (hash bytea)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select n.hash from quorate.audit_nodes n where n.workspace_id = p_workspace and n.level = p_level * 8
    and n.idx >= p_index * 256 and n.idx < p_index * 256 + p_width and quorate.may_read_log(p_workspace) order by n.idx
$$;

-- What the leaves of a tile at level 0 are made of: nothing of an entry but its id, its time and the digest of its content.
create function quorate.read_log_entries(p_workspace uuid, p_index bigint, p_width int)
  returns table (id uuid, at timestamptz, body_digest bytea)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select e.id, e.at, e.body_digest from quorate.audit_events e where e.workspace_id = p_workspace
    and e.leaf_index >= p_index * 256 and e.leaf_index < p_index * 256 + p_width and quorate.may_read_log(p_workspace) order by e.leaf_index
$$;

create function quorate.guard_proof() returns trigger language plpgsql set search_path = '' as $$
begin
  if not quorate.is_proof(new.proof) then
    raise exception 'these are no settings of the proof' using errcode = '22023';
  end if;
  if current_user = 'quorate_member' and quorate.weakens_proof(old.proof, new.proof)
    and quorate.needs_second_person(new.id, quorate.current_user_id(), null) then
    raise exception 'a second person agrees to a weaker proof' using errcode = 'QP005';
  end if;
  return new;
end $$;

create trigger guard_proof before update on quorate.workspaces for each row
  when (old.proof is distinct from new.proof) execute function quorate.guard_proof();

revoke all on function quorate.is_proof(jsonb), quorate.weakens_proof(jsonb, jsonb), quorate.may_read_log(uuid),
  quorate.read_log_checkpoint(uuid), quorate.read_log_tile(uuid, int, bigint, int), quorate.read_log_entries(uuid, bigint, int),
  quorate.guard_proof() from public;
grant execute on function quorate.is_proof(jsonb), quorate.weakens_proof(jsonb, jsonb) to quorate_member;
grant execute on function quorate.read_log_checkpoint(uuid), quorate.read_log_tile(uuid, int, bigint, int),
  quorate.read_log_entries(uuid, bigint, int) to quorate_app, quorate_member;

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
  elsif c.kind = 'workspace_proof' then
    update quorate.workspaces w set proof = (c.subject #> '{after,proof}')::jsonb where w.id = c.workspace_id;
  else
    update quorate.workspaces w set reviews_effects = (c.subject #>> '{after,reviewsEffects}')::boolean where w.id = c.workspace_id;
  end if;
end $$;

create or replace function quorate.name_of_change(c quorate.control_changes) returns text language sql stable set search_path = '' as $$
  select case
    when quorate.artifact_of_control(c.kind) is not null then
      (select a.name from quorate.artifacts a where a.workspace_id = c.workspace_id and a.id = c.resource_id)
    when c.kind in ('workspace_settings', 'workspace_proof') then (select w.name from quorate.workspaces w where w.id = c.resource_id)
    when c.kind in ('connection_approve', 'connection_permits') then
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
  if c.kind in ('member_remove', 'workspace_settings', 'workspace_proof') then return 'QV017'; end if;
  if exists (select from quorate.break_glass b where b.workspace_id = c.workspace_id and b.resource_id = c.resource_id
    and (b.ended_at is null or b.ended_at > pg_catalog.clock_timestamp() - interval '7 days')) then return 'QV018'; end if;
  return null;
end $$;

-- Policies see the workflow, the clock of the workspace, and what the run has called and cost so far.

-- Steps of a run that chose something to call, the items of loops included, and what all of them cost.
create function quorate.count_calls(p_run uuid) returns int language sql stable security definer set search_path = '' as $$
  select count(*)::int from quorate.steps s where s.run_id = p_run and s.capability_id is not null
$$;

create function quorate.sum_cost(p_run uuid) returns bigint language sql stable security definer set search_path = '' as $$
  select coalesce(sum(s.cost_micros), 0)::bigint from quorate.steps s where s.run_id = p_run
$$;

revoke all on function quorate.count_calls(uuid), quorate.sum_cost(uuid) from public;

-- Describes a claimed run to the worker that has claimed it.
create or replace function quorate.describe_claim(r quorate.runs, p_revision bigint) returns json
language plpgsql security definer set search_path = '' as $$
begin
  return pg_catalog.json_build_object('state', 'claimed', 'attempt', r.attempt, 'versionId', r.version_id, 'artifactId', r.artifact_id,
    'artifactName', (select a.name from quorate.artifacts a where a.id = r.artifact_id and a.workspace_id = r.workspace_id),
    'mode', r.mode, 'input', r.input, 'initiatorId', r.initiator_id,
    'initiatorRoles', coalesce((select pg_catalog.to_json(m.roles) from quorate.members m
      where m.workspace_id = r.workspace_id and m.user_id = r.initiator_id), '[]'),
    'versionAuthorId', (select v.author_id from quorate.versions v where v.id = r.version_id and v.workspace_id = r.workspace_id),
    'createdAt', r.created_at, 'waitingMs', r.waiting_ms, 'revision', p_revision, 'trial', r.trial,
    'cancelled', r.cancel_requested_at is not null or (r.caller_run_id is not null and quorate.has_lost_caller(r)),
    'calls', case when r.attempt = 1 then 0 else quorate.count_calls(r.id) end,
    'costMicros', case when r.attempt = 1 then 0 else quorate.sum_cost(r.id) end,
    'steps', case when r.attempt = 1 then '[]'::json else quorate.read_journal(r.id) end,
    'loops', case when r.attempt = 1 then '[]'::json else quorate.list_loops(r.id) end,
    'approvals', case when r.attempt = 1 then '[]'::json else (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'path', a.step_path, 'status', a.status,
        'digest', a.action_digest, 'dueAt', a.due_at,
        'approvedBy', (select coalesce(pg_catalog.json_agg(v.user_id), '[]') from quorate.approval_votes v
          where v.approval_id = a.id and v.vote = 'approve'))), '[]')
      from quorate.approvals a where a.run_id = r.id) end);
end $$;

create or replace function quorate.read_run_config(p_workspace uuid) returns json
language sql stable security definer set search_path = '' as $$
  select pg_catalog.json_build_object('revision', w.config_revision, 'privateNetwork', w.private_network,
    'timeZone', w.settings ->> 'timeZone',
    'connections', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', c.id, 'kind', c.kind, 'name', c.name,
      'slug', c.slug, 'endpoint', c.endpoint, 'status', c.status, 'credential', pg_catalog.encode(c.sealed_credential, 'base64'),
      'personalDataAllowed', c.personal_data_allowed, 'settings', c.settings, 'paused', c.paused_at is not null,
      'idempotent', c.idempotent)), '[]')
      from quorate.connections c where c.workspace_id = w.id and c.deleted_at is null),
    'capabilities', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', k.id, 'connectionId', k.connection_id,
      'kind', k.kind, 'name', k.name, 'title', k.title, 'description', k.description,
      'inputSchema', k.input_schema, 'fingerprint', k.fingerprint, 'approvedFingerprint', k.approved_fingerprint,
      'annotations', k.definition -> 'annotations', 'effect', k.definition -> 'effect') order by k.id), '[]')
      from quorate.capabilities k join quorate.connections c on c.id = k.connection_id and c.deleted_at is null
      where k.workspace_id = w.id and k.removed_at is null),
    'policies', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'name', a.name, 'version', v.number,
      'contentHash', v.content_hash, 'document', v.document) order by a.id), '[]')
      from quorate.artifacts a left join quorate.versions v on v.id = a.published_version_id
      where a.workspace_id = w.id and a.kind = 'policy' and a.status = 'active' and a.deleted_at is null),
    'agents', (select coalesce(pg_catalog.json_object_agg(a.id, a.status = 'active'), '{}') from quorate.artifacts a
      where a.workspace_id = w.id and a.kind = 'agent' and a.deleted_at is null))
  from quorate.workspaces w where w.id = p_workspace
$$;

create trigger time_zone_changed before update on quorate.workspaces for each row
  when (old.settings -> 'timeZone' is distinct from new.settings -> 'timeZone')
  execute function quorate.bump_network_revision();

-- Whether a policy in force tells times of day or days apart: then the time zone of the workspace decides with it.
create function quorate.reads_clock(p_workspace uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.artifacts a join quorate.versions v on v.id = a.published_version_id
    where a.workspace_id = p_workspace and p_workspace = quorate.current_workspace_id() and a.kind = 'policy' and a.status = 'active'
      and a.deleted_at is null and coalesce(v.document ->> 'text' ~ '\m(hour|weekday|date)\M', true))
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

create trigger guard_clock before update on quorate.workspaces for each row
  when (coalesce(old.settings ->> 'timeZone', 'UTC') is distinct from coalesce(new.settings ->> 'timeZone', 'UTC'))
  execute function quorate.guard_clock();

revoke all on function quorate.reads_clock(uuid), quorate.guard_clock() from public;
grant execute on function quorate.reads_clock(uuid) to quorate_member;

-- Calls by programs.

-- The start of a served run in one statement, where nothing is in its way: as a transaction of ten statements it cost the caller and
-- the database more than the run. Besides, functions that each call asks keep their plans: one in language sql is planned anew each time.
create function quorate.served_revision(p_workspace uuid) returns text
language plpgsql stable security invoker set search_path = '' as $$
begin
  return (select pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(coalesce(pg_catalog.string_agg(
      pg_catalog.jsonb_build_array(x.id, x.published_version_id, x.name, x.description)::text, ',' order by x.id), ''), 'UTF8')), 'hex')
  from (
    select a.id, a.published_version_id, a.name, a.description from quorate.artifacts a
    where a.workspace_id = p_workspace and a.kind = 'workflow' and a.status = 'active' and a.deleted_at is null
      and a.published_version_id is not null
    order by a.id limit 500
  ) x);
end $$;

-- Who calls by this key, what the start of a run depends on (plan and settings of the workspace), and the seconds that the key has to wait
-- for its pace: at most as many calls a minute as the workspace has chosen, or `p_usual`, within `p_ceiling`. `revision` only where it is
-- asked for and the key need not wait. Refuses as `become_key`. What is written here need not outlive a crash, so that no call waits for
-- the disk.
create function quorate.open_call(p_key_hash bytea, p_usual int, p_ceiling int, p_serves boolean) returns table (
  key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, slug text, plan text,
  trial_ends_at timestamptz, settings jsonb, roles text[], scopes text[], expires_at timestamptz, wait int, revision text, resource text,
  networks text[]
)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare v_chosen jsonb; v_pace numeric := p_usual;
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true), pg_catalog.set_config('role', 'quorate_member', true);
  select k.key_id, k.key_name, k.user_id, k.user_name, k.workspace_id, k.workspace_name, k.roles, k.scopes, k.expires_at,
    k.resource, k.networks
  into key_id, key_name, user_id, user_name, workspace_id, workspace_name, roles, scopes, expires_at, resource, networks
  from quorate.become_key(p_key_hash) k;
  select w.slug, w.plan, w.trial_ends_at, w.settings into slug, plan, trial_ends_at, settings
  from quorate.workspaces w where w.id = open_call.workspace_id;
  if not found then raise exception 'unknown key' using errcode = 'QP003'; end if;
  v_chosen := settings #> '{paces,keys}';
  if pg_catalog.jsonb_typeof(v_chosen) = 'number' then
    if v_chosen::numeric >= 1 and v_chosen::numeric = pg_catalog.trunc(v_chosen::numeric) then v_pace := v_chosen::numeric; end if;
  end if;
  perform pg_catalog.set_config('role', 'none', true);
  wait := quorate.take_limit('keyPace:' || pg_catalog.translate(pg_catalog.encode(pg_catalog.sha256(
    pg_catalog.convert_to(key_id::text, 'UTF8')), 'base64'), '+/=', '-_'), least(v_pace, p_ceiling)::int, 60);
  if p_serves and wait = 0 then
    perform pg_catalog.set_config('role', 'quorate_member', true);
    revision := quorate.served_revision(open_call.workspace_id);
  end if;
  return next;
end $$;

-- A run as the program with this key may see it, or no row. Refuses as `become_key`.
create function quorate.read_run_by_key(p_key_hash bytea, p_run uuid) returns table (
  id uuid, workflow_id uuid, workflow text, status text, mode text, input json, output json, error jsonb, request_key text,
  created_at timestamptz, updated_at timestamptz, finished_at timestamptz, asks text, asked_id uuid, number int, subject jsonb
)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare v_workspace uuid;
begin
  perform pg_catalog.set_config('role', 'quorate_member', true);
  select k.workspace_id into v_workspace from quorate.become_key(p_key_hash) k;
  return query
    select r.id, r.artifact_id, a.name, r.status, r.mode, r.input::json, r.output::json, r.error, r.request_key, r.created_at, r.updated_at,
      r.finished_at, w.kind, w.seen, r.number, r.subject
    from quorate.runs r join quorate.artifacts a on a.id = r.artifact_id
      left join lateral (select l.kind, case l.kind when 'approval' then (select p.id from quorate.approvals p where p.id = l.id)
        when 'signIn' then (select c.id from quorate.connections c where c.id = l.id)
        else (select t.id from quorate.human_tasks t where t.id = l.id) end as seen
        from quorate.list_asks(array[r.id]) l where r.status = 'waiting' order by l.id limit 1) w on true
    where r.id = p_run and r.workspace_id = v_workspace;
end $$;

-- A run of the caller's that `p_worker` drives from its first moment: as two statements, the second wrote each of the row's nine places in
-- indexes again. Nobody may insert such a row, so what the policies of `runs` ask is asked here. Nulls for a used request key.
create function quorate.insert_claimed_run(p_run uuid, p_artifact uuid, p_version uuid, p_trigger text, p_input json, p_request_key text,
  p_worker uuid, p_revision bigint, p_subject jsonb, out created_at timestamptz, out number int, out claim json)
language plpgsql volatile security definer set search_path = '' as $$
declare r quorate.runs; v_now timestamptz := clock_timestamp();
begin
  if (quorate.may_start_runs() and quorate.key_may('runs:start')) is not true then
    raise exception 'may not start runs' using errcode = '42501';
  end if;
  insert into quorate.runs as x (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, request_key, status,
    attempt, claimed_by, created_at, started_at, updated_at, subject)
  values (p_run, quorate.current_workspace_id(), p_artifact, p_version, 'live', p_trigger, quorate.current_user_id(), p_input,
    p_request_key, 'processing', 1, p_worker, v_now, v_now, v_now, p_subject)
  on conflict (workspace_id, initiator_id, request_key) where request_key is not null do nothing
  returning * into r;
  if r.id is null then return; end if;
  created_at := r.created_at;
  number := r.number;
  claim := quorate.describe_claim(r, p_revision);
end $$;

-- Starts a live run by a key: row and event, under the same policies as one by one. No row, and nothing written, wherever anything is not
-- plain: halted, paused, `p_room` runs waiting, `p_below` live runs since `p_since` (null: unlimited), a used request
-- key. Whoever asks then goes the long way, which tells why. Refuses as `become_key`. `p_worker` claims the run at once and drives it
-- without a job: were it lost, whoever takes over what it holds would find this run, too. Null: the job is what pg-boss writes for one
-- without options of its own.
create function quorate.start_run_by_key(
  p_key_hash bytea, p_run uuid, p_artifact uuid, p_version uuid, p_trigger text, p_input json, p_request_key text, p_room int,
  p_since timestamptz, p_below int, p_place int, p_event uuid, p_name text, p_payload jsonb, p_salt bytea, p_worker uuid, p_ceiling int,
  p_subject jsonb default null
) returns table (created_at timestamptz, claim json, granted uuid[], limited boolean, number int)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare k record; v_revision bigint;
begin
  perform pg_catalog.set_config('role', 'quorate_member', true);
  select * into k from quorate.become_key(p_key_hash);
  select quorate.runs_at_once(w.settings, p_ceiling) is not null or a.runs_at_once is not null, w.config_revision into limited, v_revision
    from quorate.workspaces w join quorate.artifacts a on a.workspace_id = w.id
    where w.id = k.workspace_id and w.halted_at is null and a.id = p_artifact and a.status = 'active' and a.deleted_at is null;
  if not found then return; end if;
  if quorate.count_queued_runs(k.workspace_id, p_room) >= p_room then return; end if;
  if p_below is not null then
    if quorate.count_live_runs(k.workspace_id, p_since, p_below) >= p_below then return; end if;
  end if;
  if p_worker is null or limited then
    insert into quorate.runs as x (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, request_key,
      subject)
    values (p_run, k.workspace_id, p_artifact, p_version, 'live', p_trigger, k.user_id, p_input, p_request_key, p_subject)
    on conflict (workspace_id, initiator_id, request_key) where request_key is not null do nothing
    returning x.created_at, x.number into start_run_by_key.created_at, start_run_by_key.number;
    if not found then return; end if;
  else
    select i.created_at, i.number, i.claim into created_at, number, claim from quorate.insert_claimed_run(
      p_run, p_artifact, p_version, p_trigger, p_input, p_request_key, p_worker, v_revision, p_subject) i;
    if claim is null then return; end if;
    granted := '{}';
  end if;
  insert into quorate.audit_events (
    id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
  values (p_event, k.workspace_id, 'key', k.key_id, k.key_name, 'run.started', 'run', p_run::text, p_name, p_payload, p_salt);
  if p_worker is null then
    perform quorate.send_run_jobs(array[k.workspace_id], array[p_run], array[p_place]);
  elsif limited then
    perform pg_catalog.set_config('role', 'quorate_worker', true);
    select c.a, c.granted, c.limited into claim, granted, limited
    from quorate.claim_run_within_limits(k.workspace_id, p_run, p_worker, p_ceiling) c;
  end if;
  return next;
end $$;

revoke all on function quorate.served_revision(uuid), quorate.insert_claimed_run(uuid, uuid, uuid, text, json, text, uuid, bigint, jsonb),
  quorate.open_call(bytea, int, int, boolean), quorate.read_run_by_key(bytea, uuid),
  quorate.start_run_by_key(
    bytea, uuid, uuid, uuid, text, json, text, int, timestamptz, int, int, uuid, text, jsonb, bytea, uuid, int, jsonb)
  from public;
grant execute on function quorate.open_call(bytea, int, int, boolean), quorate.read_run_by_key(bytea, uuid),
  quorate.start_run_by_key(
    bytea, uuid, uuid, uuid, text, json, text, int, timestamptz, int, int, uuid, text, jsonb, bytea, uuid, int, jsonb)
  to quorate_app;
grant execute on function quorate.served_revision(uuid), quorate.insert_claimed_run(uuid, uuid, uuid, text, json, text, uuid, bigint, jsonb)
  to quorate_member;

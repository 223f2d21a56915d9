-- Calls of programs ask less often: the key in one statement, limits where there are some, the end of a run with its moment.
create or replace function quorate.become_key(p_key_hash bytea)
  returns table (key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, roles text[],
    scopes text[], expires_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare k record;
begin
  select a.id, a.name, a.user_id, a.workspace_id, a.scopes, a.expires_at, a.last_used_at, m.user_id as member_id, m.name as member, m.roles,
    w.name as workspace
    into k from quorate.api_keys a join quorate.workspaces w on w.id = a.workspace_id
    left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.user_id
    where a.key_hash = p_key_hash and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null then raise exception 'unknown key' using errcode = 'QP003'; end if;
  if k.member_id is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  key_id := k.id; key_name := k.name; user_id := k.user_id; user_name := k.member; workspace_id := k.workspace_id;
  workspace_name := k.workspace; scopes := k.scopes; expires_at := k.expires_at;
  -- an admin's key reads what an auditor reads, and administers nothing
  roles := array(select distinct case when r = 'admin' then 'auditor' else r end from unnest(k.roles || '{user}') r order by 1);
  perform set_config('quorate.user_id', k.user_id::text, true), set_config('quorate.workspace_id', k.workspace_id::text, true),
    set_config('quorate.roles', array_to_string(roles, ','), true), set_config('quorate.key_id', k.id::text, true),
    set_config('quorate.scopes', array_to_string(scopes, ','), true);
  if k.last_used_at is null or k.last_used_at < now() - interval '1 minute' then
    update quorate.api_keys a set last_used_at = now()
      where a.id = k.id and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute');
  end if;
  return next;
end $$;

create or replace function quorate.close_run(p_workspace uuid, p_run uuid, p_attempt int, p_close json) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_name text; v_steps int; v_decisions int; v_events jsonb; v_close jsonb := p_close;
  v_output json := p_close -> 'output'; v_status text := v_close ->> 'status'; v_at timestamptz;
begin
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then
    return pg_catalog.jsonb_build_object('state', case when exists (select from quorate.runs x where x.id = p_run
      and (x.workspace_id = p_workspace and x.attempt = p_attempt and x.status in ('completed', 'failed', 'cancelled')) is true)
      then 'closed' else 'fenced' end);
  end if;
  -- a cancellation that came while the last step ended still counts
  if r.cancel_requested_at is not null and v_status <> 'cancelled' then return '{"state":"cancelled"}'; end if;
  select count(*) into v_steps from quorate.steps s where s.run_id = p_run;
  select count(*) into v_decisions from quorate.decisions d where d.run_id = p_run;
  if v_steps <> (v_close #>> '{journal,steps}')::int or v_decisions <> (v_close #>> '{journal,decisions}')::int then
    raise exception 'the journal is not what was hashed' using errcode = 'QR002';
  end if;
  update quorate.approvals a set status = 'withdrawn' where a.run_id = p_run and a.status in ('pending', 'approved');
  v_at := clock_timestamp();
  update quorate.runs x set status = v_status, output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end,
    error = nullif(v_close -> 'error', 'null'), journal_hash = v_close #>> '{journal,journal}', claimed_by = null, wake = false,
    finished_at = v_at, updated_at = v_at where x.id = p_run;
  select coalesce(pg_catalog.jsonb_agg(e.id order by e.at, e.id), '[]') into v_events from (
    select x.id, x.at from quorate.audit_events x
    where x.workspace_id = p_workspace and x.resource_kind = 'run' and x.resource_id = p_run::text
    union all select x.id, x.at from quorate.approvals a join quorate.audit_events x on x.workspace_id = p_workspace
      and x.resource_kind = 'approval' and x.resource_id = a.id::text
    where a.run_id = p_run) e;
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.append_worker_event(p_workspace, (v_close ->> 'eventId')::uuid, 'run.' || v_status, 'run', p_run::text, v_name,
    (v_close -> 'journal')
      || pg_catalog.jsonb_build_object('mode', r.mode, 'version', r.version_id, 'attempts', r.attempt, 'events', v_events));
  return pg_catalog.jsonb_build_object('state', 'closed', 'at', v_at);
end $$;

create or replace function quorate.start_run_by_key(
  p_key_hash bytea, p_run uuid, p_artifact uuid, p_version uuid, p_trigger text, p_input json, p_request_key text, p_room int,
  p_since timestamptz, p_below int, p_place int, p_event uuid, p_name text, p_payload jsonb, p_salt bytea, p_worker uuid, p_ceiling int
) returns table (created_at timestamptz, claim json, granted uuid[], limited boolean)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare k record;
begin
  perform pg_catalog.set_config('role', 'quorate_member', true);
  select * into k from quorate.become_key(p_key_hash);
  select quorate.runs_at_once(w.settings, p_ceiling) is not null or a.runs_at_once is not null into limited
    from quorate.workspaces w join quorate.artifacts a on a.workspace_id = w.id
    where w.id = k.workspace_id and w.halted_at is null and a.id = p_artifact and a.status = 'active' and a.deleted_at is null;
  if not found then return; end if;
  if quorate.count_queued_runs(k.workspace_id, p_room) >= p_room then return; end if;
  if p_below is not null then
    if quorate.count_live_runs(k.workspace_id, p_since, p_below) >= p_below then return; end if;
  end if;
  insert into quorate.runs as r (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, request_key)
  values (p_run, k.workspace_id, p_artifact, p_version, 'live', p_trigger, k.user_id, p_input, p_request_key)
  on conflict (workspace_id, initiator_id, request_key) where request_key is not null do nothing
  returning r.created_at into start_run_by_key.created_at;
  if not found then return; end if;
  insert into quorate.audit_events (
    id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
  values (p_event, k.workspace_id, 'key', k.key_id, k.key_name, 'run.started', 'run', p_run::text, p_name, p_payload, p_salt);
  if p_worker is not null then
    perform pg_catalog.set_config('role', 'quorate_worker', true);
    if limited then
      select c.a, c.granted, c.limited into claim, granted, limited
      from quorate.claim_run_within_limits(k.workspace_id, p_run, p_worker, p_ceiling) c;
    else
      claim := quorate.claim_run(k.workspace_id, p_run, p_worker);
      granted := '{}';
    end if;
    return next;
    return;
  end if;
  perform quorate.send_run_jobs(array[k.workspace_id], array[p_run], array[p_place]);
  return next;
end $$;

grant execute on function quorate.runs_at_once(jsonb, int) to quorate_member;

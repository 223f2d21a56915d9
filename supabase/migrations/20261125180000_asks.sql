-- Forms are asked as approvals are, and what a called run asks is asked by its callers, too.
create index runs_called_open on quorate.runs (caller_run_id) where caller_run_id is not null
  and status in ('pending', 'processing', 'waiting');

-- Of one run and what it has called, as far as that is open. `of_run`: the run whose step asks. For functions that have checked who asks.
create function quorate.list_asks_below(p_run uuid) returns table (of_run uuid, kind text, id uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with recursive open_runs (id) as (
    select p_run
    union all
    select x.id from open_runs o join quorate.runs x on x.caller_run_id = o.id where x.status in ('pending', 'processing', 'waiting'))
  select o.id, 'approval', a.id from open_runs o join quorate.approvals a on a.run_id = o.id where a.status = 'pending'
  union all
  select o.id, 'form', t.id from open_runs o join quorate.human_tasks t on t.run_id = o.id where t.status = 'pending';
end $$;

-- Of these runs of the workspace that is open. A caller that may see a run but no approvals learns this much: a run also waits for a later
-- attempt, for the release of its workspace, or a moment between a decision and the worker that takes it up.
create function quorate.list_asks(p_runs uuid[]) returns table (run_id uuid, of_run uuid, kind text, id uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select r.id, b.of_run, b.kind, b.id from quorate.runs r cross join lateral quorate.list_asks_below(r.id) b
    where r.id = any (p_runs) and r.status in ('pending', 'processing', 'waiting')
      and (r.workspace_id = quorate.current_workspace_id()) is true;
end $$;

revoke all on function quorate.list_asks_below(uuid), quorate.list_asks(uuid[]) from public;
grant execute on function quorate.list_asks(uuid[]) to quorate_member;

-- A mark that changes whenever something of a run does; only for runs named with their own workspace.
create or replace function quorate.list_run_marks(p_workspaces uuid[], p_runs uuid[]) returns table (run_id uuid, mark text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select r.id, r.status || ' ' || r.attempt || ' ' || r.updated_at || ' ' || (
      select count(*) || ' ' || coalesce(max(greatest(s.started_at, s.finished_at))::text, '') || ' ' || coalesce(sum(s.attempt), 0)
        || ' ' || count(*) filter (where s.status in ('waiting', 'pending')) from quorate.steps s where s.run_id = r.id)
    || ' ' || (
      select coalesce(pg_catalog.string_agg(a.status, ',' order by a.id), '') || (
        select count(*) from quorate.approval_votes v join quorate.approvals b on b.id = v.approval_id where b.run_id = r.id)
      from quorate.approvals a where a.run_id = r.id)
    || ' ' || (select coalesce(pg_catalog.string_agg(b.id::text, ',' order by b.id), '') from quorate.list_asks_below(r.id) b
      where b.of_run <> r.id)
  from unnest(p_workspaces, p_runs) as w (workspace_id, run_id)
  join quorate.runs r on r.id = w.run_id and r.workspace_id = w.workspace_id;
end $$;

drop function quorate.read_run_by_key(bytea, uuid);
-- A run as the program with this key may see it, or no row. Refuses as `become_key`.
create function quorate.read_run_by_key(p_key_hash bytea, p_run uuid) returns table (
  id uuid, workflow_id uuid, workflow text, status text, mode text, input json, output json, error jsonb, request_key text,
  created_at timestamptz, updated_at timestamptz, finished_at timestamptz, asks text, asked_id uuid
)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare v_workspace uuid;
begin
  perform pg_catalog.set_config('role', 'quorate_member', true);
  select k.workspace_id into v_workspace from quorate.become_key(p_key_hash) k;
  return query
    select r.id, r.artifact_id, a.name, r.status, r.mode, r.input::json, r.output::json, r.error, r.request_key, r.created_at, r.updated_at,
      r.finished_at, w.kind, w.seen
    from quorate.runs r join quorate.artifacts a on a.id = r.artifact_id
      left join lateral (select l.kind, case l.kind when 'approval' then (select p.id from quorate.approvals p where p.id = l.id)
        else (select t.id from quorate.human_tasks t where t.id = l.id) end as seen
        from quorate.list_asks(array[r.id]) l where r.status = 'waiting' order by l.id limit 1) w on true
    where r.id = p_run and r.workspace_id = v_workspace;
end $$;
revoke all on function quorate.read_run_by_key(bytea, uuid) from public;
grant execute on function quorate.read_run_by_key(bytea, uuid) to quorate_app;

drop function quorate.list_asking_runs(uuid[]);

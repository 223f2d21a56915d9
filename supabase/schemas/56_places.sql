-- Limits of how many runs a workspace and a workflow drive at once. A run that is being driven holds a place, and so does one that was
-- just granted one. The status of runs is the account: a worker that dies takes no place along, its runs keep theirs until they end.

-- Places of a workspace are given out under this lock, which is held until the commit.
create function quorate.places_lock(p_workspace uuid) returns bigint language sql immutable parallel safe
  as $$ select pg_catalog.hashtextextended('places:' || p_workspace::text, 0) $$;

-- How many runs the settings of a workspace let be driven at once, within the ceiling of the instance. Null: any number.
create function quorate.runs_at_once(p_settings jsonb, p_ceiling int) returns int language sql immutable parallel safe as $$
  select least(case when p_settings #>> '{limits,runsAtOnce}' ~ '^[1-9][0-9]{0,4}$' then (p_settings #>> '{limits,runsAtOnce}')::int end,
    p_ceiling)
$$;

-- The places taken in a workspace, or by one of its workflows.
create function quorate.places_taken(p_workspace uuid, p_artifact uuid) returns int
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select count(*) from quorate.runs r where r.workspace_id = p_workspace and r.status = 'processing'
      and (p_artifact is null or r.artifact_id = p_artifact))
    + (select count(*) from quorate.runs r where r.workspace_id = p_workspace and r.place = 'granted' and r.status in ('pending', 'waiting')
      and (p_artifact is null or r.artifact_id = p_artifact));
end $$;

-- Grants free places to the runs that wait longest for one and whose workflow has room. The caller holds the lock, and queues these runs.
create function quorate.grant_places(p_workspace uuid, p_ceiling int) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare v_limit int; v_left int; v_next uuid; v_granted uuid[] := '{}';
begin
  if not exists (select from quorate.runs r where r.workspace_id = p_workspace and r.place in ('workspace', 'workflow')) then
    return v_granted;
  end if;
  select quorate.runs_at_once(w.settings, p_ceiling) into v_limit from quorate.workspaces w where w.id = p_workspace;
  v_left := least(coalesce(v_limit - quorate.places_taken(p_workspace, null), 500), 500);
  while v_left > 0 loop
    -- the first of each workflow, by steps through the index: thousands of one workflow are not walked for the others
    with recursive first as (
      (select r.artifact_id, r.id from quorate.runs r where r.workspace_id = p_workspace and r.place in ('workspace', 'workflow')
        order by r.artifact_id, r.id limit 1)
      union all
      select n.artifact_id, n.id from first f cross join lateral (
        select r.artifact_id, r.id from quorate.runs r where r.workspace_id = p_workspace and r.place in ('workspace', 'workflow')
          and r.artifact_id > f.artifact_id order by r.artifact_id, r.id limit 1) n)
    select f.id into v_next from first f join quorate.artifacts a on a.id = f.artifact_id
      where a.runs_at_once is null or a.runs_at_once > quorate.places_taken(p_workspace, f.artifact_id) order by f.id limit 1;
    exit when v_next is null;
    update quorate.runs r set place = 'granted', updated_at = clock_timestamp() where r.id = v_next;
    v_granted := v_granted || v_next;
    v_left := v_left - 1;
  end loop;
  return v_granted;
end $$;

-- Claims a run where its workspace and its workflow have a free place. Otherwise it waits for one (state 'full'), and whoever frees a
-- place queues it again. `granted`: runs that got a place here and that the caller queues; `limited`: the end of this run frees a place.
create function quorate.claim_run_within_limits(p_workspace uuid, p_run uuid, p_worker uuid, p_ceiling int)
returns table (a json, granted uuid[], limited boolean)
language plpgsql security definer set search_path = '' as $$
declare r record; v_limit int; v_place text; v_granted uuid[] := '{}'; v_limited boolean;
begin
  perform quorate.require_session();
  select x.status, x.place, x.artifact_id, x.cancel_requested_at, t.runs_at_once as of_workflow,
    quorate.runs_at_once(w.settings, p_ceiling) as of_workspace
    into r from quorate.runs x join quorate.artifacts t on t.id = x.artifact_id join quorate.workspaces w on w.id = x.workspace_id
    where x.id = p_run and (x.workspace_id = p_workspace) is true;
  v_limited := r.of_workspace is not null or r.of_workflow is not null;
  if r.status in ('pending', 'waiting') and (v_limited or r.place is not null) then
    if r.cancel_requested_at is null then
      perform pg_catalog.pg_advisory_xact_lock(quorate.places_lock(p_workspace));
      -- first those that wait, each in its turn
      v_granted := quorate.grant_places(p_workspace, p_ceiling);
      select x.place into v_place from quorate.runs x where x.id = p_run;
      if v_place is null then
        v_place := case
          when r.of_workspace <= quorate.places_taken(p_workspace, null) then 'workspace'
          when r.of_workflow <= quorate.places_taken(p_workspace, r.artifact_id) then 'workflow' end;
        if v_place is not null then
          update quorate.runs x set place = v_place, updated_at = clock_timestamp()
            where x.id = p_run and x.status in ('pending', 'waiting');
        end if;
      end if;
      if v_place in ('workspace', 'workflow') then
        return query select pg_catalog.json_build_object('state', 'full'), v_granted, v_limited;
        return;
      end if;
      v_granted := pg_catalog.array_remove(v_granted, p_run);
    end if;
    update quorate.runs x set place = null where x.id = p_run and x.place is not null;
  end if;
  return query select quorate.claim_run(p_workspace, p_run, p_worker)::json, v_granted, coalesce(v_limited, false);
end $$;

-- After a run has let go of its place: the runs that got one, for the caller to queue.
create function quorate.free_place(p_workspace uuid, p_ceiling int) returns uuid[]
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from quorate.runs r where r.workspace_id = p_workspace and r.place in ('workspace', 'workflow')) then
    return '{}';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(quorate.places_lock(p_workspace));
  return quorate.grant_places(p_workspace, p_ceiling);
end $$;

-- The same for all workspaces, now and then: a limit was raised, or a worker died before it could say that a place was free.
create function quorate.free_places(p_ceiling int) returns table (run_id uuid, workspace_id uuid)
language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid;
begin
  perform quorate.require_session();
  loop
    select r.workspace_id into v_workspace from quorate.runs r
      where r.place in ('workspace', 'workflow') and (v_workspace is null or r.workspace_id > v_workspace) order by r.workspace_id limit 1;
    exit when v_workspace is null;
    -- who holds the lock is giving out these places
    if pg_catalog.pg_try_advisory_xact_lock(quorate.places_lock(v_workspace)) then
      return query select g.id, v_workspace from unnest(quorate.grant_places(v_workspace, p_ceiling)) as g (id);
    end if;
  end loop;
end $$;

revoke all on function quorate.places_lock(uuid), quorate.runs_at_once(jsonb, int), quorate.places_taken(uuid, uuid),
  quorate.grant_places(uuid, int), quorate.claim_run_within_limits(uuid, uuid, uuid, int), quorate.free_place(uuid, int),
  quorate.free_places(int) from public;
grant execute on function quorate.claim_run_within_limits(uuid, uuid, uuid, int), quorate.free_place(uuid, int),
  quorate.free_places(int) to quorate_worker;
grant execute on function quorate.runs_at_once(jsonb, int) to quorate_member;

-- What the screens of routing, decisions and figures read. The step's own place breaks ties, so that a page ends exactly where
-- the next begins; nothing that changes is in the index, so that finishing a step stays a cheap update.
create index steps_window on quorate.steps (workspace_id, started_at desc, position desc);

-- How each capability did lately, for members who route a task by hand: the same numbers as the engine routes by, numbers alone.
create function quorate.list_capability_records(p_workspace uuid) returns table (capability_id uuid, calls int, errors int, p95_ms double precision)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_workspace is distinct from quorate.current_workspace_id() then raise exception 'another workspace' using errcode = '42501'; end if;
  return query select r.capability_id, r.calls, r.errors, r.p95_ms from quorate.read_capability_records(p_workspace) r;
end $$;

-- Distinct people who did something in a stretch of the log, whom only auditors and admins may read one by one. A key counts
-- as its member. One probe of the index a person: the log itself is not read.
create function quorate.count_active_users(p_workspace uuid, p_from timestamptz, p_until timestamptz) returns int
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_workspace is distinct from quorate.current_workspace_id() or not quorate.sees_all_runs() then raise exception 'not for this member' using errcode = '42501'; end if;
  return (
    with recursive a (actor) as (
      (select e.actor_id from quorate.audit_events e where e.workspace_id = p_workspace and e.actor_id is not null order by e.actor_id limit 1)
      union all
      select (select e.actor_id from quorate.audit_events e where e.workspace_id = p_workspace and e.actor_id > a.actor order by e.actor_id limit 1) from a where a.actor is not null
    )
    select count(distinct coalesce(k.user_id, a.actor))::int from a left join quorate.api_keys k on k.id = a.actor and k.workspace_id = p_workspace
    where a.actor is not null and exists (
      select from quorate.audit_events e where e.workspace_id = p_workspace and e.actor_id = a.actor and e.at >= p_from and e.at < p_until and e.actor_kind in ('member', 'key')));
end $$;

revoke all on function quorate.list_capability_records(uuid), quorate.count_active_users(uuid, timestamptz, timestamptz) from public;
grant execute on function quorate.list_capability_records(uuid), quorate.count_active_users(uuid, timestamptz, timestamptz) to quorate_member;

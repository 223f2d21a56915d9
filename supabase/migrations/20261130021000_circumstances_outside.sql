-- Policies see what lies outside a run: groups, the day, and who was paid before.

-- Calls to one payee.
create index decisions_payee on quorate.decisions (workspace_id, (context #>> '{circumstances,payee}'))
  where context #>> '{circumstances,payee}' is not null;

-- What policies ask about a call and its run does not know: the groups of whoever started the run, the calls and the cost of their other
-- live runs of the day in this zone, and the live calls that went to the same payee before, with success.
create function quorate.read_outside(p_workspace uuid, p_run uuid, p_path text, p_zone text, p_payee text) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  r quorate.runs;
  v_day timestamptz := (pg_catalog.date_trunc('day', pg_catalog.clock_timestamp() at time zone p_zone)) at time zone p_zone;
  v_calls bigint;
  v_cost bigint;
begin
  perform quorate.require_session();
  select * into r from quorate.runs x where x.id = p_run and x.workspace_id = p_workspace;
  if r.id is null then raise exception 'no such run' using errcode = '22023'; end if;
  select count(*), coalesce(sum(s.cost_micros), 0) into v_calls, v_cost from quorate.runs o join quorate.steps s on s.run_id = o.id
    where o.workspace_id = p_workspace and o.initiator_id = r.initiator_id and o.created_at >= v_day and o.id <> p_run and o.mode = 'live'
      and s.capability_id is not null;
  return pg_catalog.json_build_object(
    'groups', (select coalesce(pg_catalog.json_agg(g.display_name order by g.display_name), '[]')
      from quorate.directory_people p
      join quorate.directory_group_people m on m.workspace_id = p.workspace_id and m.person_id = p.id
      join quorate.directory_groups g on g.id = m.group_id
      where p.workspace_id = p_workspace and p.user_id = r.initiator_id and p.active),
    'callsToday', v_calls, 'costTodayMicros', v_cost,
    'callsToPayee', case when p_payee is null then 0 else (select count(distinct (d.run_id, d.step_path)) from quorate.decisions d
      join quorate.runs o on o.id = d.run_id and o.mode = 'live'
      join quorate.steps s on s.run_id = d.run_id and s.path = d.step_path and s.status = 'success'
      where d.workspace_id = p_workspace and d.context #>> '{circumstances,payee}' = p_payee
        and not (d.run_id = p_run and d.step_path = p_path)) end);
end $$;

-- Days are those of the workspace's zone: sums of a day are read on its clock as well.
create or replace function quorate.reads_clock(p_workspace uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.artifacts a join quorate.versions v on v.id = a.published_version_id
    where a.workspace_id = p_workspace and p_workspace = quorate.current_workspace_id() and a.kind = 'policy' and a.status = 'active'
      and a.deleted_at is null and coalesce(v.document ->> 'text' ~ '\m(hour|weekday|date|callsToday|costToday)\M', true))
    or exists (select from quorate.break_glass b join quorate.control_changes c on c.id = b.change_id
      where b.workspace_id = p_workspace and p_workspace = quorate.current_workspace_id() and b.ended_at is null and c.kind like 'policy_%')
$$;

revoke all on function quorate.read_outside(uuid, uuid, text, text, text) from public;
grant execute on function quorate.read_outside(uuid, uuid, text, text, text) to quorate_worker;

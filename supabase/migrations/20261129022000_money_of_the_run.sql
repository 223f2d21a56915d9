-- A call of a replay that names no money is about the money of its run.

alter table quorate.policy_replay_changes add column of_run boolean not null default false; -- the money is the run's

create or replace function quorate.note_policy_replay(p_workspace uuid, p_id uuid, p_fence int, p_noted json, p_last boolean)
returns boolean
language plpgsql security definer set search_path = '' as $$
declare r quorate.policy_replays; v_changed int; v_runs int;
begin
  perform quorate.require_session();
  select * into r from quorate.policy_replays x where x.id = p_id and x.workspace_id = p_workspace for update;
  if r.id is null or r.fence <> p_fence or r.status <> 'processing' then return false; end if;
  with noted as (
    insert into quorate.policy_replay_changes (replay_id, workspace_id, decision_id, run_id, run_at, step_path, capability, was, would,
      reason, money, of_run)
    select p_id, p_workspace, c.decision, u.id, u.created_at, c.path, c.capability, c.was, c.would, c.reason,
      coalesce(m.of_call, quorate.money_of(u.input)), m.of_call is null
    from pg_catalog.json_to_recordset(p_noted -> 'changed') as c (decision uuid, run uuid, path text, capability text, was text,
      would text, reason jsonb)
    join quorate.runs u on u.id = c.run and u.workspace_id = p_workspace
    left join quorate.steps s on s.run_id = c.run and s.path = c.path
    cross join lateral (select nullif(quorate.money_of(s.input), '{}') as of_call) m
    returning run_id)
  select count(*), count(distinct n.run_id) into v_changed, v_runs from noted n;
  update quorate.policy_replays x set runs = x.runs + (p_noted ->> 'runs')::int, decided = x.decided + (p_noted ->> 'decided')::int,
    unreadable = x.unreadable + (p_noted ->> 'unreadable')::int, changed = x.changed + v_changed, changed_runs = x.changed_runs + v_runs,
    cursor_at = coalesce((p_noted ->> 'cursorAt')::timestamptz, x.cursor_at), cursor_run = coalesce((p_noted ->> 'cursorRun')::uuid,
      x.cursor_run), lease_until = pg_catalog.clock_timestamp() + interval '2 minutes' where x.id = p_id;
  if p_last then
    update quorate.policy_replays x set status = 'completed', ended_at = pg_catalog.clock_timestamp(),
      totals = quorate.totals_of_replay(p_id) where x.id = p_id;
  end if;
  return true;
end $$;

create or replace function quorate.totals_of_replay(p_id uuid) returns jsonb language sql stable set search_path = '' as $$
  with calls as (
    select c.was, c.would, c.run_id, count(*) as decisions, pg_catalog.max(c.money::text)::jsonb as money
      from quorate.policy_replay_changes c where c.replay_id = p_id
      group by c.was, c.would, c.run_id, case when c.of_run then '' else c.step_path end
  ), sums as (
    select s.was, s.would, pg_catalog.jsonb_object_agg(s.currency, s.amount) as money from (
      select k.was, k.would, m.key as currency, sum(m.value::text::numeric) as amount
        from calls k cross join lateral pg_catalog.jsonb_each(k.money) m group by 1, 2, 3) s group by 1, 2
  ), counts as (
    select k.was, k.would, sum(k.decisions)::int as decisions, count(distinct k.run_id)::int as runs from calls k group by 1, 2
  )
  select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('was', n.was, 'would', n.would, 'decisions', n.decisions,
    'runs', n.runs, 'money', coalesce(s.money, '{}')) order by n.decisions desc, n.was, n.would), '[]')
  from counts n left join sums s on s.was = n.was and s.would = n.would
$$;

-- Replays: what past decisions would have been if a text had been in force. A worker makes them, and nothing is executed.

create table quorate.policy_replays (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  policy_id uuid not null,
  text text not null check (length(text) <= 1000000), -- as it was when it was asked for
  digest text not null, -- SHA-256 (hex) over the text
  is_draft boolean not null,
  from_at timestamptz not null, -- runs that were started from here on
  until_at timestamptz not null, -- and before
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'cancelled', 'failed')),
  requested_by uuid not null,
  requested_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  fence int not null default 0, -- raised by every worker that takes it up
  lease_until timestamptz,
  policy_version text, -- digest over all policies that were asked; with another one it begins again
  total_runs int not null default 0,
  -- The last run that was looked at, the newest first, and what came of it and those before.
  cursor_at timestamptz,
  cursor_run uuid,
  runs int not null default 0,
  decided int not null default 0,
  unreadable int not null default 0, -- decisions of which too little was kept
  changed int not null default 0,
  changed_runs int not null default 0,
  -- Once it is done: [{ was, would, decisions, runs, money: { currency: amount } }].
  totals jsonb not null default '[]',
  unique (workspace_id, id),
  foreign key (workspace_id, policy_id) references quorate.artifacts (workspace_id, id) on delete cascade
);
create unique index policy_replays_one_open on quorate.policy_replays (workspace_id, policy_id, digest)
  where status in ('pending', 'processing');
create index policy_replays_list on quorate.policy_replays (workspace_id, policy_id, requested_at desc, id desc);
create index policy_replays_due on quorate.policy_replays (requested_at) where status in ('pending', 'processing');
create index policy_replays_old on quorate.policy_replays (requested_at) where status not in ('pending', 'processing');
alter table quorate.policy_replays enable row level security;

-- The decisions that would have been others. Gone with their run.
create table quorate.policy_replay_changes (
  replay_id uuid not null,
  workspace_id uuid not null,
  decision_id uuid not null,
  run_id uuid not null,
  run_at timestamptz not null,
  step_path text not null,
  capability text not null,
  was text not null,
  would text not null,
  reason jsonb not null, -- { key, values }
  money jsonb not null default '{}', -- what the call was about: { currency: amount }
  primary key (replay_id, decision_id),
  foreign key (workspace_id, replay_id) references quorate.policy_replays (workspace_id, id) on delete cascade,
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index policy_replay_changes_list on quorate.policy_replay_changes (replay_id, run_at desc, decision_id desc);
create index policy_replay_changes_run on quorate.policy_replay_changes (run_id);
alter table quorate.policy_replay_changes enable row level security;

-- Amounts of an input: of money, and of a number that is called amount beside its currency. Of several in one currency the largest, since
-- a total stands beside its parts.
create function quorate.money_of(p_input json) returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select coalesce(pg_catalog.jsonb_object_agg(m.currency, m.amount), '{}') from (
    select x.currency, max(x.amount::numeric) as amount from (
      select e.value ->> 'currency' as currency, e.value ->> 'amount' as amount
        from pg_catalog.json_each(case pg_catalog.json_typeof(p_input) when 'object' then p_input else '{}' end) e
        where pg_catalog.json_typeof(e.value) = 'object' and pg_catalog.json_typeof(e.value -> 'amount') = 'number'
      union all
      select p_input ->> 'currency', p_input ->> 'amount'
        where pg_catalog.json_typeof(p_input) = 'object' and pg_catalog.json_typeof(p_input -> 'amount') = 'number'
    ) x where x.currency ~ '^[A-Z]{3}$' group by x.currency) m
$$;

-- Asks for one. QY001: this text is being replayed already. QY002: five wait in this workspace.
create function quorate.request_policy_replay(p_id uuid, p_policy uuid, p_text text, p_draft boolean, p_days int) returns void
language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.current_workspace_id(); v_now timestamptz := pg_catalog.clock_timestamp();
begin
  if quorate.current_user_id() is null or quorate.current_key_id() is not null or not quorate.sees_all_runs() then
    raise exception 'only who sees all runs replays them' using errcode = 'QP005';
  end if;
  if p_days not in (1, 7, 30) then raise exception 'not so many days' using errcode = '22023'; end if;
  perform from quorate.artifacts a
    where a.id = p_policy and a.workspace_id = v_workspace and a.kind = 'policy' and a.deleted_at is null for no key update;
  if not found then raise exception 'no such policy' using errcode = 'QP004'; end if;
  if (select count(*) from quorate.policy_replays x where x.workspace_id = v_workspace and x.status in ('pending', 'processing')) >= 5 then
    raise exception 'five wait already' using errcode = 'QY002';
  end if;
  begin
    insert into quorate.policy_replays (id, workspace_id, policy_id, text, digest, is_draft, from_at, until_at, requested_by)
    values (p_id, v_workspace, p_policy, p_text,
      pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(p_text, 'UTF8')), 'hex'), p_draft,
      v_now - pg_catalog.make_interval(days => p_days), v_now, quorate.current_user_id());
  exception when unique_violation then
    raise exception 'it is being replayed' using errcode = 'QY001';
  end;
end $$;

-- Whoever asked, and an administrator. Answers the policy; QY003: it has ended.
create function quorate.cancel_policy_replay(p_id uuid) returns uuid language plpgsql security definer set search_path = '' as $$
declare r quorate.policy_replays;
begin
  select * into r from quorate.policy_replays x where x.id = p_id and x.workspace_id = quorate.current_workspace_id() for update;
  if r.id is null then raise exception 'no such replay' using errcode = 'QP004'; end if;
  if quorate.current_user_id() is null or quorate.current_key_id() is not null or not quorate.sees_all_runs()
    or not (r.requested_by = quorate.current_user_id() or quorate.has_role('admin')) then
    raise exception 'not theirs to cancel' using errcode = 'QP005';
  end if;
  if r.status not in ('pending', 'processing') then raise exception 'it has ended' using errcode = 'QY003'; end if;
  update quorate.policy_replays x set status = 'cancelled', ended_at = pg_catalog.clock_timestamp() where x.id = r.id;
  return r.policy_id;
end $$;

-- The next one that nobody works on, for two minutes at a time. One that was left twenty times is not tried again. No row: there is none.
create function quorate.take_policy_replay() returns table (id uuid, workspace_id uuid, policy_id uuid, fence int)
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  update quorate.policy_replays x set status = 'failed', ended_at = pg_catalog.clock_timestamp()
    where x.status = 'processing' and x.fence >= 20 and coalesce(x.lease_until, '-infinity') < pg_catalog.clock_timestamp();
  return query update quorate.policy_replays x
    set status = 'processing', fence = x.fence + 1, lease_until = pg_catalog.clock_timestamp() + interval '2 minutes',
      started_at = coalesce(x.started_at, pg_catalog.clock_timestamp())
    where x.id = (select o.id from quorate.policy_replays o
      where o.status = 'pending' or (o.status = 'processing' and coalesce(o.lease_until, '-infinity') < pg_catalog.clock_timestamp())
      order by o.requested_at limit 1 for update skip locked)
    returning x.id, x.workspace_id, x.policy_id, x.fence;
end $$;

-- Whoever holds it begins, or goes on where it was left. With other policies than then it begins again. Answers it as it stands; null
-- where another holds it, or it was cancelled.
create function quorate.begin_policy_replay(p_workspace uuid, p_id uuid, p_fence int, p_version text) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.policy_replays;
begin
  perform quorate.require_session();
  select * into r from quorate.policy_replays x where x.id = p_id and x.workspace_id = p_workspace for update;
  if r.id is null or r.fence <> p_fence or r.status <> 'processing' then return null; end if;
  if r.policy_version is distinct from p_version then
    delete from quorate.policy_replay_changes c where c.replay_id = p_id;
    update quorate.policy_replays x set policy_version = p_version, cursor_at = null, cursor_run = null, runs = 0, decided = 0,
      unreadable = 0, changed = 0, changed_runs = 0, total_runs = (select count(*) from quorate.runs u where u.workspace_id = p_workspace
        and u.mode = 'live' and u.created_at >= r.from_at and u.created_at < r.until_at)
      where x.id = p_id returning * into r;
  end if;
  return pg_catalog.json_build_object('from', r.from_at, 'until', r.until_at, 'cursorAt', r.cursor_at, 'cursorRun', r.cursor_run);
end $$;

-- Notes what came of the next runs: { runs, decided, unreadable, cursorAt, cursorRun, changed: [{ decision, run, runAt, path, capability,
-- was, would, reason }] }, and with `p_last` that these were all. False: another holds it, or it was cancelled. Runs that were deleted
-- meanwhile have changed nothing.
create function quorate.note_policy_replay(p_workspace uuid, p_id uuid, p_fence int, p_noted json, p_last boolean) returns boolean
language plpgsql security definer set search_path = '' as $$
declare r quorate.policy_replays; v_changed int; v_runs int;
begin
  perform quorate.require_session();
  select * into r from quorate.policy_replays x where x.id = p_id and x.workspace_id = p_workspace for update;
  if r.id is null or r.fence <> p_fence or r.status <> 'processing' then return false; end if;
  with noted as (
    insert into quorate.policy_replay_changes (replay_id, workspace_id, decision_id, run_id, run_at, step_path, capability, was, would,
      reason, money)
    select p_id, p_workspace, c.decision, u.id, u.created_at, c.path, c.capability, c.was, c.would, c.reason,
      coalesce(quorate.money_of(s.input), '{}')
    from pg_catalog.json_to_recordset(p_noted -> 'changed') as c (decision uuid, run uuid, path text, capability text, was text,
      would text, reason jsonb)
    join quorate.runs u on u.id = c.run and u.workspace_id = p_workspace
    left join quorate.steps s on s.run_id = c.run and s.path = c.path
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

-- What would have become of what, with the money of each call once, however often it was tried.
create function quorate.totals_of_replay(p_id uuid) returns jsonb language sql stable set search_path = '' as $$
  with calls as (
    select c.was, c.would, c.run_id, c.step_path, count(*) as decisions, pg_catalog.max(c.money::text)::jsonb as money
      from quorate.policy_replay_changes c where c.replay_id = p_id group by c.was, c.would, c.run_id, c.step_path
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

-- It cannot be done: its text or the policies beside it are not readable any more.
create function quorate.fail_policy_replay(p_workspace uuid, p_id uuid, p_fence int) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  update quorate.policy_replays x set status = 'failed', ended_at = pg_catalog.clock_timestamp()
    where x.id = p_id and x.workspace_id = p_workspace and x.fence = p_fence and x.status = 'processing';
end $$;

-- Whoever holds it lets go of it: another may take it up at once, where it is not over.
create function quorate.leave_policy_replay(p_workspace uuid, p_id uuid, p_fence int) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  update quorate.policy_replays x set lease_until = null
    where x.id = p_id and x.workspace_id = p_workspace and x.fence = p_fence and x.status = 'processing';
end $$;

-- Results of more than thirty days ago are nobody's basis any more.
create function quorate.forget_policy_replays() returns void language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  delete from quorate.policy_replays x where x.id in (select o.id from quorate.policy_replays o
    where o.status not in ('pending', 'processing') and o.requested_at < pg_catalog.clock_timestamp() - interval '30 days'
    order by o.requested_at limit 20);
end $$;

create constraint trigger audited after insert on quorate.policy_replays
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.policy_replays deferrable initially deferred for each row
  when (new.status = 'cancelled' and old.status <> 'cancelled') execute function quorate.require_audit_event();

create policy read_replays on quorate.policy_replays for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and (select quorate.sees_all_runs()));
create policy read_changes on quorate.policy_replay_changes for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and (select quorate.sees_all_runs()));
create policy worker_reads on quorate.policy_replays for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));

grant select on quorate.policy_replays, quorate.policy_replay_changes to quorate_member;
grant select on quorate.policy_replays to quorate_worker;
revoke all on function quorate.money_of(json), quorate.request_policy_replay(uuid, uuid, text, boolean, int),
  quorate.cancel_policy_replay(uuid), quorate.take_policy_replay(), quorate.begin_policy_replay(uuid, uuid, int, text),
  quorate.note_policy_replay(uuid, uuid, int, json, boolean), quorate.totals_of_replay(uuid),
  quorate.fail_policy_replay(uuid, uuid, int), quorate.leave_policy_replay(uuid, uuid, int), quorate.forget_policy_replays() from public;
grant execute on function quorate.request_policy_replay(uuid, uuid, text, boolean, int), quorate.cancel_policy_replay(uuid)
  to quorate_member;
grant execute on function quorate.take_policy_replay(), quorate.forget_policy_replays() to quorate_app;
grant execute on function quorate.begin_policy_replay(uuid, uuid, int, text),
  quorate.note_policy_replay(uuid, uuid, int, json, boolean), quorate.fail_policy_replay(uuid, uuid, int),
  quorate.leave_policy_replay(uuid, uuid, int) to quorate_worker;

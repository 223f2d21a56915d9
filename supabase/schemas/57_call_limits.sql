-- Limits of a connection's own: calls at once and calls a minute, kept over all processes; and the pause that a peer asks for. A call that
-- finds no room leaves its worker and waits in line. Connections with neither limit nor pause have no row here, and nothing is counted.

-- Calls of a connection within the last minute. `counts`: calls started in each of the 61 seconds that end with `second`, so that no 60
-- seconds hold more than the limit. `pauses`: pauses in a row for which the peer named no time.
create table quorate.connection_traffic (
  connection_id uuid primary key,
  workspace_id uuid not null,
  second bigint not null default 0,
  counts int[] not null default pg_catalog.array_fill(0, array[61]),
  paused_until timestamptz,
  pauses int not null default 0,
  foreign key (workspace_id, connection_id) references quorate.connections (workspace_id, id) on delete cascade
);
alter table quorate.connection_traffic enable row level security;

-- Calls that hold a place at their connection, and steps that wait for one. `calling`: under way; `granted`: the run is about to be driven.
-- `expected_at`: when there is room at the earliest, where that is known.
create table quorate.connection_calls (
  run_id uuid not null,
  path text not null,
  workspace_id uuid not null,
  connection_id uuid not null,
  state text not null check (state in ('waiting', 'granted', 'calling')),
  cause text check (cause in ('atOnce', 'minute', 'peer')),
  expected_at timestamptz,
  since timestamptz not null default clock_timestamp(),
  granted_at timestamptz,
  primary key (run_id, path),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index connection_calls_line on quorate.connection_calls (connection_id, state, since);
alter table quorate.connection_calls enable row level security;

-- From its first limit on a connection has its row, in the transaction that sets it.
create function quorate.count_limited_connection() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.connection_traffic (connection_id, workspace_id) values (new.id, new.workspace_id) on conflict do nothing;
  return null;
end $$;

-- The counts of the 61 seconds that end now.
create function quorate.shift_counts(p_second bigint, p_counts int[], p_now bigint) returns int[] language sql immutable parallel safe as $$
  select case when p_now - p_second >= 61 then pg_catalog.array_fill(0, array[61]) when p_now <= p_second then p_counts
    else p_counts[(p_now - p_second)::int + 1 : 61] || pg_catalog.array_fill(0, array[(p_now - p_second)::int]) end
$$;

-- How many calls a connection takes now, beside `p_held` calls under way and `p_granted` about to start. Where it takes none: why, and when
-- it does at the earliest. The caller holds the row of the traffic.
create function quorate.call_room(p_traffic quorate.connection_traffic, p_held int, p_granted int,
  out room int, out cause text, out expected_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
declare
  c record; v_now timestamptz := clock_timestamp(); v_second bigint := greatest(floor(extract(epoch from v_now))::bigint, p_traffic.second);
  v_counts int[]; v_left int; v_limit int;
begin
  select x.calls_at_once, x.calls_a_minute into c from quorate.connections x where x.id = p_traffic.connection_id;
  -- after a pause a few go first, and show whether the peer takes calls again
  room := case when p_traffic.paused_until > v_now - interval '10 seconds' then 10 else 100 end;
  if p_traffic.paused_until > v_now then
    room := 0; cause := 'peer'; expected_at := p_traffic.paused_until;
    return;
  end if;
  if c.calls_a_minute is not null then
    v_counts := quorate.shift_counts(p_traffic.second, p_traffic.counts, v_second);
    v_limit := c.calls_a_minute;
    v_left := v_limit - p_granted - (select sum(n) from unnest(v_counts) as n);
    if v_left < 1 then
      -- the second whose calls make room when they are a minute old
      for i in 1..61 loop
        v_left := v_left + v_counts[i];
        expected_at := pg_catalog.to_timestamp(v_second + i);
        exit when v_left > 0;
      end loop;
      room := 0; cause := 'minute';
      return;
    end if;
    room := least(room, v_left);
  end if;
  if c.calls_at_once is not null then
    room := least(room, c.calls_at_once - p_held - p_granted);
    if room < 1 then room := 0; cause := 'atOnce'; end if;
  end if;
end $$;

-- Takes the place of a call at its connection, in the transaction that starts its step. Answers null where nothing is counted, `taken` with
-- whether its end frees a place, or `full`: the step then stands in line, behind those that came before.
create function quorate.take_call(p_workspace uuid, p_connection uuid, p_run uuid, p_path text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  t quorate.connection_traffic; k quorate.connection_calls; v_held int; v_granted int; v_room record; v_at_once int;
  v_second bigint; v_ahead boolean := false;
begin
  if not exists (select from quorate.connection_traffic x where x.connection_id = p_connection) then return null; end if;
  select * into t from quorate.connection_traffic x
    where x.connection_id = p_connection and (x.workspace_id = p_workspace) is true for update;
  if t.connection_id is null then return null; end if;
  select * into k from quorate.connection_calls x where x.run_id = p_run and x.path = p_path and x.connection_id = p_connection;
  select count(*) filter (where x.state = 'calling'), count(*) filter (where x.state = 'granted') into v_held, v_granted
    from quorate.connection_calls x
    where x.connection_id = p_connection and x.state in ('calling', 'granted') and not (x.run_id = p_run and x.path = p_path);
  v_room := quorate.call_room(t, v_held, v_granted);
  if v_room.room > 0 and k.state is distinct from 'granted' and k.state is distinct from 'calling' then
    -- a run that still does something else cannot be granted a place, and holds nobody up
    v_ahead := exists (select from quorate.connection_calls x join quorate.runs r on r.id = x.run_id
      where x.connection_id = p_connection and x.state = 'waiting' and x.since < coalesce(k.since, 'infinity')
        and x.run_id <> p_run and r.status = 'waiting');
  end if;
  if v_room.room < 1 or v_ahead then
    insert into quorate.connection_calls (run_id, path, workspace_id, connection_id, state, cause, expected_at)
      values (p_run, p_path, p_workspace, p_connection, 'waiting', coalesce(v_room.cause, 'atOnce'), v_room.expected_at)
      on conflict (run_id, path) do update set state = 'waiting', cause = excluded.cause, expected_at = excluded.expected_at,
        since = case when quorate.connection_calls.connection_id = p_connection then quorate.connection_calls.since else excluded.since end,
        connection_id = p_connection, granted_at = null;
    return '{"state":"full"}';
  end if;
  select x.calls_at_once into v_at_once from quorate.connections x where x.id = p_connection;
  if v_at_once is not null then
    insert into quorate.connection_calls (run_id, path, workspace_id, connection_id, state)
      values (p_run, p_path, p_workspace, p_connection, 'calling')
      on conflict (run_id, path) do update set state = 'calling', cause = null, expected_at = null, granted_at = null,
        connection_id = p_connection;
  elsif k.run_id is not null then
    delete from quorate.connection_calls x where x.run_id = p_run and x.path = p_path;
  end if;
  v_second := greatest(floor(extract(epoch from clock_timestamp()))::bigint, t.second);
  t.counts := quorate.shift_counts(t.second, t.counts, v_second);
  t.counts[61] := t.counts[61] + 1;
  update quorate.connection_traffic x set second = v_second, counts = t.counts where x.connection_id = p_connection;
  return pg_catalog.jsonb_build_object('state', 'taken', 'place', v_at_once is not null);
end $$;

-- Grants the free places of a connection to the steps that wait longest, of runs that wait and could be driven. Answers the runs, which the
-- caller queues. A run that it finds locked is about to be driven by somebody, and is passed over.
create function quorate.grant_calls(p_connection uuid) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare t quorate.connection_traffic; k record; v_room record; v_held int; v_granted int; v_runs uuid[] := '{}';
begin
  select * into t from quorate.connection_traffic x where x.connection_id = p_connection for update;
  if t.connection_id is null then return v_runs; end if;
  -- calls and waits whose step has ended otherwise: cancelled, failed beside another, lost with the worker before it let go
  delete from quorate.connection_calls x where x.connection_id = p_connection and not exists (
    select from quorate.steps s join quorate.runs r on r.id = s.run_id
    where s.run_id = x.run_id and s.path = x.path and r.status in ('pending', 'processing', 'waiting')
      and s.status = case x.state when 'calling' then 'processing' else 'waiting' end);
  -- a place that was not taken: its run waits for something else first
  update quorate.connection_calls x set state = 'waiting', since = clock_timestamp(), granted_at = null
    where x.connection_id = p_connection and x.state = 'granted' and x.granted_at < clock_timestamp() - interval '30 seconds';
  select count(*) filter (where x.state = 'calling'), count(*) filter (where x.state = 'granted') into v_held, v_granted
    from quorate.connection_calls x where x.connection_id = p_connection and x.state in ('calling', 'granted');
  v_room := quorate.call_room(t, v_held, v_granted);
  for k in select x.run_id, x.path from quorate.connection_calls x
    join quorate.runs r on r.id = x.run_id join quorate.workspaces w on w.id = r.workspace_id
    where x.connection_id = p_connection and x.state = 'waiting' and r.status = 'waiting' and w.halted_at is null
    order by x.since, x.run_id, x.path limit v_room.room for update of r skip locked
  loop
    -- whoever has just let go of the run finds that it was woken
    update quorate.runs r set wake = true, updated_at = clock_timestamp() where r.id = k.run_id;
    update quorate.connection_calls x set state = 'granted', granted_at = clock_timestamp()
      where x.run_id = k.run_id and x.path = k.path;
    if not k.run_id = any (v_runs) then v_runs := v_runs || k.run_id; end if;
  end loop;
  return v_runs;
end $$;

-- A call is over, or a run has let go while a step of it waits in line: the runs that got a place, for the caller to queue.
create function quorate.free_call(p_workspace uuid, p_connection uuid, p_run uuid, p_path text) returns uuid[]
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from quorate.connections c where c.id = p_connection and c.workspace_id = p_workspace) then return '{}'; end if;
  delete from quorate.connection_calls x
    where x.run_id = p_run and x.path = p_path and x.connection_id = p_connection and x.state = 'calling';
  return quorate.grant_calls(p_connection);
end $$;

-- The same for all connections with a line, now and then: a minute has passed, a pause is over, a limit was raised, a worker died.
create function quorate.free_calls() returns table (run_id uuid, workspace_id uuid)
language plpgsql security definer set search_path = '' as $$
declare v_connection uuid; v_workspace uuid;
begin
  perform quorate.require_session();
  -- most of the time there is nothing
  if not exists (select from quorate.connection_traffic) then return; end if;
  for v_connection, v_workspace in
    select t.connection_id, t.workspace_id from quorate.connection_traffic t
    where exists (select from quorate.connection_calls x where x.connection_id = t.connection_id and x.state in ('waiting', 'granted'))
    -- who holds the row is giving out these places
    order by t.connection_id for update of t skip locked
  loop
    return query select g.id, v_workspace from unnest(quorate.grant_calls(v_connection)) as g (id);
  end loop;
  delete from quorate.connection_traffic t using quorate.connections c
    where c.id = t.connection_id and c.calls_at_once is null and c.calls_a_minute is null
      and coalesce(t.paused_until, '-infinity') < clock_timestamp() - interval '10 minutes'
      and not exists (select from quorate.connection_calls x where x.connection_id = t.connection_id);
end $$;

-- A peer asked for fewer calls: none is made until then, in no process. At most five minutes; where it names no time twice as long each
-- time in a row, with some chance in it. Answers until when.
create function quorate.pause_calls(p_workspace uuid, p_connection uuid, p_seconds double precision) returns timestamptz
language plpgsql security definer set search_path = '' as $$
declare t quorate.connection_traffic; v_now timestamptz := clock_timestamp(); v_until timestamptz;
begin
  perform quorate.require_session();
  insert into quorate.connection_traffic (connection_id, workspace_id)
    select c.id, c.workspace_id from quorate.connections c where c.id = p_connection and c.workspace_id = p_workspace
    on conflict do nothing;
  select * into t from quorate.connection_traffic x
    where x.connection_id = p_connection and (x.workspace_id = p_workspace) is true for update;
  if t.connection_id is null then return v_now; end if;
  if p_seconds is not null then
    v_until := v_now + pg_catalog.make_interval(secs => least(greatest(p_seconds, 1), 300));
  elsif t.paused_until > v_now then
    -- one of several calls that were refused together
    return t.paused_until;
  else
    t.pauses := case when t.paused_until > v_now - interval '2 minutes' then least(t.pauses + 1, 20) else 1 end;
    v_until := v_now + pg_catalog.make_interval(secs => least(2 ^ t.pauses, 300) * (0.75 + random() / 4));
  end if;
  v_until := greatest(v_until, t.paused_until);
  update quorate.connection_traffic x set paused_until = v_until, pauses = t.pauses where x.connection_id = p_connection;
  return v_until;
end $$;

create trigger limits_set after insert or update of calls_at_once, calls_a_minute on quorate.connections for each row
  when (new.calls_at_once is not null or new.calls_a_minute is not null) execute function quorate.count_limited_connection();

create policy read_traffic on quorate.connection_traffic for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));

create policy read_calls on quorate.connection_calls for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and exists (select from quorate.runs r where r.id = run_id));

grant select on quorate.connection_traffic to quorate_member;
grant select on quorate.connection_calls to quorate_member;
revoke all on function quorate.count_limited_connection(), quorate.shift_counts(bigint, int[], bigint),
  quorate.call_room(quorate.connection_traffic, int, int), quorate.take_call(uuid, uuid, uuid, text), quorate.grant_calls(uuid),
  quorate.free_call(uuid, uuid, uuid, text), quorate.free_calls(), quorate.pause_calls(uuid, uuid, float8) from public;
grant execute on function quorate.free_call(uuid, uuid, uuid, text), quorate.free_calls(),
  quorate.pause_calls(uuid, uuid, float8) to quorate_worker;

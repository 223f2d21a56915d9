-- Waiting for runs across processes.

-- Which process has callers or pages that wait for a run, so that a worker in another process tells that one and no other. A row is no
-- data: it is lost with a crash of the database, and whoever waits looks every few seconds all the same.
create unlogged table quorate.watching (
  run_id uuid not null,
  process_id uuid not null,
  workspace_id uuid not null,
  until timestamptz not null,
  primary key (run_id, process_id)
);
create index watching_process on quorate.watching (process_id);
alter table quorate.watching enable row level security;

-- Registers what a process waits for. Whoever registers reads how the runs stand afterwards, in another statement: what changes once this
-- has committed is announced, what changed before is read. Nothing for a run that is not the named workspace's.
create function quorate.watch_runs(p_process uuid, p_workspaces uuid[], p_runs uuid[], p_seconds int) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  insert into quorate.watching as x (run_id, process_id, workspace_id, until)
  select r.id, p_process, r.workspace_id, clock_timestamp() + pg_catalog.make_interval(secs => p_seconds)
  from unnest(p_workspaces, p_runs) as w (workspace_id, run_id)
    join quorate.runs r on r.id = w.run_id and (r.workspace_id = w.workspace_id) is true
  on conflict (run_id, process_id) do update set until = excluded.until;
end $$;

-- Forgets runs that nobody of a process waits for any longer, and with them what ended processes have left. Null: everything of the
-- process.
create function quorate.unwatch_runs(p_process uuid, p_runs uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  delete from quorate.watching x where x.process_id = p_process and (p_runs is null or x.run_id = any (p_runs));
  delete from quorate.watching x where x.until < clock_timestamp();
end $$;

-- Tells the processes that wait for these runs what became of them. A transaction of its own, whose commit is not flushed: the lock under
-- which notifications are written would else queue every writer behind the disk.
create function quorate.announce_runs(p_runs uuid[], p_changes text[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_process uuid; v_payload text;
begin
  for v_process, v_payload in
    select x.process_id, pg_catalog.string_agg(x.run_id::text || ' ' || c.change, ',')
    from unnest(p_runs, p_changes) as c (run_id, change) join quorate.watching x on x.run_id = c.run_id
    where x.until > clock_timestamp() group by x.process_id
  loop
    perform pg_catalog.set_config('synchronous_commit', 'off', true);
    perform pg_catalog.pg_notify('quorate_process_' || v_process::text, v_payload);
  end loop;
end $$;

revoke all on function quorate.watch_runs(uuid, uuid[], uuid[], int), quorate.unwatch_runs(uuid, uuid[]),
  quorate.announce_runs(uuid[], text[]) from public;
grant execute on function quorate.watch_runs(uuid, uuid[], uuid[], int), quorate.unwatch_runs(uuid, uuid[]),
  quorate.announce_runs(uuid[], text[]) to quorate_worker;

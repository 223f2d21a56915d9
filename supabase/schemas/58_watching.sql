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
  perform quorate.require_session();
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
  perform quorate.require_session();
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
  perform quorate.require_session();
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

-- Texts that models and agents are writing at this moment, for pages that show the run. They are no result and no evidence: overwritten
-- as they grow, gone when the call ends, lost with a crash. `text` is the end of what has come; null where only its length may be shown.
create unlogged table quorate.partial_texts (
  run_id uuid not null,
  path text not null,
  workspace_id uuid not null,
  begun_at timestamptz not null,
  written_at timestamptz not null,
  chars int not null,
  text text,
  primary key (run_id, path)
);
create index partial_texts_written on quorate.partial_texts (written_at);
alter table quorate.partial_texts enable row level security;

-- Runs whose texts someone looks at. For others nothing is written.
create unlogged table quorate.text_readers (
  run_id uuid primary key,
  workspace_id uuid not null,
  until timestamptz not null
);
alter table quorate.text_readers enable row level security;

-- Asks for the texts of a run for some seconds, and forgets what was left behind by who asks no longer and by calls that never ended.
create function quorate.ask_partial_texts(p_workspace uuid, p_run uuid, p_seconds int) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  insert into quorate.text_readers as x (run_id, workspace_id, until)
  select r.id, r.workspace_id, clock_timestamp() + pg_catalog.make_interval(secs => p_seconds)
  from quorate.runs r where r.id = p_run and (r.workspace_id = p_workspace) is true
  on conflict (run_id) do update set until = greatest(x.until, excluded.until);
  delete from quorate.text_readers x where x.until < clock_timestamp();
  delete from quorate.partial_texts x where x.written_at < clock_timestamp() - interval '1 hour';
end $$;

-- Those of these runs whose texts someone looks at.
create function quorate.list_text_readers(p_runs uuid[]) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select x.run_id from quorate.text_readers x where x.run_id = any (p_runs) and x.until > clock_timestamp()
$$;

-- Keeps how far a text has come. A call that was made again, also by another process, is not overwritten by the one before.
create function quorate.write_partial_text(p_workspace uuid, p_run uuid, p_path text, p_begun timestamptz, p_chars int, p_text text)
returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  insert into quorate.partial_texts as x (run_id, path, workspace_id, begun_at, written_at, chars, text)
  select r.id, p_path, r.workspace_id, p_begun, clock_timestamp(), p_chars, p_text
  from quorate.runs r where r.id = p_run and (r.workspace_id = p_workspace) is true
  on conflict (run_id, path) do update set begun_at = excluded.begun_at, written_at = excluded.written_at,
    chars = excluded.chars, text = excluded.text where x.begun_at <= excluded.begun_at;
end $$;

-- Forgets the text of a call that has ended.
create function quorate.end_partial_text(p_run uuid, p_path text, p_begun timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  delete from quorate.partial_texts x where x.run_id = p_run and x.path = p_path and x.begun_at = p_begun;
end $$;

-- As the steps whose results they become.
create policy read_partial_texts on quorate.partial_texts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.partial_texts as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));
grant select on quorate.partial_texts to quorate_member;

revoke all on function quorate.ask_partial_texts(uuid, uuid, int), quorate.end_partial_text(uuid, text, timestamptz),
  quorate.list_text_readers(uuid[]),
  quorate.write_partial_text(uuid, uuid, text, timestamptz, int, text) from public;
grant execute on function quorate.ask_partial_texts(uuid, uuid, int), quorate.end_partial_text(uuid, text, timestamptz),
  quorate.list_text_readers(uuid[]),
  quorate.write_partial_text(uuid, uuid, text, timestamptz, int, text) to quorate_worker;

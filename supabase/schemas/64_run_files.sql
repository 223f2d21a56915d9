-- Files of runs: uploads for their input, and documents that their steps make. The content is in the file store, under a name that nothing
-- but the row has; whoever removes the row removes the content with it.

create table quorate.run_files (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  run_id uuid, -- null: an upload that no run has taken yet
  step_path text, -- the step that made it; null: it was uploaded
  owner_id uuid not null, -- who uploaded it, or started the run
  name text not null check (length(name) between 1 and 120),
  media_type text not null,
  size int not null check (size between 0 and 10485760),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'), -- of the content, in hex
  stored_name text not null unique,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index run_files_run on quorate.run_files (workspace_id, run_id);
create unique index run_files_made on quorate.run_files (run_id, step_path) where step_path is not null;
create index run_files_unused on quorate.run_files (created_at) where run_id is null;
alter table quorate.run_files enable row level security;

-- Contents whose row is gone, until a worker has removed them from the file store.
create table quorate.file_removals (
  stored_name text primary key,
  workspace_id uuid not null, -- which may be gone as well
  removed_at timestamptz not null default clock_timestamp()
);
alter table quorate.file_removals enable row level security;

-- Where the file store is this database, the content goes in the same transaction.
create function quorate.remove_stored_file() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from quorate.files f where f.workspace_id is null and f.name = old.stored_name;
  insert into quorate.file_removals (stored_name, workspace_id) values (old.stored_name, old.workspace_id) on conflict do nothing;
  return null;
end $$;
create trigger remove_content after delete on quorate.run_files for each row execute function quorate.remove_stored_file();
create trigger replace_content after update on quorate.run_files for each row when (old.stored_name <> new.stored_name)
  execute function quorate.remove_stored_file();

-- Names a document that a step of the run makes; a step that is walked again keeps its id. Answers { state: kept | full | fenced |
-- halted | cancelled, id }. `full`: the run has as many files, or bytes in them, as one may have.
create function quorate.keep_run_file(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_file json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_id uuid; v_count int; v_bytes bigint;
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  select count(*), coalesce(sum(f.size), 0) into v_count, v_bytes from quorate.run_files f
    where f.workspace_id = p_workspace and f.run_id = p_run and f.step_path is distinct from p_path;
  if v_count >= 1000 or v_bytes + (p_file ->> 'size')::int > 104857600 then return '{"state":"full"}'; end if;
  insert into quorate.run_files as f (id, workspace_id, run_id, step_path, owner_id, name, media_type, size, sha256, stored_name)
  values ((p_file ->> 'id')::uuid, p_workspace, p_run, p_path, r.initiator_id, p_file ->> 'name', p_file ->> 'mediaType',
    (p_file ->> 'size')::int, p_file ->> 'sha256', p_file ->> 'storedName')
  on conflict (run_id, step_path) where step_path is not null do update set name = excluded.name, media_type = excluded.media_type,
    size = excluded.size, sha256 = excluded.sha256, stored_name = excluded.stored_name
  returning f.id into v_id;
  return pg_catalog.json_build_object('state', 'kept', 'id', v_id);
end $$;

-- Documents that a dry run has made, and the runs that it has called, go when it ends: a trial shows what would be, and keeps nothing.
create function quorate.drop_dry_files(p_run uuid) returns void language sql security definer set search_path = '' as $$
  with recursive called (id) as (
    select p_run union all select r.id from called c join quorate.runs r on r.caller_run_id = c.id)
  delete from quorate.run_files f using called c where f.run_id = c.id and f.step_path is not null
$$;

-- A file that a step of the run reads: one that whoever started the run uploaded, or whose run they may see. Null: there is none for it.
create function quorate.find_run_file(p_workspace uuid, p_run uuid, p_attempt int, p_file uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs;
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then raise exception 'the fence is gone' using errcode = 'QR003'; end if;
  return (select pg_catalog.json_build_object('name', f.name, 'sha256', f.sha256, 'storedName', f.stored_name) from quorate.run_files f
    where f.id = p_file and f.workspace_id = p_workspace and (f.run_id = p_run or f.owner_id = r.initiator_id
      or (f.run_id is not null and exists (select from quorate.members m where m.workspace_id = p_workspace and m.user_id = r.initiator_id
        and m.roles && array['builder', 'approver', 'auditor', 'admin']))));
end $$;

-- Uploads that no run has taken are taken by one that has just been started by who uploaded them, and go with it.
create function quorate.take_run_files(p_run uuid, p_files uuid[]) returns void language sql security definer set search_path = '' as $$
  update quorate.run_files f set run_id = r.id from quorate.runs r
    where r.id = p_run and r.workspace_id = quorate.current_workspace_id() and r.initiator_id = quorate.current_user_id()
      and r.status = 'pending' and f.id = any (p_files) and f.workspace_id = r.workspace_id and f.owner_id = r.initiator_id
      and f.run_id is null
$$;

-- Removes uploads that no run has taken for a day, and answers contents to remove, the oldest first.
create function quorate.list_file_removals(p_limit int) returns table (stored_name text)
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  delete from quorate.run_files f where f.run_id is null and f.created_at < clock_timestamp() - interval '1 day';
  return query select x.stored_name from quorate.file_removals x order by x.removed_at limit p_limit;
end $$;

create function quorate.forget_file_removals(p_names text[]) returns void language sql security definer set search_path = '' as $$
  select quorate.require_session();
  delete from quorate.file_removals x where x.stored_name = any (p_names)
$$;

-- Visible to all who see the run; an upload that no run has taken, to the person who uploaded it.
create policy read_files on quorate.run_files for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and (case when run_id is null then owner_id = (select quorate.current_user_id())
      else (select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id) end));
create policy key_reads on quorate.run_files as restrictive for select to quorate_member
  using ((select quorate.key_may('runs:read', 'runs:start')));

create policy own_upload on quorate.run_files for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id())
    and run_id is null and step_path is null);
create policy key_inserts on quorate.run_files as restrictive for insert to quorate_member
  with check ((select quorate.key_may('runs:start')));
create constraint trigger audited after insert on quorate.run_files deferrable initially deferred for each row
  when (new.step_path is null) execute function quorate.require_audit_event();
grant insert on quorate.run_files to quorate_member;
grant select on quorate.run_files to quorate_member;
revoke all on function quorate.remove_stored_file(), quorate.keep_run_file(uuid, uuid, int, text, json, json),
  quorate.list_file_removals(int), quorate.forget_file_removals(text[]) from public;
grant execute on function quorate.keep_run_file(uuid, uuid, int, text, json, json) to quorate_worker;
grant execute on function quorate.list_file_removals(int), quorate.forget_file_removals(text[]) to quorate_app;
revoke all on function quorate.drop_dry_files(uuid) from public;
revoke all on function quorate.find_run_file(uuid, uuid, int, uuid) from public;
grant execute on function quorate.find_run_file(uuid, uuid, int, uuid) to quorate_worker;
revoke all on function quorate.take_run_files(uuid, uuid[]) from public;
grant execute on function quorate.take_run_files(uuid, uuid[]) to quorate_member;

-- Workflows and runs that people watch: they are told when an approval of them is asked for and decided, and when a run ends.

create table quorate.watches (
  workspace_id uuid not null,
  user_id uuid not null,
  artifact_id uuid, -- a workflow with all of its runs, or
  run_id uuid, -- this run alone
  created_at timestamptz not null default now(),
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade,
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade,
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade,
  check ((artifact_id is null) <> (run_id is null))
);
create unique index watches_workflow on quorate.watches (artifact_id, user_id) where artifact_id is not null;
create unique index watches_run on quorate.watches (run_id, user_id) where run_id is not null;
create index watches_mine on quorate.watches (workspace_id, user_id, created_at desc);
alter table quorate.watches enable row level security;

-- Tells those who watch a run or its workflow, as far as they see the run; not `p_but`, who are told of the same otherwise.
create function quorate.notify_watchers(p_run uuid, p_but uuid[], p_key text, p_values jsonb, p_about jsonb, p_once text) returns void
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_users uuid[];
begin
  select * into r from quorate.runs x where x.id = p_run;
  select pg_catalog.array_agg(distinct w.user_id) into v_users from (
      select x.user_id from quorate.watches x where x.run_id = r.id
      union all select x.user_id from quorate.watches x where x.artifact_id = r.artifact_id) w
    join quorate.members m on m.workspace_id = r.workspace_id and m.user_id = w.user_id
    where (m.user_id = r.initiator_id or m.roles && array['builder', 'approver', 'auditor', 'admin']) and m.user_id <> all (p_but);
  if v_users is not null then perform quorate.notify(r.workspace_id, v_users, 'watch', p_key, p_values, p_about, p_once); end if;
end $$;

-- An approval of a run is asked for, or decided. Approvers and the requester are told of it in any case.
create function quorate.notify_watched_approval() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.notify_watchers(new.run_id,
    case tg_op when 'INSERT' then pg_catalog.array_remove(pg_catalog.array_remove(quorate.members_with(new.workspace_id, new.role),
      new.requested_by), new.version_author_id) else array[new.requested_by] end,
    case new.status when 'pending' then 'notifyWatchedAsked' when 'approved' then 'notifyWatchedApproved' when 'rejected' then
      'notifyWatchedRejected' else 'notifyWatchedExpired' end,
    pg_catalog.jsonb_build_object('title', new.title), pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id),
    'watch-' || new.status || ':' || new.id);
  return null;
end $$;

-- A live run ended. Of a failure, whoever started it and the owner of the workflow are told in any case.
create function quorate.notify_watched_run() returns trigger language plpgsql security definer set search_path = '' as $$
declare a quorate.artifacts;
begin
  if not exists (select from quorate.watches w where w.run_id = new.id)
    and not exists (select from quorate.watches w where w.artifact_id = new.artifact_id) then return null; end if;
  select * into a from quorate.artifacts x where x.id = new.artifact_id;
  perform quorate.notify_watchers(new.id,
    case new.status when 'failed' then pg_catalog.array_remove(array[new.initiator_id, a.owner_id], null) else '{}' end,
    case new.status when 'completed' then 'notifyWatchedCompleted' when 'failed' then 'notifyWatchedFailed' else
      'notifyWatchedCancelled' end,
    pg_catalog.jsonb_build_object('workflow', coalesce(a.name, '–')), pg_catalog.jsonb_build_object('kind', 'run', 'id', new.id),
    'watch-ended:' || new.id);
  return null;
end $$;

create trigger notify_watched_request after insert on quorate.approvals for each row
  when (new.run_id is not null) execute function quorate.notify_watched_approval();
create trigger notify_watched_decision after update of status on quorate.approvals for each row
  when (old.status = 'pending' and new.status in ('approved', 'rejected', 'expired') and new.run_id is not null)
  execute function quorate.notify_watched_approval();
create trigger notify_watched_run after update of status on quorate.runs for each row
  when (new.status in ('completed', 'failed', 'cancelled') and old.status not in ('completed', 'failed', 'cancelled')
    and new.mode = 'live') execute function quorate.notify_watched_run();

-- One's own, of what one sees.
create policy own on quorate.watches for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()))
  with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id())
    and (exists (select from quorate.artifacts a where a.id = artifact_id) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.watches as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.watches as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_deletes on quorate.watches as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant select, insert, delete on quorate.watches to quorate_member;
revoke all on function quorate.notify_watchers(uuid, uuid[], text, jsonb, jsonb, text), quorate.notify_watched_approval(),
  quorate.notify_watched_run() from public;

-- Workflows, agents and policies with their drafts, versions and triggers.

-- `unique (workspace_id, id)` comes after a table's other indexes: while a table is empty all of them seem to cost the same,
-- the planner takes the newest, and sessions keep the plans of their foreign keys.
create table quorate.artifacts (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  kind text not null check (kind in ('workflow', 'agent', 'policy', 'inspection', 'gateway')),
  name text not null check (length(name) between 1 and 120),
  description text not null default '' check (length(description) <= 2000),
  owner_id uuid not null,
  tags text[] not null default '{}',
  status text not null default 'inactive' check (status in ('inactive', 'pending', 'active')),
  published_version_id uuid,
  draft_revision int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  runs_at_once int check (runs_at_once between 1 and 99999)
);
create index artifacts_list on quorate.artifacts (workspace_id, kind, updated_at desc) where deleted_at is null;
create index artifacts_inspections on quorate.artifacts (workspace_id, name) where kind = 'inspection';
-- Pages of lists by name: of all, and of those of one person among any number of others.
create index artifacts_names on quorate.artifacts (workspace_id, kind, name, id) where deleted_at is null;
create index artifacts_owned on quorate.artifacts (workspace_id, kind, owner_id, name, id) where deleted_at is null;
alter table quorate.artifacts add unique (workspace_id, id);
alter table quorate.artifacts enable row level security;

-- Every saved state of a draft: undo moves artifacts.draft_revision back; saving after an undo drops what came later.
create table quorate.drafts (
  workspace_id uuid not null,
  artifact_id uuid not null,
  revision int not null,
  document quorate.ordered_json not null,
  author_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (artifact_id, revision),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade
);
alter table quorate.drafts enable row level security;

create table quorate.versions (
  id uuid primary key,
  workspace_id uuid not null,
  artifact_id uuid not null,
  number int, -- null: the snapshot that a test run of a draft ran on
  document quorate.ordered_json not null,
  content_hash text not null,
  author_id uuid not null,
  created_at timestamptz not null default now(),
  unique (artifact_id, number),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade
);
create index versions_hash on quorate.versions (artifact_id, content_hash);
alter table quorate.versions add unique (workspace_id, id);
alter table quorate.artifacts add foreign key (workspace_id, published_version_id) references quorate.versions (workspace_id, id);
alter table quorate.versions enable row level security;

create table quorate.triggers (
  id uuid primary key,
  workspace_id uuid not null,
  artifact_id uuid not null,
  kind text not null check (kind in ('manual', 'schedule', 'webhook', 'a2a', 'mcp', 'event')),
  settings quorate.ordered_json not null default '{}',
  secret_sealed bytea,
  enabled boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  -- Schedules and webhooks start runs. A trigger acts as the publisher of the version in force and ends with their membership.
  name text not null default '',
  -- of a schedule: when it is due; null: never again
  next_at timestamptz,
  -- when it last tried to start a run
  last_at timestamptz,
  last_run_id uuid,
  -- why the last attempt started nothing
  last_refusal text,
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade
);
create index triggers_artifact on quorate.triggers (artifact_id);
create index triggers_due on quorate.triggers (next_at) where enabled and kind = 'schedule';
create index triggers_list on quorate.triggers (workspace_id, created_at desc);
alter table quorate.triggers enable row level security;

create table quorate.saved_views (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null,
  area text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default now(),
  shared boolean not null default false, -- with everyone in the workspace
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade
);
create index saved_views_mine on quorate.saved_views (user_id, workspace_id, area);
create index saved_views_shared on quorate.saved_views (workspace_id, area) where shared;
alter table quorate.saved_views enable row level security;

-- A version as it is run. A call from the inspector reaches the peer like that of a live run: policies judge it as one. The mark is the
-- database's, not the author's.
create function quorate.read_version(p_workspace uuid, p_version uuid) returns json
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select case when a.kind = 'inspection' then (
    select pg_catalog.json_object_agg(m.key, m.value order by m.place) from (
      select e.key, e.value, e.place from pg_catalog.json_each(v.document) with ordinality as e (key, value, place)
      union all select 'inspects', 'true', null) m)
    else v.document end
  from quorate.versions v join quorate.artifacts a on a.id = v.artifact_id where v.id = p_version and v.workspace_id = p_workspace
$$;

-- Triggers that are due, over all workspaces: only those that may act, so that one whose publisher has left is not tried for ever.
create function quorate.list_due_triggers(p_now timestamptz, p_limit int) returns table (trigger_id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select t.id from quorate.triggers t
    join quorate.artifacts a on a.id = t.artifact_id and a.deleted_at is null
    join quorate.versions v on v.id = a.published_version_id
    join quorate.members m on m.workspace_id = t.workspace_id and m.user_id = v.author_id
  where t.enabled and t.kind = 'schedule' and t.next_at <= p_now order by t.next_at limit least(p_limit, 1000)
$$;

-- `p_lock`: for a schedule, of which one worker at a time may decide; who comes second finds nothing.
create function quorate.become_trigger(p_trigger uuid, p_lock boolean)
returns table (trigger_id uuid, trigger_name text, kind text, workspace_id uuid, artifact_id uuid, artifact_name text, version_id uuid,
  document json, user_id uuid, settings json, secret_sealed bytea, next_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare t quorate.triggers; a quorate.artifacts; v quorate.versions; v_roles text[];
begin
  perform quorate.require_session();
  if p_lock then
    select * into t from quorate.triggers x where x.id = p_trigger and x.enabled for update skip locked;
  else
    select * into t from quorate.triggers x where x.id = p_trigger and x.enabled;
  end if;
  select * into a from quorate.artifacts x
    where x.id = t.artifact_id and x.workspace_id = t.workspace_id and x.kind = 'workflow' and x.deleted_at is null;
  select * into v from quorate.versions x where x.id = a.published_version_id;
  if t.id is null or v.id is null then raise exception 'no such trigger' using errcode = 'QP004'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = t.workspace_id and m.user_id = v.author_id
    and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp());
  if v_roles is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  -- a trigger starts runs: it neither decides nor administers, whatever its publisher may
  v_roles := array(select distinct r from unnest(v_roles || '{user}') r where r in ('user', 'builder') order by 1);
  perform quorate.open_principal(v.author_id, null, t.workspace_id, v_roles, null, null, t.id);
  return query select t.id, t.name, t.kind, t.workspace_id, a.id, a.name, v.id, v.document::json, v.author_id, t.settings::json,
    t.secret_sealed, t.next_at;
end $$;

-- The result of a trigger. The run or the refusal, and when it is due again, commit together.
create function quorate.mark_trigger(p_at timestamptz, p_next timestamptz, p_run uuid, p_refusal text) returns void
language sql security definer set search_path = '' as $$
  update quorate.triggers t set last_at = p_at, next_at = p_next, last_run_id = coalesce(p_run, t.last_run_id), last_refusal = p_refusal
  where t.id = quorate.current_trigger_id()
$$;

create constraint trigger audited after insert or update or delete on quorate.drafts
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.versions
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.triggers
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update
  or delete on quorate.artifacts deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger immutable before update on quorate.versions for each row execute function quorate.refuse_change();
create trigger config_changed after insert or update on quorate.artifacts for each row
  when (new.kind = 'policy') execute function quorate.bump_config_revision();
create trigger agent_changed after update on quorate.artifacts for each row
  when (new.kind = 'agent'
    and row(old.status, old.deleted_at) is distinct from row(new.status, new.deleted_at)) execute function quorate.bump_config_revision();

create policy worker_reads on quorate.artifacts for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
-- Authored. A plain user sees what is published; builders author workflows and agents, admins policies.
create policy read_published on quorate.artifacts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and (published_version_id is not null or owner_id = (select quorate.current_user_id())
    or (select quorate.has_role('builder', 'auditor', 'admin', 'approver'))));
create policy author_inserts on quorate.artifacts for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id())
    and ((kind in ('workflow', 'agent') and (select quorate.has_role('builder')))
    or (kind = 'gateway' and (select quorate.has_role('builder', 'admin')))
    or (kind = 'policy' and (select quorate.has_role('admin')))));
create policy author_updates on quorate.artifacts for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((kind in ('workflow', 'agent') and (select quorate.has_role('builder')))
    or (kind = 'gateway' and (select quorate.has_role('builder', 'admin')))
    or (kind = 'policy' and (select quorate.has_role('admin')))))
  with check (workspace_id = (select quorate.current_workspace_id()));
-- A run is told with the name of its workflow: a key that reads runs alone found none, for it might not read that name.
create policy key_reads on quorate.artifacts as restrictive for select to quorate_member
  using ((select quorate.key_may('workflows:read', 'workflows:write', 'runs:start', 'runs:read')));
create policy key_inserts on quorate.artifacts as restrictive for insert to quorate_member
  with check ((select quorate.key_may('workflows:write')));
create policy key_updates on quorate.artifacts as restrictive for update to quorate_member
  using ((select quorate.key_may('workflows:write')));
create policy key_deletes on quorate.artifacts as restrictive for delete to quorate_member
  using ((select quorate.key_may('workflows:write')));
create policy inspection_inserts on quorate.artifacts for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and owner_id = (select quorate.current_user_id())
    and kind = 'inspection'
    and published_version_id is null and (select quorate.current_key_id()) is null and (select quorate.has_role('builder')));

create policy worker_reads on quorate.drafts for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_drafts on quorate.drafts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.has_role('builder', 'auditor', 'admin', 'approver'))
    or exists (select from quorate.artifacts a where a.id = artifact_id and a.owner_id = (select quorate.current_user_id()))));
create policy author_writes on quorate.drafts for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and exists (select from quorate.artifacts a
    where a.id = artifact_id
    and ((a.kind in ('workflow', 'agent') and (select quorate.has_role('builder')))
    or (a.kind = 'policy' and (select quorate.has_role('admin'))))))
  with check (workspace_id = (select quorate.current_workspace_id()) and author_id = (select quorate.current_user_id())
    and exists (select from quorate.artifacts a
      where a.id = artifact_id
      and ((a.kind in ('workflow', 'agent') and (select quorate.has_role('builder')))
      or (a.kind = 'policy' and (select quorate.has_role('admin'))))));
create policy key_reads on quorate.drafts as restrictive for select to quorate_member
  using ((select quorate.key_may('workflows:read', 'workflows:write')));
create policy key_inserts on quorate.drafts as restrictive for insert to quorate_member
  with check ((select quorate.key_may('workflows:write')));
create policy key_updates on quorate.drafts as restrictive for update to quorate_member using ((select quorate.key_may('workflows:write')));
create policy key_deletes on quorate.drafts as restrictive for delete to quorate_member using ((select quorate.key_may('workflows:write')));

create policy worker_reads on quorate.versions for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_versions on quorate.versions for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.has_role('builder', 'auditor', 'admin', 'approver'))
    or exists (select from quorate.artifacts a where a.id = artifact_id)));
create policy author_inserts on quorate.versions for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and author_id = (select quorate.current_user_id())
    and exists (select from quorate.artifacts a
      where a.id = artifact_id
      and ((a.kind in ('workflow', 'agent') and (select quorate.has_role('builder')))
      or (a.kind = 'gateway' and (select quorate.has_role('builder', 'admin')))
      or (a.kind = 'policy' and (select quorate.has_role('admin'))))));
create policy key_reads on quorate.versions as restrictive for select to quorate_member
  using ((select quorate.key_may('workflows:read', 'workflows:write', 'runs:start', 'runs:read')));
create policy key_inserts on quorate.versions as restrictive for insert to quorate_member
  with check ((select quorate.key_may('workflows:write')));
create policy key_updates on quorate.versions as restrictive for update to quorate_member
  using ((select quorate.key_may('workflows:write')));
create policy key_deletes on quorate.versions as restrictive for delete to quorate_member
  using ((select quorate.key_may('workflows:write')));
create policy inspection_inserts on quorate.versions for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and author_id = (select quorate.current_user_id()) and number is null
    and (select quorate.current_key_id()) is null and (select quorate.has_role('builder'))
    and exists (select from quorate.artifacts a where a.id = artifact_id and a.kind = 'inspection'));

create policy worker_reads on quorate.triggers for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy author_all on quorate.triggers for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')))
    with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
create policy key_reads on quorate.triggers as restrictive for select to quorate_member
  using ((select quorate.key_may('workflows:read', 'workflows:write')));
create policy key_inserts on quorate.triggers as restrictive for insert to quorate_member
  with check ((select quorate.key_may('workflows:write')));
create policy key_updates on quorate.triggers as restrictive for update to quorate_member
  using ((select quorate.key_may('workflows:write')));
create policy key_deletes on quorate.triggers as restrictive for delete to quorate_member
  using ((select quorate.key_may('workflows:write')));

create policy own on quorate.saved_views for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()))
    with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()));
create policy shared on quorate.saved_views for select to quorate_member
  using (shared and workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.saved_views as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.saved_views as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.saved_views as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.saved_views as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant select, insert on quorate.artifacts to quorate_member;
grant select on quorate.artifacts to quorate_worker;
grant update (name, description, owner_id, tags, status, published_version_id, draft_revision, updated_at, deleted_at,
  runs_at_once) on quorate.artifacts to quorate_member;
grant select, insert, delete on quorate.drafts to quorate_member;
grant select on quorate.drafts to quorate_worker;
grant select, insert on quorate.versions to quorate_member;
grant select on quorate.versions to quorate_worker;
grant select, insert, update, delete on quorate.triggers to quorate_member;
grant select on quorate.triggers to quorate_worker;
grant select, insert, update, delete on quorate.saved_views to quorate_member;
grant select on quorate.saved_views to quorate_worker;
revoke all on function quorate.read_version(uuid, uuid), quorate.list_due_triggers(timestamptz, int), quorate.become_trigger(uuid, boolean),
  quorate.mark_trigger(timestamptz, timestamptz, uuid, text) from public;
grant execute on function quorate.list_due_triggers(timestamptz, int), quorate.become_trigger(uuid, boolean) to quorate_app;
grant execute on function quorate.mark_trigger(timestamptz, timestamptz, uuid, text) to quorate_member;
grant execute on function quorate.read_version(uuid, uuid) to quorate_worker;

-- The whole ground of Quorate: three nouns (authored, reachable, happened) and a ledger.
-- Runs as the owner, who on hosted Supabase is no superuser and does not own the schema auth.
-- Only public.profiles is served by the data API; everything else lives in quorate, which no API exposes.

create schema if not exists quorate;

do $$
begin
  if not exists (select from pg_roles where rolname = 'quorate_member') then create role quorate_member nologin noinherit; end if;
  if not exists (select from pg_roles where rolname = 'quorate_worker') then create role quorate_worker nologin noinherit; end if;
  if not exists (select from pg_roles where rolname = 'quorate_app') then create role quorate_app nologin noinherit nobypassrls; end if;
end $$;
grant quorate_member, quorate_worker to quorate_app;
grant usage on schema quorate to quorate_app, quorate_member, quorate_worker;
revoke all on schema quorate from public;

-- ---------------------------------------------------------------------------------------------------------------
-- Principals: settings of our own that the policies read. Whoever forgets to become one sees nothing.

create function quorate.current_user_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('quorate.user_id', true), '')::uuid $$;
create function quorate.current_workspace_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('quorate.workspace_id', true), '')::uuid $$;
create function quorate.current_key_id() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('quorate.key_id', true), '')::uuid $$;
create function quorate.has_role(variadic wanted text[]) returns boolean language sql stable parallel safe
  as $$ select string_to_array(coalesce(current_setting('quorate.roles', true), ''), ',') && wanted $$;
create function quorate.sees_all_runs() returns boolean language sql stable parallel safe
  as $$ select quorate.has_role('builder', 'approver', 'auditor', 'admin') $$;

-- ---------------------------------------------------------------------------------------------------------------
-- Profiles: the one table behind the data API.

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  role text not null default 'user' check (role in ('user', 'admin')),
  display_name text check (length(display_name) <= 120),
  updated_at timestamptz not null default now()
);
alter table public.profiles enable row level security;
create policy profiles_own_select on public.profiles for select to authenticated using (id = (select auth.uid()));
create policy profiles_own_insert on public.profiles for insert to authenticated with check (id = (select auth.uid()));
create policy profiles_own_update on public.profiles for update to authenticated using (id = (select auth.uid())) with check (id = (select auth.uid()));

-- Column grants do not survive the embedded auth service, which grants everything anew at each start: a trigger holds.
create function public.guard_profile_role() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = (select tableowner from pg_catalog.pg_tables where schemaname = 'public' and tablename = 'profiles') then return new; end if;
  if tg_op = 'INSERT' and new.role <> 'user' then
    -- an upsert that meets an existing row fires this first: the row that stands decides below
    if not exists (select from public.profiles p where p.id = new.id and p.role = new.role) then
      raise exception 'profile role is set by the server alone' using errcode = '42501';
    end if;
  end if;
  if tg_op = 'UPDATE' and (new.role is distinct from old.role or new.id is distinct from old.id) then
    raise exception 'profile role is set by the server alone' using errcode = '42501';
  end if;
  new.updated_at := now();
  return new;
end $$;
create trigger guard_profile_role before insert or update on public.profiles for each row execute function public.guard_profile_role();
grant select, insert, update on public.profiles to authenticated;

-- ---------------------------------------------------------------------------------------------------------------
-- Frame

create table quorate.workspaces (
  id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  slug text not null unique check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$'),
  plan text not null default 'professional' check (plan in ('starter', 'professional', 'enterprise')),
  trial_ends_at timestamptz,
  settings jsonb not null default '{}',
  is_demo boolean not null default false,
  halted_at timestamptz,
  halted_by uuid,
  config_revision bigint not null default 1,
  created_at timestamptz not null default now()
);

create table quorate.members (
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  roles text[] not null default '{user}' check (cardinality(roles) > 0 and roles <@ array['user', 'builder', 'approver', 'auditor', 'admin']),
  name text not null check (length(name) between 1 and 120),
  email text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index members_user on quorate.members (user_id);

create table quorate.invitations (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  email text not null,
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['user', 'builder', 'approver', 'auditor', 'admin']),
  token_hash bytea not null unique,
  invited_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  withdrawn_at timestamptz
);
create index invitations_workspace on quorate.invitations (workspace_id, created_at desc);

create table quorate.api_keys (
  id uuid primary key,
  workspace_id uuid not null,
  user_id uuid not null,
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  scopes text[] not null check (scopes <@ array['read', 'run', 'author', 'audit', 'admin']),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade
);

create table quorate.user_sessions (
  session_id uuid primary key,
  user_id uuid not null,
  browser text not null default '',
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
create index user_sessions_user on quorate.user_sessions (user_id);

create table quorate.preferences (
  user_id uuid primary key,
  settings jsonb not null default '{}',
  updated_at timestamptz not null default now()
);

create table quorate.notifications (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null,
  kind text not null,
  subject jsonb not null default '{}',
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index notifications_inbox on quorate.notifications (user_id, workspace_id, created_at desc);

create table quorate.deliveries (
  id uuid primary key,
  workspace_id uuid references quorate.workspaces (id) on delete cascade,
  kind text not null check (kind in ('mail', 'webhook')),
  target text not null,
  subject text not null default '',
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'success', 'failed')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz
);
create index deliveries_due on quorate.deliveries (next_attempt_at) where status = 'pending';
create index deliveries_workspace on quorate.deliveries (workspace_id, created_at desc);

create table quorate.files (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  owner_id uuid not null,
  name text not null,
  media_type text not null,
  content bytea not null check (octet_length(content) <= 10485760),
  created_at timestamptz not null default now()
);
create index files_workspace on quorate.files (workspace_id, name);

create table quorate.saved_views (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null,
  area text not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default now()
);
create index saved_views_mine on quorate.saved_views (user_id, workspace_id, area);

-- Instance-wide, reached through the functions below alone: RLS is on and no policy lets anybody in.
create table quorate.rate_limits (
  key text primary key,
  window_started_at timestamptz not null,
  hits int not null
);
create table quorate.newsletter_subscribers (email text primary key, language text not null, subscribed_at timestamptz not null default now());
create table quorate.contact_requests (id uuid primary key, name text not null, email text not null, company text not null default '', message text not null, topic text not null, created_at timestamptz not null default now());
create table quorate.caught_mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null default '',
  caught_at timestamptz not null default now()
);
create index caught_mails_newest on quorate.caught_mails (caught_at desc);

-- ---------------------------------------------------------------------------------------------------------------
-- Authored

-- `unique (workspace_id, id)` comes after a table's other indexes: while a table is empty all of them seem to cost the same,
-- the planner takes the newest, and sessions keep the plans of their foreign keys.
create table quorate.artifacts (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  kind text not null check (kind in ('workflow', 'agent', 'policy')),
  name text not null check (length(name) between 1 and 120),
  description text not null default '' check (length(description) <= 2000),
  owner_id uuid not null,
  tags text[] not null default '{}',
  status text not null default 'inactive' check (status in ('inactive', 'pending', 'active')),
  published_version_id uuid,
  draft_revision int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index artifacts_list on quorate.artifacts (workspace_id, kind, updated_at desc) where deleted_at is null;
alter table quorate.artifacts add unique (workspace_id, id);

-- Every saved state of a draft: undo moves artifacts.draft_revision back; saving after an undo drops what came later.
create table quorate.drafts (
  workspace_id uuid not null,
  artifact_id uuid not null,
  revision int not null,
  document jsonb not null,
  author_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (artifact_id, revision),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade
);

create table quorate.versions (
  id uuid primary key,
  workspace_id uuid not null,
  artifact_id uuid not null,
  number int,                       -- null: the snapshot that a test run of a draft ran on
  document jsonb not null,
  content_hash text not null,
  author_id uuid not null,
  created_at timestamptz not null default now(),
  unique (artifact_id, number),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade
);
create index versions_hash on quorate.versions (artifact_id, content_hash);
alter table quorate.versions add unique (workspace_id, id);
alter table quorate.artifacts add foreign key (workspace_id, published_version_id) references quorate.versions (workspace_id, id);

create table quorate.triggers (
  id uuid primary key,
  workspace_id uuid not null,
  artifact_id uuid not null,
  kind text not null check (kind in ('manual', 'schedule', 'webhook', 'a2a', 'mcp', 'event')),
  settings jsonb not null default '{}',
  secret_sealed bytea,
  enabled boolean not null default true,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade
);
create index triggers_artifact on quorate.triggers (artifact_id);

-- ---------------------------------------------------------------------------------------------------------------
-- Reachable

create table quorate.connections (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  kind text not null check (kind in ('mcp', 'a2a', 'model', 'app')),
  name text not null check (length(name) between 1 and 120),
  slug text not null check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$'),
  description text not null default '',
  endpoint text not null,           -- an http(s) address, or builtin:tools, builtin:compliance-copilot
  sealed_credential bytea,
  settings jsonb not null default '{}',
  status text not null default 'pending' check (status in ('pending', 'connected', 'disconnected', 'error')),
  personal_data_allowed boolean not null default false,
  protocol_version text,
  last_check_at timestamptz,
  last_error jsonb,
  owner_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index connections_slug on quorate.connections (workspace_id, slug) where deleted_at is null;
create index connections_list on quorate.connections (workspace_id, kind, name) where deleted_at is null;
alter table quorate.connections add unique (workspace_id, id);

create table quorate.capabilities (
  id uuid primary key,
  workspace_id uuid not null,
  connection_id uuid not null,
  kind text not null check (kind in ('tool', 'skill', 'model')),
  name text not null,
  title text not null default '',
  description text not null default '',
  input_schema jsonb,
  output_schema jsonb,
  definition jsonb not null,            -- what the peer says now, and what fingerprint covers
  fingerprint text not null,            -- SHA-256 of RFC 8785 of definition
  approved_fingerprint text,            -- null: pending; differs: changed since approval
  approved_definition jsonb,
  approved_by uuid,
  approved_at timestamptz,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  removed_at timestamptz,
  unique (connection_id, kind, name),
  foreign key (workspace_id, connection_id) references quorate.connections (workspace_id, id) on delete cascade
);
create index capabilities_workspace on quorate.capabilities (workspace_id, name);
alter table quorate.capabilities add unique (workspace_id, id);

-- ---------------------------------------------------------------------------------------------------------------
-- Happened

create table quorate.runs (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  artifact_id uuid not null,
  version_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  trigger_kind text not null default 'manual',
  initiator_id uuid not null,
  parent_run_id uuid,
  status text not null default 'pending' check (status in ('pending', 'processing', 'waiting', 'completed', 'failed', 'cancelled')),
  input jsonb not null default '{}',
  output jsonb,
  error jsonb,
  attempt int not null default 0,       -- the fence: raised by every claim
  claimed_by uuid,
  wake boolean not null default false,  -- something happened while it was being driven: walk once more before waiting
  cancel_requested_at timestamptz,
  cancelled_by uuid,
  request_key text,                     -- of the form or caller that started it: a second post starts nothing
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  waiting_since timestamptz,
  waiting_ms bigint not null default 0,
  journal_hash text,
  updated_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id),
  foreign key (workspace_id, version_id) references quorate.versions (workspace_id, id)
);
create index runs_list on quorate.runs (workspace_id, created_at desc);
create index runs_artifact on quorate.runs (artifact_id, created_at desc);
create index runs_initiator on quorate.runs (workspace_id, initiator_id, created_at desc);
create index runs_open on quorate.runs (workspace_id, status) where status in ('pending', 'processing', 'waiting');
create index runs_claimed on quorate.runs (claimed_by) where status = 'processing';
create unique index runs_request_key on quorate.runs (workspace_id, initiator_id, request_key) where request_key is not null;
alter table quorate.runs add unique (workspace_id, id);

create table quorate.steps (
  run_id uuid not null,
  workspace_id uuid not null,
  path text not null,                   -- place in the run: step ids and branch labels joined by '/'
  step_id text not null,
  position bigint generated always as identity,
  kind text not null check (kind in ('tool', 'agent', 'approval', 'branch', 'transform', 'model')),
  name text not null,
  status text not null check (status in ('pending', 'processing', 'waiting', 'success', 'error', 'skipped')),
  attempt int not null default 1,
  run_attempt int not null,
  idempotency_key text not null,
  protocol text,                        -- 'mcp' | 'a2a' | null
  connection_id uuid,
  capability_id uuid,
  capability_fingerprint text,
  candidates jsonb,                     -- [{ capabilityId, name, protocol, score, parts, excluded }]
  reason jsonb,                         -- { key, values }: a sentence in the reader's language
  input jsonb,
  output jsonb,
  error jsonb,
  input_digest text,
  output_digest text,
  decision_id uuid,
  approval_id uuid,
  next_attempt_at timestamptz,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  primary key (run_id, path),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index steps_capability on quorate.steps (capability_id, started_at desc) where capability_id is not null;

create table quorate.decisions (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  step_path text not null,
  attempt int not null,
  action text not null,
  verdict text not null check (verdict in ('allow', 'warn', 'transform', 'require_approval', 'deny')),
  rules jsonb not null default '[]',    -- [{ policyId, policyName, version, rule, verdict }]
  reason jsonb not null,                -- { key, values }
  context jsonb not null default '{}',  -- what the policy was asked with (no payloads)
  action_digest text not null,
  policy_version text not null,         -- digest over the policies in force
  decided_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index decisions_run on quorate.decisions (run_id, decided_at);
create index decisions_list on quorate.decisions (workspace_id, decided_at desc);

create table quorate.approvals (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  step_path text not null,
  title text not null,
  subject jsonb not null,               -- exactly what the digest covers
  action_digest text not null,
  reason jsonb not null,                -- why it stopped: { key, values }
  risk text not null check (risk in ('low', 'medium', 'high')),
  role text not null default 'approver',
  quorum int not null default 1 check (quorum between 1 and 9),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'expired', 'withdrawn', 'consumed')),
  requested_by uuid not null,
  version_author_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  decided_at timestamptz,
  consumed_at timestamptz,
  consumed_key text,                    -- idempotency key of the one step that it released
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create unique index approvals_one_open on quorate.approvals (run_id, step_path, action_digest) where status in ('pending', 'approved');
create index approvals_inbox on quorate.approvals (workspace_id, status, due_at);
create index approvals_run on quorate.approvals (run_id);
alter table quorate.approvals add unique (workspace_id, id);

create table quorate.approval_votes (
  workspace_id uuid not null,
  approval_id uuid not null,
  user_id uuid not null,
  voter_name text not null,
  vote text not null check (vote in ('approve', 'reject')),
  reason text not null default '' check (length(reason) <= 2000),
  action_digest text not null,
  reauthenticated boolean not null,
  voted_at timestamptz not null default clock_timestamp(),
  primary key (approval_id, user_id),
  foreign key (workspace_id, approval_id) references quorate.approvals (workspace_id, id) on delete cascade
);

-- ---------------------------------------------------------------------------------------------------------------
-- Proof

create table quorate.audit_events (
  id uuid primary key,
  workspace_id uuid not null,           -- no foreign key: the log outlives what it speaks of
  actor_kind text not null check (actor_kind in ('member', 'key', 'trigger', 'peer', 'worker', 'system')),
  actor_id uuid,
  actor_name text,
  action text not null,
  resource_kind text not null,
  resource_id text not null,
  resource_name text,
  payload jsonb not null default '{}',
  salt bytea,
  at timestamptz(3) not null default clock_timestamp(),
  xid xid8 not null default pg_current_xact_id(),
  body_digest bytea,                    -- SHA-256 of salt and body; stays when the body is erased
  leaf_index bigint,
  leaf_hash bytea,
  unique (workspace_id, leaf_index)
);
create index audit_events_pending on quorate.audit_events (workspace_id, at, id) where leaf_index is null;
create index audit_events_list on quorate.audit_events (workspace_id, at desc, id desc);
create index audit_events_xid on quorate.audit_events (xid);
create index audit_events_resource on quorate.audit_events (workspace_id, resource_kind, resource_id);

-- Hashes of complete subtrees (RFC 9162 section 2.1): level 0 are leaves.
create table quorate.audit_nodes (
  workspace_id uuid not null,
  level int not null,
  idx bigint not null,
  hash bytea not null,
  primary key (workspace_id, level, idx)
);

create table quorate.checkpoints (
  workspace_id uuid not null,
  size bigint not null,
  root bytea not null,
  note text not null,                   -- C2SP tlog-checkpoint, signed (Ed25519)
  signed_at timestamptz not null default clock_timestamp(),
  delivered_at timestamptz,
  primary key (workspace_id, size)
);

-- ---------------------------------------------------------------------------------------------------------------
-- Rule: a change without exactly one audit event does not commit.

create function quorate.require_audit_event() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  row_now jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  ws uuid := coalesce(row_now ->> 'workspace_id', row_now ->> 'id')::uuid;
  n int;
begin
  select count(*) into n from quorate.audit_events e where e.xid = pg_catalog.pg_current_xact_id() and e.workspace_id = ws;
  if n <> 1 then
    raise exception 'a change to %.% needs exactly one audit event in its transaction, found %', tg_table_schema, tg_table_name, n
      using errcode = 'QA001';
  end if;
  return null;
end $$;

do $$
declare t text;
begin
  foreach t in array array['members', 'invitations', 'api_keys', 'drafts', 'versions', 'triggers', 'approvals', 'approval_votes', 'audit_events'] loop
    execute format('create constraint trigger audited after insert or update or delete on quorate.%I deferrable initially deferred for each row execute function quorate.require_audit_event()', t);
  end loop;
end $$;
-- audit_events rows are placed later by the sequencer: that update is no change
drop trigger audited on quorate.audit_events;
create constraint trigger audited after insert on quorate.audit_events deferrable initially deferred for each row execute function quorate.require_audit_event();
-- key use is no change, nor is a key's last use
drop trigger audited on quorate.api_keys;
create constraint trigger audited after insert or delete on quorate.api_keys deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.api_keys deferrable initially deferred for each row
  when (row(old.name, old.scopes, old.expires_at, old.revoked_at) is distinct from row(new.name, new.scopes, new.expires_at, new.revoked_at)) execute function quorate.require_audit_event();
-- an approval is requested and consumed as part of its run's journal; what people do to it is a change
drop trigger audited on quorate.approvals;
create constraint trigger audited_update after update on quorate.approvals deferrable initially deferred for each row
  when (new.status is distinct from old.status and new.status <> 'consumed') execute function quorate.require_audit_event();
create constraint trigger audited after insert or delete on quorate.workspaces deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.workspaces deferrable initially deferred for each row
  when (row(old.name, old.slug, old.plan, old.settings, old.halted_at) is distinct from row(new.name, new.slug, new.plan, new.settings, new.halted_at)) execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.artifacts deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or delete on quorate.connections deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.connections deferrable initially deferred for each row
  when (row(old.name, old.endpoint, old.sealed_credential, old.personal_data_allowed, old.deleted_at, old.settings) is distinct from row(new.name, new.endpoint, new.sealed_credential, new.personal_data_allowed, new.deleted_at, new.settings)) execute function quorate.require_audit_event();
create constraint trigger audited after insert or delete on quorate.capabilities deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.capabilities deferrable initially deferred for each row
  when (row(old.fingerprint, old.approved_fingerprint, old.removed_at) is distinct from row(new.fingerprint, new.approved_fingerprint, new.removed_at)) execute function quorate.require_audit_event();
create constraint trigger audited after insert or delete on quorate.runs deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.runs deferrable initially deferred for each row
  when ((new.status is distinct from old.status and new.status in ('completed', 'failed', 'cancelled')) or new.cancel_requested_at is distinct from old.cancel_requested_at) execute function quorate.require_audit_event();

-- The log only grows: an event is placed once; later only its body may be erased.
create function quorate.guard_audit_event() returns trigger language plpgsql set search_path = '' as $$
begin
  if row(new.id, new.workspace_id, new.at, new.xid) is distinct from row(old.id, old.workspace_id, old.at, old.xid)
    or (old.leaf_index is not null and row(new.leaf_index, new.leaf_hash, new.body_digest) is distinct from row(old.leaf_index, old.leaf_hash, old.body_digest))
    or (row(new.actor_kind, new.actor_id, new.actor_name, new.action, new.resource_kind, new.resource_id, new.resource_name, new.payload, new.salt)
        is distinct from row(old.actor_kind, old.actor_id, old.actor_name, old.action, old.resource_kind, old.resource_id, old.resource_name, old.payload, old.salt)
        and not (new.salt is null and old.leaf_index is not null)) then
    raise exception 'the audit log only grows' using errcode = 'QA002';
  end if;
  return new;
end $$;
create trigger guard_audit_event before update on quorate.audit_events for each row execute function quorate.guard_audit_event();

-- A published version never changes.
create function quorate.refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception '% is immutable', tg_table_name using errcode = 'QA003';
end $$;
create trigger immutable before update on quorate.versions for each row execute function quorate.refuse_change();
create trigger immutable before update on quorate.decisions for each row execute function quorate.refuse_change();
create trigger immutable before update on quorate.approval_votes for each row execute function quorate.refuse_change();
create trigger immutable before update on quorate.checkpoints for each row when (row(new.workspace_id, new.size, new.root, new.note) is distinct from row(old.workspace_id, old.size, old.root, old.note)) execute function quorate.refuse_change();

-- A worker keeps policies, connections and capabilities in memory by this number; starting a step compares it.
create function quorate.bump_config_revision() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.workspaces set config_revision = config_revision + 1 where id = (case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end);
  return null;
end $$;
create trigger config_changed after insert or delete on quorate.connections for each row execute function quorate.bump_config_revision();
create trigger config_updated after update on quorate.connections for each row
  when (row(old.name, old.slug, old.endpoint, old.sealed_credential, old.settings, old.status, old.personal_data_allowed, old.deleted_at)
    is distinct from row(new.name, new.slug, new.endpoint, new.sealed_credential, new.settings, new.status, new.personal_data_allowed, new.deleted_at)) execute function quorate.bump_config_revision();
create trigger config_changed after insert or delete on quorate.capabilities for each row execute function quorate.bump_config_revision();
create trigger config_updated after update on quorate.capabilities for each row
  when (row(old.fingerprint, old.approved_fingerprint, old.removed_at) is distinct from row(new.fingerprint, new.approved_fingerprint, new.removed_at)) execute function quorate.bump_config_revision();
create trigger config_changed after insert or update on quorate.artifacts for each row when (new.kind = 'policy') execute function quorate.bump_config_revision();

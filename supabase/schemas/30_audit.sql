-- The log: one event a change, sealed into a Merkle tree, checkpointed, and audited by itself.

create table quorate.audit_events (
  id uuid primary key,
  workspace_id uuid not null, -- no foreign key: the log outlives what it speaks of
  actor_kind text not null check (actor_kind in ('member', 'key', 'trigger', 'peer', 'worker', 'system', 'directory')),
  actor_id uuid,
  actor_name text,
  action text not null,
  resource_kind text not null,
  resource_id text not null,
  resource_name text,
  payload jsonb not null default '{}',
  salt bytea default pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()),
  at timestamptz(3) not null default clock_timestamp(),
  xid xid8 not null default pg_current_xact_id(),
  body_digest bytea, -- SHA-256 of salt and body; stays when the body is erased
  leaf_index bigint,
  leaf_hash bytea,
  unique (workspace_id, leaf_index)
);
create index audit_events_pending on quorate.audit_events (workspace_id, at, id) where leaf_index is null;
create index audit_events_list on quorate.audit_events (workspace_id, at desc, id desc);
create index audit_events_xid on quorate.audit_events (xid);
create index audit_events_resource on quorate.audit_events (workspace_id, resource_kind, resource_id);
-- The audit page: its list by action, and which actions there are, without reading the log.
create index audit_events_action on quorate.audit_events (workspace_id, action, at desc, id desc);
create index audit_events_actor on quorate.audit_events (workspace_id, actor_id, at desc, id desc);
alter table quorate.audit_events enable row level security;

-- Hashes of complete subtrees (RFC 9162 section 2.1): level 0 are leaves.
create table quorate.audit_nodes (
  workspace_id uuid not null,
  level int not null,
  idx bigint not null,
  hash bytea not null,
  primary key (workspace_id, level, idx)
);
alter table quorate.audit_nodes enable row level security;

create table quorate.checkpoints (
  workspace_id uuid not null,
  size bigint not null,
  root bytea not null,
  note text not null, -- C2SP tlog-checkpoint, signed (Ed25519)
  signed_at timestamptz not null default clock_timestamp(),
  delivered_at timestamptz,
  primary key (workspace_id, size)
);
create index checkpoints_delivered on quorate.checkpoints (workspace_id, delivered_at desc) where delivered_at is not null;
alter table quorate.checkpoints enable row level security;

-- Findings of Quorate's audits of its own logs, one row a workspace. Not part of the log: it says whether the log can be believed.
create table quorate.log_audits (
  workspace_id uuid primary key references quorate.workspaces on delete cascade,
  next_at timestamptz not null default clock_timestamp(),
  sampled_at timestamptz,
  whole_from bigint, -- next place of a whole audit under way
  whole_at timestamptz, -- when the last whole one ended
  finding jsonb, -- code and values; null: nothing found
  found_at timestamptz,
  mailed_at timestamptz,
  watched_at timestamptz, -- when its witnesses and the authority were asked last
  watched_size bigint -- with the head of so many entries
);
create index log_audits_due on quorate.log_audits (next_at);
create index log_audits_alarms on quorate.log_audits (workspace_id) where finding is not null and mailed_at is null;
alter table quorate.log_audits enable row level security;

-- The log only grows: an event is placed once; later only its body may be erased.
create function quorate.guard_audit_event() returns trigger language plpgsql set search_path = '' as $$
begin
  if row(new.id, new.workspace_id, new.at, new.xid) is distinct from row(old.id, old.workspace_id, old.at, old.xid)
    or (old.leaf_index is not null
      and row(new.leaf_index, new.leaf_hash, new.body_digest) is distinct from row(old.leaf_index, old.leaf_hash, old.body_digest))
    or (row(new.actor_kind, new.actor_id, new.actor_name, new.action, new.resource_kind, new.resource_id, new.resource_name, new.payload,
      new.salt)
        is distinct from row(old.actor_kind, old.actor_id, old.actor_name, old.action, old.resource_kind, old.resource_id,
          old.resource_name, old.payload, old.salt)
        and not (new.salt is null and old.leaf_index is not null)) then
    raise exception 'the audit log only grows' using errcode = 'QA002';
  end if;
  return new;
end $$;

-- The last entry of a log, that its workspace was deleted, is placed and signed like any other: until now it waited for ever.
create function quorate.pending_log_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  with recursive w (id) as (
    (select e.workspace_id from quorate.audit_events e where e.leaf_index is null order by e.workspace_id limit 1)
    union all
    select (select e.workspace_id from quorate.audit_events e where e.leaf_index is null and e.workspace_id > w.id
      order by e.workspace_id limit 1)
    from w where w.id is not null
  )
  select w.id from w where w.id is not null
$$;

-- Workspaces as old as the interval given whose newest checkpoint has not left the instance for that long.
create function quorate.due_checkpoint_workspaces(p_every interval) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select s.id from quorate.workspaces s
  cross join lateral (select c.delivered_at from quorate.checkpoints c where c.workspace_id = s.id order by c.size desc limit 1) newest
  where newest.delivered_at is null and s.created_at <= now() - p_every
    and not exists (select from quorate.checkpoints d where d.workspace_id = s.id and d.delivered_at > now() - p_every)
$$;

-- The log only grows, for the owner too: removing a row takes switching a trigger off, which the audit below finds as well.
create function quorate.refuse_log_removal() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'the audit log only grows' using errcode = 'QA002';
end $$;

-- The log that is due longest, for the length of a lease. A whole audit begins after each start, by night, and at the latest after 36
-- hours.
create function quorate.claim_log_audit(p_started timestamptz, p_lease interval)
  returns table (workspace_id uuid, whole_from bigint, finding jsonb)
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  return query update quorate.log_audits a set next_at = clock_timestamp() + p_lease,
    whole_from = coalesce(a.whole_from, case
      when a.whole_at is null or a.whole_at < p_started or a.whole_at < clock_timestamp() - interval '36 hours'
      or (a.whole_at < clock_timestamp() - interval '20 hours' and extract(hour from clock_timestamp() at time zone 'UTC') between 1 and 4)
        then 0 end)
  where a.workspace_id = (select x.workspace_id from quorate.log_audits x
    where x.next_at <= clock_timestamp() order by x.next_at limit 1 for update skip locked)
  returning a.workspace_id, a.whole_from, a.finding;
end $$;

-- New workspaces are audited from their first minute on.
create function quorate.add_log_audit() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.log_audits (workspace_id) values (new.id);
  return null;
end $$;

-- p_whole_from: where a whole audit continues, null where none is under way. Another finding than before is mailed again.
create function quorate.settle_log_audit(p_workspace uuid, p_finding jsonb, p_whole_from bigint, p_whole_ended boolean, p_next interval)
  returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.log_audits a set sampled_at = clock_timestamp(), whole_from = p_whole_from, next_at = clock_timestamp() + p_next,
    whole_at = case when p_whole_ended then clock_timestamp() else a.whole_at end, finding = p_finding,
    found_at = case when p_finding is null then null when a.finding is null then clock_timestamp() else a.found_at end,
    mailed_at = case when p_finding is null or p_finding -> 'code' is distinct from a.finding -> 'code' then null else a.mailed_at end
  where a.workspace_id = p_workspace
$$;

-- The mails about a log go to each admin in the language that they saved with their account.
create function quorate.admin_addresses(p_workspace uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select coalesce(
    pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('email', m.email, 'language', p.settings -> 'language') order by m.email), '[]')
  from quorate.members m
  left join quorate.preferences p on p.user_id = m.user_id
  where m.workspace_id = p_workspace and 'admin' = any (m.roles)
$$;

-- The workspace's admins, for a worker inside their workspace: their addresses and languages.
create function quorate.list_admin_addresses() returns jsonb language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select quorate.admin_addresses(quorate.current_workspace_id())
$$;

-- Findings that nobody was told of yet, with the workspace's admins: their addresses and languages.
create function quorate.claim_log_alarms() returns table (workspace_id uuid, workspace_name text, finding jsonb, admins jsonb)
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.log_audits a set mailed_at = pg_catalog.clock_timestamp() from quorate.workspaces w
  where w.id = a.workspace_id and a.finding is not null and a.mailed_at is null
  returning a.workspace_id, w.name, a.finding, quorate.admin_addresses(a.workspace_id)
$$;

-- For every member, as the other figures of health are.
create function quorate.read_log_audit() returns table (finding jsonb, sampled_at timestamptz, whole_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select a.finding, a.sampled_at, a.whole_at from (select quorate.current_workspace_id() as id) w left
    join quorate.log_audits a on a.workspace_id = w.id
$$;

create constraint trigger audited after insert
  on quorate.audit_events deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger guard_audit_event before update on quorate.audit_events for each row execute function quorate.guard_audit_event();
create trigger immutable before update on quorate.checkpoints for each row
  when (row(new.workspace_id, new.size, new.root, new.note) is distinct from row(old.workspace_id, old.size, old.root,
  old.note)) execute function quorate.refuse_change();
create trigger guard_removal before delete on quorate.audit_events for each row execute function quorate.refuse_log_removal();
create trigger guard_truncate before truncate on quorate.audit_events for each statement execute function quorate.refuse_log_removal();
create trigger guard_change before update or delete on quorate.audit_nodes for each row execute function quorate.refuse_log_removal();
create trigger guard_truncate before truncate on quorate.audit_nodes for each statement execute function quorate.refuse_log_removal();
create trigger guard_removal before delete on quorate.checkpoints for each row execute function quorate.refuse_log_removal();
create trigger guard_truncate before truncate on quorate.checkpoints for each statement execute function quorate.refuse_log_removal();
create trigger log_audited after insert on quorate.workspaces for each row execute function quorate.add_log_audit();

create policy worker_reads on quorate.audit_events for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
-- Proof. Auditors and admins read the whole log, others what they did themselves. Nobody but the sequencer updates it.
create policy read_log on quorate.audit_events for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.has_role('auditor', 'admin')) or actor_id = (select quorate.current_user_id())));
create policy append on quorate.audit_events for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id())
    and actor_id = coalesce((select quorate.current_key_id()), (select quorate.current_user_id())) and actor_kind = case
    when (select quorate.current_trigger_id()) is not null then 'trigger' when (select quorate.current_key_id()) is not null then
    'key' else 'member' end and leaf_index is null);
create policy worker_appends on quorate.audit_events for insert to quorate_worker
  with check (workspace_id = (select quorate.current_workspace_id()) and leaf_index is null);
create policy place on quorate.audit_events for update to quorate_worker using (workspace_id = (select quorate.current_workspace_id()))
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.audit_events as restrictive for select to quorate_member using ((select quorate.key_may('audit:read')));

create policy read_workspace on quorate.audit_nodes for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy worker_reads on quorate.audit_nodes for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy place on quorate.audit_nodes for insert to quorate_worker with check (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.audit_nodes as restrictive for select to quorate_member using ((select quorate.key_may('audit:read')));

create policy read_workspace on quorate.checkpoints for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy worker_reads on quorate.checkpoints for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy place on quorate.checkpoints for all to quorate_worker using (workspace_id = (select quorate.current_workspace_id()))
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.checkpoints as restrictive for select to quorate_member using ((select quorate.key_may('audit:read')));

grant select on quorate.audit_events to quorate_member;
grant select on quorate.audit_events to quorate_worker;
grant insert (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload,
  salt) on quorate.audit_events to quorate_member;
grant insert (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload,
  salt) on quorate.audit_events to quorate_worker;
grant update (body_digest, leaf_index, leaf_hash) on quorate.audit_events to quorate_worker;
grant select on quorate.audit_nodes to quorate_member;
grant select, insert on quorate.audit_nodes to quorate_worker;
grant select on quorate.checkpoints to quorate_member;
grant select, insert on quorate.checkpoints to quorate_worker;
grant update (delivered_at) on quorate.checkpoints to quorate_worker;
revoke all on function quorate.guard_audit_event(), quorate.pending_log_workspaces(), quorate.due_checkpoint_workspaces(interval),
  quorate.refuse_log_removal(), quorate.claim_log_audit(timestamptz, interval), quorate.add_log_audit(),
  quorate.settle_log_audit(uuid, jsonb, bigint, boolean, interval), quorate.admin_addresses(uuid), quorate.list_admin_addresses(),
  quorate.claim_log_alarms(), quorate.read_log_audit() from public;
grant execute on function quorate.pending_log_workspaces(), quorate.due_checkpoint_workspaces(interval),
  quorate.claim_log_audit(timestamptz, interval), quorate.settle_log_audit(uuid, jsonb, bigint, boolean, interval),
  quorate.claim_log_alarms() to quorate_app;
grant execute on function quorate.read_log_audit() to quorate_member;
grant execute on function quorate.list_admin_addresses() to quorate_worker;

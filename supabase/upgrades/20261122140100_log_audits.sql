-- The log only grows, for the owner too: removing a row takes switching a trigger off, which the audit below finds as well.
create function quorate.refuse_log_removal() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'the audit log only grows' using errcode = 'QA002';
end $$;
create trigger guard_removal before delete on quorate.audit_events for each row execute function quorate.refuse_log_removal();
create trigger guard_truncate before truncate on quorate.audit_events for each statement execute function quorate.refuse_log_removal();
create trigger guard_change before update or delete on quorate.audit_nodes for each row execute function quorate.refuse_log_removal();
create trigger guard_truncate before truncate on quorate.audit_nodes for each statement execute function quorate.refuse_log_removal();
create trigger guard_removal before delete on quorate.checkpoints for each row execute function quorate.refuse_log_removal();
create trigger guard_truncate before truncate on quorate.checkpoints for each statement execute function quorate.refuse_log_removal();

-- What Quorate finds when it audits its own logs, one row a workspace. Not part of the log: it says whether the log can be believed.
create table quorate.log_audits (
  workspace_id uuid primary key references quorate.workspaces on delete cascade,
  next_at timestamptz not null default clock_timestamp(),
  sampled_at timestamptz,
  whole_from bigint,                    -- next place of a whole audit under way
  whole_at timestamptz,                 -- when the last whole one ended
  finding jsonb,                        -- code and values; null: nothing found
  found_at timestamptz,
  mailed_at timestamptz
);
create index log_audits_due on quorate.log_audits (next_at);
create index log_audits_alarms on quorate.log_audits (workspace_id) where finding is not null and mailed_at is null;
alter table quorate.log_audits enable row level security;
revoke all on quorate.log_audits from public, quorate_member, quorate_worker;

-- The log that is due longest, for the length of a lease. A whole audit begins after each start, by night, and at the latest after 36
-- hours.
create function quorate.claim_log_audit(p_started timestamptz, p_lease interval)
  returns table (workspace_id uuid, whole_from bigint, finding jsonb)
language plpgsql security definer set search_path = '' as $$
begin
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
create trigger log_audited after insert on quorate.workspaces for each row execute function quorate.add_log_audit();
insert into quorate.log_audits (workspace_id) select w.id from quorate.workspaces w;

-- p_whole_from: where a whole audit continues, null where none is under way. Another finding than before is mailed again.
create function quorate.settle_log_audit(p_workspace uuid, p_finding jsonb, p_whole_from bigint, p_whole_ended boolean, p_next interval)
  returns void
language sql security definer set search_path = '' as $$
  update quorate.log_audits a set sampled_at = clock_timestamp(), whole_from = p_whole_from, next_at = clock_timestamp() + p_next,
    whole_at = case when p_whole_ended then clock_timestamp() else a.whole_at end, finding = p_finding,
    found_at = case when p_finding is null then null when a.finding is null then clock_timestamp() else a.found_at end,
    mailed_at = case when p_finding is null or p_finding -> 'code' is distinct from a.finding -> 'code' then null else a.mailed_at end
  where a.workspace_id = p_workspace
$$;

-- Findings that nobody was told of yet, with the addresses of the workspace's admins.
create function quorate.claim_log_alarms() returns table (workspace_id uuid, workspace_name text, finding jsonb, admins text[])
language sql security definer set search_path = '' as $$
  update quorate.log_audits a set mailed_at = clock_timestamp() from quorate.workspaces w
  where w.id = a.workspace_id and a.finding is not null and a.mailed_at is null
  returning a.workspace_id, w.name, a.finding,
    array(select m.email from quorate.members m where m.workspace_id = a.workspace_id and 'admin' = any (m.roles) order by m.email)
$$;

-- For every member, as the other figures of health are.
create function quorate.read_log_audit() returns table (finding jsonb, sampled_at timestamptz, whole_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select a.finding, a.sampled_at, a.whole_at from (select quorate.current_workspace_id() as id) w left
    join quorate.log_audits a on a.workspace_id = w.id
$$;

revoke all on function quorate.claim_log_audit(timestamptz, interval), quorate.settle_log_audit(uuid, jsonb, bigint, boolean, interval),
  quorate.claim_log_alarms(), quorate.read_log_audit(), quorate.add_log_audit(), quorate.refuse_log_removal() from public;
grant execute on function quorate.claim_log_audit(timestamptz, interval), quorate.settle_log_audit(uuid, jsonb, bigint, boolean, interval),
  quorate.claim_log_alarms() to quorate_app;
grant execute on function quorate.read_log_audit() to quorate_member;

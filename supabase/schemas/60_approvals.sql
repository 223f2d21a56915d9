-- Approvals: questions to people, their votes, and the release of a halt.

create table quorate.approvals (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid,
  step_path text not null,
  title text not null,
  subject quorate.ordered_json not null, -- exactly what the digest covers
  action_digest text not null,
  reason jsonb not null, -- why it stopped: { key, values }
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
  consumed_key text,
  subject_kind text not null default 'step', -- idempotency key of the one step that it released
  assigned_to uuid, -- the member whose duty it is; null: everyone's who may decide. It gives nobody a right to vote
  assignments int not null default 0, -- how often it was assigned
  remind_at timestamptz, -- the next reminder of an open one
  reminders int not null default 0, -- how many there were
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade,
  check (subject_kind in ('step', 'outcome', 'release')),
  check ((subject_kind = 'release') = (run_id is null))
);
create unique index approvals_one_open on quorate.approvals (run_id, step_path, action_digest) where status in ('pending', 'approved');
create index approvals_inbox on quorate.approvals (workspace_id, status, due_at);
create index approvals_run on quorate.approvals (run_id);
create index approvals_overdue on quorate.approvals (due_at) where status in ('pending', 'approved');
create unique index approvals_one_release on quorate.approvals (workspace_id)
  where subject_kind = 'release' and status in ('pending', 'approved');
-- Closed approvals are listed newest first, open ones by their due time (approvals_inbox).
create index approvals_closed on quorate.approvals (workspace_id, created_at desc, id desc) where status <> 'pending';
create index approvals_status on quorate.approvals (workspace_id, status, created_at desc, id desc);
create index approvals_requester on quorate.approvals (workspace_id, requested_by, created_at desc, id desc);
create index approvals_assigned on quorate.approvals (workspace_id, assigned_to, due_at)
  where status = 'pending' and assigned_to is not null;
create index approvals_reminders on quorate.approvals (remind_at) where status = 'pending' and remind_at is not null;
alter table quorate.approvals add unique (workspace_id, id);
-- The path of a step without the items of loops: the same question for each of them.
create function quorate.question_of(p_step_path text) returns text language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(p_step_path, '/[0-9]+', '', 'g')
$$;
create index approvals_alike on quorate.approvals (workspace_id, quorate.question_of(step_path), created_at desc) where status <> 'pending';
-- The words of an approval's sentence, out of what its digest covers: of a call its name and its first values, of a question the sentence
-- that its step made. Null where the question is what became of a call.
create function quorate.asked_of(p_subject json) returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select case when p_subject -> 'outcome' is null then pg_catalog.jsonb_build_object(
    'action', p_subject #>> '{capability,name}',
    'sentence', case when p_subject #>> '{capability,name}' is null then p_subject #> '{input,sentence}' end,
    'values', (
      select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(pg_catalog."left"(e.key, 80), case pg_catalog.json_typeof(e.value)
        when 'string' then pg_catalog.to_jsonb(pg_catalog."left"(e.value #>> '{}', 80)) else e.value::jsonb end) order by e.place)
      from (
        select m.key, m.value, m.place from pg_catalog.json_each(
          case pg_catalog.json_typeof(p_subject -> 'input') when 'object' then p_subject -> 'input' else '{}'::json end
        ) with ordinality m (key, value, place)
        where pg_catalog.json_typeof(m.value) = 'string'
          or (pg_catalog.json_typeof(m.value) in ('number', 'object') and pg_catalog.length(m.value::text) <= 100)
        order by m.place limit 12
      ) e
    )) end
$$;
alter table quorate.approvals enable row level security;

create table quorate.approval_votes (
  workspace_id uuid not null,
  approval_id uuid not null,
  user_id uuid not null,
  voter_name text not null,
  vote text not null,
  reason text not null default '' check (length(reason) <= 2000),
  action_digest text not null,
  method text not null check (method in ('session', 'password', 'password_and_factor', 'passkey')), -- by which they proved that it is them
  voted_at timestamptz not null default clock_timestamp(),
  -- What they stated with it; null: of the time before votes said so. And the zone in which they read the time, by its IANA name.
  meaning text check (meaning in ('reviewed', 'approved', 'responsible', 'rejected')),
  zone text check (zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
  primary key (approval_id, user_id),
  foreign key (workspace_id, approval_id) references quorate.approvals (workspace_id, id) on delete cascade,
  -- Of an outcome: done, the call took effect; again, it did not, so it is made again; reject, the step fails.
  check (vote in ('approve', 'reject', 'done', 'again'))
);
alter table quorate.approval_votes enable row level security;

-- Whether this person is not in each group of the directory that an approval is asked of. A group that is gone has nobody.
create function quorate.is_outside_groups(a quorate.approvals, p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return a.groups is not null and exists (select from pg_catalog.unnest(a.groups) g where not exists (
    select from quorate.directory_groups d
      join quorate.directory_group_people x on x.workspace_id = d.workspace_id and x.group_id = d.id
      join quorate.directory_people p on p.workspace_id = x.workspace_id and p.id = x.person_id
    where d.workspace_id = a.workspace_id and pg_catalog.lower(d.display_name) = pg_catalog.lower(g) and p.user_id = p_user and p.active
      and p.deleted_at is null));
end $$;

-- The same for who asks, of their own workspace alone: whoever calls a function may make up the row that it judges.
create function quorate.outside_groups_here(a quorate.approvals) returns boolean
language sql stable security definer set search_path = '' as $$
  select (a.workspace_id = quorate.current_workspace_id()) is not true or quorate.is_outside_groups(a, quorate.current_user_id())
$$;

-- Why this person may not decide, as the SQLSTATE that a vote would end with; null: they may. Digest and re-authentication come with the
-- vote.
create function quorate.approval_refusal(a quorate.approvals, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_roles text[];
begin
  if quorate.current_key_id() is not null then return 'QV003'; end if;
  if a.status not in ('pending') then return 'QV008'; end if;
  if a.due_at <= pg_catalog.clock_timestamp() then return 'QV009'; end if;
  if a.requested_by = p_user then return 'QV004'; end if;
  if exists (select from quorate.runs r where r.id = a.run_id and r.initiator_id = p_user) then return 'QV006'; end if;
  if a.version_author_id = p_user then return 'QV005'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = p_user;
  -- both: the roles as they stand now, and those with which this transaction came in
  if v_roles is null or not a.role = any (v_roles) or not quorate.has_role(a.role) then return 'QV002'; end if;
  if quorate.is_outside_groups(a, p_user) then return 'QV022'; end if;
  -- a role that break-glass gave lifts no halt
  if a.subject_kind = 'release' and not a.role = any (quorate.lasting_roles(a.workspace_id, p_user)) then return 'QV002'; end if;
  if exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = p_user) then return 'QV010'; end if;
  return null;
end $$;

-- The same for who asks, so that a screen says it before somebody writes a reason.
create function quorate.my_approval_refusal(p_approval uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.approval_refusal(a, quorate.current_user_id()) from quorate.approvals a
    where a.id = p_approval and a.workspace_id = quorate.current_workspace_id()
$$;

-- One person's vote. Answers the approval's status afterwards: pending until the quorum is reached, approved, or rejected by the first who
-- rejects. An outcome is answered with 'done', 'again' or 'reject', for which whoever answers is responsible. Without a meaning an approval
-- means what is asked for, or that it is approved.
create function quorate.vote_approval(p_approval uuid, p_vote text, p_reason text, p_digest text, p_meaning text default null,
  p_zone text default null) returns text
language plpgsql security definer set search_path = '' as $$
declare
  a quorate.approvals;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_status text;
  v_method text;
begin
  if v_user is null or v_workspace is null then raise exception 'nobody votes' using errcode = 'QV001'; end if;
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = v_workspace;
  if a.id is null then raise exception 'no such approval' using errcode = 'QV001'; end if;
  -- a worker locks the run before its approval, who halts or asks the workspace: the other order here would be a deadlock
  if a.subject_kind = 'release' then perform from quorate.workspaces w where w.id = v_workspace for no key update;
  else perform from quorate.runs r where r.id = a.run_id for no key update;
  end if;
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = v_workspace for update;
  v_refusal := quorate.approval_refusal(a, v_user);
  if v_refusal is not null then raise exception 'this vote is not possible' using errcode = v_refusal; end if;
  if p_digest is distinct from a.action_digest then raise exception 'another action than the one shown' using errcode = 'QV007'; end if;
  if a.subject_kind = 'release' and not quorate.is_halt_of(v_workspace, a.subject) then raise exception 'another halt than the one shown'
    using errcode = 'QV007'; end if;
  if coalesce(p_vote, '') <> all (case a.subject_kind when 'outcome' then
    array['done', 'again', 'reject'] else array['approve', 'reject'] end) or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '')
    or p_meaning not in ('reviewed', 'approved', 'responsible') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  if p_vote = 'approve' and p_meaning <> a.meaning then raise exception 'another meaning than what is asked for' using errcode = 'QV020';
  end if;
  v_method := quorate.take_reauthentication('vote', a.id);
  if (a.risk = 'high' or a.meaning is not null or a.reauthenticate is not null) and v_method is null then
    raise exception 'authenticate again' using errcode = 'QV011';
  end if;
  if a.reauthenticate = 'factor' and v_method not in ('password_and_factor', 'passkey') then
    raise exception 'a second factor is asked for' using errcode = 'QV021';
  end if;
  insert into quorate.approval_votes (workspace_id, approval_id, user_id, voter_name, vote, reason, action_digest, method, meaning, zone)
  select a.workspace_id, a.id, v_user, m.name, p_vote, coalesce(p_reason, ''), a.action_digest, coalesce(v_method, 'session'),
    case p_vote when 'reject' then 'rejected' when 'approve' then coalesce(p_meaning, a.meaning, 'approved') else 'responsible' end, p_zone
  from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = v_user;
  v_status := case
    when p_vote = 'reject' then 'rejected'
    when (select count(*) from quorate.approval_votes v where v.approval_id = a.id and v.vote <> 'reject') >= a.quorum then 'approved'
    else 'pending' end;
  if v_status = 'pending' then return v_status; end if;
  if a.subject_kind = 'release' and v_status = 'approved' then
    if not 'admin' = any (quorate.lasting_roles(v_workspace, a.requested_by)) then
      raise exception 'who asked may not any more' using errcode = 'QV015';
    end if;
    -- consumed by the one release that it allows, in this same transaction
    update quorate.approvals x
      set status = 'consumed', decided_at = pg_catalog.clock_timestamp(), consumed_at = pg_catalog.clock_timestamp(),
      consumed_key = 'release' where x.id = a.id;
    update quorate.workspaces w set halted_at = null, halted_by = null, halt_reason = null where w.id = v_workspace;
    return v_status;
  end if;
  update quorate.approvals x set status = v_status, decided_at = pg_catalog.clock_timestamp() where x.id = a.id;
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
  return v_status;
end $$;

-- The requester takes the question back: the person who started the run, or asked for the release.
create function quorate.withdraw_approval(p_approval uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_user uuid := quorate.current_user_id(); v_asker uuid;
begin
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = quorate.current_workspace_id();
  if a.id is null then raise exception 'no such approval' using errcode = 'QV001'; end if;
  if a.subject_kind = 'release' then v_asker := a.requested_by;
  else select r.initiator_id into v_asker from quorate.runs r where r.id = a.run_id for no key update;
  end if;
  select * into a from quorate.approvals x where x.id = p_approval for update;
  if v_user is null or v_asker is distinct from v_user then raise exception 'only who asked withdraws' using errcode = 'QV013'; end if;
  if a.status <> 'pending' then raise exception 'the approval is closed' using errcode = 'QV008'; end if;
  update quorate.approvals x set status = 'withdrawn', decided_at = pg_catalog.clock_timestamp() where x.id = a.id;
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
end $$;

-- Expiry: a run's own walk closes what is late; this finds what nobody walks past.
create function quorate.list_overdue_approvals(p_limit int) returns table (approval_id uuid, run_id uuid, workspace_id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select a.id, a.run_id, a.workspace_id from quorate.approvals a
    where a.status in ('pending', 'approved') and a.due_at <= pg_catalog.clock_timestamp() order by a.due_at limit least(p_limit, 1000)
$$;

-- Answers false when somebody was quicker. One a transaction: each has an audit event of its own.
create function quorate.expire_approval(p_workspace uuid, p_approval uuid, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals;
begin
  perform quorate.require_session();
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = p_workspace;
  if a.id is null then return false; end if;
  perform from quorate.runs r where r.id = a.run_id for no key update;
  update quorate.approvals x set status = 'expired', decided_at = pg_catalog.clock_timestamp()
    where x.id = p_approval and x.status in ('pending', 'approved') and x.due_at <= pg_catalog.clock_timestamp() returning * into a;
  if a.id is null then return false; end if;
  perform quorate.append_worker_event(a.workspace_id, p_event, 'approval.expired', 'approval', a.id::text, a.title,
    pg_catalog.jsonb_build_object('run', a.run_id, 'step', a.step_path, 'digest', a.action_digest));
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
  return true;
end $$;

-- Approvers other than the one who asks: who could decide on a release, now or in the last seven days, so that nobody makes room first.
create function quorate.count_other_approvers() returns int language plpgsql stable security definer set search_path = '' as $$
begin
  return (select count(distinct t.user_id)::int from quorate.control_terms t
    where t.workspace_id = quorate.current_workspace_id() and t.role = 'approver' and t.user_id <> quorate.current_user_id()
      and (t.until is null or t.until > pg_catalog.clock_timestamp() - interval '7 days'));
end $$;

-- Nobody lifts or rewrites a halt past the approval, by whatever path; a key never lifts one.
create function quorate.guard_release() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and old.halted_at is not null
    and row(new.halted_at, new.halted_by, new.halt_reason) is distinct from row(old.halted_at, old.halted_by, old.halt_reason)
    and (new.halted_at is not null or quorate.current_key_id() is not null or quorate.count_other_approvers() > 0) then
    raise exception 'a halt is lifted by another person''s approval' using errcode = 'QP005';
  end if;
  return new;
end $$;

-- A question about the release of a halt that is over has nothing to decide any more.
create function quorate.close_release_requests() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.approvals a set status = 'withdrawn', decided_at = pg_catalog.clock_timestamp()
    where a.workspace_id = new.id and a.subject_kind = 'release' and a.status = 'pending';
  return null;
end $$;

-- The halt that a subject speaks of, as it stands now. Moments leave the database in milliseconds.
create function quorate.is_halt_of(p_workspace uuid, p_subject json) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.workspaces w where w.id = p_workspace and w.id::text = p_subject ->> 'workspaceId'
    and pg_catalog.date_trunc('milliseconds', w.halted_at) = (p_subject ->> 'haltedAt')::timestamptz)
$$;

-- An administrator asks for the release of the halt as it stands. One question at a time.
create function quorate.request_release(p_approval uuid, p_title text, p_subject json, p_digest text, p_reason jsonb, p_due timestamptz)
returns void language plpgsql security definer set search_path = '' as $$
declare v_user uuid := quorate.current_user_id(); v_workspace uuid := quorate.current_workspace_id();
begin
  if v_user is null or v_workspace is null or not quorate.has_role('admin') or quorate.current_key_id() is not null then
    raise exception 'only an administrator asks for a release' using errcode = 'QP005';
  end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  if p_subject ->> 'kind' is distinct from 'release' or not quorate.is_halt_of(v_workspace, p_subject) then
    raise exception 'the workspace is not halted so' using errcode = 'QP006';
  end if;
  if exists (select from quorate.approvals a where a.workspace_id = v_workspace and a.subject_kind = 'release'
    and a.status in ('pending', 'approved')) then
    raise exception 'a release is asked for already' using errcode = 'QP006';
  end if;
  insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by,
    version_author_id, due_at, subject_kind)
  values (p_approval, v_workspace, null, '', p_title, p_subject, p_digest, p_reason, 'high', v_user, v_user, p_due, 'release');
end $$;

create constraint trigger audited after insert or update or delete on quorate.approval_votes
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.approvals deferrable initially deferred for each row
  when ((new.status is distinct from old.status and new.status <> 'consumed') or new.assigned_to is distinct from old.assigned_to)
  execute function quorate.require_audit_event();
create trigger guard_release before update on quorate.workspaces for each row execute function quorate.guard_release();
create trigger close_release_requests after update on quorate.workspaces for each row
  when (old.halted_at is not null and new.halted_at is null) execute function quorate.close_release_requests();
create trigger immutable before update on quorate.approval_votes for each row
  when ((pg_catalog.to_jsonb(new) - array['voter_name', 'zone']) is distinct from (pg_catalog.to_jsonb(old) - array['voter_name', 'zone'])
    or new.voter_name <> '' or new.zone is not null) execute function quorate.refuse_change();

create policy worker_reads on quorate.approvals for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_approvals on quorate.approvals for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or requested_by = (select quorate.current_user_id())));
create policy key_reads on quorate.approvals as restrictive for select to quorate_member using ((select quorate.key_may('approvals:read')));

create policy worker_reads on quorate.approval_votes for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy read_votes on quorate.approval_votes for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.approvals a where a.id = approval_id)));
create policy key_reads on quorate.approval_votes as restrictive for select to quorate_member
  using ((select quorate.key_may('approvals:read')));

grant select on quorate.approvals to quorate_member;
grant select on quorate.approvals to quorate_worker;
grant select on quorate.approval_votes to quorate_member;
grant select on quorate.approval_votes to quorate_worker;
revoke all on function quorate.is_outside_groups(quorate.approvals, uuid), quorate.outside_groups_here(quorate.approvals),
  quorate.question_of(text), quorate.asked_of(json), quorate.approval_refusal(quorate.approvals, uuid),
  quorate.my_approval_refusal(uuid), quorate.vote_approval(uuid, text, text, text, text, text), quorate.withdraw_approval(uuid),
  quorate.list_overdue_approvals(int),
  quorate.expire_approval(uuid, uuid, uuid), quorate.count_other_approvers(), quorate.guard_release(), quorate.close_release_requests(),
  quorate.is_halt_of(uuid, json), quorate.request_release(uuid, text, json, text, jsonb, timestamptz) from public;
grant execute on function quorate.list_overdue_approvals(int) to quorate_app;
grant execute on function quorate.question_of(text) to quorate_member, quorate_worker;
grant execute on function quorate.asked_of(json), quorate.outside_groups_here(quorate.approvals) to quorate_member;
grant execute on function quorate.my_approval_refusal(uuid), quorate.vote_approval(uuid, text, text, text, text, text),
  quorate.withdraw_approval(uuid), quorate.count_other_approvers(),
  quorate.request_release(uuid, text, json, text, jsonb, timestamptz) to quorate_member;
grant execute on function quorate.list_overdue_approvals(int), quorate.expire_approval(uuid, uuid, uuid) to quorate_worker;

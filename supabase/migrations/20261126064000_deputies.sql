-- Deputies: who takes a member's approvals while they are away, and is told of what is nearly due. None of it lets anybody vote: a deputy
-- decides with the role and under the rules that are theirs anyway.

create table quorate.deputies (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null,
  deputy_id uuid not null,
  from_at timestamptz, -- with until_at: the time away. Both null: not away, and the deputy is only told of what is nearly due
  until_at timestamptz,
  reason text not null default '' check (length(reason) <= 500),
  named_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz, -- ended early, or replaced
  told_at timestamptz, -- the deputy knows that the time has begun
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade,
  foreign key (workspace_id, deputy_id) references quorate.members (workspace_id, user_id) on delete cascade,
  check (user_id <> deputy_id),
  check ((from_at is null) = (until_at is null)),
  check (until_at > from_at)
);
create index deputies_of on quorate.deputies (workspace_id, user_id) where ended_at is null;
create index deputies_for on quorate.deputies (workspace_id, deputy_id) where ended_at is null;
create index deputies_beginning on quorate.deputies (from_at) where ended_at is null and told_at is null and from_at is not null;
create unique index deputies_one_standing on quorate.deputies (workspace_id, user_id) where ended_at is null and from_at is null;
alter table quorate.deputies enable row level security;

-- The time away of a member that runs now; all null where they are not away.
create function quorate.absence_of(p_workspace uuid, p_user uuid) returns quorate.deputies
language sql stable security definer set search_path = '' as $$
  select d from quorate.deputies d where d.workspace_id = p_workspace and d.user_id = p_user and d.ended_at is null
    and d.from_at <= pg_catalog.clock_timestamp() and d.until_at > pg_catalog.clock_timestamp()
$$;

create function quorate.deputy_time(p_at timestamptz) returns text language sql stable set search_path = '' as $$
  select pg_catalog.to_char(p_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC'
$$;

-- Why this deputy cannot be named, as an SQLSTATE: null where they can. Both members are locked by the caller.
create function quorate.deputy_refusal(p_user uuid, p_deputy uuid, p_from timestamptz, p_until timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_actor uuid := quorate.current_user_id(); v_workspace uuid := quorate.current_workspace_id();
  v_roles text[]; v_deputy text[]; v_actors text[];
begin
  if v_actor is null or quorate.current_key_id() is not null then return 'QD003'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = v_workspace and m.user_id = p_user;
  select m.roles into v_deputy from quorate.members m where m.workspace_id = v_workspace and m.user_id = p_deputy;
  select m.roles into v_actors from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_actor;
  if v_actor <> p_user and not coalesce('admin' = any (v_actors) and quorate.has_role('admin'), false) then return 'QD002'; end if;
  if v_roles is null then return 'QD001'; end if;
  if not 'approver' = any (v_roles) then return 'QD004'; end if;
  if p_deputy = p_user then return 'QD005'; end if;
  if v_deputy is null or not 'approver' = any (v_deputy) then return 'QD006'; end if;
  if p_from is null and p_until is null then return null; end if;
  if (p_until > p_from and p_until > pg_catalog.clock_timestamp() and p_until <= p_from + interval '366 days') is not true then
    return 'QD007'; end if;
  if exists (select from quorate.deputies d where d.workspace_id = v_workspace and d.user_id = p_user and d.ended_at is null
    and d.from_at < p_until and d.until_at > p_from) then return 'QD008'; end if;
  -- no circles, and no deputy who is away from the start
  if exists (select from quorate.deputies d where d.workspace_id = v_workspace and d.user_id = p_deputy and d.ended_at is null
    and d.from_at < p_until and d.until_at > p_from) then return 'QD009'; end if;
  return null;
end $$;

-- Names a deputy: oneself, or an admin for somebody else. Without a time it replaces the one without a time. Answers the names of both.
create function quorate.name_deputy(p_id uuid, p_user uuid, p_deputy uuid, p_from timestamptz, p_until timestamptz, p_reason text)
returns json
language plpgsql security definer set search_path = '' as $$
declare
  v_actor uuid := quorate.current_user_id(); v_workspace uuid := quorate.current_workspace_id(); v_now timestamptz;
  v_refusal text; v_name text; v_deputy text; v_by text; v_times jsonb; d record;
  v_about jsonb := pg_catalog.jsonb_build_object('kind', 'deputies', 'id', p_id);
begin
  -- in one order: of two who name each other at the same moment, the second sees the first
  perform from quorate.members m where m.workspace_id = v_workspace and m.user_id in (p_user, p_deputy) order by m.user_id
    for no key update;
  v_now := pg_catalog.clock_timestamp();
  v_refusal := quorate.deputy_refusal(p_user, p_deputy, p_from, p_until);
  if v_refusal is not null then raise exception 'this deputy cannot be named' using errcode = v_refusal; end if;
  select m.name into v_name from quorate.members m where m.workspace_id = v_workspace and m.user_id = p_user;
  select m.name into v_deputy from quorate.members m where m.workspace_id = v_workspace and m.user_id = p_deputy;
  select m.name into v_by from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_actor;
  if p_from is null then
    update quorate.deputies x set ended_at = v_now
      where x.workspace_id = v_workspace and x.user_id = p_user and x.from_at is null and x.ended_at is null;
  end if;
  insert into quorate.deputies (id, workspace_id, user_id, deputy_id, from_at, until_at, reason, named_by, told_at)
    values (p_id, v_workspace, p_user, p_deputy, p_from, p_until, p_reason, v_actor, case when p_from <= v_now then v_now end);
  v_times := pg_catalog.jsonb_build_object('from', quorate.deputy_time(p_from), 'until', quorate.deputy_time(p_until));
  if p_deputy <> v_actor then
    perform quorate.notify(v_workspace, array[p_deputy], 'approval',
      case when p_from is null then 'notifyDeputyStanding' else 'notifyDeputyNamed' end,
      pg_catalog.jsonb_build_object('name', v_name) || case when p_from is null then '{}' else v_times end, v_about, 'deputy:' || p_id);
  end if;
  if p_user <> v_actor then
    perform quorate.notify(v_workspace, array[p_user], 'approval',
      case when p_from is null then 'notifyAwayStanding' else 'notifyAwayNamed' end,
      pg_catalog.jsonb_build_object('name', v_by, 'deputy', v_deputy) || case when p_from is null then '{}' else v_times end, v_about,
      'deputy-of:' || p_id);
  end if;
  -- whoever counts on a deputy that goes away themselves
  for d in select x.id, x.user_id from quorate.deputies x where x.workspace_id = v_workspace and x.deputy_id = p_user
    and x.ended_at is null and x.from_at < p_until and x.until_at > p_from loop
    perform quorate.notify(v_workspace, array[d.user_id], 'approval', 'notifyDeputyAway',
      pg_catalog.jsonb_build_object('name', v_name) || v_times, v_about, 'deputy-away:' || d.id || ':' || p_id);
  end loop;
  return pg_catalog.json_build_object('name', v_name, 'deputy', v_deputy);
end $$;

-- Ends it before its time: the member, the deputy, or an admin. Answers { user, name, deputy }.
create function quorate.end_deputy(p_id uuid) returns json language plpgsql security definer set search_path = '' as $$
declare
  d quorate.deputies; v_actor uuid := quorate.current_user_id(); v_workspace uuid := quorate.current_workspace_id(); v_name text;
begin
  select * into d from quorate.deputies x where x.id = p_id and x.workspace_id = v_workspace for update;
  if d.id is null or v_actor is null then raise exception 'no such deputy' using errcode = 'QD001'; end if;
  if quorate.current_key_id() is not null or not (v_actor in (d.user_id, d.deputy_id) or (quorate.has_role('admin')
    and exists (select from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_actor and 'admin' = any (m.roles)))) then
    raise exception 'not theirs to end' using errcode = 'QD002';
  end if;
  if d.ended_at is not null or d.until_at <= pg_catalog.clock_timestamp() then raise exception 'it is over' using errcode = 'QD010'; end if;
  update quorate.deputies x set ended_at = pg_catalog.clock_timestamp() where x.id = d.id;
  select m.name into v_name from quorate.members m where m.workspace_id = v_workspace and m.user_id = d.user_id;
  perform quorate.notify(v_workspace, pg_catalog.array_remove(array[d.user_id, d.deputy_id], v_actor), 'approval', 'notifyDeputyEnded',
    pg_catalog.jsonb_build_object('name', v_name), pg_catalog.jsonb_build_object('kind', 'deputies', 'id', d.id), 'deputy-ended:' || d.id);
  return pg_catalog.json_build_object('user', d.user_id, 'name', v_name, 'deputy', d.deputy_id);
end $$;

-- Tells each deputy once that their time begins, and forgets what ended a month ago; the log keeps it. Answers how many were told.
create function quorate.begin_deputies() returns int language plpgsql security definer set search_path = '' as $$
declare d quorate.deputies; v_count int := 0; v_name text;
begin
  for d in select * from quorate.deputies x where x.ended_at is null and x.told_at is null and x.from_at <= pg_catalog.clock_timestamp()
    order by x.from_at limit 200 for update skip locked loop
    update quorate.deputies x set told_at = pg_catalog.clock_timestamp() where x.id = d.id;
    continue when d.until_at <= pg_catalog.clock_timestamp();
    select m.name into v_name from quorate.members m where m.workspace_id = d.workspace_id and m.user_id = d.user_id;
    perform quorate.notify(d.workspace_id, array[d.deputy_id], 'approval', 'notifyDeputyBegins',
      pg_catalog.jsonb_build_object('name', v_name, 'until', quorate.deputy_time(d.until_at)),
      pg_catalog.jsonb_build_object('kind', 'deputies', 'id', d.id), 'deputy-begins:' || d.id);
    v_count := v_count + 1;
  end loop;
  delete from quorate.deputies x where coalesce(x.ended_at, x.until_at) < pg_catalog.clock_timestamp() - interval '30 days';
  return v_count;
end $$;

create constraint trigger audited after insert on quorate.deputies
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.deputies deferrable initially deferred for each row
  when (new.ended_at is distinct from old.ended_at) execute function quorate.require_audit_event();

create policy read_deputies on quorate.deputies for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null);

grant select on quorate.deputies to quorate_member;
revoke all on function quorate.absence_of(uuid, uuid), quorate.deputy_time(timestamptz),
  quorate.deputy_refusal(uuid, uuid, timestamptz, timestamptz),
  quorate.name_deputy(uuid, uuid, uuid, timestamptz, timestamptz, text), quorate.end_deputy(uuid), quorate.begin_deputies() from public;
grant execute on function quorate.name_deputy(uuid, uuid, uuid, timestamptz, timestamptz, text), quorate.end_deputy(uuid)
  to quorate_member;
grant execute on function quorate.begin_deputies() to quorate_app;

-- To whom an open approval was escalated, and when. Each is an entry of the log.

alter table quorate.approvals
  add column deputy_told uuid, -- the deputy who was told that nobody had decided
  add column deputy_told_at timestamptz,
  add column role_told_at timestamptz; -- everyone who could decide was told

create constraint trigger audited_escalation after update on quorate.approvals deferrable initially deferred for each row
  when (row(new.deputy_told_at, new.role_told_at) is distinct from row(old.deputy_told_at, old.role_told_at))
  execute function quorate.require_audit_event();

-- The member whose duty it is: who it was assigned to, or their deputy while they are away. Null where it is everyone's who may decide,
-- also because neither can. It is passed on once: a deputy who is away as well has it no more than anybody else.
create or replace function quorate.approval_holder(a quorate.approvals) returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare v_deputy uuid;
begin
  if a.assigned_to is null or quorate.decider_refusal(a, a.assigned_to) is not null then return null; end if;
  v_deputy := (quorate.absence_of(a.workspace_id, a.assigned_to)).deputy_id;
  if v_deputy is null then return a.assigned_to; end if;
  if quorate.decider_refusal(a, v_deputy) is not null or (quorate.absence_of(a.workspace_id, v_deputy)).id is not null then
    return null; end if;
  return v_deputy;
end $$;

-- For whom a deputy has it, and until when, as a notification says it.
create function quorate.absence_values(a quorate.approvals) returns jsonb
language sql stable security definer set search_path = '' as $$
  select pg_catalog.jsonb_build_object('away', coalesce(m.name, '–'), 'until', quorate.deputy_time(d.until_at))
  from quorate.absence_of(a.workspace_id, a.assigned_to) d
  left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.assigned_to where d.id is not null
$$;

-- The deputy of the member it was assigned to, as far as they could decide it and are not away: the one of the time away, else the one
-- without a time.
create function quorate.approval_deputy(a quorate.approvals) returns uuid
language sql stable security definer set search_path = '' as $$
  select x.deputy from (select coalesce((quorate.absence_of(a.workspace_id, a.assigned_to)).deputy_id,
    (select d.deputy_id from quorate.deputies d where d.workspace_id = a.workspace_id and d.user_id = a.assigned_to
      and d.ended_at is null and d.from_at is null)) as deputy) x
  where quorate.decider_refusal(a, x.deputy) is null and (quorate.absence_of(a.workspace_id, x.deputy)).id is null
$$;

-- Makes it the duty of one member, who is told, or (null) of everyone who may decide. p_seen: whose duty it was where the caller looked.
-- Answers { runId, step, title }. Refused with QW001 where someone was quicker, with QW and the number of quorate.decider_refusal where
-- that member could not decide.
create or replace function quorate.assign_approval(p_approval uuid, p_to uuid, p_seen uuid) returns json
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_user uuid := quorate.current_user_id(); v_refusal text; v_by text; v_holder uuid;
begin
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = quorate.current_workspace_id() for update;
  if a.id is null or v_user is null then raise exception 'no such approval' using errcode = 'QV001'; end if;
  v_refusal := quorate.assign_refusal(a, v_user);
  if v_refusal is not null then raise exception 'this approval cannot be assigned' using errcode = v_refusal; end if;
  if a.assigned_to is distinct from p_seen then raise exception 'it was assigned meanwhile' using errcode = 'QW001'; end if;
  v_refusal := case when p_to is not null then quorate.decider_refusal(a, p_to) end;
  if v_refusal is not null then raise exception 'not to this member' using errcode = 'QW' || pg_catalog."right"(v_refusal, 3); end if;
  perform quorate.close_assigned_notices(a);
  update quorate.approvals x set assigned_to = p_to, assignments = x.assignments + 1 where x.id = a.id returning * into a;
  select m.name into v_by from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = v_user;
  if p_to <> v_user then
    perform quorate.notify(a.workspace_id, array[p_to], 'approval', 'notifyApprovalAssigned',
      pg_catalog.jsonb_build_object('title', a.title, 'name', coalesce(v_by, '–')),
      pg_catalog.jsonb_build_object('kind', 'approval', 'id', a.id), 'approval-assigned:' || a.id || ':' || a.assignments);
  end if;
  v_holder := quorate.approval_holder(a);
  if v_holder not in (p_to, v_user) then
    perform quorate.notify(a.workspace_id, array[v_holder], 'approval', 'notifyApprovalAssignedFor',
      pg_catalog.jsonb_build_object('title', a.title, 'name', coalesce(v_by, '–')) || quorate.absence_values(a),
      pg_catalog.jsonb_build_object('kind', 'approval', 'id', a.id), 'approval-assigned:' || a.id || ':' || a.assignments);
  end if;
  return pg_catalog.json_build_object('runId', a.run_id, 'step', a.step_path, 'title', a.title);
end $$;

create or replace function quorate.close_work_of_approval() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.close_assigned_notices(new);
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.read_at is null and n.once = any (array['approval-due:' || new.id, 'approval-escalated:' || new.id,
      'approval-undecided:' || new.id]);
  return null;
end $$;

drop function quorate.remind_approvals();

-- Whom the second and third reminder reach beyond the holder: the deputy, then everyone who could decide. Both are entries of the log.
create function quorate.escalate_approval(a quorate.approvals) returns void language plpgsql security definer set search_path = '' as $$
declare v_deputy uuid := case a.reminders when 1 then quorate.approval_deputy(a) end; v_people uuid[]; v_name text;
begin
  if a.reminders = 1 then
    if v_deputy is null then return; end if;
    v_people := array[v_deputy];
    update quorate.approvals x set deputy_told = v_deputy, deputy_told_at = pg_catalog.clock_timestamp() where x.id = a.id;
  else
    v_people := array(select m.user_id from quorate.members m
      where m.workspace_id = a.workspace_id and a.role = any (m.roles) and quorate.decider_refusal(a, m.user_id) is null);
    update quorate.approvals x set role_told_at = pg_catalog.clock_timestamp() where x.id = a.id;
  end if;
  select m.name into v_name from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = a.assigned_to;
  perform quorate.notify(a.workspace_id, v_people, 'approval',
    case when v_deputy is null then 'notifyApprovalUndecided' else 'notifyApprovalEscalated' end,
    pg_catalog.jsonb_build_object('title', a.title, 'due', quorate.deputy_time(a.due_at))
      || case when v_deputy is null then '{}' else pg_catalog.jsonb_build_object('name', coalesce(v_name, '–')) end,
    pg_catalog.jsonb_build_object('kind', 'approval', 'id', a.id),
    case when v_deputy is null then 'approval-undecided:' else 'approval-escalated:' end || a.id);
  perform quorate.append_worker_event(a.workspace_id, quorate.make_id(), 'approval.escalated', 'approval', a.id::text, a.title,
    pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_build_object('run', a.run_id, 'step', a.step_path,
      'to', case when v_deputy is null then a.role else 'deputy' end, 'deputy', v_deputy, 'from', a.assigned_to,
      'people', pg_catalog.cardinality(v_people))));
end $$;

-- Reminds of the open approval that has waited longest for it: first its holder, then (an eighth of the time is left, at most eight hours)
-- the deputy, then (a sixteenth, at most two hours) everyone who could decide; each once. It decides and prolongs nothing. One a
-- transaction: each has an audit event of its own. Answers false when there is none.
create function quorate.remind_approval() returns boolean language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_holder uuid;
begin
  select * into a from quorate.approvals x where x.status = 'pending' and x.remind_at <= pg_catalog.clock_timestamp()
    order by x.remind_at limit 1 for update skip locked;
  if a.id is null then return false; end if;
  update quorate.approvals x set reminders = a.reminders + 1, remind_at = case a.reminders
    when 0 then a.due_at - least((a.due_at - a.created_at) / 8, interval '8 hours')
    when 1 then a.due_at - least((a.due_at - a.created_at) / 16, interval '2 hours') end where x.id = a.id;
  if a.due_at <= pg_catalog.clock_timestamp()
    or exists (select from quorate.runs r where r.id = a.run_id and r.status in ('completed', 'failed', 'cancelled')) then
    return true;
  end if;
  if a.reminders > 0 then
    perform quorate.escalate_approval(a);
    return true;
  end if;
  v_holder := quorate.approval_holder(a);
  perform quorate.notify(a.workspace_id, array[v_holder], 'approval',
    case when v_holder = a.assigned_to then 'notifyApprovalDue' else 'notifyApprovalDueFor' end,
    pg_catalog.jsonb_build_object('title', a.title, 'due', quorate.deputy_time(a.due_at)) || coalesce(quorate.absence_values(a), '{}'),
    pg_catalog.jsonb_build_object('kind', 'approval', 'id', a.id), 'approval-due:' || a.id);
  return true;
end $$;

revoke all on function quorate.absence_values(quorate.approvals), quorate.approval_deputy(quorate.approvals),
  quorate.escalate_approval(quorate.approvals), quorate.remind_approval() from public;
grant execute on function quorate.remind_approval() to quorate_app;

-- Everything about the person of this transaction, over all workspaces. No hash, no token, nothing about anybody else.
create or replace function quorate.export_own_data() returns json language plpgsql stable security definer set search_path = '' as $$
declare p uuid := quorate.current_user_id(); v_email text;
begin
  if p is null or quorate.current_key_id() is not null then
    raise exception 'only people have data of their own' using errcode = 'QP005';
  end if;
  select u.email into v_email from auth.users u where u.id = p;
  return pg_catalog.json_build_object(
    'profile', (select pg_catalog.to_json(x) from public.profiles x where x.id = p),
    'account', (select pg_catalog.json_build_object('id', u.id, 'email', u.email, 'createdAt', u.created_at,
      'emailConfirmedAt', u.email_confirmed_at, 'lastSignInAt', u.last_sign_in_at) from auth.users u where u.id = p),
    'memberships', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspace', w.name, 'workspaceId', w.id,
      'name', m.name, 'email', m.email, 'roles', m.roles, 'since', m.created_at) order by m.created_at), '[]')
      from quorate.members m join quorate.workspaces w on w.id = m.workspace_id where m.user_id = p),
    'invitations', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspaceId', i.workspace_id, 'email', i.email,
      'roles', i.roles, 'sentAt', i.created_at, 'acceptedAt', i.accepted_at, 'declinedAt', i.declined_at) order by i.created_at), '[]')
      from quorate.invitations i where lower(i.email) = lower(v_email)),
    'sessions', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(s) - 'user_id' order by s.last_seen_at desc), '[]')
      from quorate.user_sessions s where s.user_id = p),
    'apiKeys', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(k) - 'key_hash' - 'user_id' order by k.created_at), '[]')
      from quorate.api_keys k where k.user_id = p),
    'preferences', (select x.settings from quorate.preferences x where x.user_id = p),
    'memberSettings', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(x) - 'user_id' order by x.workspace_id), '[]')
      from quorate.member_settings x where x.user_id = p),
    'savedViews', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(v) - 'user_id' order by v.created_at), '[]')
      from quorate.saved_views v where v.user_id = p),
    'watches', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(x) - 'user_id' order by x.created_at), '[]')
      from quorate.watches x where x.user_id = p),
    'notifications', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(n) - 'user_id' order by n.created_at), '[]')
      from quorate.notifications n where n.user_id = p),
    'files', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('name', f.name, 'mediaType', f.media_type,
      'createdAt', f.created_at, 'content', pg_catalog.encode(f.content, 'base64')) order by f.created_at), '[]')
      from quorate.files f where f.owner_id = p),
    'approvalVotes', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('approvalId', v.approval_id, 'vote', v.vote,
      'reason', v.reason, 'votedAt', v.voted_at) order by v.voted_at), '[]') from quorate.approval_votes v where v.user_id = p),
    'approvalComments', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('approvalId', c.approval_id, 'kind', c.kind,
      'text', c.text, 'writtenAt', c.written_at) order by c.written_at), '[]') from quorate.approval_comments c where c.author_id = p),
    'deputies', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(d) - 'user_id' - 'told_at' order by d.created_at), '[]')
      from quorate.deputies d where d.user_id = p),
    'deputyFor', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspaceId', d.workspace_id, 'from', d.from_at,
      'until', d.until_at, 'endedAt', d.ended_at) order by d.created_at), '[]') from quorate.deputies d where d.deputy_id = p),
    'tasksAnswered', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', t.id, 'workspaceId', t.workspace_id,
      'title', t.title, 'answer', t.answer, 'answeredAt', t.answered_at) order by t.answered_at), '[]')
      from quorate.human_tasks t where t.answered_by = p),
    'runsStarted', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', r.id, 'workspaceId', r.workspace_id,
      'number', r.number, 'subject', r.subject, 'mode', r.mode, 'status', r.status, 'input', r.input, 'createdAt', r.created_at)
      order by r.created_at), '[]')
      from quorate.runs r where r.initiator_id = p),
    'auditEvents', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', e.id, 'workspaceId', e.workspace_id,
      'action', e.action, 'resourceKind', e.resource_kind, 'resourceId', e.resource_id, 'resourceName', e.resource_name,
      'payload', e.payload, 'at', e.at) order by e.at), '[]') from quorate.audit_events e where e.actor_id = p),
    'newsletter', (select pg_catalog.json_build_object('language', n.language, 'subscribedAt', n.subscribed_at)
      from quorate.newsletter_subscribers n where lower(n.email) = lower(v_email)),
    'contactRequests', (select coalesce(pg_catalog.json_agg(pg_catalog.to_json(c) order by c.created_at), '[]')
      from quorate.contact_requests c where lower(c.email) = lower(v_email))
  );
end $$;

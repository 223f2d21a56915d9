-- Whose duty an open approval is. Nothing here lets anybody vote: quorate.approval_refusal alone says who may.

-- Why this member could not decide, now and with their present roles: null where they could, else the SQLSTATE of quorate.approval_refusal.
create function quorate.decider_refusal(a quorate.approvals, p_user uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when a.requested_by = p_user then 'QV004'
    when exists (select from quorate.runs r where r.id = a.run_id and r.initiator_id = p_user) then 'QV006'
    when a.version_author_id = p_user then 'QV005'
    when not exists (select from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = p_user and a.role = any (m.roles))
      then 'QV002'
    when quorate.is_outside_groups(a, p_user) then 'QV022'
    when exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = p_user) then 'QV010' end
$$;

-- The member whose duty it is: who it was assigned to, or their deputy while they are away. Null where it is everyone's who may decide,
-- also because neither can. It is passed on once: a deputy who is away as well has it no more than anybody else.
create function quorate.approval_holder(a quorate.approvals) returns uuid
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

-- The same for members, of their own workspace alone: whoever calls a function may make up the row that it judges.
create function quorate.holder_here(a quorate.approvals) returns uuid language sql stable security definer set search_path = '' as $$
  select case when a.workspace_id = quorate.current_workspace_id() then quorate.approval_holder(a) end
$$;

create function quorate.decider_refusal_here(a quorate.approvals, p_user uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case when a.workspace_id = quorate.current_workspace_id() then quorate.decider_refusal(a, p_user) else 'QV001' end
$$;

-- Why this person may not assign it: null, or the SQLSTATE. Whoever has its role may, and an admin.
create function quorate.assign_refusal(a quorate.approvals, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_roles text[];
begin
  if quorate.current_key_id() is not null then return 'QV003'; end if;
  if a.status <> 'pending' then return 'QV008'; end if;
  if a.due_at <= pg_catalog.clock_timestamp() then return 'QV009'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = p_user;
  if (a.role = any (v_roles) and quorate.has_role(a.role)) or ('admin' = any (v_roles) and quorate.has_role('admin')) then
    return null;
  end if;
  return 'QV002';
end $$;

create function quorate.my_assign_refusal(p_approval uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.assign_refusal(a, quorate.current_user_id()) from quorate.approvals a
    where a.id = p_approval and a.workspace_id = quorate.current_workspace_id()
$$;

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
create function quorate.assign_approval(p_approval uuid, p_to uuid, p_seen uuid) returns json
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

-- Whoever was told that it is their duty has nothing to look at any longer.
create function quorate.close_assigned_notices(a quorate.approvals) returns void
language sql security definer set search_path = '' as $$
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.read_at is null and n.once = 'approval-assigned:' || a.id || ':' || a.assignments
$$;

create function quorate.close_work_of_approval() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.close_assigned_notices(new);
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.read_at is null and n.once = any (array['approval-due:' || new.id, 'approval-escalated:' || new.id,
      'approval-undecided:' || new.id]);
  return null;
end $$;

-- The first reminder goes out when a quarter of the time is left, at most a day before it is due.
create function quorate.plan_reminder() returns trigger language plpgsql set search_path = '' as $$
begin
  new.remind_at := new.due_at - least((new.due_at - new.created_at) / 4, interval '24 hours');
  return new;
end $$;

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
  perform quorate.require_session();
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

create trigger close_work after update of status on quorate.approvals for each row
  when (old.status = 'pending' and new.status <> 'pending') execute function quorate.close_work_of_approval();
create trigger plan_reminder before insert on quorate.approvals for each row execute function quorate.plan_reminder();

revoke all on function quorate.decider_refusal(quorate.approvals, uuid), quorate.approval_holder(quorate.approvals),
  quorate.holder_here(quorate.approvals), quorate.decider_refusal_here(quorate.approvals, uuid),
  quorate.assign_refusal(quorate.approvals, uuid), quorate.my_assign_refusal(uuid), quorate.assign_approval(uuid, uuid, uuid),
  quorate.close_assigned_notices(quorate.approvals), quorate.close_work_of_approval(),
  quorate.plan_reminder(), quorate.absence_values(quorate.approvals), quorate.approval_deputy(quorate.approvals),
  quorate.escalate_approval(quorate.approvals), quorate.remind_approval() from public;
grant execute on function quorate.remind_approval() to quorate_app;
grant execute on function quorate.decider_refusal_here(quorate.approvals, uuid), quorate.holder_here(quorate.approvals),
  quorate.my_assign_refusal(uuid), quorate.assign_approval(uuid, uuid, uuid) to quorate_member;

-- Tasks for people: a step of a run asks somebody to fill in a form, and continues with the answer.

create table quorate.human_tasks (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  step_path text not null,
  title text not null,
  workflow text not null, -- its name as it was
  question text not null,
  shown quorate.ordered_json not null default '{}', -- what is shown beside the question, by its label
  fields jsonb not null, -- as the fields of a run's input
  role text, -- whoever has it may answer
  user_id uuid, -- or this member alone: one that was passed on to a member keeps the role that its receiver must have
  status text not null default 'pending' check (status in ('pending', 'answered', 'expired', 'withdrawn')),
  answer quorate.ordered_json,
  answered_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  answered_at timestamptz,
  -- When its time is over: the step fails, the run continues without an answer, or it stays open and counts as overdue.
  late text not null default 'fail' check (late in ('fail', 'continue', 'keep')),
  remind_at timestamptz, -- the next reminder
  passes jsonb not null default '[]', -- who passed it on to whom: [{ by, to, reason, at }], members by their ids
  unique (run_id, step_path),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade,
  check (role is not null or user_id is not null)
);
create index human_tasks_open on quorate.human_tasks (workspace_id, due_at) where status = 'pending';
create index human_tasks_reminders on quorate.human_tasks (remind_at) where status = 'pending' and remind_at is not null;
create index human_tasks_answered on quorate.human_tasks (answered_by) where answered_by is not null;
alter table quorate.human_tasks enable row level security;

-- Whether it is for this person with these roles: both what their membership says and with what they came in.
create function quorate.is_human_task_for(t quorate.human_tasks, p_user uuid, p_roles text[]) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((t.user_id is null or t.user_id = p_user)
    and (t.role is null or (t.role = any (p_roles) and quorate.has_role(t.role))), false)
$$;

-- Whether one may answer: null, or the SQLSTATE that says why not. It counts as closed once its run has ended.
create function quorate.human_task_refusal(t quorate.human_tasks, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_roles text[];
begin
  if quorate.current_key_id() is not null then return 'QT003'; end if;
  if t.status <> 'pending' or exists (select from quorate.runs r where r.id = t.run_id and r.status in ('completed', 'failed', 'cancelled'))
    then return 'QT008'; end if;
  if t.due_at <= pg_catalog.clock_timestamp() and t.late <> 'keep' then return 'QT009'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = t.workspace_id and m.user_id = p_user;
  if v_roles is null or not quorate.is_human_task_for(t, p_user, v_roles) then return 'QT002'; end if;
  return null;
end $$;

-- The same for who asks.
create function quorate.my_human_task_refusal(p_task uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.human_task_refusal(t, quorate.current_user_id()) from quorate.human_tasks t
    where t.id = p_task and t.workspace_id = quorate.current_workspace_id()
$$;

-- Open tasks of the workspace that this member may answer, the first due first.
create function quorate.list_my_human_tasks(p_limit int)
  returns table (id uuid, title text, workflow text, due_at timestamptz, overdue boolean)
language sql stable security definer set search_path = '' as $$
  select t.id, t.title, t.workflow, t.due_at, t.due_at <= pg_catalog.clock_timestamp()
  from quorate.human_tasks t join quorate.runs r on r.id = t.run_id
  where t.workspace_id = quorate.current_workspace_id() and t.status = 'pending'
    and (t.due_at > pg_catalog.clock_timestamp() or t.late = 'keep') and r.status in ('pending', 'processing', 'waiting')
    and (t.user_id is null or t.user_id = quorate.current_user_id()) and (t.role is null or quorate.has_role(t.role))
    and quorate.current_key_id() is null
  order by t.due_at, t.id limit p_limit
$$;

-- The people who are asked: the member, or all who have the role.
create function quorate.human_task_people(t quorate.human_tasks) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select case when t.user_id is null then quorate.members_with(t.workspace_id, t.role) else array[t.user_id] end
$$;

-- Asks the first time, and answers what has become of it: { state: waiting | answered | expired | withdrawn | nobody | fenced | halted |
-- cancelled, id, dueAt, answer, by }. `nobody`: no member is meant by it. No `dueAt`: nothing happens when its time is over.
create function quorate.ask_human_task(p_workspace uuid, p_run uuid, p_attempt int, p_step json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; t quorate.human_tasks; v_step jsonb := p_step; q jsonb := v_step -> 'task'; v_to text := q ->> 'to';
  v_path text := v_step ->> 'path'; v_users uuid[]; v_name text; v_remind int := (q ->> 'remindHours')::int;
  v_due timestamptz := clock_timestamp() + pg_catalog.make_interval(hours => (q ->> 'dueHours')::int);
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  perform quorate.refuse_in_dry_run(r);
  select a.name into v_name from quorate.artifacts a where a.id = r.artifact_id;
  select * into t from quorate.human_tasks x where x.run_id = p_run and x.step_path = v_path for update;
  if t.id is null then
    select coalesce(pg_catalog.array_agg(m.user_id), '{}') into v_users from quorate.members m where m.workspace_id = p_workspace
      and case v_to when 'starter' then m.user_id = r.initiator_id
        when 'member' then pg_catalog.lower(m.email) = pg_catalog.lower(q ->> 'member') else v_to = any (m.roles) end;
    if pg_catalog.cardinality(v_users) = 0 then return '{"state":"nobody"}'; end if;
    insert into quorate.human_tasks (id, workspace_id, run_id, step_path, title, workflow, question, shown, fields, role, user_id, due_at,
      late, remind_at)
    values ((q ->> 'id')::uuid, p_workspace, p_run, v_path, v_step ->> 'name', v_name, q ->> 'question', p_step #> '{task,shown}',
      q -> 'fields', case when v_to not in ('starter', 'member') then v_to end, case when v_to in ('starter', 'member') then v_users[1] end,
      v_due, q ->> 'late',
      case when v_remind between 1 and (q ->> 'dueHours')::int - 1 then v_due - pg_catalog.make_interval(hours => v_remind)
        when q ->> 'late' = 'keep' then v_due end)
    returning * into t;
    perform quorate.append_worker_event(p_workspace, (q ->> 'eventId')::uuid, 'humanTask.asked', 'run', p_run::text, v_name,
      pg_catalog.jsonb_build_object('task', t.id, 'step', v_path));
    perform quorate.notify(p_workspace, v_users, 'task', 'notifyTask',
      pg_catalog.jsonb_build_object('title', t.title, 'workflow', v_name),
      pg_catalog.jsonb_build_object('kind', 'task', 'id', t.id), 'task:' || t.id);
  elsif t.status = 'pending' and t.due_at <= clock_timestamp() and t.late <> 'keep' then
    update quorate.human_tasks x set status = 'expired' where x.id = t.id returning * into t;
    perform quorate.close_task_notices(t.id);
    perform quorate.append_worker_event(p_workspace, (q ->> 'eventId')::uuid, 'humanTask.expired', 'run', p_run::text, v_name,
      pg_catalog.jsonb_build_object('task', t.id, 'step', v_path));
  end if;
  -- written by this attempt, which is then the one that may end it
  perform quorate.write_step(r, v_step, p_step -> 'input', case t.status when 'pending' then 'waiting' else 'pending' end, null, null);
  return pg_catalog.json_build_object('state', case t.status when 'pending' then 'waiting' else t.status end, 'id', t.id,
    'dueAt', case when t.late <> 'keep' then t.due_at end,
    'answer', t.answer, 'by', (select m.name from quorate.members m where m.workspace_id = p_workspace and m.user_id = t.answered_by));
end $$;

-- Nobody has to look at it any more.
create function quorate.close_task_notices(p_task uuid) returns void
language sql security definer set search_path = '' as $$
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.read_at is null and n.once = any (array['task:' || p_task, 'task-due:' || p_task, 'task-overdue:' || p_task]
      || array(select 'task:' || t.id || ':' || i from quorate.human_tasks t
        cross join pg_catalog.generate_series(1, pg_catalog.jsonb_array_length(t.passes)) i where t.id = p_task));
$$;

-- Reminds of forms that are due soon, and of those that are overdue and stay open, each once. Answers how many.
create function quorate.remind_human_tasks() returns int language plpgsql security definer set search_path = '' as $$
declare t quorate.human_tasks; v_count int := 0; v_late boolean;
begin
  perform quorate.require_session();
  for t in select * from quorate.human_tasks x where x.status = 'pending' and x.remind_at <= pg_catalog.clock_timestamp()
    order by x.remind_at limit 200 for update skip locked loop
    v_late := t.due_at <= pg_catalog.clock_timestamp();
    update quorate.human_tasks x set remind_at = case when t.late = 'keep' and not v_late then t.due_at end where x.id = t.id;
    continue when exists (select from quorate.runs r where r.id = t.run_id and r.status in ('completed', 'failed', 'cancelled'));
    perform quorate.notify(t.workspace_id, quorate.human_task_people(t), 'task',
      case when v_late then 'notifyTaskOverdue' else 'notifyTaskDue' end,
      pg_catalog.jsonb_build_object('title', t.title, 'workflow', t.workflow,
        'due', pg_catalog.to_char(t.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC'),
      pg_catalog.jsonb_build_object('kind', 'task', 'id', t.id), case when v_late then 'task-overdue:' else 'task-due:' end || t.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

-- Whether one may pass it on: whoever may answer, and an admin, also where the person asked is away. Null, or the SQLSTATE.
create function quorate.pass_refusal(t quorate.human_tasks, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_refusal text := quorate.human_task_refusal(t, p_user);
begin
  if v_refusal = 'QT002' and quorate.has_role('admin')
    and exists (select from quorate.members m where m.workspace_id = t.workspace_id and m.user_id = p_user and 'admin' = any (m.roles)) then
    return null;
  end if;
  return v_refusal;
end $$;

create function quorate.my_pass_refusal(p_task uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.pass_refusal(t, quorate.current_user_id()) from quorate.human_tasks t
    where t.id = p_task and t.workspace_id = quorate.current_workspace_id()
$$;

-- Members whom it can be passed on to, by name: everyone but who has it, for a role those who have that.
create function quorate.list_pass_receivers(p_task uuid) returns table (id uuid, name text)
language sql stable security definer set search_path = '' as $$
  select m.user_id, m.name from quorate.human_tasks t join quorate.members m on m.workspace_id = t.workspace_id
  where t.id = p_task and t.workspace_id = quorate.current_workspace_id() and quorate.pass_refusal(t, quorate.current_user_id()) is null
    and m.user_id is distinct from t.user_id and (t.role is null or t.role = any (m.roles))
  order by m.name, m.user_id limit 1000
$$;

-- Passes it on to one member, who is notified; for all others nothing waits any more. Answers { runId, step, workflow }.
create function quorate.pass_human_task(p_task uuid, p_to uuid, p_reason text) returns json
language plpgsql security definer set search_path = '' as $$
declare t quorate.human_tasks; v_user uuid := quorate.current_user_id(); v_refusal text; v_by text;
begin
  select * into t from quorate.human_tasks x where x.id = p_task and x.workspace_id = quorate.current_workspace_id() for update;
  if t.id is null or v_user is null then raise exception 'no such task' using errcode = 'QT001'; end if;
  v_refusal := quorate.pass_refusal(t, v_user);
  if v_refusal is not null then raise exception 'this form cannot be passed on' using errcode = v_refusal; end if;
  if not exists (select from quorate.list_pass_receivers(p_task) m where m.id = p_to) or coalesce(btrim(p_reason), '') = ''
    or pg_catalog.jsonb_array_length(t.passes) >= 50 then
    raise exception 'not to this member' using errcode = 'QT010';
  end if;
  perform quorate.close_task_notices(t.id);
  update quorate.human_tasks x set user_id = p_to, passes = t.passes || pg_catalog.jsonb_build_object(
    'by', v_user, 'to', p_to, 'reason', p_reason, 'at', pg_catalog.clock_timestamp()) where x.id = t.id;
  select m.name into v_by from quorate.members m where m.workspace_id = t.workspace_id and m.user_id = v_user;
  perform quorate.notify(t.workspace_id, array[p_to], 'task', 'notifyTaskPassed',
    pg_catalog.jsonb_build_object('title', t.title, 'workflow', t.workflow, 'name', coalesce(v_by, '–')),
    pg_catalog.jsonb_build_object('kind', 'task', 'id', t.id), 'task:' || t.id || ':' || pg_catalog.jsonb_array_length(t.passes) + 1);
  return pg_catalog.json_build_object('runId', t.run_id, 'step', t.step_path, 'workflow', t.workflow);
end $$;

-- One answer, which the caller has checked against the fields. Answers { runId, step, workflow }; the caller queues the run.
create function quorate.answer_human_task(p_task uuid, p_answer json) returns json
language plpgsql security definer set search_path = '' as $$
declare t quorate.human_tasks; v_user uuid := quorate.current_user_id(); v_refusal text;
begin
  select * into t from quorate.human_tasks x where x.id = p_task and x.workspace_id = quorate.current_workspace_id();
  if t.id is null or v_user is null then raise exception 'no such task' using errcode = 'QT001'; end if;
  -- a worker locks the run before its task
  perform from quorate.runs r where r.id = t.run_id for no key update;
  select * into t from quorate.human_tasks x where x.id = p_task for update;
  v_refusal := quorate.human_task_refusal(t, v_user);
  if v_refusal is not null then raise exception 'this answer is not possible' using errcode = v_refusal; end if;
  update quorate.human_tasks x set status = 'answered', answer = p_answer, answered_by = v_user, answered_at = pg_catalog.clock_timestamp()
    where x.id = t.id;
  perform quorate.close_task_notices(t.id);
  update quorate.runs r set wake = true where r.id = t.run_id and not r.wake;
  return pg_catalog.json_build_object('runId', t.run_id, 'step', t.step_path, 'workflow', t.workflow);
end $$;

create constraint trigger audited after insert on quorate.human_tasks
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.human_tasks deferrable initially deferred for each row
  when (new.status is distinct from old.status or new.user_id is distinct from old.user_id)
  execute function quorate.require_audit_event();

-- Visible to all who see the run, and to those who are asked.
create policy read_tasks on quorate.human_tasks for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or user_id = (select quorate.current_user_id()) or (role is not null and quorate.has_role(role))
      or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.human_tasks as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));

grant select on quorate.human_tasks to quorate_member;
revoke all on function quorate.is_human_task_for(quorate.human_tasks, uuid, text[]),
  quorate.human_task_refusal(quorate.human_tasks, uuid), quorate.my_human_task_refusal(uuid), quorate.list_my_human_tasks(int),
  quorate.human_task_people(quorate.human_tasks), quorate.ask_human_task(uuid, uuid, int, json, json), quorate.close_task_notices(uuid),
  quorate.remind_human_tasks(), quorate.pass_refusal(quorate.human_tasks, uuid), quorate.my_pass_refusal(uuid),
  quorate.list_pass_receivers(uuid), quorate.pass_human_task(uuid, uuid, text), quorate.answer_human_task(uuid, json) from public;
grant execute on function quorate.remind_human_tasks() to quorate_app;
grant execute on function quorate.my_human_task_refusal(uuid), quorate.list_my_human_tasks(int), quorate.my_pass_refusal(uuid),
  quorate.list_pass_receivers(uuid), quorate.pass_human_task(uuid, uuid, text), quorate.answer_human_task(uuid, json) to quorate_member;
grant execute on function quorate.ask_human_task(uuid, uuid, int, json, json) to quorate_worker;

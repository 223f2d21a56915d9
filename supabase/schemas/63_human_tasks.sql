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
  role text, -- whoever has it may answer,
  user_id uuid, -- or this member alone
  status text not null default 'pending' check (status in ('pending', 'answered', 'expired', 'withdrawn')),
  answer quorate.ordered_json,
  answered_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  answered_at timestamptz,
  unique (run_id, step_path),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade,
  check ((role is null) <> (user_id is null))
);
create index human_tasks_open on quorate.human_tasks (workspace_id, due_at) where status = 'pending';
create index human_tasks_answered on quorate.human_tasks (answered_by) where answered_by is not null;
alter table quorate.human_tasks enable row level security;

-- Whether one may answer: null, or the SQLSTATE that says why not. It counts as closed once its run has ended.
create function quorate.human_task_refusal(t quorate.human_tasks, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_roles text[];
begin
  if quorate.current_key_id() is not null then return 'QT003'; end if;
  if t.status <> 'pending' or exists (select from quorate.runs r where r.id = t.run_id and r.status in ('completed', 'failed', 'cancelled'))
    then return 'QT008'; end if;
  if t.due_at <= pg_catalog.clock_timestamp() then return 'QT009'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = t.workspace_id and m.user_id = p_user;
  -- both: the roles as they stand now, and those with which this transaction came in
  if v_roles is null or not coalesce(t.user_id = p_user, t.role = any (v_roles) and quorate.has_role(t.role)) then return 'QT002'; end if;
  return null;
end $$;

-- The same for who asks.
create function quorate.my_human_task_refusal(p_task uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.human_task_refusal(t, quorate.current_user_id()) from quorate.human_tasks t
    where t.id = p_task and t.workspace_id = quorate.current_workspace_id()
$$;

-- Open tasks of the workspace that this member may answer, the first due first.
create function quorate.list_my_human_tasks(p_limit int)
  returns table (id uuid, title text, workflow text, due_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.id, t.title, t.workflow, t.due_at from quorate.human_tasks t join quorate.runs r on r.id = t.run_id
  where t.workspace_id = quorate.current_workspace_id() and t.status = 'pending' and t.due_at > pg_catalog.clock_timestamp()
    and r.status in ('pending', 'processing', 'waiting') and coalesce(t.user_id = quorate.current_user_id(), quorate.has_role(t.role))
    and quorate.current_key_id() is null
  order by t.due_at, t.id limit p_limit
$$;

-- Asks the first time, and answers what has become of it: { state: waiting | answered | expired | withdrawn | nobody | fenced | halted |
-- cancelled, id, dueAt, answer, by }. `nobody`: no member is meant by it.
create function quorate.ask_human_task(p_workspace uuid, p_run uuid, p_attempt int, p_step json, p_local json) returns json
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; t quorate.human_tasks; v_step jsonb := p_step; q jsonb := v_step -> 'task'; v_to text := q ->> 'to';
  v_path text := v_step ->> 'path'; v_users uuid[]; v_name text;
begin
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
    insert into quorate.human_tasks (id, workspace_id, run_id, step_path, title, workflow, question, shown, fields, role, user_id, due_at)
    values ((q ->> 'id')::uuid, p_workspace, p_run, v_path, v_step ->> 'name', v_name, q ->> 'question', p_step #> '{task,shown}',
      q -> 'fields', case when v_to not in ('starter', 'member') then v_to end, case when v_to in ('starter', 'member') then v_users[1] end,
      clock_timestamp() + pg_catalog.make_interval(hours => (q ->> 'dueHours')::int))
    returning * into t;
    perform quorate.append_worker_event(p_workspace, (q ->> 'eventId')::uuid, 'humanTask.asked', 'run', p_run::text, v_name,
      pg_catalog.jsonb_build_object('task', t.id, 'step', v_path));
    perform quorate.notify(p_workspace, v_users, 'task', 'notifyTask',
      pg_catalog.jsonb_build_object('title', t.title, 'workflow', v_name),
      pg_catalog.jsonb_build_object('kind', 'task', 'id', t.id), 'task:' || t.id);
  elsif t.status = 'pending' and t.due_at <= clock_timestamp() then
    update quorate.human_tasks x set status = 'expired' where x.id = t.id returning * into t;
    perform quorate.close_task_notices(t.id);
    perform quorate.append_worker_event(p_workspace, (q ->> 'eventId')::uuid, 'humanTask.expired', 'run', p_run::text, v_name,
      pg_catalog.jsonb_build_object('task', t.id, 'step', v_path));
  end if;
  -- written by this attempt, which is then the one that may end it
  perform quorate.write_step(r, v_step, p_step -> 'input', case t.status when 'pending' then 'waiting' else 'pending' end, null, null);
  return pg_catalog.json_build_object('state', case t.status when 'pending' then 'waiting' else t.status end, 'id', t.id, 'dueAt', t.due_at,
    'answer', t.answer, 'by', (select m.name from quorate.members m where m.workspace_id = p_workspace and m.user_id = t.answered_by));
end $$;

-- Nobody has to look at it any more.
create function quorate.close_task_notices(p_task uuid) returns void
language sql security definer set search_path = '' as $$
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = 'task:' || p_task and n.read_at is null;
$$;

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
  when (new.status is distinct from old.status) execute function quorate.require_audit_event();

-- Whoever sees the run, and whoever is asked.
create policy read_tasks on quorate.human_tasks for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or user_id = (select quorate.current_user_id()) or (role is not null and quorate.has_role(role))
      or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.human_tasks as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));

grant select on quorate.human_tasks to quorate_member;
revoke all on function quorate.human_task_refusal(quorate.human_tasks, uuid), quorate.my_human_task_refusal(uuid),
  quorate.list_my_human_tasks(int), quorate.ask_human_task(uuid, uuid, int, json, json), quorate.close_task_notices(uuid),
  quorate.answer_human_task(uuid, json) from public;
grant execute on function quorate.my_human_task_refusal(uuid), quorate.list_my_human_tasks(int),
  quorate.answer_human_task(uuid, json) to quorate_member;
grant execute on function quorate.ask_human_task(uuid, uuid, int, json, json) to quorate_worker;

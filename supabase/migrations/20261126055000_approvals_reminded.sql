-- Open approvals are reminded of before they are due: whose duty it is, then everyone who could decide.
alter table quorate.approvals add column remind_at timestamptz, add column reminders int not null default 0;
create index approvals_reminders on quorate.approvals (remind_at) where status = 'pending' and remind_at is not null;

create or replace function quorate.close_work_of_approval() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.close_assigned_notices(new);
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.read_at is null and n.once = any (array['approval-due:' || new.id, 'approval-undecided:' || new.id]);
  return null;
end $$;

-- The first reminder goes out when a quarter of the time is left, at most a day before it is due.
create function quorate.plan_reminder() returns trigger language plpgsql set search_path = '' as $$
begin
  new.remind_at := new.due_at - least((new.due_at - new.created_at) / 4, interval '24 hours');
  return new;
end $$;

-- Reminds of open approvals: first the member whose duty it is, then, when it is nearly due (a sixteenth of the time, at most two hours),
-- everyone who could decide it; each once. It decides and prolongs nothing. Answers how many there were.
create function quorate.remind_approvals() returns int language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_count int := 0; v_people uuid[]; v_kind text;
begin
  for a in select * from quorate.approvals x where x.status = 'pending' and x.remind_at <= pg_catalog.clock_timestamp()
    order by x.remind_at limit 200 for update skip locked loop
    update quorate.approvals x set reminders = a.reminders + 1,
      remind_at = case a.reminders when 0 then a.due_at - least((a.due_at - a.created_at) / 16, interval '2 hours') end where x.id = a.id;
    continue when a.due_at <= pg_catalog.clock_timestamp()
      or exists (select from quorate.runs r where r.id = a.run_id and r.status in ('completed', 'failed', 'cancelled'));
    v_kind := case a.reminders when 0 then 'due' else 'undecided' end;
    v_people := case a.reminders when 0 then array[quorate.approval_holder(a)] else array(select m.user_id from quorate.members m
      where m.workspace_id = a.workspace_id and a.role = any (m.roles) and quorate.decider_refusal(a, m.user_id) is null) end;
    perform quorate.notify(a.workspace_id, v_people, 'approval',
      case v_kind when 'due' then 'notifyApprovalDue' else 'notifyApprovalUndecided' end,
      pg_catalog.jsonb_build_object('title', a.title,
        'due', pg_catalog.to_char(a.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC'),
      pg_catalog.jsonb_build_object('kind', 'approval', 'id', a.id), 'approval-' || v_kind || ':' || a.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

create trigger plan_reminder before insert on quorate.approvals for each row execute function quorate.plan_reminder();

update quorate.approvals set remind_at = due_at - least((due_at - created_at) / 4, interval '24 hours') where status = 'pending';
revoke all on function quorate.plan_reminder(), quorate.remind_approvals() from public;
grant execute on function quorate.remind_approvals() to quorate_app;

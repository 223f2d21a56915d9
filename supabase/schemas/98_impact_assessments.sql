-- Impact assessments of agents (AI Act, Article 27; GDPR, Article 35). Each saving is a version, with the facts as they were then.

create table quorate.impact_assessments (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  agent_id uuid not null,
  number int not null,
  answers jsonb not null check (length(answers::text) <= 100000), -- by question
  facts jsonb not null check (length(facts::text) <= 100000), -- what the product knew of the agent
  made_by uuid not null,
  made_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, agent_id, number)
);
alter table quorate.impact_assessments enable row level security;

-- Keeps the next version of an agent's assessment, over the one that its writer had seen. Builders, approvers and admins, in person.
create function quorate.put_impact_assessment(p_id uuid, p_agent uuid, p_seen int, p_answers jsonb, p_facts jsonb) returns int
language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.current_workspace_id(); v_number int;
begin
  if quorate.current_user_id() is null or quorate.current_key_id() is not null
    or not quorate.has_role('builder', 'approver', 'admin') then
    raise exception 'builders, approvers and admins assess agents' using errcode = 'QI002';
  end if;
  if not quorate.is_agent(v_workspace, p_agent) then raise exception 'no such agent' using errcode = 'QI001'; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('assessment:' || p_agent::text, 0));
  select coalesce(max(a.number), 0) into v_number from quorate.impact_assessments a
    where a.workspace_id = v_workspace and a.agent_id = p_agent;
  if v_number <> p_seen then raise exception 'somebody was quicker' using errcode = 'QI007'; end if;
  insert into quorate.impact_assessments (id, workspace_id, agent_id, number, answers, facts, made_by)
    values (p_id, v_workspace, p_agent, v_number + 1, p_answers, p_facts, quorate.current_user_id());
  return v_number + 1;
end $$;

create trigger immutable before update on quorate.impact_assessments for each row execute function quorate.refuse_change();
create constraint trigger audited after insert on quorate.impact_assessments
  deferrable initially deferred for each row execute function quorate.require_audit_event();

create policy read_assessments on quorate.impact_assessments for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and (select quorate.sees_all_runs()));

grant select on quorate.impact_assessments to quorate_member;
revoke all on function quorate.put_impact_assessment(uuid, uuid, int, jsonb, jsonb) from public;
grant execute on function quorate.put_impact_assessment(uuid, uuid, int, jsonb, jsonb) to quorate_member;

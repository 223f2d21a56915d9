-- The inventory of agents: who answers for each, what it is for, its risk class, and when it is looked at again.

create table quorate.agent_records (
  agent_id uuid primary key, -- the agent that was written here, or the connection to one elsewhere
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  owner_id uuid, -- a member
  purpose text not null default '' check (length(purpose) <= 2000),
  risk_class text check (risk_class in ('minimal', 'limited', 'high', 'prohibited')), -- of the AI Act
  data_classes text[] not null default '{}',
  review_on date,
  reviewed_by uuid not null, -- who wrote this last
  reviewed_at timestamptz not null default clock_timestamp(),
  told_of date, -- the review day of which its owner was told that it is over
  unique (workspace_id, agent_id)
);
create index agent_records_due on quorate.agent_records (review_on) where review_on is distinct from told_of;
alter table quorate.agent_records enable row level security;

create function quorate.lowers_risk(p_before text, p_after text) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(pg_catalog.array_position(array['minimal', 'limited', 'high', 'prohibited'], p_after), 0)
    < coalesce(pg_catalog.array_position(array['minimal', 'limited', 'high', 'prohibited'], p_before), 0)
$$;

-- Whether this is an agent of the workspace: one that was written here, or a connection to one.
create function quorate.is_agent(p_workspace uuid, p_agent uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.artifacts a
      where a.id = p_agent and a.workspace_id = p_workspace and a.kind = 'agent' and a.deleted_at is null)
    or exists (select from quorate.connections c
      where c.id = p_agent and c.workspace_id = p_workspace and c.kind = 'a2a' and c.deleted_at is null)
$$;

-- Writes the record of an agent. Builders, approvers and admins, in person. `p_record`: { owner, purpose, riskClass, dataClasses,
-- reviewOn }.
create function quorate.put_agent_record(p_agent uuid, p_record jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.current_workspace_id(); v_owner uuid := (p_record ->> 'owner')::uuid;
begin
  if quorate.current_user_id() is null or quorate.current_key_id() is not null
    or not quorate.has_role('builder', 'approver', 'admin') then
    raise exception 'builders, approvers and admins keep the inventory' using errcode = 'QI002';
  end if;
  if not quorate.is_agent(v_workspace, p_agent) then raise exception 'no such agent' using errcode = 'QI001'; end if;
  if v_owner is not null and not exists (select from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_owner) then
    raise exception 'the owner is no member' using errcode = 'QI006';
  end if;
  insert into quorate.agent_records as r (agent_id, workspace_id, owner_id, purpose, risk_class, data_classes, review_on, reviewed_by)
  values (p_agent, v_workspace, v_owner, p_record ->> 'purpose', p_record ->> 'riskClass',
    (select coalesce(pg_catalog.array_agg(c), '{}') from pg_catalog.jsonb_array_elements_text(p_record -> 'dataClasses') c),
    (p_record ->> 'reviewOn')::date, quorate.current_user_id())
  on conflict (agent_id) do update set owner_id = excluded.owner_id, purpose = excluded.purpose, risk_class = excluded.risk_class,
    data_classes = excluded.data_classes, review_on = excluded.review_on, reviewed_by = excluded.reviewed_by,
    reviewed_at = pg_catalog.clock_timestamp();
end $$;

-- The owner of a record who is still a member; null: it is unowned.
create function quorate.owner_of_agent(r quorate.agent_records) returns uuid
language sql stable security definer set search_path = '' as $$
  select m.user_id from quorate.members m where m.workspace_id = r.workspace_id and m.user_id = r.owner_id
$$;

-- Tells the owner once that the day of a review is over, and the admins where nobody owns the agent. Answers how many records.
create function quorate.remind_agent_reviews() returns int language plpgsql security definer set search_path = '' as $$
declare r quorate.agent_records; v_count int := 0; v_owner uuid; v_name text;
begin
  perform quorate.require_session();
  for r in select * from quorate.agent_records x where x.review_on is distinct from x.told_of
    and x.review_on < (pg_catalog.clock_timestamp() at time zone 'UTC')::date
    order by x.review_on limit 200 for update skip locked loop
    update quorate.agent_records x set told_of = r.review_on where x.agent_id = r.agent_id;
    continue when not quorate.is_agent(r.workspace_id, r.agent_id);
    v_owner := quorate.owner_of_agent(r);
    select coalesce((select a.name from quorate.artifacts a where a.id = r.agent_id),
      (select c.name from quorate.connections c where c.id = r.agent_id)) into v_name;
    perform quorate.notify(r.workspace_id,
      case when v_owner is null then quorate.members_with(r.workspace_id, 'admin') else array[v_owner] end, 'review', 'notifyAgentReview',
      pg_catalog.jsonb_build_object('agent', v_name, 'due', r.review_on::text),
      pg_catalog.jsonb_build_object('kind', 'inventory', 'id', r.agent_id), 'agent-review:' || r.agent_id || ':' || r.review_on);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

create constraint trigger audited after insert on quorate.agent_records
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.agent_records deferrable initially deferred for each row
  when (row(old.owner_id, old.purpose, old.risk_class, old.data_classes, old.review_on, old.reviewed_at) is distinct from
    row(new.owner_id, new.purpose, new.risk_class, new.data_classes, new.review_on, new.reviewed_at))
  execute function quorate.require_audit_event();

-- Whoever sees all runs, and the owner.
create policy read_records on quorate.agent_records for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and ((select quorate.sees_all_runs()) or owner_id = (select quorate.current_user_id())));

grant select on quorate.agent_records to quorate_member;
revoke all on function quorate.lowers_risk(text, text), quorate.is_agent(uuid, uuid), quorate.put_agent_record(uuid, jsonb),
  quorate.owner_of_agent(quorate.agent_records), quorate.remind_agent_reviews() from public;
grant execute on function quorate.put_agent_record(uuid, jsonb) to quorate_member;
grant execute on function quorate.remind_agent_reviews() to quorate_app;

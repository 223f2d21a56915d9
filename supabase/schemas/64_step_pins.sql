-- Outputs that authors pinned to steps of a draft: data for its previews and tests. No worker reads them, so that no live run can.

create table quorate.step_pins (
  workspace_id uuid not null,
  artifact_id uuid not null,
  step_id text not null,
  output quorate.ordered_json not null,
  run_id uuid not null, -- the test run that gave it
  pinned_by uuid not null,
  pinned_at timestamptz not null default now(),
  primary key (artifact_id, step_id),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade,
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index step_pins_run on quorate.step_pins (run_id);
alter table quorate.step_pins enable row level security;

create constraint trigger audited after insert or update or delete on quorate.step_pins
  deferrable initially deferred for each row execute function quorate.require_audit_event();

create policy read_pins on quorate.step_pins for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
create policy author_inserts on quorate.step_pins for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and pinned_by = (select quorate.current_user_id())
    and (select quorate.has_role('builder'))
    and exists (select from quorate.runs r where r.id = run_id and r.artifact_id = step_pins.artifact_id and r.trial ->> 'kind' = 'step'));
create policy author_deletes on quorate.step_pins for delete to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
create policy key_reads on quorate.step_pins as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.step_pins as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.step_pins as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.step_pins as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant select, insert, delete on quorate.step_pins to quorate_member;

-- After an edit: the pin of a step that has another id goes with it, and those of steps that are gone are dropped. Answers their ids.
-- Takes the right to edit the draft, also of a key, which can neither read nor set a pin.
create function quorate.settle_pins(p_artifact uuid, p_from text, p_to text, p_steps text[]) returns text[]
language plpgsql security definer set search_path = '' as $$
declare v_gone text[];
begin
  if (quorate.has_role('builder') and quorate.key_may('workflows:write')) is not true then
    raise exception 'may not edit' using errcode = '42501';
  end if;
  update quorate.step_pins p set step_id = p_to
  where p.workspace_id = quorate.current_workspace_id() and p.artifact_id = p_artifact and p.step_id = p_from
    and not exists (select from quorate.step_pins o where o.artifact_id = p_artifact and o.step_id = p_to);
  with gone as (
    delete from quorate.step_pins p
    where p.workspace_id = quorate.current_workspace_id() and p.artifact_id = p_artifact and p.step_id <> all (p_steps)
    returning p.step_id)
  select coalesce(pg_catalog.array_agg(g.step_id order by g.step_id), '{}') into v_gone from gone g;
  return v_gone;
end $$;

revoke all on function quorate.settle_pins(uuid, text, text, text[]) from public;
grant execute on function quorate.settle_pins(uuid, text, text, text[]) to quorate_member;

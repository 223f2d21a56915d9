-- After an edit: the pin of a step that has another id goes with it, and those of steps that are gone are dropped. Answers their ids.
-- Whoever may edit the draft may do this, also with a key, which can neither read nor set a pin.
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

-- One rule says whether the approval of a tool waits for another person: the guard had a copy of it, and both let pass whatever they could
-- not read. A workspace, a connection or a definition that is not found now counts as one with effects whose workspace asks for a review.

drop function quorate.review_of_tool(uuid);

create function quorate.review_of_tool(p_kind text, p_connection uuid, variadic p_definitions jsonb[]) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when not coalesce((select w.reviews_effects from quorate.workspaces w where w.id = quorate.current_workspace_id()), true) then 'none'
    when not coalesce((select pg_catalog.bool_or(quorate.tool_has_effects(p_kind, n.endpoint, d))
      from quorate.connections n cross join unnest(p_definitions) d
      where n.id = p_connection and n.workspace_id = quorate.current_workspace_id()), true) then 'none'
    when quorate.second_person_agrees() then 'needed'
    else 'alone' end
$$;

create or replace function quorate.guard_tool() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and new.approved_fingerprint is not null
    and quorate.review_of_tool(new.kind, new.connection_id, new.definition::jsonb, new.approved_definition::jsonb) = 'needed' then
    raise exception 'a second person agrees to what has effects' using errcode = 'QP005';
  end if;
  return new;
end $$;

revoke all on function quorate.review_of_tool(text, uuid, jsonb[]) from public;
grant execute on function quorate.review_of_tool(text, uuid, jsonb[]) to quorate_member;
revoke execute on function quorate.tool_has_effects(text, text, jsonb) from quorate_member;

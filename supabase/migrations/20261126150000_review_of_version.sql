-- Whether a version waits for another person is answered of the workspace of the transaction alone. A member could name any workspace, and
-- learned whether it asks for a review and which of its tools only read.

drop function quorate.my_review_of_version(json);
drop function quorate.review_of_version(uuid, jsonb);

create function quorate.review_of_version(p_document jsonb) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when not coalesce((select w.reviews_effects from quorate.workspaces w where w.id = quorate.current_workspace_id()), true) then 'none'
    when not quorate.has_effects(quorate.current_workspace_id(), p_document) then 'none'
    when quorate.second_person_agrees() then 'needed'
    else 'alone' end
$$;

create or replace function quorate.guard_version_in_force() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.review_of_version(
    (select v.document::jsonb from quorate.versions v where v.id = new.published_version_id)) = 'needed' then
    raise exception 'a second person agrees to what is in force' using errcode = 'QP005';
  end if;
  return new;
end $$;

revoke all on function quorate.review_of_version(jsonb) from public;
grant execute on function quorate.review_of_version(jsonb) to quorate_member;

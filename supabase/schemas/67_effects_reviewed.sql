-- Whatever has effects outside is put into force by two: where the workspace asks for it, another person agrees to the publication of a
-- version that has them, and to the approval of a tool or a skill that has them.

-- Whether a tool or skill of a peer does something outside; one whose definition does not say that it only reads is supposed to.
create function quorate.tool_has_effects(p_kind text, p_endpoint text, p_definition jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select p_kind <> 'model' and not coalesce(p_endpoint like 'builtin:%', false) and case
    when p_definition ->> 'effect' in ('reads', 'writes') then p_definition ->> 'effect' = 'writes'
    else p_definition #>> '{annotations,readOnlyHint}' is distinct from 'true' end
$$;

-- Whether a version would do something outside: send a message, write by HTTP, run another workflow, or call a tool, a skill or an agent
-- of a peer whose definition does not say that it only reads. Steps and the tools of agents frozen with the version are found wherever they
-- stand.
create function quorate.has_effects(p_workspace uuid, p_document jsonb) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_document is null or exists (select from pg_catalog.jsonb_path_query(p_document, 'strict $.** ? (exists(@.kind))') x
    where x ->> 'kind' in ('message', 'sub_workflow')
      or (x ->> 'kind' = 'http' and coalesce(x ->> 'capability', '') not in ('GET', 'HEAD'))
      or (x ->> 'kind' in ('tool', 'skill', 'agent') and coalesce(x ->> 'connection', '') <> '@agents' and not exists (
        select from quorate.connections n join quorate.capabilities c on c.connection_id = n.id
          where n.workspace_id = p_workspace and n.slug = x ->> 'connection' and n.deleted_at is null and c.name = x ->> 'capability'
            and not quorate.tool_has_effects(c.kind, n.endpoint, c.definition::jsonb))))
$$;

-- Whether another person agrees to a version of this content first: 'needed'; 'alone' where there would be nobody; 'none' where the
-- workspace does not ask, or nothing has effects. Of the workspace of the transaction alone: its members may ask, and whoever could name
-- another workspace would learn what its peers offer and whether it asks for a review.
create function quorate.review_of_version(p_document jsonb) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when not coalesce((select w.reviews_effects from quorate.workspaces w where w.id = quorate.current_workspace_id()), true) then 'none'
    when not quorate.has_effects(quorate.current_workspace_id(), p_document) then 'none'
    when quorate.second_person_agrees() then 'needed'
    else 'alone' end
$$;

-- Nobody puts such a version into force past the agreement, nor ends the review, by whatever path.
create function quorate.guard_version_in_force() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.review_of_version(
    (select v.document::jsonb from quorate.versions v where v.id = new.published_version_id)) = 'needed' then
    raise exception 'a second person agrees to what is in force' using errcode = 'QP005';
  end if;
  return new;
end $$;

-- The same of the approval of a tool or skill with these definitions. One of a connection that the workspace does not have, or of which
-- nothing is known, has effects.
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

create function quorate.guard_tool() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and new.approved_fingerprint is not null
    and quorate.review_of_tool(new.kind, new.connection_id, new.definition::jsonb, new.approved_definition::jsonb) = 'needed' then
    raise exception 'a second person agrees to what has effects' using errcode = 'QP005';
  end if;
  return new;
end $$;

create function quorate.guard_settings() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.needs_second_person(new.id, quorate.current_user_id(), null) then
    raise exception 'a second person agrees to weaker settings' using errcode = 'QP005';
  end if;
  return new;
end $$;

-- Personal data to a connection, and calls of it that are repeated: each is permitted by two. What is built in runs in this process.
create function quorate.guard_permits() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and quorate.needs_second_person(new.workspace_id, quorate.current_user_id(), null) then
    raise exception 'a second person agrees to what a connection may have' using errcode = 'QP005';
  end if;
  return new;
end $$;

create trigger guard_new_permits before insert on quorate.connections for each row
  when ((new.personal_data_allowed or new.idempotent) and new.endpoint not like 'builtin:%') execute function quorate.guard_permits();
create trigger guard_permits before update on quorate.connections for each row
  when ((new.personal_data_allowed and not old.personal_data_allowed or new.idempotent and not old.idempotent)
    and new.endpoint not like 'builtin:%')
  execute function quorate.guard_permits();
create trigger guard_new_version before insert on quorate.artifacts for each row
  when (new.kind in ('workflow', 'agent') and new.published_version_id is not null) execute function quorate.guard_version_in_force();
create trigger guard_version_in_force before update on quorate.artifacts for each row
  when (new.kind in ('workflow', 'agent') and new.published_version_id is not null
    and old.published_version_id is distinct from new.published_version_id) execute function quorate.guard_version_in_force();
create trigger guard_settings before update on quorate.workspaces for each row
  when (old.reviews_effects and not new.reviews_effects) execute function quorate.guard_settings();
create trigger guard_new_tool before insert on quorate.capabilities for each row
  when (new.approved_fingerprint is not null) execute function quorate.guard_tool();
create trigger guard_tool before update on quorate.capabilities for each row
  when (row(old.approved_fingerprint, old.approved_definition::text) is distinct from
    row(new.approved_fingerprint, new.approved_definition::text))
  execute function quorate.guard_tool();

revoke all on function quorate.tool_has_effects(text, text, jsonb), quorate.review_of_tool(text, uuid, jsonb[]), quorate.guard_tool(),
  quorate.has_effects(uuid, jsonb), quorate.review_of_version(jsonb), quorate.guard_version_in_force(),
  quorate.guard_settings(), quorate.guard_permits() from public;
grant execute on function quorate.review_of_tool(text, uuid, jsonb[]), quorate.review_of_version(jsonb) to quorate_member;

-- The note that the last admin keeps their role is JSON, as the rest of what the function answers.
create or replace function quorate.give_directory_roles(p quorate.directory_people, p_agreed boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare m quorate.members; v_roles text[]; v_kept boolean := false;
begin
  select * into m from quorate.members x where x.workspace_id = p.workspace_id and x.user_id = p.user_id for update;
  v_roles := coalesce(quorate.directory_roles(p), m.roles);
  if m.user_id is null then return '{"state": "same"}'; end if;
  -- a workspace keeps an admin, and who goes on a day that is known is none
  if 'admin' = any (m.roles) and not 'admin' = any (v_roles) and not exists (select from quorate.members o
      where o.workspace_id = p.workspace_id and o.user_id <> p.user_id and 'admin' = any (o.roles)) then
    v_roles := v_roles || '{admin}'; v_kept := true;
  elsif m.ends_at is not null then
    v_roles := array_remove(v_roles, 'admin');
    if cardinality(v_roles) = 0 then v_roles := '{user}'; end if;
  end if;
  if v_roles @> m.roles and m.roles @> v_roles then
    return pg_catalog.jsonb_build_object('state', 'same', 'user', p.user_id)
      || case when v_kept then '{"adminKept": true}'::jsonb else '{}' end;
  end if;
  if exists (select from unnest(array['approver', 'auditor', 'admin']) r where (r = any (v_roles)) <> (r = any (m.roles)))
    and not p_agreed and not quorate.directory_moves_control() then
    raise exception 'nobody has confirmed this token' using errcode = 'QD001';
  end if;
  update quorate.members x set roles = v_roles where x.workspace_id = p.workspace_id and x.user_id = p.user_id;
  return pg_catalog.jsonb_build_object('state', 'changed', 'user', p.user_id, 'before', m.roles, 'after', v_roles)
    || case when v_kept then '{"adminKept": true}'::jsonb else '{}' end;
end $$;

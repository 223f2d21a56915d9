-- Domains that a workspace has proven let its people join silently, and groups give roles as they do at a sign-in of the company.

create or replace function quorate.speaks_for(p_workspace uuid, p_email text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.verified_domains d where d.workspace_id = p_workspace and d.verified_at is not null
    and d.domain = substring(lower(p_email) from '@([^@]+)$'))
$$;

create function quorate.directory_groups_of(p_person quorate.directory_people) returns text[]
language sql stable security definer set search_path = '' as $$
  select array(select o.display_name from quorate.directory_group_people g join quorate.directory_groups o on o.id = g.group_id
    where g.workspace_id = p_person.workspace_id and g.person_id = p_person.id)
$$;

drop function quorate.directory_decides(uuid);

create function quorate.directory_decides(p_user uuid, p_roles text[]) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.directory_people p
    join quorate.members m on m.workspace_id = p.workspace_id and m.user_id = p.user_id
    join quorate.group_roles g on g.workspace_id = p.workspace_id cross join unnest(g.roles) r
    where p.workspace_id = quorate.current_workspace_id() and p.user_id = p_user and p.active and p.deleted_at is null
      and (p_roles is null or (r = any (m.roles)) <> (r = any (p_roles))))
$$;

create or replace function quorate.give_directory_roles(p quorate.directory_people, p_agreed boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare m quorate.members; v_roles text[]; v_groups text[] := quorate.directory_groups_of(p); v_kept jsonb := '{}';
begin
  select * into m from quorate.members x where x.workspace_id = p.workspace_id and x.user_id = p.user_id for update;
  if m.user_id is null then return '{"state": "same"}'; end if;
  v_roles := quorate.roles_by_groups(p.workspace_id, p.user_id, m.roles, v_groups, m.ends_at is null);
  if 'admin' = any (v_roles)
    and exists (select from quorate.group_roles g where g.workspace_id = p.workspace_id and 'admin' = any (g.roles))
    and not exists (select from quorate.group_roles g where g.workspace_id = p.workspace_id and 'admin' = any (g.roles)
      and g.group_name = any (v_groups)) then
    v_kept := '{"adminKept": true}';
  end if;
  if v_roles @> m.roles and m.roles @> v_roles then
    return pg_catalog.jsonb_build_object('state', 'same', 'user', p.user_id) || v_kept;
  end if;
  if exists (select from unnest(array['approver', 'auditor', 'admin']) r where (r = any (v_roles)) <> (r = any (m.roles)))
    and not p_agreed and not quorate.directory_moves_control() then
    raise exception 'nobody has confirmed this token' using errcode = 'QD001';
  end if;
  update quorate.members x set roles = v_roles where x.workspace_id = p.workspace_id and x.user_id = p.user_id;
  return pg_catalog.jsonb_build_object('state', 'changed', 'user', p.user_id, 'before', m.roles, 'after', v_roles) || v_kept;
end $$;

create or replace function quorate.settle_directory_person(p_person uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare p quorate.directory_people; m quorate.members; v_workspace uuid := quorate.current_workspace_id(); v_user uuid; v_email text;
  v_roles text[];
begin
  -- one after the other, as every change of members has it
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  select * into p from quorate.directory_people x where x.id = p_person and x.workspace_id = v_workspace for update;
  if p.id is null then return '{"state": "same"}'; end if;
  if p.deleted_at is not null or not p.active then
    update quorate.invitations i set withdrawn_at = now() where i.directory_person_id = p.id and i.accepted_at is null
      and i.declined_at is null and i.withdrawn_at is null;
    update quorate.invitations i set directory_person_id = null where i.directory_person_id = p.id and i.declined_at is not null;
    v_roles := quorate.end_directory_membership(v_workspace, p.user_id);
    return case when v_roles is null then '{"state": "same"}'
      else pg_catalog.jsonb_build_object('state', 'ended', 'user', p.user_id, 'before', v_roles) end;
  end if;
  v_user := p.user_id;
  if v_user is null and p.email is not null then
    select u.id into v_user from auth.users u join public.profiles f on f.id = u.id
      where u.email = lower(p.email) and u.email_confirmed_at is not null;
    if v_user is not null and (exists (select from quorate.directory_people x
          where x.workspace_id = v_workspace and x.user_id = v_user and x.deleted_at is null)
        or (not quorate.speaks_for(v_workspace, p.email)
          and not exists (select from quorate.members x where x.workspace_id = v_workspace and x.user_id = v_user))) then
      v_user := null;
    end if;
    if v_user is not null then update quorate.directory_people x set user_id = v_user where x.id = p.id returning * into p; end if;
  end if;
  if v_user is null then return quorate.invite_directory_person(p); end if;
  select * into m from quorate.members x where x.workspace_id = v_workspace and x.user_id = v_user for update;
  if m.user_id is null then
    v_roles := quorate.roles_by_groups(v_workspace, v_user, '{user}', quorate.directory_groups_of(p), true);
    if v_roles && array['approver', 'auditor', 'admin'] and not quorate.directory_moves_control() then
      raise exception 'nobody has confirmed this token' using errcode = 'QD001';
    end if;
    select u.email into v_email from auth.users u where u.id = v_user;
    insert into quorate.members (workspace_id, user_id, roles, name, email)
      select v_workspace, v_user, v_roles, left(coalesce(nullif(f.display_name, ''), p.display_name, v_email), 120), v_email
      from public.profiles f where f.id = v_user;
    update quorate.invitations i set withdrawn_at = now() where i.workspace_id = v_workspace and lower(i.email) = lower(v_email)
      and i.accepted_at is null and i.declined_at is null and i.withdrawn_at is null;
    return pg_catalog.jsonb_build_object('state', 'joined', 'user', v_user, 'after', v_roles);
  end if;
  return quorate.give_directory_roles(p, false);
end $$;

create or replace function quorate.link_directory_person() returns trigger language plpgsql security definer set search_path = '' as $$
declare p quorate.directory_people;
begin
  select * into p from quorate.directory_people x where x.workspace_id = new.workspace_id and x.deleted_at is null and x.active
    and (x.user_id = new.user_id or (x.user_id is null and lower(x.email) = lower(new.email)))
    order by x.user_id nulls last limit 1 for update;
  if p.id is null then return new; end if;
  if p.user_id is null and not exists (select from quorate.directory_people x
      where x.workspace_id = new.workspace_id and x.user_id = new.user_id and x.deleted_at is null) then
    update quorate.directory_people x set user_id = new.user_id where x.id = p.id;
  end if;
  new.roles := quorate.roles_by_groups(new.workspace_id, new.user_id, new.roles, quorate.directory_groups_of(p), new.ends_at is null);
  return new;
end $$;

drop function quorate.directory_roles(quorate.directory_people);
revoke all on function quorate.directory_groups_of(quorate.directory_people), quorate.directory_decides(uuid, text[]) from public;
grant execute on function quorate.directory_decides(uuid, text[]) to quorate_member;

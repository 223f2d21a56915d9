-- People who are no members yet are provisioned beside each other: a first run of thousands waited for one lock.
create or replace function quorate.settle_directory_person(p_person uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare p quorate.directory_people; m quorate.members; v_workspace uuid := quorate.current_workspace_id(); v_user uuid; v_email text;
  v_roles text[];
begin
  select * into p from quorate.directory_people x where x.id = p_person and x.workspace_id = v_workspace for update;
  if p.id is null then return '{"state": "same"}'; end if;
  if p.deleted_at is not null or not p.active then
    update quorate.invitations i set withdrawn_at = now() where i.directory_person_id = p.id and i.accepted_at is null
      and i.declined_at is null and i.withdrawn_at is null;
    update quorate.invitations i set directory_person_id = null where i.directory_person_id = p.id and i.declined_at is not null;
    if p.user_id is null then return '{"state": "same"}'; end if;
    perform from quorate.workspaces w where w.id = v_workspace for no key update;
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
  -- one after the other, as every change of members has it; whoever is no member yet waits for nobody
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
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

-- Before a change of what is there: one after the other, before any row is locked, so that no two wait for each other.
create function quorate.lock_directory() returns void language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  perform from quorate.workspaces w where w.id = quorate.current_workspace_id() for no key update;
end $$;

revoke all on function quorate.lock_directory() from public;
grant execute on function quorate.lock_directory() to quorate_directory;

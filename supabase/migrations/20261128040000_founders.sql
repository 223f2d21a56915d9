-- Whether an account that is in no workspace founds one is for the instance to say.
drop function quorate.ensure_account(uuid, text, text, uuid, text, text, uuid);

create function quorate.ensure_account(p_user uuid, p_email text, p_name text, p_workspace uuid, p_workspace_name text, p_slug text,
  p_event uuid, p_founds text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare v_ws uuid;
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
  select m.workspace_id into v_ws from quorate.members m where m.user_id = p_user order by m.created_at, m.workspace_id limit 1;
  if v_ws is not null then return v_ws; end if;
  if exists (select from quorate.invitations i join auth.users u on lower(u.email) = lower(i.email)
    where u.id = p_user and u.email_confirmed_at is not null and i.accepted_at is null and i.declined_at is null and i.withdrawn_at is null
      and i.expires_at > now()) then
    return null;
  end if;
  if p_founds is distinct from 'always' then
    if p_founds is distinct from 'first' then return null; end if;
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('first workspace', 0));
    if exists (select from quorate.workspaces w where not w.is_demo) then return null; end if;
  end if;
  perform quorate.found_workspace(p_user, p_email, p_name, p_workspace, p_workspace_name, p_slug, p_event);
  return p_workspace;
end $$;

revoke execute on function quorate.ensure_account(uuid, text, text, uuid, text, text, uuid, text) from public;
grant execute on function quorate.ensure_account(uuid, text, text, uuid, text, text, uuid, text) to quorate_app;

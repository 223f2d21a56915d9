-- A workspace keeps an admin, whoever changes members and however many do so at once: each change waits for the one before.
create function quorate.guard_last_admin() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform 1 from quorate.workspaces w where w.id = old.workspace_id for update;
  -- the workspace itself is going
  if not found then return null; end if;
  if not exists (select from quorate.members m where m.workspace_id = old.workspace_id and 'admin' = any (m.roles)) then
    raise exception 'a workspace needs an admin' using errcode = 'QM001';
  end if;
  return null;
end $$;
revoke all on function quorate.guard_last_admin() from public;
create trigger guard_last_admin_update after update of roles on quorate.members for each row
  when ('admin' = any (old.roles) and not 'admin' = any (new.roles)) execute function quorate.guard_last_admin();
create trigger guard_last_admin_delete after delete on quorate.members for each row
  when ('admin' = any (old.roles)) execute function quorate.guard_last_admin();

-- One link at a time works for an address.
create unique index invitations_one_open on quorate.invitations (workspace_id, lower(email)) where accepted_at is null and declined_at is null and withdrawn_at is null;

-- As before, and the new member carries the name that the person gave at sign-up.
create or replace function quorate.answer_invitation(p_token_hash bytea, p_user uuid, p_session uuid, p_accept boolean, p_name text, p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_email text; v_name text;
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now())) then raise exception 'session is over' using errcode = 'QP001'; end if;
  select u.email into v_email from auth.users u where u.id = p_user and u.email_confirmed_at is not null;
  select * into i from quorate.invitations x where x.token_hash = p_token_hash for update;
  if i.id is null or i.accepted_at is not null or i.declined_at is not null or i.withdrawn_at is not null or i.expires_at <= now() then raise exception 'invitation is over' using errcode = 'QP006'; end if;
  if v_email is null or lower(v_email) <> lower(i.email) then raise exception 'invitation is for another address' using errcode = 'QP007'; end if;
  update quorate.invitations x set accepted_at = case when p_accept then now() end, declined_at = case when not p_accept then now() end where x.id = i.id;
  select coalesce(nullif(p.display_name, ''), p_name) into v_name from public.profiles p where p.id = p_user;
  v_name := coalesce(v_name, p_name);
  if p_accept then
    insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
    insert into quorate.members (workspace_id, user_id, roles, name, email) values (i.workspace_id, p_user, i.roles, v_name, v_email) on conflict (workspace_id, user_id) do nothing;
  end if;
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
    values (p_event, i.workspace_id, 'member', p_user, v_name, case when p_accept then 'invitation.accepted' else 'invitation.declined' end, 'invitation', i.id::text, i.email, jsonb_build_object('roles', i.roles), pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  return i.workspace_id;
end $$;

-- Everybody may change how they are called in the current workspace; their roles stay an admin's matter.
create function quorate.rename_self(p_name text) returns void
language sql security definer set search_path = '' as $$
  update quorate.members set name = p_name
  where workspace_id = quorate.current_workspace_id() and user_id = quorate.current_user_id() and quorate.current_key_id() is null
$$;
revoke all on function quorate.rename_self(text) from public;
grant execute on function quorate.rename_self(text) to quorate_member;

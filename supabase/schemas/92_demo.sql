-- The demo.

-- True until anybody has a workspace: the only state in which a demo is begun.
create function quorate.is_untouched() returns boolean language sql stable security definer set search_path = ''
  as $$
  select quorate.require_session();
  select not exists (select from quorate.workspaces)
$$;

-- Profiles, workspace and members of the people given ([{ id, name, email, roles }]), whose accounts are confirmed.
-- Idempotent: answers the workspace that stands.
create function quorate.make_demo_workspace(p_workspace uuid, p_name text, p_slug text, p_people jsonb, p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare v_ws uuid;
begin
  perform quorate.require_session();
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('demo workspace', 0));
  select w.id into v_ws from quorate.workspaces w where w.is_demo;
  if v_ws is not null then return v_ws; end if;
  if exists (select from quorate.workspaces) then raise exception 'a demo is made on the very first start alone'
    using errcode = 'QP006'; end if;
  insert into public.profiles (id, display_name) select (p ->> 'id')::uuid, p ->> 'name'
    from pg_catalog.jsonb_array_elements(p_people) p on conflict (id) do nothing;
  -- whoever looks around in the demo is one person in turn: a publication that waits for the next would only stop them
  insert into quorate.workspaces (id, name, slug, plan, is_demo, reviews_effects)
    values (p_workspace, p_name, p_slug, 'enterprise', true, false);
  insert into quorate.members (workspace_id, user_id, roles, name, email)
    select p_workspace, u.id, array(select pg_catalog.jsonb_array_elements_text(p -> 'roles')), p ->> 'name', u.email
    from pg_catalog.jsonb_array_elements(p_people) p join auth.users u on u.id = (p ->> 'id')::uuid and u.email_confirmed_at is not null;
  if (select count(*) from quorate.members m where m.workspace_id = p_workspace) <> pg_catalog.jsonb_array_length(p_people) then
    raise exception 'a person of the demo has no confirmed account' using errcode = 'QP007';
  end if;
  insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id, resource_name, payload, salt)
    values (p_event, p_workspace, 'system', 'workspace.created', 'workspace', p_workspace::text, p_name, '{"demo": true}',
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  return p_workspace;
end $$;

revoke all on function quorate.is_untouched(), quorate.make_demo_workspace(uuid, text, text, jsonb, uuid) from public;
grant execute on function quorate.is_untouched(), quorate.make_demo_workspace(uuid, text, text, jsonb, uuid) to quorate_app;

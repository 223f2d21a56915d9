-- A company's own directory: people and groups that its identity provider keeps here, and the tokens for it.

set check_function_bodies = off;

do $$
begin
  if not exists (select from pg_roles where rolname = 'quorate_directory') then create role quorate_directory nologin noinherit; end if;
end $$;
grant quorate_directory to quorate_app;
grant usage on schema quorate to quorate_directory;
grant execute on function quorate.part_of_principal(int), quorate.current_workspace_id(), quorate.current_key_id() to quorate_directory;

alter table quorate.invitations add column directory_person_id uuid;
create index invitations_directory on quorate.invitations (directory_person_id) where directory_person_id is not null;
alter table quorate.audit_events drop constraint audit_events_actor_kind_check, add constraint audit_events_actor_kind_check
  check (actor_kind in ('member', 'key', 'trigger', 'peer', 'worker', 'system', 'directory'));

create table quorate.directory_tokens (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  name text not null check (length(name) between 1 and 80),
  prefix text not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- Another person than who made it: until then it moves no role of control, where there is somebody who could agree.
  confirmed_by uuid,
  confirmed_at timestamptz,
  constraint directory_tokens_lifetime check (expires_at <= created_at + interval '367 days'),
  constraint directory_tokens_confirmed check ((confirmed_by is null) = (confirmed_at is null) and confirmed_by <> created_by)
);
create index directory_tokens_list on quorate.directory_tokens (workspace_id, created_at desc);
alter table quorate.directory_tokens enable row level security;

-- One row a person. Nothing is kept that the product has no use for: other attributes of RFC 7643 are taken and forgotten.
create table quorate.directory_people (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_name text not null check (length(user_name) between 1 and 254),
  external_id text check (length(external_id) between 1 and 254),
  display_name text check (length(display_name) between 1 and 254),
  given_name text check (length(given_name) between 1 and 254),
  family_name text check (length(family_name) between 1 and 254),
  formatted_name text check (length(formatted_name) between 1 and 254),
  emails jsonb not null default '[]', -- [{ value, type, primary }]
  email text check (length(email) between 1 and 254), -- the one that an account is known by
  active boolean not null default true,
  user_id uuid references public.profiles (id) on delete set null, -- whose account this is, once they have joined
  revision int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  unique (workspace_id, id)
);
create unique index directory_people_user_name on quorate.directory_people (workspace_id, lower(user_name)) where deleted_at is null;
create unique index directory_people_account on quorate.directory_people (workspace_id, user_id)
  where deleted_at is null and user_id is not null;
create index directory_people_external_id on quorate.directory_people (workspace_id, external_id);
create index directory_people_list on quorate.directory_people (workspace_id, created_at, id) where deleted_at is null;
create index directory_people_email on quorate.directory_people (lower(email)) where deleted_at is null;
alter table quorate.directory_people enable row level security;

create table quorate.directory_groups (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  display_name text not null check (length(display_name) between 1 and 254),
  external_id text check (length(external_id) between 1 and 254),
  revision int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id)
);
create unique index directory_groups_name on quorate.directory_groups (workspace_id, lower(display_name));
alter table quorate.directory_groups enable row level security;

create table quorate.directory_group_people (
  workspace_id uuid not null,
  group_id uuid not null,
  person_id uuid not null,
  primary key (group_id, person_id),
  foreign key (workspace_id, group_id) references quorate.directory_groups (workspace_id, id) on delete cascade,
  foreign key (workspace_id, person_id) references quorate.directory_people (workspace_id, id) on delete cascade
);
create index directory_group_people_person on quorate.directory_group_people (workspace_id, person_id);
alter table quorate.directory_group_people enable row level security;

-- The calls that were refused last, and why: what an admin looks at when somebody does not arrive.
create table quorate.directory_refusals (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  token_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  method text not null,
  path text not null,
  status int not null,
  detail text not null
);
create index directory_refusals_list on quorate.directory_refusals (workspace_id, at desc);
alter table quorate.directory_refusals enable row level security;

-- The directory of a workspace, by its token. Refuses as `become_key`.
create function quorate.become_directory(p_token_hash bytea)
  returns table (token_id uuid, token_name text, workspace_id uuid, workspace_name text, slug text)
language plpgsql security definer set search_path = '' as $$
declare t record;
begin
  perform quorate.require_session();
  select d.id, d.name, d.workspace_id, d.last_used_at, w.name as workspace, w.slug into t
    from quorate.directory_tokens d join quorate.workspaces w on w.id = d.workspace_id
    where d.token_hash = p_token_hash and d.revoked_at is null and d.expires_at > pg_catalog.clock_timestamp();
  if t.id is null then raise exception 'unknown token' using errcode = 'QP003'; end if;
  token_id := t.id; token_name := t.name; workspace_id := t.workspace_id; workspace_name := t.workspace; slug := t.slug;
  perform quorate.open_principal(null, null, t.workspace_id, null, t.id, '{}', null);
  if t.last_used_at is null or t.last_used_at < now() - interval '1 minute' then
    update quorate.directory_tokens d set last_used_at = now()
      where d.id = t.id and (d.last_used_at is null or d.last_used_at < now() - interval '1 minute');
  end if;
  return next;
end $$;

-- The same, counted against the pace of the token: `wait`: seconds until it may call again, 0 when it may now. What is written here need
-- not outlive a crash, so that no call waits for the disk.
create function quorate.open_directory(p_token_hash bytea, p_ceiling int)
  returns table (token_id uuid, token_name text, workspace_id uuid, workspace_name text, slug text, wait int)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  perform pg_catalog.set_config('synchronous_commit', 'off', true);
  select b.token_id, b.token_name, b.workspace_id, b.workspace_name, b.slug
    into token_id, token_name, workspace_id, workspace_name, slug from quorate.become_directory(p_token_hash) b;
  wait := quorate.take_limit('directoryPace:' || token_id, p_ceiling, 60);
  return next;
end $$;

-- Whether this token may give and take roles of control: another person has confirmed it, or there is nobody else who could.
create function quorate.directory_moves_control() returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.directory_tokens t
    where t.id = quorate.current_key_id() and t.workspace_id = quorate.current_workspace_id()
      and (t.confirmed_by is not null or not quorate.needs_second_person(t.workspace_id, t.created_by, null)))
$$;

-- Whether a workspace may speak for the domain of this address, so that its people join without being asked.
create function quorate.speaks_for(p_workspace uuid, p_email text) returns boolean
language sql stable security definer set search_path = '' as $$
  select false
$$;

-- The roles that the groups of a person give them, everybody's where no group does; null where the workspace maps none, so that its admins
-- decide about roles.
create function quorate.directory_roles(p_person quorate.directory_people) returns text[]
language sql stable security definer set search_path = '' as $$
  select case when exists (select from quorate.group_roles a where a.workspace_id = p_person.workspace_id) then
    coalesce((select pg_catalog.array_agg(distinct r order by r) from quorate.directory_group_people g
      join quorate.directory_groups o on o.id = g.group_id
      join quorate.group_roles a on a.workspace_id = g.workspace_id and a.group_name = o.display_name
      cross join unnest(a.roles) r
      where g.workspace_id = p_person.workspace_id and g.person_id = p_person.id), '{user}') end
$$;

-- Whether a group of this name gives roles of control.
create function quorate.gives_control(p_workspace uuid, p_group text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.group_roles a where a.workspace_id = p_workspace and a.group_name = p_group
    and p_workspace = quorate.current_workspace_id() and a.roles && array['approver', 'auditor', 'admin'])
$$;

-- Who is in a group that gives roles of control is moved by a token that another person has confirmed, also before they have joined.
create function quorate.guard_directory_group() returns trigger language plpgsql set search_path = '' as $$
declare v_names text[]; v_workspace uuid := case tg_op when 'DELETE' then old.workspace_id else new.workspace_id end;
begin
  if current_user = 'quorate_directory' then
    if tg_table_name = 'directory_group_people' then
      v_names := array(select o.display_name from quorate.directory_groups o
        where o.id = case tg_op when 'DELETE' then old.group_id else new.group_id end);
    else
      v_names := array[case when tg_op <> 'INSERT' then old.display_name end, case when tg_op <> 'DELETE' then new.display_name end];
    end if;
    if exists (select from unnest(v_names) n where quorate.gives_control(v_workspace, n)) and not quorate.directory_moves_control() then
      raise exception 'nobody has confirmed this token' using errcode = 'QD001';
    end if;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

-- Whether this member is a person of the directory; every member may see it in the list.
create function quorate.is_provisioned(p_user uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.directory_people p where p.workspace_id = quorate.current_workspace_id() and p.user_id = p_user
    and p.deleted_at is null)
$$;

-- Whether the groups of the directory decide about this member's roles, so that nobody else does.
create function quorate.directory_decides(p_user uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.directory_people p where p.workspace_id = quorate.current_workspace_id() and p.user_id = p_user
    and p.active and p.deleted_at is null and quorate.directory_roles(p) is not null)
$$;

-- Ends a membership, or leaves the workspace its last admin (QM001). Answers the roles that it had; null: there was none.
create function quorate.end_directory_membership(p_workspace uuid, p_user uuid) returns text[]
language plpgsql security definer set search_path = '' as $$
declare m quorate.members;
begin
  select * into m from quorate.members x where x.workspace_id = p_workspace and x.user_id = p_user for update;
  if m.user_id is null then return null; end if;
  if m.roles && array['approver', 'auditor', 'admin'] and not quorate.directory_moves_control() then
    raise exception 'nobody has confirmed this token' using errcode = 'QD001';
  end if;
  delete from quorate.members x where x.workspace_id = p_workspace and x.user_id = p_user;
  return m.roles;
end $$;

-- Gives a member the roles that their groups give them. `p_agreed`: by a change to which another person has agreed.
create function quorate.give_directory_roles(p quorate.directory_people, p_agreed boolean) returns jsonb
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
    return pg_catalog.jsonb_build_object('state', 'same', 'user', p.user_id) || case when v_kept then '{"adminKept": true}' else '{}' end;
  end if;
  if exists (select from unnest(array['approver', 'auditor', 'admin']) r where (r = any (v_roles)) <> (r = any (m.roles)))
    and not p_agreed and not quorate.directory_moves_control() then
    raise exception 'nobody has confirmed this token' using errcode = 'QD001';
  end if;
  update quorate.members x set roles = v_roles where x.workspace_id = p.workspace_id and x.user_id = p.user_id;
  return pg_catalog.jsonb_build_object('state', 'changed', 'user', p.user_id, 'before', m.roles, 'after', v_roles)
    || case when v_kept then '{"adminKept": true}' else '{}' end;
end $$;

-- Another mapping of groups, to which a second person has agreed, is in force for everybody at once.
create function quorate.follow_group_roles() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := case tg_op when 'DELETE' then old.workspace_id else new.workspace_id end;
begin
  perform quorate.give_directory_roles(p, true) from quorate.directory_people p
    where p.workspace_id = v_workspace and p.user_id is not null and p.active and p.deleted_at is null
      and exists (select from quorate.workspaces w where w.id = v_workspace);
  return null;
end $$;

-- Brings a membership to what the directory says of its person, and answers what became of it: `state` is joined, invited, ended, changed
-- or same, with the roles `before` and `after`.
create function quorate.settle_directory_person(p_person uuid) returns jsonb
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
  v_roles := coalesce(quorate.directory_roles(p), m.roles, '{user}');
  if m.user_id is null then
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

-- Who has no account yet, or one that the workspace may not speak for, is invited: in the name of who made the token, for as long as the
-- directory has them, without a link that anybody could follow. Who has declined is not asked again until they were away from it.
create function quorate.invite_directory_person(p quorate.directory_people) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare v_open quorate.invitations;
begin
  select * into v_open from quorate.invitations i where i.directory_person_id = p.id and i.accepted_at is null and i.withdrawn_at is null
    and i.expires_at > now();
  if v_open.id is not null and lower(v_open.email) = lower(p.email) then return '{"state": "same"}'; end if;
  update quorate.invitations i set withdrawn_at = now() where i.id = v_open.id;
  if p.email is null then return '{"state": "same"}'; end if;
  insert into quorate.invitations (id, workspace_id, email, roles, token_hash, invited_by, expires_at, directory_person_id)
    select quorate.make_id(), p.workspace_id, lower(p.email), '{user}',
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()), t.created_by,
      now() + interval '10 years', p.id
    from quorate.directory_tokens t where t.id = quorate.current_key_id()
    on conflict (workspace_id, lower(email)) where accepted_at is null and declined_at is null and withdrawn_at is null do nothing;
  return '{"state": "invited"}';
end $$;

-- Whoever becomes a member in whichever way, and is known to the directory, is that person from then on, with the roles of their groups.
-- The address of a member is one that they have confirmed.
create function quorate.link_directory_person() returns trigger language plpgsql security definer set search_path = '' as $$
declare p quorate.directory_people; v_roles text[];
begin
  select * into p from quorate.directory_people x where x.workspace_id = new.workspace_id and x.deleted_at is null and x.active
    and (x.user_id = new.user_id or (x.user_id is null and lower(x.email) = lower(new.email)))
    order by x.user_id nulls last limit 1 for update;
  if p.id is null then return new; end if;
  if p.user_id is null and not exists (select from quorate.directory_people x
      where x.workspace_id = new.workspace_id and x.user_id = new.user_id and x.deleted_at is null) then
    update quorate.directory_people x set user_id = new.user_id where x.id = p.id;
  end if;
  v_roles := quorate.directory_roles(p);
  if new.ends_at is not null then v_roles := array_remove(v_roles, 'admin'); end if;
  if cardinality(v_roles) > 0 then new.roles := v_roles; end if;
  return new;
end $$;

-- At a sign-in: the workspaces that may speak for this person's confirmed address, and whose directory has them, take them in. Answers in
-- how many they are members now that they were not in before.
create function quorate.join_by_directory(p_user uuid, p_session uuid, p_name text) returns int
language plpgsql security definer set search_path = '' as $$
declare p quorate.directory_people; v_email text; v_name text; v_joined int := 0;
begin
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then raise exception 'session is over' using errcode = 'QP001'; end if;
  select u.email into v_email from auth.users u where u.id = p_user and u.email_confirmed_at is not null;
  for p in select * from quorate.directory_people x where lower(x.email) = lower(v_email) and x.active and x.deleted_at is null
      and x.user_id is null and quorate.speaks_for(x.workspace_id, v_email)
      and not exists (select from quorate.members m where m.workspace_id = x.workspace_id and m.user_id = p_user)
      order by x.created_at loop
    insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
    select left(coalesce(nullif(f.display_name, ''), p.display_name, p_name), 120) into v_name from public.profiles f where f.id = p_user;
    insert into quorate.members (workspace_id, user_id, roles, name, email) values (p.workspace_id, p_user, '{user}', v_name, v_email);
    update quorate.invitations i set accepted_at = now() where i.directory_person_id = p.id and i.accepted_at is null
      and i.declined_at is null and i.withdrawn_at is null;
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name,
      payload)
      select quorate.make_id(), p.workspace_id, 'member', p_user, v_name, 'member.joinedByDirectory', 'member', p_user::text, v_name,
        pg_catalog.jsonb_build_object('person', p.id, 'roles', m.roles)
      from quorate.members m where m.workspace_id = p.workspace_id and m.user_id = p_user;
    v_joined := v_joined + 1;
  end loop;
  return v_joined;
end $$;

-- Whether some workspace expects this address, so that its owner may have an account where registration is by invitation.
create function quorate.is_expected(p_email text) returns boolean language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select exists (select from quorate.directory_people p where lower(p.email) = lower(p_email) and p.active and p.deleted_at is null)
$$;

create function quorate.expects_somebody() returns boolean language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select exists (select from quorate.directory_people p where p.active and p.deleted_at is null and p.user_id is null)
$$;

-- A refused call; the last fifty of a workspace stay.
create function quorate.note_directory_refusal(p_id uuid, p_method text, p_path text, p_status int, p_detail text) returns void
language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.current_workspace_id();
begin
  perform quorate.require_session();
  insert into quorate.directory_refusals (id, workspace_id, token_id, method, path, status, detail)
    values (p_id, v_workspace, quorate.current_key_id(), left(p_method, 10), left(p_path, 200), p_status, left(p_detail, 500));
  delete from quorate.directory_refusals r where r.workspace_id = v_workspace and r.at < (select o.at from quorate.directory_refusals o
    where o.workspace_id = v_workspace order by o.at desc offset 49 limit 1);
end $$;

-- A token is confirmed once, by whoever does it, and lives no longer than was said when it was made.
create function quorate.guard_directory_token() returns trigger language plpgsql set search_path = '' as $$
begin
  if (new.confirmed_by is distinct from old.confirmed_by and (old.confirmed_by is not null
      or new.confirmed_by is distinct from quorate.current_user_id())) or new.expires_at > old.expires_at then
    raise exception 'a token is confirmed by another person, and never lengthened' using errcode = 'QP005';
  end if;
  return new;
end $$;

create trigger guard_directory_token before update of confirmed_by, expires_at on quorate.directory_tokens for each row
  execute function quorate.guard_directory_token();
create trigger follow_group_roles after insert or update or delete on quorate.group_roles for each row
  execute function quorate.follow_group_roles();
create trigger guard_directory_group before insert or delete on quorate.directory_group_people for each row
  execute function quorate.guard_directory_group();
create trigger guard_directory_group before delete or update of display_name on quorate.directory_groups for each row
  execute function quorate.guard_directory_group();
create trigger link_directory_person before insert on quorate.members for each row execute function quorate.link_directory_person();
create constraint trigger audited after insert or delete on quorate.directory_tokens
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.directory_tokens deferrable initially deferred for each row
  when (row(old.name, old.expires_at, old.revoked_at, old.confirmed_by) is distinct from row(new.name, new.expires_at, new.revoked_at,
    new.confirmed_by)) execute function quorate.require_audit_event();
create trigger stays_revoked before update of revoked_at on quorate.directory_tokens for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function quorate.refuse_change();
create constraint trigger audited after insert or delete on quorate.directory_people
  deferrable initially deferred for each row execute function quorate.require_audit_event();
-- whose account it is follows from what is recorded elsewhere, its erasure included
create constraint trigger audited_update after update on quorate.directory_people deferrable initially deferred for each row
  when (old.revision <> new.revision or old.active <> new.active or old.user_name <> new.user_name)
  execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.directory_groups
  deferrable initially deferred for each row execute function quorate.require_audit_event();

create policy admin_reads on quorate.directory_tokens for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
create policy admin_inserts on quorate.directory_tokens for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and created_by = (select quorate.current_user_id()) and confirmed_by is null);
create policy admin_updates on quorate.directory_tokens for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')))
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.directory_tokens as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.directory_tokens as restrictive for insert to quorate_member
  with check ((select quorate.key_may('')));
create policy key_updates on quorate.directory_tokens as restrictive for update to quorate_member using ((select quorate.key_may('')));

create policy admin_reads on quorate.directory_people for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
create policy key_reads on quorate.directory_people as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy directory_all on quorate.directory_people for all to quorate_directory
  using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));

create policy admin_reads on quorate.directory_groups for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
create policy key_reads on quorate.directory_groups as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy directory_all on quorate.directory_groups for all to quorate_directory
  using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));

create policy admin_reads on quorate.directory_group_people for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
create policy key_reads on quorate.directory_group_people as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy directory_all on quorate.directory_group_people for all to quorate_directory
  using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));

create policy admin_reads on quorate.directory_refusals for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
create policy key_reads on quorate.directory_refusals as restrictive for select to quorate_member using ((select quorate.key_may('')));

create policy directory_appends on quorate.audit_events for insert to quorate_directory
  with check (workspace_id = (select quorate.current_workspace_id()) and actor_kind = 'directory'
    and actor_id = (select quorate.current_key_id()) and leaf_index is null);

grant select, insert on quorate.directory_tokens to quorate_member;
grant update (expires_at, revoked_at, confirmed_by, confirmed_at) on quorate.directory_tokens to quorate_member;
grant select on quorate.directory_people, quorate.directory_groups, quorate.directory_group_people,
  quorate.directory_refusals to quorate_member;
grant select, insert on quorate.directory_people to quorate_directory;
grant update (user_name, external_id, display_name, given_name, family_name, formatted_name, emails, email, active, revision, changed_at,
  deleted_at) on quorate.directory_people to quorate_directory;
grant select, insert, delete on quorate.directory_groups to quorate_directory;
grant update (display_name, external_id, revision, changed_at) on quorate.directory_groups to quorate_directory;
grant select, insert, delete on quorate.directory_group_people to quorate_directory;
grant insert (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload,
  salt) on quorate.audit_events to quorate_directory;
revoke all on function quorate.become_directory(bytea), quorate.open_directory(bytea, int), quorate.directory_moves_control(),
  quorate.speaks_for(uuid, text), quorate.guard_directory_token(), quorate.directory_roles(quorate.directory_people),
  quorate.gives_control(uuid, text), quorate.guard_directory_group(), quorate.directory_decides(uuid), quorate.is_provisioned(uuid),
  quorate.give_directory_roles(quorate.directory_people, boolean), quorate.follow_group_roles(),
  quorate.end_directory_membership(uuid, uuid), quorate.settle_directory_person(uuid),
  quorate.invite_directory_person(quorate.directory_people), quorate.link_directory_person(),
  quorate.join_by_directory(uuid, uuid, text), quorate.is_expected(text), quorate.expects_somebody(),
  quorate.note_directory_refusal(uuid, text, text, int, text) from public;
grant execute on function quorate.open_directory(bytea, int), quorate.join_by_directory(uuid, uuid, text),
  quorate.is_expected(text), quorate.expects_somebody() to quorate_app;
grant execute on function quorate.directory_decides(uuid), quorate.is_provisioned(uuid) to quorate_member;
grant execute on function quorate.become_directory(bytea) to quorate_app, quorate_directory;
grant execute on function quorate.settle_directory_person(uuid), quorate.gives_control(uuid, text), quorate.directory_moves_control(),
  quorate.note_directory_refusal(uuid, text, text, int, text) to quorate_directory;

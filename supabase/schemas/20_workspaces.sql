-- Workspaces, their members, invitations, API keys and requests for a role.

create table quorate.workspaces (
  id uuid primary key,
  name text not null check (length(name) between 1 and 120),
  slug text not null unique check (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$'),
  plan text not null default 'professional' check (plan in ('starter', 'professional', 'enterprise')),
  trial_ends_at timestamptz,
  settings jsonb not null default '{}',
  is_demo boolean not null default false,
  halted_at timestamptz,
  halted_by uuid,
  config_revision bigint not null default 1,
  created_at timestamptz not null default now(),
  -- A halt says why, and another person than the one who asks lifts it: the release is an approval like any other, whose subject is this
  -- one halt. Only where the workspace has no other approver an administrator lifts it alone.
  halt_reason text check (length(halt_reason) between 1 and 500),
  -- What a workspace may reach inside, within what the instance allows: a list of hosts and networks. A new workspace reaches nothing.
  -- Those that there are keep all that the instance allows until an admin saves a list, so that no connection fails with the upgrade.
  private_network jsonb not null default '[]',
  -- A version that has effects is published only when another person agrees. Those that there were before publish as they did until an
  -- admin turns it on.
  reviews_effects boolean not null default true,
  -- How others can watch the log: whether anybody may read its hashes, who signs its heads with us and how many of them are needed, and
  -- who dates them.
  proof jsonb not null default '{"tiles": false, "quorum": 0, "witnesses": [], "authority": null}',
  -- The identity provider that counts, as it was agreed to, whether members of proven domains must sign in by it, and who is exempt.
  sign_in jsonb not null default '{"provider": null, "enforced": false, "exempt": []}',
  -- What it asks of the sessions of its people.
  session_rules jsonb not null default '{"hours": null, "idleMinutes": null, "factor": false, "networks": []}'
);
-- The demo workspace of the very first start: one at most, made whole or not at all.
create unique index workspaces_one_demo on quorate.workspaces (is_demo) where is_demo;
alter table quorate.workspaces enable row level security;

create table quorate.members (
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  roles text[] not null default '{user}' check (cardinality(roles) > 0
    and roles <@ array['user', 'builder', 'approver', 'auditor', 'admin']),
  name text not null check (length(name) between 1 and 120),
  email text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id),
  -- The first moment after a membership that ends on its own, an outside auditor's. A workspace needs its admins.
  ends_at timestamptz,
  constraint members_end check (ends_at is null or not 'admin' = any (roles))
);
create index members_user on quorate.members (user_id);
create index members_ending on quorate.members (ends_at) where ends_at is not null;
alter table quorate.members enable row level security;

create table quorate.preferences (
  user_id uuid primary key,
  settings jsonb not null default '{}',
  updated_at timestamptz not null default now(),
  -- Where a person worked last, so that the next sign-in, in whichever browser, leads there.
  last_workspace_id uuid references quorate.workspaces (id) on delete set null
);
alter table quorate.preferences enable row level security;

-- A member's own arrangement of one workspace. `here_at`: when they last had its dashboard open; `since_at`: when the visit before this
-- one ended. Null: there was none.
create table quorate.member_settings (
  workspace_id uuid not null,
  user_id uuid not null,
  settings jsonb not null default '{}',
  here_at timestamptz,
  since_at timestamptz,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade
);
alter table quorate.member_settings enable row level security;

create table quorate.invitations (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  email text not null,
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['user', 'builder', 'approver', 'auditor', 'admin']),
  token_hash bytea not null unique,
  invited_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  withdrawn_at timestamptz,
  -- When the membership ends that it leads to.
  member_until timestamptz,
  constraint invitations_end check (member_until is null or not 'admin' = any (roles)),
  -- The person of the company's directory for whom it stands open; no mail was sent for it.
  directory_person_id uuid
);
create index invitations_workspace on quorate.invitations (workspace_id, created_at desc);
-- One link at a time works for an address.
create unique index invitations_one_open on quorate.invitations (workspace_id, lower(email))
  where accepted_at is null and declined_at is null and withdrawn_at is null;
create index invitations_expiring on quorate.invitations (expires_at)
  where accepted_at is null and declined_at is null and withdrawn_at is null;
create index invitations_email on quorate.invitations (lower(email));
create index invitations_directory on quorate.invitations (directory_person_id) where directory_person_id is not null;
alter table quorate.invitations enable row level security;

create table quorate.api_keys (
  id uuid primary key,
  workspace_id uuid not null,
  user_id uuid not null,
  name text not null,
  prefix text not null,
  key_hash bytea not null unique,
  scopes text[] not null check (scopes <@ array['runs:read', 'runs:start', 'workflows:read', 'workflows:write', 'approvals:read',
    'audit:read']),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- A client that has this key by the person's consent, where it is meant for: no secret opens it, the client's tokens do.
  grant_id text unique,
  client_id text,
  resource text,
  -- The networks it may be used from, as CIDR; none: from everywhere.
  networks text[] not null default '{}' check (cardinality(networks) <= 20),
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade,
  constraint api_keys_client check ((grant_id is null) = (client_id is null) and (grant_id is null) = (resource is null)),
  constraint api_keys_lifetime check (expires_at <= created_at + interval '367 days')
);
create index api_keys_list on quorate.api_keys (workspace_id, created_at desc);
alter table quorate.api_keys enable row level security;

-- A session has an end of its own: 30 days after it began, and 7 days after it was last used. The auth service renews for ever whoever
-- keeps asking (embedded), or as a project's settings say (hosted); what holds here is the stricter of the two. `p_address`: from where the
-- session is used, which a workspace may ask for.
create function quorate.become_member(p_user uuid, p_session uuid, p_workspace uuid, p_address text default null) returns text[]
language plpgsql security definer set search_path = '' as $$
declare v_roles text[];
begin
  perform quorate.require_session();
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  if p_workspace is not null then
    select m.roles into v_roles from quorate.members m
      where m.workspace_id = p_workspace and m.user_id = p_user and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp());
    if v_roles is null then raise exception 'not a member' using errcode = 'QP002'; end if;
    if quorate.owes_company_sign_in(p_user, p_session, p_workspace) then
      raise exception 'the workspace asks for its own sign-in' using errcode = 'QP014';
    end if;
    if quorate.session_owes(p_user, p_session, p_workspace, p_address) is not null then
      raise exception 'the workspace asks more of a session' using errcode = 'QP015';
    end if;
  end if;
  perform quorate.open_principal(p_user, p_session, p_workspace, v_roles, null, null, null);
  return coalesce(v_roles, '{}');
end $$;

-- An API key acts as its member, with the intersection of its scopes and the member's present roles; it never approves.
create function quorate.become_key(p_key_hash bytea)
  returns table (key_id uuid, key_name text, user_id uuid, user_name text, workspace_id uuid, workspace_name text, roles text[],
    scopes text[], expires_at timestamptz, resource text, networks text[])
language plpgsql security definer set search_path = '' as $$
declare k record;
begin
  perform quorate.require_session();
  select a.id, a.name, a.user_id, a.workspace_id, a.scopes, a.expires_at, a.last_used_at, m.user_id as member_id, m.name as member, m.roles,
    w.name as workspace, a.grant_id, a.resource, a.networks, w.session_rules -> 'networks' as session_networks,
    coalesce(w.sign_in -> 'exempt' ? a.user_id::text, false) as exempt
    into k from quorate.api_keys a join quorate.workspaces w on w.id = a.workspace_id
    left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.user_id
      and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp())
    where a.id = coalesce((select x.id from quorate.api_keys x where x.key_hash = p_key_hash), quorate.key_of_token(p_key_hash))
      and a.revoked_at is null and (a.expires_at is null or a.expires_at > now());
  if k.id is null then raise exception 'unknown key' using errcode = 'QP003'; end if;
  if k.member_id is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  key_id := k.id; key_name := k.name; user_id := k.user_id; user_name := k.member; workspace_id := k.workspace_id;
  workspace_name := k.workspace; scopes := k.scopes; expires_at := k.expires_at; resource := k.resource;
  networks := k.networks;
  if k.grant_id is not null then
    scopes := quorate.scopes_of_token(p_key_hash, k.scopes);
    -- What a person lets a client do is bound to the networks of the workspace as they are themselves.
    if k.session_networks <> '[]' and not k.exempt then
      networks := array(select pg_catalog.jsonb_array_elements_text(k.session_networks));
    end if;
  end if;
  -- an admin's key reads what an auditor reads, and administers nothing
  roles := array(select distinct case when r = 'admin' then 'auditor' else r end from unnest(k.roles || '{user}') r order by 1);
  perform quorate.open_principal(k.user_id, null, k.workspace_id, roles, k.id, scopes, null);
  if k.last_used_at is null or k.last_used_at < now() - interval '1 minute' then
    update quorate.api_keys a set last_used_at = now()
      where a.id = k.id and (a.last_used_at is null or a.last_used_at < now() - interval '1 minute');
  end if;
  return next;
end $$;

-- Also inside a workspace of which nothing is left but its log, as long as an entry of that waits for its place.
create function quorate.become_worker(p_workspace uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if not exists (select from quorate.workspaces w where w.id = p_workspace)
    and not exists (select from quorate.audit_events e where e.workspace_id = p_workspace and e.leaf_index is null)
  then raise exception 'unknown workspace' using errcode = 'QP004'; end if;
  perform quorate.open_principal(null, null, p_workspace, null, null, null, null);
end $$;

-- What every page begins with, in one round trip: whether the session stands, where this person belongs, and what the frame of the page
-- says of them. For the login alone, before anybody is a member: who has become one reads by their own rights.
create function quorate.memberships_of(p_user uuid, p_session uuid, p_count_up_to int, p_address text default null)
returns table (
  workspace_id uuid, roles text[], name text, email text, workspace_name text, slug text, halted_at timestamptz,
  unread int, picture text, is_last boolean, is_demo boolean, owes_company boolean, owes_session text, owes_factor boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare v_owes_factor boolean;
begin
  perform quorate.require_session();
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  v_owes_factor := quorate.owes_second_factor(p_user, p_session);
  return query
    select m.workspace_id, m.roles, m.name, m.email, w.name, w.slug, w.halted_at,
      (select count(*)::int from (
        select from quorate.notifications n
        where n.user_id = p_user and n.workspace_id = m.workspace_id and n.read_at is null limit p_count_up_to) u),
      (select a.digest from quorate.avatars a where a.user_id = p_user),
      exists (select from quorate.preferences p where p.user_id = p_user and p.last_workspace_id = m.workspace_id),
      w.is_demo, quorate.owes_company_sign_in(p_user, p_session, m.workspace_id),
      quorate.session_owes(p_user, p_session, m.workspace_id, p_address), v_owes_factor
    from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
    where m.user_id = p_user and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp()) order by m.created_at, m.workspace_id;
end $$;

-- A workspace with its first admin: one path, for who signs up and for who founds another one.
create function quorate.found_workspace(p_user uuid, p_email text, p_name text, p_workspace uuid, p_workspace_name text, p_slug text,
  p_event uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.workspaces (id, name, slug, plan, trial_ends_at)
    values (p_workspace, p_workspace_name, p_slug, 'professional', now() + interval '30 days');
  insert into quorate.members (workspace_id, user_id, roles, name, email)
    values (p_workspace, p_user, '{user,builder,admin}', p_name, p_email);
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name,
    payload, salt)
    values (p_event, p_workspace, 'member', p_user, p_name, 'workspace.created', 'workspace', p_workspace::text, p_workspace_name, '{}',
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
end $$;

-- False: this person rules as many workspaces as one may.
create function quorate.create_workspace(p_user uuid, p_session uuid, p_name text, p_workspace uuid, p_workspace_name text, p_slug text,
  p_event uuid, p_most int) returns boolean
language plpgsql security definer set search_path = '' as $$
declare v_email text;
begin
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then raise exception 'session is over' using errcode = 'QP001'; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  if (select count(*) from quorate.members m where m.user_id = p_user and 'admin' = any (m.roles)) >= p_most then return false; end if;
  select u.email into strict v_email from auth.users u where u.id = p_user;
  perform quorate.found_workspace(p_user, v_email, p_name, p_workspace, p_workspace_name, p_slug, p_event);
  return true;
end $$;

-- An invitation as its holder sees it before signing in: nothing but what the mail said.
create function quorate.peek_invitation(p_token_hash bytea)
  returns table (id uuid, workspace_name text, email text, roles text[], state text, member_until timestamptz)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select i.id, w.name, i.email, i.roles, case when i.withdrawn_at is not null then 'withdrawn' when i.accepted_at is not null then
    'accepted' when i.declined_at is not null then 'declined' when least(i.expires_at, i.member_until) <= now() then 'expired'
    else 'open' end, i.member_until
  from quorate.invitations i join quorate.workspaces w on w.id = i.workspace_id where i.token_hash = p_token_hash
$$;

-- Single use, bound to the confirmed e-mail address of the session's user. The new member carries the name given at sign-up. An invitation
-- does not go around the second person: roles that need an agreement wait for it, the others are given at once.
create function quorate.answer_invitation(p_token_hash bytea, p_user uuid, p_session uuid, p_accept boolean, p_name text, p_event uuid)
  returns uuid
language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_email text; v_name text; v_roles text[]; v_waits boolean;
begin
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then raise exception 'session is over' using errcode = 'QP001'; end if;
  select u.email into v_email from auth.users u where u.id = p_user and u.email_confirmed_at is not null;
  select * into i from quorate.invitations x where x.token_hash = p_token_hash for update;
  if i.id is null or i.accepted_at is not null or i.declined_at is not null or i.withdrawn_at is not null
    or least(i.expires_at, i.member_until) <= now() then raise exception 'invitation is over' using errcode = 'QP006'; end if;
  if v_email is null or lower(v_email) <> lower(i.email) then raise exception 'invitation is for another address'
    using errcode = 'QP007'; end if;
  update quorate.invitations x set accepted_at = case when p_accept then now() end, declined_at = case when not p_accept then
    now() end where x.id = i.id;
  select coalesce(nullif(p.display_name, ''), p_name) into v_name from public.profiles p where p.id = p_user;
  v_name := coalesce(v_name, p_name);
  v_waits := p_accept and i.roles && array['approver', 'auditor', 'admin']
    and quorate.needs_second_person(i.workspace_id, i.invited_by, p_user)
    and not exists (select from quorate.members m where m.workspace_id = i.workspace_id and m.user_id = p_user);
  v_roles := case when v_waits then array_remove(array_remove(array_remove(i.roles, 'approver'), 'auditor'), 'admin') else i.roles end;
  if cardinality(v_roles) = 0 then v_roles := '{user}'; end if;
  if p_accept then
    insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
    insert into quorate.members (workspace_id, user_id, roles, name, email, ends_at)
      values (i.workspace_id, p_user, v_roles, v_name, v_email, i.member_until) on conflict (workspace_id, user_id) do nothing;
  end if;
  if v_waits then
    perform quorate.ask_for_invited_roles(i.workspace_id, i.invited_by, p_user, v_roles, i.roles);
  end if;
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name,
    payload, salt)
    values (p_event, i.workspace_id, 'member', p_user, v_name, case when p_accept then
      'invitation.accepted'
      else 'invitation.declined' end, 'invitation', i.id::text, i.email,
      jsonb_build_object('roles', v_roles, 'waitsForSecondPerson', v_waits), pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) ||
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  return i.workspace_id;
end $$;

-- The open invitation of a signed-in person's confirmed address: the newest, or the one with this id. The address is proved as well by
-- its mailbox as by the link, so that whoever confirmed in another browser than the link was opened in still finds it.
create function quorate.own_invitation(p_user uuid, p_session uuid, p_id uuid) returns table (id uuid, token_hash bytea)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select i.id, i.token_hash
  from auth.sessions s join auth.users u on u.id = s.user_id join quorate.invitations i on lower(i.email) = lower(u.email)
  where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()) and u.email_confirmed_at is not null
    and (p_id is null or i.id = p_id)
    and (p_id is not null or (i.accepted_at is null and i.declined_at is null and i.withdrawn_at is null and i.expires_at > now()))
  order by i.created_at desc, i.id desc limit 1
$$;

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

-- Memberships that are over and still stand, over all workspaces. They open nothing any more.
create function quorate.list_ended_memberships(p_limit int) returns table (workspace_id uuid, user_id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select m.workspace_id, m.user_id from quorate.members m
  where m.ends_at <= pg_catalog.clock_timestamp() order by m.ends_at limit least(p_limit, 1000)
$$;

-- Takes out a member whose time is over, as everybody was told when they came. False: somebody else did, or it is not over.
create function quorate.end_membership(p_workspace uuid, p_user uuid, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare m quorate.members;
begin
  perform quorate.require_session();
  perform from quorate.workspaces w where w.id = p_workspace and p_workspace = quorate.current_workspace_id() for no key update;
  if not found then return false; end if;
  delete from quorate.members x
    where x.workspace_id = p_workspace and x.user_id = p_user and x.ends_at <= pg_catalog.clock_timestamp() returning * into m;
  if m.user_id is null then return false; end if;
  perform quorate.append_worker_event(p_workspace, p_event, 'member.ended', 'member', p_user::text, m.name,
    pg_catalog.jsonb_build_object('roles', m.roles, 'until', m.ends_at));
  return true;
end $$;

-- Everybody may change how they are called in the current workspace; their roles stay an admin's matter.
create function quorate.rename_self(p_name text) returns void
language sql security definer set search_path = '' as $$
  update quorate.members set name = p_name
  where workspace_id = quorate.current_workspace_id() and user_id = quorate.current_user_id() and quorate.current_key_id() is null
$$;

-- Per member: open sessions, when they last signed in, and wrong passwords that count against the account now. The table of limits holds
-- digests of addresses; only here is one compared, for members of the reader's own workspace.
create function quorate.read_member_security(p_window interval)
returns table (user_id uuid, sessions int, last_seen_at timestamptz, last_sign_in_at timestamptz, wrong_passwords int)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not quorate.has_role('admin', 'auditor') or quorate.current_key_id() is not null then raise exception 'not for this member'
    using errcode = '42501'; end if;
  return query
    select m.user_id, coalesce(s.n, 0), s.seen, u.last_sign_in_at::timestamptz, coalesce(l.hits, 0)
    from quorate.members m
    join auth.users u on u.id = m.user_id
    left join lateral (select count(*)::int as n, max(coalesce(x.last_seen_at, a.created_at)) as seen
      from auth.sessions a left join quorate.user_sessions x on x.session_id = a.id
      where a.user_id = m.user_id and (a.not_after is null or a.not_after > now())) s on true
    left join quorate.rate_limits l on l.window_started_at > now() - p_window
      and l.key = 'signInAccount:' ||
        pg_catalog.rtrim(pg_catalog.translate(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(lower(u.email), 'UTF8')), 'base64'),
        '+/', '-_'), '=')
    where m.workspace_id = quorate.current_workspace_id()
    order by m.name, m.user_id;
end $$;

-- Keys that still work and end soon, whoever they belong to. Never a hash.
create function quorate.list_ending_keys(p_until timestamptz)
returns table (id uuid, name text, prefix text, owner text, expires_at timestamptz, last_used_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not quorate.has_role('admin', 'auditor') or quorate.current_key_id() is not null then raise exception 'not for this member'
    using errcode = '42501'; end if;
  return query
    select k.id, k.name, k.prefix, m.name, k.expires_at, k.last_used_at
    from quorate.api_keys k join quorate.members m on m.workspace_id = k.workspace_id and m.user_id = k.user_id
    where k.workspace_id = quorate.current_workspace_id() and k.revoked_at is null and k.expires_at > now() and k.expires_at <= p_until
    order by k.expires_at, k.id limit 100;
end $$;

-- A mark that changes when a session ends or its person's roles in the workspace change: open streams end by it.
create function quorate.list_access_marks(p_users uuid[], p_sessions uuid[], p_workspaces uuid[])
  returns table (session_id uuid, workspace_id uuid, mark text)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select w.session_id, w.workspace_id,
    (select count(*) from auth.sessions s
      where s.id = w.session_id and s.user_id = w.user_id and (s.not_after is null or s.not_after > now()))
    || ' ' || coalesce((select array_to_string(m.roles, ',') from quorate.members m
      where m.workspace_id = w.workspace_id and m.user_id = w.user_id
        and (m.ends_at is null or m.ends_at > pg_catalog.clock_timestamp())), '')
  from unnest(p_users, p_sessions, p_workspaces) as w (user_id, session_id, workspace_id)
$$;

-- Distinct people who did something in a stretch of the log, whom only auditors and admins may read one by one. A key counts
-- as its member. One probe of the index a person: the log itself is not read.
create function quorate.count_active_users(p_workspace uuid, p_from timestamptz, p_until timestamptz) returns int
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_workspace is distinct from quorate.current_workspace_id() or not quorate.sees_all_runs() then raise exception 'not for this member'
    using errcode = '42501'; end if;
  return (
    with recursive a (actor) as (
      (select e.actor_id from quorate.audit_events e
        where e.workspace_id = p_workspace and e.actor_id is not null order by e.actor_id limit 1)
      union all
      select (select e.actor_id from quorate.audit_events e
        where e.workspace_id = p_workspace and e.actor_id > a.actor order by e.actor_id limit 1) from a where a.actor is not null
    )
    select count(distinct coalesce(k.user_id, a.actor))::int
      from a left join quorate.api_keys k on k.id = a.actor and k.workspace_id = p_workspace
    where a.actor is not null and exists (
      select from quorate.audit_events e
        where e.workspace_id = p_workspace and e.actor_id = a.actor and e.at >= p_from and e.at < p_until
        and e.actor_kind in ('member', 'key')));
end $$;

create constraint trigger audited after insert or update or delete on quorate.members
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.invitations
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert
  or delete on quorate.api_keys deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.api_keys deferrable initially deferred for each row
  when (row(old.name, old.scopes, old.expires_at, old.revoked_at) is distinct from row(new.name, new.scopes, new.expires_at,
    new.revoked_at)) execute function quorate.require_audit_event();
create constraint trigger audited after insert
  or delete on quorate.workspaces deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger guard_last_admin_update after update of roles on quorate.members for each row
  when ('admin' = any (old.roles) and not 'admin' = any (new.roles)) execute function quorate.guard_last_admin();
create trigger guard_last_admin_delete after delete on quorate.members for each row
  when ('admin' = any (old.roles)) execute function quorate.guard_last_admin();
create trigger stays_revoked before update of revoked_at on quorate.api_keys for each row
  when (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) execute function quorate.refuse_change();
create constraint trigger audited_update after update on quorate.workspaces deferrable initially deferred for each row
  when (row(old.name, old.slug, old.plan, old.settings, old.private_network, old.halted_at, old.reviews_effects, old.proof, old.sign_in,
      old.session_rules)
    is distinct from row(new.name, new.slug, new.plan, new.settings, new.private_network, new.halted_at, new.reviews_effects, new.proof,
      new.sign_in, new.session_rules))
  execute function quorate.require_audit_event();
create trigger network_changed before update on quorate.workspaces for each row
  when (old.private_network is distinct from new.private_network)
  execute function quorate.bump_network_revision();
create trigger time_zone_changed before update on quorate.workspaces for each row
  when (old.settings -> 'timeZone' is distinct from new.settings -> 'timeZone')
  execute function quorate.bump_network_revision();

create policy worker_reads on quorate.workspaces for select to quorate_worker using (id = (select quorate.current_workspace_id()));
create policy read_own on quorate.workspaces for select to quorate_member
  using (id = (select quorate.current_workspace_id())
    or ((select quorate.current_key_id()) is null
    and exists (select from quorate.members m where m.workspace_id = id and m.user_id = (select quorate.current_user_id()))));
create policy admin_updates on quorate.workspaces for update to quorate_member
  using (id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')))
    with check (id = (select quorate.current_workspace_id()));
create policy key_inserts on quorate.workspaces as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.workspaces as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.workspaces as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy read_workspace on quorate.members for select to quorate_member using (workspace_id = (select quorate.current_workspace_id()));
create policy worker_reads on quorate.members for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_self on quorate.members for select to quorate_member
  using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);
create policy admin_writes on quorate.members for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')))
    with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
create policy key_inserts on quorate.members as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.members as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.members as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy own on quorate.preferences for all to quorate_member
  using (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null)
  with check (user_id = (select quorate.current_user_id()) and (select quorate.current_key_id()) is null);

create policy own on quorate.member_settings for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id())
    and (select quorate.current_key_id()) is null)
  with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id())
    and (select quorate.current_key_id()) is null);

create policy admin_all on quorate.invitations for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')))
    with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin')));
create policy key_inserts on quorate.invitations as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.invitations as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.invitations as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy read_keys on quorate.api_keys for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('admin'))));
create policy make_keys on quorate.api_keys for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and user_id = (select quorate.current_user_id()));
create policy revoke_keys on quorate.api_keys for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('admin'))))
  with check (workspace_id = (select quorate.current_workspace_id()));

grant select on quorate.workspaces to quorate_member;
grant select on quorate.workspaces to quorate_worker;
grant update (name, slug, plan, trial_ends_at, settings, halted_at, halted_by, halt_reason,
  private_network, reviews_effects, proof, sign_in, session_rules) on quorate.workspaces to quorate_member;
grant select, delete on quorate.members to quorate_member;
grant select on quorate.members to quorate_worker;
grant update (roles, name) on quorate.members to quorate_member;
grant select, insert, update on quorate.preferences to quorate_member;
grant select on quorate.preferences to quorate_worker;
grant select, insert, update on quorate.member_settings to quorate_member;
grant select, insert on quorate.invitations to quorate_member;
grant select on quorate.invitations to quorate_worker;
grant update (withdrawn_at) on quorate.invitations to quorate_member;
grant select, insert on quorate.api_keys to quorate_member;
grant select on quorate.api_keys to quorate_worker;
grant update (name, revoked_at) on quorate.api_keys to quorate_member;
revoke all on function quorate.become_member(uuid, uuid, uuid, text), quorate.become_key(bytea), quorate.become_worker(uuid),
  quorate.memberships_of(uuid, uuid, int, text), quorate.found_workspace(uuid, text, text, uuid, text, text, uuid),
  quorate.create_workspace(uuid, uuid, text, uuid, text, text, uuid, int), quorate.peek_invitation(bytea),
  quorate.answer_invitation(bytea, uuid, uuid, boolean, text, uuid), quorate.own_invitation(uuid, uuid, uuid), quorate.guard_last_admin(),
  quorate.list_ended_memberships(int), quorate.end_membership(uuid, uuid, uuid),
  quorate.rename_self(text), quorate.read_member_security(interval), quorate.list_ending_keys(timestamptz),
  quorate.list_access_marks(uuid[], uuid[], uuid[]), quorate.count_active_users(uuid, timestamptz, timestamptz) from public;
grant execute on function quorate.memberships_of(uuid, uuid, int, text),
  quorate.create_workspace(uuid, uuid, text, uuid, text, text, uuid, int), quorate.peek_invitation(bytea),
  quorate.answer_invitation(bytea, uuid, uuid, boolean, text, uuid),
  quorate.own_invitation(uuid, uuid, uuid), quorate.list_ended_memberships(int) to quorate_app;
grant execute on function quorate.become_member(uuid, uuid, uuid, text), quorate.become_key(bytea), quorate.rename_self(text),
  quorate.read_member_security(interval), quorate.list_ending_keys(timestamptz), quorate.count_active_users(uuid, timestamptz,
  timestamptz) to quorate_member;
grant execute on function quorate.become_worker(uuid), quorate.list_access_marks(uuid[], uuid[], uuid[]),
  quorate.end_membership(uuid, uuid, uuid) to quorate_worker;

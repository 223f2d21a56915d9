-- Sign-in by the identity provider of a company (OpenID Connect, SAML 2.0): the providers of a workspace, the e-mail domains that it has
-- proven, who a provider has vouched for, and which sessions it has opened. Which provider counts stands in `workspaces.sign_in`.

-- A provider is tried before it counts, and stays as it was agreed to while it counts: another one takes its place.
create table quorate.identity_providers (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  name text not null check (length(name) between 1 and 80),
  -- Of SAML: the entity id of the provider, and ours.
  issuer text not null check (length(issuer) between 1 and 500),
  client_id text not null check (length(client_id) between 1 and 255),
  sealed_secret bytea,
  email_claim text not null default 'email' check (length(email_claim) between 1 and 100),
  name_claim text not null default 'name' check (length(name_claim) between 1 and 100),
  groups_claim text not null default 'groups' check (length(groups_claim) between 1 and 100),
  -- The provider vouches for its addresses although it sends no email_verified.
  emails_verified boolean not null default false,
  default_roles text[] not null default '{user}' check (cardinality(default_roles) > 0
    and default_roles <@ array['user', 'builder', 'approver', 'auditor', 'admin']),
  tested_at timestamptz,
  created_at timestamptz not null default now(),
  -- `SamlSettings`; null: OpenID Connect, which has a secret.
  saml jsonb,
  unique (workspace_id, id),
  constraint identity_providers_protocol check (case when saml is null then sealed_secret is not null and issuer ~ '^https?://'
    else sealed_secret is null and pg_catalog.jsonb_typeof(saml) = 'object' end)
);
create index identity_providers_list on quorate.identity_providers (workspace_id, created_at, id);
alter table quorate.identity_providers enable row level security;

-- Proven by a TXT record. A domain counts for one workspace of the instance.
create table quorate.verified_domains (
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  domain text not null check (domain ~ '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$' and domain like '%.%'),
  token text not null check (length(token) between 20 and 100),
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  primary key (workspace_id, domain)
);
create unique index verified_domains_once on quorate.verified_domains (domain) where verified_at is not null;
alter table quorate.verified_domains enable row level security;

-- Whom a provider means by a subject: by its issuer and our client there, never by an address. One subject is one account, and an account
-- has one subject of a provider.
create table quorate.company_identities (
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  issuer text not null,
  client_id text not null,
  subject text not null check (length(subject) between 1 and 255),
  user_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (workspace_id, issuer, client_id, subject),
  unique (workspace_id, issuer, client_id, user_id)
);
create index company_identities_user on quorate.company_identities (user_id);
alter table quorate.company_identities enable row level security;

-- What the provider said of the sign-in that opened a session. The token of the account service knows none of it.
create table quorate.company_sessions (
  session_id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null,
  issuer text not null,
  client_id text not null,
  subject text not null,
  sid text,
  amr text[] not null default '{}',
  acr text,
  auth_time timestamptz,
  created_at timestamptz not null default now()
);
create index company_sessions_subject on quorate.company_sessions (workspace_id, issuer, client_id, subject);
create index company_sessions_user on quorate.company_sessions (user_id);
alter table quorate.company_sessions enable row level security;

-- A sign-in under way, an account that is to prove itself, and tokens of a logout that were taken: each counts once.
create table quorate.company_one_time (
  key bytea primary key check (octet_length(key) = 32),
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  provider_id uuid,
  sealed bytea,
  expires_at timestamptz not null,
  foreign key (workspace_id, provider_id) references quorate.identity_providers (workspace_id, id) on delete cascade
);
create index company_one_time_over on quorate.company_one_time (expires_at);
alter table quorate.company_one_time enable row level security;

-- With what a workspace signs its SAML requests, and what providers encrypt to. `next` is published before it is used; `former` still
-- opens what was encrypted to it.
create table quorate.saml_keys (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  certificate text not null check (length(certificate) between 200 and 4000),
  sealed_key bytea not null,
  state text not null check (state in ('next', 'current', 'former')),
  not_after timestamptz not null,
  created_at timestamptz not null default now()
);
create unique index saml_keys_one on quorate.saml_keys (workspace_id, state);
alter table quorate.saml_keys enable row level security;

-- A provider as another person agrees to it: all of it, of the secret a digest.
create function quorate.state_of_provider(i quorate.identity_providers) returns jsonb language sql immutable set search_path = '' as $$
  select pg_catalog.jsonb_build_object('id', i.id, 'name', i.name, 'issuer', i.issuer, 'clientId', i.client_id,
    'secret', pg_catalog.encode(pg_catalog.sha256(i.sealed_secret), 'hex'), 'emailClaim', i.email_claim, 'nameClaim', i.name_claim,
    'groupsClaim', i.groups_claim, 'emailsVerified', i.emails_verified, 'defaultRoles', pg_catalog.to_jsonb(i.default_roles))
    || case when i.saml is null then '{}' else pg_catalog.jsonb_build_object('saml', i.saml) end
$$;

-- Whether this may count as the sign-in of the workspace: a provider of its own, as it was tested; enforced only with a proven domain and
-- with an admin who is exempt, so that a provider that is down locks nobody out.
create function quorate.is_sign_in(p_workspace uuid, p_state jsonb) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(
    p_state = pg_catalog.jsonb_build_object('provider', p_state -> 'provider', 'enforced', p_state -> 'enforced', 'exempt',
      p_state -> 'exempt')
    and pg_catalog.jsonb_typeof(p_state -> 'enforced') = 'boolean' and pg_catalog.jsonb_typeof(p_state -> 'exempt') = 'array'
    and (p_state -> 'provider' = 'null' and p_state -> 'enforced' = 'false' or exists (
      select from quorate.identity_providers i
      where i.workspace_id = p_workspace and i.tested_at is not null and quorate.state_of_provider(i) = p_state -> 'provider'))
    and (p_state -> 'enforced' = 'false' or (
      exists (select from quorate.members m where m.workspace_id = p_workspace and 'admin' = any (m.roles)
        and p_state -> 'exempt' ? m.user_id::text)
      and exists (select from quorate.verified_domains d where d.workspace_id = p_workspace and d.verified_at is not null))), false)
$$;

-- Nobody decides alone who vouches for the people of a workspace; and what may not count is nobody's to write.
create function quorate.guard_sign_in() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' then
    if quorate.needs_second_person(new.id, quorate.current_user_id(), null) then
      raise exception 'a second person agrees to the sign-in' using errcode = 'QP005';
    end if;
    if not quorate.is_sign_in(new.id, new.sign_in) then
      raise exception 'this cannot be the sign-in of a workspace' using errcode = 'QS001';
    end if;
  end if;
  return new;
end $$;

-- Another configuration is another provider: it has to be tested anew. The one that counts stays as it is.
create function quorate.guard_provider() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and quorate.state_of_provider(old) = quorate.state_of_provider(new) then return new; end if;
  if exists (select from quorate.workspaces w where w.id = old.workspace_id and w.sign_in #>> '{provider,id}' = old.id::text) then
    raise exception 'this provider counts' using errcode = 'QS002';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  new.tested_at := null;
  return new;
end $$;

create function quorate.guard_domain() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.verified_at is not null and exists (
    select from quorate.workspaces w where w.id = old.workspace_id and (w.sign_in -> 'enforced')::boolean) then
    raise exception 'the sign-in is enforced for this domain' using errcode = 'QS003';
  end if;
  return old;
end $$;

-- While sign-in is enforced an admin stays who is exempt.
create function quorate.guard_exempt_admin() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_state jsonb;
begin
  select w.sign_in into v_state from quorate.workspaces w where w.id = old.workspace_id;
  if (v_state -> 'enforced')::boolean and not exists (select from quorate.members m
    where m.workspace_id = old.workspace_id and 'admin' = any (m.roles) and v_state -> 'exempt' ? m.user_id::text) then
    raise exception 'an admin stays who is exempt from the sign-in' using errcode = 'QM001';
  end if;
  return null;
end $$;

-- The groups of a directory and their roles, as a control change says them.
create function quorate.state_of_groups(p_workspace uuid) returns jsonb language sql stable security definer set search_path = '' as $$
  select pg_catalog.jsonb_build_object('groups', coalesce(pg_catalog.jsonb_object_agg(g.group_name, g.roles), '{}'))
    from quorate.group_roles g where g.workspace_id = p_workspace
$$;

create function quorate.is_group_roles(p_groups jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(pg_catalog.jsonb_typeof(p_groups) = 'object' and not exists (
    select from pg_catalog.jsonb_each(p_groups) g
      where length(g.key) not between 1 and 256 or pg_catalog.jsonb_typeof(g.value) <> 'array' or g.value = '[]'
        or not g.value <@ '["user", "builder", "approver", "auditor", "admin"]'), false)
$$;

-- Where somebody with an address of this domain signs in: whether a provider counts for it, and nothing else.
create function quorate.company_realm(p_domain text)
  returns table (provider_id uuid, provider_name text, workspace_name text)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select i.id, i.name, w.name
  from quorate.verified_domains d join quorate.workspaces w on w.id = d.workspace_id
    join quorate.identity_providers i on i.id = (w.sign_in #>> '{provider,id}')::uuid
  where d.domain = lower(p_domain) and d.verified_at is not null
$$;

-- The same for a workspace that somebody is a member of, who has to sign in by its provider.
create function quorate.company_provider_of(p_workspace uuid) returns table (provider_id uuid, provider_name text, workspace_name text)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select i.id, i.name, w.name from quorate.workspaces w
    join quorate.identity_providers i on i.id = (w.sign_in #>> '{provider,id}')::uuid where w.id = p_workspace
$$;

-- A provider as the process calls it.
create function quorate.company_provider(p_provider uuid)
  returns table (workspace_id uuid, workspace_name text, private_network jsonb, name text, issuer text, client_id text, sealed_secret bytea,
    email_claim text, name_claim text, groups_claim text, emails_verified boolean, saml jsonb, counts boolean)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select i.workspace_id, w.name, w.private_network, i.name, i.issuer, i.client_id, i.sealed_secret, i.email_claim, i.name_claim,
    i.groups_claim, i.emails_verified, i.saml, coalesce(w.sign_in #>> '{provider,id}' = i.id::text, false)
  from quorate.identity_providers i join quorate.workspaces w on w.id = i.workspace_id where i.id = p_provider
$$;

-- The provider that sends a token of a logout to this workspace.
create function quorate.company_provider_named(p_workspace uuid, p_issuer text) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select i.id from quorate.identity_providers i where i.workspace_id = p_workspace and i.issuer = p_issuer
    order by i.created_at desc, i.id desc limit 10
$$;

-- The keys of a workspace's SAML. Their certificates are public, the keys sealed.
create function quorate.company_saml_keys(p_workspace uuid) returns table (state text, certificate text, sealed_key bytea, id uuid)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select k.state, k.certificate, k.sealed_key, k.id from quorate.saml_keys k where k.workspace_id = p_workspace
$$;

-- Whether this assertion is seen for the first time: it is kept until it has run out, for all servers.
create function quorate.take_company_assertion(p_provider uuid, p_key bytea, p_until timestamptz) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  insert into quorate.company_one_time (key, workspace_id, provider_id, expires_at)
    select p_key, i.workspace_id, i.id, p_until from quorate.identity_providers i where i.id = p_provider
    on conflict (key) do nothing;
  return found;
end $$;

-- Keeps what a sign-in under way needs, under a digest of a number that only the browser and the provider have.
create function quorate.keep_company_one_time(p_key bytea, p_provider uuid, p_sealed bytea, p_seconds int) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  delete from quorate.company_one_time o where o.key in (select x.key from quorate.company_one_time x
    where x.expires_at < pg_catalog.clock_timestamp() order by x.expires_at limit 20 for update skip locked);
  insert into quorate.company_one_time (key, workspace_id, provider_id, sealed, expires_at)
    select p_key, i.workspace_id, i.id, p_sealed, pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => least(p_seconds, 3600))
    from quorate.identity_providers i where i.id = p_provider;
end $$;

create function quorate.peek_company_one_time(p_key bytea) returns table (provider_id uuid, sealed bytea)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select o.provider_id, o.sealed from quorate.company_one_time o
    where o.key = p_key and o.sealed is not null and o.expires_at > pg_catalog.clock_timestamp()
$$;

-- Once: whoever comes second finds nothing.
create function quorate.take_company_one_time(p_key bytea) returns table (provider_id uuid, sealed bytea)
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  return query delete from quorate.company_one_time o where o.key = p_key and o.sealed is not null
    and o.expires_at > pg_catalog.clock_timestamp() returning o.provider_id, o.sealed;
end $$;

-- Roles of a member by their groups. A role that the table of groups names follows the groups, every other stays as it was given. The last
-- admin stays one, and so does an admin who is exempt from the provider.
create function quorate.roles_by_groups(p_workspace uuid, p_user uuid, p_roles text[], p_groups text[], p_lasts boolean) returns text[]
language sql stable security definer set search_path = '' as $$
  with given as (
    select r from unnest(p_roles) r
      where p_groups is null or not exists (select from quorate.group_roles g where g.workspace_id = p_workspace and r = any (g.roles))
    union
    select unnest(g.roles) from quorate.group_roles g where g.workspace_id = p_workspace and g.group_name = any (p_groups)
    union
    select 'admin' where 'admin' = any (p_roles) and (
      not exists (select from quorate.members m where m.workspace_id = p_workspace and m.user_id <> p_user and 'admin' = any (m.roles))
      or exists (select from quorate.workspaces w where w.id = p_workspace and w.sign_in -> 'exempt' ? p_user::text)))
  select coalesce(nullif(array(select r from given
    where p_lasts or r <> 'admin' order by array_position(array['user', 'builder', 'approver', 'auditor', 'admin'], r)), '{}'), '{user}')
$$;

-- Whoever the provider has vouched for: their account, their membership, their roles by groups. `p_proven`: the account that has just
-- proved itself beside it. `p_hash`: what opens a session of the embedded account service, once; null: the hosted one makes its own.
-- Outcomes: in; off, the provider does not count; ended, a membership that is over, or one that the directory has taken out; no_email;
-- prove, the address proves nothing here, so that the account proves itself first; make, the hosted service has to make the account;
-- other_account; other_subject.
create function quorate.admit_company_person(p_provider uuid, p_subject text, p_email text, p_verified boolean, p_name text,
  p_groups text[], p_new_user uuid, p_proven uuid, p_hash text, p_event uuid)
  returns table (outcome text, user_id uuid, email text)
language plpgsql security definer set search_path = '' as $$
declare
  i quorate.identity_providers;
  m quorate.members;
  v_email text := lower(p_email);
  v_name text := left(coalesce(nullif(btrim(p_name), ''), split_part(v_email, '@', 1)), 120);
  v_owned boolean;
  v_confirmed boolean;
  v_linked boolean := false;
  v_roles text[];
begin
  perform quorate.require_session();
  select x.* into i from quorate.identity_providers x join quorate.workspaces w on w.id = x.workspace_id
    where x.id = p_provider and w.sign_in #>> '{provider,id}' = x.id::text;
  if i.id is null then outcome := 'off'; return next; return; end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('company:' || i.workspace_id || coalesce(v_email, p_subject), 0));
  select c.user_id into user_id from quorate.company_identities c
    where c.workspace_id = i.workspace_id and c.issuer = i.issuer and c.client_id = i.client_id and c.subject = p_subject;
  -- Whom the directory has taken out stays out, whatever the provider says.
  if exists (select from quorate.directory_people d where d.workspace_id = i.workspace_id
      and (d.user_id = admit_company_person.user_id or lower(d.email) = v_email) and (not d.active or d.deleted_at is not null))
    and not exists (select from quorate.directory_people d where d.workspace_id = i.workspace_id and d.active and d.deleted_at is null
      and (d.user_id = admit_company_person.user_id or lower(d.email) = v_email)) then
    outcome := 'ended'; return next; return;
  end if;
  if user_id is null then
    if v_email is null then outcome := 'no_email'; return next; return; end if;
    v_owned := p_verified and exists (select from quorate.verified_domains d where d.workspace_id = i.workspace_id
      and d.domain = split_part(v_email, '@', 2) and d.verified_at is not null);
    select u.id, u.email_confirmed_at is not null into user_id, v_confirmed from auth.users u where lower(u.email) = v_email
      order by u.created_at limit 1;
    -- Beyond its own domains a provider vouches for nobody's address, or it could open accounts that were never its people's.
    if p_proven is null and (not v_owned or user_id is not null and not v_confirmed and p_hash is null) then
      outcome := 'prove'; user_id := null; return next; return;
    elsif p_proven is not null and user_id is distinct from p_proven then
      outcome := 'other_account'; return next; return;
    elsif user_id is null and p_hash is null then outcome := 'make'; return next; return;
    elsif user_id is null then
      user_id := p_new_user;
      insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
        values (user_id, 'authenticated', 'authenticated', v_email, now(), '{"provider":"email","providers":["email"]}',
          pg_catalog.jsonb_build_object('name', v_name));
    elsif not v_confirmed then
      -- Somebody else may have signed up with this address and a password of theirs.
      update auth.users u set encrypted_password = null, email_confirmed_at = now(), confirmation_token = null where u.id = user_id;
    end if;
    if exists (select from quorate.company_identities c where c.workspace_id = i.workspace_id and c.issuer = i.issuer
      and c.client_id = i.client_id and c.user_id = admit_company_person.user_id) then
      outcome := 'other_subject'; return next; return;
    end if;
    insert into public.profiles (id, display_name) values (user_id, v_name) on conflict (id) do nothing;
    insert into quorate.company_identities (workspace_id, issuer, client_id, subject, user_id)
      values (i.workspace_id, i.issuer, i.client_id, p_subject, user_id);
    v_linked := true;
  end if;
  perform from quorate.workspaces w where w.id = i.workspace_id for no key update;
  select * into m from quorate.members x where x.workspace_id = i.workspace_id and x.user_id = admit_company_person.user_id for update;
  if m.ends_at <= pg_catalog.clock_timestamp() then outcome := 'ended'; return next; return; end if;
  select lower(u.email) into email from auth.users u where u.id = user_id;
  v_roles := quorate.roles_by_groups(i.workspace_id, user_id, coalesce(m.roles, i.default_roles), p_groups, m.ends_at is null);
  if m.user_id is null then
    insert into quorate.members (workspace_id, user_id, roles, name, email)
      values (i.workspace_id, user_id, v_roles, coalesce(v_name, split_part(email, '@', 1)), email);
  elsif not (v_roles @> m.roles and v_roles <@ m.roles) then
    update quorate.members x set roles = v_roles where x.workspace_id = i.workspace_id and x.user_id = m.user_id;
  end if;
  if v_linked or m.user_id is null or not (v_roles @> m.roles and v_roles <@ m.roles) then
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id,
      resource_name, payload, salt)
    select p_event, i.workspace_id, 'member', x.user_id, x.name, 'member.admitted', 'member', x.user_id::text, x.name,
      pg_catalog.jsonb_build_object('provider', i.id, 'linked', v_linked, 'joined', m.user_id is null, 'from', m.roles, 'to', v_roles),
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid())
    from quorate.members x where x.workspace_id = i.workspace_id and x.user_id = admit_company_person.user_id;
  end if;
  if p_hash is not null then
    update auth.users u set recovery_token = p_hash, recovery_sent_at = now() where u.id = user_id;
  end if;
  outcome := 'in';
  return next;
end $$;

-- What the provider said of a sign-in, once its session stands.
create function quorate.note_company_session(p_provider uuid, p_user uuid, p_session uuid, p_subject text, p_sid text, p_amr text[],
  p_acr text, p_auth_time timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  delete from quorate.company_sessions c where c.user_id = p_user and not exists (select from auth.sessions s where s.id = c.session_id);
  insert into quorate.company_sessions (session_id, workspace_id, user_id, issuer, client_id, subject, sid, amr, acr, auth_time)
    select s.id, i.workspace_id, p_user, i.issuer, i.client_id, p_subject, p_sid, p_amr, p_acr, p_auth_time
    from quorate.identity_providers i join quorate.company_identities c on c.workspace_id = i.workspace_id and c.issuer = i.issuer
      and c.client_id = i.client_id and c.subject = p_subject and c.user_id = p_user
    join auth.sessions s on s.id = p_session and s.user_id = p_user
    where i.id = p_provider
  on conflict (session_id) do nothing;
end $$;

-- The provider says that somebody has signed out there. Answers how many sessions ended; -1: this token was taken before.
create function quorate.end_company_sessions(p_provider uuid, p_subject text, p_sid text, p_key bytea, p_until timestamptz, p_event uuid)
  returns int
language plpgsql security definer set search_path = '' as $$
declare i quorate.identity_providers; v_sessions uuid[];
begin
  perform quorate.require_session();
  select * into i from quorate.identity_providers x where x.id = p_provider;
  insert into quorate.company_one_time (key, workspace_id, provider_id, expires_at) values (p_key, i.workspace_id, i.id, p_until)
    on conflict (key) do nothing;
  if not found then return -1; end if;
  v_sessions := array(select c.session_id from quorate.company_sessions c
    where c.workspace_id = i.workspace_id and c.issuer = i.issuer and c.client_id = i.client_id and coalesce(p_subject, p_sid) is not null
      and (p_subject is null or c.subject = p_subject) and (p_sid is null or c.sid = p_sid));
  delete from quorate.user_sessions u where u.session_id = any (v_sessions);
  delete from auth.sessions s where s.id = any (v_sessions);
  delete from quorate.company_sessions c where c.session_id = any (v_sessions);
  if cardinality(v_sessions) > 0 then
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id,
      resource_name, payload, salt)
    values (p_event, i.workspace_id, 'system', null, '', 'session.endedByCompany', 'identityProvider', i.id::text, i.name,
      pg_catalog.jsonb_build_object('sessions', cardinality(v_sessions)),
      pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  end if;
  return cardinality(v_sessions);
end $$;

-- That a sign-in by this provider was refused, and why: a code of ours. Not more than 30 an hour of a workspace, so that nobody fills its
-- log by failing.
create function quorate.note_company_refusal(p_provider uuid, p_reason text, p_event uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare i quorate.identity_providers;
begin
  perform quorate.require_session();
  select * into i from quorate.identity_providers x where x.id = p_provider;
  if i.id is null or quorate.take_limit('company refusals:' || i.workspace_id, 30, 3600) > 0 then return; end if;
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name,
    payload, salt)
  values (p_event, i.workspace_id, 'system', null, '', 'signIn.refused', 'identityProvider', i.id::text, i.name,
    pg_catalog.jsonb_build_object('reason', left(p_reason, 60)),
    pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
end $$;

-- Whether this session opens nothing of this workspace before the person has signed in by its provider.
create function quorate.owes_company_sign_in(p_user uuid, p_session uuid, p_workspace uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.workspaces w
      where w.id = p_workspace and (w.sign_in -> 'enforced')::boolean and not w.sign_in -> 'exempt' ? p_user::text)
    and not exists (select from quorate.company_sessions c where c.session_id = p_session and c.workspace_id = p_workspace)
    and (exists (select from quorate.company_identities c where c.workspace_id = p_workspace and c.user_id = p_user)
      or exists (select from quorate.members m join quorate.verified_domains d on d.workspace_id = m.workspace_id
        where m.workspace_id = p_workspace and m.user_id = p_user and d.verified_at is not null
          and d.domain = lower(split_part(m.email, '@', 2))))
$$;

create function quorate.key_of_identity(p_identity quorate.company_identities) returns text language sql stable set search_path = '' as $$
  select pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.concat_ws(E'\n', p_identity.workspace_id, p_identity.issuer,
    p_identity.client_id), 'UTF8')), 'hex')
$$;

-- The providers of companies that have signed in the person of this transaction, over all workspaces. `key` names one. `required`: its
-- workspace takes no other sign-in of theirs.
create function quorate.list_own_identities()
  returns table (key text, workspace text, provider text, created_at timestamptz, required boolean)
language sql stable security definer set search_path = '' as $$
  select quorate.key_of_identity(c), w.name,
    coalesce((select i.name from quorate.identity_providers i where i.workspace_id = c.workspace_id and i.issuer = c.issuer
      and i.client_id = c.client_id order by i.created_at desc, i.id desc limit 1), c.issuer),
    c.created_at, (w.sign_in -> 'enforced')::boolean and not w.sign_in -> 'exempt' ? c.user_id::text
  from quorate.company_identities c join quorate.workspaces w on w.id = c.workspace_id
  where c.user_id = quorate.current_user_id() and quorate.current_key_id() is null
  order by c.created_at, c.workspace_id, c.issuer, c.client_id
$$;

-- From now on this provider signs this person in no more, until they are linked again. Outcomes: removed; gone; required, the workspace
-- takes no other sign-in. Sessions that stand go on.
create function quorate.remove_own_identity(p_user uuid, p_session uuid, p_key text) returns text
language plpgsql security definer set search_path = '' as $$
declare c quorate.company_identities;
begin
  perform quorate.require_standing(p_user, p_session);
  select x.* into c from quorate.company_identities x where x.user_id = p_user and quorate.key_of_identity(x) = p_key for update;
  if c.user_id is null then return 'gone'; end if;
  if exists (select from quorate.workspaces w where w.id = c.workspace_id and (w.sign_in -> 'enforced')::boolean
    and not w.sign_in -> 'exempt' ? p_user::text) then return 'required'; end if;
  delete from quorate.company_identities x where x.workspace_id = c.workspace_id and x.issuer = c.issuer and x.client_id = c.client_id
    and x.subject = c.subject;
  perform quorate.note_account_event(p_user, 'account.identityRemoved');
  return 'removed';
end $$;

create constraint trigger audited after insert or update or delete on quorate.identity_providers
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.verified_domains
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.saml_keys
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create trigger guard_provider before update or delete on quorate.identity_providers for each row execute function quorate.guard_provider();
create trigger guard_domain before delete on quorate.verified_domains for each row execute function quorate.guard_domain();
create trigger guard_sign_in before update on quorate.workspaces for each row
  when (old.sign_in is distinct from new.sign_in) execute function quorate.guard_sign_in();
create trigger guard_exempt_admin_update after update of roles on quorate.members for each row
  when ('admin' = any (old.roles) and not 'admin' = any (new.roles)) execute function quorate.guard_exempt_admin();
create trigger guard_exempt_admin_delete after delete on quorate.members for each row
  when ('admin' = any (old.roles)) execute function quorate.guard_exempt_admin();

create policy read_providers on quorate.identity_providers for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin', 'auditor'))
    and (select quorate.current_key_id()) is null);
create policy admin_inserts on quorate.identity_providers for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null);
create policy admin_updates on quorate.identity_providers for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null)
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy admin_deletes on quorate.identity_providers for delete to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null);
create policy read_domains on quorate.verified_domains for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin', 'auditor'))
    and (select quorate.current_key_id()) is null);
create policy admin_inserts on quorate.verified_domains for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null);
create policy admin_updates on quorate.verified_domains for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null)
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy admin_deletes on quorate.verified_domains for delete to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null);
create policy read_keys on quorate.saml_keys for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin', 'auditor'))
    and (select quorate.current_key_id()) is null);
create policy admin_inserts on quorate.saml_keys for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null);
create policy admin_updates on quorate.saml_keys for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null)
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy admin_deletes on quorate.saml_keys for delete to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin'))
    and (select quorate.current_key_id()) is null);
create policy read_identities on quorate.company_identities for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin', 'auditor'))
    and (select quorate.current_key_id()) is null);

grant select, insert, delete on quorate.identity_providers, quorate.verified_domains to quorate_member;
grant update (name, issuer, client_id, sealed_secret, email_claim, name_claim, groups_claim, emails_verified, default_roles, tested_at,
  saml) on quorate.identity_providers to quorate_member;
grant select (id, workspace_id, certificate, state, not_after, created_at), insert, delete on quorate.saml_keys to quorate_member;
grant update (state) on quorate.saml_keys to quorate_member;
grant update (verified_at) on quorate.verified_domains to quorate_member;
grant select on quorate.company_identities to quorate_member;
revoke all on function quorate.state_of_provider(quorate.identity_providers), quorate.is_sign_in(uuid, jsonb), quorate.guard_sign_in(),
  quorate.guard_provider(), quorate.guard_domain(), quorate.guard_exempt_admin(), quorate.state_of_groups(uuid),
  quorate.is_group_roles(jsonb), quorate.company_realm(text), quorate.company_provider_of(uuid), quorate.company_provider(uuid),
  quorate.company_provider_named(uuid, text), quorate.keep_company_one_time(bytea, uuid, bytea, int),
  quorate.peek_company_one_time(bytea), quorate.take_company_one_time(bytea), quorate.roles_by_groups(uuid, uuid, text[], text[], boolean),
  quorate.admit_company_person(uuid, text, text, boolean, text, text[], uuid, uuid, text, uuid),
  quorate.note_company_session(uuid, uuid, uuid, text, text, text[], text, timestamptz),
  quorate.end_company_sessions(uuid, text, text, bytea, timestamptz, uuid), quorate.note_company_refusal(uuid, text, uuid),
  quorate.owes_company_sign_in(uuid, uuid, uuid), quorate.company_saml_keys(uuid),
  quorate.take_company_assertion(uuid, bytea, timestamptz), quorate.key_of_identity(quorate.company_identities),
  quorate.list_own_identities(), quorate.remove_own_identity(uuid, uuid, text) from public;
grant execute on function quorate.company_realm(text), quorate.company_provider_of(uuid), quorate.company_provider(uuid),
  quorate.company_provider_named(uuid, text), quorate.keep_company_one_time(bytea, uuid, bytea, int),
  quorate.peek_company_one_time(bytea), quorate.take_company_one_time(bytea),
  quorate.admit_company_person(uuid, text, text, boolean, text, text[], uuid, uuid, text, uuid),
  quorate.note_company_session(uuid, uuid, uuid, text, text, text[], text, timestamptz),
  quorate.end_company_sessions(uuid, text, text, bytea, timestamptz, uuid),
  quorate.note_company_refusal(uuid, text, uuid), quorate.company_saml_keys(uuid),
  quorate.take_company_assertion(uuid, bytea, timestamptz), quorate.remove_own_identity(uuid, uuid, text) to quorate_app;
grant execute on function quorate.list_own_identities() to quorate_member;
grant execute on function quorate.state_of_provider(quorate.identity_providers), quorate.is_sign_in(uuid, jsonb) to quorate_member;

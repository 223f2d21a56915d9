-- Sign-ins of connections at the authorization servers of their peers (OAuth): who we are there, what was consented to, and consents under
-- way.

-- Our registration at one authorization server. Issuer '': typed in by hand before the server was known.
create table quorate.oauth_clients (
  workspace_id uuid not null,
  connection_id uuid not null,
  issuer text not null check (length(issuer) <= 2000),
  sealed bytea not null,
  updated_at timestamptz not null default now(),
  primary key (connection_id, issuer),
  foreign key (workspace_id, connection_id) references quorate.connections (workspace_id, id) on delete cascade
);
alter table quorate.oauth_clients enable row level security;

-- Tokens for one resource from one issuer. No user: the workspace's. `version` counts each new set, so that a refresh replaces the set that
-- it read.
create table quorate.oauth_grants (
  id uuid primary key,
  workspace_id uuid not null,
  connection_id uuid not null,
  user_id uuid,
  issuer text not null check (length(issuer) <= 2000),
  resource text not null check (length(resource) <= 2000),
  scope text not null default '' check (length(scope) <= 4000),
  sealed bytea not null,
  version int not null default 1,
  expires_at timestamptz,
  status text not null default 'active' check (status in ('active', 'lost')), -- lost: the issuer takes the refresh token no more
  granted_by uuid not null,
  granted_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (connection_id, user_id),
  foreign key (workspace_id, connection_id) references quorate.connections (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade
);
create index oauth_grants_of_member on quorate.oauth_grants (workspace_id, user_id) where user_id is not null;
alter table quorate.oauth_grants enable row level security;

-- A consent that a person was sent away for. It is found by its state, once, in the session that began it.
create table quorate.oauth_consents (
  id uuid primary key,
  workspace_id uuid not null,
  connection_id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  for_member boolean not null,
  state_digest bytea not null unique,
  host text not null check (length(host) between 1 and 260),
  sealed bytea not null, -- address, verifier, discovery and registration
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  used_at timestamptz,
  foreign key (workspace_id, connection_id) references quorate.connections (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade
);
create index oauth_consents_own on quorate.oauth_consents (user_id, connection_id);
alter table quorate.oauth_consents enable row level security;

create constraint trigger audited after insert
  or delete on quorate.oauth_grants deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.oauth_grants deferrable initially deferred for each row
  when (old.status is distinct from new.status) execute function quorate.require_audit_event();

-- A worker registers us and renews tokens. A member types our registration in, and takes all of it away.
create policy worker_reads on quorate.oauth_clients for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy worker_inserts on quorate.oauth_clients for insert to quorate_worker
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy worker_updates on quorate.oauth_clients for update to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));
create policy worker_deletes on quorate.oauth_clients for delete to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy reads on quorate.oauth_clients for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'admin')));
create policy inserts on quorate.oauth_clients for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and issuer = '' and (select quorate.has_role('builder', 'admin')));
create policy deletes on quorate.oauth_clients for delete to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'admin')));
create policy key_reads on quorate.oauth_clients as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.oauth_clients as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_deletes on quorate.oauth_clients as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy worker_reads on quorate.oauth_grants for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy worker_updates on quorate.oauth_grants for update to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id())) with check (workspace_id = (select quorate.current_workspace_id()));
-- Everyone sees whether the workspace is signed in, and whether they are; builders and admins take anyone's away with the connection.
create policy reads on quorate.oauth_grants for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and (user_id is null or user_id = (select quorate.current_user_id()) or (select quorate.has_role('builder', 'admin'))));
create policy inserts on quorate.oauth_grants for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and granted_by = (select quorate.current_user_id())
    and (user_id = (select quorate.current_user_id()) or (user_id is null and (select quorate.has_role('builder', 'admin')))));
create policy deletes on quorate.oauth_grants for delete to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and (user_id = (select quorate.current_user_id()) or (select quorate.has_role('builder', 'admin'))));
create policy key_reads on quorate.oauth_grants as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.oauth_grants as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_deletes on quorate.oauth_grants as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy own on quorate.oauth_consents for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id())
    and session_id = (select quorate.current_session_id()))
  with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id())
    and session_id = (select quorate.current_session_id()));
create policy key_reads on quorate.oauth_consents as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.oauth_consents as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.oauth_consents as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.oauth_consents as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant select, insert, update, delete on quorate.oauth_clients to quorate_worker;
grant select (workspace_id, connection_id, issuer, updated_at), insert, delete on quorate.oauth_clients to quorate_member;
grant select on quorate.oauth_grants to quorate_worker;
grant update (scope, sealed, version, expires_at, status, updated_at) on quorate.oauth_grants to quorate_worker;
-- A member never reads a token back.
grant select (id, workspace_id, connection_id, user_id, issuer, resource, scope, version, expires_at, status, granted_by, granted_at,
  updated_at), insert, delete on quorate.oauth_grants to quorate_member;
grant select, insert, delete on quorate.oauth_consents to quorate_member;
grant update (used_at) on quorate.oauth_consents to quorate_member;
grant execute on function quorate.current_session_id() to quorate_member;

-- Registries of MCP servers that a workspace reads into its marketplace.

create table quorate.registries (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  name text not null check (length(name) between 1 and 120),
  address text not null check (length(address) between 1 and 2000),
  servers jsonb not null, -- as they were read last, cut down to what a page shows
  refused int not null default 0, -- entries of the last answer that were no servers
  cut boolean not null default false, -- the registry has more than are taken
  read_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, address)
);
alter table quorate.registries enable row level security;

create constraint trigger audited after insert or update or delete on quorate.registries
  deferrable initially deferred for each row execute function quorate.require_audit_event();

create policy read_workspace on quorate.registries for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy builder_inserts on quorate.registries for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
create policy builder_updates on quorate.registries for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')))
    with check (workspace_id = (select quorate.current_workspace_id()));
create policy builder_deletes on quorate.registries for delete to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
create policy key_reads on quorate.registries as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.registries as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.registries as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.registries as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant select, insert, delete on quorate.registries to quorate_member;
grant update (servers, refused, cut, read_at) on quorate.registries to quorate_member;

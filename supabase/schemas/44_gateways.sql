-- Gateways: approved capabilities of any connections, served to the workspace's own clients as one MCP server. The artifact of kind
-- `gateway` holds its name, description and state; each call is a run of the version of one tool.

create table quorate.gateways (
  artifact_id uuid primary key,
  workspace_id uuid not null,
  address text not null check (address ~ '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$'),
  roles text[] not null default '{}', -- whose keys may call it; none: of everyone who may start runs
  created_at timestamptz not null default now(),
  unique (workspace_id, address)
);
alter table quorate.gateways add unique (workspace_id, artifact_id);
alter table quorate.gateways add foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade;
alter table quorate.gateways enable row level security;

create table quorate.gateway_tools (
  id uuid primary key,
  workspace_id uuid not null,
  gateway_id uuid not null,
  capability_id uuid not null,
  name text not null check (name ~ '^[A-Za-z0-9_-]{1,64}$'), -- as callers see it
  description text not null default '' check (length(description) <= 2000), -- in place of the peer's; empty: the peer's
  fixed jsonb not null default '{}', -- values of arguments that callers neither see nor send, as they were typed
  fingerprint text not null, -- of the definition that it was made of: a changed tool is served no longer until somebody has looked
  version_id uuid not null, -- the workflow of one step that each call is a run of
  created_at timestamptz not null default now(),
  unique (gateway_id, name),
  foreign key (workspace_id, gateway_id) references quorate.gateways (workspace_id, artifact_id) on delete cascade,
  foreign key (workspace_id, capability_id) references quorate.capabilities (workspace_id, id) on delete cascade,
  foreign key (workspace_id, version_id) references quorate.versions (workspace_id, id)
);
create index gateway_tools_capability on quorate.gateway_tools (workspace_id, capability_id);
create index gateway_tools_version on quorate.gateway_tools (version_id);
alter table quorate.gateway_tools enable row level security;

create constraint trigger audited after insert or update or delete on quorate.gateways
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited after insert or update or delete on quorate.gateway_tools
  deferrable initially deferred for each row execute function quorate.require_audit_event();

create policy read_workspace on quorate.gateways for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy keeper_writes on quorate.gateways for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'admin')))
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'admin')));
create policy key_reads on quorate.gateways as restrictive for select to quorate_member using ((select quorate.key_may('runs:start')));
create policy key_inserts on quorate.gateways as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.gateways as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.gateways as restrictive for delete to quorate_member using ((select quorate.key_may('')));

create policy read_workspace on quorate.gateway_tools for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy keeper_writes on quorate.gateway_tools for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'admin')))
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder', 'admin')));
create policy key_reads on quorate.gateway_tools as restrictive for select to quorate_member using ((select quorate.key_may('runs:start')));
create policy key_inserts on quorate.gateway_tools as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.gateway_tools as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.gateway_tools as restrictive for delete to quorate_member using ((select quorate.key_may('')));

-- What a call of a gateway needs: the tools in force of the gateway at this address, or one of them. A tool is in force
-- while its capability is approved as it was when the tool was made. No row: no such gateway, paused, or not for the roles of this caller.
-- A gateway without tools is one row without a tool.
create function quorate.read_gateway(p_workspace uuid, p_address text, p_tool text) returns table (
  gateway_id uuid, gateway text, gateway_description text, tool text, title text, description text, definition json,
  version_id uuid, number int, document json
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if (p_workspace = quorate.current_workspace_id() and quorate.may_start_runs() and quorate.key_may('runs:start')) is not true then
    return;
  end if;
  return query
    select a.id, a.name, a.description, t.name, t.title, t.description, t.definition, t.version_id, t.number, t.document
    from quorate.gateways g join quorate.artifacts a on a.id = g.artifact_id
      left join lateral (
        select x.name, case when c.title = '' then c.name else c.title end as title,
          case when x.description = '' then c.description else x.description end as description, c.approved_definition::json as definition,
          v.id as version_id, v.number, v.document::json as document
        from quorate.gateway_tools x join quorate.capabilities c on c.id = x.capability_id
          join quorate.connections n on n.id = c.connection_id join quorate.versions v on v.id = x.version_id
        where x.gateway_id = a.id and n.deleted_at is null and c.removed_at is null and c.fingerprint = x.fingerprint
          and c.approved_fingerprint = x.fingerprint and (p_tool is null or x.name = p_tool)
      ) t on true
    where g.workspace_id = p_workspace and g.address = p_address and a.status = 'active' and a.deleted_at is null
      and (g.roles = '{}' or quorate.has_role(variadic g.roles))
    order by t.name;
end $$;

grant select, insert, delete on quorate.gateways, quorate.gateway_tools to quorate_member;
grant update (address, roles) on quorate.gateways to quorate_member;
grant update (name, description, fixed, fingerprint, version_id) on quorate.gateway_tools to quorate_member;
revoke all on function quorate.read_gateway(uuid, text, text) from public;
grant execute on function quorate.read_gateway(uuid, text, text) to quorate_member;

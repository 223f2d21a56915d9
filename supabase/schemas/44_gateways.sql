-- Gateways: approved capabilities of any connections, served to the workspace's own clients as one MCP server. The artifact of kind
-- `gateway` holds its name, description and state; each call is a run of the version of one tool.

create table quorate.gateways (
  artifact_id uuid primary key,
  workspace_id uuid not null,
  address text not null check (address ~ '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$'),
  roles text[] not null default '{}', -- whose keys may call it; none: of everyone who may start runs
  created_at timestamptz not null default now(),
  -- Groups of the directory whose people may call it, beside those of `roles`.
  groups uuid[] not null default '{}' check (cardinality(groups) <= 100),
  -- Whose calls alone are taken: API keys, and clients that people have let in. Neither: of any program. One that is gone lets nobody in.
  keys uuid[] not null default '{}' check (cardinality(keys) <= 100),
  clients text[] not null default '{}' check (cardinality(clients) <= 100),
  calls_a_minute int check (calls_a_minute between 1 and 99999), -- of all callers together; null: any number
  caller_calls_a_minute int check (caller_calls_a_minute between 1 and 99999), -- of one key or client
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

-- Whether the caller is one of those that a gateway is for: a person of its roles or groups, by one of its programs.
create function quorate.admits_caller(g quorate.gateways) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if not ((g.roles = '{}' and g.groups = '{}') or quorate.has_role(variadic g.roles) or (g.groups <> '{}' and exists (
      select from quorate.directory_group_people m join quorate.directory_people p on p.id = m.person_id
      where m.workspace_id = g.workspace_id and m.group_id = any (g.groups) and p.user_id = quorate.current_user_id()
        and p.active and p.deleted_at is null))) then
    return false;
  end if;
  return (g.keys = '{}' and g.clients = '{}') or coalesce(quorate.current_key_id() = any (g.keys), false)
    or (g.clients <> '{}' and exists (
      select from quorate.api_keys a where a.id = quorate.current_key_id() and a.client_id = any (g.clients)));
end $$;

-- What a message to the gateway at this address needs: its tools in force, those of `p_tools` or, where that is null, `p_limit` of them by
-- name after `p_after`. A tool is in force while its capability is approved as it was when the tool was made. No row: no such gateway, or
-- it is paused. A gateway without such tools is one row without a tool; so is one that does not admit the caller, and one that takes no
-- more of `p_calls` calls for `wait` seconds, as its pace for `paced` says.
create function quorate.read_gateway(p_workspace uuid, p_address text, p_tools text[], p_calls int, p_after text, p_limit int)
returns table (
  gateway_id uuid, gateway text, gateway_description text, admitted boolean, wait int, paced text, pace int, tool text, title text,
  description text, definition json, version_id uuid, number int, document json
)
language plpgsql volatile security definer set search_path = '' as $$
declare g quorate.gateways;
begin
  perform quorate.require_session();
  if (p_workspace = quorate.current_workspace_id() and quorate.may_start_runs() and quorate.key_may('runs:start')) is not true then
    return;
  end if;
  select x.* into g from quorate.gateways x where x.workspace_id = p_workspace and x.address = p_address;
  select a.id, a.name, a.description into gateway_id, gateway, gateway_description
    from quorate.artifacts a where a.id = g.artifact_id and a.status = 'active' and a.deleted_at is null;
  if not found then return; end if;
  admitted := quorate.admits_caller(g);
  wait := 0;
  for i in 1..p_calls loop
    exit when wait > 0 or not admitted;
    -- A count need not outlive a crash: no call waits for the disk.
    perform pg_catalog.set_config('synchronous_commit', 'off', true);
    if g.caller_calls_a_minute is not null then
      paced := 'caller';
      pace := g.caller_calls_a_minute;
      wait := quorate.take_limit('gatewayCaller:' || gateway_id || ':' || coalesce(quorate.current_key_id(), quorate.current_user_id()),
        pace, 60);
    end if;
    if wait = 0 and g.calls_a_minute is not null then
      paced := 'gateway';
      pace := g.calls_a_minute;
      wait := quorate.take_limit('gatewayPace:' || gateway_id, pace, 60);
    end if;
  end loop;
  if not admitted or wait > 0 then
    return next;
    return;
  end if;
  for tool, title, description, definition, version_id, number, document in
    select x.name, coalesce(nullif(c.title, ''), c.name), coalesce(nullif(x.description, ''), c.description), c.approved_definition::json,
      v.id, v.number, v.document::json
    from quorate.gateway_tools x join quorate.capabilities c on c.id = x.capability_id
      join quorate.connections n on n.id = c.connection_id join quorate.versions v on v.id = x.version_id
    where x.gateway_id = g.artifact_id and n.deleted_at is null and c.removed_at is null and c.fingerprint = x.fingerprint
      and c.approved_fingerprint = x.fingerprint and x.name = any (p_tools)
  loop
    return next;
  end loop;
  if p_tools is null then
    -- Documents are turned into text for this page alone, and not for every tool that is sorted.
    for tool, title, description, definition, version_id, number, document in
      select p.name, coalesce(nullif(c.title, ''), c.name), coalesce(nullif(p.description, ''), c.description), c.approved_definition::json,
        v.id, v.number, v.document::json
      from (select x.name, x.description, x.capability_id, x.version_id from quorate.gateway_tools x
            join quorate.capabilities k on k.id = x.capability_id join quorate.connections n on n.id = k.connection_id
          where x.gateway_id = g.artifact_id and n.deleted_at is null and k.removed_at is null and k.fingerprint = x.fingerprint
            and k.approved_fingerprint = x.fingerprint and x.name > p_after
          order by x.name limit p_limit) p
        join quorate.capabilities c on c.id = p.capability_id join quorate.versions v on v.id = p.version_id
      order by p.name
    loop
      return next;
    end loop;
  end if;
  if tool is null then return next; end if;
end $$;

-- Everything that a gateway can be for, beside roles, for whoever keeps gateways: groups of the directory, keys that hold, and clients that
-- people have let in. `owner`: the member whose key it is.
create function quorate.list_gateway_callers() returns table (kind text, value text, name text, owner text)
language plpgsql stable security definer set search_path = '' as $$
declare v_workspace uuid := quorate.current_workspace_id();
begin
  perform quorate.require_session();
  if (quorate.has_role('builder', 'admin') and quorate.current_key_id() is null) is not true then return; end if;
  return query
    select 'group'::text, d.id::text, d.display_name, null::text from quorate.directory_groups d where d.workspace_id = v_workspace
    union all
    (select 'key', a.id::text, a.name, m.name from quorate.api_keys a
        join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.user_id
      where a.workspace_id = v_workspace and a.grant_id is null and a.revoked_at is null and (a.expires_at is null or a.expires_at > now())
        and 'runs:start' = any (a.scopes)
      order by a.created_at desc limit 200)
    union all
    (select 'client', a.client_id, max(a.name), null from quorate.api_keys a
      where a.workspace_id = v_workspace and a.client_id is not null and a.revoked_at is null and a.expires_at > now()
      group by a.client_id order by 3 limit 200);
end $$;

-- Tools in force of a gateway that admits the caller, for a search: those that hold most of `p_words` (small letters) first, in the name
-- rather than in the title, and there rather than in the description.
create function quorate.search_gateway_tools(p_workspace uuid, p_address text, p_words text[], p_limit int) returns table (
  tool text, title text, description text, document json
)
language plpgsql stable security definer set search_path = '' as $$
declare g quorate.gateways;
begin
  perform quorate.require_session();
  if (p_workspace = quorate.current_workspace_id() and quorate.may_start_runs() and quorate.key_may('runs:start')) is not true then
    return;
  end if;
  select x.* into g from quorate.gateways x join quorate.artifacts a on a.id = x.artifact_id
    where x.workspace_id = p_workspace and x.address = p_address and a.status = 'active' and a.deleted_at is null;
  if g.artifact_id is null or not quorate.admits_caller(g) then return; end if;
  return query
    select b.name, b.title, b.description, v.document::json
    from (select f.*, s.score
      from (select x.name, x.version_id, coalesce(nullif(c.title, ''), c.name) as title,
            coalesce(nullif(x.description, ''), c.description) as description
          from quorate.gateway_tools x join quorate.capabilities c on c.id = x.capability_id
            join quorate.connections n on n.id = c.connection_id
          where x.gateway_id = g.artifact_id and n.deleted_at is null and c.removed_at is null and c.fingerprint = x.fingerprint
            and c.approved_fingerprint = x.fingerprint) f
        cross join lateral (select pg_catalog.sum(case when pg_catalog.strpos(pg_catalog.lower(f.name), w) > 0 then 4
            when pg_catalog.strpos(pg_catalog.lower(f.title), w) > 0 then 3
            when pg_catalog.strpos(pg_catalog.lower(f.description), w) > 0 then 2 else 0 end) as score
          from unnest(p_words) w) s
      where s.score > 0 order by s.score desc, f.name limit p_limit) b
      join quorate.versions v on v.id = b.version_id
    order by b.score desc, b.name;
end $$;

-- A mark of each gateway that is another one whenever its callers may find another list of tools.
create function quorate.list_gateway_marks(p_gateways uuid[]) returns table (gateway_id uuid, mark text)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select g.artifact_id, pg_catalog.md5(pg_catalog.concat_ws(' ', g::text, a.status, a.deleted_at, (
    select pg_catalog.string_agg(x.name || ' ' || x.version_id || ' ' || x.description, ',' order by x.name)
    from quorate.gateway_tools x join quorate.capabilities c on c.id = x.capability_id join quorate.connections n on n.id = c.connection_id
    where x.gateway_id = g.artifact_id and n.deleted_at is null and c.removed_at is null and c.fingerprint = x.fingerprint
      and c.approved_fingerprint = x.fingerprint)))
  from quorate.gateways g join quorate.artifacts a on a.id = g.artifact_id where g.artifact_id = any (p_gateways)
$$;

-- That of a gateway of the caller's workspace.
create function quorate.gateway_mark(p_gateway uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  return (select m.mark from quorate.list_gateway_marks(array[p_gateway]) m join quorate.gateways g on g.artifact_id = m.gateway_id
    where g.workspace_id = quorate.current_workspace_id());
end $$;

grant select, insert, delete on quorate.gateways, quorate.gateway_tools to quorate_member;
grant update (address, roles, groups, keys, clients, calls_a_minute, caller_calls_a_minute) on quorate.gateways to quorate_member;
grant update (name, description, fixed, fingerprint, version_id) on quorate.gateway_tools to quorate_member;
revoke all on function quorate.admits_caller(quorate.gateways), quorate.read_gateway(uuid, text, text[], int, text, int),
  quorate.list_gateway_callers(), quorate.search_gateway_tools(uuid, text, text[], int), quorate.list_gateway_marks(uuid[]),
  quorate.gateway_mark(uuid) from public;
grant execute on function quorate.read_gateway(uuid, text, text[], int, text, int), quorate.list_gateway_callers(),
  quorate.search_gateway_tools(uuid, text, text[], int), quorate.gateway_mark(uuid) to quorate_member;
grant execute on function quorate.list_gateway_marks(uuid[]) to quorate_worker;

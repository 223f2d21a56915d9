-- Whom a gateway is for beside roles, at what pace it is called, and its tools by page.

alter table quorate.gateways
  add column groups uuid[] not null default '{}' check (cardinality(groups) <= 100),
  add column keys uuid[] not null default '{}' check (cardinality(keys) <= 100),
  add column clients text[] not null default '{}' check (cardinality(clients) <= 100),
  add column calls_a_minute int check (calls_a_minute between 1 and 99999),
  add column caller_calls_a_minute int check (caller_calls_a_minute between 1 and 99999);

drop function quorate.read_gateway(uuid, text, text);

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

grant update (address, roles, groups, keys, clients, calls_a_minute, caller_calls_a_minute) on quorate.gateways to quorate_member;
revoke all on function quorate.admits_caller(quorate.gateways), quorate.read_gateway(uuid, text, text[], int, text, int),
  quorate.list_gateway_callers() from public;
grant execute on function quorate.read_gateway(uuid, text, text[], int, text, int), quorate.list_gateway_callers() to quorate_member;

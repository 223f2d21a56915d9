-- Search among the tools of a gateway, and marks of their list.

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

revoke all on function quorate.search_gateway_tools(uuid, text, text[], int), quorate.list_gateway_marks(uuid[]),
  quorate.gateway_mark(uuid) from public;
grant execute on function quorate.search_gateway_tools(uuid, text, text[], int), quorate.gateway_mark(uuid) to quorate_member;
grant execute on function quorate.list_gateway_marks(uuid[]) to quorate_worker;

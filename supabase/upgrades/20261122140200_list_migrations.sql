-- Which versions of Quorate's own schema stand here, for processes that may not read the list itself: code that does not know all of them
-- must not run on it. The list is shared with the project's other migrations, which never name our schema.
create function quorate.list_migrations() returns setof text
language sql stable security definer set search_path = '' as $$
  select m.version from supabase_migrations.schema_migrations m
  where pg_catalog.array_to_string(m.statements, ' ') like '%quorate.%' order by m.version
$$;
revoke all on function quorate.list_migrations() from public;
grant execute on function quorate.list_migrations() to quorate_app;

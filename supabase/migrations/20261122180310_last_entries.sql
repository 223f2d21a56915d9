-- The last entry of a log, that its workspace was deleted, is placed and signed like any other: until now it waited for ever.

create or replace function quorate.pending_log_workspaces() returns setof uuid
language sql stable security definer set search_path = '' as $$
  with recursive w (id) as (
    (select e.workspace_id from quorate.audit_events e where e.leaf_index is null order by e.workspace_id limit 1)
    union all
    select (select e.workspace_id from quorate.audit_events e where e.leaf_index is null and e.workspace_id > w.id
      order by e.workspace_id limit 1)
    from w where w.id is not null
  )
  select w.id from w where w.id is not null
$$;

-- Also inside a workspace of which nothing is left but its log, as long as an entry of that waits for its place.
create or replace function quorate.become_worker(p_workspace uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from quorate.workspaces w where w.id = p_workspace)
    and not exists (select from quorate.audit_events e where e.workspace_id = p_workspace and e.leaf_index is null)
  then raise exception 'unknown workspace' using errcode = 'QP004'; end if;
  perform pg_catalog.set_config('quorate.user_id', '', true), pg_catalog.set_config('quorate.workspace_id', p_workspace::text, true),
    pg_catalog.set_config('quorate.roles', '', true), pg_catalog.set_config('quorate.key_id', '', true);
end $$;

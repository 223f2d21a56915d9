-- The mark of a run reads what its page shows, and not each item of its loops.

-- How far a loop is, by its newest items: as many as may be under way at once.
create function quorate.mark_of_loop(s quorate.steps) returns text language sql stable security definer set search_path = '' as $$
  select coalesce(max(i.item_index), -1) || ' ' || count(i.finished_at) || ' ' || coalesce(max(i.finished_at)::text, '')
  from (select x.item_index, x.finished_at from quorate.steps x
    where x.run_id = s.run_id and x.item_of = s.path and x.item_index is not null order by x.item_index desc limit 20) i
$$;

-- A mark that changes whenever something does that the page of a run shows; only for runs named with their own workspace. Of loops
-- under way it reads the newest items, and not all: a change among the others is announced, and found with the next item.
create or replace function quorate.list_run_marks(p_workspaces uuid[], p_runs uuid[]) returns table (run_id uuid, mark text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select r.id, r.status || ' ' || r.attempt || ' ' || r.updated_at || ' ' || (
      select count(*) || ' ' || coalesce(max(greatest(s.started_at, s.finished_at))::text, '') || ' ' || coalesce(sum(s.attempt), 0)
        || ' ' || count(*) filter (where s.status in ('waiting', 'pending'))
        || ' ' || coalesce(pg_catalog.string_agg(quorate.mark_of_loop(s), ',' order by s.path)
          filter (where s.status = 'processing' and s.kind in ('for_each', 'repeat')), '')
      from quorate.steps s where s.run_id = r.id and s.within is null and s.item_index is null)
    || ' ' || (
      select coalesce(pg_catalog.string_agg(a.status, ',' order by a.id), '') || (
        select count(*) from quorate.approval_votes v join quorate.approvals b on b.id = v.approval_id where b.run_id = r.id)
      from quorate.approvals a where a.run_id = r.id)
    || ' ' || (select coalesce(pg_catalog.string_agg(b.id::text, ',' order by b.id), '') from quorate.list_asks_below(r.id) b)
  from unnest(p_workspaces, p_runs) as w (workspace_id, run_id)
  join quorate.runs r on r.id = w.run_id and r.workspace_id = w.workspace_id;
end $$;

revoke all on function quorate.mark_of_loop(quorate.steps) from public;

-- The mark of a run is read by its indexes, however much of the table is its own.
create or replace function quorate.list_run_marks(p_workspaces uuid[], p_runs uuid[]) returns table (run_id uuid, mark text)
-- half of a large table is of one run, and what is outside its loops is few: the planner takes the two for independent
language plpgsql stable security definer set search_path = '' set enable_seqscan = off as $$
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


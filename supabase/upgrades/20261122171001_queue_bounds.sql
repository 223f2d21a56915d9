-- How many runs of a workspace wait for their start, counted no further than the limit.
create function quorate.count_queued_runs(p_workspace uuid, p_limit int) returns int
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_workspace is distinct from quorate.current_workspace_id() then raise exception 'another workspace' using errcode = '42501'; end if;
  return (select count(*)::int from (
    select from quorate.runs r where r.workspace_id = p_workspace and r.status = 'pending' limit p_limit) x);
end $$;

-- Seconds until so many runs of the workspace will have left the queue, by the pace of the last hundred that did. A queue that stands
-- still slows the pace down the longer it does. Null: none has left it for an hour.
create function quorate.queue_wait(p_workspace uuid, p_runs int) returns double precision
language plpgsql stable security definer set search_path = '' as $$
declare v_count int; v_first timestamptz;
begin
  if p_workspace is distinct from quorate.current_workspace_id() then raise exception 'another workspace' using errcode = '42501'; end if;
  select count(*), min(x.started_at) into v_count, v_first from (
    select r.started_at from quorate.runs r
    where r.workspace_id = p_workspace and r.status <> 'pending' and r.started_at > clock_timestamp() - interval '1 hour'
    order by r.created_at desc, r.id desc limit 100) x;
  return p_runs * extract(epoch from clock_timestamp() - v_first) / nullif(v_count, 0);
end $$;

revoke all on function quorate.count_queued_runs(uuid, int), quorate.queue_wait(uuid, int) from public;
grant execute on function quorate.count_queued_runs(uuid, int), quorate.queue_wait(uuid, int) to quorate_member;

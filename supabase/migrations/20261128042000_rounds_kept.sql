-- A run that continues from a repetition keeps its rounds, and what ran beside the place it continues from is kept or continued.

drop function quorate.copy_journal(uuid, uuid, text, text[], text[], json);

-- Whether what a step has come to is taken over when a run continues from it: a loop that failed, or of which an item failed.
create or replace function quorate.is_resumed(s quorate.steps) returns boolean
language sql stable security definer set search_path = '' as $$
  select ((s.kind = 'for_each' and s.input is not null) or s.kind = 'repeat') and (s.status <> 'success' or exists (
    select from quorate.steps i where i.run_id = s.run_id and i.item_of = s.path and i.item_index is not null and i.status = 'error'))
$$;

-- The reason of a loop that is taken over. A repetition that had used up its rounds may make as many more.
create or replace function quorate.resumed_reason(s quorate.steps) returns jsonb language sql immutable as $$
  select case when s.kind = 'repeat' and s.error ->> 'key' = 'repeatLimit' then pg_catalog.jsonb_set(s.reason, '{values,limit}',
    pg_catalog.to_jsonb((s.reason #>> '{values,limit}')::int + coalesce(s.reason #>> '{values,each}', s.reason #>> '{values,limit}')::int))
  else s.reason end
$$;

-- Copies what a step had done that a run continues, so that only the rest is done again. Of a loop: its list, the items or rounds that
-- succeeded, and in the others the steps that did; an agent among these begins again. Of a step that runs another workflow: that its failed
-- run is to be continued. Answers how many rows it copied.
create or replace function quorate.copy_begun(p_from uuid, p_to uuid, p_step text) returns int
language plpgsql security definer set search_path = '' as $$
declare s quorate.steps; n int; v_count int := 0; v_anew text[] := '{}';
begin
  select * into s from quorate.steps x where x.run_id = p_from and x.path = p_step;
  if quorate.is_resumed(s) then
    select coalesce(pg_catalog.array_agg(x.path), '{}') into v_anew from quorate.steps x where x.run_id = p_from and x.item_index is null
      and x.status <> 'success' and x.agent_id is not null and quorate.is_below(x.path, array[p_step]);
    insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
      connection_id, capability_id, capability_fingerprint, candidates, reason, input, output, input_digest, output_digest, started_at,
      finished_at, item_of, item_index, within)
    select p_to, x.workspace_id, x.path, x.step_id, x.kind, x.name, case when e.ended then 'success' else 'processing' end, x.attempt, 0,
      p_to::text || '/' || x.path, x.protocol, x.connection_id, x.capability_id, x.capability_fingerprint, x.candidates,
      -- the reason of an item holds what its steps have found
      case when not e.ended then quorate.resumed_reason(x) when x.item_index is not null then x.reason
        else pg_catalog.jsonb_build_object('key', 'stepKept', 'values', pg_catalog.jsonb_build_object('run', p_from)) end,
      x.input, case when e.ended then x.output end, x.input_digest, case when e.ended then x.output_digest end, x.started_at,
      case when e.ended then x.finished_at end, x.item_of, x.item_index, x.within
    from quorate.steps x cross join lateral (select x.status = 'success' and x.path <> p_step as ended) e
    where x.run_id = p_from and x.kind <> 'approval' and quorate.is_below(x.path, array[p_step]) and not quorate.is_below(x.path, v_anew)
      and (e.ended or x.item_index is not null or quorate.is_resumed(x))
    order by x.position;
    get diagnostics v_count = row_count;
  end if;
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, reason, within)
  select p_to, x.workspace_id, x.path, x.step_id, x.kind, x.name, 'pending', 0, p_to::text || '/' || x.path,
    pg_catalog.jsonb_build_object('key', 'calledRunContinues', 'values', pg_catalog.jsonb_build_object('run', c.id)), x.within
  from quorate.steps x join quorate.runs c on c.caller_run_id = x.run_id and c.caller_path = x.path and c.status in ('failed', 'cancelled')
  where x.run_id = p_from and x.kind = 'sub_workflow' and x.status = 'error' and (x.path = p_step or v_count > 0)
    and quorate.is_below(x.path, array[p_step]) and not quorate.is_below(x.path, v_anew)
  order by x.position;
  get diagnostics n = row_count;
  return v_count + n;
end $$;

-- Copies steps of an ended run into a run of the caller's own that has not begun, of the same version with the same input: those to keep
-- (see copy_kept), and unless data was changed, what the steps `p_begun` had done: the one that it continues from, and those beside it that
-- had not ended. `p_changed`: what an author of workflows has put in place of the result of a step that is kept, or of the input of a
-- call that is made again; each says so from then on.
create or replace function quorate.copy_journal(p_from uuid, p_to uuid, p_paths text[], p_open text[], p_begun text[], p_changed json)
returns int
language plpgsql security definer set search_path = '' as $$
declare
  f quorate.runs; t quorate.runs; n int; v_path text := p_changed ->> 'path'; v_input boolean := p_changed ->> 'part' = 'input';
  v_reason jsonb := pg_catalog.jsonb_build_object('key', case when v_input then 'stepInputChanged' else 'stepChanged' end,
    'values', pg_catalog.jsonb_build_object('run', p_from, 'changed', true));
begin
  select * into f from quorate.runs x where x.id = p_from and (x.workspace_id = quorate.current_workspace_id()) is true;
  select * into t from quorate.runs x where x.id = p_to and (x.workspace_id = quorate.current_workspace_id()) is true for update;
  if f.id is null or t.id is null
    or (quorate.sees_all_runs() or f.initiator_id = quorate.current_user_id()) is not true
    or f.status not in ('completed', 'failed', 'cancelled')
    or t.initiator_id <> quorate.current_user_id() or t.parent_run_id is distinct from f.id or t.status <> 'pending' or t.attempt <> 0
    or row(t.artifact_id, t.version_id, t.mode, t.input::jsonb, t.trial::jsonb)
      is distinct from row(f.artifact_id, f.version_id, f.mode, f.input::jsonb, f.trial::jsonb)
    or exists (select from quorate.steps s where s.run_id = p_to) then
    raise exception 'this run does not go on from that one' using errcode = 'QP005';
  end if;
  n := quorate.copy_kept(p_from, p_to, p_paths, p_open);
  if p_changed is null then
    n := n + coalesce((select sum(quorate.copy_begun(p_from, p_to, b)) from pg_catalog.unnest(p_begun) b), 0);
  end if;
  if p_changed is not null then
    if quorate.current_key_id() is not null or not quorate.has_role('builder') then
      raise exception 'data is changed by who may change the workflow' using errcode = 'QP005';
    end if;
    if v_input then
      insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, reason,
        input, input_digest)
      select p_to, s.workspace_id, s.path, s.step_id, s.kind, s.name, 'pending', 1, 0, p_to::text || '/' || s.path, v_reason,
        p_changed -> 'value', p_changed ->> 'after'
      from quorate.steps s where s.run_id = p_from and s.path = v_path and s.capability_id is not null and not s.path = any(p_paths);
    else
      update quorate.steps s set output = case when pg_catalog.json_typeof(p_changed -> 'value') <> 'null' then p_changed -> 'value' end,
        output_digest = p_changed ->> 'after', reason = v_reason
      where s.run_id = p_to and s.path = v_path and s.status = 'success';
    end if;
    if not found then raise exception 'no data of this run is there' using errcode = 'QP005'; end if;
  end if;
  -- the first walk reads the journal, as one that takes over does
  update quorate.runs x set attempt = 1 where x.id = p_to;
  return n;
end $$;

revoke all on function quorate.resumed_reason(quorate.steps), quorate.copy_journal(uuid, uuid, text[], text[], text[], json) from public;
grant execute on function quorate.copy_journal(uuid, uuid, text[], text[], text[], json) to quorate_member;

drop function quorate.copy_journal(uuid, uuid, text[], text[]);

-- Copies steps of an ended run into a run of the caller's own that has not begun, of the same version with the same input.
-- `p_paths`: ended steps to keep; `p_open`: branches that the place lies in, whose choice is kept. `p_changed`: what an author of workflows
-- has put in place of the result of a step that is kept, or of the input of a call that is made again; each says so from then on. Answers
-- how many were copied.
create function quorate.copy_journal(p_from uuid, p_to uuid, p_paths text[], p_open text[], p_changed json) returns int
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
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
    connection_id, capability_id, capability_fingerprint, candidates, reason, input, output, error, input_digest, output_digest,
    started_at, finished_at)
  select p_to, s.workspace_id, s.path, s.step_id, s.kind, s.name, case when s.path = any(p_open) then 'processing' else s.status end,
    s.attempt, 0, p_to::text || '/' || s.path, s.protocol, s.connection_id, s.capability_id, s.capability_fingerprint, s.candidates,
    case when s.path = any(p_open) or s.reason #> '{values,changed}' = 'true' then s.reason
      else pg_catalog.jsonb_build_object('key', 'stepKept', 'values', pg_catalog.jsonb_build_object('run', p_from)) end,
    s.input, case when s.path = any(p_open) then null else s.output end, s.error, s.input_digest,
    case when s.path = any(p_open) then null else s.output_digest end, s.started_at,
    case when s.path = any(p_open) then null else s.finished_at end
  from quorate.steps s where s.run_id = p_from and s.kind <> 'approval'
    and ((s.path = any(p_paths) and s.status in ('success', 'skipped', 'error'))
      or (s.path = any(p_open) and s.kind = 'branch' and s.input is not null))
  order by s.position;
  get diagnostics n = row_count;
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

revoke all on function quorate.copy_journal(uuid, uuid, text[], text[], json) from public;
grant execute on function quorate.copy_journal(uuid, uuid, text[], text[], json) to quorate_member;

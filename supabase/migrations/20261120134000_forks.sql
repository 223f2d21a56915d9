-- A run may go on from a place in an earlier one: what that run had done before the place is copied and is not called again.
-- What an approver was asked is never copied: an approval releases one action of one run (rule 2), so it is asked anew.

-- Copies steps of an ended run into a run of the caller's own that has not begun, of the same version with the same input.
-- `p_paths`: ended steps to keep; `p_open`: branches that the place lies in, whose choice is kept. Answers how many were copied.
create function quorate.copy_journal(p_from uuid, p_to uuid, p_paths text[], p_open text[]) returns int
language plpgsql security definer set search_path = '' as $$
declare f quorate.runs; t quorate.runs; n int;
begin
  select * into f from quorate.runs x where x.id = p_from and (x.workspace_id = quorate.current_workspace_id()) is true;
  select * into t from quorate.runs x where x.id = p_to and (x.workspace_id = quorate.current_workspace_id()) is true for update;
  if f.id is null or t.id is null
    or (quorate.sees_all_runs() or f.initiator_id = quorate.current_user_id()) is not true
    or f.status not in ('completed', 'failed', 'cancelled')
    or t.initiator_id <> quorate.current_user_id() or t.parent_run_id is distinct from f.id or t.status <> 'pending' or t.attempt <> 0
    or row(t.artifact_id, t.version_id, t.mode, t.input) is distinct from row(f.artifact_id, f.version_id, f.mode, f.input)
    or exists (select from quorate.steps s where s.run_id = p_to) then
    raise exception 'this run does not go on from that one' using errcode = 'QP005';
  end if;
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol, connection_id, capability_id, capability_fingerprint,
    candidates, reason, input, output, error, input_digest, output_digest, started_at, finished_at)
  select p_to, s.workspace_id, s.path, s.step_id, s.kind, s.name, case when s.path = any(p_open) then 'processing' else s.status end, s.attempt, 0, p_to::text || '/' || s.path, s.protocol,
    s.connection_id, s.capability_id, s.capability_fingerprint, s.candidates,
    case when s.path = any(p_open) then s.reason else pg_catalog.jsonb_build_object('key', 'stepKept', 'values', pg_catalog.jsonb_build_object('run', p_from)) end,
    s.input, case when s.path = any(p_open) then null else s.output end, s.error, s.input_digest, case when s.path = any(p_open) then null else s.output_digest end,
    s.started_at, case when s.path = any(p_open) then null else s.finished_at end
  from quorate.steps s where s.run_id = p_from and s.kind <> 'approval'
    and ((s.path = any(p_paths) and s.status in ('success', 'skipped', 'error')) or (s.path = any(p_open) and s.kind = 'branch' and s.input is not null))
  order by s.position;
  get diagnostics n = row_count;
  -- the first walk reads the journal, as one that takes over does
  update quorate.runs x set attempt = 1 where x.id = p_to;
  return n;
end $$;
revoke all on function quorate.copy_journal(uuid, uuid, text[], text[]) from public;
grant execute on function quorate.copy_journal(uuid, uuid, text[], text[]) to quorate_member;

create index runs_parent on quorate.runs (parent_run_id) where parent_run_id is not null;

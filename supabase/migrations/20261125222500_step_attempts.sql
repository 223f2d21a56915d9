-- Failed attempts of steps that were made again; the last attempt is the step's own row. Its decision tells when one began and what it did.
-- A step that needs one attempt has none.
create table quorate.step_attempts (
  workspace_id uuid not null,
  run_id uuid not null,
  path text not null,
  attempt int not null,
  error jsonb not null, -- { key, values }
  failed_at timestamptz not null default clock_timestamp(),
  primary key (run_id, path, attempt),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
alter table quorate.step_attempts enable row level security;

create policy read_attempts on quorate.step_attempts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.step_attempts as restrictive for select to quorate_member
  using ((select quorate.key_may('runs:read')));
grant select on quorate.step_attempts to quorate_member;

create or replace function quorate.finish_step(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_result json, p_local json)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_held boolean := false; v_result jsonb := p_result; u jsonb := v_result -> 'usage';
  v_output json := p_result -> 'output';
begin
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null then
    v_held := quorate.is_held(r);
    if not v_held then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  end if;
  if u is not null then
    -- an attempt is under way as 'processing' and ends once: a repeated statement finds it over and adds nothing
    update quorate.steps s set tokens_in = coalesce(s.tokens_in, 0) + (u ->> 'tokensIn')::bigint,
      tokens_out = coalesce(s.tokens_out, 0) + (u ->> 'tokensOut')::bigint,
      cost_micros = case when u ->> 'costMicros' is null then s.cost_micros
        else coalesce(s.cost_micros, 0) + (u ->> 'costMicros')::bigint end
    where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status = 'processing';
    if found then
      update quorate.runs x set tokens_in = coalesce(x.tokens_in, 0) + (u ->> 'tokensIn')::bigint,
        tokens_out = coalesce(x.tokens_out, 0) + (u ->> 'tokensOut')::bigint,
        cost_micros = case when u ->> 'costMicros' is null then x.cost_micros
          else coalesce(x.cost_micros, 0) + (u ->> 'costMicros')::bigint end
      where x.id = p_run;
    end if;
  end if;
  if v_result ->> 'status' = 'pending' then
    insert into quorate.step_attempts (workspace_id, run_id, path, attempt, error)
    select p_workspace, p_run, p_path, s.attempt, v_result -> 'error' from quorate.steps s
    where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status = 'processing'
    on conflict do nothing;
    -- of a step that fails again and again, the last are kept
    delete from quorate.step_attempts a using quorate.steps s where s.run_id = p_run and s.path = p_path
      and a.run_id = p_run and a.path = p_path and a.attempt <= s.attempt - 20;
  end if;
  update quorate.steps s set status = v_result ->> 'status',
    output = case when pg_catalog.json_typeof(v_output) <> 'null' then v_output end, output_digest = v_result ->> 'outputDigest',
    error = nullif(v_result -> 'error', 'null'), next_attempt_at = (v_result ->> 'nextAttemptAt')::timestamptz,
    finished_at = clock_timestamp(), frames = coalesce(p_result -> 'frames', s.frames)
  where s.run_id = p_run and s.path = p_path and s.run_attempt = p_attempt and s.status in ('processing', 'waiting', 'pending');
  return pg_catalog.jsonb_build_object('state', case when v_held then 'halted' else 'ok' end,
    'cancelled', r.cancel_requested_at is not null);
end $$;

-- Test runs of one step on data at hand, and the outputs that authors pin to steps of a draft.

alter table quorate.runs add column trial quorate.ordered_json;
alter table quorate.runs add constraint runs_trial_is_test check (trial is null or mode = 'test');
grant insert (trial) on quorate.runs to quorate_member;

create or replace function quorate.describe_claim(r quorate.runs, p_revision bigint) returns json
language plpgsql security definer set search_path = '' as $$
begin
  return pg_catalog.json_build_object('state', 'claimed', 'attempt', r.attempt, 'versionId', r.version_id, 'artifactId', r.artifact_id,
    'mode', r.mode, 'input', r.input, 'initiatorId', r.initiator_id,
    'initiatorRoles', coalesce((select pg_catalog.to_json(m.roles) from quorate.members m
      where m.workspace_id = r.workspace_id and m.user_id = r.initiator_id), '[]'),
    'versionAuthorId', (select v.author_id from quorate.versions v where v.id = r.version_id and v.workspace_id = r.workspace_id),
    'createdAt', r.created_at, 'waitingMs', r.waiting_ms, 'revision', p_revision, 'trial', r.trial,
    'cancelled', r.cancel_requested_at is not null or (r.caller_run_id is not null and quorate.has_lost_caller(r)),
    'steps', case when r.attempt = 1 then '[]'::json else quorate.read_journal(r.id) end,
    'loops', case when r.attempt = 1 then '[]'::json else quorate.list_loops(r.id) end,
    'approvals', case when r.attempt = 1 then '[]'::json else (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'path', a.step_path, 'status', a.status,
        'digest', a.action_digest, 'dueAt', a.due_at,
        'approvedBy', (select coalesce(pg_catalog.json_agg(v.user_id), '[]') from quorate.approval_votes v
          where v.approval_id = a.id and v.vote = 'approve'))), '[]')
      from quorate.approvals a where a.run_id = r.id) end);
end $$;

create or replace function quorate.copy_journal(p_from uuid, p_to uuid, p_paths text[], p_open text[]) returns int
language plpgsql security definer set search_path = '' as $$
declare f quorate.runs; t quorate.runs; n int;
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
    case when s.path = any(p_open) then s.reason
      else pg_catalog.jsonb_build_object('key', 'stepKept', 'values', pg_catalog.jsonb_build_object('run', p_from)) end,
    s.input, case when s.path = any(p_open) then null else s.output end, s.error, s.input_digest,
    case when s.path = any(p_open) then null else s.output_digest end, s.started_at,
    case when s.path = any(p_open) then null else s.finished_at end
  from quorate.steps s where s.run_id = p_from and s.kind <> 'approval'
    and ((s.path = any(p_paths) and s.status in ('success', 'skipped', 'error'))
      or (s.path = any(p_open) and s.kind = 'branch' and s.input is not null))
  order by s.position;
  get diagnostics n = row_count;
  -- the first walk reads the journal, as one that takes over does
  update quorate.runs x set attempt = 1 where x.id = p_to;
  return n;
end $$;

create table quorate.step_pins (
  workspace_id uuid not null,
  artifact_id uuid not null,
  step_id text not null,
  output quorate.ordered_json not null,
  run_id uuid not null, -- the test run that gave it
  pinned_by uuid not null,
  pinned_at timestamptz not null default now(),
  primary key (artifact_id, step_id),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade,
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index step_pins_run on quorate.step_pins (run_id);
alter table quorate.step_pins enable row level security;

create constraint trigger audited after insert or update or delete on quorate.step_pins
  deferrable initially deferred for each row execute function quorate.require_audit_event();

create policy read_pins on quorate.step_pins for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
create policy author_inserts on quorate.step_pins for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and pinned_by = (select quorate.current_user_id())
    and (select quorate.has_role('builder'))
    and exists (select from quorate.runs r where r.id = run_id and r.artifact_id = step_pins.artifact_id and r.trial ->> 'kind' = 'step'));
create policy author_deletes on quorate.step_pins for delete to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
create policy key_reads on quorate.step_pins as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.step_pins as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.step_pins as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.step_pins as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant select, insert, delete on quorate.step_pins to quorate_member;

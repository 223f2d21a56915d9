-- Runs, their steps and decisions, and what reads them.

create table quorate.runs (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  artifact_id uuid not null,
  version_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  trigger_kind text not null default 'manual',
  initiator_id uuid not null,
  parent_run_id uuid,
  status text not null default 'pending' check (status in ('pending', 'processing', 'waiting', 'completed', 'failed', 'cancelled')),
  input quorate.ordered_json not null default '{}',
  output quorate.ordered_json,
  error jsonb,
  attempt int not null default 0, -- the fence: raised by every claim
  claimed_by uuid,
  wake boolean not null default false, -- something happened while it was being driven: walk once more before waiting
  cancel_requested_at timestamptz,
  cancelled_by uuid,
  request_key text, -- of the form or caller that started it: a second post starts nothing
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  waiting_since timestamptz,
  waiting_ms bigint not null default 0,
  journal_hash text,
  updated_at timestamptz not null default clock_timestamp(),
  -- The sums over a run's steps; null: no model was called, or its price is not known.
  tokens_in bigint,
  tokens_out bigint,
  cost_micros bigint,
  -- workspace, workflow: it waits for a place under that limit; granted: it holds one, and a worker is about to drive it.
  place text check (place in ('workspace', 'workflow', 'granted')),
  -- The run whose step started this one, and the path of that step.
  caller_run_id uuid,
  caller_path text,
  -- Of a test run of one step or a dry run: which of the two, and the outputs that it takes over. No live run has one.
  trial quorate.ordered_json,
  -- Counts the runs of the workspace; with gaps, where a start was undone. Set by a trigger, whatever is inserted.
  number int not null default 0,
  -- The subject: texts, numbers and amounts of money in a row. Null: the workflow names none, it could not be made, or it was
  -- erased.
  subject jsonb,
  constraint runs_trial_is_test check (trial is null or mode = 'test'),
  constraint runs_subject_is_short check (jsonb_typeof(subject) = 'array' and length(subject::text) <= 2000),
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id),
  foreign key (workspace_id, version_id) references quorate.versions (workspace_id, id)
);
create index runs_open on quorate.runs (workspace_id, status) where status in ('pending', 'processing', 'waiting');
create index runs_claimed on quorate.runs (claimed_by) where status = 'processing';
create unique index runs_request_key on quorate.runs (workspace_id, initiator_id, request_key) where request_key is not null;
create index runs_parent on quorate.runs (parent_run_id) where parent_run_id is not null;
create unique index runs_caller on quorate.runs (caller_run_id, caller_path) where caller_run_id is not null;
-- The open runs that a run has called, among any number that have ended.
create index runs_called_open on quorate.runs (caller_run_id) where caller_run_id is not null
  and status in ('pending', 'processing', 'waiting');
create index runs_list on quorate.runs (workspace_id, created_at desc, id desc)
  include (mode, status, artifact_id, version_id, initiator_id, started_at, finished_at, waiting_ms);
create unique index runs_number on quorate.runs (workspace_id, number);
create index runs_artifact on quorate.runs (artifact_id, created_at desc, id desc)
  include (workspace_id, mode, status, initiator_id, started_at, finished_at, waiting_ms);
create index runs_initiator on quorate.runs (workspace_id, initiator_id, created_at desc, id desc);
-- Runs that failed or were cancelled are rare and often asked for; those that completed never get into this index.
create index runs_ended_badly on quorate.runs (workspace_id, status, created_at desc, id desc) where status in ('failed', 'cancelled');
create index runs_waiting_for_place on quorate.runs (workspace_id, artifact_id, id) where place in ('workspace', 'workflow');
create index runs_granted_a_place on quorate.runs (workspace_id, artifact_id) where place = 'granted';
alter table quorate.runs add unique (workspace_id, id);
alter table quorate.runs add constraint runs_parent_run foreign key (workspace_id, parent_run_id) references quorate.runs (workspace_id, id)
  on delete set null (parent_run_id);
alter table quorate.runs add constraint runs_caller_run foreign key (workspace_id, caller_run_id)
  references quorate.runs (workspace_id, id) on delete set null (caller_run_id);
alter table quorate.runs enable row level security;

create table quorate.steps (
  run_id uuid not null,
  workspace_id uuid not null,
  path text not null, -- place in the run: step ids and branch labels joined by '/'
  step_id text not null,
  position bigint generated always as identity,
  kind text not null
    check (kind in ('tool', 'agent', 'approval', 'branch', 'transform', 'model', 'for_each', 'wait', 'try', 'http', 'repeat',
      'sub_workflow', 'message', 'cleanup', 'human_task', 'create_document', 'read_document')),
  name text not null,
  status text not null check (status in ('pending', 'processing', 'waiting', 'success', 'error', 'skipped')),
  attempt int not null default 1,
  run_attempt int not null,
  idempotency_key text not null,
  protocol text, -- 'mcp' | 'a2a' | null
  connection_id uuid,
  capability_id uuid,
  capability_fingerprint text,
  candidates jsonb, -- [{ capabilityId, name, protocol, score, parts, excluded }]
  reason jsonb, -- { key, values }: a sentence in the reader's language
  input quorate.ordered_json,
  output quorate.ordered_json,
  error jsonb,
  input_digest text,
  output_digest text,
  decision_id uuid,
  approval_id uuid,
  next_attempt_at timestamptz,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- Tokens as the provider counted them; cost in millionths of a US dollar by the price that the connection had at the call. frames:
  -- requests and answers of a test run's call, credentials taken out; for the inspector alone.
  tokens_in bigint,
  tokens_out bigint,
  cost_micros bigint,
  frames quorate.ordered_json,
  -- Which agent a step stands for, where it is one of the workspace's own.
  agent_id uuid,
  -- A row of one item of a loop: the loop's path, and the number of the item from 0. `within`: the path of the nearest item around any row.
  item_of text,
  item_index int,
  within text,
  primary key (run_id, path),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index steps_capability on quorate.steps (capability_id, started_at desc) where capability_id is not null;
-- What the screens of routing, decisions and figures read. The step's own place breaks ties, so that a page ends exactly where
-- the next begins; nothing that changes is in the index, so that finishing a step stays a cheap update.
create index steps_window on quorate.steps (workspace_id, started_at desc, position desc);
create index steps_items on quorate.steps (run_id, item_of, item_index) where item_index is not null;
-- The steps outside loops too, which the page of a run reads beside 10,000 items.
create index steps_within on quorate.steps (run_id, within) where item_index is null;
create index steps_agent on quorate.steps (agent_id, started_at desc) where agent_id is not null;
alter table quorate.steps enable row level security;

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

create table quorate.decisions (
  id uuid primary key,
  workspace_id uuid not null,
  run_id uuid not null,
  step_path text not null,
  attempt int not null,
  action text not null,
  verdict text not null check (verdict in ('allow', 'warn', 'transform', 'require_approval', 'deny')),
  rules jsonb not null default '[]', -- [{ policyId, policyName, version, rule, verdict }]
  reason jsonb not null, -- { key, values }
  context jsonb not null default '{}', -- what the policy was asked with (no payloads)
  action_digest text not null,
  policy_version text not null, -- digest over the policies in force
  decided_at timestamptz not null default clock_timestamp(),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade
);
create index decisions_run on quorate.decisions (run_id, decided_at);
-- What policies did. A violation is a warn or a deny; an allow without a rule, by far the most, is not in the index.
create index decisions_determined on quorate.decisions (workspace_id, decided_at desc) where verdict <> 'allow' or rules <> '[]'::jsonb;
-- Of rules in monitor mode.
create index decisions_monitored on quorate.decisions (workspace_id, decided_at desc) where context ? 'monitored';
-- Calls to one payee.
create index decisions_payee on quorate.decisions (workspace_id, (context #>> '{circumstances,payee}'))
  where context #>> '{circumstances,payee}' is not null;
create index decisions_list on quorate.decisions (workspace_id, decided_at desc, id desc);
alter table quorate.decisions enable row level security;

-- Sequences that come and go with workspaces. Apart: the embedded auth service wants rights on all that stands in a schema with row level
-- security, and does not start where it finds a sequence that it was not admitted to.
create schema if not exists quorate_numbers;

-- Numbers runs by a sequence of their workspace, which the first run makes. A row that counts would be locked until the start commits, so
-- that starts of one workspace waited for one another's disk. A copied database goes on behind the highest number.
create function quorate.number_run() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  v_name text := pg_catalog.format('quorate_numbers.run_numbers_%s', replace(new.workspace_id::text, '-', ''));
  v_sequence regclass := pg_catalog.to_regclass(v_name);
begin
  if v_sequence is null then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(v_name, 0));
    -- Looked up again by the statement itself: what is known here of the catalogue may be older than another's commit.
    execute pg_catalog.format('create sequence if not exists %s as int start with %s', v_name,
      (select coalesce(max(r.number), 0) + 1 from quorate.runs r where r.workspace_id = new.workspace_id));
    v_sequence := pg_catalog.to_regclass(v_name);
  end if;
  new.number := pg_catalog.nextval(v_sequence);
  return new;
end $$;

create function quorate.forget_run_numbers() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  execute pg_catalog.format('drop sequence if exists quorate_numbers.run_numbers_%s', replace(old.id::text, '-', ''));
  return null;
end $$;

-- A subject as one text, numbers as JSON writes them.
create function quorate.subject_text(p_subject jsonb) returns text language sql immutable set search_path = '' as $$
  select pg_catalog.string_agg(case pg_catalog.jsonb_typeof(x.part)
    when 'object' then (x.part ->> 'amount') || ' ' || (x.part ->> 'currency') else x.part #>> '{}' end, '' order by x.n)
  from pg_catalog.jsonb_array_elements(case when pg_catalog.jsonb_typeof(p_subject) = 'array' then p_subject else '[]' end)
    with ordinality as x (part, n)
$$;

-- Whether a halt holds this run: a local step that is not written yet then did not start, and the walk after the release does it.
-- A cancelled run may end all the same. The caller has taken the halt's lock, before the run's row: whoever halts waits for both.
create function quorate.is_held(p_run quorate.runs) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  return p_run.cancel_requested_at is null
    and exists (select from quorate.workspaces x where x.id = p_run.workspace_id and x.halted_at is not null);
end $$;

-- How far a loop is, by its newest items: as many as may be under way at once.
create function quorate.mark_of_loop(s quorate.steps) returns text language sql stable security definer set search_path = '' as $$
  select coalesce(max(i.item_index), -1) || ' ' || count(i.finished_at) || ' ' || coalesce(max(i.finished_at)::text, '')
  from (select x.item_index, x.finished_at from quorate.steps x
    where x.run_id = s.run_id and x.item_of = s.path and x.item_index is not null order by x.item_index desc limit 20) i
$$;

-- A mark that changes whenever something does that the page of a run shows; only for runs named with their own workspace. Of loops
-- under way it reads the newest items, and not all: a change among the others is announced, and found with the next item.
create function quorate.list_run_marks(p_workspaces uuid[], p_runs uuid[]) returns table (run_id uuid, mark text)
-- half of a large table is of one run, and what is outside its loops is few: the planner takes the two for independent
language plpgsql stable security definer set search_path = '' set enable_seqscan = off as $$
begin
  perform quorate.require_session();
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

-- Live runs of a month, counted no further than the limit. A plain user sees only their own runs; a quota is the workspace's.
create function quorate.count_live_runs(p_workspace uuid, p_since timestamptz, p_limit int) returns int
  language plpgsql stable security definer set search_path = '' as $$
begin
  if p_workspace is distinct from quorate.current_workspace_id() then raise exception 'another workspace' using errcode = '42501'; end if;
  return (select count(*)::int
    from (select from quorate.runs r where r.workspace_id = p_workspace and r.mode = 'live' and r.created_at >= p_since limit p_limit) x);
end $$;

-- Something happened to a run that this worker is driving already.
create function quorate.wake_run(p_workspace uuid, p_run uuid) returns void language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.runs x set wake = true
    where x.id = p_run and (x.workspace_id = p_workspace and x.status = 'processing' and not x.wake) is true
$$;

-- Copies steps of an ended run into another one. `p_paths`: ended steps to keep; `p_open`: branches that the place lies in, whose choice is
-- kept. Answers how many were copied.
create function quorate.copy_kept(p_from uuid, p_to uuid, p_paths text[], p_open text[]) returns int
language plpgsql security definer set search_path = '' as $$
declare n int;
begin
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
  return n;
end $$;

-- Whether a step is done for a run that continues one around it. Of an agent this is also a failed call of which its model has been told,
-- or that may have taken effect; an answer that the agent could not read is not.
create function quorate.is_done(s quorate.steps) returns boolean language plpgsql stable security definer set search_path = '' as $$
declare
  m text[] := case when s.status in ('success', 'error') then pg_catalog.regexp_match(s.path, '^(.*)/turn_([0-9]+)(_call_[0-9]+)?$') end;
  a quorate.steps; v_told boolean;
begin
  if m is not null then
    select * into a from quorate.steps x where x.run_id = s.run_id and x.path = m[1] and x.agent_id is not null;
  end if;
  if a.run_id is null then return s.status = 'success'; end if;
  v_told := exists (select from quorate.steps x where x.run_id = s.run_id and x.path = m[1] || '/turn_' || (m[2]::int + 1)
    and x.status = 'success');
  if s.status = 'success' then
    return m[3] is not null or v_told or a.error ->> 'key' is distinct from 'agentAnswerUnreadable';
  end if;
  return m[3] is not null and (v_told or (s.error ->> 'unknown' = 'true') is true);
end $$;

-- Whether what a step has come to is taken over when a run continues from it: a loop that failed, or of which an item failed, and an agent
-- that its model has answered before it failed.
create function quorate.is_resumed(s quorate.steps) returns boolean language sql stable security definer set search_path = '' as $$
  select case
    when s.kind = 'repeat' or (s.kind = 'for_each' and s.input is not null) then s.status <> 'success' or exists (
      select from quorate.steps i where i.run_id = s.run_id and i.item_of = s.path and i.item_index is not null and i.status = 'error')
    when s.agent_id is not null and s.input is not null then s.status <> 'success' and exists (
      select from quorate.steps t where t.run_id = s.run_id and t.path = s.path || '/turn_1' and quorate.is_done(t))
    else false end
$$;

-- The reason of a loop that is taken over. A repetition that had used up its rounds may make as many more.
create function quorate.resumed_reason(s quorate.steps) returns jsonb language sql immutable as $$
  select case when s.kind = 'repeat' and s.error ->> 'key' = 'repeatLimit' then pg_catalog.jsonb_set(s.reason, '{values,limit}',
    pg_catalog.to_jsonb((s.reason #>> '{values,limit}')::int + coalesce(s.reason #>> '{values,each}', s.reason #>> '{values,limit}')::int))
  else s.reason end
$$;

-- Copies what a step had done that a run continues, so that only the rest is done again. Of a loop: its list, the items or rounds that
-- succeeded, and in the others the steps that did. Of an agent, also of one within: its task, and its turns and calls that are done. Of a
-- step that runs another workflow: the run that it is to go on with. Answers how many rows it copied.
create function quorate.copy_begun(p_from uuid, p_to uuid, p_step text) returns int
language plpgsql security definer set search_path = '' as $$
declare s quorate.steps; n int; v_count int := 0;
begin
  select * into s from quorate.steps x where x.run_id = p_from and x.path = p_step;
  if quorate.is_resumed(s) then
    insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, attempt, run_attempt, idempotency_key, protocol,
      connection_id, capability_id, capability_fingerprint, candidates, reason, input, output, error, input_digest, output_digest,
      started_at, finished_at, agent_id, item_of, item_index, within)
    select p_to, x.workspace_id, x.path, x.step_id, x.kind, x.name,
      -- an agent's time begins when it is reached
      case when e.ended then x.status when x.agent_id is not null then 'pending' else 'processing' end, x.attempt, 0,
      p_to::text || '/' || x.path, x.protocol, x.connection_id, x.capability_id, x.capability_fingerprint, x.candidates,
      -- the reason of an item holds what its steps have found
      case when not e.ended then quorate.resumed_reason(x) when x.item_index is not null then x.reason
        else pg_catalog.jsonb_build_object('key', 'stepKept', 'values', pg_catalog.jsonb_build_object('run', p_from)) end,
      x.input, case when e.ended then x.output end, case when e.ended then x.error end, x.input_digest,
      case when e.ended then x.output_digest end, x.started_at, case when e.ended then x.finished_at end,
      case when not e.ended then x.agent_id end, x.item_of, x.item_index, x.within
    from quorate.steps x cross join lateral (select x.path <> p_step and quorate.is_done(x) as ended) e
    where x.run_id = p_from and x.kind <> 'approval' and quorate.is_below(x.path, array[p_step])
      and (e.ended or x.item_index is not null or quorate.is_resumed(x))
    order by x.position;
    get diagnostics v_count = row_count;
  end if;
  insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, reason, within)
  select p_to, x.workspace_id, x.path, x.step_id, x.kind, x.name, 'pending', 0, p_to::text || '/' || x.path,
    pg_catalog.jsonb_build_object('key', 'calledRunContinues', 'values', pg_catalog.jsonb_build_object('run', c.id)), x.within
  from quorate.steps x cross join lateral (select quorate.call_before(x) as id) c
  where x.run_id = p_from and x.kind = 'sub_workflow' and x.status = 'error' and (x.path = p_step or v_count > 0) and c.id is not null
    and quorate.is_below(x.path, array[p_step])
  order by x.position;
  get diagnostics n = row_count;
  return v_count + n;
end $$;

-- Copies steps of an ended run into a run of the caller's own that has not begun, of the same version with the same input: those to keep
-- (see copy_kept), and unless data was changed, what the steps `p_begun` had done: the one that it continues from, and those beside it that
-- had not ended. `p_changed`: what an author of workflows has put in place of the result of a step that is kept, or of the input of a
-- call that is made again; each says so from then on.
create function quorate.copy_journal(p_from uuid, p_to uuid, p_paths text[], p_open text[], p_begun text[], p_changed json)
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

-- Runs that this worker drives and somebody wants to end, or nobody waits for any more.
create function quorate.list_cancelled_runs(p_worker uuid) returns table (run_id uuid)
  language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select r.id from quorate.runs r
    where r.claimed_by = p_worker and r.status = 'processing'
      and (r.cancel_requested_at is not null or (r.caller_run_id is not null and quorate.has_lost_caller(r)))
$$;

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

create trigger numbered before insert on quorate.runs for each row execute function quorate.number_run();
create trigger numbers_forgotten after delete on quorate.workspaces for each row execute function quorate.forget_run_numbers();
create constraint trigger audited after insert
  or delete on quorate.runs deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.runs deferrable initially deferred for each row
  when ((new.status is distinct from old.status and new.status in ('completed', 'failed', 'cancelled'))
    or new.cancel_requested_at is distinct from old.cancel_requested_at) execute function quorate.require_audit_event();
create trigger immutable before update on quorate.decisions for each row execute function quorate.refuse_change();

create policy worker_reads on quorate.runs for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
-- Happened. A plain user sees their own runs.
create policy read_runs on quorate.runs for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or initiator_id = (select quorate.current_user_id())));
create policy start_runs on quorate.runs for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and initiator_id = (select quorate.current_user_id())
    and status = 'pending' and (mode = 'live' or (select quorate.has_role('builder'))) and (select quorate.may_start_runs()));
create policy cancel_runs on quorate.runs for update to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and (initiator_id = (select quorate.current_user_id()) or (select quorate.has_role('builder', 'admin'))))
    with check (workspace_id = (select quorate.current_workspace_id())
    and (cancelled_by is null or cancelled_by = (select quorate.current_user_id())));
create policy key_reads on quorate.runs as restrictive for select to quorate_member
  using ((select quorate.key_may('runs:read', 'runs:start')));
create policy key_inserts on quorate.runs as restrictive for insert to quorate_member with check ((select quorate.key_may('runs:start')));
create policy key_updates on quorate.runs as restrictive for update to quorate_member using ((select quorate.key_may('runs:start')));
create policy key_deletes on quorate.runs as restrictive for delete to quorate_member using ((select quorate.key_may('runs:start')));

create policy worker_reads on quorate.steps for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_steps on quorate.steps for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.steps as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));

create policy read_attempts on quorate.step_attempts for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.step_attempts as restrictive for select to quorate_member
  using ((select quorate.key_may('runs:read')));

create policy worker_reads on quorate.decisions for select to quorate_worker using (workspace_id = (select quorate.current_workspace_id()));
create policy read_decisions on quorate.decisions for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.decisions as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));

grant select on quorate.runs to quorate_member;
grant select on quorate.runs to quorate_worker;
grant insert (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, parent_run_id, status, input,
  request_key, trial, subject) on quorate.runs to quorate_member;
grant update (cancel_requested_at, cancelled_by, updated_at) on quorate.runs to quorate_member;
grant select on quorate.steps to quorate_member;
grant select on quorate.steps to quorate_worker;
grant select on quorate.step_attempts to quorate_member;
grant select on quorate.decisions to quorate_member;
grant select on quorate.decisions to quorate_worker;
-- Puts runs into the queue in the caller's transaction: the jobs are what pg-boss writes for some without options of their own. Places as
-- in `RunQueue`, the highest last. A member sends runs of the workspace that is open.
create function quorate.send_run_jobs(p_workspaces uuid[], p_runs uuid[], p_places int[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if pg_catalog.current_setting('role') = 'quorate_member'
    and exists (select from unnest(p_workspaces) as x (id) where x.id is distinct from quorate.current_workspace_id()) then
    raise exception 'another workspace' using errcode = '42501';
  end if;
  insert into pgboss.job (
    name, data, priority, start_after, created_on, expire_seconds, deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff,
    retry_delay_max, policy, dead_letter, heartbeat_seconds, blocked, blocking, pending_dependencies)
  select q.name, pg_catalog.jsonb_build_object('runId', j.run, 'workspaceId', j.workspace), -j.place, pgboss.job_now(),
    pgboss.job_now(), q.expire_seconds, q.deletion_seconds, pgboss.job_now() + q.retention_seconds * interval '1s', q.retry_limit,
    q.retry_delay, coalesce(q.retry_backoff, false), q.retry_delay_max, q.policy, q.dead_letter, q.heartbeat_seconds, false, false, 0
  from pgboss.queue q, unnest(p_workspaces, p_runs, p_places) as j (workspace, run, place) where q.name = 'drive_run';
  if not found then raise exception 'the queue is missing'; end if;
  perform pg_catalog.pg_notify('quorate_runs', '');
end $$;

revoke all on function quorate.number_run(), quorate.forget_run_numbers(), quorate.subject_text(jsonb) from public;
revoke all on function quorate.is_held(quorate.runs), quorate.list_run_marks(uuid[], uuid[]), quorate.mark_of_loop(quorate.steps),
  quorate.count_live_runs(uuid, timestamptz, int), quorate.wake_run(uuid, uuid), quorate.copy_kept(uuid, uuid, text[], text[]),
  quorate.is_done(quorate.steps), quorate.is_resumed(quorate.steps), quorate.resumed_reason(quorate.steps),
  quorate.copy_begun(uuid, uuid, text),
  quorate.copy_journal(uuid, uuid, text[], text[], text[], json),
  quorate.list_cancelled_runs(uuid), quorate.count_queued_runs(uuid, int), quorate.queue_wait(uuid, int),
  quorate.send_run_jobs(uuid[], uuid[], int[]) from public;
grant execute on function quorate.count_live_runs(uuid, timestamptz, int), quorate.is_resumed(quorate.steps),
  quorate.copy_journal(uuid, uuid, text[], text[], text[], json),
  quorate.count_queued_runs(uuid, int), quorate.queue_wait(uuid, int) to quorate_member;
grant execute on function quorate.send_run_jobs(uuid[], uuid[], int[]) to quorate_app, quorate_member, quorate_worker;
grant execute on function quorate.list_run_marks(uuid[], uuid[]), quorate.wake_run(uuid, uuid),
  quorate.list_cancelled_runs(uuid) to quorate_worker;

-- Each run has a number that counts in its workspace, and a subject: what it is about.

alter table quorate.runs add column number int not null default 0;
alter table quorate.runs add column subject jsonb;
alter table quorate.runs add constraint runs_subject_is_short check (jsonb_typeof(subject) = 'array' and length(subject::text) <= 2000);
update quorate.runs r set number = n.number from (
  select x.id, pg_catalog.row_number() over (partition by x.workspace_id order by x.created_at, x.id) as number from quorate.runs x) n
  where n.id = r.id;
create unique index runs_number on quorate.runs (workspace_id, number);
grant insert (subject) on quorate.runs to quorate_member;

-- Numbers runs by a sequence of their workspace, which the first run makes. A row that counts would be locked until the start commits, so
-- that starts of one workspace waited for one another's disk. A copied database goes on behind the highest number.
create function quorate.number_run() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  v_name text := pg_catalog.format('quorate.run_numbers_%s', replace(new.workspace_id::text, '-', ''));
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
  execute pg_catalog.format('drop sequence if exists quorate.run_numbers_%s', replace(old.id::text, '-', ''));
  return null;
end $$;

-- A subject as one text, numbers as JSON writes them.
create function quorate.subject_text(p_subject jsonb) returns text language sql immutable set search_path = '' as $$
  select pg_catalog.string_agg(case pg_catalog.jsonb_typeof(x.part)
    when 'object' then (x.part ->> 'amount') || ' ' || (x.part ->> 'currency') else x.part #>> '{}' end, '' order by x.n)
  from pg_catalog.jsonb_array_elements(case when pg_catalog.jsonb_typeof(p_subject) = 'array' then p_subject else '[]' end)
    with ordinality as x (part, n)
$$;

create trigger numbered before insert on quorate.runs for each row execute function quorate.number_run();
create trigger numbers_forgotten after delete on quorate.workspaces for each row execute function quorate.forget_run_numbers();

-- Starts the run of a step, with the rows that come before it, the first time; later it is there already. `full`: the plan's executions of
-- the month are used up. The caller queues it; lost on the way, it is found as stalled. p_call.continues: the failed run of an earlier call
-- of this step, with its steps that are kept, the branches whose choice is kept, and the steps that had failed.
create or replace function quorate.start_called_run(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_call json, p_local json)
returns json language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; v_version quorate.versions; v_name text; v_id uuid := (p_call ->> 'runId')::uuid;
  v_quota int := (p_call ->> 'quota')::int; c jsonb := p_call -> 'continues';
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace));
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  if quorate.is_held(r) then return '{"state":"halted"}'; end if;
  if exists (select from quorate.runs x where x.caller_run_id = p_run and x.caller_path = p_path) then return '{"state":"started"}'; end if;
  if p_local is not null then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  if r.mode = 'live' and v_quota is not null then
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('executions:' || p_workspace::text, 0));
    if (select count(*) from (select from quorate.runs x where x.workspace_id = p_workspace and x.mode = 'live'
      and x.created_at >= (p_call ->> 'since')::timestamptz limit v_quota) m) >= v_quota then
      return '{"state":"full"}';
    end if;
  end if;
  select * into v_version from quorate.versions v where v.id = (p_call ->> 'versionId')::uuid and v.workspace_id = p_workspace;
  select a.name into v_name from quorate.artifacts a where a.id = v_version.artifact_id;
  insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, caller_run_id, caller_path,
    parent_run_id, trial, subject)
  values (v_id, p_workspace, v_version.artifact_id, v_version.id, r.mode, 'workflow', r.initiator_id, p_call -> 'input', p_run, p_path,
    (c ->> 'run')::uuid,
    -- what a dry run calls is dry itself
    case when r.trial ->> 'kind' = 'dry' then '{"kind":"dry","outputs":{},"pinned":[],"around":{}}'::json end,
    nullif((p_call -> 'subject')::jsonb, 'null'));
  perform quorate.append_worker_event(p_workspace, (p_call ->> 'eventId')::uuid, 'run.started', 'run', v_id::text, v_name,
    pg_catalog.jsonb_build_object('workflow', v_version.artifact_id, 'version', v_version.id, 'mode', r.mode, 'trigger', 'workflow',
      'caller', p_run, 'callerStep', p_path)
      || case when c is null then '{}' else pg_catalog.jsonb_build_object('from', c -> 'run', 'fromStep', c #> '{begun,0}') end);
  if c is not null then
    if not exists (select from quorate.runs x where x.id = (c ->> 'run')::uuid and x.caller_run_id = r.parent_run_id
      and x.caller_path = p_path and x.version_id = v_version.id and x.status in ('failed', 'cancelled')) then
      raise exception 'this run does not go on from that one' using errcode = 'QP005';
    end if;
    perform quorate.copy_kept((c ->> 'run')::uuid, v_id, array(select pg_catalog.jsonb_array_elements_text(c -> 'kept')),
      array(select pg_catalog.jsonb_array_elements_text(c -> 'open')));
    perform quorate.copy_begun((c ->> 'run')::uuid, v_id, b) from pg_catalog.jsonb_array_elements_text(c -> 'begun') b;
    -- the first walk reads the journal, as one that takes over does
    update quorate.runs x set attempt = 1 where x.id = v_id;
  end if;
  return '{"state":"started"}';
end $$;

drop function quorate.start_run_by_key(
  bytea, uuid, uuid, uuid, text, json, text, int, timestamptz, int, int, uuid, text, jsonb, bytea, uuid, int);
drop function quorate.insert_claimed_run(uuid, uuid, uuid, text, json, text, uuid, bigint);
drop function quorate.read_run_by_key(bytea, uuid);

-- A run as the program with this key may see it, or no row. Refuses as `become_key`.
create function quorate.read_run_by_key(p_key_hash bytea, p_run uuid) returns table (
  id uuid, workflow_id uuid, workflow text, status text, mode text, input json, output json, error jsonb, request_key text,
  created_at timestamptz, updated_at timestamptz, finished_at timestamptz, asks text, asked_id uuid, number int, subject jsonb
)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare v_workspace uuid;
begin
  perform pg_catalog.set_config('role', 'quorate_member', true);
  select k.workspace_id into v_workspace from quorate.become_key(p_key_hash) k;
  return query
    select r.id, r.artifact_id, a.name, r.status, r.mode, r.input::json, r.output::json, r.error, r.request_key, r.created_at, r.updated_at,
      r.finished_at, w.kind, w.seen, r.number, r.subject
    from quorate.runs r join quorate.artifacts a on a.id = r.artifact_id
      left join lateral (select l.kind, case l.kind when 'approval' then (select p.id from quorate.approvals p where p.id = l.id)
        else (select t.id from quorate.human_tasks t where t.id = l.id) end as seen
        from quorate.list_asks(array[r.id]) l where r.status = 'waiting' order by l.id limit 1) w on true
    where r.id = p_run and r.workspace_id = v_workspace;
end $$;

-- A run of the caller's that `p_worker` drives from its first moment: as two statements, the second wrote each of the row's nine places in
-- indexes again. Nobody may insert such a row, so what the policies of `runs` ask is asked here. Nulls for a used request key.
create function quorate.insert_claimed_run(p_run uuid, p_artifact uuid, p_version uuid, p_trigger text, p_input json, p_request_key text,
  p_worker uuid, p_revision bigint, p_subject jsonb, out created_at timestamptz, out number int, out claim json)
language plpgsql volatile security definer set search_path = '' as $$
declare r quorate.runs; v_now timestamptz := clock_timestamp();
begin
  if (quorate.may_start_runs() and quorate.key_may('runs:start')) is not true then
    raise exception 'may not start runs' using errcode = '42501';
  end if;
  insert into quorate.runs as x (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, request_key, status,
    attempt, claimed_by, created_at, started_at, updated_at, subject)
  values (p_run, quorate.current_workspace_id(), p_artifact, p_version, 'live', p_trigger, quorate.current_user_id(), p_input,
    p_request_key, 'processing', 1, p_worker, v_now, v_now, v_now, p_subject)
  on conflict (workspace_id, initiator_id, request_key) where request_key is not null do nothing
  returning * into r;
  if r.id is null then return; end if;
  created_at := r.created_at;
  number := r.number;
  claim := quorate.describe_claim(r, p_revision);
end $$;

-- Starts a live run by a key: row and event, under the same policies as one by one. No row, and nothing written, wherever anything is not
-- plain: halted, paused, `p_room` runs waiting, `p_below` live runs since `p_since` (null: unlimited), a used request
-- key. Whoever asks then goes the long way, which tells why. Refuses as `become_key`. `p_worker` claims the run at once and drives it
-- without a job: were it lost, whoever takes over what it holds would find this run, too. Null: the job is what pg-boss writes for one
-- without options of its own.
create function quorate.start_run_by_key(
  p_key_hash bytea, p_run uuid, p_artifact uuid, p_version uuid, p_trigger text, p_input json, p_request_key text, p_room int,
  p_since timestamptz, p_below int, p_place int, p_event uuid, p_name text, p_payload jsonb, p_salt bytea, p_worker uuid, p_ceiling int,
  p_subject jsonb default null
) returns table (created_at timestamptz, claim json, granted uuid[], limited boolean, number int)
language plpgsql volatile security invoker set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare k record; v_revision bigint;
begin
  perform pg_catalog.set_config('role', 'quorate_member', true);
  select * into k from quorate.become_key(p_key_hash);
  select quorate.runs_at_once(w.settings, p_ceiling) is not null or a.runs_at_once is not null, w.config_revision into limited, v_revision
    from quorate.workspaces w join quorate.artifacts a on a.workspace_id = w.id
    where w.id = k.workspace_id and w.halted_at is null and a.id = p_artifact and a.status = 'active' and a.deleted_at is null;
  if not found then return; end if;
  if quorate.count_queued_runs(k.workspace_id, p_room) >= p_room then return; end if;
  if p_below is not null then
    if quorate.count_live_runs(k.workspace_id, p_since, p_below) >= p_below then return; end if;
  end if;
  if p_worker is null or limited then
    insert into quorate.runs as x (id, workspace_id, artifact_id, version_id, mode, trigger_kind, initiator_id, input, request_key,
      subject)
    values (p_run, k.workspace_id, p_artifact, p_version, 'live', p_trigger, k.user_id, p_input, p_request_key, p_subject)
    on conflict (workspace_id, initiator_id, request_key) where request_key is not null do nothing
    returning x.created_at, x.number into start_run_by_key.created_at, start_run_by_key.number;
    if not found then return; end if;
  else
    select i.created_at, i.number, i.claim into created_at, number, claim from quorate.insert_claimed_run(
      p_run, p_artifact, p_version, p_trigger, p_input, p_request_key, p_worker, v_revision, p_subject) i;
    if claim is null then return; end if;
    granted := '{}';
  end if;
  insert into quorate.audit_events (
    id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
  values (p_event, k.workspace_id, 'key', k.key_id, k.key_name, 'run.started', 'run', p_run::text, p_name, p_payload, p_salt);
  if p_worker is null then
    perform quorate.send_run_jobs(array[k.workspace_id], array[p_run], array[p_place]);
  elsif limited then
    perform pg_catalog.set_config('role', 'quorate_worker', true);
    select c.a, c.granted, c.limited into claim, granted, limited
    from quorate.claim_run_within_limits(k.workspace_id, p_run, p_worker, p_ceiling) c;
  end if;
  return next;
end $$;

-- A subject as people may look for it: with its numbers as they were sent, and as readers of three ways of writing see them.
create function quorate.subject_words(p_subject jsonb) returns text[] language sql immutable set search_path = '' as $$
  with parts as (
    select x.n, case pg_catalog.jsonb_typeof(x.part) when 'string' then x.part #>> '{}' end as words,
      pg_catalog.rtrim(pg_catalog.to_char(case pg_catalog.jsonb_typeof(x.part) when 'object' then x.part ->> 'amount'
        when 'number' then x.part #>> '{}' end::numeric, 'FM999,999,999,999,999,990.999999'), '.') as number,
      coalesce(' ' || (x.part ->> 'currency'), '') as currency
    from pg_catalog.jsonb_array_elements(p_subject) with ordinality as x (part, n)
  )
  select array[quorate.subject_text(p_subject), pg_catalog.string_agg(coalesce(p.words, p.number || p.currency), '' order by p.n),
    pg_catalog.string_agg(coalesce(p.words, pg_catalog.translate(p.number, ',.', '.,') || p.currency), '' order by p.n),
    pg_catalog.string_agg(coalesce(p.words, pg_catalog.translate(p.number, ',.', ' ,') || p.currency), '' order by p.n)]
  from parts p
$$;

-- The texts and numbers of a run, each once, from its subject, its input, its output, and its steps in their order: of 200 steps and a
-- megabyte at most, 4,000 characters of each and 20,000 in all. Of a value over 128 KB its beginning is taken as it stands.
create or replace function quorate.text_of_run(p_run quorate.runs) returns text
language sql stable security definer set search_path = '' as $$
  with given as (
    select v.place, v.content from (values (-1, pg_catalog.to_json(quorate.subject_words(p_run.subject))::text), (0, p_run.input::text),
      (1, p_run.output::text), (2, (p_run.error -> 'values')::text)) as v (place, content)
    union all
    select 3 * s.position + v.place, v.content from (
      select x.position, x.input, x.output, x.error from quorate.steps x where x.run_id = p_run.id order by x.position limit 200) s
    cross join lateral (values (0, s.input::text), (1, s.output::text), (2, (s.error -> 'values')::text)) as v (place, content)
  ), sized as (
    select g.place, g.content, sum(least(pg_catalog.length(g.content), 131072)) over (order by g.place) as total from given g
    where g.content is not null
  ), pieces as (
    select s.place, p.n, p.piece from sized s cross join lateral (
      select j.n, left(j.v #>> '{}', 4000) as piece
      from pg_catalog.jsonb_path_query(case when pg_catalog.length(s.content) <= 131072 then s.content else '[]' end::jsonb,
        'strict $.** ? (@.type() == "string" || @.type() == "number")') with ordinality as j (v, n)
      union all select 0, left(s.content, 4000) where pg_catalog.length(s.content) > 131072) p
    where s.total <= 1048576
  ), firsts as (
    select distinct on (p.piece) p.place, p.n, p.piece from pieces p where pg_catalog.btrim(p.piece) <> '' order by p.piece, p.place, p.n
  )
  select coalesce(left(pg_catalog.string_agg(f.piece, E'\n' order by f.place, f.n), 20000), '') from firsts f
$$;

-- Runs that hold these words and that the member may see, with the run of a number: of that one alone where the number is marked (`#12`).
-- Null: they have no three letters to be looked up by, or more runs than p_limit hold them, whoever's they are; the newest are then found
-- sooner by looking through them, and the run of a number stands for all.
create or replace function quorate.find_run_texts(p_words text, p_limit int) returns uuid[]
language plpgsql stable security definer set search_path = '' set enable_seqscan = 'off' as $$
declare
  v_like text := '%' || replace(replace(replace(p_words, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  v_found quorate.run_texts[]; v_workspace uuid := quorate.current_workspace_id(); v_user uuid := quorate.current_user_id();
  v_number int := pg_catalog.substring(p_words, '^#?([0-9]{1,9})$')::int; v_numbered uuid[] := '{}';
begin
  if v_workspace is null or v_user is null or not quorate.key_may('runs:read') then return '{}'; end if;
  if v_number is not null then
    v_numbered := array(select r.id from quorate.runs r
      where r.workspace_id = v_workspace and r.number = v_number and (quorate.sees_all_runs() or r.initiator_id = v_user));
  end if;
  if pg_catalog.starts_with(p_words, '#') and v_number is not null then return v_numbered; end if;
  if p_words !~ '[[:alnum:]]{3}' then return nullif(v_numbered, '{}'); end if;
  v_found := array(select row(t.run_id, t.workspace_id, t.initiator_id, '')::quorate.run_texts
    from quorate.run_texts t where t.text ilike v_like limit p_limit + 1);
  if pg_catalog.cardinality(v_found) > p_limit then return nullif(v_numbered, '{}'); end if;
  return v_numbered || array(select f.run_id from pg_catalog.unnest(v_found) f
    where f.workspace_id = v_workspace and (quorate.sees_all_runs() or f.initiator_id = v_user) and not f.run_id = any (v_numbered));
end $$;

-- Takes a person out of the texts and subjects of a workspace: the runs that they started by hand, and their names and addresses in all
-- others.
create or replace function quorate.erase_run_texts(p_workspace uuid, p_user uuid, p_names text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare v_name text; v_like text;
begin
  delete from quorate.run_texts t using quorate.runs r
    where r.id = t.run_id and r.workspace_id = p_workspace and r.initiator_id = p_user and r.trigger_kind = 'manual';
  update quorate.runs r set subject = null
    where r.workspace_id = p_workspace and r.initiator_id = p_user and r.trigger_kind = 'manual' and r.subject is not null;
  foreach v_name in array p_names loop
    continue when pg_catalog.length(v_name) < 3;
    v_like := '%' || replace(replace(replace(v_name, '\', '\\'), '%', '\%'), '_', '\_') || '%';
    update quorate.run_texts t set text = pg_catalog.regexp_replace(t.text, v_name, '', 'giq')
      where t.workspace_id = p_workspace and t.text ilike v_like;
    update quorate.runs r set subject = (
        select pg_catalog.jsonb_agg(case pg_catalog.jsonb_typeof(x.part) when 'string' then pg_catalog.to_jsonb(
          pg_catalog.regexp_replace(x.part #>> '{}', v_name, '', 'giq')) else x.part end order by x.n)
        from pg_catalog.jsonb_array_elements(r.subject) with ordinality as x (part, n))
      where r.workspace_id = p_workspace and quorate.subject_text(r.subject) ilike v_like;
  end loop;
end $$;

do $$
declare v_schema text;
begin
  select n.nspname into v_schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm';
  execute format($create$
    create or replace function quorate.search_candidates(p_words text, p_limit int) returns table (kind text, id uuid, score real)
    language plpgsql stable security definer set search_path = pg_catalog, %I as $f$
    declare
      v_workspace uuid := quorate.current_workspace_id();
      v_user uuid := quorate.current_user_id();
      v_all boolean := quorate.sees_all_runs();
      v_drafts boolean := quorate.has_role('builder', 'auditor', 'admin', 'approver');
      v_like text := '%%' || replace(replace(replace(p_words, '\', '\\'), '%%', '\%%'), '_', '\_') || '%%';
      v_hex text := lower(replace(p_words, '-', ''));
      v_matched uuid[];
      v_holding uuid[];
    begin
      if v_workspace is null or v_user is null or length(p_words) not between 1 and 200 then return; end if;
      -- two letters that changed places leave three of eight trigrams in common; with few letters that would be anything
      perform set_config('pg_trgm.word_similarity_threshold', case when length(p_words) < 5 then '0.5' else '0.3' end, true);

      select array_agg(x.id) into v_matched from (
        select a.id from quorate.artifacts a where a.workspace_id = v_workspace and a.kind in ('workflow', 'agent')
          and (p_words <%% a.name or a.name ilike v_like)
        order by (a.name ilike v_like) desc, word_similarity(p_words, a.name) desc, a.updated_at desc limit 20) x;

      return query select k.kind, x.id, x.score from unnest(array['workflow', 'agent', 'policy']) k (kind) cross join lateral (
        select a.id, (word_similarity(p_words, a.name) + case when a.name ilike v_like then 1 else 0 end)::real as score
        from quorate.artifacts a
        where a.workspace_id = v_workspace and a.kind = k.kind and a.deleted_at is null
          and (a.published_version_id is not null or a.owner_id = v_user or v_drafts)
          and (p_words <%% a.name or a.name ilike v_like or a.description ilike v_like)
        order by 2 desc, a.updated_at desc limit p_limit) x;

      return query select 'connection'::text, c.id,
          (word_similarity(p_words, c.name) + case when c.name ilike v_like then 1 else 0 end)::real
        from quorate.connections c
        where c.workspace_id = v_workspace and c.deleted_at is null
          and (p_words <%% c.name or c.name ilike v_like or c.description ilike v_like)
        order by 3 desc, c.name limit p_limit;

      return query select 'member'::text, m.user_id, (greatest(word_similarity(p_words, m.name), word_similarity(p_words, m.email))
          + case when m.name ilike v_like or m.email ilike v_like then 1 else 0 end)::real
        from quorate.members m
        where m.workspace_id = v_workspace
          and (p_words <%% m.name or m.name ilike v_like or p_words <%% m.email or m.email ilike v_like)
        order by 3 desc, m.name limit p_limit;

      -- Most approvals share a few titles: a bounded number of matches is looked at, what waits first.
      return query select 'approval'::text, y.id, y.score from (
        select x.id, x.created_at, (word_similarity(p_words, x.title) + case when x.status = 'pending' then 1 else 0 end)::real as score
        from (
          (select a.id, a.title, a.status, a.created_at from quorate.approvals a
            where a.workspace_id = v_workspace and a.status = 'pending' and (v_all or a.requested_by = v_user)
              and (p_words <%% a.title or a.title ilike v_like) limit 200)
          union
          (select a.id, a.title, a.status, a.created_at from quorate.approvals a
            where a.workspace_id = v_workspace and (v_all or a.requested_by = v_user)
              and (p_words <%% a.title or a.title ilike v_like) limit 200)) x) y
        order by y.score desc, y.created_at desc limit p_limit;

      -- The newest runs of what is called so, and a run by the beginning of its id.
      if v_all then
        return query select 'run'::text, r.id, 0.5::real from unnest(v_matched) m (artifact) cross join lateral (
          select x.id, x.created_at from quorate.runs x where x.artifact_id = m.artifact and x.workspace_id = v_workspace
          order by x.created_at desc limit p_limit) r
        order by r.created_at desc limit p_limit;
      else
        return query select 'run'::text, r.id, 0.5::real from (
          select x.id, x.artifact_id, x.created_at from quorate.runs x where x.workspace_id = v_workspace and x.initiator_id = v_user
          order by x.created_at desc limit 1000) r
          where r.artifact_id = any (v_matched) order by r.created_at desc limit p_limit;
      end if;
      if v_hex ~ '^[0-9a-f]{6,32}$' then
        return query select 'run'::text, r.id, 2::real from quorate.runs r
          where r.id between rpad(v_hex, 32, '0')::uuid and rpad(v_hex, 32, 'f')::uuid and r.workspace_id = v_workspace
            and (v_all or r.initiator_id = v_user) limit p_limit;
      end if;

      -- A run by its number, and runs that hold these words: the newest of those that the index finds, or, of words that many hold, of the
      -- newest runs.
      if (length(p_words) >= 3 or p_words ~ '^#?[0-9]+$') and quorate.key_may('runs:read') then
        v_holding := quorate.find_run_texts(p_words, 1000);
        if v_holding is null then
          v_holding := array(select t.run_id from (
            select x.id from quorate.runs x where x.workspace_id = v_workspace and (v_all or x.initiator_id = v_user)
            order by x.created_at desc, x.id desc limit 500) n join quorate.run_texts t on t.run_id = n.id where t.text ilike v_like);
        end if;
        return query select 'run'::text, r.id, case when r.number::text = pg_catalog.ltrim(p_words, '#') then 2 else 0.4 end::real
          from quorate.runs r where r.id = any (v_holding)
          order by 3 desc, r.created_at desc, r.id desc limit p_limit;
      end if;
    end $f$ $create$, v_schema);
end $$;

revoke all on function quorate.number_run(), quorate.forget_run_numbers(), quorate.subject_text(jsonb), quorate.subject_words(jsonb),
  quorate.insert_claimed_run(uuid, uuid, uuid, text, json, text, uuid, bigint, jsonb), quorate.read_run_by_key(bytea, uuid),
  quorate.start_run_by_key(
    bytea, uuid, uuid, uuid, text, json, text, int, timestamptz, int, int, uuid, text, jsonb, bytea, uuid, int, jsonb)
  from public;
grant execute on function quorate.read_run_by_key(bytea, uuid),
  quorate.start_run_by_key(
    bytea, uuid, uuid, uuid, text, json, text, int, timestamptz, int, int, uuid, text, jsonb, bytea, uuid, int, jsonb)
  to quorate_app;
grant execute on function quorate.insert_claimed_run(uuid, uuid, uuid, text, json, text, uuid, bigint, jsonb) to quorate_member;

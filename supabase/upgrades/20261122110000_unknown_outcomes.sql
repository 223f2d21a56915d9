-- A call of which nobody knows whether it took effect: it is not made again by default, and a step that may be called at most once
-- asks a person. The question stands with the approvals, whose rules it follows: the same inbox, the same people, the same clock.

-- Somebody stated that this connection honours the idempotency key.
alter table quorate.connections add column idempotent boolean not null default false;
grant update (idempotent) on quorate.connections to quorate_member;
create trigger idempotence_changed after update on quorate.connections for each row
  when (old.idempotent is distinct from new.idempotent) execute function quorate.bump_config_revision();

-- As before, and stating this, too, is for whoever approves.
create or replace function quorate.guard_connection_approval() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user <> 'quorate_member' then return new; end if;
  if new.personal_data_allowed and (tg_op = 'INSERT' or not old.personal_data_allowed)
    and not (quorate.has_role('approver', 'admin') and quorate.current_key_id() is null) then
    raise exception 'only an approver or an admin allows personal data' using errcode = 'QP005';
  end if;
  if new.idempotent and (tg_op = 'INSERT' or not old.idempotent)
    and not (quorate.has_role('approver', 'admin') and quorate.current_key_id() is null) then
    raise exception 'only an approver or an admin allows repeated calls' using errcode = 'QP005';
  end if;
  if tg_op = 'UPDATE' then
    if row(new.kind, new.endpoint) is distinct from row(old.kind, old.endpoint) then
      raise exception 'a connection keeps its address' using errcode = 'QP005';
    end if;
    if not quorate.has_role('builder', 'admin')
      and row(new.name, new.slug, new.description, new.sealed_credential, new.settings, new.status, new.protocol_version, new.last_check_at,
        new.last_error, new.deleted_at)
        is distinct from row(old.name, old.slug, old.description, old.sealed_credential, old.settings, old.status, old.protocol_version,
          old.last_check_at, old.last_error, old.deleted_at) then
      raise exception 'only a builder or an admin changes a connection' using errcode = 'QP005';
    end if;
  end if;
  return new;
end $$;

do $$
declare c text;
begin
  for c in select x.conname from pg_constraint x
    where x.conrelid = 'quorate.approvals'::regclass and x.contype = 'c' and pg_get_constraintdef(x.oid) like '%subject_kind%' loop
    execute format('alter table quorate.approvals drop constraint %I', c);
  end loop;
  for c in select x.conname from pg_constraint x
    where x.conrelid = 'quorate.approval_votes'::regclass and x.contype = 'c' and pg_get_constraintdef(x.oid) like '%''reject''%' loop
    execute format('alter table quorate.approval_votes drop constraint %I', c);
  end loop;
end $$;
alter table quorate.approvals add check (subject_kind in ('step', 'outcome', 'release')),
  add check ((subject_kind = 'release') = (run_id is null));
-- Of an outcome: done, the call took effect; again, it did not, so it is made again; reject, the step fails.
alter table quorate.approval_votes add check (vote in ('approve', 'reject', 'done', 'again'));

-- As before, and an outcome is answered with 'done', 'again' or 'reject'.
create or replace function quorate.vote_approval(p_approval uuid, p_vote text, p_reason text, p_digest text, p_reauthenticated boolean)
  returns text
language plpgsql security definer set search_path = '' as $$
declare
  a quorate.approvals;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_status text;
begin
  if v_user is null or v_workspace is null then raise exception 'nobody votes' using errcode = 'QV001'; end if;
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = v_workspace;
  if a.id is null then raise exception 'no such approval' using errcode = 'QV001'; end if;
  -- a worker locks the run before its approval, who halts or asks the workspace: the other order here would be a deadlock
  if a.subject_kind = 'release' then perform from quorate.workspaces w where w.id = v_workspace for no key update;
  else perform from quorate.runs r where r.id = a.run_id for no key update;
  end if;
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = v_workspace for update;
  v_refusal := quorate.approval_refusal(a, v_user);
  if v_refusal is not null then raise exception 'this vote is not possible' using errcode = v_refusal; end if;
  if p_digest is distinct from a.action_digest then raise exception 'another action than the one shown' using errcode = 'QV007'; end if;
  if a.subject_kind = 'release' and not quorate.is_halt_of(v_workspace, a.subject) then raise exception 'another halt than the one shown'
    using errcode = 'QV007'; end if;
  if a.risk = 'high' and p_reauthenticated is not true then raise exception 'the risk is high: authenticate again'
    using errcode = 'QV011'; end if;
  if coalesce(p_vote, '') <> all (case a.subject_kind when 'outcome' then
    array['done', 'again', 'reject'] else array['approve', 'reject'] end) or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  insert into quorate.approval_votes (workspace_id, approval_id, user_id, voter_name, vote, reason, action_digest, reauthenticated)
  select a.workspace_id, a.id, v_user, m.name, p_vote, coalesce(p_reason, ''), a.action_digest, coalesce(p_reauthenticated, false)
  from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = v_user;
  v_status := case
    when p_vote = 'reject' then 'rejected'
    when (select count(*) from quorate.approval_votes v where v.approval_id = a.id and v.vote <> 'reject') >= a.quorum then 'approved'
    else 'pending' end;
  if v_status = 'pending' then return v_status; end if;
  if a.subject_kind = 'release' and v_status = 'approved' then
    -- consumed by the one release that it allows, in this same transaction
    update quorate.approvals x
      set status = 'consumed', decided_at = pg_catalog.clock_timestamp(), consumed_at = pg_catalog.clock_timestamp(),
      consumed_key = 'release' where x.id = a.id;
    update quorate.workspaces w set halted_at = null, halted_by = null, halt_reason = null where w.id = v_workspace;
    return v_status;
  end if;
  update quorate.approvals x set status = v_status, decided_at = pg_catalog.clock_timestamp() where x.id = a.id;
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
  return v_status;
end $$;

-- A call was made and nobody knows what became of it: the step waits for a person. Saying it twice is the same as once.
create function quorate.ask_outcome(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_question jsonb, p_local jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; a quorate.approvals; v_held boolean := false;
begin
  if p_local is not null then perform pg_catalog.pg_advisory_xact_lock_shared(quorate.halt_lock(p_workspace)); end if;
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if p_local is not null then
    v_held := quorate.is_held(r);
    if not v_held then perform quorate.write_local_steps(p_workspace, p_run, p_attempt, p_local); end if;
  end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  select * into a from quorate.approvals x where x.id = (p_question ->> 'id')::uuid;
  if a.id is null then
    insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, quorum, requested_by,
      version_author_id, due_at, subject_kind)
    select (p_question ->> 'id')::uuid, r.workspace_id, r.id, p_path, p_question ->> 'title', p_question -> 'subject',
      p_question ->> 'digest', p_question -> 'reason', 'medium', 1,
      r.initiator_id, v.author_id, clock_timestamp() + pg_catalog.make_interval(hours => (p_question ->> 'dueHours')::int), 'outcome'
    from quorate.versions v where v.id = r.version_id and v.workspace_id = r.workspace_id
    returning * into a;
    update quorate.steps s
      set status = 'waiting', error = p_question -> 'error', approval_id = a.id, run_attempt = p_attempt, finished_at = null,
      frames = coalesce(p_question -> 'frames', s.frames)
    where s.run_id = p_run and s.path = p_path and s.status = 'processing';
    if not found then raise exception 'no call is under way' using errcode = 'QR004'; end if;
  end if;
  -- the halt keeps what was asked: nothing starts by it
  if v_held then return '{"state":"halted"}'; end if;
  return pg_catalog.jsonb_build_object('state', 'waiting', 'id', a.id, 'dueAt', a.due_at);
end $$;

-- Takes the answer exactly once; p_confirmed is the sentence of a step that was confirmed. { state }: done | again | waiting | rejected |
-- expired | withdrawn | cancelled | fenced, and none for a step that asks nothing.
create function quorate.settle_outcome(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_event uuid, p_confirmed text)
  returns jsonb
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; s quorate.steps; a quorate.approvals; v_state text; v_votes jsonb; v_done text;
begin
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  if r.cancel_requested_at is not null then return '{"state":"cancelled"}'; end if;
  select * into s from quorate.steps x where x.run_id = p_run and x.path = p_path;
  select * into a from quorate.approvals x where x.id = s.approval_id and x.subject_kind = 'outcome' for update;
  if a.id is null then return '{"state":"none"}'; end if;
  if s.status <> 'waiting' then
    -- this very statement said twice: its first answer was lost
    return pg_catalog.jsonb_build_object('state', case when s.run_attempt <> p_attempt then 'none' when s.status = 'success' then
      'done' when s.status = 'pending' then 'again' else 'none' end);
  end if;
  v_state := a.status;
  if a.status in ('pending', 'approved') and a.due_at <= clock_timestamp() then
    update quorate.approvals x set status = 'expired' where x.id = a.id;
    perform quorate.append_worker_event(r.workspace_id, p_event, 'approval.expired', 'approval', a.id::text, a.title,
      pg_catalog.jsonb_build_object('run', r.id, 'step', p_path, 'digest', a.action_digest));
    v_state := 'expired';
  elsif a.status = 'pending' then
    return pg_catalog.jsonb_build_object('state', 'waiting', 'id', a.id, 'dueAt', a.due_at);
  end if;
  select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', v.voter_name, 'vote', v.vote, 'reason', v.reason)
    order by v.voted_at), '[]'),
    max(v.voter_name) filter (where v.vote = 'done') into v_votes, v_done from quorate.approval_votes v where v.approval_id = a.id;
  if v_state = 'approved' then
    update quorate.approvals x set status = 'consumed', consumed_at = clock_timestamp(), consumed_key = s.idempotency_key where x.id = a.id;
    if v_done is not null then
      update quorate.steps x set status = 'success', output = null, error = null, run_attempt = p_attempt, finished_at = clock_timestamp(),
        reason = pg_catalog.jsonb_build_object('key', p_confirmed, 'values', pg_catalog.jsonb_build_object('name', v_done))
          where x.run_id = p_run and x.path = p_path;
      return '{"state":"done"}';
    end if;
    update quorate.steps x set status = 'pending', error = s.error - 'unknown', next_attempt_at = clock_timestamp(), run_attempt = p_attempt
      where x.run_id = p_run and x.path = p_path;
    return '{"state":"again"}';
  end if;
  update quorate.steps x set run_attempt = p_attempt where x.run_id = p_run and x.path = p_path;
  return pg_catalog.jsonb_build_object('state', v_state, 'id', a.id, 'dueAt', a.due_at, 'votes', v_votes);
end $$;

-- As before, with what says whether a call may be repeated.
create or replace function quorate.read_run_config(p_workspace uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select pg_catalog.jsonb_build_object('revision', w.config_revision,
    'connections', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', c.id, 'kind', c.kind, 'name', c.name, 'slug',
      c.slug, 'endpoint', c.endpoint, 'status', c.status,
      'credential', pg_catalog.encode(c.sealed_credential, 'base64'), 'personalDataAllowed', c.personal_data_allowed, 'settings',
        c.settings, 'paused', c.paused_at is not null, 'idempotent', c.idempotent)), '[]')
      from quorate.connections c where c.workspace_id = w.id and c.deleted_at is null),
    'capabilities', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', k.id, 'connectionId', k.connection_id, 'kind',
      k.kind, 'name', k.name, 'title', k.title, 'description', k.description,
      'inputSchema', k.input_schema, 'fingerprint', k.fingerprint, 'approvedFingerprint', k.approved_fingerprint,
      'annotations', k.definition -> 'annotations', 'effect', k.definition -> 'effect') order by k.id), '[]')
      from quorate.capabilities k join quorate.connections c on c.id = k.connection_id and c.deleted_at is null
        where k.workspace_id = w.id and k.removed_at is null),
    'policies', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('id', a.id, 'name', a.name, 'version', v.number,
      'contentHash', v.content_hash, 'document', v.document) order by a.id), '[]')
      from quorate.artifacts a left join quorate.versions v on v.id = a.published_version_id
        where a.workspace_id = w.id and a.kind = 'policy' and a.status = 'active' and a.deleted_at is null),
    'agents', (select coalesce(pg_catalog.jsonb_object_agg(a.id, a.status = 'active'), '{}') from quorate.artifacts a
      where a.workspace_id = w.id and a.kind = 'agent' and a.deleted_at is null))
  from quorate.workspaces w where w.id = p_workspace
$$;

revoke all on function quorate.ask_outcome(uuid, uuid, int, text, jsonb, jsonb), quorate.settle_outcome(uuid, uuid, int, text, uuid, text)
  from public;
grant execute on function quorate.ask_outcome(uuid, uuid, int, text, jsonb, jsonb),
  quorate.settle_outcome(uuid, uuid, int, text, uuid, text) to quorate_worker;

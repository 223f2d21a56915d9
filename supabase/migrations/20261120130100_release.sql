-- A halt says why, and another person than the one who asks lifts it: the release is an approval like any other, whose subject is
-- this one halt. Only where the workspace has no other approver an administrator lifts it alone.

alter table quorate.workspaces add column halt_reason text check (length(halt_reason) between 1 and 500);
grant update (halt_reason) on quorate.workspaces to quorate_member;

alter table quorate.approvals add column subject_kind text not null default 'step' check (subject_kind in ('step', 'release'));
alter table quorate.approvals alter column run_id drop not null;
alter table quorate.approvals add check ((subject_kind = 'step') = (run_id is not null));
create unique index approvals_one_release on quorate.approvals (workspace_id) where subject_kind = 'release' and status in ('pending', 'approved');

-- Approvers other than the one who asks: who could decide on a release.
create function quorate.count_other_approvers() returns int language sql stable security definer set search_path = '' as $$
  select count(*)::int from quorate.members m where m.workspace_id = quorate.current_workspace_id() and 'approver' = any (m.roles) and m.user_id <> quorate.current_user_id()
$$;

-- Nobody lifts or rewrites a halt past the approval, by whatever path; a key never lifts one.
create function quorate.guard_release() returns trigger language plpgsql set search_path = '' as $$
begin
  if current_user = 'quorate_member' and old.halted_at is not null
    and row(new.halted_at, new.halted_by, new.halt_reason) is distinct from row(old.halted_at, old.halted_by, old.halt_reason)
    and (new.halted_at is not null or quorate.current_key_id() is not null or quorate.count_other_approvers() > 0) then
    raise exception 'a halt is lifted by another person''s approval' using errcode = 'QP005';
  end if;
  return new;
end $$;
create trigger guard_release before update on quorate.workspaces for each row execute function quorate.guard_release();

-- What asked for the release of a halt that is over has nothing to decide any more.
create function quorate.close_release_requests() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.approvals a set status = 'withdrawn', decided_at = pg_catalog.clock_timestamp() where a.workspace_id = new.id and a.subject_kind = 'release' and a.status = 'pending';
  return null;
end $$;
create trigger close_release_requests after update on quorate.workspaces for each row when (old.halted_at is not null and new.halted_at is null) execute function quorate.close_release_requests();

-- The halt that a subject speaks of, as it stands now. Moments leave the database in milliseconds.
create function quorate.is_halt_of(p_workspace uuid, p_subject jsonb) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.workspaces w where w.id = p_workspace and w.id::text = p_subject ->> 'workspaceId'
    and pg_catalog.date_trunc('milliseconds', w.halted_at) = (p_subject ->> 'haltedAt')::timestamptz)
$$;

-- An administrator asks for the release of the halt as it stands. One question at a time.
create function quorate.request_release(p_approval uuid, p_title text, p_subject jsonb, p_digest text, p_reason jsonb, p_due timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare v_user uuid := quorate.current_user_id(); v_workspace uuid := quorate.current_workspace_id();
begin
  if v_user is null or v_workspace is null or not quorate.has_role('admin') or quorate.current_key_id() is not null then
    raise exception 'only an administrator asks for a release' using errcode = 'QP005';
  end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  if p_subject ->> 'kind' is distinct from 'release' or not quorate.is_halt_of(v_workspace, p_subject) then
    raise exception 'the workspace is not halted so' using errcode = 'QP006';
  end if;
  if exists (select from quorate.approvals a where a.workspace_id = v_workspace and a.subject_kind = 'release' and a.status in ('pending', 'approved')) then
    raise exception 'a release is asked for already' using errcode = 'QP006';
  end if;
  insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, due_at, subject_kind)
  values (p_approval, v_workspace, null, '', p_title, p_subject, p_digest, p_reason, 'high', v_user, v_user, p_due, 'release');
end $$;

create or replace function quorate.vote_approval(p_approval uuid, p_vote text, p_reason text, p_digest text, p_reauthenticated boolean) returns text
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
  if a.subject_kind = 'release' and not quorate.is_halt_of(v_workspace, a.subject) then raise exception 'another halt than the one shown' using errcode = 'QV007'; end if;
  if a.risk = 'high' and p_reauthenticated is not true then raise exception 'the risk is high: authenticate again' using errcode = 'QV011'; end if;
  if p_vote not in ('approve', 'reject') or p_vote is null or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  insert into quorate.approval_votes (workspace_id, approval_id, user_id, voter_name, vote, reason, action_digest, reauthenticated)
  select a.workspace_id, a.id, v_user, m.name, p_vote, coalesce(p_reason, ''), a.action_digest, coalesce(p_reauthenticated, false)
  from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = v_user;
  v_status := case
    when p_vote = 'reject' then 'rejected'
    when (select count(*) from quorate.approval_votes v where v.approval_id = a.id and v.vote = 'approve') >= a.quorum then 'approved'
    else 'pending' end;
  if v_status = 'pending' then return v_status; end if;
  if a.subject_kind = 'release' and v_status = 'approved' then
    -- consumed by the one release that it allows, in this same transaction
    update quorate.approvals x set status = 'consumed', decided_at = pg_catalog.clock_timestamp(), consumed_at = pg_catalog.clock_timestamp(), consumed_key = 'release' where x.id = a.id;
    update quorate.workspaces w set halted_at = null, halted_by = null, halt_reason = null where w.id = v_workspace;
    return v_status;
  end if;
  update quorate.approvals x set status = v_status, decided_at = pg_catalog.clock_timestamp() where x.id = a.id;
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
  return v_status;
end $$;

-- Who asked takes the question back: who started the run, or who asked for the release.
create or replace function quorate.withdraw_approval(p_approval uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_user uuid := quorate.current_user_id(); v_asker uuid;
begin
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = quorate.current_workspace_id();
  if a.id is null then raise exception 'no such approval' using errcode = 'QV001'; end if;
  if a.subject_kind = 'release' then v_asker := a.requested_by;
  else select r.initiator_id into v_asker from quorate.runs r where r.id = a.run_id for no key update;
  end if;
  select * into a from quorate.approvals x where x.id = p_approval for update;
  if v_user is null or v_asker is distinct from v_user then raise exception 'only who asked withdraws' using errcode = 'QV013'; end if;
  if a.status <> 'pending' then raise exception 'the approval is closed' using errcode = 'QV008'; end if;
  update quorate.approvals x set status = 'withdrawn', decided_at = pg_catalog.clock_timestamp() where x.id = a.id;
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
end $$;

create or replace function quorate.expire_approval(p_workspace uuid, p_approval uuid, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals;
begin
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = p_workspace;
  if a.id is null then return false; end if;
  perform from quorate.runs r where r.id = a.run_id for no key update;
  update quorate.approvals x set status = 'expired', decided_at = pg_catalog.clock_timestamp()
    where x.id = p_approval and x.status in ('pending', 'approved') and x.due_at <= pg_catalog.clock_timestamp() returning * into a;
  if a.id is null then return false; end if;
  perform quorate.append_worker_event(a.workspace_id, p_event, 'approval.expired', 'approval', a.id::text, a.title, pg_catalog.jsonb_build_object('run', a.run_id, 'step', a.step_path, 'digest', a.action_digest));
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
  return true;
end $$;

do $$
declare f regprocedure;
begin
  for f in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'quorate'::regnamespace
    and p.proname in ('count_other_approvers', 'guard_release', 'close_release_requests', 'is_halt_of', 'request_release') loop
    execute format('revoke all on function %s from public', f);
  end loop;
end $$;
grant execute on function quorate.count_other_approvers(), quorate.request_release(uuid, text, jsonb, text, jsonb, timestamptz) to quorate_member;

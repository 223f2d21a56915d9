-- The release of a halt counts as long as who asked for it could still ask, as every control change does.

create or replace function quorate.approval_refusal(a quorate.approvals, p_user uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare v_roles text[];
begin
  if quorate.current_key_id() is not null then return 'QV003'; end if;
  if a.status not in ('pending') then return 'QV008'; end if;
  if a.due_at <= pg_catalog.clock_timestamp() then return 'QV009'; end if;
  if a.requested_by = p_user then return 'QV004'; end if;
  if exists (select from quorate.runs r where r.id = a.run_id and r.initiator_id = p_user) then return 'QV006'; end if;
  if a.version_author_id = p_user then return 'QV005'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = p_user;
  -- both: the roles as they stand now, and those with which this transaction came in
  if v_roles is null or not a.role = any (v_roles) or not quorate.has_role(a.role) then return 'QV002'; end if;
  -- a role that break-glass gave lifts no halt
  if a.subject_kind = 'release' and not a.role = any (quorate.lasting_roles(a.workspace_id, p_user)) then return 'QV002'; end if;
  if exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = p_user) then return 'QV010'; end if;
  return null;
end $$;

create or replace function quorate.vote_approval(p_approval uuid, p_vote text, p_reason text, p_digest text, p_reauthenticated boolean)
returns text language plpgsql security definer set search_path = '' as $$
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
    if not 'admin' = any (quorate.lasting_roles(v_workspace, a.requested_by)) then
      raise exception 'who asked may not any more' using errcode = 'QV015';
    end if;
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

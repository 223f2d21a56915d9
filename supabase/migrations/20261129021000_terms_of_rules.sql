-- Whom rules ask to decide in place of any approver, and how they prove that it is them. Kept with the question, so that a policy that
-- changes meanwhile changes nothing of one that is open: quorate.approval_refusal and quorate.vote_approval hold to these columns.

alter table quorate.approvals
  add column groups text[] check (cardinality(groups) between 1 and 20), -- of the directory; who decides is in each of them
  add column reauthenticate text check (reauthenticate in ('password', 'factor')); -- whatever the risk; null: as risk and meaning ask
alter table quorate.approvals add constraint approvals_role_decides check (role in ('approver', 'admin'));

create or replace function quorate.take_approval(p_run quorate.runs, p_path text, p_key text, p_digest text, p_request jsonb,
  p_subject json) returns jsonb language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_state text;
begin
  select * into a from quorate.approvals x where x.run_id = p_run.id and x.step_path = p_path and x.action_digest = p_digest
    order by x.created_at desc limit 1 for update;
  if a.id is null then
    insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, quorum, requested_by,
      version_author_id, due_at, meaning, role, groups, reauthenticate)
    select (p_request ->> 'id')::uuid, p_run.workspace_id, p_run.id, p_path, p_request ->> 'title', p_subject, p_digest,
      p_request -> 'reason', p_request ->> 'risk', coalesce((p_request ->> 'quorum')::int, 1), p_run.initiator_id, v.author_id,
      clock_timestamp() + pg_catalog.make_interval(hours => (p_request ->> 'dueHours')::int), p_request ->> 'meaning',
      coalesce(p_request ->> 'role', 'approver'),
      case when p_request -> 'groups' is not null then array(select pg_catalog.jsonb_array_elements_text(p_request -> 'groups')) end,
      p_request ->> 'reauthenticate'
    from quorate.versions v where v.id = p_run.version_id and v.workspace_id = p_run.workspace_id
    returning * into a;
    return pg_catalog.jsonb_build_object('state', 'waiting', 'id', a.id, 'dueAt', a.due_at);
  end if;
  v_state := a.status;
  if a.status = 'consumed' then
    v_state := case when a.consumed_key = p_key then 'approved' else 'withdrawn' end;
  elsif a.status = 'approved' and a.due_at > clock_timestamp() then
    update quorate.approvals x set status = 'consumed', consumed_at = clock_timestamp(), consumed_key = p_key where x.id = a.id;
  elsif a.status in ('pending', 'approved') and a.due_at <= clock_timestamp() then
    update quorate.approvals x set status = 'expired' where x.id = a.id;
    perform quorate.append_worker_event(p_run.workspace_id, (p_request ->> 'eventId')::uuid, 'approval.expired', 'approval', a.id::text,
      a.title, pg_catalog.jsonb_build_object('run', p_run.id, 'step', p_path, 'digest', p_digest));
    v_state := 'expired';
  elsif a.status = 'pending' then
    v_state := 'waiting';
  end if;
  return pg_catalog.jsonb_build_object('state', v_state, 'id', a.id, 'dueAt', a.due_at, 'votes',
    (select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('name', v.voter_name, 'vote', v.vote, 'reason', v.reason)
      order by v.voted_at), '[]') from quorate.approval_votes v where v.approval_id = a.id));
end $$;

create function quorate.is_outside_groups(a quorate.approvals, p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return a.groups is not null and exists (select from pg_catalog.unnest(a.groups) g where not exists (
    select from quorate.directory_groups d
      join quorate.directory_group_people x on x.workspace_id = d.workspace_id and x.group_id = d.id
      join quorate.directory_people p on p.workspace_id = x.workspace_id and p.id = x.person_id
    where d.workspace_id = a.workspace_id and pg_catalog.lower(d.display_name) = pg_catalog.lower(g) and p.user_id = p_user and p.active
      and p.deleted_at is null));
end $$;

create function quorate.outside_groups_here(a quorate.approvals) returns boolean
language sql stable security definer set search_path = '' as $$
  select (a.workspace_id = quorate.current_workspace_id()) is not true or quorate.is_outside_groups(a, quorate.current_user_id())
$$;

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
  if quorate.is_outside_groups(a, p_user) then return 'QV022'; end if;
  -- a role that break-glass gave lifts no halt
  if a.subject_kind = 'release' and not a.role = any (quorate.lasting_roles(a.workspace_id, p_user)) then return 'QV002'; end if;
  if exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = p_user) then return 'QV010'; end if;
  return null;
end $$;

create or replace function quorate.vote_approval(p_approval uuid, p_vote text, p_reason text, p_digest text, p_meaning text default null,
  p_zone text default null) returns text
language plpgsql security definer set search_path = '' as $$
declare
  a quorate.approvals;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_status text;
  v_method text;
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
  if coalesce(p_vote, '') <> all (case a.subject_kind when 'outcome' then
    array['done', 'again', 'reject'] else array['approve', 'reject'] end) or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '')
    or p_meaning not in ('reviewed', 'approved', 'responsible') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  if p_vote = 'approve' and p_meaning <> a.meaning then raise exception 'another meaning than what is asked for' using errcode = 'QV020';
  end if;
  v_method := quorate.take_reauthentication('vote', a.id);
  if (a.risk = 'high' or a.meaning is not null or a.reauthenticate is not null) and v_method is null then
    raise exception 'authenticate again' using errcode = 'QV011';
  end if;
  if a.reauthenticate = 'factor' and v_method <> 'password_and_factor' then
    raise exception 'a second factor is asked for' using errcode = 'QV021';
  end if;
  insert into quorate.approval_votes (workspace_id, approval_id, user_id, voter_name, vote, reason, action_digest, method, meaning, zone)
  select a.workspace_id, a.id, v_user, m.name, p_vote, coalesce(p_reason, ''), a.action_digest, coalesce(v_method, 'session'),
    case p_vote when 'reject' then 'rejected' when 'approve' then coalesce(p_meaning, a.meaning, 'approved') else 'responsible' end, p_zone
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

create or replace function quorate.notify_approvers() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_asker text;
begin
  select m.name into v_asker from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.requested_by;
  perform quorate.notify(new.workspace_id,
    array(select u from pg_catalog.unnest(quorate.members_with(new.workspace_id, new.role)) u
      where u not in (new.requested_by, new.version_author_id) and not quorate.is_outside_groups(new, u)),
    'approval', 'notifyApprovalWaiting', pg_catalog.jsonb_build_object('title', new.title, 'name', coalesce(v_asker, '–')),
    pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id), 'approval:' || new.id);
  return null;
end $$;

create or replace function quorate.decider_refusal(a quorate.approvals, p_user uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when a.requested_by = p_user then 'QV004'
    when exists (select from quorate.runs r where r.id = a.run_id and r.initiator_id = p_user) then 'QV006'
    when a.version_author_id = p_user then 'QV005'
    when not exists (select from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = p_user and a.role = any (m.roles))
      then 'QV002'
    when quorate.is_outside_groups(a, p_user) then 'QV022'
    when exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = p_user) then 'QV010' end
$$;

revoke all on function quorate.is_outside_groups(quorate.approvals, uuid), quorate.outside_groups_here(quorate.approvals) from public;
grant execute on function quorate.outside_groups_here(quorate.approvals) to quorate_member;

-- People decide: every rule of a vote holds here, in the transaction that counts it, whatever screen or caller asks.
-- And every workspace begins with the shipped policies in force.

-- UUIDv7 (RFC 9562 section 5.7) for rows that the database itself makes.
create function quorate.make_id() returns uuid language sql volatile set search_path = '' as $$
  select pg_catalog.encode(pg_catalog.set_bit(pg_catalog.set_bit(overlay(pg_catalog.uuid_send(pg_catalog.gen_random_uuid())
    placing substring(pg_catalog.int8send(floor(extract(epoch from pg_catalog.clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- An approval shows the whole input of a call: who may not see a run may not see what it asks either.
drop policy read_workspace on quorate.approvals;
drop policy read_workspace on quorate.approval_votes;
create policy read_approvals on quorate.approvals for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and ((select quorate.sees_all_runs()) or requested_by = (select quorate.current_user_id())));
create policy read_votes on quorate.approval_votes for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and ((select quorate.sees_all_runs()) or exists (select from quorate.approvals a where a.id = approval_id)));

-- ---------------------------------------------------------------------------------------------------------------
-- Votes

-- Why this person may not decide, as the SQLSTATE that a vote would end with; null: they may. Digest and re-authentication come with the vote.
create function quorate.approval_refusal(a quorate.approvals, p_user uuid) returns text
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
  if exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = p_user) then return 'QV010'; end if;
  return null;
end $$;

-- The same for who asks, so that a screen says it before somebody writes a reason.
create function quorate.my_approval_refusal(p_approval uuid) returns text language sql stable security definer set search_path = '' as $$
  select quorate.approval_refusal(a, quorate.current_user_id()) from quorate.approvals a where a.id = p_approval and a.workspace_id = quorate.current_workspace_id()
$$;

-- One person's vote. Answers the approval's status afterwards: pending until the quorum is reached, approved, or rejected by the first who rejects.
create function quorate.vote_approval(p_approval uuid, p_vote text, p_reason text, p_digest text, p_reauthenticated boolean) returns text
language plpgsql security definer set search_path = '' as $$
declare
  a quorate.approvals;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_run uuid;
  v_refusal text;
  v_status text;
begin
  if v_user is null or v_workspace is null then raise exception 'nobody votes' using errcode = 'QV001'; end if;
  select x.run_id into v_run from quorate.approvals x where x.id = p_approval and x.workspace_id = v_workspace;
  if v_run is null then raise exception 'no such approval' using errcode = 'QV001'; end if;
  -- a worker locks the run before its approval: the other order here would be a deadlock
  perform from quorate.runs r where r.id = v_run for no key update;
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = v_workspace for update;
  v_refusal := quorate.approval_refusal(a, v_user);
  if v_refusal is not null then raise exception 'this vote is not possible' using errcode = v_refusal; end if;
  if p_digest is distinct from a.action_digest then raise exception 'another action than the one shown' using errcode = 'QV007'; end if;
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
  if v_status <> 'pending' then
    update quorate.approvals x set status = v_status, decided_at = pg_catalog.clock_timestamp() where x.id = a.id;
    update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
  end if;
  return v_status;
end $$;

-- Who started the run takes the question back.
create function quorate.withdraw_approval(p_approval uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_user uuid := quorate.current_user_id(); v_initiator uuid; v_run uuid;
begin
  select x.run_id into v_run from quorate.approvals x where x.id = p_approval and x.workspace_id = quorate.current_workspace_id();
  if v_run is null then raise exception 'no such approval' using errcode = 'QV001'; end if;
  select r.initiator_id into v_initiator from quorate.runs r where r.id = v_run for no key update;
  select * into a from quorate.approvals x where x.id = p_approval for update;
  if v_user is null or v_initiator is distinct from v_user then raise exception 'only who started the run withdraws' using errcode = 'QV013'; end if;
  if a.status <> 'pending' then raise exception 'the approval is closed' using errcode = 'QV008'; end if;
  update quorate.approvals x set status = 'withdrawn', decided_at = pg_catalog.clock_timestamp() where x.id = a.id;
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
end $$;

-- ---------------------------------------------------------------------------------------------------------------
-- Expiry: a run's own walk closes what is late; this finds what nobody walks past.

create function quorate.list_overdue_approvals(p_limit int) returns table (approval_id uuid, run_id uuid, workspace_id uuid)
language sql stable security definer set search_path = '' as $$
  select a.id, a.run_id, a.workspace_id from quorate.approvals a where a.status in ('pending', 'approved') and a.due_at <= pg_catalog.clock_timestamp() order by a.due_at limit least(p_limit, 1000)
$$;
create index approvals_overdue on quorate.approvals (due_at) where status in ('pending', 'approved');

-- Answers false when somebody was quicker. One a transaction: each has an audit event of its own.
create function quorate.expire_approval(p_workspace uuid, p_approval uuid, p_event uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_run uuid;
begin
  select x.run_id into v_run from quorate.approvals x where x.id = p_approval and x.workspace_id = p_workspace;
  if v_run is null then return false; end if;
  perform from quorate.runs r where r.id = v_run for no key update;
  update quorate.approvals x set status = 'expired', decided_at = pg_catalog.clock_timestamp()
    where x.id = p_approval and x.status in ('pending', 'approved') and x.due_at <= pg_catalog.clock_timestamp() returning * into a;
  if a.id is null then return false; end if;
  perform quorate.append_worker_event(a.workspace_id, p_event, 'approval.expired', 'approval', a.id::text, a.title, pg_catalog.jsonb_build_object('run', a.run_id, 'step', a.step_path, 'digest', a.action_digest));
  update quorate.runs r set wake = true where r.id = a.run_id and not r.wake and r.status not in ('completed', 'failed', 'cancelled');
  return true;
end $$;

-- ---------------------------------------------------------------------------------------------------------------
-- Whoever may decide is told.

create function quorate.notify_approvers() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.notifications (id, workspace_id, user_id, kind, subject)
  select quorate.make_id(), new.workspace_id, m.user_id, 'approval_requested', pg_catalog.jsonb_build_object('approval', new.id, 'run', new.run_id, 'title', new.title, 'risk', new.risk)
  from quorate.members m where m.workspace_id = new.workspace_id and new.role = any (m.roles) and m.user_id not in (new.requested_by, new.version_author_id);
  return null;
end $$;
create trigger notify_approvers after insert on quorate.approvals for each row execute function quorate.notify_approvers();

-- ---------------------------------------------------------------------------------------------------------------
-- The shipped policies, in force from a workspace's first moment. Their author is the product: the nil id.

create function quorate.shipped_policies() returns table (name text, description text, tag text, body text)
language sql immutable set search_path = '' as $$
  values
  ('Personal data stays', 'Personal data must not leave to a connection that is not approved for personal data.', 'personal-data-stays',
$policy$// Personal data stays with connections that somebody approved for it.
// What is built into this instance sends nothing anywhere.
@id("personal_data_leaves")
@verdict("deny")
@reason("policyPersonalDataLeaves")
forbid(principal, action, resource)
when { !context.personalData.isEmpty() }
unless { resource.connection.personalDataAllowed || resource.connection.builtin };
$policy$),
  ('High risk needs an approver', 'After a high-risk finding, a named approver decides before anything more is called.', 'high-risk-needs-an-approver',
$policy$// After a high-risk finding a named person decides on every call.
@id("high_risk_finding")
@verdict("require_approval")
@reason("policyHighRiskNeedsApprover")
forbid(principal, action, resource)
when { context.risk == "high" };
$policy$),
  ('Only approved definitions', 'A tool whose definition changed, or was never approved, may not be called.', 'only-approved-definitions',
$policy$// A tool or an agent's skill is called only as it was approved.
@id("definition_approved")
@verdict("deny")
@reason("policyCapabilityNotApproved")
forbid(principal, action, resource)
unless { resource.state == "approved" };
$policy$)
$$;

create function quorate.put_shipped_policies_in_force() returns trigger language plpgsql security definer set search_path = '' as $$
declare p record; v_artifact uuid; v_version uuid; v_nobody constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  for p in select * from quorate.shipped_policies() loop
    v_artifact := quorate.make_id();
    v_version := quorate.make_id();
    insert into quorate.artifacts (id, workspace_id, kind, name, description, owner_id, tags, status) values (v_artifact, new.id, 'policy', p.name, p.description, v_nobody, array['shipped', p.tag], 'inactive');
    -- the hash is over the canonical JSON (RFC 8785) of the document: keys in order, strings as JSON escapes them
    insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id)
    values (v_version, new.id, v_artifact, 1, pg_catalog.jsonb_build_object('format', 'quorate.policy/1', 'text', p.body),
      pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to('{"format":"quorate.policy/1","text":' || pg_catalog.to_json(p.body)::text || '}', 'UTF8')), 'hex'), v_nobody);
    update quorate.artifacts x set status = 'active', published_version_id = v_version where x.id = v_artifact;
  end loop;
  return null;
end $$;
create trigger put_shipped_policies_in_force after insert on quorate.workspaces for each row execute function quorate.put_shipped_policies_in_force();

-- ---------------------------------------------------------------------------------------------------------------
-- What policies did. A violation is a warn or a deny; an allow without a rule, by far the most, is not in the index.

create index decisions_determined on quorate.decisions (workspace_id, decided_at desc) where verdict <> 'allow' or rules <> '[]'::jsonb;

-- Numbers alone, so that everybody who may read a policy reads the same ones.
create function quorate.count_violations(p_since timestamptz) returns int
language sql stable security definer set search_path = '' as $$
  select count(*)::int from quorate.decisions d
  where d.workspace_id = quorate.current_workspace_id() and d.decided_at >= p_since and d.verdict in ('warn', 'deny') and (d.verdict <> 'allow' or d.rules <> '[]'::jsonb)
$$;
create function quorate.count_policy_decisions(p_since timestamptz) returns table (policy_id text, decisions int)
language sql stable security definer set search_path = '' as $$
  select rule ->> 'policyId', count(distinct d.id)::int from quorate.decisions d cross join lateral pg_catalog.jsonb_array_elements(d.rules) rule
  where d.workspace_id = quorate.current_workspace_id() and d.decided_at >= p_since and (d.verdict <> 'allow' or d.rules <> '[]'::jsonb) group by 1
$$;

do $$
declare f regprocedure;
begin
  for f in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'quorate'::regnamespace and p.proname in ('make_id', 'approval_refusal', 'vote_approval', 'withdraw_approval', 'list_overdue_approvals',
    'expire_approval', 'notify_approvers', 'shipped_policies', 'put_shipped_policies_in_force', 'count_policy_decisions', 'count_violations', 'my_approval_refusal') loop
    execute format('revoke all on function %s from public', f);
  end loop;
end $$;
grant execute on function quorate.my_approval_refusal(uuid), quorate.vote_approval(uuid, text, text, text, boolean), quorate.withdraw_approval(uuid), quorate.count_policy_decisions(timestamptz), quorate.count_violations(timestamptz) to quorate_member;
grant execute on function quorate.list_overdue_approvals(int) to quorate_app, quorate_worker;
grant execute on function quorate.expire_approval(uuid, uuid, uuid) to quorate_worker;

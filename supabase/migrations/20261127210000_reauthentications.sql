-- That a person proved once more that it is them is a row of the identity code's, bound to one act and taken by it. Votes and break-glass
-- said so themselves until now.

set check_function_bodies = off;

create table quorate.reauthentications (
  id uuid primary key default quorate.make_id(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  session_id uuid not null, -- the one that acts
  method text not null check (method in ('password', 'password_and_factor')),
  act text not null check (act in ('vote', 'break_glass')),
  subject_id uuid not null, -- the approval or the control change
  proof bytea not null,
  at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  consumed_at timestamptz,
  -- a proof counts once, also after what it brought was used
  unique (proof, subject_id)
);
create index reauthentications_fresh on quorate.reauthentications (user_id, subject_id) where consumed_at is null;
create index reauthentications_old on quorate.reauthentications (expires_at);
alter table quorate.reauthentications enable row level security;

-- Believes an HMAC of the process that has checked the password, over this session of the database, the person, their session, how, what
-- for and the time by the database's clock, not a minute ago. One row for each thing that the one proof is about. What is over for an hour
-- goes: by then no proof of it is taken any more.
create function quorate.note_reauthentication(p_user uuid, p_session uuid, p_method text, p_act text, p_subjects uuid[], p_at text,
  p_hmac bytea) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  if abs(extract(epoch from pg_catalog.clock_timestamp()) - p_at::numeric) < 60 is not true
    or p_hmac is distinct from quorate.hmac_of(pg_catalog.format('reauthenticated %s %s %s %s %s %s %s', pg_catalog.pg_backend_pid(),
      p_user, p_session, p_method, p_act, pg_catalog.array_to_string(p_subjects, ','), p_at)) then
    raise exception 'not the identity code of Quorate' using errcode = 'QP008';
  end if;
  if not exists (select from quorate.lasting_sessions(p_user) s where s.session_id = p_session and not s.recovering) then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  delete from quorate.reauthentications r where r.id in (select o.id from quorate.reauthentications o
    where o.expires_at < pg_catalog.clock_timestamp() - interval '1 hour' order by o.expires_at limit 100 for update skip locked);
  begin
    insert into quorate.reauthentications (user_id, session_id, method, act, subject_id, proof, expires_at)
      select p_user, p_session, p_method, p_act, s, p_hmac, pg_catalog.clock_timestamp() + interval '5 minutes'
      from pg_catalog.unnest(p_subjects) s;
  exception when unique_violation then
    raise exception 'this proof has counted already' using errcode = 'QP008';
  end;
end $$;

-- Takes the newest fresh one of who asks, in their session, for this act on this thing. Answers how they proved it; null: they did not.
create function quorate.take_reauthentication(p_act text, p_subject uuid) returns text
language sql security definer set search_path = '' as $$
  update quorate.reauthentications r set consumed_at = pg_catalog.clock_timestamp() where r.id = (
    select f.id from quorate.reauthentications f
      where f.user_id = quorate.current_user_id() and f.session_id = quorate.current_session_id() and f.act = p_act
        and f.subject_id = p_subject and f.consumed_at is null and f.expires_at > pg_catalog.clock_timestamp()
      order by f.at desc, f.id desc limit 1 for update)
  returning r.method
$$;

revoke all on function quorate.note_reauthentication(uuid, uuid, text, text, uuid[], text, bytea),
  quorate.take_reauthentication(text, uuid) from public;
grant execute on function quorate.note_reauthentication(uuid, uuid, text, text, uuid[], text, bytea) to quorate_app;

alter table quorate.approval_votes alter column reauthenticated type text
  using case when reauthenticated then 'password' else 'session' end;
alter table quorate.approval_votes rename column reauthenticated to method;
alter table quorate.approval_votes add constraint approval_votes_method_check
  check (method in ('session', 'password', 'password_and_factor'));
alter table quorate.control_votes add column method text not null default 'password'
  check (method in ('password', 'password_and_factor'));
alter table quorate.control_votes alter column method drop default;
alter table quorate.break_glass add column method text not null default 'password' check (method in ('password', 'password_and_factor'));
alter table quorate.break_glass alter column method drop default;

drop function quorate.vote_approval(uuid, text, text, text, boolean);
drop function quorate.vote_control_change(uuid, text, text, text, boolean);
drop function quorate.start_break_glass(uuid, text, text, boolean, int);

create function quorate.vote_approval(p_approval uuid, p_vote text, p_reason text, p_digest text) returns text
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
    array['done', 'again', 'reject'] else array['approve', 'reject'] end) or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  v_method := quorate.take_reauthentication('vote', a.id);
  if a.risk = 'high' and v_method is null then raise exception 'the risk is high: authenticate again' using errcode = 'QV011'; end if;
  insert into quorate.approval_votes (workspace_id, approval_id, user_id, voter_name, vote, reason, action_digest, method)
  select a.workspace_id, a.id, v_user, m.name, p_vote, coalesce(p_reason, ''), a.action_digest, coalesce(v_method, 'session')
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

create function quorate.vote_control_change(p_change uuid, p_vote text, p_reason text, p_digest text)
returns text language plpgsql security definer set search_path = '' as $$
declare
  c quorate.control_changes;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_status text := case p_vote when 'approve' then 'approved' else 'rejected' end;
  v_method text;
begin
  if v_user is null or v_workspace is null then raise exception 'nobody answers' using errcode = 'QV001'; end if;
  -- one control change after the other
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  select * into c from quorate.control_changes x where x.id = p_change and x.workspace_id = v_workspace for update;
  if c.id is null then raise exception 'no such change' using errcode = 'QV001'; end if;
  v_refusal := quorate.control_refusal(c, v_user);
  if v_refusal is not null then raise exception 'this answer is not possible' using errcode = v_refusal; end if;
  if p_digest is distinct from c.digest then raise exception 'another change than the one shown' using errcode = 'QV007'; end if;
  if coalesce(p_vote, '') not in ('approve', 'reject') or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  v_method := quorate.take_reauthentication('vote', c.id);
  if v_method is null then raise exception 'authenticate again' using errcode = 'QV011'; end if;
  insert into quorate.control_votes (workspace_id, change_id, user_id, voter_name, vote, reason, digest, method)
  select v_workspace, c.id, v_user, m.name, p_vote, coalesce(p_reason, ''), c.digest, v_method
    from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_user;
  if c.status = 'emergency' then return quorate.end_break_glass(c, v_user, v_status); end if;
  update quorate.control_changes x set status = v_status, decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  if p_vote = 'approve' then perform quorate.apply_control_change(c); end if;
  return v_status;
end $$;

create function quorate.start_break_glass(p_change uuid, p_reason text, p_digest text, p_hours int)
returns timestamptz language plpgsql security definer set search_path = '' as $$
declare
  c quorate.control_changes;
  v_user uuid := quorate.current_user_id();
  v_workspace uuid := quorate.current_workspace_id();
  v_refusal text;
  v_method text;
  v_start timestamptz := pg_catalog.clock_timestamp();
begin
  if v_user is null or v_workspace is null then raise exception 'nobody asks' using errcode = 'QV001'; end if;
  perform from quorate.workspaces w where w.id = v_workspace for no key update;
  select * into c from quorate.control_changes x where x.id = p_change and x.workspace_id = v_workspace for update;
  if c.id is null then raise exception 'no such change' using errcode = 'QV001'; end if;
  v_refusal := quorate.break_glass_refusal(c, v_user);
  if v_refusal is not null then raise exception 'break-glass is not possible' using errcode = v_refusal; end if;
  if p_digest is distinct from c.digest then raise exception 'another change than the one shown' using errcode = 'QV007'; end if;
  if coalesce(btrim(p_reason), '') = '' then raise exception 'break-glass has a reason' using errcode = 'QV012'; end if;
  v_method := quorate.take_reauthentication('break_glass', c.id);
  if v_method is null then raise exception 'authenticate again' using errcode = 'QV011'; end if;
  insert into quorate.break_glass (change_id, workspace_id, resource_id, user_id, reason, started_at, ends_at, method, held)
  values (c.id, v_workspace, c.resource_id, v_user, p_reason, v_start, v_start + pg_catalog.make_interval(hours => p_hours), v_method,
    case when c.kind = 'connection_approve' then (select pg_catalog.json_object_agg(x.id, pg_catalog.json_build_object(
      'approved_fingerprint', x.approved_fingerprint, 'approved_definition', x.approved_definition, 'approved_by', x.approved_by,
      'approved_at', x.approved_at)) from quorate.capabilities x
      where x.connection_id = c.resource_id and (c.subject #> '{before,approved}')::jsonb ? x.id::text) end);
  perform quorate.apply_control_change(c);
  update quorate.control_changes x set status = 'emergency' where x.id = c.id;
  return v_start + pg_catalog.make_interval(hours => p_hours);
end $$;

create or replace function quorate.export_own_data() returns json language plpgsql stable security definer set search_path = '' as $$
declare p uuid := quorate.current_user_id(); v_email text;
begin
  if p is null or quorate.current_key_id() is not null then
    raise exception 'only people have data of their own' using errcode = 'QP005';
  end if;
  select u.email into v_email from auth.users u where u.id = p;
  return pg_catalog.json_build_object(
    'profile', (select pg_catalog.to_json(x) from public.profiles x where x.id = p),
    'account', (select pg_catalog.json_build_object('id', u.id, 'email', u.email, 'createdAt', u.created_at,
      'emailConfirmedAt', u.email_confirmed_at, 'lastSignInAt', u.last_sign_in_at) from auth.users u where u.id = p),
    'memberships', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspace', w.name, 'workspaceId', w.id,
      'name', m.name, 'email', m.email, 'roles', m.roles, 'since', m.created_at) order by m.created_at), '[]')
      from quorate.members m join quorate.workspaces w on w.id = m.workspace_id where m.user_id = p),
    'invitations', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspaceId', i.workspace_id, 'email', i.email,
      'roles', i.roles, 'sentAt', i.created_at, 'acceptedAt', i.accepted_at, 'declinedAt', i.declined_at) order by i.created_at), '[]')
      from quorate.invitations i where lower(i.email) = lower(v_email)),
    'sessions', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(s) - 'user_id' order by s.last_seen_at desc), '[]')
      from quorate.user_sessions s where s.user_id = p),
    'reauthentications', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(r) - 'user_id' - 'proof' order by r.at), '[]')
      from quorate.reauthentications r where r.user_id = p),
    'apiKeys', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(k) - 'key_hash' - 'user_id' order by k.created_at), '[]')
      from quorate.api_keys k where k.user_id = p),
    'preferences', (select x.settings from quorate.preferences x where x.user_id = p),
    'memberSettings', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(x) - 'user_id' order by x.workspace_id), '[]')
      from quorate.member_settings x where x.user_id = p),
    'savedViews', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(v) - 'user_id' order by v.created_at), '[]')
      from quorate.saved_views v where v.user_id = p),
    'watches', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(x) - 'user_id' order by x.created_at), '[]')
      from quorate.watches x where x.user_id = p),
    'notifications', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(n) - 'user_id' order by n.created_at), '[]')
      from quorate.notifications n where n.user_id = p),
    'files', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('name', f.name, 'mediaType', f.media_type,
      'createdAt', f.created_at, 'content', pg_catalog.encode(f.content, 'base64')) order by f.created_at), '[]')
      from quorate.files f where f.owner_id = p),
    'approvalVotes', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('approvalId', v.approval_id, 'vote', v.vote,
      'reason', v.reason, 'votedAt', v.voted_at) order by v.voted_at), '[]') from quorate.approval_votes v where v.user_id = p),
    'approvalComments', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('approvalId', c.approval_id, 'kind', c.kind,
      'text', c.text, 'writtenAt', c.written_at) order by c.written_at), '[]') from quorate.approval_comments c where c.author_id = p),
    'deputies', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(d) - 'user_id' - 'told_at' order by d.created_at), '[]')
      from quorate.deputies d where d.user_id = p),
    'deputyFor', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspaceId', d.workspace_id, 'from', d.from_at,
      'until', d.until_at, 'endedAt', d.ended_at) order by d.created_at), '[]') from quorate.deputies d where d.deputy_id = p),
    'controlVotes', (select coalesce(json_agg(json_build_object('change', v.change_id, 'workspace', v.workspace_id, 'vote', v.vote,
      'reason', v.reason, 'votedAt', v.voted_at) order by v.voted_at), '[]') from quorate.control_votes v where v.user_id = p),
    'tasksAnswered', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', t.id, 'workspaceId', t.workspace_id,
      'title', t.title, 'answer', t.answer, 'answeredAt', t.answered_at) order by t.answered_at), '[]')
      from quorate.human_tasks t where t.answered_by = p),
    'runsStarted', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', r.id, 'workspaceId', r.workspace_id,
      'number', r.number, 'subject', r.subject, 'mode', r.mode, 'status', r.status, 'input', r.input, 'createdAt', r.created_at)
      order by r.created_at), '[]')
      from quorate.runs r where r.initiator_id = p),
    'auditEvents', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', e.id, 'workspaceId', e.workspace_id,
      'action', e.action, 'resourceKind', e.resource_kind, 'resourceId', e.resource_id, 'resourceName', e.resource_name,
      'payload', e.payload, 'at', e.at) order by e.at), '[]') from quorate.audit_events e where e.actor_id = p),
    'newsletter', (select pg_catalog.json_build_object('language', n.language, 'subscribedAt', n.subscribed_at)
      from quorate.newsletter_subscribers n where lower(n.email) = lower(v_email)),
    'contactRequests', (select coalesce(pg_catalog.json_agg(pg_catalog.to_json(c) order by c.created_at), '[]')
      from quorate.contact_requests c where lower(c.email) = lower(v_email))
  );
end $$;

revoke all on function quorate.vote_approval(uuid, text, text, text), quorate.vote_control_change(uuid, text, text, text),
  quorate.start_break_glass(uuid, text, text, int) from public;
grant execute on function quorate.vote_approval(uuid, text, text, text), quorate.vote_control_change(uuid, text, text, text),
  quorate.start_break_glass(uuid, text, text, int) to quorate_member;

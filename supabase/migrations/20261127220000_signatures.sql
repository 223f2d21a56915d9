-- A vote is a signature: it states its meaning and the zone of its time, and an approval can ask for one meaning.

set check_function_bodies = off;

alter table quorate.approvals add column meaning text check (meaning in ('reviewed', 'approved', 'responsible'));
alter table quorate.approval_votes
  add column meaning text check (meaning in ('reviewed', 'approved', 'responsible', 'rejected')),
  add column zone text check (zone ~ '^[A-Za-z0-9_+/-]{1,64}$');
alter table quorate.control_votes
  add column meaning text check (meaning in ('reviewed', 'approved', 'responsible', 'rejected')),
  add column zone text check (zone ~ '^[A-Za-z0-9_+/-]{1,64}$');

drop function quorate.vote_approval(uuid, text, text, text);
drop function quorate.vote_control_change(uuid, text, text, text);

create function quorate.vote_approval(p_approval uuid, p_vote text, p_reason text, p_digest text, p_meaning text default null,
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
  if (a.risk = 'high' or a.meaning is not null) and v_method is null then raise exception 'authenticate again' using errcode = 'QV011';
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

create function quorate.vote_control_change(p_change uuid, p_vote text, p_reason text, p_digest text, p_meaning text default null,
  p_zone text default null)
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
  if coalesce(p_vote, '') not in ('approve', 'reject') or (p_vote = 'reject' and coalesce(btrim(p_reason), '') = '')
    or p_meaning not in ('reviewed', 'approved', 'responsible') then
    raise exception 'a vote approves, or rejects with a reason' using errcode = 'QV012';
  end if;
  v_method := quorate.take_reauthentication('vote', c.id);
  if v_method is null then raise exception 'authenticate again' using errcode = 'QV011'; end if;
  insert into quorate.control_votes (workspace_id, change_id, user_id, voter_name, vote, reason, digest, method, meaning, zone)
  select v_workspace, c.id, v_user, m.name, p_vote, coalesce(p_reason, ''), c.digest, v_method,
    case p_vote when 'reject' then 'rejected' else coalesce(p_meaning, 'approved') end, p_zone
    from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_user;
  if c.status = 'emergency' then return quorate.end_break_glass(c, v_user, v_status); end if;
  update quorate.control_changes x set status = v_status, decided_at = pg_catalog.clock_timestamp() where x.id = c.id;
  if p_vote = 'approve' then perform quorate.apply_control_change(c); end if;
  return v_status;
end $$;

create or replace function quorate.take_approval(p_run quorate.runs, p_path text, p_key text, p_digest text, p_request jsonb,
  p_subject json)
returns jsonb language plpgsql security definer set search_path = '' as $$
declare a quorate.approvals; v_state text;
begin
  select * into a from quorate.approvals x where x.run_id = p_run.id and x.step_path = p_path and x.action_digest = p_digest
    order by x.created_at desc limit 1 for update;
  if a.id is null then
    insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, quorum, requested_by,
      version_author_id, due_at, meaning)
    select (p_request ->> 'id')::uuid, p_run.workspace_id, p_run.id, p_path, p_request ->> 'title', p_subject, p_digest,
      p_request -> 'reason', p_request ->> 'risk', coalesce((p_request ->> 'quorum')::int, 1), p_run.initiator_id, v.author_id,
      clock_timestamp() + pg_catalog.make_interval(hours => (p_request ->> 'dueHours')::int), p_request ->> 'meaning'
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
      'reason', v.reason, 'meaning', v.meaning, 'zone', v.zone, 'votedAt', v.voted_at) order by v.voted_at), '[]')
      from quorate.approval_votes v where v.user_id = p),
    'approvalComments', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('approvalId', c.approval_id, 'kind', c.kind,
      'text', c.text, 'writtenAt', c.written_at) order by c.written_at), '[]') from quorate.approval_comments c where c.author_id = p),
    'deputies', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(d) - 'user_id' - 'told_at' order by d.created_at), '[]')
      from quorate.deputies d where d.user_id = p),
    'deputyFor', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspaceId', d.workspace_id, 'from', d.from_at,
      'until', d.until_at, 'endedAt', d.ended_at) order by d.created_at), '[]') from quorate.deputies d where d.deputy_id = p),
    'controlVotes', (select coalesce(json_agg(json_build_object('change', v.change_id, 'workspace', v.workspace_id, 'vote', v.vote,
      'reason', v.reason, 'meaning', v.meaning, 'zone', v.zone, 'votedAt', v.voted_at) order by v.voted_at), '[]')
      from quorate.control_votes v where v.user_id = p),
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

create or replace function quorate.delete_account(p_user uuid, p_session uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare v_email text; w uuid; v_gone uuid[]; v_erased jsonb; v_names text[];
begin
  perform quorate.require_session();
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  perform quorate.open_principal(p_user, p_session, null, null, null, null, null);
  if exists (select from quorate.list_own_farewells() f where f.fate = 'blocks') then raise exception 'a workspace needs an admin'
    using errcode = 'QM001'; end if;
  v_gone := array(select f.workspace_id from quorate.list_own_farewells() f where f.fate = 'goes');
  -- a body can be erased once its digest stands in the tree
  if exists (select from quorate.audit_events e
    where e.leaf_index is null and (e.actor_id = p_user or e.resource_id = p_user::text or e.workspace_id = any (v_gone))) then
    raise exception 'the log has not caught up' using errcode = 'QM003';
  end if;
  select u.email into v_email from auth.users u where u.id = p_user;

  foreach w in array v_gone loop
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, action, resource_kind, resource_id, payload, salt)
      values (pg_catalog.gen_random_uuid(), w, 'member', p_user, 'workspace.deleted', 'workspace', w::text, '{}',
        pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    delete from quorate.runs r where r.workspace_id = w;
    update quorate.artifacts a set published_version_id = null where a.workspace_id = w and a.published_version_id is not null;
    delete from quorate.artifacts a where a.workspace_id = w;
    delete from quorate.workspaces x where x.id = w;
  end loop;

  -- also where they were once: their votes and the entries by and about them carry their name
  for w in select distinct x.workspace_id from (
      select m.workspace_id from quorate.members m where m.user_id = p_user
      union all select v.workspace_id from quorate.approval_votes v where v.user_id = p_user
      union all select c.workspace_id from quorate.approval_comments c where c.author_id = p_user
      union all select v.workspace_id from quorate.control_votes v where v.user_id = p_user
      union all select i.workspace_id from quorate.invitations i where lower(i.email) = lower(v_email)
      union all select e.workspace_id from quorate.audit_events e where e.salt is not null and (e.actor_id = p_user
        or (e.resource_kind = 'member' and e.resource_id = p_user::text)
          or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)))) x
    where exists (select from quorate.workspaces s where s.id = x.workspace_id) loop
    -- what is erased below, as stretches of the log: a blank body that no entry names could have been blanked by anybody
    select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(s.low, s.high) order by s.low), '[]') into v_erased from (
      select min(p.leaf_index) as low, max(p.leaf_index) + 1 as high from (
        select e.leaf_index, e.leaf_index - pg_catalog.row_number() over (order by e.leaf_index) as stretch from quorate.audit_events e
        where e.workspace_id = w and e.leaf_index is not null and e.salt is not null and (e.actor_id = p_user
          or (e.resource_kind = 'member' and e.resource_id = p_user::text)
            or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)))) p
      group by p.stretch) s;
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, action, resource_kind, resource_id, payload, salt)
      values (pg_catalog.gen_random_uuid(), w, 'member', p_user, 'account.deleted', 'member', p_user::text,
        pg_catalog.jsonb_build_object('erased', v_erased), pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) ||
        pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    v_names := array(select v_email
      union select m.name from quorate.members m where m.workspace_id = w and m.user_id = p_user
      union select v.voter_name from quorate.approval_votes v where v.workspace_id = w and v.user_id = p_user
      union select v.voter_name from quorate.control_votes v where v.workspace_id = w and v.user_id = p_user
      union select c.author_name from quorate.approval_comments c where c.workspace_id = w and c.author_id = p_user);
    perform quorate.erase_run_texts(w, p_user, v_names), quorate.erase_approval_comments(w, p_user, v_names);
    update quorate.approval_votes v set voter_name = '', zone = null where v.workspace_id = w and v.user_id = p_user;
    update quorate.control_votes v set voter_name = '', zone = null where v.workspace_id = w and v.user_id = p_user;
    delete from quorate.invitations i where i.workspace_id = w and lower(i.email) = lower(v_email);
    delete from quorate.members m where m.workspace_id = w and m.user_id = p_user;
  end loop;

  update quorate.audit_events e set actor_name = null, salt = null, payload = e.payload #- '{signature,zone}'
    where e.actor_id = p_user and e.leaf_index is not null;
  update quorate.audit_events e set actor_name = case when e.actor_id = p_user then
    null else e.actor_name end, resource_name = null, payload = '{}', salt = null
    where e.leaf_index is not null
      and ((e.resource_kind = 'member' and e.resource_id = p_user::text)
      or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)));
  update quorate.audit_events e set actor_name = null, resource_name = null, payload = '{}', salt = null
    where e.workspace_id = any (v_gone) and e.leaf_index is not null;
  delete from quorate.deliveries d where lower(d.target) = lower(v_email);
  delete from quorate.caught_mails c where lower(c.recipient) = lower(v_email);
  delete from quorate.newsletter_subscribers n where lower(n.email) = lower(v_email);
  delete from quorate.contact_requests c where lower(c.email) = lower(v_email);
  delete from quorate.notifications n where n.user_id = p_user;
  delete from quorate.saved_views v where v.user_id = p_user;
  delete from quorate.files f where f.owner_id = p_user;
  delete from quorate.preferences x where x.user_id = p_user;
  delete from quorate.user_sessions s where s.user_id = p_user;
  -- profile and sessions go with it
  delete from auth.users u where u.id = p_user;
end $$;

drop trigger immutable on quorate.approval_votes;
create trigger immutable before update on quorate.approval_votes for each row
  when ((pg_catalog.to_jsonb(new) - array['voter_name', 'zone']) is distinct from (pg_catalog.to_jsonb(old) - array['voter_name', 'zone'])
    or new.voter_name <> '' or new.zone is not null) execute function quorate.refuse_change();
drop trigger immutable on quorate.control_votes;
create trigger immutable before update on quorate.control_votes for each row
  when ((pg_catalog.to_jsonb(new) - array['voter_name', 'zone']) is distinct from (pg_catalog.to_jsonb(old) - array['voter_name', 'zone'])
    or new.voter_name <> '' or new.zone is not null) execute function quorate.refuse_change();

create function quorate.list_signatures(p_subject uuid)
returns table (event_id uuid, user_id uuid, leaf_index bigint, checkpoint bigint)
language sql stable security definer set search_path = '' as $$
  select e.id, e.actor_id, e.leaf_index, (select pg_catalog.min(c.size) from quorate.checkpoints c
    where c.workspace_id = e.workspace_id and c.size > e.leaf_index)
  from (
    select a.workspace_id, a.id::text as subject, array[a.id::text, a.workspace_id::text] as resources from quorate.approvals a
      where a.id = p_subject and (quorate.sees_all_runs() or a.requested_by = quorate.current_user_id())
    union all
    select c.workspace_id, c.id::text, array[c.id::text, c.resource_id::text] from quorate.control_changes c
      where c.id = p_subject and (quorate.has_role('admin', 'approver', 'auditor')
        or quorate.current_user_id() in (c.resource_id, c.requested_by))
  ) s
  join quorate.audit_events e on e.workspace_id = s.workspace_id and e.resource_id = any (s.resources)
  where s.workspace_id = quorate.current_workspace_id() and quorate.current_key_id() is null and e.payload ? 'signature'
    and s.subject in (e.payload ->> 'approval', e.payload ->> 'change', case e.resource_kind when 'approval' then e.resource_id end)
    and e.resource_kind in ('approval', 'workspace', 'change', 'policy', 'member', 'workflow', 'agent', 'connection')
  order by e.at, e.id
$$;

revoke all on function quorate.list_signatures(uuid) from public;
grant execute on function quorate.list_signatures(uuid) to quorate_member;
revoke all on function quorate.vote_approval(uuid, text, text, text, text, text),
  quorate.vote_control_change(uuid, text, text, text, text, text) from public;
grant execute on function quorate.vote_approval(uuid, text, text, text, text, text),
  quorate.vote_control_change(uuid, text, text, text, text, text) to quorate_member;

-- Runs wait for a sign-in, and say so wherever they are asked.

create table quorate.sign_in_waits (
  run_id uuid not null,
  path text not null,
  workspace_id uuid not null,
  connection_id uuid not null,
  user_id uuid, -- whose account is needed; null: the workspace's
  host text not null check (length(host) between 1 and 260),
  scope text check (length(scope) <= 4000), -- what the call needs, where the server says so
  since timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  primary key (run_id, path),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade,
  foreign key (workspace_id, connection_id) references quorate.connections (workspace_id, id) on delete cascade
);
create index sign_in_waits_connection on quorate.sign_in_waits (connection_id);
alter table quorate.sign_in_waits enable row level security;

-- Serialises a wait that begins with a consent that is given at the same moment.
create function quorate.sign_in_lock(p_connection uuid, p_user uuid) returns bigint language sql immutable parallel safe as $$
  select pg_catalog.hashtextextended('sign-in:' || p_connection || coalesce('/' || p_user, ''), 0)
$$;

create function quorate.sign_in_once(p_run uuid, p_path text) returns text language sql immutable parallel safe as $$
  select 'sign-in:' || p_run || ':' || p_path
$$;

-- The step, which its worker has written as pending until p_wait.dueAt, waits: whoever can sign in is told. { state }: waiting; ready:
-- somebody has signed in since p_wait.since; over: it has waited for all its time. p_wait: { connection, user, host, scope, since, dueAt }.
create function quorate.await_sign_in(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_wait jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; w quorate.sign_in_waits; v_connection uuid := (p_wait ->> 'connection')::uuid; v_user uuid := (p_wait ->> 'user')::uuid;
  v_name text; v_workflow text; v_since timestamptz := (p_wait ->> 'since')::timestamptz;
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  perform pg_catalog.pg_advisory_xact_lock(quorate.sign_in_lock(v_connection, v_user));
  select * into w from quorate.sign_in_waits x where x.run_id = p_run and x.path = p_path;
  if exists (select from quorate.oauth_grants g where g.connection_id = v_connection and g.user_id is not distinct from v_user
    and g.status = 'active' and g.granted_at > v_since) then
    delete from quorate.sign_in_waits x where x.run_id = p_run and x.path = p_path;
    return '{"state":"ready"}';
  end if;
  if w.run_id is not null and w.due_at <= clock_timestamp() then
    perform quorate.end_sign_in_wait(p_run, p_path);
    return '{"state":"over"}';
  end if;
  insert into quorate.sign_in_waits as x (run_id, path, workspace_id, connection_id, user_id, host, scope, due_at)
  values (p_run, p_path, p_workspace, v_connection, v_user, p_wait ->> 'host', p_wait ->> 'scope', (p_wait ->> 'dueAt')::timestamptz)
  on conflict (run_id, path) do update set connection_id = v_connection, user_id = v_user, host = excluded.host, scope = excluded.scope;
  select c.name into v_name from quorate.connections c where c.id = v_connection and c.workspace_id = p_workspace;
  select a.name into v_workflow from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.notify(p_workspace,
    case when v_user is null then quorate.members_with(p_workspace, 'builder', 'admin') else array[v_user] end, 'task', 'notifySignIn',
    pg_catalog.jsonb_build_object('title', v_name, 'workflow', v_workflow, 'host', p_wait ->> 'host'),
    pg_catalog.jsonb_build_object('kind', 'signIn', 'id', v_connection), quorate.sign_in_once(p_run, p_path));
  return '{"state":"waiting"}';
end $$;

-- Nobody has to look at it any longer.
create function quorate.end_sign_in_wait(p_run uuid, p_path text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from quorate.sign_in_waits w where w.run_id = p_run and w.path = p_path;
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = quorate.sign_in_once(p_run, p_path) and n.read_at is null;
end $$;

-- A member has signed in, for themselves or for the workspace: the steps that waited for it are due now, each once. Answers their runs,
-- which the caller queues.
create function quorate.wake_signed_in(p_connection uuid, p_user uuid) returns setof uuid
language plpgsql security definer set search_path = '' as $$
declare w quorate.sign_in_waits;
begin
  if p_user is distinct from quorate.current_user_id() and not (p_user is null and quorate.has_role('builder', 'admin')) then
    raise exception 'signed in for another' using errcode = '42501';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(quorate.sign_in_lock(p_connection, p_user));
  for w in select * from quorate.sign_in_waits x where x.connection_id = p_connection and x.user_id is not distinct from p_user
    and x.workspace_id = quorate.current_workspace_id() order by x.run_id, x.path loop
    update quorate.steps s set next_attempt_at = pg_catalog.clock_timestamp()
      where s.run_id = w.run_id and s.path = w.path and s.status = 'pending';
    update quorate.runs r set wake = true where r.id = w.run_id and r.status in ('pending', 'processing', 'waiting');
    if found then return next w.run_id; end if;
    perform quorate.end_sign_in_wait(w.run_id, w.path);
  end loop;
end $$;

-- Visible to all who see the run, and to those whose account is needed.
create policy read_waits on quorate.sign_in_waits for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and (user_id = (select quorate.current_user_id()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.sign_in_waits as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));

grant select on quorate.sign_in_waits to quorate_member;
revoke all on function quorate.sign_in_lock(uuid, uuid), quorate.sign_in_once(uuid, text),
  quorate.await_sign_in(uuid, uuid, int, text, jsonb), quorate.end_sign_in_wait(uuid, text),
  quorate.wake_signed_in(uuid, uuid) from public;
grant execute on function quorate.await_sign_in(uuid, uuid, int, text, jsonb) to quorate_worker;
grant execute on function quorate.wake_signed_in(uuid, uuid) to quorate_member;

create function quorate.first_trigger_kind(p_run uuid) returns text language sql stable security definer set search_path = '' as $$
  with recursive up as (
    select r.caller_run_id, r.trigger_kind from quorate.runs r where r.id = p_run
    union all select r.caller_run_id, r.trigger_kind from up join quorate.runs r on r.id = up.caller_run_id)
  select u.trigger_kind from up u where not exists (select from quorate.runs r where r.id = u.caller_run_id) limit 1
$$;

create or replace function quorate.describe_claim(r quorate.runs, p_revision bigint) returns json
language plpgsql security definer set search_path = '' as $$
begin
  return pg_catalog.json_build_object('state', 'claimed', 'attempt', r.attempt, 'versionId', r.version_id, 'artifactId', r.artifact_id,
    'artifactName', (select a.name from quorate.artifacts a where a.id = r.artifact_id and a.workspace_id = r.workspace_id),
    'mode', r.mode, 'input', r.input, 'initiatorId', r.initiator_id,
    'triggerKind', case when r.caller_run_id is null then r.trigger_kind else quorate.first_trigger_kind(r.id) end,
    'initiatorRoles', coalesce((select pg_catalog.to_json(m.roles) from quorate.members m
      where m.workspace_id = r.workspace_id and m.user_id = r.initiator_id), '[]'),
    'versionAuthorId', (select v.author_id from quorate.versions v where v.id = r.version_id and v.workspace_id = r.workspace_id),
    'createdAt', r.created_at, 'waitingMs', r.waiting_ms, 'revision', p_revision, 'trial', r.trial,
    'cancelled', r.cancel_requested_at is not null or (r.caller_run_id is not null and quorate.has_lost_caller(r)),
    'calls', case when r.attempt = 1 then 0 else quorate.count_calls(r.id) end,
    'costMicros', case when r.attempt = 1 then 0 else quorate.sum_cost(r.id) end,
    'steps', case when r.attempt = 1 then '[]'::json else quorate.read_journal(r.id) end,
    'loops', case when r.attempt = 1 then '[]'::json else quorate.list_loops(r.id) end,
    'approvals', case when r.attempt = 1 then '[]'::json else (
      select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', a.id, 'path', a.step_path, 'status', a.status,
        'digest', a.action_digest, 'dueAt', a.due_at,
        'approvedBy', (select coalesce(pg_catalog.json_agg(v.user_id), '[]') from quorate.approval_votes v
          where v.approval_id = a.id and v.vote = 'approve'))), '[]')
      from quorate.approvals a where a.run_id = r.id) end);
end $$;

create or replace function quorate.list_asks_below(p_run uuid) returns table (of_run uuid, kind text, id uuid)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with recursive open_runs (id) as (
    select p_run
    union all
    select x.id from open_runs o join quorate.runs x on x.caller_run_id = o.id where x.status in ('pending', 'processing', 'waiting'))
  select o.id, 'approval', a.id from open_runs o join quorate.approvals a on a.run_id = o.id where a.status = 'pending'
  union all
  select o.id, 'form', t.id from open_runs o join quorate.human_tasks t on t.run_id = o.id where t.status = 'pending'
  union all
  select o.id, 'signIn', w.connection_id from open_runs o join quorate.sign_in_waits w on w.run_id = o.id
    join quorate.steps s on s.run_id = w.run_id and s.path = w.path and s.status = 'pending';
end $$;

create or replace function quorate.read_run_by_key(p_key_hash bytea, p_run uuid) returns table (
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
        when 'signIn' then (select c.id from quorate.connections c where c.id = l.id)
        else (select t.id from quorate.human_tasks t where t.id = l.id) end as seen
        from quorate.list_asks(array[r.id]) l where r.status = 'waiting' order by l.id limit 1) w on true
    where r.id = p_run and r.workspace_id = v_workspace;
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
    'signIns', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(g) - 'user_id' - 'sealed' order by g.granted_at), '[]')
      from quorate.oauth_grants g where g.user_id = p),
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

revoke all on function quorate.first_trigger_kind(uuid) from public;

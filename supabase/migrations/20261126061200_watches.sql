-- Workflows and runs that people watch: they are told when an approval of them is asked for and decided, and when a run ends.

create table quorate.watches (
  workspace_id uuid not null,
  user_id uuid not null,
  artifact_id uuid, -- a workflow with all of its runs, or
  run_id uuid, -- this run alone
  created_at timestamptz not null default now(),
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade,
  foreign key (workspace_id, artifact_id) references quorate.artifacts (workspace_id, id) on delete cascade,
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade,
  check ((artifact_id is null) <> (run_id is null))
);
create unique index watches_workflow on quorate.watches (artifact_id, user_id) where artifact_id is not null;
create unique index watches_run on quorate.watches (run_id, user_id) where run_id is not null;
create index watches_mine on quorate.watches (workspace_id, user_id, created_at desc);
alter table quorate.watches enable row level security;

-- Tells those who watch a run or its workflow, as far as they see the run; not `p_but`, who are told of the same otherwise.
create function quorate.notify_watchers(p_run uuid, p_but uuid[], p_key text, p_values jsonb, p_about jsonb, p_once text) returns void
language plpgsql security definer set search_path = '' as $$
declare r quorate.runs; v_users uuid[];
begin
  select * into r from quorate.runs x where x.id = p_run;
  select pg_catalog.array_agg(distinct w.user_id) into v_users from (
      select x.user_id from quorate.watches x where x.run_id = r.id
      union all select x.user_id from quorate.watches x where x.artifact_id = r.artifact_id) w
    join quorate.members m on m.workspace_id = r.workspace_id and m.user_id = w.user_id
    where (m.user_id = r.initiator_id or m.roles && array['builder', 'approver', 'auditor', 'admin']) and m.user_id <> all (p_but);
  if v_users is not null then perform quorate.notify(r.workspace_id, v_users, 'watch', p_key, p_values, p_about, p_once); end if;
end $$;

-- An approval of a run is asked for, or decided. Approvers and the requester are told of it in any case.
create function quorate.notify_watched_approval() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.notify_watchers(new.run_id,
    case tg_op when 'INSERT' then pg_catalog.array_remove(pg_catalog.array_remove(quorate.members_with(new.workspace_id, new.role),
      new.requested_by), new.version_author_id) else array[new.requested_by] end,
    case new.status when 'pending' then 'notifyWatchedAsked' when 'approved' then 'notifyWatchedApproved' when 'rejected' then
      'notifyWatchedRejected' else 'notifyWatchedExpired' end,
    pg_catalog.jsonb_build_object('title', new.title), pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id),
    'watch-' || new.status || ':' || new.id);
  return null;
end $$;

-- A live run ended. Of a failure, whoever started it and the owner of the workflow are told in any case.
create function quorate.notify_watched_run() returns trigger language plpgsql security definer set search_path = '' as $$
declare a quorate.artifacts;
begin
  select * into a from quorate.artifacts x where x.id = new.artifact_id;
  perform quorate.notify_watchers(new.id,
    case new.status when 'failed' then pg_catalog.array_remove(array[new.initiator_id, a.owner_id], null) else '{}' end,
    case new.status when 'completed' then 'notifyWatchedCompleted' when 'failed' then 'notifyWatchedFailed' else
      'notifyWatchedCancelled' end,
    pg_catalog.jsonb_build_object('workflow', coalesce(a.name, '–')), pg_catalog.jsonb_build_object('kind', 'run', 'id', new.id),
    'watch-ended:' || new.id);
  return null;
end $$;

create trigger notify_watched_request after insert on quorate.approvals for each row
  when (new.run_id is not null) execute function quorate.notify_watched_approval();
create trigger notify_watched_decision after update of status on quorate.approvals for each row
  when (old.status = 'pending' and new.status in ('approved', 'rejected', 'expired') and new.run_id is not null)
  execute function quorate.notify_watched_approval();
create trigger notify_watched_run after update of status on quorate.runs for each row
  when (new.status in ('completed', 'failed', 'cancelled') and old.status not in ('completed', 'failed', 'cancelled')
    and new.mode = 'live') execute function quorate.notify_watched_run();

-- One's own, of what one sees.
create policy own on quorate.watches for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()))
  with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id())
    and (exists (select from quorate.artifacts a where a.id = artifact_id) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.watches as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.watches as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_deletes on quorate.watches as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant select, insert, delete on quorate.watches to quorate_member;
revoke all on function quorate.notify_watchers(uuid, uuid[], text, jsonb, jsonb, text), quorate.notify_watched_approval(),
  quorate.notify_watched_run() from public;

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

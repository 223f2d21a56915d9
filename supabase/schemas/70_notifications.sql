-- Notifications for people.

create table quorate.notifications (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null,
  kind text not null,
  subject jsonb not null default '{}',
  created_at timestamptz not null default now(),
  read_at timestamptz,
  -- `once`: the same thing is told to a person once. `queued_at`: mails and webhooks of it have been queued.
  once text,
  queued_at timestamptz
);
create unique index notifications_once on quorate.notifications (once, user_id) where once is not null;
create index notifications_unread on quorate.notifications (user_id, workspace_id) where read_at is null;
create index notifications_unqueued on quorate.notifications (created_at) where queued_at is null;
create index notifications_kind on quorate.notifications (user_id, workspace_id, kind, created_at desc);
create index notifications_inbox on quorate.notifications (user_id, workspace_id, created_at desc, id desc);
alter table quorate.notifications enable row level security;

-- Tells the members among the people given. A kind that somebody does not want in the page comes as read already.
create function quorate.notify(p_workspace uuid, p_users uuid[], p_kind text, p_key text, p_values jsonb, p_about jsonb, p_once text)
  returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.notifications as n (id, workspace_id, user_id, kind, subject, once, read_at)
  select quorate.make_id(), p_workspace, m.user_id, p_kind,
    pg_catalog.jsonb_build_object('key', p_key, 'values', p_values, 'about', p_about), p_once,
    case when p.settings #>> array['notifications', p_kind, 'page'] = 'false' then pg_catalog.clock_timestamp() end
  from quorate.members m left join quorate.preferences p on p.user_id = m.user_id
  where m.workspace_id = p_workspace and m.user_id = any (p_users)
  on conflict (once, user_id) where once is not null do update
    set subject = pg_catalog.jsonb_set(n.subject, '{values,count}', pg_catalog.to_jsonb((n.subject #>> '{values,count}')::int + 1))
      where n.subject #> '{values,count}' is not null;
end $$;

create function quorate.members_with(p_workspace uuid, variadic p_roles text[]) returns uuid[]
  language sql stable security definer set search_path = '' as $$
  select coalesce(pg_catalog.array_agg(m.user_id), '{}') from quorate.members m where m.workspace_id = p_workspace and m.roles && p_roles
$$;

-- An approval waits: whoever may decide it is told.
create function quorate.notify_approvers() returns trigger language plpgsql security definer set search_path = '' as $$
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

-- It is decided: who asked. For all others nothing waits any more.
create function quorate.notify_decision() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = 'approval:' || new.id and n.read_at is null;
  if new.status in ('approved', 'rejected', 'expired') then
    perform quorate.notify(new.workspace_id, array[new.requested_by], 'approval',
      case new.status when 'approved' then 'notifyApprovalApproved' when 'rejected' then
        'notifyApprovalRejected' else 'notifyApprovalExpired' end,
      pg_catalog.jsonb_build_object('title', new.title),
      pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id), 'approval-' || new.status || ':' || new.id);
  end if;
  return null;
end $$;

-- A live run failed: who started it, and the workflow's owner as far as they may see the run.
create function quorate.notify_failure() returns trigger language plpgsql security definer set search_path = '' as $$
declare a quorate.artifacts;
begin
  select * into a from quorate.artifacts x where x.id = new.artifact_id;
  perform quorate.notify(new.workspace_id,
    array[new.initiator_id] ||
      coalesce((select pg_catalog.array_agg(m.user_id) from quorate.members m
      where m.workspace_id = new.workspace_id and m.user_id = a.owner_id and m.roles && array['builder', 'approver', 'auditor', 'admin']),
      '{}'),
    'failure', 'notifyRunFailed', pg_catalog.jsonb_build_object('workflow', coalesce(a.name, '–')),
      pg_catalog.jsonb_build_object('kind', 'run', 'id', new.id), 'run-failed:' || new.id);
  return null;
end $$;

-- An approved tool says something else of itself: whoever may approve it again, who builds with it, and who connected it. One check, one
-- message.
create function quorate.notify_changed_tool() returns trigger language plpgsql security definer set search_path = '' as $$
declare c quorate.connections;
begin
  select * into c from quorate.connections x where x.id = new.connection_id;
  perform quorate.notify(new.workspace_id, quorate.members_with(new.workspace_id, 'approver', 'admin', 'builder') || c.owner_id,
    'changed_tool', 'notifyToolsChanged',
    pg_catalog.jsonb_build_object('capability', coalesce(nullif(new.title, ''), new.name), 'connection', c.name, 'count', 1),
    pg_catalog.jsonb_build_object('kind', case c.kind when 'a2a' then 'agent' else 'plugin' end, 'id', c.id), 'changed:' || c.id || ':' ||
      pg_catalog.pg_current_xact_id());
  return null;
end $$;

-- An invitation was answered, or its time is over: who invited, or the admins where they have left.
create function quorate.notify_invitation(i quorate.invitations, p_outcome text) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.notify(i.workspace_id,
    case when exists (select from quorate.members m
      where m.workspace_id = i.workspace_id and m.user_id = i.invited_by and 'admin' = any (m.roles)) then
      array[i.invited_by] else quorate.members_with(i.workspace_id, 'admin') end,
    'invitation', case p_outcome when 'accepted' then 'notifyInvitationAccepted' when 'declined' then
      'notifyInvitationDeclined' else 'notifyInvitationExpired' end,
    pg_catalog.jsonb_build_object('email', i.email), pg_catalog.jsonb_build_object('kind', 'members', 'id', i.id), 'invitation-' ||
      p_outcome || ':' || i.id);
end $$;

create function quorate.notify_answer() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.notify_invitation(new, case when new.accepted_at is not null then 'accepted' else 'declined' end);
  return null;
end $$;

-- Time passes without an event: asked now and then. Answers how many were told.
create function quorate.notify_expired_invitations() returns int language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_told int := 0;
begin
  perform quorate.require_session();
  for i in select * from quorate.invitations x
    where x.accepted_at is null and x.declined_at is null and x.withdrawn_at is null and x.expires_at <= now()
    and x.expires_at > now() - interval '30 days'
    and not exists (select from quorate.notifications n where n.once = 'invitation-expired:' || x.id) order by x.expires_at limit 200 loop
    perform quorate.notify_invitation(i, 'expired');
    v_told := v_told + 1;
  end loop;
  return v_told;
end $$;

-- 80 and 100 percent of a month's executions: the admins, once a month each. Counts by itself, no further than the limit.
create function quorate.notify_quota(p_limit int) returns void language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.current_workspace_id(); v_month timestamptz := pg_catalog.date_trunc('month', now(), 'UTC'); v_used int;
  v_level int;
begin
  if v_workspace is null or p_limit is null or p_limit < 1 then return; end if;
  v_used := quorate.count_live_runs(v_workspace, v_month, p_limit);
  v_level := case when v_used >= p_limit then 100 when v_used >= p_limit * 0.8 then 80 end;
  if v_level is null then return; end if;
  perform quorate.notify(v_workspace, quorate.members_with(v_workspace, 'admin'), 'quota', case v_level when 100 then
    'notifyQuotaReached' else 'notifyQuotaNear' end,
    pg_catalog.jsonb_build_object('used', v_used, 'limit', p_limit), pg_catalog.jsonb_build_object('kind', 'runs', 'id', v_workspace),
    'quota-' || v_level || ':' || v_workspace || ':' || pg_catalog.to_char(v_month, 'YYYY-MM'));
end $$;

-- The run that a notification is about, as far as its receiver may see it: { id, number, subject, workflow }. Looked up whenever it is
-- shown or sent, so that no subject stands here.
create function quorate.run_of_notice(n quorate.notifications) returns json language sql stable set search_path = '' as $$
  select pg_catalog.json_build_object('id', r.id, 'number', r.number, 'subject', r.subject,
    'workflow', coalesce(a.name, n.subject #>> '{values,workflow}', '–'),
    'asked', case n.subject #>> '{about,kind}' when 'approval' then
      (select quorate.asked_of(x.subject) from quorate.approvals x where x.id = (n.subject #>> '{about,id}')::uuid) end)
  from quorate.runs r left join quorate.artifacts a on a.id = r.artifact_id
  where r.workspace_id = n.workspace_id
    and r.id = case n.subject #>> '{about,kind}' when 'run' then (n.subject #>> '{about,id}')::uuid
      when 'approval' then (select x.run_id from quorate.approvals x where x.id = (n.subject #>> '{about,id}')::uuid)
      when 'task' then (select t.run_id from quorate.human_tasks t where t.id = (n.subject #>> '{about,id}')::uuid) end
    and (r.initiator_id = n.user_id or exists (select from quorate.members m where m.workspace_id = n.workspace_id
      and m.user_id = n.user_id and m.roles && array['builder', 'approver', 'auditor', 'admin']))
$$;

-- The values of an action in their order: of a question those that its author shows, of a call its input.
create function quorate.shown_of(p_subject json) returns json language sql immutable parallel safe set search_path = '' as $$
  select case when pg_catalog.json_typeof(x.shown) = 'object' then x.shown else '{}'::json end
  from (select case when p_subject #>> '{capability,name}' is null and pg_catalog.json_typeof(p_subject #> '{input,question}') = 'string'
    then p_subject #> '{input,show}' else p_subject -> 'input' end as shown) x
$$;

-- The facts of an approval as messages hold them, in their order: [[name, value]], texts cut; [name] where the value is too long for one.
create function quorate.facts_of(p_subject json) returns json language sql immutable set search_path = '' as $$
  select coalesce(pg_catalog.json_agg(case
      when pg_catalog.json_typeof(e.value) = 'string' then
        pg_catalog.json_build_array(pg_catalog."left"(e.key, 100), pg_catalog."left"(e.value #>> '{}', 1000))
      when pg_catalog.length(e.value::text) <= 4000 then pg_catalog.json_build_array(pg_catalog."left"(e.key, 100), e.value)
      else pg_catalog.json_build_array(pg_catalog."left"(e.key, 100)) end order by e.place), '[]')
  from pg_catalog.json_each(quorate.shown_of(p_subject)) with ordinality e (key, value, place)
  where e.place <= 30
$$;

-- The open approval that a notification is about, as far as its receiver may see it: { due, question, facts, comment }. `comment`: the
-- question or answer under it that the notification is of. Looked up as it is sent, as the run is.
create function quorate.approval_of_notice(n quorate.notifications) returns json language sql stable set search_path = '' as $$
  select pg_catalog.json_build_object('due', a.due_at, 'question', case when a.subject #>> '{capability,name}' is null
      then pg_catalog."left"(a.subject #>> '{input,question}', 1000) end, 'facts', quorate.facts_of(a.subject),
    'comment', (select c.text from quorate.approval_comments c where c.approval_id = a.id
      and c.id = case when n.once ~ '^(question|answer):' then pg_catalog.substr(n.once, pg_catalog.strpos(n.once, ':') + 1)::uuid end))
  from quorate.approvals a
  where n.subject #>> '{about,kind}' = 'approval' and a.id = (n.subject #>> '{about,id}')::uuid and a.workspace_id = n.workspace_id
    and a.status = 'pending'
    and (a.requested_by = n.user_id or exists (select from quorate.members m where m.workspace_id = n.workspace_id
      and m.user_id = n.user_id and m.roles && array['builder', 'approver', 'auditor', 'admin']))
$$;

-- Out of the page: the web server, which has the words, takes what is new and queues mails and webhooks in one transaction.
create function quorate.claim_notifications(p_limit int)
returns table (
  id uuid, workspace_id uuid, workspace_name text, is_demo boolean, user_id uuid, email text, kind text, subject jsonb, settings jsonb,
  run json, approval json
)
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.notifications n set queued_at = pg_catalog.clock_timestamp()
  from quorate.notifications x
  join quorate.members m on m.workspace_id = x.workspace_id and m.user_id = x.user_id
  join quorate.workspaces w on w.id = x.workspace_id
  left join quorate.preferences p on p.user_id = x.user_id
  where n.id = x.id and x.id in (
    select y.id from quorate.notifications y where y.queued_at is null order by y.created_at limit p_limit for update skip locked
  )
  returning n.id, n.workspace_id, w.name, w.is_demo, n.user_id, m.email, n.kind, n.subject, coalesce(p.settings, '{}'),
    quorate.run_of_notice(n), quorate.approval_of_notice(n)
$$;

-- A mark that changes whenever something of a person's inbox, or of what waits for decisions, does.
create function quorate.list_inbox_marks(p_workspaces uuid[], p_users uuid[]) returns table (user_id uuid, workspace_id uuid, mark text)
  language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select w.user_id, w.workspace_id,
    coalesce((select n.created_at || ' ' || n.id from quorate.notifications n
      where n.user_id = w.user_id and n.workspace_id = w.workspace_id order by n.created_at desc limit 1), '')
    || ' ' || (select count(*)
      from (select from quorate.notifications n
      where n.user_id = w.user_id and n.workspace_id = w.workspace_id and n.read_at is null limit 100) u)
    || ' ' || (select count(*)
      from (select from quorate.approvals a where a.workspace_id = w.workspace_id and a.status = 'pending' limit 100) a)
    || ' ' || (select count(*)
      from (select from quorate.human_tasks t where t.workspace_id = w.workspace_id and t.status = 'pending' limit 100) t)
  from unnest(p_workspaces, p_users) as w (workspace_id, user_id)
$$;

-- A mark of a workspace that changes whenever a run starts, waits or ends, something is to be decided, or the log grows.
create function quorate.list_desk_marks(p_workspaces uuid[]) returns table (workspace_id uuid, mark text)
  language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select w.workspace_id, pg_catalog.md5(pg_catalog.concat_ws(' ',
    (select r.id from quorate.runs r where r.workspace_id = w.workspace_id order by r.created_at desc, r.id desc limit 1),
    (select pg_catalog.string_agg(o.status || o.runs, ' ' order by o.status) from (
      select x.status, pg_catalog.count(*) as runs from (select r.status from quorate.runs r
        where r.workspace_id = w.workspace_id and r.status in ('pending', 'processing', 'waiting') limit 1000) x group by x.status) o),
    (select pg_catalog.count(*)
      from (select from quorate.approvals a where a.workspace_id = w.workspace_id and a.status = 'pending' limit 100) a),
    (select pg_catalog.count(*)
      from (select from quorate.human_tasks t where t.workspace_id = w.workspace_id and t.status = 'pending' limit 100) t),
    (select e.id from quorate.audit_events e where e.workspace_id = w.workspace_id order by e.at desc, e.id desc limit 1)))
  from unnest(p_workspaces) as w (workspace_id)
$$;

-- The mark of the workspace of this transaction.
create function quorate.desk_mark() returns text language sql stable security definer set search_path = '' as $$
  select m.mark from quorate.list_desk_marks(array[quorate.current_workspace_id()]) m
$$;

create trigger notify_approvers after insert on quorate.approvals for each row execute function quorate.notify_approvers();
create trigger notify_decision after update of status on quorate.approvals for each row
  when (old.status = 'pending' and new.status <> 'pending') execute function quorate.notify_decision();
create trigger notify_failure after update of status on quorate.runs for each row
  when (new.status = 'failed' and old.status <> 'failed' and new.mode = 'live') execute function quorate.notify_failure();
create trigger notify_changed_tool after update of fingerprint on quorate.capabilities for each row
  when (new.fingerprint is distinct from old.fingerprint
    and old.fingerprint = old.approved_fingerprint) execute function quorate.notify_changed_tool();
create trigger notify_answer after update of accepted_at, declined_at on quorate.invitations for each row
  when (old.accepted_at is null and old.declined_at is null
    and (new.accepted_at is not null or new.declined_at is not null)) execute function quorate.notify_answer();

create policy worker_reads on quorate.notifications for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy own on quorate.notifications for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()))
    with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id()));
create policy key_reads on quorate.notifications as restrictive for select to quorate_member using ((select quorate.key_may('')));
create policy key_inserts on quorate.notifications as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.notifications as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.notifications as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant select on quorate.notifications to quorate_member;
grant select on quorate.notifications to quorate_worker;
grant update (read_at) on quorate.notifications to quorate_member;
revoke all on function quorate.notify(uuid, uuid[], text, text, jsonb, jsonb, text), quorate.members_with(uuid, text[]),
  quorate.notify_approvers(), quorate.notify_decision(), quorate.notify_failure(), quorate.notify_changed_tool(),
  quorate.notify_invitation(quorate.invitations, text), quorate.notify_answer(), quorate.notify_expired_invitations(),
  quorate.notify_quota(int), quorate.run_of_notice(quorate.notifications),
  quorate.shown_of(json), quorate.facts_of(json),
  quorate.approval_of_notice(quorate.notifications),
  quorate.claim_notifications(int),
  quorate.list_inbox_marks(uuid[], uuid[]), quorate.list_desk_marks(uuid[]), quorate.desk_mark() from public;
grant execute on function quorate.notify_expired_invitations(), quorate.claim_notifications(int) to quorate_app;
grant execute on function quorate.notify_quota(int), quorate.run_of_notice(quorate.notifications) to quorate_member;
grant execute on function quorate.list_inbox_marks(uuid[], uuid[]), quorate.list_desk_marks(uuid[]) to quorate_worker;
grant execute on function quorate.desk_mark() to quorate_member;

-- One inbox: whoever is concerned is told where the thing happens, in the same transaction. What is told is a key of the
-- explanations with its values and what it is about: { key, values, about: { kind, id } }.

-- `once`: the same thing is told to a person once. `queued_at`: mails and webhooks of it have been queued.
alter table quorate.notifications add column once text, add column queued_at timestamptz;
update quorate.notifications set queued_at = created_at, read_at = coalesce(read_at, created_at);
create unique index notifications_once on quorate.notifications (once, user_id) where once is not null;
create index notifications_unread on quorate.notifications (user_id, workspace_id) where read_at is null;
create index notifications_unqueued on quorate.notifications (created_at) where queued_at is null;
create index notifications_kind on quorate.notifications (user_id, workspace_id, kind, created_at desc);
create index invitations_expiring on quorate.invitations (expires_at) where accepted_at is null and declined_at is null and withdrawn_at is null;

-- A webhook of a person is signed with a secret of its own, sealed; without one the workspace's secret signs.
alter table quorate.deliveries add column sealed_secret bytea, add column secret_context text;

-- Tells the members among the people given. A kind that somebody does not want in the page comes as read already.
create function quorate.notify(p_workspace uuid, p_users uuid[], p_kind text, p_key text, p_values jsonb, p_about jsonb, p_once text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  insert into quorate.notifications as n (id, workspace_id, user_id, kind, subject, once, read_at)
  select quorate.make_id(), p_workspace, m.user_id, p_kind, pg_catalog.jsonb_build_object('key', p_key, 'values', p_values, 'about', p_about), p_once,
    case when p.settings #>> array['notifications', p_kind, 'page'] = 'false' then pg_catalog.clock_timestamp() end
  from quorate.members m left join quorate.preferences p on p.user_id = m.user_id
  where m.workspace_id = p_workspace and m.user_id = any (p_users)
  on conflict (once, user_id) where once is not null do update
    set subject = pg_catalog.jsonb_set(n.subject, '{values,count}', pg_catalog.to_jsonb((n.subject #>> '{values,count}')::int + 1)) where n.subject #> '{values,count}' is not null;
end $$;

create function quorate.members_with(p_workspace uuid, variadic p_roles text[]) returns uuid[] language sql stable security definer set search_path = '' as $$
  select coalesce(pg_catalog.array_agg(m.user_id), '{}') from quorate.members m where m.workspace_id = p_workspace and m.roles && p_roles
$$;

-- An approval waits: whoever may decide it.
create or replace function quorate.notify_approvers() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_asker text;
begin
  select m.name into v_asker from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.requested_by;
  perform quorate.notify(new.workspace_id, pg_catalog.array_remove(pg_catalog.array_remove(quorate.members_with(new.workspace_id, new.role), new.requested_by), new.version_author_id),
    'approval', 'notifyApprovalWaiting', pg_catalog.jsonb_build_object('title', new.title, 'name', coalesce(v_asker, '–')),
    pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id), 'approval:' || new.id);
  return null;
end $$;

-- It is decided: who asked. For all others nothing waits any more.
create function quorate.notify_decision() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp()) where n.once = 'approval:' || new.id and n.read_at is null;
  if new.status in ('approved', 'rejected', 'expired') then
    perform quorate.notify(new.workspace_id, array[new.requested_by], 'approval',
      case new.status when 'approved' then 'notifyApprovalApproved' when 'rejected' then 'notifyApprovalRejected' else 'notifyApprovalExpired' end,
      pg_catalog.jsonb_build_object('title', new.title), pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id), 'approval-' || new.status || ':' || new.id);
  end if;
  return null;
end $$;
create trigger notify_decision after update of status on quorate.approvals for each row
  when (old.status = 'pending' and new.status <> 'pending') execute function quorate.notify_decision();

-- A live run failed: who started it, and the workflow's owner as far as they may see the run.
create function quorate.notify_failure() returns trigger language plpgsql security definer set search_path = '' as $$
declare a quorate.artifacts;
begin
  select * into a from quorate.artifacts x where x.id = new.artifact_id;
  perform quorate.notify(new.workspace_id,
    array[new.initiator_id] || coalesce((select pg_catalog.array_agg(m.user_id) from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = a.owner_id and m.roles && array['builder', 'approver', 'auditor', 'admin']), '{}'),
    'failure', 'notifyRunFailed', pg_catalog.jsonb_build_object('workflow', coalesce(a.name, '–')), pg_catalog.jsonb_build_object('kind', 'run', 'id', new.id), 'run-failed:' || new.id);
  return null;
end $$;
create trigger notify_failure after update of status on quorate.runs for each row
  when (new.status = 'failed' and old.status <> 'failed' and new.mode = 'live') execute function quorate.notify_failure();

-- What was approved says something else of itself now: who may approve it anew, and who connected it. One check, one message.
create function quorate.notify_changed_tool() returns trigger language plpgsql security definer set search_path = '' as $$
declare c quorate.connections;
begin
  select * into c from quorate.connections x where x.id = new.connection_id;
  perform quorate.notify(new.workspace_id, quorate.members_with(new.workspace_id, 'approver', 'admin') || c.owner_id, 'changed_tool', 'notifyToolsChanged',
    pg_catalog.jsonb_build_object('capability', coalesce(nullif(new.title, ''), new.name), 'connection', c.name, 'count', 1),
    pg_catalog.jsonb_build_object('kind', case c.kind when 'a2a' then 'agent' else 'plugin' end, 'id', c.id), 'changed:' || c.id || ':' || pg_catalog.pg_current_xact_id());
  return null;
end $$;
create trigger notify_changed_tool after update of fingerprint on quorate.capabilities for each row
  when (new.fingerprint is distinct from old.fingerprint and old.fingerprint = old.approved_fingerprint) execute function quorate.notify_changed_tool();

-- An invitation was answered, or its time is over: who invited, or the admins where they have left.
create function quorate.notify_invitation(i quorate.invitations, p_outcome text) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.notify(i.workspace_id,
    case when exists (select from quorate.members m where m.workspace_id = i.workspace_id and m.user_id = i.invited_by and 'admin' = any (m.roles)) then array[i.invited_by] else quorate.members_with(i.workspace_id, 'admin') end,
    'invitation', case p_outcome when 'accepted' then 'notifyInvitationAccepted' when 'declined' then 'notifyInvitationDeclined' else 'notifyInvitationExpired' end,
    pg_catalog.jsonb_build_object('email', i.email), pg_catalog.jsonb_build_object('kind', 'members', 'id', i.id), 'invitation-' || p_outcome || ':' || i.id);
end $$;
create function quorate.notify_answer() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform quorate.notify_invitation(new, case when new.accepted_at is not null then 'accepted' else 'declined' end);
  return null;
end $$;
create trigger notify_answer after update of accepted_at, declined_at on quorate.invitations for each row
  when (old.accepted_at is null and old.declined_at is null and (new.accepted_at is not null or new.declined_at is not null)) execute function quorate.notify_answer();
-- Time passes without an event: asked now and then. Answers how many were told.
create function quorate.notify_expired_invitations() returns int language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_told int := 0;
begin
  for i in select * from quorate.invitations x where x.accepted_at is null and x.declined_at is null and x.withdrawn_at is null and x.expires_at <= now() and x.expires_at > now() - interval '30 days'
    and not exists (select from quorate.notifications n where n.once = 'invitation-expired:' || x.id) order by x.expires_at limit 200 loop
    perform quorate.notify_invitation(i, 'expired');
    v_told := v_told + 1;
  end loop;
  return v_told;
end $$;

-- 80 and 100 percent of a month's executions: the admins, once a month each. Counts by itself, no further than the limit.
create function quorate.notify_quota(p_limit int) returns void language plpgsql security definer set search_path = '' as $$
declare v_workspace uuid := quorate.current_workspace_id(); v_month timestamptz := pg_catalog.date_trunc('month', now(), 'UTC'); v_used int; v_level int;
begin
  if v_workspace is null or p_limit is null or p_limit < 1 then return; end if;
  v_used := quorate.count_live_runs(v_workspace, v_month, p_limit);
  v_level := case when v_used >= p_limit then 100 when v_used >= p_limit * 0.8 then 80 end;
  if v_level is null then return; end if;
  perform quorate.notify(v_workspace, quorate.members_with(v_workspace, 'admin'), 'quota', case v_level when 100 then 'notifyQuotaReached' else 'notifyQuotaNear' end,
    pg_catalog.jsonb_build_object('used', v_used, 'limit', p_limit), pg_catalog.jsonb_build_object('kind', 'runs', 'id', v_workspace),
    'quota-' || v_level || ':' || v_workspace || ':' || pg_catalog.to_char(v_month, 'YYYY-MM'));
end $$;

-- ---------------------------------------------------------------------------------------------------------------
-- Out of the page: the web server, which has the words, takes what is new and queues mails and webhooks in one transaction.

create function quorate.claim_notifications(p_limit int)
returns table (id uuid, workspace_id uuid, workspace_name text, user_id uuid, email text, kind text, subject jsonb, settings jsonb)
language sql security definer set search_path = '' as $$
  update quorate.notifications n set queued_at = pg_catalog.clock_timestamp()
  from quorate.notifications x
  join quorate.members m on m.workspace_id = x.workspace_id and m.user_id = x.user_id
  join quorate.workspaces w on w.id = x.workspace_id
  left join quorate.preferences p on p.user_id = x.user_id
  where n.id = x.id and x.id in (select y.id from quorate.notifications y where y.queued_at is null order by y.created_at limit p_limit for update skip locked)
  returning n.id, n.workspace_id, w.name, n.user_id, m.email, n.kind, n.subject, coalesce(p.settings, '{}')
$$;
create function quorate.queue_deliveries(p_deliveries jsonb) returns void language sql security definer set search_path = '' as $$
  insert into quorate.deliveries (id, workspace_id, kind, target, subject, body, sealed_secret, secret_context)
  select (d ->> 'id')::uuid, (d ->> 'workspaceId')::uuid, d ->> 'kind', d ->> 'target', d ->> 'subject', d ->> 'body', pg_catalog.decode(d ->> 'sealedSecret', 'base64'), d ->> 'secretContext'
  from pg_catalog.jsonb_array_elements(p_deliveries) d
$$;

drop function quorate.claim_deliveries(int, interval);
create function quorate.claim_deliveries(p_limit int, p_lease interval)
returns table (id uuid, workspace_id uuid, kind text, target text, subject text, body text, attempts int, sealed_secret bytea, secret_context text)
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set attempts = d.attempts + 1, next_attempt_at = now() + p_lease
  where d.id in (select x.id from quorate.deliveries x where x.status = 'pending' and x.next_attempt_at <= now() order by x.next_attempt_at limit p_limit for update skip locked)
  returning d.id, d.workspace_id, d.kind, d.target, d.subject, d.body, d.attempts, d.sealed_secret, d.secret_context
$$;

-- A mark that changes whenever something of a person's inbox, or of what waits for decisions, does.
create function quorate.list_inbox_marks(p_workspaces uuid[], p_users uuid[]) returns table (user_id uuid, workspace_id uuid, mark text) language sql stable security definer set search_path = '' as $$
  select w.user_id, w.workspace_id,
    coalesce((select n.created_at || ' ' || n.id from quorate.notifications n where n.user_id = w.user_id and n.workspace_id = w.workspace_id order by n.created_at desc limit 1), '')
    || ' ' || (select count(*) from (select from quorate.notifications n where n.user_id = w.user_id and n.workspace_id = w.workspace_id and n.read_at is null limit 100) u)
    || ' ' || (select count(*) from (select from quorate.approvals a where a.workspace_id = w.workspace_id and a.status = 'pending' limit 100) a)
  from unnest(p_workspaces, p_users) as w (workspace_id, user_id)
$$;

do $$
declare f regprocedure;
begin
  for f in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'quorate'::regnamespace and p.proname in ('notify', 'members_with', 'notify_decision', 'notify_failure', 'notify_changed_tool', 'notify_invitation',
    'notify_answer', 'notify_expired_invitations', 'notify_quota', 'claim_notifications', 'queue_deliveries', 'claim_deliveries', 'list_inbox_marks') loop
    execute format('revoke all on function %s from public', f);
  end loop;
end $$;
grant execute on function quorate.notify_quota(int) to quorate_member;
grant execute on function quorate.notify_expired_invitations(), quorate.claim_notifications(int), quorate.queue_deliveries(jsonb), quorate.claim_deliveries(int, interval) to quorate_app;
grant execute on function quorate.list_inbox_marks(uuid[], uuid[]) to quorate_worker;

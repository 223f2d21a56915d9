-- Notifications, mails and webhooks name the run that they are about. The name is looked up when they are shown or sent: nothing of a
-- subject is stored where the erasure of a person does not reach it.

alter table quorate.deliveries add column notices uuid[];
alter policy member_queues on quorate.deliveries
  with check (workspace_id = (select quorate.current_workspace_id()) and status = 'pending' and notices is null);

-- The run that a notification is about, as far as its receiver may see it: { id, number, subject, workflow }. Looked up whenever it is
-- shown or sent, so that no subject stands here.
create function quorate.run_of_notice(n quorate.notifications) returns json language sql stable set search_path = '' as $$
  select pg_catalog.json_build_object('id', r.id, 'number', r.number, 'subject', r.subject,
    'workflow', coalesce(a.name, n.subject #>> '{values,workflow}', '–'))
  from quorate.runs r left join quorate.artifacts a on a.id = r.artifact_id
  where r.workspace_id = n.workspace_id
    and r.id = case n.subject #>> '{about,kind}' when 'run' then (n.subject #>> '{about,id}')::uuid
      when 'approval' then (select x.run_id from quorate.approvals x where x.id = (n.subject #>> '{about,id}')::uuid)
      when 'task' then (select t.run_id from quorate.human_tasks t where t.id = (n.subject #>> '{about,id}')::uuid) end
    and (r.initiator_id = n.user_id or exists (select from quorate.members m where m.workspace_id = n.workspace_id
      and m.user_id = n.user_id and m.roles && array['builder', 'approver', 'auditor', 'admin']))
$$;
revoke all on function quorate.run_of_notice(quorate.notifications) from public;
grant execute on function quorate.run_of_notice(quorate.notifications) to quorate_member;

drop function quorate.claim_notifications(int);
-- Out of the page: the web server, which has the words, takes what is new and queues mails and webhooks in one transaction.
create function quorate.claim_notifications(p_limit int)
returns table (
  id uuid, workspace_id uuid, workspace_name text, is_demo boolean, user_id uuid, email text, kind text, subject jsonb, settings jsonb,
  run json
)
language sql security definer set search_path = '' as $$
  update quorate.notifications n set queued_at = pg_catalog.clock_timestamp()
  from quorate.notifications x
  join quorate.members m on m.workspace_id = x.workspace_id and m.user_id = x.user_id
  join quorate.workspaces w on w.id = x.workspace_id
  left join quorate.preferences p on p.user_id = x.user_id
  where n.id = x.id and x.id in (
    select y.id from quorate.notifications y where y.queued_at is null order by y.created_at limit p_limit for update skip locked
  )
  returning n.id, n.workspace_id, w.name, w.is_demo, n.user_id, m.email, n.kind, n.subject, coalesce(p.settings, '{}'),
    quorate.run_of_notice(n)
$$;
revoke all on function quorate.claim_notifications(int) from public;
grant execute on function quorate.claim_notifications(int) to quorate_app;

drop function quorate.claim_deliveries(int, interval);
create or replace function quorate.queue_deliveries(p_deliveries jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into quorate.deliveries (id, workspace_id, kind, target, subject, body, sealed_secret, secret_context,
    notices)
  select (d ->> 'id')::uuid, (d ->> 'workspaceId')::uuid, d ->> 'kind', d ->> 'target', d ->> 'subject', d ->> 'body',
    pg_catalog.decode(d ->> 'sealedSecret', 'base64'), d ->> 'secretContext',
    case when d ? 'notices' then array(select x::uuid from pg_catalog.jsonb_array_elements_text(d -> 'notices') x) end
  from pg_catalog.jsonb_array_elements(p_deliveries) d
$$;

-- Takes what is due for the length of a lease: whoever dies with it leaves it to the next. `run`: what a webhook about a notification is
-- about, as it is now.
create function quorate.claim_deliveries(p_limit int, p_lease interval)
returns table (id uuid, workspace_id uuid, kind text, target text, subject text, body text, attempts int, sealed_secret bytea,
  secret_context text, private_network jsonb, run json)
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set attempts = d.attempts + 1, next_attempt_at = now() + p_lease
  where d.id in (select x.id from quorate.deliveries x where x.status = 'pending' and x.next_attempt_at <= now()
    order by x.next_attempt_at limit p_limit for update skip locked)
  returning d.id, d.workspace_id, d.kind, d.target, d.subject, d.body, d.attempts, d.sealed_secret, d.secret_context,
    (select w.private_network from quorate.workspaces w where w.id = d.workspace_id),
    (select quorate.run_of_notice(n) from quorate.notifications n
      where d.kind = 'webhook' and n.id = d.notices[1] and n.workspace_id = d.workspace_id)
$$;

-- Closes an attempt: delivered, to be tried again at p_retry_at, or given up. Late answers of an attempt that lost its lease change
-- nothing. A webhook may be sent again, so it keeps what it says; a mail keeps no text, and no subject where that may name a run.
create or replace function quorate.settle_delivery(p_id uuid, p_attempt int, p_delivered boolean, p_error text, p_retry_at timestamptz)
returns void
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set
    status = case when p_delivered then 'success' when p_retry_at is null then 'failed' else 'pending' end,
    body = case when d.kind = 'mail' and (p_delivered or p_retry_at is null) then '' else d.body end,
    subject = case when d.kind = 'mail' and d.notices is not null and (p_delivered or p_retry_at is null) then '' else d.subject end,
    last_error = p_error,
    next_attempt_at = coalesce(p_retry_at, d.next_attempt_at),
    delivered_at = case when p_delivered then clock_timestamp() end
  where d.id = p_id and d.attempts = p_attempt and d.status = 'pending'
$$;
revoke all on function quorate.claim_deliveries(int, interval) from public;
grant execute on function quorate.claim_deliveries(int, interval) to quorate_app;

-- Takes a person out of the texts and subjects of a workspace: the runs that they started by hand, and their names and addresses in all
-- others. Mails about them leave too.
create or replace function quorate.erase_run_texts(p_workspace uuid, p_user uuid, p_names text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare v_name text; v_like text;
begin
  delete from quorate.run_texts t using quorate.runs r
    where r.id = t.run_id and r.workspace_id = p_workspace and r.initiator_id = p_user and r.trigger_kind = 'manual';
  update quorate.runs r set subject = null
    where r.workspace_id = p_workspace and r.initiator_id = p_user and r.trigger_kind = 'manual' and r.subject is not null;
  foreach v_name in array p_names loop
    continue when pg_catalog.length(v_name) < 3;
    v_like := '%' || replace(replace(replace(v_name, '\', '\\'), '%', '\%'), '_', '\_') || '%';
    update quorate.run_texts t set text = pg_catalog.regexp_replace(t.text, v_name, '', 'giq')
      where t.workspace_id = p_workspace and t.text ilike v_like;
    update quorate.runs r set subject = (
        select pg_catalog.jsonb_agg(case pg_catalog.jsonb_typeof(x.part) when 'string' then pg_catalog.to_jsonb(
          pg_catalog.regexp_replace(x.part #>> '{}', v_name, '', 'giq')) else x.part end order by x.n)
        from pg_catalog.jsonb_array_elements(r.subject) with ordinality as x (part, n))
      where r.workspace_id = p_workspace and quorate.subject_text(r.subject) ilike v_like;
  end loop;
  -- Mails on their way are made again of what is left. One that is being sent at this moment may come twice.
  with mails as (
    delete from quorate.deliveries d
    where d.workspace_id = p_workspace and d.kind = 'mail' and d.status = 'pending' and d.notices is not null
    returning d.notices
  )
  update quorate.notifications n set queued_at = null from mails m where n.id = any (m.notices);
  delete from quorate.caught_mails c where exists (
    select from pg_catalog.regexp_matches(c.text_body,
      '/dashboard/(?:runs|approvals|tasks)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})', 'g') x (ids)
    join quorate.runs r on r.workspace_id = p_workspace and r.id = any (array[x.ids[1]::uuid,
      (select a.run_id from quorate.approvals a where a.id = x.ids[1]::uuid),
      (select t.run_id from quorate.human_tasks t where t.id = x.ids[1]::uuid)])
    where ((r.initiator_id = p_user and r.trigger_kind = 'manual') or exists (select from pg_catalog.unnest(p_names) v (name)
        where pg_catalog.length(v.name) >= 3
          and pg_catalog.strpos(pg_catalog.lower(c.subject || ' ' || c.text_body), pg_catalog.lower(v.name)) > 0)));
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
    'apiKeys', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(k) - 'key_hash' - 'user_id' order by k.created_at), '[]')
      from quorate.api_keys k where k.user_id = p),
    'preferences', (select x.settings from quorate.preferences x where x.user_id = p),
    'savedViews', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(v) - 'user_id' order by v.created_at), '[]')
      from quorate.saved_views v where v.user_id = p),
    'notifications', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(n) - 'user_id' order by n.created_at), '[]')
      from quorate.notifications n where n.user_id = p),
    'files', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('name', f.name, 'mediaType', f.media_type,
      'createdAt', f.created_at, 'content', pg_catalog.encode(f.content, 'base64')) order by f.created_at), '[]')
      from quorate.files f where f.owner_id = p),
    'approvalVotes', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('approvalId', v.approval_id, 'vote', v.vote,
      'reason', v.reason, 'votedAt', v.voted_at) order by v.voted_at), '[]') from quorate.approval_votes v where v.user_id = p),
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

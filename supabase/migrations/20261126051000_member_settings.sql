-- A member's own arrangement of one workspace. `here_at`: when they last had its dashboard open; `since_at`: when the visit before this
-- one ended. Null: there was none.
create table quorate.member_settings (
  workspace_id uuid not null,
  user_id uuid not null,
  settings jsonb not null default '{}',
  here_at timestamptz,
  since_at timestamptz,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade
);
alter table quorate.member_settings enable row level security;

create policy own on quorate.member_settings for all to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id())
    and (select quorate.current_key_id()) is null)
  with check (workspace_id = (select quorate.current_workspace_id()) and user_id = (select quorate.current_user_id())
    and (select quorate.current_key_id()) is null);

grant select, insert, update on quorate.member_settings to quorate_member;

-- A mark of a workspace that changes whenever a run starts, waits or ends, something is to be decided, or the log grows.
create function quorate.list_desk_marks(p_workspaces uuid[]) returns table (workspace_id uuid, mark text)
  language sql stable security definer set search_path = '' as $$
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

revoke all on function quorate.list_desk_marks(uuid[]), quorate.desk_mark() from public;
grant execute on function quorate.list_desk_marks(uuid[]) to quorate_worker;
grant execute on function quorate.desk_mark() to quorate_member;

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

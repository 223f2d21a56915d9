-- A person's own data: taken out, and erased.

-- Everything about the person of this transaction, over all workspaces. No hash, no token, nothing about anybody else.
create function quorate.export_own_data() returns json language plpgsql stable security definer set search_path = '' as $$
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

-- Workspaces of this person: 'goes' (nobody else is in it, so it is deleted with the account), 'blocks' (others are, and no other admin),
-- 'stays'.
create function quorate.list_own_farewells() returns table (workspace_id uuid, name text, fate text)
language sql stable security definer set search_path = '' as $$
  select w.id, w.name, case
    when not exists (select from quorate.members o where o.workspace_id = w.id and o.user_id <> m.user_id) then 'goes'
    when 'admin' = any (m.roles)
      and not exists (select from quorate.members o where o.workspace_id = w.id and o.user_id <> m.user_id and 'admin' = any (o.roles)) then
      'blocks'
    else 'stays' end
  from quorate.members m join quorate.workspaces w on w.id = m.workspace_id
  where m.user_id = quorate.current_user_id() and quorate.current_key_id() is null order by w.name, w.id
$$;

-- Erases a person: account, memberships, workspaces that nobody else is in, and every name and address of theirs. What they did stays in
-- the log under their id: its leaves are salted digests, whose proofs hold without the erased bodies. The entry names the places whose
-- contents it erases.
create function quorate.delete_account(p_user uuid, p_session uuid) returns void
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

revoke all on function quorate.export_own_data(), quorate.list_own_farewells(), quorate.delete_account(uuid, uuid) from public;
grant execute on function quorate.delete_account(uuid, uuid) to quorate_app;
grant execute on function quorate.export_own_data(), quorate.list_own_farewells() to quorate_member;
